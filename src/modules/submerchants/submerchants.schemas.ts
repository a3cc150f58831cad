import Joi from 'joi';
import {
  currency,
  email,
  httpUrl,
  livemode,
  oneOf,
  postalAddress,
  resourceId,
  text,
  timestamps,
} from '../../platform/http/schemas.ts';
import { companyTaxId, legalName, taxId } from '../merchants/merchants.schemas.ts';
import { MERCHANT_STATUSES } from '../merchants/write/merchant.ts';
import { connectNotEnabled } from '../merchants/write/refusals.ts';
import { PAYMENT_TYPES } from '../providers/provider.ts';
import { masterOnly } from './write/refusals.ts';

export const TAG = 'Sub-merchants';
export const ADMIN_TAG = 'Sub-merchants (administration)';

export const MASTERS_ONLY = [masterOnly, connectNotEnabled];

/** The parameter of a path below a sub-merchant. */
export const submerchantParams = { id: 'Id of the sub-merchant, `mer_…`.' };

const address = postalAddress();

const fields = {
  legalName,
  email: email(),
  companyTaxId: companyTaxId.description(
    'CNPJ (12 letters or digits and two check digits) or CPF (11 digits); punctuation is removed, letters become upper case; check digits count with a live key. Payouts go to the Pix key of this number.',
  ),
  phone: text(32).allow(null).description('In any notation; null without one.'),
  address,
  postbackUrl: httpUrl().allow(null).description('Told about every change of `status`.'),
};

export const newSubmerchant = Joi.object({
  legalName: fields.legalName.required(),
  email: fields.email.required(),
  companyTaxId: fields.companyTaxId.default(null),
  phone: fields.phone.default(null),
  address: fields.address.default(null),
  postbackUrl: fields.postbackUrl.default(null),
})
  .example({
    legalName: 'Banca da Ana Ltda',
    email: 'ana@example.com',
    companyTaxId: '11.444.777/0001-61',
    address: { country: 'BR', city: 'São Paulo' },
    postbackUrl: 'https://example.com/submerchants',
  })
  .label('SubmerchantRequest');

export const submerchantChanges = Joi.object(fields)
  .min(1)
  .example({ email: 'ana@example.com', phone: '+55 11 98765-4321' })
  .label('SubmerchantChanges');

const status = oneOf(MERCHANT_STATUSES).description(
  'Credentialing status. Only an `active` sub-merchant can sell and be paid out.',
);

export const statusMove = Joi.object({
  status,
  reason: text(1024).allow(null).default(null).description('Shown to the master as `statusReason`.'),
  version: Joi.number()
    .integer()
    .min(1)
    .max(Number.MAX_SAFE_INTEGER)
    .description(
      'The `version` of the sub-merchant that was reviewed; changed since: 409 `VERSION_CHANGED`.',
    ),
})
  .example({ status: 'blocked', reason: 'documents have expired' })
  .example({ status: 'active', version: 3 })
  .label('SubmerchantStatusMove');

export const submerchantAnswer = Joi.object({
  id: resourceId('mer').required(),
  version: Joi.number()
    .integer()
    .required()
    .description('Grows with every change; an operator names the one that was reviewed.'),
  masterId: resourceId('mer').required().description('The master that created it.'),
  livemode: livemode().required(),
  legalName: Joi.string().required().description('Registered name.'),
  email: Joi.string().required().description('As given.'),
  companyTaxId: taxId.required(),
  phone: Joi.string().allow(null).required().description('As given; null without one.'),
  address: address.required(),
  status,
  statusReason: Joi.string()
    .allow(null)
    .required()
    .description('Reason that the operator gave for the present status; null without one.'),
  postbackUrl: Joi.string()
    .allow(null)
    .required()
    .description('Told about every change of `status`; null without one.'),
  ...timestamps,
}).label('Submerchant');

export const keysAnswer = Joi.object({
  publicKey: Joi.string()
    .pattern(/^pk_(test|live)_/)
    .required()
    .description('Not secret. It allows `GET /v1/payment-methods` only.'),
  secretKey: Joi.string()
    .pattern(/^sk_(test|live)_/)
    .required()
    .description('User name of Basic authentication; whoever has it acts as the sub-merchant.'),
}).label('SubmerchantKeys');

export const feesInfo = Joi.object({
  merchant: Joi.object({
    id: resourceId('mer').required(),
    legalName: Joi.string().required().description('Registered name.'),
    companyTaxId: taxId.required(),
  })
    .required()
    .description('Registration data of the sub-account.'),
  fees: Joi.array()
    .items(
      Joi.object({
        feeType: Joi.string()
          .valid('tx_spread', 'anticipation')
          .required()
          .description(
            '`tx_spread`: what the gateway keeps of a charge; `anticipation`: what it keeps of parts that are made available before they are due.',
          ),
        paymentMethod: oneOf(PAYMENT_TYPES).description('The `type` of payment method that the fee is for.'),
        currencyCode: currency().required(),
        brand: Joi.string()
          .allow(null)
          .required()
          .description('Card network; null: the default of the method.'),
        definition: Joi.object({
          fixed: Joi.number().required().description('Decimal units of the currency.'),
          percentages: Joi.array()
            .items(Joi.number())
            .required()
            .description(
              'Per cent. Of `tx_spread` by installments: index 0 is one payment, index 11 is 12 installments. Of `anticipation` by periods of 30 days until a part is due: index 0 is up to 30 days.',
            ),
        })
          .required()
          .description(
            '`tx_spread`: fixed + amount × percentage / 100. `anticipation`: see `POST /v1/anticipations`.',
          ),
      }),
    )
    .required()
    .description('As stored: no brand is merged with the default of its method.'),
}).label('FeesInfo');
