import { CARDS, invalid, missing, type Params, StripeProblem } from './stripe-rules.ts';

type Metadata = Readonly<Record<string, string>>;
export type PaymentMethod = {
  readonly id: string;
  readonly object: 'payment_method';
  billing_details: unknown;
  readonly behaviour: (typeof CARDS)[string];
  readonly card: { readonly last4: string; exp_month: number; exp_year: number };
  metadata: Metadata;
  customer: string | null;
  /** The intent that has used the method, where it belongs to no customer and so pays only once. */
  usedBy: string | null;
};
type Customer = { readonly id: string; readonly object: 'customer'; readonly metadata: Metadata };
export type SetupIntent = {
  readonly id: string;
  readonly object: 'setup_intent';
  readonly customer: string;
  readonly usage: string;
  readonly metadata: Metadata;
  status: string;
  payment_method: PaymentMethod | null;
  last_setup_error: object | null;
  next_action: object | null;
};

const named = <T>(map: ReadonlyMap<string, T>, id: unknown, what: string): T => {
  const found = map.get(String(id));
  if (!found) throw missing(what);
  return found;
};

/** Cards, customers and SetupIntents of Stripe's double (docs.stripe.com/payments/save-and-reuse). */
export const createStripeCards = (given: {
  readonly newId: (prefix: string) => string;
  readonly takesRawCards: () => boolean;
}) => {
  const methods = new Map<string, PaymentMethod>();
  const customers = new Map<string, Customer>();
  const setups = new Map<string, SetupIntent>();
  /** Security codes by their tokens, each of which pays once. */
  const codes = new Map<string, string>();

  const readMethod = (method: Params, param: string): PaymentMethod => {
    const card = (method.card ?? {}) as Record<string, string>;
    const { number, exp_month: month, exp_year: year, cvc } = card;
    if (method.type !== 'card' || !number || !month || !year || !cvc)
      throw invalid('parameter_missing', param);
    // Stripe answers an account that may not send card numbers with an error without a code.
    if (!given.takesRawCards()) throw new StripeProblem(402, { type: 'invalid_request_error' });
    const behaviour = CARDS[number];
    if (behaviour === undefined)
      throw new StripeProblem(402, { type: 'card_error', code: 'incorrect_number' });
    return {
      id: given.newId('pm'),
      object: 'payment_method',
      billing_details: method.billing_details,
      behaviour,
      card: { last4: number.slice(-4), exp_month: Number(month), exp_year: Number(year) },
      metadata: {},
      customer: null,
      usedBy: null,
    };
  };

  const succeed = (setup: SetupIntent, method: PaymentMethod): void => {
    method.customer = setup.customer;
    Object.assign(setup, { status: 'succeeded', payment_method: method, next_action: null });
  };

  const confirmSetup = (setup: SetupIntent, { payment_method: id, return_url: url }: Params): SetupIntent => {
    if (!['requires_payment_method', 'requires_action'].includes(setup.status))
      throw invalid('setup_intent_unexpected_state');
    const method = named(methods, id, 'PaymentMethod');
    if (method.usedBy !== null || method.customer !== null) throw invalid('payment_method_unexpected_state');
    method.usedBy = setup.id;
    const { behaviour } = method;
    if (behaviour === '3ds') {
      if (typeof url !== 'string') throw invalid('parameter_missing', 'return_url');
      const page = `https://hooks.stripe.test/3d_secure_2/${setup.id}`;
      setup.status = 'requires_action';
      setup.payment_method = method;
      setup.next_action = { type: 'redirect_to_url', redirect_to_url: { url: page, return_url: url } };
      return setup;
    }
    if (behaviour === null || behaviour?.unattended) {
      succeed(setup, method);
      return setup;
    }
    setup.last_setup_error = { type: 'card_error', ...behaviour };
    throw new StripeProblem(402, { type: 'card_error', ...behaviour });
  };

  return {
    methods,
    setups,
    customers,
    readMethod,

    /** A method without a customer pays once (docs.stripe.com/payments/payment-methods). */
    createMethod(params: Params): PaymentMethod {
      const method = readMethod(params, 'card');
      methods.set(method.id, method);
      return method;
    },
    /** A token of a security code without its card (docs.stripe.com/api/tokens/create_cvc_update). */
    createCodeToken(params: Params): { readonly id: string; readonly object: 'token' } {
      const { cvc } = (params.cvc_update ?? {}) as Record<string, string>;
      if (!cvc || !/^\d{3,4}$/.test(cvc))
        throw new StripeProblem(402, { type: 'card_error', code: 'invalid_cvc' });
      const id = given.newId('cvctok');
      codes.set(id, cvc);
      return { id, object: 'token' };
    },
    /** The refusal of a payment whose code is wrong, which `000` always is; null for any other code. */
    codeBehaviour(params: Params): { readonly code: string } | null {
      const { card = {} } = (params.payment_method_options ?? {}) as { readonly card?: Params };
      const { cvc_token: token } = card as Record<string, string>;
      if (token === undefined) return null;
      const cvc = named(codes, token, 'token');
      codes.delete(token);
      return /^0+$/.test(cvc) ? { code: 'incorrect_cvc' } : null;
    },
    readMethodNamed: (id: string | undefined): PaymentMethod => named(methods, id, 'PaymentMethod'),
    nameMethod(id: string | undefined, { metadata, billing_details: billing = {} }: Params): PaymentMethod {
      const method = named(methods, id, 'PaymentMethod');
      // Docs: a method has to belong to a customer before it can be changed.
      if (method.customer === null) throw invalid('payment_method_not_attached');
      if (metadata) method.metadata = metadata as Metadata;
      method.billing_details = { ...(method.billing_details as object), ...(billing as object) };
      return method;
    },
    /** Keeps a card that was used in a payment. */
    keep(method: PaymentMethod, customer: string): void {
      methods.set(method.id, method);
      method.customer = customer;
    },
    detach(id: string | undefined): PaymentMethod {
      const method = named(methods, id, 'PaymentMethod');
      if (method.customer === null) throw invalid('payment_method_not_attached');
      method.customer = null;
      return method;
    },
    createCustomer({ metadata = {} }: Params): Customer {
      const customer: Customer = {
        id: given.newId('cus'),
        object: 'customer',
        metadata: metadata as Metadata,
      };
      customers.set(customer.id, customer);
      return customer;
    },
    createSetup({ customer, usage, metadata = {} }: Params): SetupIntent {
      const setup: SetupIntent = {
        id: given.newId('seti'),
        object: 'setup_intent',
        customer: named(customers, customer, 'customer').id,
        usage: String(usage),
        metadata: metadata as Metadata,
        status: 'requires_payment_method',
        payment_method: null,
        last_setup_error: null,
        next_action: null,
      };
      setups.set(setup.id, setup);
      return setup;
    },
    readSetup: (id: string | undefined): SetupIntent => named(setups, id, 'setup_intent'),
    confirmSetup: (id: string | undefined, params: Params): SetupIntent =>
      confirmSetup(named(setups, id, 'setup_intent'), params),
    cancelSetup(id: string | undefined): SetupIntent {
      const setup = named(setups, id, 'setup_intent');
      if (setup.status === 'succeeded' || setup.status === 'canceled')
        throw invalid('setup_intent_unexpected_state');
      return Object.assign(setup, { status: 'canceled', next_action: null });
    },
    listSetups: ({ customer, payment_method: method }: Params): readonly SetupIntent[] =>
      [...setups.values()]
        .filter((one) => customer === undefined || one.customer === customer)
        .filter((one) => method === undefined || one.payment_method?.id === method)
        .reverse(),
    setupOf(reference: string): SetupIntent {
      const found = [...setups.values()].find(({ metadata }) => Object.values(metadata).includes(reference));
      if (!found) throw new Error(`Stripe has no SetupIntent of ${reference}`);
      return found;
    },
    /** Lets the holder authenticate, or fail to. */
    authenticateSetup(setup: SetupIntent, succeeds = true): void {
      const method = setup.payment_method;
      if (setup.status !== 'requires_action' || !method) throw new Error(`the setup is ${setup.status}`);
      if (succeeds) succeed(setup, method);
      else
        Object.assign(setup, {
          status: 'requires_payment_method',
          payment_method: null,
          next_action: null,
          last_setup_error: { code: 'setup_intent_authentication_failure' },
        });
    },
  };
};
