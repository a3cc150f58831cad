import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../../kernel/clock.ts';
import type { MerchantId } from '../../../../kernel/ids.ts';
import { type TenantId, tenantOf } from '../../../../kernel/tenant.ts';

/** The merchant that a queue belongs to; a master and its sub-merchants are one group. */
export type QueueOwner = { readonly merchantId: MerchantId; readonly masterId: MerchantId | null };

/** The right to drain a queue in this process. */
export type Slot = {
  /** Tenant of all deliveries in the queue. */
  readonly tenantId: TenantId;
  /**
   * Says that the receiver keeps the queue waiting. It goes on apart from the working queues, and counts as slow for
   * some time.
   */
  hang(): void;
  leave(): void;
};

/** How many queues of one merchant, and of one group, are drained at once. */
type Limits = { readonly ofMerchant: number; readonly ofGroup: number };

const AT_ONCE: Limits = { ofMerchant: 20, ofGroup: 60 };
/** Limits for slow receivers, which do not take slots from the same merchant's other queues. */
const SLOW_AT_ONCE: Limits = { ofMerchant: 10, ofGroup: 30 };
/** Limits for all merchants together: working queues, and beside them queues that are known to be slow. */
const WORKING = 100;
const SLOW = 150;
const SLOW_FOR_MS = 600_000;
const KNOWN_QUEUES = 10_000;

/** The most attempts that can be in flight in a process. */
export const SLOTS = WORKING + SLOW;

type Claim = { readonly on: string; readonly limit: number };

/**
 * Gives slots to queues in such a way that no merchant's hanging receivers, however many they are, keep others waiting.
 * Null for a queue without work, and for one that has to wait, which is woken when a slot may be free.
 */
export const createSlots = (deps: {
  readonly findOwner: (queue: string) => Promise<QueueOwner | null>;
  readonly wake: (queues: readonly string[]) => void;
  readonly clock: Clock;
}): ((queue: string) => Promise<Slot | null>) => {
  const taken = new Map<string, number>();
  const waiting = new Set<string>();
  const owners = new LRUCache<string, QueueOwner>({ max: KNOWN_QUEUES });
  const slowUntil = new LRUCache<string, number>({ max: KNOWN_QUEUES });

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

/** The limits under which a queue counts; a hanging queue takes no slot from working ones. */
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
