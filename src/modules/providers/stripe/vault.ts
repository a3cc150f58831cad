import type { Stripe } from 'stripe';
import type { Card, CardVault, StoredOrder, StoredState, Tokenized, TokenizeRequest } from '../provider.ts';
import { UnknownStatus } from '../provider.ts';
import { REFERENCE, referenceOf } from './answers.ts';
import { type CallStripe, done, INVALID_REQUEST } from './stripe-client.ts';

/** The Customer of a holder, made where there is none yet. Stripe learns nothing of the holder but an id. */
export const holderOf = async (
  call: CallStripe,
  { reference, providerCustomer }: StoredOrder['holder'],
): Promise<string> => {
  if (providerCustomer !== null) return providerCustomer;
  const metadata = { [REFERENCE]: reference };
  const made = await call((stripe) => stripe.customers.create({ metadata }, { idempotencyKey: reference }));
  return done(made).id;
};

/** Keeps a card for one payment. */
export const tokenize = async (
  call: CallStripe,
  { reference, card }: TokenizeRequest,
): Promise<Tokenized> => {
  const made = await call((stripe) =>
    stripe.paymentMethods.create(cardData(card, null), { idempotencyKey: reference }),
  );
  if (made.status === 'done') return { status: 'tokenized', providerToken: made.value.id };
  if (made.status !== 'refused') return { status: 'refused', reason: 'processing_error' };
  // An error without a code: this account may not send card numbers.
  if (made.code === INVALID_REQUEST) return { status: 'not_supported' };
  return { status: 'refused', reason: made.code };
};

/**
 * Cards that Stripe keeps. For later payments a card is a PaymentMethod of a Customer, which a SetupIntent has checked
 * for use without its holder, or a payment has (docs.stripe.com/payments/save-and-reuse).
 */
export const createVault = ({
  call,
  returnUrl,
}: {
  readonly call: CallStripe;
  readonly returnUrl: () => string;
}): CardVault => {
  return {
    async tokenizeCode({ reference, code }) {
      const made = await call((stripe) =>
        stripe.tokens.create({ cvc_update: { cvc: code } }, { idempotencyKey: reference }),
      );
      if (made.status === 'done') return { status: 'tokenized', providerToken: made.value.id };
      if (made.status === 'refused' && made.code === INVALID_REQUEST) return { status: 'not_supported' };
      return { status: 'refused', reason: made.status === 'refused' ? made.code : 'processing_error' };
    },

    async store(request) {
      const opened = await openSetup(call, request);
      const known = storedStateOf(opened);
      if (known) return known;
      const confirmed = await call((stripe) =>
        stripe.setupIntents.confirm(
          opened.id,
          { payment_method: request.card.providerToken, return_url: request.returnUrl ?? returnUrl() },
          { idempotencyKey: `${request.reference}/confirm` },
        ),
      );
      const state = storedStateOf(await readSetup(call, opened.id));
      if (state) return state;
      const reason = confirmed.status === 'refused' ? confirmed.code : 'processing_error';
      return { ...NOTHING_STORED, failureReason: reason };
    },

    async describeStored({ reference, holder, payment }) {
      if (payment !== null) return withPayment(call, payment, reference);
      const setup = await findSetup(call, await holderOf(call, holder), reference);
      return setup && storedStateOf(setup);
    },

    async revoke(order) {
      // Made where there is none yet, so that a call that is still on its way finds it cancelled.
      const setup = order.payment === null ? await openSetup(call, order) : null;
      const method = setup ? methodIn(setup) : (await cardOfPayment(call, order.payment ?? '')).method;
      // A refusal says that it is done already: what Stripe shows then counts.
      if (method !== null) await call((stripe) => stripe.paymentMethods.detach(method));
      else if (setup) await call((stripe) => stripe.setupIntents.cancel(setup.id));
      const state = setup
        ? storedStateOf(await readSetup(call, setup.id))
        : await stateOfMethod(call, method);
      if (state === null || state.status === 'active' || state.status === 'pending')
        throw new Error('Stripe does not forget a card');
      return state;
    },
  };
};

const readSetup = async (call: CallStripe, id: string): Promise<Stripe.SetupIntent> =>
  done(await call((stripe) => stripe.setupIntents.retrieve(id, { expand: ['payment_method'] })));

const findSetup = async (
  call: CallStripe,
  customer: string,
  reference: string,
): Promise<Stripe.SetupIntent | null> => {
  const found = await call(async (stripe) => {
    const list = stripe.setupIntents.list({ customer, limit: 100, expand: ['data.payment_method'] });
    for await (const setup of list) if (referenceOf(setup.metadata) === reference) return { setup };
    return { setup: null };
  });
  return done(found).setup;
};

