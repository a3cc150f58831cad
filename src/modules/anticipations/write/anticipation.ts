import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import type { Decision, Resource } from '../../../kernel/event.ts';
import type { AnticipationId, ChargeId, MerchantId } from '../../../kernel/ids.ts';
import { type Minor, sum } from '../../../kernel/money.ts';
import { type Store, store } from '../../../kernel/store.ts';
import type { Charge } from '../../charges/write/charge.ts';
import { dueAtOf } from '../../charges/write/settlement-schedule.ts';
import { partOf, sharesOf } from '../../charges/write/shares.ts';
import { stageOf } from '../../ledger/write/journal.ts';
import { type FeeDefinitions, type MethodFee, methodFeeOf } from '../../merchants/write/fees.ts';
import type { Merchant } from '../../merchants/write/merchant.ts';
import { daysUntil, fixedFeeOf, partFeeOf, percentageOf } from './anticipation-fee.ts';
import {
  anticipationAmountTooLow,
  anticipationFeeNotConfigured,
  chargeNotAnticipatable,
  mayNotAnticipate,
  nothingToAnticipate,
} from './refusals.ts';

/** A part of a merchant's share of a charge that is made available before it is due. */
type AnticipatedPart = {
  /** Number of the part, from 1. */
  readonly part: number;
  readonly dueAt: Timestamp;
  /** Days from the anticipation to the due date, where a day that has begun counts as one. */
  readonly days: number;
  readonly percentage: number;
  readonly amount: Minor;
  readonly fee: Minor;
};

/** The consecutive parts that are taken of one charge. */
export type AnticipatedCharge = {
  readonly chargeId: ChargeId;
  /** Number of parts of the whole charge. */
  readonly parts: number;
  readonly fixedFee: Minor;
  readonly amount: Minor;
  /** The fixed fee and the fees of all parts, which together are less than the amount. */
  readonly fee: Minor;
  readonly anticipated: readonly AnticipatedPart[];
};

export type AnticipationEvent = 'anticipation.created';

/** Reserved money of a merchant that was made available before it was due, for a fee. It never changes. */
export type Anticipation = Resource & {
  readonly id: AnticipationId;
  readonly livemode: boolean;
  readonly merchantId: MerchantId;
  readonly masterId: MerchantId | null;
  /** The charge that was asked for; null where an amount was asked for. */
  readonly chargeId: ChargeId | null;
  readonly requestedAmount: Minor | null;
  readonly currency: string;
  readonly amount: Minor;
  readonly fee: Minor;
  readonly netAmount: Minor;
  /** Version of the fee definitions by which the fee was computed. */
  readonly feeVersion: number;
  readonly charges: readonly AnticipatedCharge[];
  readonly createdAt: Timestamp;
};

export const ANTICIPATIONS: Store<Anticipation, AnticipationEvent> = store('anticipations', 'anticipation');

/** The most charges of one anticipation, because it is booked in one transaction. */
export const MAX_CHARGES = 100;

/**
 * A request for everything that a charge still has reserved for the merchant, or for an amount of the parts that are
 * due soonest.
 */
export type AnticipationRequest =
  | { readonly chargeId: string }
  | { readonly amount: Minor; readonly currency: string };

/** The parts that an anticipation would take, and its price. */
export type Quote = Pick<
  Anticipation,
  'currency' | 'amount' | 'fee' | 'netAmount' | 'feeVersion' | 'charges'
>;

/**
 * The members of a charge that an anticipation depends on; items and metadata are left out because they may be large.
 */
export type ReservedCharge = Omit<Charge, 'items' | 'metadata'>;

/** Charges that may be anticipated from. */
export type Reserved = {
  readonly charges: readonly ReservedCharge[];
  /** Among charges with parts that are due after this time some may be missing; null where none are. */
  readonly until: Timestamp | null;
};

type Anticipator = {
  readonly merchant: Pick<Merchant, 'id' | 'masterId' | 'status'>;
  readonly fees: Pick<FeeDefinitions, 'version' | 'definitions'> | null;
};

/**
 * Quotes an anticipation. 422, in this order: MERCHANT_NOT_ACTIVE, CHARGE_NOT_ANTICIPATABLE (for a named charge),
 * ANTICIPATION_FEE_NOT_CONFIGURED, NOTHING_TO_ANTICIPATE, ANTICIPATION_AMOUNT_TOO_LOW.
 */
export const quote = (
  request: AnticipationRequest,
  { merchant, fees }: Anticipator,
  reserved: Reserved,
  now: Date,
): Quote => {
  if (merchant.status !== 'active') throw mayNotAnticipate();
  const definitions = fees?.definitions ?? [];
  const feeOf = (charge: ReservedCharge): MethodFee | null => feeOfCharge(definitions, charge);
  const currency = 'currency' in request ? request.currency : reserved.charges[0]?.currency;
  const [named] = 'chargeId' in request ? reserved.charges : [];
  if (named && !isAnticipatable(named)) throw chargeNotAnticipatable(named.status);
  const isConfigured = named
    ? feeOf(named) !== null
    : definitions.some((fee) => fee.fee_type === 'anticipation' && fee.currency_code === currency);
  if (!fees || currency === undefined || !isConfigured) throw anticipationFeeNotConfigured();
  const candidates = reserved.charges
    .filter((charge) => charge.currency === currency && isAnticipatable(charge))
    .flatMap((charge) => candidatesOf(charge, merchant.id, feeOf(charge), now))
    .filter(({ part }) => reserved.until === null || part.dueAt <= reserved.until);
  const taken = takeSoonest(candidates, 'amount' in request ? request.amount : Number.POSITIVE_INFINITY);
  if (taken.length === 0) throw nothingToAnticipate();
  const charges = taken.filter(({ fee, amount }) => fee < amount);
  if (charges.length === 0) throw anticipationAmountTooLow();
  const amount = sum(charges.map((charge) => charge.amount));
  const fee = sum(charges.map((charge) => charge.fee));
  return { currency, amount, fee, netAmount: amount - fee, feeVersion: fees.version, charges };
};

