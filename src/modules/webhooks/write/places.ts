import type { Clock } from '../../../kernel/clock.ts';
import type { MerchantId } from '../../../kernel/ids.ts';
import { type TenantId, tenantOf } from '../../../kernel/tenant.ts';

/** Whose queue it is; a master and its sub-merchants are one group. */
export type QueueOwner = { readonly merchantId: MerchantId; readonly masterId: MerchantId | null };

/** Where a queue is drained in this process. */
export type Place = {
  /** Tenant of all deliveries in the queue. */
  readonly tenantId: TenantId;
  /** Its receiver keeps it waiting: it goes on beside those that work, and counts as slow for some time. */
  hang(): void;
  leave(): void;
};

/** Queues that are drained at once: of a merchant, and of a group. */
type Limits = { readonly ofMerchant: number; readonly ofGroup: number };

const AT_ONCE: Limits = { ofMerchant: 20, ofGroup: 60 };
/** Limits for slow addresses, so that the same merchant's others go on beside them. */
const SLOW_AT_ONCE: Limits = { ofMerchant: 10, ofGroup: 30 };
/** Limits for all merchants together: queues that work, and beside them those that are known as slow. */
const WORKING = 100;
const SLOW = 150;
const SLOW_FOR_MS = 600_000;
const KNOWN_QUEUES = 10_000;

/** The most that can be in flight in a process. */
export const PLACES = WORKING + SLOW;

type Claim = { readonly on: string; readonly limit: number };

/**
 * Gives queues places, so that no merchant's receivers keep others waiting by hanging, however many they are. Null for
 * a queue without work, and for one that has to wait. A waiting one is woken when a place may be free.
 */
export const createPlaces = (deps: {
  readonly findOwner: (queue: string) => Promise<QueueOwner | null>;
  readonly wake: (queues: readonly string[]) => void;
  readonly clock: Clock;
}): ((queue: string) => Promise<Place | null>) => {
  const taken = new Map<string, number>();
  const waiting = new Set<string>();
  const owners = bounded<QueueOwner>();
  const slowUntil = bounded<number>();

  const isSlow = (queue: string): boolean => (slowUntil.get(queue) ?? 0) > deps.clock().getTime();
  const isFree = ({ on, limit }: Claim): boolean => (taken.get(on) ?? 0) < limit;
  const take = ({ on }: Claim): void => void taken.set(on, (taken.get(on) ?? 0) + 1);
  const free = ({ on }: Claim): void => {
    const left = (taken.get(on) ?? 0) - 1;
    if (left > 0) taken.set(on, left);
    else taken.delete(on);
  };
  const wakeNext = (): void => {
    for (const queue of waiting) {
      const owner = owners.get(queue);
      if (owner && !claimsOf(owner, isSlow(queue)).every(isFree)) continue;
      waiting.delete(queue);
      deps.wake([queue]);
      return;
    }
  };

  return async (queue) => {
    const owner = owners.get(queue) ?? (await deps.findOwner(queue));
    if (!owner) return null;
    owners.set(queue, owner);
    let held = claimsOf(owner, isSlow(queue));
    if (!held.every(isFree)) {
      waiting.add(queue);
      return null;
    }
    waiting.delete(queue);
    held.forEach(take);
    const change = (claims: readonly Claim[]): void => {
      held.forEach(free);
      held = claims;
      held.forEach(take);
      wakeNext();
    };
    return {
      tenantId: tenantOf(owner),
      hang() {
        slowUntil.set(queue, deps.clock().getTime() + SLOW_FOR_MS);
        change(claimsOf(owner, true));
      },
      leave: () => change([]),
    };
  };
};

/** Group in which a queue is counted; a hanging queue takes no place from others. */
const claimsOf = ({ merchantId, masterId }: QueueOwner, isSlow: boolean): readonly Claim[] => {
  const group = tenantOf({ merchantId, masterId });
  const claims = (kind: string, { ofMerchant, ofGroup }: Limits): readonly Claim[] => [
    { on: `${kind} of merchant ${merchantId}`, limit: ofMerchant },
    { on: `${kind} of group ${group}`, limit: ofGroup },
  ];
  const inAll = isSlow
    ? [{ on: 'slow', limit: SLOW }, ...claims('slow', SLOW_AT_ONCE)]
    : [{ on: 'working', limit: WORKING }];
  return [...claims('all', AT_ONCE), ...inAll];
};

/** A map that forgets what was set first. */
const bounded = <T>() => {
  const known = new Map<string, T>();
  return {
    get: (key: string): T | undefined => known.get(key),
    set(key: string, value: T): void {
      known.delete(key);
      known.set(key, value);
      const [oldest] = known.keys();
      if (known.size > KNOWN_QUEUES && oldest !== undefined) known.delete(oldest);
    },
  };
};
