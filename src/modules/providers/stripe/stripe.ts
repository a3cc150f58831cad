import type { Stripe } from 'stripe';
import type { Clock } from '../../../kernel/clock.ts';
import { idProblem } from '../../../kernel/national-id.ts';
import type {
  AuthorizeRequest,
  Card,
  Delivery,
  Payer,
  PaymentProvider,
  StoredCard,
  TokenizedCard,
} from '../provider.ts';
import { neverMade, paymentStateOf, unsupported } from './answers.ts';
import { createReadEvent } from './events.ts';
import { submitEvidence } from './evidence.ts';
import { endIntent, intentIdOf, openIntent, readIntent } from './intents.ts';
import { describeRefund, refundPayment } from './refunds.ts';
import { type CallStripe, loadStripe } from './stripe-client.ts';
import { cardData, createVault, holderOf, tokenize } from './vault.ts';

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
  const confirm = createConfirm(deps);

  return {
    name: 'stripe',
    methods: ['credit_card'],
    cards: { maxInstallments: 1, wallets: false },

    tokenize: (request) => tokenize(call, request),

    vault: createVault(deps),

    async authorize(request) {
      const reason = unsupported(request);
      if (reason) return neverMade(request, reason);
      const opened = await openIntent(deps, request);
      if ('refusal' in opened) return neverMade(request, opened.refusal);
      const known = paymentStateOf(opened.intent);
      if (known) return known;
      const confirmed = await confirm(opened.intent.id, request);
      const isNew = confirmed.status === 'done' && !confirmed.isReplayed;
      const state = paymentStateOf(isNew ? confirmed.value : await readIntent(call, opened.intent.id));
      if (state) return state;
      // Nothing was confirmed, and nothing may be any more.
      const ended = await endIntent(call, opened.intent.id);
      return ended.status === 'failed' && confirmed.status === 'refused'
        ? { ...ended, failureReason: confirmed.code }
        : ended;
    },

    async describePayment(order) {
      const opened = await openIntent(deps, order);
      return 'intent' in opened ? paymentStateOf(opened.intent) : null;
    },

    async cancel(order) {
      const opened = await openIntent(deps, order);
      return 'intent' in opened ? endIntent(call, opened.intent.id) : neverMade(order, 'cancelled');
    },

    refund: (request) => refundPayment(deps, request),

    describeRefund: (request) => describeRefund(deps, request),

    async submitEvidence(request) {
      return submitEvidence(call, await intentIdOf(deps, request), request);
    },

    async verify(delivery) {
      const { webhooks } = await loadStripe();
      const at = deps.clock().getTime();
      return deps.webhookSecrets.some((secret) => isSigned(webhooks, delivery, secret, at));
    },

    notificationsIn: readEvent,
  };
};

/**
 * Where Stripe takes no tax number, it says so by this code. It takes one only between a seller outside Latin America
 * and a buyer in it (docs.stripe.com/changelog/basil/2025-04-30/add-tax-id-to-billing-details).
 */
const NO_TAX_ID = /^tax_id_(prohibited|invalid)$/;

/** Confirms an intent with the payer's tax number, and once more without it where Stripe does not want that. */
const createConfirm = (deps: { readonly call: CallStripe; readonly returnUrl: () => string }) => {
  let isProhibited = false;
  /** A stored card takes the number of whoever pays; an empty one takes it away again. */
  const nameTaxId = async ({ instrument }: AuthorizeRequest, taxId: string): Promise<void> => {
    if (instrument.type !== 'credit_card' || !('providerMethod' in instrument.card)) return;
    const { providerMethod } = instrument.card;
    const billing_details = { tax_id: taxId };
    await deps.call((stripe) => stripe.paymentMethods.update(providerMethod, { billing_details }));
  };
  return async (id: string, request: AuthorizeRequest) => {
    const taxId = isProhibited ? null : taxIdOf(request.payer);
    if (taxId !== null) await nameTaxId(request, taxId);
    const confirmed = await confirmIntent(deps, id, request, taxId);
    if (taxId === null || confirmed.status !== 'refused' || !NO_TAX_ID.test(confirmed.code)) return confirmed;
    isProhibited = confirmed.code === 'tax_id_prohibited';
    await nameTaxId(request, '');
    return confirmIntent(deps, id, request, null);
  };
};

const confirmIntent = async (
  { call, returnUrl: ownUrl }: { readonly call: CallStripe; readonly returnUrl: () => string },
  id: string,
  { reference, instrument, returnUrl, keep }: AuthorizeRequest,
  taxId: string | null,
) => {
  if (instrument.type !== 'credit_card' || 'cryptogram' in instrument.card)
    throw new Error('Stripe takes typed, tokenized and stored cards only');
  const { card } = instrument;
  // Afterwards and not when it is made, so that making it again is always the same request.
  const customer = keep ? await holderOf(call, keep.holder) : holderIn(card);
  // A stored card pays only for its own customer.
  if (customer !== null) await call((stripe) => stripe.paymentIntents.update(id, { customer }));
  return call((stripe) =>
    stripe.paymentIntents.confirm(
      id,
      {
        ...paidWith(card, taxId),
        ...(keep ? { setup_future_usage: 'off_session' as const } : {}),
        return_url: returnUrl ?? ownUrl(),
        expand: ['latest_charge'],
      },
      { idempotencyKey: `${reference}/confirm${taxId === null ? '' : '-with-tax-id'}` },
    ),
  );
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

/** The Customer of a stored card; null for any other one. */
const holderIn = (card: Card | TokenizedCard | StoredCard): string | null =>
  'providerMethod' in card ? card.providerCustomer : null;

/** The parameters by which a card pays; without its holder nobody can be asked to prove anything. */
const paidWith = (
  card: Card | TokenizedCard | StoredCard,
  taxId: string | null,
): Stripe.PaymentIntentConfirmParams => {
  if ('providerToken' in card) return { payment_method: card.providerToken };
  if ('providerMethod' in card)
    return {
      payment_method: card.providerMethod,
      off_session: card.initiator === 'merchant',
      ...(card.codeToken && { payment_method_options: { card: { cvc_token: card.codeToken } } }),
    };
  return { payment_method_data: cardData(card, taxId) as PaymentMethodData };
};

/** The package's type leaves out the card, which the API takes from accounts that may send card numbers. */
type PaymentMethodData = Stripe.PaymentIntentConfirmParams.PaymentMethodData;

const TAX_IDS = ['cpf', 'cnpj', 'cuit', 'cuil'];

/** The payer's tax number, which banks of Latin America want to know; null where the document is none. */
const taxIdOf = ({ document }: Payer): string | null =>
  document && TAX_IDS.includes(document.type) && idProblem(document.type, document.id) === null
    ? document.id
    : null;
