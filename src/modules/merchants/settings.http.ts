import Joi from 'joi';
import type { MerchantId } from '../../kernel/ids.ts';
import { MAX_AMOUNT } from '../../kernel/money.ts';
import { type Route, type Routes, route } from '../../platform/http/route.ts';
import { knownCurrency, text } from '../../platform/http/schemas.ts';
import { boolean, number, object, string, typed } from '../../platform/http/typed.ts';
import { PROPOSED, replyTo } from '../proposals/proposals.schemas.ts';
import type { SubmitCommand } from '../proposals/write/submit-command.ts';
import { PAYMENT_TYPES } from '../providers/provider.ts';
import { merchantParams } from './merchants.schemas.ts';
import {
  cardOrigins,
  checkoutAccent,
  checkoutName,
  checkoutWebsite,
  portalCancel,
  SETTINGS_TAG,
  settingAnswer,
  subscriptionHour,
} from './settings.schemas.ts';
import type { PlaceSetting } from './write/place-setting.ts';
import type { WithdrawSetting } from './write/remove-setting.ts';
import {
  CARD_ORIGINS,
  CHARGEBACK_ALERT_FEE,
  CHECKOUT_ACCENT,
  CHECKOUT_LOGO,
  CHECKOUT_NAME,
  CHECKOUT_WEBSITE,
  ENABLE_CONNECT,
  LIVE_PROVIDERS,
  MAX_DELAY_DAYS,
  PORTAL_CANCEL,
  READS_OWN_WRITES,
  SETTLEMENT_DELAY_DAYS,
  SUBSCRIPTION_HOUR,
  UNIQUE_REFERENCES,
} from './write/setting.ts';

