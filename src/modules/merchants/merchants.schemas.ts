import Joi from 'joi';
import { MERCHANT_PERMISSIONS } from '../../kernel/principal.ts';
import {
  characters,
  email,
  oneOf,
  resourceId,
  text,
  timestamps,
  timeZone,
} from '../../platform/http/schemas.ts';
import { MERCHANT_ROLES, MERCHANT_STATUSES, parseCompanyTaxId } from './write/merchant.ts';

/** The parameter of a path below a merchant. */
export const merchantParams = { id: 'Id of the merchant, `mer_…`.' };

export const legalName = text(200).description('Registered name.');

export const companyTaxId = characters(24)
  .allow(null)
  .custom(
    (value: string, helpers) =>
      parseCompanyTaxId(value) ??
      helpers.message({
        custom: '{{#label}} must be a CNPJ (12 letters or digits and two check digits) or a CPF (11 digits)',
      }),
  )
  .meta({ pattern: '^[./ -]*(([0-9A-Za-z][./ -]*){12}(\\d[./ -]*){2}|(\\d[./ -]*){11})$' })
  .description(
    'CNPJ (12 letters or digits and two check digits, such as `12.ABC.345/01DE-35`) or CPF (11 digits); punctuation is allowed and removed, letters become upper case. Check digits count.',
  );

/** A company tax id in an answer. */
export const taxId = Joi.string()
  .allow(null)
  .description(
    'CNPJ (12 letters or digits and two check digits) or CPF (11 digits), without punctuation; null without one.',
  );

export const TAG = 'Merchants (administration)';

const role = Joi.string()
  .valid(...MERCHANT_ROLES)
  .description('A `MerchantMaster` can have sub-merchants.');

/** A permission that keys, users and merchants can have. */
const merchantPermission = Joi.string()
  .valid(...MERCHANT_PERMISSIONS)
  .label('MerchantPermission');

const permissions = Joi.array()
  .items(merchantPermission)
  .max(MERCHANT_PERMISSIONS.length)
  .unique()
  .description(
    "Permissions of the merchant's keys and users. A user has `keys.manage` and `users.manage` by a group only, a key never.",
  );

export const newMerchant = Joi.object({
  legalName: legalName.required(),
  email: email().required(),
  companyTaxId: companyTaxId.default(null),
  role: role.required(),
  timeZone: timeZone.default('UTC'),
}).example({
  legalName: 'Padaria do Bairro Ltda',
  email: 'padaria@example.com',
  companyTaxId: '11.222.333/0001-81',
  role: 'Merchant',
  timeZone: 'America/Sao_Paulo',
});

export const merchantChanges = Joi.object({
  legalName,
  email: email(),
  companyTaxId,
  role,
  permissions,
  timeZone,
  status: Joi.string()
    .valid('active', 'blocked')
    .description(
      'A blocked merchant reads, and refunds what it sold; it neither sells nor asks for payouts, and its pending ones wait. Of a sub-merchant: 422 `TRANSITION_NOT_ALLOWED`, see `POST /v1/admin/submerchants/{id}/status`.',
    ),
  reason: text(1024).description('The reason of `status`, given together with it.'),
})
  .min(1)
  .example({ role: 'MerchantMaster' });

export const merchantAnswer = Joi.object({
  id: resourceId('mer').required(),
  legalName: Joi.string().required().description('Registered name.'),
  email: Joi.string().required().description('As given.'),
  companyTaxId: taxId.required(),
  role: role.required(),
  masterId: resourceId('mer')
    .allow(null)
    .required()
    .description('The master of a sub-merchant; null for other merchants.'),
  status: oneOf(MERCHANT_STATUSES).description(
    'Of a sub-merchant, its credentialing; another merchant is `active` or `blocked`.',
  ),
  statusReason: Joi.string()
    .allow(null)
    .required()
    .description('The reason that was given when `status` last moved; null where there was none.'),
  livemode: Joi.boolean()
    .allow(null)
    .required()
    .description('The environment of a sub-merchant; null for a merchant that exists in both.'),
  permissions: permissions.required(),
  timeZone: Joi.string().required().description('Name of the IANA time zone database.'),
  ...timestamps,
}).label('Merchant');
