/** Requests that the double accepts, with all parameters that each may have; anything else is refused. */
export const OPERATIONS = [
  {
    name: 'create intent',
    method: 'POST',
    path: /^\/v1\/payment_intents$/,
    params: ['amount', 'currency', 'allowed_payment_method_types', 'metadata', 'expand'],
  },
  {
    name: 'create payment method',
    method: 'POST',
    path: /^\/v1\/payment_methods$/,
    params: ['type', 'card', 'billing_details'],
  },
  { name: 'create token', method: 'POST', path: /^\/v1\/tokens$/, params: ['cvc_update'] },
  {
    name: 'detach payment method',
    method: 'POST',
    path: /^\/v1\/payment_methods\/(\w+)\/detach$/,
    params: [],
  },
  { name: 'read payment method', method: 'GET', path: /^\/v1\/payment_methods\/(\w+)$/, params: [] },
  {
    name: 'name payment method',
    method: 'POST',
    path: /^\/v1\/payment_methods\/(\w+)$/,
    params: ['metadata', 'billing_details'],
  },
  { name: 'create customer', method: 'POST', path: /^\/v1\/customers$/, params: ['metadata'] },
  {
    name: 'create setup',
    method: 'POST',
    path: /^\/v1\/setup_intents$/,
    params: ['customer', 'usage', 'allowed_payment_method_types', 'metadata'],
  },
  {
    name: 'list setups',
    method: 'GET',
    path: /^\/v1\/setup_intents$/,
    params: ['customer', 'payment_method', 'limit', 'starting_after', 'expand'],
  },
  { name: 'read setup', method: 'GET', path: /^\/v1\/setup_intents\/(\w+)$/, params: ['expand'] },
  {
    name: 'confirm setup',
    method: 'POST',
    path: /^\/v1\/setup_intents\/(\w+)\/confirm$/,
    params: ['payment_method', 'return_url'],
  },
  { name: 'cancel setup', method: 'POST', path: /^\/v1\/setup_intents\/(\w+)\/cancel$/, params: [] },
  { name: 'assign intent', method: 'POST', path: /^\/v1\/payment_intents\/(\w+)$/, params: ['customer'] },
  {
    name: 'list intents',
    method: 'GET',
    path: /^\/v1\/payment_intents$/,
    params: ['created', 'limit', 'starting_after', 'expand'],
  },
  {
    name: 'search intents',
    method: 'GET',
    path: /^\/v1\/payment_intents\/search$/,
    params: ['query', 'limit', 'expand'],
  },
  { name: 'read intent', method: 'GET', path: /^\/v1\/payment_intents\/(\w+)$/, params: ['expand'] },
  {
    name: 'confirm intent',
    method: 'POST',
    path: /^\/v1\/payment_intents\/(\w+)\/confirm$/,
    params: [
      ...['payment_method', 'payment_method_data', 'off_session', 'setup_future_usage'],
      ...['payment_method_options', 'return_url', 'expand'],
    ],
  },
  {
    name: 'cancel intent',
    method: 'POST',
    path: /^\/v1\/payment_intents\/(\w+)\/cancel$/,
    params: ['expand'],
  },
  {
    name: 'create refund',
    method: 'POST',
    path: /^\/v1\/refunds$/,
    params: ['payment_intent', 'amount', 'metadata'],
  },
  {
    name: 'list refunds',
    method: 'GET',
    path: /^\/v1\/refunds$/,
    params: ['payment_intent', 'limit', 'starting_after'],
  },
  { name: 'read refund', method: 'GET', path: /^\/v1\/refunds\/(\w+)$/, params: ['expand'] },
  {
    name: 'list disputes',
    method: 'GET',
    path: /^\/v1\/disputes$/,
    params: ['payment_intent', 'limit', 'starting_after'],
  },
  {
    name: 'update dispute',
    method: 'POST',
    path: /^\/v1\/disputes\/(\w+)$/,
    params: ['evidence', 'metadata', 'submit'],
  },
  { name: 'create file', method: 'POST', path: /^\/v1\/files$/, params: ['purpose', 'file'] },
  { name: 'read dispute', method: 'GET', path: /^\/v1\/disputes\/(\w+)$/, params: ['expand'] },
  {
    name: 'read warning',
    method: 'GET',
    path: /^\/v1\/radar\/early_fraud_warnings\/(\w+)$/,
    params: ['expand'],
  },
] as const;
export type OperationName = (typeof OPERATIONS)[number]['name'];

