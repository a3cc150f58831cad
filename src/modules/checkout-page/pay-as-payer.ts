import { GatewayError } from '../../kernel/errors.ts';
import type { Command } from '../../kernel/event.ts';
import type { CardTesting } from '../card-tokens/write/card-testing.ts';
import { CHALLENGE_HEADER, proofOfWorkRequired } from '../card-tokens/write/refusals.ts';
import type { CheckoutSession } from '../checkout/write/checkout-session.ts';
import type { PaySession } from '../checkout/write/pay-session.ts';
import {
  checkoutExpired,
  checkoutNotOpen,
  linkExhausted,
  linkNotActive,
  paymentInProgress,
} from '../checkout/write/refusals.ts';
import { installmentsNotOffered } from '../merchants/write/refusals.ts';
import { paymentMethodNotAvailable } from '../providers/refusals.ts';
import type { Told } from './page-frame.ts';
import { type FieldName, type FormRead, fieldOf } from './payment-form.ts';

/** The outcome of a form: the page shows where the session stands, or what was wrong with the form. */
type Paid =
  | { readonly outcome: 'look' }
  | {
      readonly outcome: 'told';
      readonly status: 422 | 429 | 503;
      readonly problem: Told['problem'];
      readonly faults: readonly FieldName[];
      readonly headers?: Readonly<Record<string, string>>;
    };

/** Pays a session with what a payer has filled in. */
export type PayAsPayer = Command<
  {
    readonly session: CheckoutSession;
    readonly form: FormRead;
    /** Network address of the payer. */
    readonly address: string;
  },
  Paid
>;

export const createPayAsPayer = (deps: {
  readonly paySession: PaySession;
  readonly cardTesting: CardTesting;
}): PayAsPayer => {
  return async ({ session, form, address }, context) => {
    if ('faults' in form) return told('faults', { faults: form.faults });
    const { merchantId, livemode } = session;
    const { payer, paymentMethod, proof } = form.filled;
    const isCard = paymentMethod.type === 'credit_card';
    const origin = deps.cardTesting.originOf(address);
    try {
      if (isCard) await deps.cardTesting.admit({ merchantId, livemode, address, proof });
      const charge = await deps.paySession({ session, payer, paymentMethod, origin }, context);
      if (isCard)
        await deps.cardTesting.noteOutcome({ merchantId, livemode, origin }, charge.status === 'refused');
      return { outcome: 'look' };
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      return failureOf(error);
    }
  };
};

const told = (problem: Told['problem'], more: Partial<Extract<Paid, { outcome: 'told' }>> = {}): Paid => ({
  outcome: 'told',
  status: 422,
  problem,
  faults: [],
  ...more,
});

/** Codes of refusals that the page tells by where the session stands. */
const SHOWN_BY_PAGE: readonly string[] = [checkoutExpired.code, checkoutNotOpen.code, paymentInProgress.code];

const failureOf = ({ statusCode, code = '', errors, headers }: GatewayError): Paid => {
  if (SHOWN_BY_PAGE.includes(code)) return { outcome: 'look' };
  if (statusCode >= 500) return told('tryAgain', { status: 503 });
  switch (code) {
    case proofOfWorkRequired.code:
      return told('proofNeeded', {
        status: 429,
        headers: { [CHALLENGE_HEADER]: headers?.[CHALLENGE_HEADER] ?? '' },
      });
    case linkExhausted.code:
    case linkNotActive.code:
      return told('taken');
    case paymentMethodNotAvailable.code:
      return told('brandNotTaken', { faults: ['number'] });
    case installmentsNotOffered.code:
      return told('installmentsNotOffered', { faults: ['installments'] });
    default: {
      const faults = (errors ?? []).flatMap(({ path }) => fieldOf(path) ?? []);
      return faults.length > 0 ? told('faults', { faults: [...new Set(faults)] }) : told('notNow');
    }
  }
};
