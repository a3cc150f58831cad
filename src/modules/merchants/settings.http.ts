import Joi from 'joi';
import type { MerchantId } from '../../kernel/ids.ts';
import { MAX_AMOUNT } from '../../kernel/money.ts';
import { consistencyTokenOf, type Route, route } from '../../platform/http/route.ts';
import { dateTime, knownCurrency, pageOf, resourceId, text } from '../../platform/http/schemas.ts';
import type { ListQuery } from '../../platform/read-store/list.ts';
import { PAYMENT_TYPES } from '../providers/provider.ts';
import { merchantParams } from './merchants.schemas.ts';
import { type ListSettings, settingList } from './read/list-settings.ts';
import { presentSetting } from './read/setting.view.ts';
import type { PutSetting } from './write/put-setting.ts';
import {
  CHARGEBACK_ALERT_FEE,
  ENABLE_CONNECT,
  MAX_DELAY_DAYS,
  SETTLEMENT_DELAY_DAYS,
} from './write/setting.ts';

const TAG = 'Settings (administration)';

const KNOWN = [CHARGEBACK_ALERT_FEE, ENABLE_CONNECT, SETTLEMENT_DELAY_DAYS];
const KNOWN_NAMES = `Known names are checked: ${KNOWN.map((known) => `\`${known}\``).join(', ')}. Others take any JSON up to 16 KiB.`;

const settingOf = (known: string, content: Joi.Schema): Joi.ObjectSchema =>
  Joi.object({
    name: Joi.string().valid(known).required().description('It decides what `content` is.'),
    content: content.required(),
  });

const alertFee = Joi.object({
  amount: Joi.number()
    .greater(0)
    .max(MAX_AMOUNT)
    .required()
    .description('Decimal, with at most the digits of the currency.'),
  currency: knownCurrency().required(),
}).description('What a chargeback alert costs the merchant.');

const days = Joi.number()
  .integer()
  .min(0)
  .max(MAX_DELAY_DAYS)
  .description('Days from payment to settlement.');
const delays = Joi.object(Object.fromEntries(PAYMENT_TYPES.map((type) => [type, days]))).description(
  'A method that is not named has no delay of its own.',
);

/** Each known name has a content of its own (specification 2.11, decisions 8). */
const newSetting = Joi.alternatives()
  .conditional('.name', {
    switch: [
      { is: CHARGEBACK_ALERT_FEE, then: settingOf(CHARGEBACK_ALERT_FEE, alertFee) },
      {
        is: ENABLE_CONNECT,
        then: settingOf(ENABLE_CONNECT, Joi.boolean().description('Whether the marketplace module is on.')),
      },
      { is: SETTLEMENT_DELAY_DAYS, then: settingOf(SETTLEMENT_DELAY_DAYS, delays) },
    ],
    otherwise: Joi.object({
      name: text(64)
        .trim()
        .invalid(...KNOWN)
        .required()
        .description('Any name that the gateway has no use of its own for.'),
      content: Joi.any().required().description('Any JSON up to 16 KiB.'),
    }),
  })
  .example({ name: CHARGEBACK_ALERT_FEE, content: { amount: 35, currency: 'BRL' } })
  .example({ name: ENABLE_CONNECT, content: true });

const settingAnswer = Joi.object({
  id: resourceId('set').required(),
  merchantId: resourceId('mer').allow(null).required().description('Null for a gateway-wide default.'),
  name: Joi.string().required().description('One setting of a name for each merchant, and one gateway-wide.'),
  content: Joi.any().required().description('What was set last, as it was sent.'),
  createdAt: dateTime().required(),
  updatedAt: dateTime().required(),
}).label('Setting');

type SettingBody = { readonly name: string; readonly content: unknown };

const responses = {
  201: { description: 'The setting, given for the first time.', schema: settingAnswer },
  200: { description: 'The setting with its new content.', schema: settingAnswer },
};
const page = { description: 'A page of settings.', schema: pageOf(settingAnswer) };

export const settingRoutes = (deps: {
  readonly putSetting: PutSetting;
  readonly listSettings: ListSettings;
}): readonly Route[] => {
  const put = (
    path: string,
    ofMerchant: boolean,
    about: Pick<Route, 'summary' | 'description' | 'params' | 'errors'>,
  ): Route =>
    route<SettingBody>({
      method: 'post',
      path,
      ...about,
      tag: TAG,
      access: { operator: 'admin.merchants.update' },
      body: newSetting,
      responses,
      async handle({ params, body, context }) {
        const merchantId = ofMerchant ? ((params.id ?? '') as MerchantId) : null;
        const { setting, isNew } = await deps.putSetting({ ...body, merchantId }, context);
        return { status: isNew ? 201 : 200, body: presentSetting(setting) };
      },
    });
  const list = (
    path: string,
    ofMerchant: boolean,
    about: Pick<Route, 'summary' | 'description' | 'params' | 'errors'>,
  ): Route =>
    route<unknown, ListQuery>({
      method: 'get',
      path,
      ...about,
      tag: TAG,
      access: { operator: 'admin.merchants.read' },
      query: settingList.query,
      consistent: true,
      responses: { 200: page },
      async handle(request) {
        const merchantId = ofMerchant ? (request.params.id ?? '') : null;
        const token = consistencyTokenOf(request);
        return { status: 200, body: await deps.listSettings(merchantId, request.query, token) };
      },
    });
  return [
    put('/v1/merchants/{id}/settings', true, {
      summary: 'Set or replace a setting of a merchant',
      params: merchantParams,
      description: `It counts before the gateway-wide default of that name. ${KNOWN_NAMES}`,
      errors: [404],
    }),
    list('/v1/merchants/{id}/settings', true, {
      summary: "List a merchant's own settings",
      params: merchantParams,
      description: 'Without the gateway-wide defaults. Newest first by default.',
      errors: [404],
    }),
    put('/v1/admin/settings', false, {
      summary: 'Set or replace a gateway-wide default',
      description: `It counts for merchants without a setting of that name. ${KNOWN_NAMES}`,
    }),
    list('/v1/admin/settings', false, {
      summary: 'List the gateway-wide defaults',
      description: 'Newest first by default.',
    }),
  ];
};