/** The SetupIntent of this order, made where there is none. */
const openSetup = async (
  call: CallStripe,
  { reference, holder }: Pick<StoredOrder, 'reference' | 'holder'>,
): Promise<Stripe.SetupIntent> => {
  const customer = await holderOf(call, holder);
  const made = await call((stripe) =>
    stripe.setupIntents.create(
      {
        customer,
        usage: 'off_session',
        allowed_payment_method_types: ['card'],
        metadata: { [REFERENCE]: reference },
      },
      { idempotencyKey: reference },
    ),
  );
  if (made.status === 'done') return made.isReplayed ? readSetup(call, made.value.id) : made.value;
  const known = await findSetup(call, customer, reference);
  if (!known) throw new Error(`Stripe makes no SetupIntent: ${made.status}`);
  return known;
};

const stateOfMethod = async (call: CallStripe, id: string | null): Promise<StoredState> => {
  if (id === null) return { ...NOTHING_STORED, failureReason: 'not_stored' };
  return storedStateOfMethod(done(await call((stripe) => stripe.paymentMethods.retrieve(id))));
};

/** The card that a payment was made with, null where that has kept none, and what its network calls that payment. */
const cardOfPayment = async (
  call: CallStripe,
  payment: string,
): Promise<{ readonly method: string | null; readonly networkTransactionId: string | null }> => {
  const expand = { expand: ['latest_charge'] };
  const intent = done(await call((stripe) => stripe.paymentIntents.retrieve(payment, expand)));
  return { method: idOf(intent.payment_method), networkTransactionId: networkTransactionOf(intent) };
};

/** A card that was kept with its payment. It is told our name for it, by which later news are known. */
const withPayment = async (call: CallStripe, payment: string, reference: string): Promise<StoredState> => {
  const { method, networkTransactionId } = await cardOfPayment(call, payment);
  if (method !== null)
    done(
      await call((stripe) => stripe.paymentMethods.update(method, { metadata: { [REFERENCE]: reference } })),
    );
  return { ...(await stateOfMethod(call, method)), networkTransactionId };
};

const NOTHING_STORED = {
  status: 'failed',
  failureReason: null,
  authenticationUrl: null,
  providerMethod: null,
  providerCustomer: null,
  networkTransactionId: null,
  card: null,
} as const satisfies StoredState;

/** The state of a stored card; null for a SetupIntent that was made and never confirmed with a card. */
export const storedStateOf = (setup: Stripe.SetupIntent): StoredState | null => {
  const state = { ...NOTHING_STORED, providerCustomer: idOf(setup.customer) };
  switch (setup.status) {
    case 'succeeded':
      return stateOfStored(setup);
    case 'processing':
      return { ...state, status: 'pending' };
    case 'requires_action':
      return {
        ...state,
        status: 'pending',
        authenticationUrl: setup.next_action?.redirect_to_url?.url ?? null,
      };
    case 'requires_payment_method':
    case 'requires_confirmation':
      return setup.last_setup_error ? { ...state, failureReason: reasonOf(setup.last_setup_error) } : null;
    case 'canceled':
      return {
        ...state,
        failureReason: setup.last_setup_error ? reasonOf(setup.last_setup_error) : 'cancelled',
      };
    default:
      throw new UnknownStatus('Stripe', setup.status, 'a SetupIntent');
  }
};

/** A customer stays known where its card is detached. */
const stateOfStored = ({ payment_method: method, customer }: Stripe.SetupIntent): StoredState => {
  if (method === null || typeof method === 'string') throw new Error('Stripe does not show a stored card');
  return { ...storedStateOfMethod(method), providerCustomer: idOf(customer) };
};

/** A method that belongs to no customer any more can never be charged again. */
export const storedStateOfMethod = ({ id, customer, card }: Stripe.PaymentMethod): StoredState => ({
  ...NOTHING_STORED,
  status: customer === null ? 'revoked' : 'active',
  providerMethod: id,
  providerCustomer: idOf(customer),
  card: card
    ? {
        lastFour: card.last4,
        expirationMonth: String(card.exp_month).padStart(2, '0'),
        expirationYear: String(card.exp_year),
      }
    : null,
});

const methodIn = ({ status, payment_method: method }: Stripe.SetupIntent): string | null =>
  status === 'succeeded' ? idOf(method) : null;

const reasonOf = ({ code, decline_code: declined }: Stripe.SetupIntent.LastSetupError): string =>
  (declined && declined !== 'generic_decline' ? declined : code) ?? 'card_declined';

const idOf = (object: string | { readonly id: string } | null): string | null =>
  object === null || typeof object === 'string' ? object : object.id;

/** The network's identifier of a payment, which tells it about later ones that nobody is there for. */
const networkTransactionOf = ({ latest_charge: charge }: Stripe.PaymentIntent): string | null =>
  typeof charge === 'object' ? (charge?.payment_method_details?.card?.network_transaction_id ?? null) : null;

/** A card as Stripe takes it, alone or along with a payment. */
export const cardData = (card: Card, taxId: string | null): Stripe.PaymentMethodCreateParams => ({
  type: 'card',
  card: {
    number: card.number,
    cvc: card.cvv,
    exp_month: Number(card.expirationMonth),
    exp_year: Number(card.expirationYear),
  },
  billing_details: { name: card.holderName, ...(taxId === null ? {} : { tax_id: taxId }) },
});
