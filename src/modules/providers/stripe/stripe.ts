import type { Stripe } from 'stripe';
import type { Clock } from '../../../kernel/clock.ts';
import { timeOfId } from '../../../kernel/ids.ts';
import { idProblem } from '../../../kernel/national-id.ts';
import type {
  AuthorizeRequest,
  Card,
  Delivery,
  PaymentOrder,
  PaymentProvider,
  PaymentState,
  RefundRequest,
  RefundState,
  StoredCard,
  TokenizedCard,
} from '../provider.ts';
import { moneyOf, stripeAmountOf } from './amounts.ts';
import { neverMade, paymentStateOf, REFERENCE, referenceOf, refundStateOf, unsupported } from './answers.ts';
import { createReadEvent } from './events.ts';
import { submitEvidence } from './evidence.ts';
import { type CallStripe, loadStripe, type StripeAnswer } from './stripe-client.ts';
import { cardData, createVault, holderOf } from './vault.ts';

/** Stripe keeps idempotency keys for 24 hours at least; an hour of it is left unused. */
const KEY_LIFE_MS = 23 * 3_600_000;
/** An object is found by Stripe's search within an hour, also while that lags behind (docs.stripe.com/search). */
const SEARCHED_AFTER_MS = 3_600_000;
/** An intent that was confirmed was made at most so long after its charge, and by clocks so far apart. */
const MADE_WITHIN_S = { before: 300, after: 1_800 };
/** Age of a signed delivery in seconds. */
const TOLERANCE_S = 300;

/**
 * Card payments through Stripe. A PaymentIntent without a card is made with the charge's id as idempotency key, then
 * confirmed with the card. Making the intent again gives the same one, and a cancelled one takes no card.
 */
