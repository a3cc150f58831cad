import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../../kernel/clock.ts';
import type { TenantId } from '../../../../kernel/tenant.ts';
import type { WebhookDelivery } from '../delivery.ts';
import type { AttemptsStore } from './attempts.store.ts';

const AHEAD = 100;
const KEPT_QUEUES = 250;
const KEPT_MS = 30_000;

/** The deliveries of a queue in one environment; in both where `livemode` is null. */
export type Part = { readonly queue: string; readonly livemode: boolean | null };

/** Hands out due deliveries of a queue, oldest first. Deliveries that are given back come first the next time. */
type LookAhead = {
  take(queue: Part, tenantId: TenantId, limit: number): Promise<readonly WebhookDelivery[]>;
  giveBack(queue: Part, rest: readonly WebhookDelivery[]): void;
};

/**
 * Reads more of a queue than one turn sends and keeps the rest for the next turns, because each read behind a backlog
 * is expensive. A delivery that somebody else has sent meanwhile has another version, so nothing is sent twice.
 */
export const createLookAhead = (findDue: AttemptsStore['findDue'], clock: Clock): LookAhead => {
  const kept = new LRUCache<string, { readonly until: number; readonly rows: readonly WebhookDelivery[] }>({
    max: KEPT_QUEUES,
  });

  const nameOf = ({ queue, livemode }: Part): string => `${queue} ${livemode}`;
  const keep = (part: Part, until: number, rows: readonly WebhookDelivery[]): void => {
    if (rows.length > 0) kept.set(nameOf(part), { until, rows });
    else kept.delete(nameOf(part));
  };
  const untilNow = (): number => clock().getTime() + KEPT_MS;

  return {
    async take(part, tenantId, limit) {
      const known = kept.get(nameOf(part));
      const isFresh = known !== undefined && clock().getTime() < known.until;
      const { until, rows } = isFresh
        ? known
        : { until: untilNow(), rows: await findDue(part.queue, tenantId, clock(), AHEAD, part.livemode) };
      const taken = rows.slice(0, limit);
      keep(part, until, rows.slice(taken.length));
      return taken;
    },
    giveBack(part, rest) {
      const known = kept.get(nameOf(part));
      keep(part, known?.until ?? untilNow(), [...rest, ...(known?.rows ?? [])]);
    },
  };
};
