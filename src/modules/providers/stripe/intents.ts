import type { Stripe } from 'stripe';
import type { Clock } from '../../../kernel/clock.ts';
import { timeOfId } from '../../../kernel/ids.ts';
import type { PaymentOrder, PaymentState, RefundRequest } from '../provider.ts';
import { stripeAmountOf } from './amounts.ts';
import { paymentStateOf, REFERENCE, referenceOf } from './answers.ts';
import { type CallStripe, done } from './stripe-client.ts';

/** Stripe keeps idempotency keys for 24 hours at least; an hour of it is left unused. */
const KEY_LIFE_MS = 23 * 3_600_000;
/** An object is found by Stripe's search within an hour, also while that lags behind (docs.stripe.com/search). */
const SEARCHED_AFTER_MS = 3_600_000;
/** An intent that was confirmed was made at most so long after its charge, and by clocks so far apart. */
const MADE_WITHIN_S = { before: 300, after: 1_800 };

export type IntentDeps = { readonly call: CallStripe; readonly clock: Clock };

const makeIntent = (call: CallStripe, amount: number, { reference, currency }: PaymentOrder) =>
  call((stripe) =>
    stripe.paymentIntents.create(
      {
        amount,
        currency: currency.toLowerCase(),
        allowed_payment_method_types: ['card'],
        metadata: { [REFERENCE]: reference },
        expand: ['latest_charge'],
      },
      { idempotencyKey: reference },
    ),
  );

export const readIntent = async (call: CallStripe, id: string): Promise<Stripe.PaymentIntent> =>
  done(await call((stripe) => stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] })));

/** The intent by its reference, which Stripe's search finds within the hour. */
const findSearched = async (call: CallStripe, reference: string): Promise<Stripe.PaymentIntent | null> => {
  const query = `metadata['${REFERENCE}']:'${reference}'`;
  const found = await call(async (stripe) => {
    const { data } = await stripe.paymentIntents.search({
      query,
      limit: 1,
      expand: ['data.latest_charge'],
    });
    return { intent: data.find((intent) => referenceOf(intent.metadata) === reference) ?? null };
  });
  // Some accounts cannot search; the list then tells.
  return found.status === 'done' ? found.value.intent : null;
};

/** Where the search finds nothing, the intents of the time when this one was made: a search may lag behind. */
const findListed = async (
  { call, clock }: IntentDeps,
  reference: string,
): Promise<Stripe.PaymentIntent | null> => {
  const age = clock().getTime() - timeOfId(reference).getTime();
  const searched = age > SEARCHED_AFTER_MS ? await findSearched(call, reference) : null;
  if (searched) return searched;
  const madeAt = Math.floor(timeOfId(reference).getTime() / 1_000);
  const created = { gte: madeAt - MADE_WITHIN_S.before, lt: madeAt + MADE_WITHIN_S.after };
  const found = await call(async (stripe) => {
    const list = stripe.paymentIntents.list({ created, limit: 100, expand: ['data.latest_charge'] });
    for await (const intent of list) if (referenceOf(intent.metadata) === reference) return { intent };
    return { intent: null };
  });
  return done(found).intent;
};

/** The intent of this order, made where there is none yet and may be one; or why there is none. */
export const openIntent = async (
  deps: IntentDeps,
  order: PaymentOrder,
): Promise<{ readonly intent: Stripe.PaymentIntent } | { readonly refusal: string }> => {
  const amount = stripeAmountOf(order);
  if (amount === null) return { refusal: 'amount_not_supported' };
  const age = deps.clock().getTime() - timeOfId(order.reference).getTime();
  const made = age < KEY_LIFE_MS ? await makeIntent(deps.call, amount, order) : null;
  if (made?.status === 'done')
    return { intent: made.isReplayed ? await readIntent(deps.call, made.value.id) : made.value };
  if (made?.status === 'refused') return { refusal: made.code };
  const intent = await findListed(deps, order.reference);
  return intent ? { intent } : { refusal: 'cancelled' };
};

/** Ends an intent for good; one that was paid meanwhile stays paid. */
export const endIntent = async (call: CallStripe, id: string): Promise<PaymentState> => {
  const ended = await call((stripe) => stripe.paymentIntents.cancel(id, { expand: ['latest_charge'] }));
  const state = paymentStateOf(ended.status === 'done' ? ended.value : await readIntent(call, id));
  if (!state) throw new Error('Stripe does not cancel a PaymentIntent');
  return state;
};

/** The intent by which a payment was made, null where there is none. */
export const intentIdOf = async (
  deps: IntentDeps,
  { paymentPspRefId, paymentReference }: Pick<RefundRequest, 'paymentPspRefId' | 'paymentReference'>,
): Promise<string | null> =>
  paymentPspRefId?.startsWith('pi_')
    ? paymentPspRefId
    : ((await findListed(deps, paymentReference))?.id ?? null);
