import type { EnvironmentTime } from '../../platform/environment-time.ts';
import { type Consumer, subjectsOf } from '../../platform/write-store/outbox.ts';
import type { HandleRows } from '../../platform/write-store/relay.ts';
import type { Charge } from '../charges/write/charge.ts';
import { isErased } from '../erasure/write/erasure.ts';
import { planRecovery } from './plan-deliveries.ts';
import type { Committed } from './publish-events.ts';
import { withCustomerOf } from './read/envelope.ts';
import type { FindEvents } from './read/find-events.ts';
import type { DeliveriesStore } from './write/deliveries.store.ts';
import type { EndpointsStore } from './write/endpoints.store.ts';
import type { SentEventsStore } from './write/sent-events.store.ts';
import { RECOVERY } from './write/webhooks.store.ts';

/**
 * The outbox consumer of events that endpoints missed. It is apart from the other one, so that new events do not wait
 * behind years of old ones.
 */
export const RECOVERY_CONSUMER: Consumer = { name: RECOVERY, wants: () => false };

/**
 * Plans deliveries of missed events to endpoints that asked for them. A row names the event, and its key the endpoint.
 * Nothing is planned for an event that is no longer kept, or for an endpoint that is disabled again.
 */
export const createPublishMissed =
  (deps: {
    readonly findEvents: FindEvents;
    readonly store: Pick<SentEventsStore, 'findDomainEvents' | 'rewriteBodies'> &
      Pick<EndpointsStore, 'findEndpoints'> &
      Pick<DeliveriesStore, 'storePlanned'>;
    readonly wake: (queues: readonly string[]) => Promise<void>;
    readonly time: Pick<EnvironmentTime, 'now'>;
  }): HandleRows =>
  async (rows) => {
    const { store } = deps;
    const subjects = subjectsOf(rows);
    const events = await deps.findEvents(subjects);
    const endpoints = await store.findEndpoints(
      rows.map(({ key, tenantId = null }) => ({ value: key, tenantId })),
    );
    const [now, testNow] = await Promise.all([deps.time.now(true), deps.time.now(false)]);
    const planned = rows.flatMap(({ subject, key, commit }): readonly Committed[] => {
      const event = events.get(subject);
      const endpoint = endpoints.find(({ id }) => id === key);
      const plan = event && endpoint && planRecovery(event, endpoint, event.livemode ? now : testNow);
      return plan ? [{ ...plan, commit, isListed: true }] : [];
    });
    if (planned.length === 0) return [];
    await store.storePlanned(planned);
    // The customer may have been erased after the event was read and before its body was frozen.
    for (const event of await store.findDomainEvents(subjects))
      if (event.resource === 'charge' && isErased(event.data as Charge))
        await store.rewriteBodies(event.resourceId, (body) => withCustomerOf(event, body));
    await deps.wake([...new Set(planned.flatMap(({ deliveries }) => deliveries.map(({ queue }) => queue)))]);
    return [];
  };
