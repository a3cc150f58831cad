import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import { changed, created, type Decision, type MerchantRecord } from '../../../kernel/event.ts';
import type { Id, MerchantId } from '../../../kernel/ids.ts';
import { type Minor, percentOf } from '../../../kernel/money.ts';
import { type Store, store } from '../../../kernel/store.ts';
import type { FeeDefinitions, PayoutFee } from '../../merchants/write/fees.ts';
import type { Merchant } from '../../merchants/write/merchant.ts';
import {
  companyTaxIdMissing,
  mayNotAskForPayouts,
  mayNotBePaidOut,
  payoutAmountTooLow,
  payoutFeeNotConfigured,
  payoutRequestAlreadyProcessed,
  transferStatusNotAllowed,
} from './refusals.ts';

/** Statuses of a request, as the API names them. */
export const PAYOUT_STATUSES = ['pending', 'approved', 'rejected'] as const;
type PayoutStatus = (typeof PAYOUT_STATUSES)[number];

/** The state of an approved request's bank transfer. */
export const TRANSFER_STATUSES = ['pending', 'sent', 'failed'] as const;
type TransferStatus = (typeof TRANSFER_STATUSES)[number];

type PayoutRequestId = Id<'po'>;

type PayoutRequestEvent =
  | 'payout.approved'
  | 'payout.rejected'
  | 'payout.requested'
  | 'payout.transfer_failed'
  | 'payout.transfer_sent';

/** A merchant's request to be paid from its `available` balance. */
export type PayoutRequest = MerchantRecord & {
  readonly id: PayoutRequestId;
  /** Master of the merchant; null for a merchant that is no sub-merchant. */
  readonly masterId: MerchantId | null;
  /** The debited amount in cents, which the next two figures add up to. */
  readonly amount: Minor;
  readonly payoutFee: Minor;
  readonly netAmount: Minor;
  readonly currency: 'BRL';
  /** The definition by which the fee was computed, so that it can be verified. */
  readonly fee: { readonly version: number; readonly fixed: Minor; readonly variable: number };
  readonly status: PayoutStatus;
  readonly externalAccountDetails: { readonly type: 'pix'; readonly pixKey: string };
  readonly rejectionReason: string | null;
  /** Null until the request is approved. */
  readonly transferStatus: TransferStatus | null;
  /** Reference of the transfer at the bank, as the operator reported it. */
  readonly transferReference: string | null;
  readonly transferFailureReason: string | null;
  readonly sentAt: Timestamp | null;
  /** When a failed transfer's amount was returned to the balance. */
  readonly returnedAt: Timestamp | null;
  readonly processedAt: Timestamp | null;
};

export const PAYOUT_REQUESTS: Store<PayoutRequest, PayoutRequestEvent> = store(
  'payout_requests',
  'payout_request',
);

type NewPayoutRequest = {
  readonly id: PayoutRequestId;
  readonly livemode: boolean;
  /** Cents, more than zero. */
  readonly amount: Minor;
};

/**
 * 422 MERCHANT_NOT_ACTIVE for a merchant that is blocked or not yet admitted, and for such a master that asks for
 * another merchant.
 */
export const assertMayAsk = (merchant: Pick<Merchant, 'status'> | null): void => {
  if (merchant?.status !== 'active') throw mayNotAskForPayouts();
};

/**
 * A new request. 422, in this order: MERCHANT_NOT_ACTIVE, COMPANY_TAX_ID_MISSING, PAYOUT_FEE_NOT_CONFIGURED,
 * PAYOUT_AMOUNT_TOO_LOW.
 */
