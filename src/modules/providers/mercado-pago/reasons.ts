/** Answers of Mercado Pago about a payment or a request, in the words of this gateway. */

/** Why a card was refused, by `status_detail`; a detail that is not here keeps its own name. */
const REASONS: Readonly<Record<string, string>> = {
  cc_rejected_bad_filled_card_number: 'incorrect_number',
  cc_rejected_bad_filled_date: 'incorrect_expiry',
  cc_rejected_bad_filled_other: 'incorrect_card_data',
  cc_rejected_bad_filled_security_code: 'incorrect_cvc',
  cc_rejected_blacklist: 'card_declined',
  cc_rejected_call_for_authorize: 'call_issuer',
  cc_rejected_card_disabled: 'card_not_enabled',
  cc_rejected_card_error: 'processing_error',
  cc_rejected_card_type_not_allowed: 'card_not_supported',
  cc_rejected_duplicated_payment: 'duplicate_transaction',
  cc_rejected_high_risk: 'suspected_fraud',
  cc_rejected_insufficient_amount: 'insufficient_funds',
  cc_rejected_invalid_installments: 'installments_not_supported',
  cc_rejected_max_attempts: 'too_many_attempts',
  cc_rejected_other_reason: 'card_declined',
  cc_rejected_time_out: 'issuer_not_available',
  rejected_by_bank: 'card_declined',
  rejected_by_regulations: 'not_permitted',
  rejected_high_risk: 'suspected_fraud',
};

/** Details of a payment that ended unpaid because its time was over. */
const EXPIRED: readonly string[] = ['expired', 'pending_waiting_payment_expired'];

/** Why a card payment was refused. */
export const refusalOf = (detail: string | null): string =>
  detail === null ? 'card_declined' : (REASONS[detail] ?? inSnakeCase(detail) ?? 'card_declined');

/** Why a payment ended that nobody had paid. */
export const endOf = (detail: string | null): string =>
  detail !== null && EXPIRED.includes(detail) ? 'expired' : 'cancelled';

/** Reasons by the code in `cause`, of card tokens and of payments. */
const CAUSES: Readonly<Record<string, string>> = {
  '205': 'incorrect_number',
  '208': 'incorrect_expiry',
  '209': 'incorrect_expiry',
  '224': 'incorrect_cvc',
  '301': 'incorrect_expiry',
  '316': 'incorrect_card_data',
  '325': 'incorrect_expiry',
  '326': 'incorrect_expiry',
  '2006': 'card_token_unknown',
  '3003': 'card_token_unknown',
  '3034': 'incorrect_number',
  '4037': 'amount_not_supported',
  E301: 'incorrect_number',
  E302: 'incorrect_cvc',
};

/** A request that is at fault itself, for which the answer names nothing better. */
const INVALID_REQUEST = 'invalid_request';

type Problem = { readonly cause?: readonly { readonly code?: unknown }[]; readonly error?: unknown };

const isProblem = (body: unknown): body is Problem =>
  typeof body === 'object' && body !== null && (!('cause' in body) || Array.isArray(body.cause));

/** The reason in the body of a refusal; its message is for developers. */
export const reasonOfProblem = (body: unknown): string => {
  if (!isProblem(body)) return INVALID_REQUEST;
  const byCause = body.cause?.flatMap((cause) => CAUSES[String(cause?.code)] ?? []) ?? [];
  const named = typeof body.error === 'string' ? inSnakeCase(body.error) : null;
  return byCause[0] ?? (named === null || named === 'bad_request' ? INVALID_REQUEST : named);
};

const inSnakeCase = (text: string): string | null => (/^[a-z0-9_]{1,60}$/.test(text) ? text : null);
