import type { CommandContext } from '../../../kernel/event.ts';
import type { Creating } from '../../../platform/write-store/transaction.ts';
import type { ReportChargeback } from '../../chargebacks/write/report-chargeback.ts';
import { type Charge, grossOf, strayReason } from '../../charges/write/charge.ts';
import type { RecordPaymentOutcome } from '../../charges/write/record-payment-outcome.ts';
import type { RecordDisputeOutcome } from '../../disputes/write/close-dispute.ts';
import type { ProviderNamed, ProviderNotification } from '../../providers/provider.ts';
import type { RecordRefundOutcome } from '../../refunds/write/record-refund-outcome.ts';
import type { Refund } from '../../refunds/write/refund.ts';
import type {
  RecordMandateState,
  RecordStoredState,
} from '../../stored-methods/write/record-stored-state.ts';
import type { StoredMethod } from '../../stored-methods/write/stored-method.ts';
import type { RecordReturnOutcome } from '../../suspense/write/give-back.ts';
import { holdMoney } from '../../suspense/write/hold-money.ts';
import type { StrayMoney, SuspenseItem, SuspenseReason } from '../../suspense/write/suspense.ts';
import type { Outcome } from './notification.ts';

/** Acts on a notification where the change is legal; doing it twice has the effect of doing it once. */
export type ActOn = On<ProviderNotification['kind']>;

type On<K extends ProviderNotification['kind']> = (
  provider: string,
  notification: ProviderNotification & { readonly kind: K },
  context: CommandContext,
) => Promise<Outcome>;

type ActDeps = Creating & {
  readonly providerNamed: ProviderNamed;
  readonly findCharge: (id: string) => Promise<Charge | null>;
  readonly findRefund: (id: string) => Promise<Refund | null>;
  readonly findReturn: (reference: string) => Promise<SuspenseItem | null>;
  readonly recordPaymentOutcome: RecordPaymentOutcome;
  readonly recordRefundOutcome: RecordRefundOutcome;
  readonly recordReturnOutcome: RecordReturnOutcome;
  readonly reportChargeback: ReportChargeback;
  readonly recordDisputeOutcome: RecordDisputeOutcome;
  readonly findMethod: (id: string) => Promise<StoredMethod | null>;
  readonly recordStoredState: RecordStoredState;
  readonly recordMandateState: RecordMandateState;
};

export const createActOn = (deps: ActDeps): ActOn => {
  const { onPayment, onRefund } = createOnMoney(deps);
  const { onChargeback, onChargebackReversed, onDisputeLost, onFraudWarning } = createOnDisputes(deps);

  const onStoredCard: On<'stored_card'> = async (provider, { reference, livemode, state }, context) => {
    const method = await deps.findMethod(reference);
    if (method?.provider !== provider || method.livemode !== livemode) return 'ignored';
    return outcomeOf(method, await deps.recordStoredState(method, state, context));
  };

  const onMandate: On<'mandate'> = async (provider, { reference, livemode, state }, context) => {
    const method = await deps.findMethod(reference);
    if (method?.provider !== provider || method.livemode !== livemode) return 'ignored';
    return outcomeOf(method, await deps.recordMandateState(method, state, context));
  };

  return async (provider, notification, context) => {
    switch (notification.kind) {
      case 'payment':
        return onPayment(provider, notification, context);
      case 'refund':
        return onRefund(provider, notification, context);
      case 'chargeback':
        return onChargeback(provider, notification, context);
      case 'chargeback_reversed':
        return onChargebackReversed(provider, notification, context);
      case 'dispute_lost':
        return onDisputeLost(provider, notification, context);
      case 'fraud_warning':
        return onFraudWarning(provider, notification, context);
      case 'stored_card':
        return onStoredCard(provider, notification, context);
      case 'mandate':
        return onMandate(provider, notification, context);
      case 'other':
        return 'ignored';
    }
  };
};

/** Handlers for notifications about payments and refunds. */
const createOnMoney = (deps: ActDeps) => {
  const onPayment: On<'payment'> = async (provider, notification, context) => {
    const { state, reference, livemode } = notification;
    const charge = await chargeOf(deps, reference, provider, livemode);
    if (!charge) {
      if (state.status !== 'paid') return 'ignored';
      // Two accounts of one receiver at an institution: the charge of the other one has this payment already.
      const other = await deps.findCharge(reference);
      if (other?.livemode === livemode && other.pspRefId === state.pspRefId) return 'ignored';
      return hold(deps, strayOf(provider, notification, 'unknown_payment', null, state.pspRefId), context);
    }
    const after = await deps.recordPaymentOutcome(charge, state, context);
    if (strayReason(after, state) !== null) return 'suspense';
    return outcomeOf(charge, after);
  };

  const onRefund: On<'refund'> = async (provider, notification, context) => {
    const { state, reference, livemode } = notification;
    const returned = await deps.findReturn(reference);
    if (returned?.provider === provider && returned.livemode === livemode) {
      const item = await deps.recordReturnOutcome(returned, state, context);
      return failedLate(returned, item) ? 'for_operator' : outcomeOf(returned, item);
    }
    const refund = await deps.findRefund(reference);
    const charge = refund && (await chargeOf(deps, refund.chargeId, provider, livemode));
    const isOurs = refund !== null && charge !== null && isOf(refund, notification);
    const after = isOurs ? await deps.recordRefundOutcome(refund, state, context) : null;
    if (state.status === 'refunded' && after?.status !== 'refunded')
      return hold(
        deps,
        strayOf(provider, notification, 'unexpected_refund', charge, state.pspRefundRefId),
        context,
      );
    if (refund && after && failedLate(refund, after)) return 'for_operator';
    return after && refund ? outcomeOf(refund, after) : 'ignored';
  };

  return { onPayment, onRefund };
};