/** The anticipation that is made of a quote. */
export const openAnticipation = (
  id: AnticipationId,
  request: AnticipationRequest,
  { id: merchantId, masterId }: Anticipator['merchant'],
  livemode: boolean,
  quoted: Quote,
  now: Date,
): Decision<Anticipation, AnticipationEvent> => ({
  type: 'anticipation.created',
  data: {
    id,
    version: 0,
    livemode,
    merchantId,
    masterId,
    chargeId: 'chargeId' in request ? (quoted.charges[0]?.chargeId ?? null) : null,
    requestedAmount: 'amount' in request ? request.amount : null,
    ...quoted,
    createdAt: timestamp(now),
  },
});

const isAnticipatable = ({ status, refundId, due }: ReservedCharge): boolean =>
  status === 'paid' && refundId === null && due !== null;

const feeOfCharge = (
  definitions: FeeDefinitions['definitions'],
  { currency, paymentMethod }: ReservedCharge,
): MethodFee | null =>
  methodFeeOf('anticipation', {
    definitions,
    paymentType: paymentMethod.type,
    currency,
    brand: paymentMethod.type === 'credit_card' ? paymentMethod.brand : null,
  });

/** Whether a part of the charge is still reserved for a merchant. */
export const hasReserved = (charge: ReservedCharge, merchantId: MerchantId): boolean =>
  reservedParts(charge, merchantId).length > 0;

/** The parts of a merchant's share that are still reserved; parts of zero are left out. */
const reservedParts = (charge: ReservedCharge, merchantId: MerchantId) => {
  const { due } = charge;
  const share = sharesOf(charge).find((one) => one.merchantId === merchantId)?.amount ?? 0;
  const { parts, settled } = stageOf(charge.settlement, merchantId);
  if (due === null) return [];
  return Array.from({ length: parts - settled }, (_, index) => {
    const part = settled + 1 + index;
    return { part, dueAt: dueAtOf(due, part), amount: partOf(share, parts, part) };
  }).filter(({ amount }) => amount > 0);
};

/** A part that can be taken together with the preceding ones of its charge. */
type Candidate = {
  readonly charge: ReservedCharge;
  readonly fixedFee: Minor;
  readonly part: AnticipatedPart;
};

const candidatesOf = (
  charge: ReservedCharge,
  merchantId: MerchantId,
  fee: MethodFee | null,
  now: Date,
): readonly Candidate[] => {
  if (fee === null) return [];
  const fixedFee = fixedFeeOf(fee, charge.currency);
  return reservedParts(charge, merchantId).flatMap(({ part, dueAt, amount }) => {
    const days = daysUntil(dueAt, now);
    const percentage = percentageOf(fee, days);
    if (percentage === null) return [];
    return [
      {
        charge,
        fixedFee,
        part: { part, dueAt, days, percentage, amount, fee: partFeeOf(amount, percentage, days) },
      },
    ];
  });
};

/**
 * Takes whole parts in the order of their due dates as long as they fit into the amount. A part that does not fit is
 * passed over, together with the later ones of its charge.
 */
const takeSoonest = (candidates: readonly Candidate[], atMost: number): readonly AnticipatedCharge[] => {
  const inOrder = [...candidates].sort((a, b) => compare(placeOf(a), placeOf(b)));
  const taken = new Map<ChargeId, Candidate[]>();
  const passedOver = new Set<ChargeId>();
  let left = atMost;
  for (const candidate of inOrder) {
    const { id } = candidate.charge;
    const known = taken.get(id);
    if (passedOver.has(id)) continue;
    if (candidate.part.amount > left || (!known && taken.size === MAX_CHARGES)) {
      passedOver.add(id);
      continue;
    }
    left -= candidate.part.amount;
    if (known) known.push(candidate);
    else taken.set(id, [candidate]);
  }
  return [...taken.values()].map(together);
};

const placeOf = ({ part, charge }: Candidate): string => `${part.dueAt} ${charge.id}`;
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const together = (candidates: readonly Candidate[]): AnticipatedCharge => {
  const [first] = candidates;
  if (!first) throw new Error('a charge without parts cannot be anticipated');
  const { charge, fixedFee } = first;
  const anticipated = candidates.map(({ part }) => part);
  return {
    chargeId: charge.id,
    parts: charge.settlement.parts,
    fixedFee,
    amount: sum(anticipated.map(({ amount }) => amount)),
    fee: fixedFee + sum(anticipated.map(({ fee }) => fee)),
    anticipated,
  };
};

/** The number of the last part that the anticipation makes available. */
export const lastPartOf = ({ anticipated }: AnticipatedCharge): number => {
  const last = anticipated.at(-1);
  if (!last) throw new Error('a charge without parts cannot be anticipated');
  return last.part;
};
