import Joi from 'joi';
import type { Stripe } from 'stripe';
import type { Delivery, ProviderNotification, StoredState, Unconfirmed } from '../provider.ts';
import { moneyOf } from './amounts.ts';
import { paymentStateOf, referenceOf, refundStateOf } from './answers.ts';
import type { CallStripe } from './stripe-client.ts';
import { storedStateOf, storedStateOfMethod } from './vault.ts';

type Event = {
  readonly id: string;
  readonly type: string;
  readonly livemode: boolean;
  /** The connected account that it is about; absent for the key's own. */
  readonly account?: string;
  readonly data: { readonly object: { readonly id: string } };
};
type News = ProviderNotification | Unconfirmed;
type Stored = { readonly reference: string | null; readonly state: StoredState | null };

const id = Joi.string().max(128).required();
const eventBody = Joi.object({
  id,
  object: Joi.valid('event').required(),
  type: Joi.string().max(128).required(),
  livemode: Joi.boolean().required(),
  account: Joi.string().max(128),
  data: Joi.object({ object: Joi.object().unknown().required() }).unknown().required(),
})
  .unknown()
  .required();

/**
 * Reads Stripe's events. Of an event only type and object count. The object is asked back, because the event has it as
 * it was. Events may come late and in any order.
 */
export const createReadEvent = ({
  call,
  isLiveKey,
}: {
  readonly call: CallStripe;
  readonly isLiveKey: boolean;
}) => {
  const ask = createAsk(call);
  const newsOf = (event: Event): Promise<News> => {
    // The key of this account sees nothing of a connected one.
    if (event.account !== undefined) return Promise.resolve(passedOver(event));
    if (event.livemode !== isLiveKey) return Promise.resolve(passedOver(event));
    if (event.type.startsWith('payment_intent.')) return aboutPayment(ask, event);
    if (/^(charge\.refund\.updated|refund\.(created|updated|failed))$/.test(event.type))
      return aboutRefund(ask, event);
    if (/^charge\.dispute\.(created|funds_withdrawn|funds_reinstated|closed)$/.test(event.type))
      return aboutDispute(ask, event);
    if (/^(setup_intent\.|payment_method\.(updated|automatically_updated|detached)$)/.test(event.type))
      return aboutStoredCard(ask, event);
    if (event.type === 'radar.early_fraud_warning.created') return aboutWarning(ask, event);
    return Promise.resolve(passedOver(event));
  };

  return {
    async readEvent({ body }: Delivery): Promise<readonly News[] | null> {
      const event = parse(body);
      return event && [await newsOf(event)];
    },
  };
};

/** Reads an object back; null where Stripe has none. */
const createAsk =
  (call: CallStripe) =>
  async <T>(work: (stripe: Stripe) => Promise<T>): Promise<T | null> => {
    const answer = await call(work as Parameters<typeof call<T>>[0]);
    return answer.status === 'done' ? answer.value : null;
  };
type Ask = ReturnType<typeof createAsk>;

const aboutPayment = async (ask: Ask, event: Event): Promise<News> => {
  const expand = ['latest_charge'];
  const intent = await ask((stripe) => stripe.paymentIntents.retrieve(event.data.object.id, { expand }));
  if (!intent) return unconfirmed(event);
  const reference = referenceOf(intent.metadata);
  const state = reference && paymentStateOf(intent);
  if (!reference || !state) return passedOver(event);
  const { amount, currency } = state.echo ?? moneyOf(intent.amount, intent.currency);
  return { id: event.id, livemode: true, kind: 'payment', reference, amount, currency, state };
};

const aboutRefund = async (ask: Ask, event: Event): Promise<News> => {
  const expand = ['payment_intent'];
  const refund = await ask((stripe) => stripe.refunds.retrieve(event.data.object.id, { expand }));
  if (!refund) return unconfirmed(event);
  if (paymentOf(refund.payment_intent) === null) return passedOver(event);
  return {
    id: event.id,
    livemode: true,
    kind: 'refund',
    // A refund that was made in Stripe's dashboard has no name here.
    reference: referenceOf(refund.metadata) ?? refund.id,
    ...moneyOf(refund.amount, refund.currency),
    state: refundStateOf(refund),
  };
};

