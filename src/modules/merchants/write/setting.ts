import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import { type InputFault, invalidInput } from '../../../kernel/errors.ts';
import type { Decision, Resource } from '../../../kernel/event.ts';
import type { MerchantId } from '../../../kernel/ids.ts';
import { isCurrency, MAX_AMOUNT, type Minor, toMinor } from '../../../kernel/money.ts';
import { type Store, store } from '../../../kernel/store.ts';
import { PAYMENT_TYPES, type PaymentType } from '../../providers/provider.ts';

/** A named value of one merchant, or the gateway-wide default of that name (specification 2.11, 4.7). */
export type Setting = Resource & {
  /** Of owner and name, so that each name exists once. */
  readonly id: string;
  /** Null for a gateway-wide default. */
  readonly merchantId: MerchantId | null;
  readonly name: string;
  /** Free-form JSON as its text: no store can misread its field names. */
  readonly content: string;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
};

export const SETTINGS: Store<Setting> = store('settings', 'setting');

export const CHARGEBACK_ALERT_FEE = 'chargeback_alert_fee';
export const ENABLE_CONNECT = 'enable_connect';
export const SETTLEMENT_DELAY_DAYS = 'settlement_delay_days';

/** Bytes that a content may have as JSON (decisions 8). */
export const MAX_CONTENT_BYTES = 16_384;
export const MAX_DELAY_DAYS = 3_650;

export const settingId = (merchantId: MerchantId | null, name: string): string =>
  `${merchantId ?? 'gateway'}:${name}`;

export type NewSetting = {
  readonly merchantId: MerchantId | null;
  readonly name: string;
  readonly content: unknown;
};

/** Sets a name for the first time, or replaces its content. 400 where a known name has a content it cannot have. */
export const putSetting = (previous: Setting | null, command: NewSetting, now: Date): Decision<Setting> => {
  const { merchantId, name } = command;
  const content = JSON.stringify(command.content);
  const faults =
    Buffer.byteLength(content) > MAX_CONTENT_BYTES
      ? [fault('content', 'must be at most 16 KiB')]
      : (CHECKS.get(name)?.(command.content) ?? []);
  if (faults.length > 0) throw invalidInput(faults);
  return {
    type: previous ? 'setting.replaced' : 'setting.created',
    data: {
      id: settingId(merchantId, name),
      version: 0,
      merchantId,
      name,
      content,
      createdAt: previous?.createdAt ?? timestamp(now),
      updatedAt: timestamp(now),
    },
  };
};

export const contentOf = (setting: Pick<Setting, 'content'>): unknown => JSON.parse(setting.content);

export type AlertFee = { readonly amount: Minor; readonly currency: string };

/** The fee of a chargeback alert, in minor units of its own currency (decisions 6). */
export const alertFeeOf = (setting: Setting): AlertFee => {
  const { amount, currency } = contentOf(setting) as { amount: number; currency: string };
  const minor = toMinor(amount, currency);
  if (minor === null) throw new Error(`setting ${setting.id} has no amount of its currency`);
  return { amount: minor, currency };
};

export type SettlementDelays = Readonly<Partial<Record<PaymentType, number>>>;

/** Days until a payment of each method is settled; a method that is not named has no delay of its own. */
export const settlementDelaysOf = (setting: Setting): SettlementDelays =>
  contentOf(setting) as SettlementDelays;

/** Whether the marketplace module is on (specification 4.11). */
export const isConnectEnabled = (setting: Setting | null): boolean =>
  setting !== null && contentOf(setting) === true;

const fault = (path: string, problem: string): InputFault => ({ path, message: `${path} ${problem}` });

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const unknownFields = (content: object, allowed: readonly string[]): InputFault[] =>
  Object.keys(content)
    .filter((name) => !allowed.includes(name))
    .slice(0, 20)
    .map((name) => fault(`content.${name.slice(0, 64)}`, 'is not allowed'));

const checkAlertFee = (content: unknown): InputFault[] => {
  if (!isObject(content)) return [fault('content', 'must be an object of amount and currency')];
  const { amount, currency } = content;
  const unknown = unknownFields(content, ['amount', 'currency']);
  if (typeof currency !== 'string' || !isCurrency(currency))
    return [fault('content.currency', 'must be an ISO 4217 code'), ...unknown];
  if (typeof amount !== 'number' || amount <= 0)
    return [fault('content.amount', 'must be a number above zero'), ...unknown];
  const minor = toMinor(amount, currency);
  if (minor === null)
    return [fault('content.amount', 'has more decimals than its currency, or is too large'), ...unknown];
  return minor > MAX_AMOUNT ? [fault('content.amount', 'is too large'), ...unknown] : unknown;
};

const checkDelays = (content: unknown): InputFault[] => {
  if (!isObject(content)) return [fault('content', 'must be an object of days by payment method')];
  const days = Object.entries(content).filter(([method]) => PAYMENT_TYPES.includes(method as PaymentType));
  return [
    ...days
      .filter(([, value]) => !isDays(value))
      .map(([method]) => fault(`content.${method}`, `must be an integer of 0 to ${MAX_DELAY_DAYS} days`)),
    ...unknownFields(content, PAYMENT_TYPES),
  ];
};

const isDays = (value: unknown): boolean =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_DELAY_DAYS;

const checkSwitch = (content: unknown): InputFault[] =>
  typeof content === 'boolean' ? [] : [fault('content', 'must be true or false')];

const CHECKS: ReadonlyMap<string, (content: unknown) => InputFault[]> = new Map([
  [CHARGEBACK_ALERT_FEE, checkAlertFee],
  [ENABLE_CONNECT, checkSwitch],
  [SETTLEMENT_DELAY_DAYS, checkDelays],
]);