export const createStripe = (deps: {
  readonly call: CallStripe;
  readonly clock: Clock;
  /** Whether the key moves real money; events of the other mode are not for it. */
  readonly isLiveKey: boolean;
  /** Signing secrets of the webhook endpoint; several while one is replaced. */
  readonly webhookSecrets: readonly string[];
  /** Where payers come back to from their bank by default. */
  readonly returnUrl: () => string;
}): PaymentProvider => {
  const { call } = deps;
  const { readEvent } = createReadEvent(deps);

  const makeIntent = (amount: number, { reference, currency }: PaymentOrder) =>
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

  const readIntent = async (id: string): Promise<Stripe.PaymentIntent> =>
    done(await call((stripe) => stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] })));

  /** The intent by its reference, which Stripe's search finds within the hour. */
  const findSearched = async (reference: string): Promise<Stripe.PaymentIntent | null> => {
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
  const findListed = async (reference: string): Promise<Stripe.PaymentIntent | null> => {
    const age = deps.clock().getTime() - timeOfId(reference).getTime();
    const searched = age > SEARCHED_AFTER_MS ? await findSearched(reference) : null;
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
  const openIntent = async (
    order: PaymentOrder,
  ): Promise<{ readonly intent: Stripe.PaymentIntent } | { readonly refusal: string }> => {
    const amount = stripeAmountOf(order);
    if (amount === null) return { refusal: 'amount_not_supported' };
    const age = deps.clock().getTime() - timeOfId(order.reference).getTime();
    const made = age < KEY_LIFE_MS ? await makeIntent(amount, order) : null;
    if (made?.status === 'done')
      return { intent: made.isReplayed ? await readIntent(made.value.id) : made.value };
    if (made?.status === 'refused') return { refusal: made.code };
    const intent = await findListed(order.reference);
    return intent ? { intent } : { refusal: 'cancelled' };
  };

  const confirm = async (id: string, { reference, instrument, payer, returnUrl, keep }: AuthorizeRequest) => {
    if (instrument.type !== 'credit_card' || 'cryptogram' in instrument.card)
      throw new Error('Stripe takes typed, tokenized and stored cards only');
    const { card } = instrument;
    // Afterwards and not when it is made, so that making it again is always the same request.
    const customer = keep ? await holderOf(call, keep.holder) : holderIn(card);
    if (customer !== null) await assign(id, customer);
    return call((stripe) =>
      stripe.paymentIntents.confirm(
        id,
        {
          ...paidWith(card, payer),
          ...(keep ? { setup_future_usage: 'off_session' as const } : {}),
          return_url: returnUrl ?? deps.returnUrl(),
          expand: ['latest_charge'],
        },
        { idempotencyKey: `${reference}/confirm` },
      ),
    );
  };

  /** A stored card pays only for its own customer. */
  const assign = (id: string, customer: string) =>
    call((stripe) => stripe.paymentIntents.update(id, { customer }));

  /** Ends an intent for good; one that was paid meanwhile stays paid. */
  const end = async (id: string): Promise<PaymentState> => {
    const ended = await call((stripe) => stripe.paymentIntents.cancel(id, { expand: ['latest_charge'] }));
    const state = paymentStateOf(ended.status === 'done' ? ended.value : await readIntent(id));
    if (!state) throw new Error('Stripe does not cancel a PaymentIntent');
    return state;
  };

  /** The intent by which a payment was made, null where there is none. */
  const intentIdOf = async ({
    paymentPspRefId,
    paymentReference,
  }: Pick<RefundRequest, 'paymentPspRefId' | 'paymentReference'>): Promise<string | null> =>
    paymentPspRefId?.startsWith('pi_') ? paymentPspRefId : ((await findListed(paymentReference))?.id ?? null);

  const findRefund = async (intentId: string, request: RefundRequest): Promise<RefundState | null> => {
    const found = await call(async (stripe) => {
      for await (const refund of stripe.refunds.list({ payment_intent: intentId, limit: 100 }))
        if (referenceOf(refund.metadata) === request.reference) return { refund };
      return { refund: null };
    });
    const { refund } = done(found);
    return refund && refundOf(refund, request);
  };

  return {
    name: 'stripe',
    methods: ['credit_card'],
    cards: { maxInstallments: 1, wallets: false },

    vault: createVault(deps),

    async authorize(request) {
      const reason = unsupported(request);
      if (reason) return neverMade(request, reason);
      const opened = await openIntent(request);
      if ('refusal' in opened) return neverMade(request, opened.refusal);
      const known = paymentStateOf(opened.intent);
      if (known) return known;
      const confirmed = await confirm(opened.intent.id, request);
      const isNew = confirmed.status === 'done' && !confirmed.isReplayed;
      const state = paymentStateOf(isNew ? confirmed.value : await readIntent(opened.intent.id));
      if (state) return state;
      // Nothing was confirmed, and nothing may be any more.
      const ended = await end(opened.intent.id);
      return ended.status === 'failed' && confirmed.status === 'refused'
        ? { ...ended, failureReason: confirmed.code }
        : ended;
    },

    async describePayment(order) {
      const opened = await openIntent(order);
      return 'intent' in opened ? paymentStateOf(opened.intent) : null;
    },

    async cancel(order) {
      const opened = await openIntent(order);
      return 'intent' in opened ? end(opened.intent.id) : neverMade(order, 'cancelled');
    },

    async refund(request) {
      const intentId = await intentIdOf(request);
      if (intentId === null) return refusedRefund('payment_not_paid');
      const amount = stripeAmountOf(request);
      if (amount === null) return refusedRefund('amount_not_supported');
      const { reference } = request;
      const made = await call((stripe) =>
        stripe.refunds.create(
          { payment_intent: intentId, amount, metadata: { [REFERENCE]: reference } },
          { idempotencyKey: reference },
        ),
      );
      if (made.status === 'done') return refundOf(made.value, request);
      const code = made.status === 'refused' ? made.code : 'processing_error';
      return (await findRefund(intentId, request)) ?? refusedRefund(code);
    },

    async describeRefund(request) {
      const intentId = await intentIdOf(request);
      return intentId === null ? null : findRefund(intentId, request);
    },

    async submitEvidence(request) {
      return submitEvidence(call, await intentIdOf(request), request);
    },

    async verify(delivery) {
      const { webhooks } = await loadStripe();
      const at = deps.clock().getTime();
      return deps.webhookSecrets.some((secret) => isSigned(webhooks, delivery, secret, at));
    },

    notificationsIn: readEvent,
  };
};

/** Uses the package's own verification: the signature over time and body, and a time of the last minutes. */
const isSigned = (
  webhooks: Stripe['webhooks'],
  { headers, body }: Delivery,
  secret: string,
  at: number,
): boolean => {
  const header = headers['stripe-signature'];
  try {
    webhooks.signature?.verifyHeader(
      body.toString('utf8'),
      typeof header === 'string' ? header : '',
      secret,
      TOLERANCE_S,
      undefined,
      at,
    );
    return webhooks.signature !== null;
  } catch {
    return false;
  }
};

const done = <T>(answer: StripeAnswer<T>): T => {
  if (answer.status !== 'done') throw new Error(`Stripe does not read: ${answer.status}`);
  return answer.value;
};

/** Throws for a refund of another amount. */
const refundOf = (refund: Stripe.Refund, { amount, currency }: RefundRequest): RefundState => {
  const given = moneyOf(refund.amount, refund.currency);
  if (given.amount !== amount || given.currency !== currency)
    throw new Error(`Stripe gave back ${given.amount} ${given.currency} where ${amount} was asked for`);
  return refundStateOf(refund);
};

const refusedRefund = (reason: string): RefundState => ({ status: 'refused', reason, pspRefundRefId: null });

/** The Customer of a stored card; null for any other one. */
const holderIn = (card: Card | TokenizedCard | StoredCard): string | null =>
  'providerMethod' in card ? card.providerCustomer : null;

/** The parameters by which a card pays; without its holder nobody can be asked to prove anything. */
const paidWith = (
  card: Card | TokenizedCard | StoredCard,
  payer: AuthorizeRequest['payer'],
): Stripe.PaymentIntentConfirmParams => {
  if ('providerToken' in card) return { payment_method: card.providerToken };
  if ('providerMethod' in card)
    return {
      payment_method: card.providerMethod,
      off_session: card.initiator === 'merchant',
      ...(card.codeToken && { payment_method_options: { card: { cvc_token: card.codeToken } } }),
    };
  return { payment_method_data: cardData(card, taxIdOf(payer)) as PaymentMethodData };
};

/** The package's type leaves out the card, which the API takes from accounts that may send card numbers. */
type PaymentMethodData = Stripe.PaymentIntentConfirmParams.PaymentMethodData;

const TAX_IDS = ['cpf', 'cnpj', 'cuit', 'cuil'];

/** The payer's tax number, which Stripe passes on for cards of Latin America; null where the document is none. */
const taxIdOf = (payer: AuthorizeRequest['payer']): string | null =>
  payer && TAX_IDS.includes(payer.document.type) && idProblem(payer.document.type, payer.document.id) === null
    ? payer.document.id
    : null;