/** Handlers for notifications about disputes, and for the warnings before them. */
const createOnDisputes = (deps: ActDeps) => {
  const onChargeback: On<'chargeback'> = async (provider, notification, context) => {
    const { reference, livemode, pspRefId } = notification;
    const charge = await chargeOf(deps, reference, provider, livemode);
    // The first chargeback debited the merchant, and money that was won back since is in suspense. So this one goes
    // there, too.
    const isBooked = notification.isAgain === true && charge?.status === 'chargeback';
    if (charge && !isBooked && isOf({ ...charge, amount: grossOf(charge) }, notification))
      return deps.reportChargeback({ chargeId: charge.id, pspRefId }, context);
    return hold(deps, strayOf(provider, notification, 'unexpected_chargeback', charge, pspRefId), context);
  };

  /** The merchant was debited before, so the money that came back is held for an operator to book. */
  const onChargebackReversed: On<'chargeback_reversed'> = async (provider, notification, context) => {
    const { reference, livemode, pspRefId } = notification;
    const charge = await chargeOf(deps, reference, provider, livemode);
    const money = await withOwner(
      deps,
      strayOf(provider, notification, 'chargeback_reversed', charge, pspRefId),
    );
    return decided(deps, { outcome: 'won', money }, context);
  };

  const onDisputeLost: On<'dispute_lost'> = async (provider, { reference, livemode }, context) => {
    const charge = await chargeOf(deps, reference, provider, livemode);
    return charge ? decided(deps, { outcome: 'lost', chargeId: charge.id }, context) : 'ignored';
  };

  /** An alert costs a fee and refunds the payer, so it is left to an operator or the merchant to register one. */
  const onFraudWarning: On<'fraud_warning'> = async (provider, { reference, livemode }) => {
    const charge = await chargeOf(deps, reference, provider, livemode);
    return charge?.status === 'paid' ? 'for_operator' : 'ignored';
  };

  return { onChargeback, onChargebackReversed, onDisputeLost, onFraudWarning };
};

/** The stray money, with the merchant on whose own account it is. */
const withOwner = async (deps: ActDeps, stray: Omit<StrayMoney, 'accountOwnerId'>): Promise<StrayMoney> => ({
  ...stray,
  accountOwnerId: (await deps.providerNamed(stray.provider))?.owner ?? null,
});

const hold = async (
  deps: ActDeps,
  stray: Omit<StrayMoney, 'accountOwnerId'>,
  context: CommandContext,
): Promise<Outcome> => {
  const money = await withOwner(deps, stray);
  await deps.transact(context, (tx) => holdMoney(tx, money, deps.clock(), deps.newId));
  return 'suspense';
};

const decided = (
  deps: ActDeps,
  told: Parameters<RecordDisputeOutcome>[1],
  context: CommandContext,
): Promise<Outcome> => deps.transact(context, (tx) => deps.recordDisputeOutcome(tx, told, deps.clock()));

/** The charge with this id, if it is at this provider and in the notification's environment. */
const chargeOf = async (
  deps: ActDeps,
  id: string,
  provider: string,
  livemode: boolean,
): Promise<Charge | null> => {
  const charge = await deps.findCharge(id);
  return charge?.provider === provider && charge.livemode === livemode ? charge : null;
};

/** Whether what counted as given back is not: the payer has nothing, and somebody has to pay again. */
const failedLate = (before: { readonly status: string }, after: { readonly status: string }): boolean =>
  (before.status === 'refunded' && after.status === 'failed') ||
  (before.status === 'returned' && after.status === 'held');

type Moved = { readonly amount: number; readonly currency: string };

const isOf = (expected: Moved, { amount, currency }: Moved): boolean =>
  expected.amount === amount && expected.currency === currency;

const outcomeOf = (before: { readonly version: number }, after: { readonly version: number }): Outcome =>
  after.version === before.version ? 'ignored' : 'applied';

const strayOf = (
  provider: string,
  notification: Parameters<On<'payment' | 'refund' | 'chargeback' | 'chargeback_reversed'>>[1],
  reason: SuspenseReason,
  charge: Charge | null,
  pspRefId: string | null,
): Omit<StrayMoney, 'accountOwnerId'> => ({
  livemode: notification.livemode,
  provider,
  reason,
  reference: notification.reference,
  pspRefId,
  direction: notification.kind === 'refund' || notification.kind === 'chargeback' ? 'out' : 'in',
  amount: notification.amount,
  currency: notification.currency,
  chargeId: charge?.id ?? null,
  merchantId: charge?.merchantId ?? null,
});
