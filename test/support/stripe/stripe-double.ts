import { createHmac, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import type { Delivery } from '../../../src/modules/providers/provider.ts';
import { exchange, listenAsDouble, type Trouble } from '../doubles/exchange.ts';
import { createStripeCards, type PaymentMethod } from './stripe-cards.ts';
import {
  amountIn,
  type CARDS,
  EVIDENCE_FILES,
  invalid,
  MAX_EVIDENCE_BYTES,
  missing,
  OPERATIONS,
  type OperationName,
  type Params,
  readForm,
  readParts,
  StripeProblem,
} from './stripe-rules.ts';

/** `failed` is Stripe's own fault, which it remembers under the idempotency key. */
type StripeTrouble = Trouble | 'failed';

type Metadata = Readonly<Record<string, string>>;
type Charge = {
  readonly id: string;
  readonly object: 'charge';
  readonly created: number;
  readonly amount: number;
  readonly payment_method_details: { readonly card: { readonly network_transaction_id: string } };
};
type Intent = {
  readonly id: string;
  readonly object: 'payment_intent';
  readonly amount: number;
  readonly currency: string;
  readonly created: number;
  readonly livemode: boolean;
  readonly metadata: Metadata;
  readonly customer?: string;
  payment_method: PaymentMethod | null;
  /** Whether its card is kept once the payment is paid. */
  keeps: boolean;
  status: string;
  amount_received: number;
  latest_charge: Charge | null;
  last_payment_error: object | null;
  next_action: {
    readonly type: string;
    readonly redirect_to_url: { url: string; return_url: string };
  } | null;
};
type Refund = {
  readonly id: string;
  readonly object: 'refund';
  readonly amount: number;
  readonly currency: string;
  readonly payment_intent: Intent;
  readonly metadata: Metadata;
  status: string;
  failure_reason?: string;
};
type Dispute = {
  readonly id: string;
  readonly object: 'dispute';
  readonly amount: number;
  readonly currency: string;
  readonly payment_intent: Intent;
  /** Withdrawals and reinstatements, in the smallest unit of the account's currency. */
  readonly balance_transactions: { readonly amount: number }[];
  status: string;
  metadata: Metadata;
  /** Ids of files, by the field of evidence. */
  evidence: Readonly<Record<string, string>>;
};
type UploadedFile = {
  readonly id: string;
  readonly object: 'file';
  readonly purpose: string;
  readonly filename: string;
  readonly type: string;
  readonly content: string;
};
type Warning = { readonly id: string; readonly object: string; readonly payment_intent: Intent };
type Answer = { readonly status: number; readonly body: unknown };
type Kept = { readonly request: string; readonly at: number; answer: Answer | null };

const KEY_LIFE_MS = 24 * 3_600_000;

export type StripeDouble = Awaited<ReturnType<typeof startStripeDouble>>;

/**
 * Stripe's API for cards on a real socket, strict and stateful. It has idempotency keys that last a day, known
 * parameters, refunds up to the payment, disputes and signed events. Amounts have the decimals of their currency.
 */
export const startStripeDouble = async (clock: () => Date = () => new Date(), givenPort = 0) => {
  const secretKey = `sk_test_${randomBytes(16).toString('hex')}`;
  const webhookSecret = `whsec_${randomBytes(16).toString('hex')}`;
  const intents = new Map<string, Intent>();
  const refunds = new Map<string, Refund>();
  const disputes = new Map<string, Dispute>();
  const files = new Map<string, UploadedFile>();
  const warnings = new Map<string, Warning>();
  const keys = new Map<string, Kept>();
  const callsMade: string[] = [];
  const transcript: string[] = [];
  let trouble: (call: string) => StripeTrouble | null = () => null;
  let newRefund = 'succeeded';
  let takesRawCards = true;
  let takesTaxIds = true;

  const newId = (prefix: string): string => `${prefix}_${randomBytes(12).toString('hex')}`;
  const seconds = (): number => Math.floor(clock().getTime() / 1_000);
  const named = <T>(map: ReadonlyMap<string, T>, id: string | undefined, what: string): T => {
    const found = map.get(id ?? '');
    if (!found) throw missing(what);
    return found;
  };

  const cards = createStripeCards({ newId, takesRawCards: () => takesRawCards });

  const createIntent = (params: Params): Intent => {
    const currency = String(params.currency);
    if (!/^[a-z]{3}$/.test(currency)) throw invalid('invalid_currency', 'currency');
    const intent: Intent = {
      id: newId('pi'),
      object: 'payment_intent',
      amount: amountIn(params.amount, currency),
      currency,
      created: seconds(),
      livemode: false,
      metadata: (params.metadata ?? {}) as Metadata,
      status: 'requires_payment_method',
      amount_received: 0,
      latest_charge: null,
      last_payment_error: null,
      next_action: null,
      payment_method: null,
      keeps: false,
    };
    intents.set(intent.id, intent);
    return intent;
  };

  const succeed = (intent: Intent): void => {
    if (intent.keeps && intent.payment_method && intent.customer)
      cards.keep(intent.payment_method, intent.customer);
    const charge: Charge = {
      ...{ id: newId('ch'), object: 'charge', created: seconds(), amount: intent.amount },
      payment_method_details: { card: { network_transaction_id: newId('nti') } },
    };
    Object.assign(intent, {
      status: 'succeeded',
      amount_received: intent.amount,
      latest_charge: charge,
      last_payment_error: null,
      next_action: null,
    });
  };
  const decline = (intent: Intent, error: object): void => {
    Object.assign(intent, {
      status: 'requires_payment_method',
      last_payment_error: { type: 'card_error', ...error },
      next_action: null,
    });
  };

  /** The billing details in the last confirmation of each intent. */
  const billingDetails = new Map<string, unknown>();

  /**
   * A card that the bank wants to be authenticated is declined without its holder
   * (docs.stripe.com/payments/without-card-authentication).
   */
  const behaviourOf = ({ behaviour }: PaymentMethod, isAlone: boolean): (typeof CARDS)[string] => {
    if (behaviour === '3ds' && isAlone) return { code: 'authentication_required' };
    return typeof behaviour === 'object' && behaviour?.unattended && !isAlone ? null : behaviour;
  };

  const confirmIntent = (intent: Intent, params: Params): Intent => {
    if (!['requires_payment_method', 'requires_confirmation', 'requires_action'].includes(intent.status))
      throw invalid('payment_intent_unexpected_state');
    const method =
      typeof params.payment_method === 'string'
        ? named(cards.methods, params.payment_method, 'PaymentMethod')
        : cards.readMethod((params.payment_method_data ?? {}) as Params, 'payment_method_data');
    const isKept = params.setup_future_usage === 'off_session';
    if (isKept && !intent.customer) throw invalid('parameter_missing', 'customer');
    if (!isKept && method.customer !== (intent.customer ?? null))
      throw invalid('payment_method_unexpected_state');
    const { tax_id: taxId } = (method.billing_details ?? {}) as Record<string, unknown>;
    if (taxId && !takesTaxIds) throw invalid('tax_id_prohibited', 'billing_details[tax_id]');
    intent.payment_method = method;
    intent.keeps = isKept;
    if (method.customer === null && method.usedBy !== null && method.usedBy !== intent.id)
      throw invalid('payment_method_unexpected_state');
    method.usedBy ??= intent.id;
    const isAlone = params.off_session === 'true';
    const behaviour = cards.codeBehaviour(params) ?? behaviourOf(method, isAlone);
    billingDetails.set(intent.id, method.billing_details);
    if (behaviour === '3ds') {
      if (typeof params.return_url !== 'string') throw invalid('parameter_missing', 'return_url');
      const url = `https://hooks.stripe.test/3d_secure_2/${intent.id}`;
      intent.status = 'requires_action';
      intent.next_action = {
        type: 'redirect_to_url',
        redirect_to_url: { url, return_url: params.return_url },
      };
    } else if (behaviour === null) succeed(intent);
    else {
      decline(intent, behaviour);
      throw new StripeProblem(402, {
        type: 'card_error',
        ...behaviour,
        payment_intent: structuredClone(intent),
      });
    }
    return intent;
  };

  const assignIntent = (intent: Intent, customer: string): Intent => {
    if (!cards.customers.has(customer)) throw missing('customer');
    if (intent.status !== 'requires_payment_method') throw invalid('payment_intent_unexpected_state');
    return Object.assign(intent, { customer });
  };

  const cancelIntent = (intent: Intent): Intent => {
    if (intent.status === 'succeeded' || intent.status === 'canceled')
      throw invalid('payment_intent_unexpected_state');
    intent.status = 'canceled';
    intent.next_action = null;
    return intent;
  };

  const refundsOf = (intent: Intent): readonly Refund[] =>
    [...refunds.values()].filter(({ payment_intent }) => payment_intent === intent);

  const createRefund = (params: Params): Refund => {
    const intent = named(intents, params.payment_intent as string, 'payment_intent');
    if (intent.status !== 'succeeded') throw invalid('payment_intent_unexpected_state');
    if ([...disputes.values()].some((one) => one.payment_intent === intent && one.status !== 'won'))
      throw invalid('charge_disputed');
    const amount = amountIn(params.amount, intent.currency);
    const taken = refundsOf(intent)
      .filter(({ status }) => status !== 'failed' && status !== 'canceled')
      .reduce((total, refund) => total + refund.amount, 0);
    if (taken >= intent.amount) throw invalid('charge_already_refunded');
    if (taken + amount > intent.amount) throw invalid('amount_too_large', 'amount');
    const metadata = (params.metadata ?? {}) as Metadata;
    const refund: Refund = {
      id: newId('re'),
      object: 'refund',
      amount,
      currency: intent.currency,
      payment_intent: intent,
      metadata,
      status: newRefund,
    };
    refunds.set(refund.id, refund);
    return refund;
  };

  const createFile = ({ purpose, file }: Params): UploadedFile => {
    const { type = '', filename = '', content = '' } = file as Readonly<Record<string, string>>;
    if (purpose !== 'dispute_evidence') throw invalid('invalid_purpose', 'purpose');
    if (!EVIDENCE_FILES.includes(type)) throw invalid('invalid_file_type', 'file');
    if (content.length > MAX_EVIDENCE_BYTES) throw invalid('file_too_large', 'file');
    const uploaded: UploadedFile = { id: newId('file'), object: 'file', purpose, filename, type, content };
    files.set(uploaded.id, uploaded);
    return uploaded;
  };

  /** Updates a dispute; the bank accepts evidence once. */
  const updateDispute = (dispute: Dispute, { evidence = {}, metadata = {}, submit }: Params): Dispute => {
    if (dispute.status !== 'needs_response') throw invalid('dispute_evidence_already_submitted');
    for (const [field, id] of Object.entries(evidence))
      if (!files.has(String(id))) throw invalid('resource_missing', `evidence[${field}]`);
    dispute.evidence = evidence as Dispute['evidence'];
    dispute.metadata = metadata as Metadata;
    if (submit === 'true') dispute.status = 'under_review';
    return dispute;
  };

  /** A page of a list, newest first. */
  const page = <T extends { readonly id: string }>(
    all: readonly T[],
    { limit = '10', starting_after }: Params,
  ) => {
    const from = starting_after ? all.findIndex(({ id }) => id === starting_after) + 1 : 0;
    const data = all.slice(from, from + Number(limit));
    return { object: 'list', data, has_more: from + data.length < all.length, url: '/v1' };
  };
  const listIntents = (params: Params) => {
    const { gte = '0', lt = 'Infinity' } = (params.created ?? {}) as Record<string, string>;
    const isWanted = ({ created }: Intent): boolean => created >= Number(gte) && created < Number(lt);
    return page([...intents.values()].filter(isWanted).reverse(), params);
  };

  const act = (name: OperationName, id: string | undefined, params: Params): unknown => {
    switch (name) {
      case 'create intent':
        return createIntent(params);
      case 'create payment method':
        return cards.createMethod(params);
      case 'create token':
        return cards.createCodeToken(params);
      case 'detach payment method':
        return cards.detach(id);
      case 'read payment method':
        return cards.readMethodNamed(id);
      case 'name payment method':
        return cards.nameMethod(id, params);
      case 'create customer':
        return cards.createCustomer(params);
      case 'create setup':
        return cards.createSetup(params);
      case 'list setups':
        return page(cards.listSetups(params), params);
      case 'read setup':
        return cards.readSetup(id);
      case 'confirm setup':
        return cards.confirmSetup(id, params);
      case 'cancel setup':
        return cards.cancelSetup(id);
      case 'assign intent':
        return assignIntent(named(intents, id, 'payment_intent'), String(params.customer));
      case 'list intents':
        return listIntents(params);
      case 'search intents': {
        const [, reference] = /^metadata\['portico_reference'\]:'(\w+)'$/.exec(String(params.query)) ?? [];
        if (!reference) throw invalid('parameter_invalid', 'query');
        const found = [...intents.values()].filter(
          ({ metadata }) => metadata.portico_reference === reference,
        );
        return { object: 'search_result', data: found.slice(0, Number(params.limit)), has_more: false };
      }
      case 'read intent':
        return named(intents, id, 'payment_intent');
      case 'confirm intent':
        return confirmIntent(named(intents, id, 'payment_intent'), params);
      case 'cancel intent':
        return cancelIntent(named(intents, id, 'payment_intent'));
      case 'create refund':
        return createRefund(params);
      case 'list refunds':
        return page(
          refundsOf(named(intents, params.payment_intent as string, 'payment_intent')).toReversed(),
          params,
        );
      case 'read refund':
        return named(refunds, id, 'refund');
      case 'list disputes': {
        const intent = named(intents, params.payment_intent as string, 'payment_intent');
        return page([...disputes.values()].filter((one) => one.payment_intent === intent).reverse(), params);
      }
      case 'update dispute':
        return updateDispute(named(disputes, id, 'dispute'), params);
      case 'create file':
        return { ...createFile(params), content: undefined };
      case 'read dispute':
        return named(disputes, id, 'dispute');
      case 'read warning':
        return named(warnings, id, 'early_fraud_warning');
    }
  };

  /** Replaces nested objects by their ids unless the request asks for the objects. */
  const shown = (value: unknown, expanded: readonly string[]): unknown => {
    const inner = (name: string) => (key: string, one: unknown) =>
      key === name && typeof one === 'object' && one !== null && 'id' in one && !expanded.includes(name)
        ? one.id
        : one;
    const once = JSON.parse(JSON.stringify(value, inner('payment_intent')));
    const twice = JSON.parse(JSON.stringify(once, inner('latest_charge')));
    return JSON.parse(JSON.stringify(twice, inner('payment_method')));
  };

  const decide = (request: IncomingMessage, body: string): (() => Answer) => {
    const url = new URL(request.url ?? '', 'http://stripe.test');
    const operation = OPERATIONS.find(
      ({ method, path }) => method === request.method && path.test(url.pathname),
    );
    if (!operation)
      throw new StripeProblem(404, { type: 'invalid_request_error', message: 'Unrecognized request URL' });
    if (request.headers.authorization !== `Bearer ${secretKey}`)
      throw new StripeProblem(401, { type: 'invalid_request_error', message: 'Invalid API Key provided' });
    if (!/^\d{4}-\d{2}-\d{2}\.[a-z]+$/.test(String(request.headers['stripe-version'])))
      throw invalid('stripe_version_missing');
    const type = request.headers['content-type'] ?? '';
    const params = type.startsWith('multipart/')
      ? readParts(type, body)
      : readForm(request.method === 'GET' ? url.search : Buffer.from(body, 'latin1').toString());
    for (const name of Object.keys(params))
      if (!(operation.params as readonly string[]).includes(name)) throw invalid('parameter_unknown', name);
    const expanded = Object.values((params.expand ?? {}) as Record<string, string>).map(
      (path) => path.split('.').at(-1) ?? '',
    );
    const id = operation.path.exec(url.pathname)?.[1];
    return () => ({ status: 200, body: shown(act(operation.name, id, params), expanded) });
  };

  const run = (work: () => Answer): Answer => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof StripeProblem)) throw error;
      return { status: error.status, body: { error: error.error } };
    }
  };

  /** Carries out a request once under its key; a repetition gets the first answer. */
  const underKey = async (key: string, request: string, work: () => Answer) => {
    const kept = keys.get(key);
    if (kept && clock().getTime() - kept.at < KEY_LIFE_MS) {
      if (kept.request !== request)
        throw new StripeProblem(400, { type: 'idempotency_error', message: 'Keys for idempotent requests…' });
      if (!kept.answer)
        throw new StripeProblem(409, { type: 'idempotency_error', code: 'idempotency_key_in_use' });
      return { ...kept.answer, isReplayed: true };
    }
    const now: Kept = { request, at: clock().getTime(), answer: null };
    keys.set(key, now);
    await turn();
    now.answer = run(work);
    return { ...now.answer, isReplayed: false };
  };

  const answerTo = async (request: IncomingMessage, body: string, luck: StripeTrouble | null) => {
    try {
      const decided = decide(request, body);
      const work =
        luck === 'failed' ? () => ({ status: 500, body: { error: { type: 'api_error' } } }) : decided;
      const key = request.headers['idempotency-key'];
      if (typeof key === 'string') return await underKey(key, `${request.url} ${body}`, work);
      return { ...run(work), isReplayed: false };
    } catch (error) {
      if (!(error instanceof StripeProblem)) throw error;
      return { status: error.status, body: { error: error.error }, isReplayed: false };
    }
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = (await buffer(request)).toString('latin1');
    const call = `${request.method} ${request.url}`;
    callsMade.push(call);
    const luck = trouble(call);
    await exchange({ request, response }, luck === 'failed' ? null : luck, {
      async work() {
        const { status, body: answer, isReplayed } = await answerTo(request, body, luck);
        transcript.push(`${call} -> ${status} ${JSON.stringify(answer)}`);
        const replayed = isReplayed ? { 'Idempotent-Replayed': 'true' } : {};
        return { status, body: answer, headers: { 'Request-Id': newId('req'), ...replayed } };
      },
      errorBody: ({ code }) => ({ error: { type: 'api_error', code } }),
    });
  };
  const { port, stop } = await listenAsDouble(createServer(), {
    port: givenPort,
    serve,
    note: (fault) => void transcript.push(fault),
  });

  const intentOf = (reference: string): Intent => {
    const found = [...intents.values()].find(({ metadata }) => Object.values(metadata).includes(reference));
    if (!found) throw new Error(`Stripe has no intent of ${reference}`);
    return found;
  };

  return {
    url: `http://127.0.0.1:${port}`,
    secretKey,
    webhookSecret,
    intents,
    cards,
    refunds,
    disputes,
    files,
    /** Requests, as `POST /v1/payment_intents`. */
    callsMade,
    /** Requests with the bodies of their answers. */
    transcript,
    intentOf,
    billingDetailsOf: (reference: string): unknown => billingDetails.get(intentOf(reference).id),
    refundOf: (reference: string): Refund | null =>
      [...refunds.values()].find(({ metadata }) => Object.values(metadata).includes(reference)) ?? null,

    /** Decides on the trouble of each request from now on. */
    troubleWith(decideOn: (call: string) => StripeTrouble | null): void {
      trouble = decideOn;
    },
    /** Sets the outcome of refunds from now on. */
    setRefunds(status: 'succeeded' | 'pending' | 'failed'): void {
      newRefund = status;
    },
    /** Sets whether the account may send tax numbers of payers, as one outside Latin America may. */
    allowTaxIds(isAllowed: boolean): void {
      takesTaxIds = isAllowed;
    },
    /** Sets whether the account has Stripe's permission to send card numbers. */
    allowRawCards(isAllowed: boolean): void {
      takesRawCards = isAllowed;
    },
    /** Lets the payer authenticate as the holder, or fail to. */
    authenticate(reference: string, succeeds = true): void {
      const intent = intentOf(reference);
      if (intent.status !== 'requires_action') throw new Error(`the payment is ${intent.status}`);
      if (succeeds) succeed(intent);
      else decline(intent, { code: 'payment_intent_authentication_failure' });
    },
    endRefund(reference: string, status: 'succeeded' | 'failed'): void {
      for (const refund of refunds.values())
        if (Object.values(refund.metadata).includes(reference))
          Object.assign(refund, {
            status,
            ...(status === 'failed' ? { failure_reason: 'lost_or_stolen_card' } : {}),
          });
    },
    /** Refunds a payment as in Stripe's dashboard. */
    refundByHand: (reference: string, amount: number): Refund =>
      createRefund({ payment_intent: intentOf(reference).id, amount: String(amount) }),
    /** Lets the holder dispute the payment. */
    dispute(reference: string, status = 'needs_response'): Dispute {
      const intent = intentOf(reference);
      const { amount, currency } = intent;
      const dispute: Dispute = {
        id: newId('du'),
        object: 'dispute',
        amount,
        currency,
        payment_intent: intent,
        balance_transactions: /^(warning_|prevented)/.test(status) ? [] : [{ amount: -amount }],
        status,
        metadata: {},
        evidence: {},
      };
      disputes.set(dispute.id, dispute);
      return dispute;
    },
    /** Gives the money of a dispute to the holder, possibly after the dispute was won. */
    withdraw(dispute: Dispute): void {
      dispute.balance_transactions.push({ amount: -dispute.amount });
      dispute.status = 'needs_response';
    },
    /** Returns the money of a dispute that was won. */
    reinstate(dispute: Dispute): void {
      dispute.balance_transactions.push({ amount: dispute.amount });
      dispute.status = 'won';
    },
    warn(reference: string): Warning {
      const warning = {
        id: newId('issfr'),
        object: 'radar.early_fraud_warning',
        payment_intent: intentOf(reference),
      };
      warnings.set(warning.id, warning);
      return warning;
    },

    /** A signed event about an object, as Stripe sends it. */
    eventAbout(
      type: string,
      object: object,
      options: {
        readonly livemode?: boolean;
        readonly at?: Date;
        readonly secret?: string;
        readonly account?: string;
      } = {},
    ): Delivery {
      const at = Math.floor((options.at ?? clock()).getTime() / 1_000);
      const body = JSON.stringify({
        id: newId('evt'),
        object: 'event',
        created: at,
        livemode: options.livemode ?? false,
        ...(options.account === undefined ? {} : { account: options.account }),
        type,
        data: { object: shown(object, []) },
      });
      const mac = createHmac('sha256', options.secret ?? webhookSecret)
        .update(`${at}.${body}`)
        .digest('hex');
      return {
        headers: { 'stripe-signature': `t=${at},v1=${mac}` },
        secret: null,
        body: Buffer.from(body),
      };
    },

    stop,
  };
};
