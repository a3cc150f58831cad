import Joi from 'joi';
import { dateTime, email, freeText, httpUrl, resourceId, text } from '../../platform/http/schemas.ts';
import { companyTaxId, legalName } from '../merchants/merchants.schemas.ts';
import { MERCHANT_STATUSES } from '../merchants/write/merchant.ts';
import { PAYMENT_TYPES } from '../providers/provider.ts';

/** The parameter of a path below a sub-merchant. */
export const submerchantParams = { id: 'Id of the sub-merchant, `mer_…`.' };

const address = Joi.object({
  country: text(64).required(),
  line1: freeText(255),
  line2: freeText(255),
  city: text(128),
  state: text(64),
  postalCode: text(32),
}).allow(null);

const fields = {
  legalName,
  email: email(),
  companyTaxId: companyTaxId.description(
    'CNPJ (14 digits) or CPF (11 digits); punctuation is removed; check digits count with a live key. Payouts go to the Pix key of this number.',
  ),
  phone: text(32).allow(null),
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

const status = Joi.string().valid(...MERCHANT_STATUSES);

export const statusMove = Joi.object({
  status: status.required(),
  reason: freeText(1024).allow(null).default(null).description('Shown to the master as `statusReason`.'),
})
  .example({ status: 'blocked', reason: 'documents have expired' })
  .label('SubmerchantStatusMove');

export const submerchantAnswer = Joi.object({
  id: resourceId('mer').required(),
  masterId: resourceId('mer').required(),
  livemode: Joi.boolean().required().description('The environment of the key that created it.'),
  legalName: Joi.string().required(),
  email: Joi.string().required(),
  companyTaxId: Joi.string().allow(null).required().description('Digits only.'),
  phone: Joi.string().allow(null).required(),
  address: address.required(),
  status: status.required(),
  statusReason: Joi.string().allow(null).required(),
  postbackUrl: Joi.string().allow(null).required(),
  createdAt: dateTime().required(),
  updatedAt: dateTime().required(),
}).label('Submerchant');

export const keysAnswer = Joi.object({
  publicKey: Joi.string()
    .pattern(/^pk_(test|live)_/)
    .required(),
  secretKey: Joi.string()
    .pattern(/^sk_(test|live)_/)
    .required(),
}).label('SubmerchantKeys');

export const feesInfo = Joi.object({
  merchant: Joi.object({
    id: resourceId('mer').required(),
    legalName: Joi.string().required(),
    companyTaxId: Joi.string().allow(null).required(),
  }).required(),
  fees: Joi.array()
    .items(
      Joi.object({
        feeType: Joi.string().valid('tx_spread', 'anticipation').required(),
        paymentMethod: Joi.string()
          .valid(...PAYMENT_TYPES)
          .required(),
        currencyCode: Joi.string().length(3).required(),
        brand: Joi.string()
          .allow(null)
          .required()
          .description('Card network; null: the default of the method.'),
        definition: Joi.object({
          fixed: Joi.number().required().description('Decimal units of the currency.'),
          percentages: Joi.array()
            .items(Joi.number())
            .required()
            .description('Indexed by installments: index 0 is one payment, index 11 is 12 installments.'),
        }).required(),
      }),
    )
    .required(),
}).label('FeesInfo');