const aboutDispute = async (ask: Ask, event: Event): Promise<News> => {
  const expand = ['payment_intent'];
  const dispute = await ask((stripe) => stripe.disputes.retrieve(event.data.object.id, { expand }));
  if (!dispute) return unconfirmed(event);
  const reference = paymentOf(dispute.payment_intent);
  const isBack = event.type === 'charge.dispute.funds_reinstated';
  const moves = dispute.balance_transactions.filter(({ amount }) =>
    isBack ? amount > 0 : amount < 0,
  ).length;
  // An inquiry moves no money, and a dispute that was prevented does not either.
  if (reference === null || moves === 0) return passedOver(event);
  const about = { livemode: true, reference, ...moneyOf(dispute.amount, dispute.currency) };
  if (event.type === 'charge.dispute.closed')
    // The money of one that is won comes with `funds_reinstated`.
    return dispute.status === 'lost'
      ? { ...about, id: `${dispute.id}/lost`, kind: 'dispute_lost', pspRefId: dispute.id }
      : passedOver(event);
  // Money may be withdrawn again after it was reinstated.
  const again = moves > 1 ? `/${moves}` : '';
  return isBack
    ? {
        ...about,
        id: `${dispute.id}/reinstated${again}`,
        kind: 'chargeback_reversed',
        pspRefId: `${dispute.id}${again}`,
      }
    : {
        ...about,
        id: `${dispute.id}/withdrawn${again}`,
        kind: 'chargeback',
        ...(moves > 1 ? { isAgain: true as const } : {}),
        pspRefId: `${dispute.id}${again}`,
      };
};

const aboutWarning = async (ask: Ask, event: Event): Promise<News> => {
  const expand = ['payment_intent'];
  const warning = await ask((stripe) =>
    stripe.radar.earlyFraudWarnings.retrieve(event.data.object.id, { expand }),
  );
  if (!warning) return unconfirmed(event);
  const intent = warning.payment_intent;
  const reference = paymentOf(intent);
  if (reference === null || !intent || typeof intent === 'string') return passedOver(event);
  const money = moneyOf(intent.amount, intent.currency);
  return { ...money, id: event.id, livemode: true, kind: 'fraud_warning', reference, pspRefId: warning.id };
};

/** The card of an event by our name for it, which Stripe has with the card or with its SetupIntent. */
const storedCardOf = async (ask: Ask, event: Event): Promise<Stored | null> => {
  const { id } = event.data.object;
  const expand = ['payment_method'];
  if (event.type.startsWith('setup_intent.')) {
    const setup = await ask((stripe) => stripe.setupIntents.retrieve(id, { expand }));
    return setup && { reference: referenceOf(setup.metadata), state: storedStateOf(setup) };
  }
  const method = await ask((stripe) => stripe.paymentMethods.retrieve(id));
  if (!method) return null;
  const own = referenceOf(method.metadata);
  if (own !== null) return { reference: own, state: storedStateOfMethod(method) };
  const setups = await ask((stripe) => stripe.setupIntents.list({ payment_method: id, limit: 1 }));
  return { reference: referenceOf(setups?.data[0]?.metadata ?? null), state: storedStateOfMethod(method) };
};

const aboutStoredCard = async (ask: Ask, event: Event): Promise<News> => {
  const stored = await storedCardOf(ask, event);
  if (!stored) return unconfirmed(event);
  const { reference, state } = stored;
  if (reference === null || state === null) return passedOver(event);
  return { id: event.id, livemode: true, kind: 'stored_card', reference, state };
};

const parse = (body: Buffer): Event | null => {
  try {
    const { error, value } = eventBody.validate(JSON.parse(body.toString('utf8')), { convert: false });
    return error ? null : value;
  } catch {
    return null;
  }
};

/** The charge behind an intent, null for an intent that this gateway never made. */
const paymentOf = (intent: Stripe.PaymentIntent | string | null | undefined): string | null =>
  intent && typeof intent !== 'string' ? referenceOf(intent.metadata) : null;

const unconfirmed = (event: Event): Unconfirmed => ({ kind: 'unconfirmed', id: event.id });

/** Other business of the same Stripe account, and what moves no money. */
const passedOver = ({ id, type }: Event): ProviderNotification => ({
  id,
  livemode: true,
  kind: 'other',
  type,
});
