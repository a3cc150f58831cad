import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import { type InputFault, invalidInput } from '../../../kernel/errors.ts';
import type { Decision, Resource } from '../../../kernel/event.ts';
import type { MerchantId } from '../../../kernel/ids.ts';
import {
  amountProblem,
  type Minor,
  PERCENTAGE_DECIMALS,
  percentOf,
  scaleDecimal,
  toMinor,
} from '../../../kernel/money.ts';
import { type Store, store } from '../../../kernel/store.ts';
import type { PaymentType } from '../../providers/provider.ts';
import { feesNotConfigured, installmentsNotOffered } from './refusals.ts';

/** Card networks, by the ids of the npm package credit-card-type. */
export const CARD_BRANDS = [
  'visa',
  'mastercard',
  'american-express',
  'elo',
  'hipercard',
  'discover',
  'diners-club',
  'jcb',
  'naranja',
  'cabal',
] as const;
type CardBrand = (typeof CARD_BRANDS)[number];

export const MAX_INSTALLMENTS = 12;

/** Fee of a payment method, for one card brand or for all (`brand` null). Field names are the API's. */
export type MethodFee = {
  readonly fee_type: 'tx_spread' | 'anticipation';
  readonly payment_method: PaymentType;
  readonly currency_code: string;
  readonly brand: CardBrand | null;
  /**
   * `fixed` is in decimal units of the currency. `percentages[n - 1]` is for a charge in n installments, or for an
   * anticipated part that is due in up to n × 30 days.
   */
  readonly definition: { readonly fixed: number; readonly percentages: readonly number[] };
};

/** Fee of a payout; `fixed` is in cents. */
export type PayoutFee = {
  readonly fee_type: 'payout';
  readonly currency_code: 'BRL';
  readonly definition: { readonly fixed: number; readonly variable: number };
};

export type FeeDefinition = MethodFee | PayoutFee;

type FeeDefinitionsEvent = 'fee_definitions.replaced';

/** All fees of one merchant. `id` is the merchant's; `version` is the version of the definitions. */
export type FeeDefinitions = Resource & {
  readonly id: MerchantId;
  readonly definitions: readonly FeeDefinition[];
  readonly updatedAt: Timestamp;
};

export const FEE_DEFINITIONS: Store<FeeDefinitions, FeeDefinitionsEvent> = store(
  'fee_definitions',
  'fee_definitions',
  { leased: 'all' },
);

/** Replaces the whole list; 400 with every fault that the schema cannot see. */
export const replaceFeeDefinitions = (
  merchantId: MerchantId,
  definitions: readonly FeeDefinition[],
  now: Date,
): Decision<FeeDefinitions, FeeDefinitionsEvent> => {
  const faults = faultsOf(definitions);
  if (faults.length > 0) throw invalidInput(faults);
  return {
    type: 'fee_definitions.replaced',
    data: { id: merchantId, version: 0, definitions, updatedAt: timestamp(now) },
  };
};

const faultsOf = (definitions: readonly FeeDefinition[]): readonly InputFault[] => {
  const seen = new Set<string>();
  return definitions.flatMap((fee, index) => {
    const key = keyOf(fee);
    const isRepeated = seen.has(key);
    seen.add(key);
    return [
      ...(isRepeated ? [{ path: `${index}`, message: `${index} repeats the fee of ${key}` }] : []),
      ...(fee.fee_type === 'payout' ? faultsOfPayout(fee, index) : faultsOfMethod(fee, index)),
    ];
  });
};

const keyOf = (fee: FeeDefinition): string =>
  fee.fee_type === 'payout'
    ? `${fee.fee_type} ${fee.currency_code}`
    : [fee.fee_type, fee.payment_method, fee.currency_code, fee.brand ?? 'every brand'].join(' ');

const faultsOfPayout = ({ definition }: PayoutFee, index: number): readonly InputFault[] =>
  faultsOfPercentage(definition.variable, `${index}.definition.variable`);

const faultsOfMethod = (fee: MethodFee, index: number): readonly InputFault[] => {
  const { fixed, percentages } = fee.definition;
  const problem = amountProblem(toMinor(fixed, fee.currency_code));
  return [
    ...(problem === null ? [] : [fault(`${index}.definition.fixed`, problem)]),
    ...percentages.flatMap((value, position) =>
      faultsOfPercentage(value, `${index}.definition.percentages.${position}`),
    ),
  ];
};

const faultsOfPercentage = (value: number, path: string): readonly InputFault[] =>
  scaleDecimal(value, PERCENTAGE_DECIMALS) === null
    ? [fault(path, `must have at most ${PERCENTAGE_DECIMALS} decimals`)]
    : [];

const fault = (path: string, message: string): InputFault => ({ path, message: `${path} ${message}` });

export type Spread = {
  /** The amount that the gateway keeps. */
  readonly spread: Minor;
  readonly fixed: Minor;
  readonly percentage: number;
  /** The definition that was applied; null where a test key has none. */
  readonly definition: MethodFee | null;
};

/**
 * The spread of a charge: fixed + amount × percentage of its installments, rounded half up once, and never above the
 * amount. 422 INSTALLMENTS_NOT_OFFERED, 422 FEES_NOT_CONFIGURED (live keys only).
 */
export const spreadOf = (charge: {
  readonly definitions: readonly FeeDefinition[];
  readonly livemode: boolean;
  readonly paymentType: PaymentType;
  readonly currency: string;
  readonly brand: string | null;
  readonly amount: Minor;
  readonly installments: number;
}): Spread => {
  const definition = methodFeeOf('tx_spread', charge);
  if (definition === null) {
    if (charge.livemode) throw feesNotConfigured();
    return { spread: 0, fixed: 0, percentage: 0, definition: null };
  }
  const percentage = definition.definition.percentages[charge.installments - 1];
  if (percentage === undefined) throw installmentsNotOffered();
  const fixed = toMinor(definition.definition.fixed, charge.currency);
  if (fixed === null) throw new Error('a stored fee has more decimals than its currency');
  return { spread: spreadBy({ fixed, percentage }, charge.amount), fixed, percentage, definition };
};

/** The spread of an amount by the figures of a definition: rounded half up once, never above the amount. */
export const spreadBy = ({ fixed, percentage }: Pick<Spread, 'fixed' | 'percentage'>, amount: Minor): Minor =>
  Math.min(amount, fixed + percentOf(amount, percentage));

/** The fee of this type that applies to a payment: the brand's definition if there is one, else the method's. */
export const methodFeeOf = (
  feeType: MethodFee['fee_type'],
  payment: {
    readonly definitions: readonly FeeDefinition[];
    readonly paymentType: PaymentType;
    readonly currency: string;
    readonly brand: string | null;
  },
): MethodFee | null => {
  const candidates = payment.definitions.filter(
    (fee): fee is MethodFee =>
      fee.fee_type === feeType &&
      fee.payment_method === payment.paymentType &&
      fee.currency_code === payment.currency,
  );
  const ofBrand = candidates.find((fee) => fee.brand !== null && fee.brand === payment.brand);
  return ofBrand ?? candidates.find((fee) => fee.brand === null) ?? null;
};
