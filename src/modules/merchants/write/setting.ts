import { timestamp } from '../../../kernel/clock.ts';
import { type InputFault, invalidInput } from '../../../kernel/errors.ts';
import { changed, type DatedResource, type Decision } from '../../../kernel/event.ts';
import type { MerchantId, SettingId } from '../../../kernel/ids.ts';
import { amountProblem, type Minor, toMinor } from '../../../kernel/money.ts';
import { type Store, store } from '../../../kernel/store.ts';
import type { PaymentType } from '../../providers/provider.ts';

type SettingEvent = 'setting.created' | 'setting.removed' | 'setting.replaced';

/** A named value of one merchant, or the gateway-wide default of that name. */
export type Setting = DatedResource & {
  readonly id: SettingId;
  /** Made of owner and name, so that each name exists once. The key of a removed setting also contains its id. */
  readonly key: string;
  /** Null for a gateway-wide default. */
  readonly merchantId: MerchantId | null;
  readonly name: string;
  /** Any JSON, kept as its text, so that no store can misread its field names. */
  readonly content: string;
  /** Set once the setting was removed: the default applies again, and its former key is free for a new setting. */
  readonly removed?: true;
};

export const SETTINGS: Store<Setting, SettingEvent> = store('settings', 'setting', {
  leased: 'all',
  auditsEverybody: true,
});

export const CHARGEBACK_ALERT_FEE = 'chargeback_alert_fee';
export const ENABLE_CONNECT = 'enable_connect';
export const SETTLEMENT_DELAY_DAYS = 'settlement_delay_days';
export const READS_OWN_WRITES = 'reads_own_writes';
export const UNIQUE_REFERENCES = 'unique_references';
export const LIVE_PROVIDERS = 'live_providers';
export const SUBSCRIPTION_HOUR = 'subscription_hour';
export const PORTAL_CANCEL = 'portal_cancel';
export const CARD_ORIGINS = 'card_origins';
export const CHECKOUT_NAME = 'checkout_name';
export const CHECKOUT_ACCENT = 'checkout_accent';
export const CHECKOUT_LOGO = 'checkout_logo';
export const CHECKOUT_WEBSITE = 'checkout_website';

/** Cycles of subscriptions fall due in the morning, when somebody is there to help a payer. */
const USUAL_SUBSCRIPTION_HOUR = 9;

/** Bytes that a content may have as JSON. */
const MAX_CONTENT_BYTES = 16_384;
/** A logo of 15 kB takes a third more in Base64. */
const MAX_LOGO_BYTES = 20_480;
export const MAX_DELAY_DAYS = 3_650;

export const settingKey = (merchantId: MerchantId | null, name: string): string =>
  `${merchantId ?? 'gateway'}:${name}`;

/** The keys under which a merchant's setting of that name and the gateway-wide default are stored. */
export const settingKeys = (merchantId: MerchantId, name: string): readonly string[] => [
  settingKey(merchantId, name),
  settingKey(null, name),
];

/** Puts the merchant's own setting before the gateway-wide default. */
export const ownFirst = (settings: readonly Setting[]): readonly Setting[] => [
  ...settings.filter(({ merchantId }) => merchantId !== null),
  ...settings.filter(({ merchantId }) => merchantId === null),
];

export type NewSetting = {
  /** Id for a setting that may not exist yet. */
  readonly id: SettingId;
  readonly merchantId: MerchantId | null;
  readonly name: string;
  readonly content: unknown;
};

/**
 * Sets a name for the first time, or replaces its content. 400 for a content that is too large, or whose amount does
 * not fit its currency.
 */
export const putSetting = (
  previous: Setting | null,
  command: NewSetting,
  now: Date,
): Decision<Setting, SettingEvent> => {
  const { merchantId, name } = command;
  const content = JSON.stringify(command.content);
  const most = name === CHECKOUT_LOGO ? MAX_LOGO_BYTES : MAX_CONTENT_BYTES;
  const faults =
    Buffer.byteLength(content) > most
      ? [fault('content', 'must be at most 16 KiB')]
      : name === CHARGEBACK_ALERT_FEE
        ? alertFeeFaults(command.content)
        : [];
  if (faults.length > 0) throw invalidInput(faults);
  return {
    type: previous ? 'setting.replaced' : 'setting.created',
    data: {
      id: previous?.id ?? command.id,
      version: 0,
      key: settingKey(merchantId, name),
      merchantId,
      name,
      content,
      createdAt: previous?.createdAt ?? timestamp(now),
      updatedAt: timestamp(now),
    },
  };
};

/** Removes a setting: a search for its key no longer finds it. */
export const removeSetting = (setting: Setting, now: Date): Decision<Setting, SettingEvent> =>
  changed('setting.removed', setting, now, { key: `${setting.key}:${setting.id}`, removed: true });

export const contentOf = (setting: Pick<Setting, 'content'>): unknown => JSON.parse(setting.content);

export type AlertFee = { readonly amount: Minor; readonly currency: string };

/** The fee of a chargeback alert, in minor units of its own currency. */
export const alertFeeOf = (setting: Setting): AlertFee => {
  const { amount, currency } = contentOf(setting) as { amount: number; currency: string };
  const minor = toMinor(amount, currency);
  if (minor === null) throw new Error(`setting ${setting.id} has no amount of its currency`);
  return { amount: minor, currency };
};

type SettlementDelays = Readonly<Partial<Record<PaymentType, number>>>;

/** Days until a payment of each method is settled; a method that is not named has no delay of its own. */
export const settlementDelaysOf = (setting: Setting): SettlementDelays =>
  contentOf(setting) as SettlementDelays;

/** Routes to providers as text; null without the setting. */
export const routesOf = (setting: Setting | null): string | null =>
  setting === null ? null : (contentOf(setting) as string);

/** The hour of the local day at which cycles of subscriptions fall due. */
export const subscriptionHourOf = (setting: Setting | null): number =>
  setting === null ? USUAL_SUBSCRIPTION_HOUR : (contentOf(setting) as number);

/** The value of a setting that is a text; null without the setting. */
export const textOf = (setting: Setting | null): string | null =>
  setting === null ? null : String(contentOf(setting));

/** Origins of the pages that may show the merchant's card fields with live keys; empty without the setting. */
export const originsOf = (setting: Setting | null): readonly string[] => {
  const content = setting && contentOf(setting);
  return Array.isArray(content) ? content.filter((one): one is string => typeof one === 'string') : [];
};

/** Whether a setting that is `true` or `false` is on; it is off where it was never set. */
export const isOn = (setting: Setting | null): boolean => setting !== null && contentOf(setting) === true;

const fault = (path: string, problem: string): InputFault => ({ path, message: `${path} ${problem}` });

/** The schema cannot check that the amount fits its currency, so this does. */
const alertFeeFaults = (content: unknown): InputFault[] => {
  const { amount, currency } = content as { readonly amount: number; readonly currency: string };
  const problem = amountProblem(toMinor(amount, currency));
  return problem === null ? [] : [fault('content.amount', problem)];
};
