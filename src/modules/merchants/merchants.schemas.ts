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
import { arrayOf, boolean, object, string } from '../../platform/http/typed.ts';
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
    'CNPJ (12 letters or digits and two check digits, such as `12.ABC.345/01DE-35`) or CPF (11 digits); punctuation is allowed and removed, and letters become upper case. Check digits have to be right.',
  );

/** A company tax id in an answer. */
export const taxId = string()
  .allow(null)
  .description(
    'CNPJ (12 letters or digits and two check digits) or CPF (11 digits), without punctuation; null without one.',
  );

export const TAG = 'Merchants (administration)';

const role = string()
  .valid(...MERCHANT_ROLES)
  .description('A `MerchantMaster` can have sub-merchants.');

/** A permission that keys, users and merchants can have. */
const merchantPermission = string()
  .valid(...MERCHANT_PERMISSIONS)
  .label('MerchantPermission');

const permissions = arrayOf(merchantPermission)
  .max(MERCHANT_PERMISSIONS.length)
  .unique()
  .description(
    "Permissions of the merchant's keys and users. Only groups give users `keys.manage` and `users.manage`, and a key never has them.",
  );

export const newMerchant = object({
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

export const merchantChanges = object({
  legalName,
  email: email(),
  companyTaxId,
  role,
  permissions,
  timeZone,
  status: string()
    .valid('active', 'blocked')
    .description(
      'A blocked merchant can read its records and refund its charges, but it can neither sell nor request payouts, and its pending payouts wait. A sub-merchant cannot be blocked here (422 `TRANSITION_NOT_ALLOWED`), but by `POST /v1/admin/submerchants/{id}/status`.',
    ),
  reason: text(1024).description('The reason of the new `status`, to be given together with it.'),
})
  .min(1)
  .example({ role: 'MerchantMaster' });

export const merchantAnswer = object({
  id: resourceId('mer').required(),
  legalName: string().required().description('Registered name.'),
  email: string().required().description('As given.'),
  companyTaxId: taxId.required(),
  role: role.required(),
  masterId: resourceId('mer')
    .allow(null)
    .required()
    .description('The master of a sub-merchant; null for other merchants.'),
  status: oneOf(MERCHANT_STATUSES).description(
    'A sub-merchant has the status of its credentialing; any other merchant is `active` or `blocked`.',
  ),
  statusReason: string()
    .allow(null)
    .required()
    .description('The reason that was given for the last change of `status`; null if there was none.'),
  livemode: boolean()
    .allow(null)
    .required()
    .description('The environment of a sub-merchant; null for a merchant that exists in both.'),
  permissions: permissions.required(),
  timeZone: string().required().description('Name of the IANA time zone database.'),
  ...timestamps,
}).label('Merchant');
