import Joi from 'joi';

/** Rules of Mercado Pago's OpenAPI document for Brazil: whatever it does not have is refused. */

/** Error of the API as its clients get it. */
export class MercadoPagoProblem extends Error {
  readonly status: number;
  readonly body: object;
  constructor(status: number, error: string, message: string, code?: number | string) {
    super(message);
    this.status = status;
    const cause = code === undefined ? [] : [{ code, description: message, data: null }];
    this.body = { status, error, message, cause };
  }
}

export const invalid = (message: string, code?: number | string): MercadoPagoProblem =>
  new MercadoPagoProblem(400, 'bad_request', message, code);

export const missing = (what: string): MercadoPagoProblem =>
  new MercadoPagoProblem(404, 'not_found', `${what} not found`);

/** Reais have two decimals at most. */
const amount = Joi.number().min(0.01).max(999_999_999.99).precision(2);
const identification = Joi.object({
  type: Joi.valid('CPF', 'CNPJ').required(),
  number: Joi.string()
    .pattern(/^\d{11}$|^\d{14}$/)
    .required(),
});
/** With milliseconds and an offset: `2026-12-31T23:59:59.000-03:00`. */
const moment = Joi.string().pattern(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d$/);

type PaymentBody = {
  readonly transaction_amount: number;
  readonly payment_method_id: string;
  readonly external_reference?: string;
  readonly description?: string;
  readonly statement_descriptor?: string;
  readonly installments?: number;
  readonly token?: string;
  readonly date_of_expiration?: string;
  readonly metadata?: object;
  readonly payer: {
    readonly email: string;
    readonly first_name?: string;
    readonly last_name?: string;
    readonly identification?: { readonly type: string; readonly number: string };
  };
};

const paymentBody = Joi.object<PaymentBody>({
  transaction_amount: amount.required(),
  payment_method_id: Joi.valid('visa', 'master', 'amex', 'elo', 'hipercard', 'pix', 'bolbradesco').required(),
  token: Joi.string().pattern(/^[0-9a-f]{32}$/),
  description: Joi.string().max(600),
  installments: Joi.number().integer().min(1).max(24),
  external_reference: Joi.string().max(256),
  statement_descriptor: Joi.string().max(22),
  date_of_expiration: moment,
  metadata: Joi.object().unknown(),
  payer: Joi.object({
    email: Joi.string().email({ tlds: false }).required(),
    first_name: Joi.string(),
    last_name: Joi.string(),
    identification,
    type: Joi.valid('customer', 'registered', 'guest'),
  }).required(),
}).required();

type CardBody = {
  readonly card_number: string;
  readonly expiration_month: number;
  readonly expiration_year: number;
  readonly security_code: string;
  readonly cardholder: { readonly name: string };
};

const cardBody = Joi.object<CardBody>({
  card_number: Joi.string()
    .pattern(/^\d{12,19}$/)
    .required(),
  expiration_month: Joi.number().integer().min(1).max(12).required(),
  expiration_year: Joi.number().integer().min(2000).max(2100).required(),
  security_code: Joi.string()
    .pattern(/^\d{3,4}$/)
    .required(),
  cardholder: Joi.object({ name: Joi.string().required(), identification }).required(),
}).required();

const updateBody = Joi.object({ status: Joi.valid('cancelled').required() }).required();
const refundBody = Joi.object<{ readonly amount?: number }>({ amount }).required();

const searchQuery = Joi.object({
  sort: Joi.valid('date_created', 'date_last_updated', 'money_release_date').required(),
  criteria: Joi.valid('asc', 'desc').required(),
  external_reference: Joi.string(),
  limit: Joi.string().pattern(/^\d+$/),
  offset: Joi.string().pattern(/^\d+$/),
});

const reading =
  <T>(schema: Joi.ObjectSchema<T>) =>
  (value: unknown): T => {
    const checked = schema.validate(value, { convert: false });
    if (checked.error) throw invalid(checked.error.message);
    return checked.value;
  };

export const readPaymentBody = reading(paymentBody);
export const readCardBody = reading(cardBody);
export const readUpdateBody = reading(updateBody);
export const readRefundBody = reading(refundBody);
export const readSearchQuery = reading(searchQuery);

/** How a card ends by the name of its holder, as the cards for tests have it; any other name pays. */
export const HOLDERS: Readonly<Record<string, readonly [status: string, detail: string]>> = {
  OTHE: ['rejected', 'cc_rejected_other_reason'],
  CONT: ['in_process', 'pending_contingency'],
  REVI: ['in_process', 'pending_review_manual'],
  CALL: ['rejected', 'cc_rejected_call_for_authorize'],
  FUND: ['rejected', 'cc_rejected_insufficient_amount'],
  SECU: ['rejected', 'cc_rejected_bad_filled_security_code'],
  EXPI: ['rejected', 'cc_rejected_bad_filled_date'],
  FORM: ['rejected', 'cc_rejected_bad_filled_other'],
};

const BRANDS: readonly (readonly [string, RegExp])[] = [
  ['elo', /^(506[67]|5090|6363|4514)/],
  ['visa', /^4/],
  ['master', /^(5[1-5]|2[2-7]|503143)/],
  ['amex', /^3[47]/],
  ['hipercard', /^6062/],
];

/** The payment method of a card's number; null for one that nobody here knows. */
export const brandOf = (number: string): string | null =>
  BRANDS.find(([, pattern]) => pattern.test(number))?.[0] ?? null;

/** The header has to be a UUID, as the document has it. */
export const isUuid = (key: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(key);
