import type { Clock } from '../../kernel/clock.ts';
import { type Consumer, subjectsOf } from '../../platform/write-store/outbox.ts';
import type { HandleRows } from '../../platform/write-store/relay.ts';
import type { Charge } from '../charges/write/charge.ts';
import { isErased } from '../erasure/write/erasure.ts';
import { planRecovery } from './plan-deliveries.ts';
import type { Committed } from './publish-events.ts';
import { withCustomerOf } from './read/envelope.ts';
import type { FindEvents } from './read/find-events.ts';
import { RECOVERY, type WebhookStore } from './write/webhooks.store.ts';

/** The outbox consumer of what endpoints missed; what happens now does not wait behind years of events. */
export const RECOVERY_CONSUMER: Consumer = { name: RECOVERY, wants: () => false };

/**
 * Makes deliveries of events to endpoints that asked for missed ones. A row names the event, its key the endpoint.
 * Nothing is made of an event that is no longer kept, or for an endpoint that is disabled again.
 */
export const createPublishMissed =
  (deps: {
    readonly findEvents: FindEvents;
    readonly store: Pick<
      WebhookStore,
      'findDomainEvents' | 'findEndpoints' | 'storePlanned' | 'rewriteBodies'
    >;
    readonly wake: (queues: readonly string[]) => Promise<void>;
    readonly clock: Clock;
  }): HandleRows =>
  async (rows) => {
    const { store } = deps;
    const subjects = subjectsOf(rows);
    const events = await deps.findEvents(subjects);
    const endpoints = await store.findEndpoints(
      rows.map(({ key, tenantId = null }) => ({ value: key, tenantId })),
    );
    const now = deps.clock();
    const planned = rows.flatMap(({ subject, key, commit }): readonly Committed[] => {
      const event = events.get(subject);
      const endpoint = endpoints.find(({ id }) => id === key);
      const plan = event && endpoint && planRecovery(event, endpoint, now);
      return plan ? [{ ...plan, commit, isListed: true }] : [];
    });
    if (planned.length === 0) return [];
    await store.storePlanned(planned);
    // A customer may have been erased between the reading of an event and the freezing of its body.
    for (const event of await store.findDomainEvents(subjects))
      if (event.resource === 'charge' && isErased(event.data as Charge))
        await store.rewriteBodies(event.resourceId, (body) => withCustomerOf(event, body));
    await deps.wake([...new Set(planned.flatMap(({ deliveries }) => deliveries.map(({ queue }) => queue)))]);
    return [];
  };
