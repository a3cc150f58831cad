import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import type { Command, CommandContext } from '../../../kernel/event.ts';
import { type Principal, visible } from '../../../kernel/principal.ts';
import { tenantOf } from '../../../kernel/tenant.ts';
import { daysBefore } from '../../../platform/retention.ts';
import type { Changing, Transaction } from '../../../platform/write-store/transaction.ts';
import type { DeliveriesStore } from './deliveries.store.ts';
import { DELIVERIES, deliveryIdTo, sendAgain, type WebhookDelivery } from './delivery.ts';
import { WEBHOOK_ENDPOINTS, type WebhookEndpoint } from './endpoint.ts';
import { assertMayReadEvent } from './event-readers.ts';
import { ownEndpoint } from './manage-endpoints.ts';
import { ownerOnly, webhookDeliveryPending, webhookEndpointDisabled } from './refusals.ts';
import { type EventHead, isSample } from './sent-event.ts';
import { RECOVERY, WEBHOOKS } from './webhooks.store.ts';

/** Deliveries that are sent again in one transaction; a longer one would hold up the others. */
const BATCH = 100;
/** How long one request works on a recovery, however much is left. */
const RECOVER_MS = 2_000;

type Deps = Changing & { readonly store: Pick<DeliveriesStore, 'change' | 'findFailed' | 'knownDeliveries'> };

/** Sends one delivery again, whatever its outcome; 422 while an attempt is in flight or its endpoint is disabled. */
export type ResendDelivery = Command<{ readonly id: string; readonly principal: Principal }, WebhookDelivery>;

export const createResendDelivery =
  ({ transact, store, clock }: Deps): ResendDelivery =>
  ({ id, principal }, context) =>
    transact(context, async (tx) => {
      const delivery = visible(principal, await tx.get(DELIVERIES, id), 'Webhook delivery');
      if (principal.kind === 'merchant' && delivery.merchantId !== principal.merchantId) throw ownerOnly();
      assertMayReadEvent(principal, delivery.event);
      if (delivery.endpointId !== null) assertEnabled(await tx.get(WEBHOOK_ENDPOINTS, delivery.endpointId));
      const [sent] = await send(tx, store, [delivery], clock());
      if (!sent) throw webhookDeliveryPending();
      await audit(tx, context, 'webhook_delivery.resent', delivery);
      return sent;
    });

/**
 * Sends an endpoint every delivery that failed since a time, and every event since then that it never got; returns how
 * many. It stops after a short while; where the result is not complete, another call continues.
 */
export type RecoverEndpoint = Command<
  { readonly id: string; readonly since: Timestamp; readonly principal: Principal },
  { readonly resent: number; readonly missed: number; readonly complete: boolean }
>;

type ListedEvent = Omit<EventHead, 'version' | 'requestId'>;

/** Finds the events since a time that an endpoint wants, in batches, including everything recorded so far. */
export type FindEventsFor = (
  endpoint: WebhookEndpoint,
  since: Timestamp,
) => Promise<AsyncIterable<readonly ListedEvent[]>>;

export const createRecoverEndpoint =
  (
    deps: Deps & {
      readonly findEventsFor: FindEventsFor;
      /**
       * For how many days deliveries are kept; null for ever. An event of an earlier time could be sent a second time,
       * because its delivery is forgotten.
       */
      readonly days: number | null;
    },
  ): RecoverEndpoint =>
  async ({ id, since, principal }, context) => {
    const { transact, clock } = deps;
    const endpoint = await transact(context, async (tx) => {
      const found = await ownEndpoint(tx, principal, id);
      assertEnabled(found);
      await audit(tx, context, 'webhook_endpoint.recovered', found);
      return found;
    });
    const known = deps.days === null ? since : timestamp(daysBefore(clock(), deps.days));
    const events = await deps.findEventsFor(endpoint, since > known ? since : known);
    const ending = AbortSignal.timeout(RECOVER_MS);
    const resent = await sendFailed(deps, endpoint, since, context, ending);
    const missed = await sendMissed(deps, endpoint, events, context, ending);
    return { resent, missed, complete: !ending.aborted };
  };

const sendFailed = async (
  { transact, store, clock }: Deps,
  endpoint: WebhookEndpoint,
  since: Timestamp,
  context: CommandContext,
  ending: AbortSignal,
): Promise<number> => {
  // Deliveries that fail again in the meantime are not taken a second time.
  const startedAt = timestamp(clock());
  const tenantId = tenantOf(endpoint);
  for (let count = 0; ; ) {
    const failed = await store.findFailed(endpoint, { since, before: startedAt }, BATCH);
    if (failed.length === 0 || ending.aborted) return count;
    const sent = await transact({ ...context, tenantId }, async (tx) => {
      await tellTenant(tx, endpoint);
      return send(tx, store, failed, clock());
    });
    count += sent.length;
  }
};

/** Leaves an outbox row for each event that has no delivery to the endpoint. */
const sendMissed = async (
  { transact, store }: Deps,
  endpoint: WebhookEndpoint,
  events: AsyncIterable<readonly ListedEvent[]>,
  context: CommandContext,
  ending: AbortSignal,
): Promise<number> => {
  const tenantId = tenantOf(endpoint);
  let count = 0;
  for await (const batch of events) {
    if (ending.aborted) break;
    const real = batch.filter((event) => !isSample(event));
    const known = await store.knownDeliveries(
      real.map((event) => ({ value: deliveryIdTo(event, endpoint), tenantId })),
    );
    const missed = real.filter((event) => !known.has(deliveryIdTo(event, endpoint)));
    if (missed.length === 0) continue;
    await transact({ ...context, tenantId }, async (tx) => {
      await tellTenant(tx, endpoint);
      for (const event of missed) tx.enqueue(RECOVERY, event.id, endpoint.id);
    });
    count += missed.length;
  }
  return count;
};

/** Reads the endpoint, because a transaction without a change belongs to the tenant of the records that it reads. */
const tellTenant = (tx: Transaction, { id }: WebhookEndpoint): Promise<unknown> =>
  tx.get(WEBHOOK_ENDPOINTS, id);

export const assertEnabled = (endpoint: WebhookEndpoint | null): void => {
  if (!endpoint?.enabled) throw webhookEndpointDisabled();
};

const send = async (
  tx: Transaction,
  store: Deps['store'],
  deliveries: readonly WebhookDelivery[],
  now: Date,
): Promise<readonly WebhookDelivery[]> => {
  const wanted = deliveries.map((previous) => ({ previous, next: sendAgain(previous, now) }));
  const due = wanted.filter(({ previous, next }) => next === previous).map(({ next }) => next);
  const changed = await store.change(
    tx,
    wanted.filter(({ previous, next }) => next !== previous),
  );
  for (const { id } of [...due, ...changed]) tx.enqueue(WEBHOOKS, id);
  return [...due, ...changed];
};

/** Deliveries have no events, so an operator's command writes its audit entry itself. */
export const audit = async (
  tx: Transaction,
  { actor }: CommandContext,
  type: string,
  { id, livemode }: { readonly id: string; readonly livemode: boolean },
): Promise<void> => {
  if (actor.kind === 'operator')
    await tx.audit({ type, resource: type.slice(0, type.indexOf('.')), resourceId: id, livemode });
};
