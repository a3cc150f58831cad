import type { DomainEvent } from '../../kernel/event.ts';
import type { EnvironmentTime } from '../../platform/environment-time.ts';
import { environmentOf } from '../../platform/write-store/audit.ts';
import { inParts } from '../../platform/write-store/mongo.ts';
import { type Consumer, type OutboxRow, subjectsOf, traceOf } from '../../platform/write-store/outbox.ts';
import type { RecentEvents } from '../../platform/write-store/recent-events.ts';
import type { Failure, HandleRows } from '../../platform/write-store/relay.ts';
import { concernedBy, hasAddressee, type Planned, planDeliveries } from './plan-deliveries.ts';
import { withCustomerOf } from './read/envelope.ts';
import type { DeliveriesStore } from './write/deliveries.store.ts';
import type { EndpointsStore } from './write/endpoints.store.ts';
import { isErasure, isSendable } from './write/event-kinds.ts';
import type { SentEventsStore } from './write/sent-events.store.ts';
import { WEBHOOKS } from './write/webhooks.store.ts';

/** The outbox consumer that plans the deliveries of events. */
export const WEBHOOK_CONSUMER: Consumer = {
  name: WEBHOOKS,
  wants: (resource, type) => isSendable(resource, type) || isErasure(resource, type),
};

const isOfTest = ({ data }: DomainEvent): boolean => environmentOf(data) === false;

const isDelivery = (subject: string): boolean => subject.startsWith('whd_');

/**
 * The planned events of a commit. `isListed` is true where the view of events learns of the event from the domain event
 * already.
 */
export type Committed = Planned & { readonly commit: string; readonly isListed: boolean };

/**
 * Plans deliveries for the events behind outbox rows and wakes the senders. Ids are derived from event and target, so
 * handling a row twice changes nothing. A row may also name a delivery that is to be sent again by hand.
 */
export const createPublishEvents = (deps: {
  readonly store: Pick<EndpointsStore, 'findEnabledEndpoints'> &
    Pick<SentEventsStore, 'withWhole' | 'rewriteBodies'> &
    Pick<DeliveriesStore, 'storePlanned' | 'findQueues'>;
  readonly recentEvents: Pick<RecentEvents, 'find'>;
  readonly wake: (queues: readonly string[]) => Promise<void>;
  readonly time: Pick<EnvironmentTime, 'now'>;
}): HandleRows => {
  const { store, time } = deps;

  /** Stores the deliveries of these events; returns the queues that got work. */
  const publish = async (
    rows: readonly OutboxRow[],
    found: readonly DomainEvent[],
  ): Promise<readonly string[]> => {
    const concerned = found.flatMap(concernedBy);
    const endpoints = concerned.length > 0 ? await store.findEnabledEndpoints(concerned) : [];
    const listeners = new Set(endpoints.map(({ merchantId }) => merchantId));
    const isTold = (event: DomainEvent): boolean =>
      isErasure(event.resource, event.type) || hasAddressee(event, listeners);
    const events = await store.withWhole(found.filter(isTold));
    const eventsById = new Map(events.map((event) => [event.id, event]));
    const [now, testNow] = await Promise.all([time.now(true), time.now(false)]);
    const planned = rows.flatMap((row): Committed[] => {
      const event = eventsById.get(row.subject);
      if (!event) return [];
      return planDeliveries(event, endpoints, isOfTest(event) ? testNow : now).map((plan) => ({
        ...plan,
        deliveries: plan.deliveries.map((delivery) => ({ ...delivery, ...traceOf(row) })),
        commit: row.commit,
        isListed: plan.sent.id === event.id,
      }));
    });
    if (planned.length > 0) await store.storePlanned(planned);
    for (const event of events)
      if (isErasure(event.resource, event.type))
        await store.rewriteBodies(event.resourceId, (body) => withCustomerOf(event, body));
    return planned.flatMap(({ deliveries }) => deliveries.map(({ queue }) => queue));
  };

  return async (rows) => {
    const again = rows.filter(({ subject }) => isDelivery(subject));
    const fresh = rows.filter(({ subject }) => !isDelivery(subject));
    const known = new Set<string>();
    const queues: string[] = [];
    // Bodies may be large, so no more of them are held at a time than one statement names.
    for (const part of inParts(fresh)) {
      const events = await deps.recentEvents.find(part);
      for (const { id } of events) known.add(id);
      queues.push(...(await publish(part, events)));
    }
    if (again.length > 0) queues.push(...(await store.findQueues(subjectsOf(again))));
    if (queues.length > 0) await deps.wake([...new Set(queues)]);
    return fresh.flatMap((row): Failure[] =>
      known.has(row.subject) ? [] : [{ row, error: 'its event is not in the store' }],
    );
  };
};
