import type { Clock } from '../../kernel/clock.ts';
import type { DomainEvent } from '../../kernel/event.ts';
import { inParts } from '../../platform/write-store/mongo.ts';
import { type Consumer, type OutboxRow, subjectsOf, traceOf } from '../../platform/write-store/outbox.ts';
import type { RecentEvents } from '../../platform/write-store/recent-events.ts';
import type { Failure, HandleRows } from '../../platform/write-store/relay.ts';
import { concernedBy, hasAddressee, type Planned, planDeliveries } from './plan-deliveries.ts';
import { withCustomerOf } from './read/envelope.ts';
import { isErasure, isSendable } from './write/event-kinds.ts';
import { WEBHOOKS, type WebhookStore } from './write/webhooks.store.ts';

/** The outbox consumer that makes deliveries of events. */
export const WEBHOOK_CONSUMER: Consumer = {
  name: WEBHOOKS,
  wants: (resource, type) => isSendable(resource, type) || isErasure(resource, type),
};

const isDelivery = (subject: string): boolean => subject.startsWith('whd_');

/** Events of a commit; `isListed` where the view of events has it by its domain event already. */
export type Committed = Planned & { readonly commit: string; readonly isListed: boolean };

/**
 * Makes deliveries of the events behind outbox rows, and wakes what sends them. Ids follow from event and target, so
 * doing a row twice changes nothing. A row may also name a delivery, to be sent again by hand.
 */
export const createPublishEvents = (deps: {
  readonly store: Pick<
    WebhookStore,
    'findEnabledEndpoints' | 'withWhole' | 'storePlanned' | 'rewriteBodies' | 'findQueues'
  >;
  readonly recentEvents: Pick<RecentEvents, 'find'>;
  readonly wake: (queues: readonly string[]) => Promise<void>;
  readonly clock: Clock;
}): HandleRows => {
  const { store } = deps;

  /** Stores what is to be sent of these events; answers the queues that got work. */
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
    const now = deps.clock();
    const planned = rows.flatMap((row): Committed[] => {
      const event = eventsById.get(row.subject);
      if (!event) return [];
      return planDeliveries(event, endpoints, now).map((plan) => ({
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
    // Bodies may be large: no more of them are in hand at a time than one statement names.
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
