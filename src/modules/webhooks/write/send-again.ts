import { type Clock, type Timestamp, timestamp } from '../../../kernel/clock.ts';
import { forbidden, notFound, unprocessable } from '../../../kernel/errors.ts';
import type { CommandContext } from '../../../kernel/event.ts';
import { mayRead, type Principal } from '../../../kernel/principal.ts';
import type { Transact, Transaction } from '../../../platform/write-store/transact.ts';
import { DELIVERIES, sendAgain, type WebhookDelivery } from './delivery.ts';
import { type EndpointId, WEBHOOK_ENDPOINTS, type WebhookEndpoint } from './endpoint.ts';
import { ownEndpoint } from './manage-endpoints.ts';
import { handOn, WEBHOOKS, type WebhookStore } from './webhooks.store.ts';

/** Deliveries that are sent again in one transaction: a long one would hold up the others (engines). */
const BATCH = 100;

type Deps = {
  readonly transact: Transact;
  readonly store: Pick<WebhookStore, 'change' | 'findFailed'>;
  readonly clock: Clock;
};

/** Sends one delivery again, whatever came of it; 422 while an attempt is under way or its endpoint is disabled. */
export type ResendDelivery = (
  command: { readonly id: string; readonly principal: Principal },
  context: CommandContext,
) => Promise<WebhookDelivery>;

export const createResendDelivery =
  ({ transact, store, clock }: Deps): ResendDelivery =>
  ({ id, principal }, context) =>
    transact(context, async (tx) => {
      const delivery = await tx.get(DELIVERIES, id);
      if (!delivery || !mayRead(principal, delivery)) throw notFound('Webhook delivery');
      if (principal.kind === 'merchant' && delivery.merchantId !== principal.merchantId)
        throw forbidden('OWNER_ONLY');
      if (delivery.endpointId !== null) assertEnabled(await tx.get(WEBHOOK_ENDPOINTS, delivery.endpointId));
      const [sent] = await send(tx, store, [delivery], clock());
      if (!sent) throw unprocessable('WEBHOOK_DELIVERY_PENDING', 'The delivery is being sent again already');
      await audit(tx, context, 'webhook_delivery.resent', delivery);
      return sent;
    });

/** Sends every failed delivery of an endpoint since then again; answers how many. */
export type RecoverEndpoint = (
  command: { readonly id: string; readonly since: Timestamp; readonly principal: Principal },
  context: CommandContext,
) => Promise<number>;

export const createRecoverEndpoint =
  ({ transact, store, clock }: Deps): RecoverEndpoint =>
  async ({ id, since, principal }, context) => {
    await transact(context, async (tx) => {
      const endpoint = await ownEndpoint(tx, principal, id);
      assertEnabled(endpoint);
      await audit(tx, context, 'webhook_endpoint.recovered', endpoint);
    });
    // Not those that fail again meanwhile.
    const startedAt = timestamp(clock());
    for (let count = 0; ; ) {
      const failed = await store.findFailed(id as EndpointId, { since, before: startedAt }, BATCH);
      if (failed.length === 0) return count;
      const sent = await transact(context, (tx) => send(tx, store, failed, clock()));
      count += sent.length;
    }
  };

export const assertEnabled = (endpoint: WebhookEndpoint | null): void => {
  if (!endpoint?.enabled)
    throw unprocessable('WEBHOOK_ENDPOINT_DISABLED', 'The webhook endpoint is disabled or deleted');
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
  for (const { id } of [...due, ...changed]) handOn(tx, WEBHOOKS, id);
  return [...due, ...changed];
};

/** Deliveries have no events of their own, so an operator's command says by itself what it did (decisions 11). */
export const audit = async (
  tx: Transaction,
  { actor }: CommandContext,
  type: string,
  { id, livemode }: { readonly id: string; readonly livemode: boolean },
): Promise<void> => {
  if (actor.kind === 'operator')
    await tx.audit({ type, resource: type.slice(0, type.indexOf('.')), resourceId: id, livemode });
};