const KNOWN = [
  CARD_ORIGINS,
  CHARGEBACK_ALERT_FEE,
  CHECKOUT_ACCENT,
  CHECKOUT_NAME,
  CHECKOUT_WEBSITE,
  ENABLE_CONNECT,
  LIVE_PROVIDERS,
  READS_OWN_WRITES,
  SETTLEMENT_DELAY_DAYS,
  PORTAL_CANCEL,
  SUBSCRIPTION_HOUR,
  UNIQUE_REFERENCES,
];
const KNOWN_NAMES = `Known names are checked: ${KNOWN.map((known) => `\`${known}\``).join(', ')}. Others take any JSON up to 16 KiB.`;

const settingOf = (known: string, label: string, content: Joi.Schema) =>
  object({
    name: string()
      .valid(known)
      .required()
      .description('Name of the setting, on which the form of `content` depends.'),
    content: content.required(),
  }).label(label);

const alertFee = object({
  amount: number()
    .greater(0)
    .max(MAX_AMOUNT)
    .required()
    .description('Decimal, with at most the digits of the currency.'),
  currency: knownCurrency().required(),
}).description('Fee of a chargeback alert for the merchant.');

const days = number().integer().min(0).max(MAX_DELAY_DAYS).description('Days from payment to settlement.');
const delays = object(Object.fromEntries(PAYMENT_TYPES.map((type) => [type, days]))).description(
  'Days by payment method. A method that is not named has no delay of its own.',
);

const MAX_ROUTES = 2_048;
const liveProviders = string()
  .max(MAX_ROUTES)
  .description(
    'Routes of payments with live keys, in the form of `LIVE_PROVIDERS`: `pix=pix-api,credit_card=stripe.pac_…`. They ' +
      'take precedence over those of the installation. A merchant may use its own accounts, and those of its master. In ' +
      'production a second operator approves them (202).',
  );

/** A known name prescribes its content; any other name takes any JSON. */
const knownOrOther = Joi.alternatives()
  .conditional('.name', {
    switch: [
      {
        is: CHARGEBACK_ALERT_FEE,
        then: settingOf(CHARGEBACK_ALERT_FEE, 'ChargebackAlertFeeSetting', alertFee),
      },
      {
        is: ENABLE_CONNECT,
        then: settingOf(
          ENABLE_CONNECT,
          'ConnectSetting',
          boolean().description('Whether the marketplace module is on.'),
        ),
      },
      {
        is: READS_OWN_WRITES,
        then: settingOf(
          READS_OWN_WRITES,
          'ReadsOwnWritesSetting',
          boolean().description(
            "Whether the merchant's lists wait for everything recorded before, as for the token `latest`.",
          ),
        ),
      },
      { is: LIVE_PROVIDERS, then: settingOf(LIVE_PROVIDERS, 'LiveProvidersSetting', liveProviders) },
      {
        is: UNIQUE_REFERENCES,
        then: settingOf(
          UNIQUE_REFERENCES,
          'UniqueReferencesSetting',
          boolean().description(
            'Whether a charge is refused if another charge of the merchant and environment, neither refused nor ' +
              'failed, has the same `reference`.',
          ),
        ),
      },
      {
        is: SUBSCRIPTION_HOUR,
        then: settingOf(SUBSCRIPTION_HOUR, 'SubscriptionHourSetting', subscriptionHour()),
      },
      { is: CARD_ORIGINS, then: settingOf(CARD_ORIGINS, 'CardOriginsSetting', cardOrigins()) },
      { is: PORTAL_CANCEL, then: settingOf(PORTAL_CANCEL, 'PortalCancelSetting', portalCancel()) },
      { is: CHECKOUT_NAME, then: settingOf(CHECKOUT_NAME, 'CheckoutNameSetting', checkoutName()) },
      { is: CHECKOUT_ACCENT, then: settingOf(CHECKOUT_ACCENT, 'CheckoutAccentSetting', checkoutAccent()) },
      {
        is: CHECKOUT_WEBSITE,
        then: settingOf(CHECKOUT_WEBSITE, 'CheckoutWebsiteSetting', checkoutWebsite()),
      },
      { is: SETTLEMENT_DELAY_DAYS, then: settingOf(SETTLEMENT_DELAY_DAYS, 'SettlementDelaySetting', delays) },
    ],
    otherwise: object({
      name: text(64)
        .invalid(...KNOWN, CHECKOUT_LOGO)
        .required()
        .description('Any name that the gateway does not use itself.'),
      content: Joi.any().required().description('Any JSON up to 16 KiB.'),
    }).label('OtherSetting'),
  })
  .example({ name: CHARGEBACK_ALERT_FEE, content: { amount: 35, currency: 'BRL' } })
  .example({ name: ENABLE_CONNECT, content: true })
  .example({ name: READS_OWN_WRITES, content: true })
  .meta({ title: 'SettingRequest' });

const newSetting = typed<{ readonly name: string; readonly content: unknown }>(knownOrOther);

const responses = {
  201: { description: 'The setting, given for the first time.', schema: settingAnswer },
  200: { description: 'The setting with its new content.', schema: settingAnswer },
  ...PROPOSED,
};
export const settingRoutes: Routes<{
  submit: SubmitCommand;
  placeSetting: PlaceSetting;
  withdrawSetting: WithdrawSetting;
}> = (deps) => {
  const put = (
    path: '/v1/merchants/{id}/settings' | '/v1/admin/settings',
    about: Pick<Route, 'operationId' | 'summary' | 'description' | 'params' | 'errors'>,
  ): Route =>
    route({
      method: 'post',
      path,
      ...about,
      tag: SETTINGS_TAG,
      access: { operator: 'admin.merchants.update' },
      body: newSetting,
      responses,
      async handle({ params, body, context }) {
        const merchantId = 'id' in params ? (params.id as MerchantId) : null;
        const submitted = await deps.submit(deps.placeSetting, { ...body, merchantId }, context);
        const isNew = 'result' in submitted && submitted.result.isNew;
        return replyTo(submitted, deps.placeSetting, isNew ? 201 : 200);
      },
    });
  return [
    put('/v1/merchants/{id}/settings', {
      operationId: 'setMerchantSetting',
      summary: 'Set or replace a setting of a merchant',
      params: merchantParams,
      description: `The setting takes precedence over the gateway-wide default of that name. ${KNOWN_NAMES}`,
      errors: [404],
    }),
    put('/v1/admin/settings', {
      operationId: 'setDefaultSetting',
      summary: 'Set or replace a gateway-wide default',
      description: `The default counts for merchants that have no setting of that name. ${KNOWN_NAMES}`,
    }),
    route({
      method: 'delete',
      path: '/v1/merchants/{id}/settings/{name}',
      operationId: 'removeMerchantSetting',
      summary: 'Remove a setting of a merchant',
      description:
        'From the next request on the gateway-wide default of that name counts again; if there is none, the setting counts as never made. Sub-merchants keep what they inherited. In production a second operator approves the removal of `live_providers` (202).',
      params: { ...merchantParams, name: 'Name of the setting, percent-encoded.' },
      tag: SETTINGS_TAG,
      access: { operator: 'admin.merchants.update' },
      responses: { 204: { description: 'The default applies again.' }, ...PROPOSED },
      errors: [404],
      async handle({ params, context }) {
        const removal = { merchantId: params.id as MerchantId, name: params.name };
        const submitted = await deps.submit(deps.withdrawSetting, removal, context);
        return 'proposal' in submitted ? replyTo(submitted, deps.withdrawSetting) : { status: 204 };
      },
    }),
  ];
};