export const openPayoutRequest = (
  command: NewPayoutRequest,
  merchant: Pick<Merchant, 'id' | 'masterId' | 'status' | 'companyTaxId'>,
  fees: Pick<FeeDefinitions, 'version' | 'definitions'> | null,
  now: Date,
): Decision<PayoutRequest, PayoutRequestEvent> => {
  assertMayAsk(merchant);
  if (merchant.companyTaxId === null) throw companyTaxIdMissing();
  const definition = fees?.definitions.find((fee): fee is PayoutFee => fee.fee_type === 'payout')?.definition;
  if (!fees || !definition) throw payoutFeeNotConfigured();
  const payoutFee = payoutFeeOf(command.amount, definition);
  const netAmount = command.amount - payoutFee;
  if (netAmount <= 0) throw payoutAmountTooLow();
  return created('payout.requested', now, {
    ...command,
    merchantId: merchant.id,
    masterId: merchant.masterId,
    payoutFee,
    netAmount,
    currency: 'BRL',
    fee: { version: fees.version, fixed: definition.fixed, variable: definition.variable },
    status: 'pending',
    externalAccountDetails: { type: 'pix', pixKey: merchant.companyTaxId },
    rejectionReason: null,
    transferStatus: null,
    transferReference: null,
    transferFailureReason: null,
    sentAt: null,
    returnedAt: null,
    processedAt: null,
  });
};

/** The fee in cents: fixed + amount × variable / 100, rounded half up once. */
export const payoutFeeOf = (
  amount: Minor,
  { fixed, variable }: { readonly fixed: Minor; readonly variable: number },
): Minor => fixed + percentOf(amount, variable);

const assertPending = ({ status }: PayoutRequest): void => {
  if (status !== 'pending') throw payoutRequestAlreadyProcessed(status);
};

/**
 * Approves a request; the caller debits the balance in the same transaction. 422, in this order:
 * PAYOUT_REQUEST_ALREADY_PROCESSED unless it is pending, MERCHANT_NOT_ACTIVE where the merchant was blocked after it
 * asked.
 */
export const approvePayoutRequest = (
  request: PayoutRequest,
  merchant: Pick<Merchant, 'status'>,
  now: Date,
): Decision<PayoutRequest, PayoutRequestEvent> => {
  assertPending(request);
  if (merchant.status !== 'active') throw mayNotBePaidOut();
  return changed('payout.approved', request, now, {
    status: 'approved',
    transferStatus: 'pending',
    processedAt: timestamp(now),
  });
};

/** Rejects a request, which books nothing. 422 PAYOUT_REQUEST_ALREADY_PROCESSED unless it is pending. */
export const rejectPayoutRequest = (
  request: PayoutRequest,
  rejectionReason: string,
  now: Date,
): Decision<PayoutRequest, PayoutRequestEvent> => {
  assertPending(request);
  return changed('payout.rejected', request, now, {
    status: 'rejected',
    rejectionReason,
    processedAt: timestamp(now),
  });
};

const CANCELLED_BY_MERCHANT = 'cancelled by the merchant';

/** Cancels a request for its merchant. 422 PAYOUT_REQUEST_ALREADY_PROCESSED unless it is pending. */
export const cancelPayoutRequest = (
  request: PayoutRequest,
  now: Date,
): Decision<PayoutRequest, PayoutRequestEvent> => rejectPayoutRequest(request, CANCELLED_BY_MERCHANT, now);

/** An operator's report on the bank transfer. */
export type TransferReport = {
  readonly status: 'sent' | 'failed';
  readonly reference: string | null;
  readonly reason: string | null;
};

/**
 * Records the outcome of the transfer; the status of the request stays. A transfer is sent once and fails once,
 * possibly after it was sent, because a bank may send money back. 422 TRANSITION_NOT_ALLOWED for any other report.
 */
export const reportTransfer = (
  request: PayoutRequest,
  { status, reference, reason }: TransferReport,
  now: Date,
): Decision<PayoutRequest, PayoutRequestEvent> => {
  const { transferStatus } = request;
  const isAllowed = transferStatus === 'pending' || (transferStatus === 'sent' && status === 'failed');
  if (!isAllowed)
    throw transferStatusNotAllowed(
      transferStatus === null
        ? `A payout request that is ${request.status} has no transfer`
        : `A transfer that is ${transferStatus} cannot become ${status}`,
    );
  return changed(status === 'sent' ? 'payout.transfer_sent' : 'payout.transfer_failed', request, now, {
    transferStatus: status,
    transferReference: reference ?? request.transferReference,
    transferFailureReason: status === 'failed' ? reason : null,
    sentAt: status === 'sent' ? timestamp(now) : request.sentAt,
    returnedAt: status === 'failed' ? timestamp(now) : null,
  });
};