/**
 * Parameters in the structure of the form: `card[number]=4` is `{card: {number: '4'}}`; lists have their indexes as
 * names.
 */
export type Params = { readonly [name: string]: string | Params };

export const readForm = (text: string): Params => {
  const root: Record<string, unknown> = {};
  for (const [key, value] of new URLSearchParams(text)) {
    const path = key.split(/[[\]]+/).filter((part) => part !== '');
    let place = root;
    for (const part of path.slice(0, -1)) {
      place[part] ??= {};
      place = place[part] as Record<string, unknown>;
    }
    place[path.at(-1) ?? ''] = value;
  }
  return root as Params;
};

/** An error of the API, as its clients get it. */
export class StripeProblem extends Error {
  readonly status: number;
  readonly error: Readonly<Record<string, unknown>>;
  constructor(status: number, error: Readonly<Record<string, unknown>>) {
    super(String(error.code ?? error.type));
    this.status = status;
    this.error = error;
  }
}

export const invalid = (code: string, param?: string): StripeProblem =>
  new StripeProblem(400, { type: 'invalid_request_error', code, param });

export const missing = (what: string): StripeProblem =>
  new StripeProblem(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${what}`,
  });

const THREE_DECIMALS = ['bhd', 'jod', 'kwd', 'omr', 'tnd'];
const TWO_WRITTEN_NONE_USED = ['isk', 'ugx'];
const MAX_AMOUNT = 99_999_999;

/** A positive integer in the smallest unit, with zeros where Stripe demands them. */
export const amountIn = (given: string | Params | undefined, currency: string): number => {
  if (typeof given !== 'string' || !/^\d+$/.test(given)) throw invalid('parameter_invalid_integer', 'amount');
  const amount = Number(given);
  if (amount < 1) throw invalid('amount_too_small', 'amount');
  if (amount > MAX_AMOUNT) throw invalid('amount_too_large', 'amount');
  const step = THREE_DECIMALS.includes(currency) ? 10 : TWO_WRITTEN_NONE_USED.includes(currency) ? 100 : 1;
  if (amount % step !== 0) throw invalid('invalid_charge_amount', 'amount');
  return amount;
};

/** Cards by number, as in docs.stripe.com/testing. Null: it is paid; `unattended`: it is paid with its holder only. */
export const CARDS: Readonly<
  Record<
    string,
    { readonly code: string; readonly decline_code?: string; readonly unattended?: true } | '3ds' | null
  >
> = {
  '4242424242424242': null,
  '5555555555554444': null,
  '4000000000000002': { code: 'card_declined', decline_code: 'generic_decline' },
  '4000000000009995': { code: 'card_declined', decline_code: 'insufficient_funds' },
  '4000000000000119': { code: 'processing_error' },
  '4000000000003220': '3ds',
  '4000002760003184': { code: 'authentication_required', unattended: true },
};

/** A form with a file (RFC 7578), whose bytes are Latin-1 here; the file is represented by its type and content. */
export const readParts = (contentType: string, body: string): Params => {
  const boundary = /boundary="?([^";]+)/.exec(contentType)?.[1];
  if (boundary === undefined) throw invalid('invalid_request');
  const parts = body.split(`--${boundary}`).slice(1, -1);
  return Object.fromEntries(
    parts.map((part) => {
      const [head = '', ...rest] = part.replace(/^\r\n/, '').split('\r\n\r\n');
      const content = rest.join('\r\n\r\n').replace(/\r\n$/, '');
      const name = /name="([^"]+)"/.exec(head)?.[1] ?? '';
      const type = /content-type: *(\S+)/i.exec(head)?.[1];
      const filename = /filename="([^"]+)"/.exec(head)?.[1] ?? '';
      return [name, type === undefined ? content : { type, filename, content }];
    }),
  );
};

/** The types of files that Stripe accepts as evidence, each of 5 MB at most. */
export const EVIDENCE_FILES = ['application/pdf', 'image/png', 'image/jpeg'];
export const MAX_EVIDENCE_BYTES = 5_000_000;
