import { type Clock, timestamp } from '../../kernel/clock.ts';
import { GatewayError } from '../../kernel/errors.ts';
import type { Command, CommandContext } from '../../kernel/event.ts';
import type { CardTesting } from '../card-tokens/write/card-testing.ts';
import { CHALLENGE_HEADER, cardRefused, proofOfWorkRequired } from '../card-tokens/write/refusals.ts';
import { isCardRefused } from '../charges/write/note-late-outcome.ts';
import { type CheckoutSession, keepsCard } from '../checkout/write/checkout-session.ts';
import { contextOf, type PaySession, payerOf } from '../checkout/write/pay-session.ts';
import {
  checkoutExpired,
  checkoutNotOpen,
  linkExhausted,
  linkNotActive,
  paymentInProgress,
} from '../checkout/write/refusals.ts';
import type { SetUpCard } from '../checkout/write/set-up-card.ts';
import type { SettleSubscription } from '../checkout/write/settle-subscription.ts';
import { installmentsNotOffered } from '../merchants/write/refusals.ts';
import { paymentMethodNotAvailable } from '../providers/refusals.ts';
import type { MakeCvvToken } from '../stored-methods/write/make-cvv-token.ts';
import type { Told } from './page-frame.ts';
import { type FieldName, type FormRead, fieldOf, type SavedPayment } from './payment-form.ts';

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
    /** The words by which the page asks whether a card may be kept. */
    readonly consentText: string;
    /** Network address of the payer. */
    readonly address: string;
  },
  Paid
>;

export const createPayAsPayer = (deps: {
  readonly paySession: PaySession;
  readonly cardTesting: CardTesting;
  readonly makeCvvToken: MakeCvvToken;
  readonly setUpCard: SetUpCard;
  readonly settleSubscription: SettleSubscription;
  readonly clock: Clock;
}): PayAsPayer => {
  const tokenizeCode = async (
    session: CheckoutSession,
    { id, cvv }: SavedPayment,
    { address, proof }: { readonly address: string; readonly proof: string | null },
    context: CommandContext,
  ): Promise<{ readonly cvvToken: string }> => {
    const of = contextOf(session, context);
    // As with the public key of the shop, which any page may use.
    const principal = payerOf(session, of.actor, 'public_key');
    const code = { paymentMethodId: id, cvv, ...(proof === null ? {} : { proof }) };
    return { cvvToken: (await deps.makeCvvToken({ principal, code, address }, of)).id };
  };
  /**
   * Whether the card is refused: by the provider that was to keep it, or with the first charge of a subscription. Null
   * while nobody knows.
   */
  const keepCard = async (
    asked: Parameters<SetUpCard>[0],
    context: CommandContext,
  ): Promise<boolean | null> => {
    const { session } = asked;
    const { status } = await deps.setUpCard(asked, context);
    if (status === 'failed') return true;
    // A worker goes on where this comes to nothing.
    const settled = await deps.settleSubscription(session, contextOf(session, context));
    if (settled.refusals > session.refusals) return true;
    return settled.status === 'completed' ? false : null;
  };
  return async ({ session, form, consentText, address }, context) => {
    if ('faults' in form) return told('faults', { faults: form.faults });
    const { merchantId, livemode, paymentLinkId: linkId } = session;
    const { payer, facts, paymentMethod, card, consents, saved, proof } = form.filled;
    const consent = consents ? { text: consentText, at: timestamp(deps.clock()) } : null;
    const isTypedCard = paymentMethod.type === 'credit_card' && saved === null;
    const origin = deps.cardTesting.originOf(address);
    const typist = { merchantId, livemode, origin, linkId };
    try {
      if (keepsCard(session)) {
        if (!card || !consent) throw new Error('the form has neither a card nor a consent');
        const asked = { session, payer: facts, card, consent, proof, address };
        // Others who learn of the outcome, perhaps while the payer is at the bank, note it as well; it counts once.
        await deps.cardTesting.noteAnswer(session.id, typist, null);
        const isRefused = await keepCard(asked, context);
        if (isRefused !== null) await deps.cardTesting.noteLate(session.id, isRefused);
        return isRefused ? told('cardRefused') : { outcome: 'look' };
      }
      if (isTypedCard) await deps.cardTesting.admit({ merchantId, livemode, address, proof, linkId });
      const withCode = saved && (await tokenizeCode(session, saved, { address, proof }, context));
      const method = withCode ? { ...paymentMethod, ...withCode } : paymentMethod;
      const charge = await deps.paySession(
        { session, payer, paymentMethod: method, origin, consent },
        context,
      );
      // The count of a stored card's outcome goes with the token of its code.
      if (isTypedCard) await deps.cardTesting.noteAnswer(charge.id, typist, isCardRefused(charge));
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
    case cardRefused.code:
      return told('cardRefused');
    case installmentsNotOffered.code:
      return told('installmentsNotOffered', { faults: ['installments'] });
    default: {
      const faults = (errors ?? []).flatMap(({ path }) => fieldOf(path) ?? []);
      return faults.length > 0 ? told('faults', { faults: [...new Set(faults)] }) : told('notNow');
    }
  }
};
