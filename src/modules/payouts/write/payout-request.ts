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

/** Statuses of the API. */
export const PAYOUT_STATUSES = ['pending', 'approved', 'rejected'] as const;
type PayoutStatus = (typeof PAYOUT_STATUSES)[number];

/** How the bank transfer of an approved request stands. */
export const TRANSFER_STATUSES = ['pending', 'sent', 'failed'] as const;
type TransferStatus = (typeof TRANSFER_STATUSES)[number];

type PayoutRequestId = Id<'po'>;

/** A merchant's wish to get money out of its `available` balance. */
export type PayoutRequest = MerchantRecord & {
  readonly id: PayoutRequestId;
  /** Master of the merchant, null for a merchant that is no sub-merchant. */
  readonly masterId: MerchantId | null;
  /** In cents, as the two figures that it divides into. */
  readonly amount: Minor;
  readonly payoutFee: Minor;
  readonly netAmount: Minor;
  readonly currency: 'BRL';
  /** How the fee came about, so that it can be recomputed. */
  readonly fee: { readonly version: number; readonly fixed: Minor; readonly variable: number };
  readonly status: PayoutStatus;
  readonly externalAccountDetails: { readonly type: 'pix'; readonly pixKey: string };
  readonly rejectionReason: string | null;
  /** Null until the request is approved. */
  readonly transferStatus: TransferStatus | null;
  /** The bank's name of the transfer, as the operator reported it. */
  readonly transferReference: string | null;
  readonly transferFailureReason: string | null;
  readonly sentAt: Timestamp | null;
  /** When the amount of a failed transfer was given back. */
  readonly returnedAt: Timestamp | null;
  readonly processedAt: Timestamp | null;
};

export const PAYOUT_REQUESTS: Store<PayoutRequest> = store('payout_requests', 'payout_request');

type NewPayoutRequest = {
  readonly id: PayoutRequestId;
  readonly livemode: boolean;
  /** In cents, above zero. */
  readonly amount: Minor;
};

/** 422 MERCHANT_NOT_ACTIVE for a merchant that was blocked, or not admitted; also for a master that asks for another. */
export const assertMayAsk = (merchant: Pick<Merchant, 'status'> | null): void => {
  if (merchant?.status !== 'active') throw mayNotAskForPayouts();
};

/**
 * Asks for a payout. 422, in this order: MERCHANT_NOT_ACTIVE, COMPANY_TAX_ID_MISSING,
 * PAYOUT_FEE_NOT_CONFIGURED, PAYOUT_AMOUNT_TOO_LOW.
 */
export const openPayoutRequest = (
  command: NewPayoutRequest,
  merchant: Pick<Merchant, 'id' | 'masterId' | 'status' | 'companyTaxId'>,
  fees: Pick<FeeDefinitions, 'version' | 'definitions'> | null,
  now: Date,
): Decision<PayoutRequest> => {
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

/** Fee in cents: fixed + amount × variable / 100, rounded half up once. */
export const payoutFeeOf = (
  amount: Minor,
  { fixed, variable }: { readonly fixed: Minor; readonly variable: number },
): Minor => fixed + percentOf(amount, variable);

const assertPending = ({ status }: PayoutRequest): void => {
  if (status !== 'pending') throw payoutRequestAlreadyProcessed(status);
};

/**
 * The caller debits the balance in the same transaction. 422, in this order: PAYOUT_REQUEST_ALREADY_PROCESSED where it
 * is not pending, MERCHANT_NOT_ACTIVE where its merchant was blocked since it asked.
 */
export const approvePayoutRequest = (
  request: PayoutRequest,
  merchant: Pick<Merchant, 'status'>,
  now: Date,
): Decision<PayoutRequest> => {
  assertPending(request);
  if (merchant.status !== 'active') throw mayNotBePaidOut();
  return changed('payout.approved', request, now, {
    status: 'approved',
    transferStatus: 'pending',
    processedAt: timestamp(now),
  });
};

/** Nothing is booked. Not pending: 422 PAYOUT_REQUEST_ALREADY_PROCESSED. */
export const rejectPayoutRequest = (
  request: PayoutRequest,
  rejectionReason: string,
  now: Date,
): Decision<PayoutRequest> => {
  assertPending(request);
  return changed('payout.rejected', request, now, {
    status: 'rejected',
    rejectionReason,
    processedAt: timestamp(now),
  });
};

const CANCELLED_BY_MERCHANT = 'cancelled by the merchant';

/** Its merchant wants the money no longer. Not pending: 422 PAYOUT_REQUEST_ALREADY_PROCESSED. */
export const cancelPayoutRequest = (request: PayoutRequest, now: Date): Decision<PayoutRequest> =>
  rejectPayoutRequest(request, CANCELLED_BY_MERCHANT, now);

/** Report of an operator on the bank transfer. */
export type TransferReport = {
  readonly status: 'sent' | 'failed';
  readonly reference: string | null;
  readonly reason: string | null;
};

/**
 * A transfer is sent once, and fails once, also after it was sent: a bank may send it back. Anything else: 422
 * TRANSITION_NOT_ALLOWED. The request keeps its status.
 */
export const reportTransfer = (
  request: PayoutRequest,
  { status, reference, reason }: TransferReport,
  now: Date,
): Decision<PayoutRequest> => {
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
