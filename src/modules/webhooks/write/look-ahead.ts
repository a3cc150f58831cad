import type { Clock } from '../../../kernel/clock.ts';
import type { TenantId } from '../../../kernel/tenant.ts';
import type { WebhookDelivery } from './delivery.ts';
import type { WebhookStore } from './webhooks.store.ts';

const AHEAD = 100;
const KEPT_QUEUES = 250;
const KEPT_MS = 30_000;

/** Due deliveries of a queue, oldest first; returned ones come first the next time. */
type LookAhead = {
  take(queue: string, tenantId: TenantId, limit: number): Promise<readonly WebhookDelivery[]>;
  giveBack(queue: string, rest: readonly WebhookDelivery[]): void;
};

/**
 * Reads more of a queue than one turn sends, and remembers it for the next ones. Behind a backlog each look is dear. A
 * delivery that somebody else has sent meanwhile has another version by then, so nothing is sent twice.
 */
export const createLookAhead = (findDue: WebhookStore['findDue'], clock: Clock): LookAhead => {
  const kept = new Map<string, { readonly until: number; readonly rows: readonly WebhookDelivery[] }>();

  const keep = (queue: string, until: number, rows: readonly WebhookDelivery[]): void => {
    kept.delete(queue);
    if (rows.length > 0) kept.set(queue, { until, rows });
    const [oldest] = kept.keys();
    if (kept.size > KEPT_QUEUES && oldest !== undefined) kept.delete(oldest);
  };
  const untilNow = (): number => clock().getTime() + KEPT_MS;

  return {
    async take(queue, tenantId, limit) {
      const known = kept.get(queue);
      const isFresh = known !== undefined && clock().getTime() < known.until;
      const { until, rows } = isFresh
        ? known
        : { until: untilNow(), rows: await findDue(queue, tenantId, clock(), AHEAD) };
      const taken = rows.slice(0, limit);
      keep(queue, until, rows.slice(taken.length));
      return taken;
    },
    giveBack(queue, rest) {
      const known = kept.get(queue);
      keep(queue, known?.until ?? untilNow(), [...rest, ...(known?.rows ?? [])]);
    },
  };
};
