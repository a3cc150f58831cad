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
import { arrayOf, number, object, string } from '../../platform/http/typed.ts';
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
    'CNPJ (12 letters or digits and two check digits) or CPF (11 digits); punctuation is removed, and letters become upper case. Check digits have to be right. Payouts go to the Pix key of this number.',
  ),
  phone: text(32).allow(null).description('Phone number in any notation; null without one.'),
  address,
  postbackUrl: httpUrl().allow(null).description('Address that is notified of every change of `status`.'),
};

export const newSubmerchant = object({
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

export const submerchantChanges = object(fields)
  .min(1)
  .example({ email: 'ana@example.com', phone: '+55 11 98765-4321' })
  .label('SubmerchantChanges');

const status = oneOf(MERCHANT_STATUSES).description(
  'Credentialing status. Only an `active` sub-merchant can sell and be paid out.',
);

export const statusMove = object({
  status,
  reason: text(1024)
    .allow(null)
    .default(null)
    .description('The reason, which the master sees as `statusReason`.'),
  version: number()
    .integer()
    .min(1)
    .max(Number.MAX_SAFE_INTEGER)
    .description(
      'The `version` of the sub-merchant that was reviewed. If the sub-merchant has changed since then, the answer is 409 `VERSION_CHANGED`.',
    ),
})
  .example({ status: 'blocked', reason: 'documents have expired' })
  .example({ status: 'active', version: 3 })
  .label('SubmerchantStatusMove');

export const submerchantAnswer = object({
  id: resourceId('mer').required(),
  version: number()
    .integer()
    .required()
    .description(
      'Version of the record, which grows with every change; an operator names the version that was reviewed.',
    ),
  masterId: resourceId('mer').required().description('The master that created it.'),
  livemode: livemode().required(),
  legalName: string().required().description('Registered name.'),
  email: string().required().description('As given.'),
  companyTaxId: taxId.required(),
  phone: string().allow(null).required().description('Phone number as it was given; null without one.'),
  address: address.required(),
  status,
  statusReason: string()
    .allow(null)
    .required()
    .description('Reason that the operator gave for the present status; null without one.'),
  postbackUrl: string()
    .allow(null)
    .required()
    .description('Address that is notified of every change of `status`; null without one.'),
  ...timestamps,
}).label('Submerchant');

export const keysAnswer = object({
  publicKey: string()
    .pattern(/^pk_(test|live)_/)
    .required()
    .description('Not secret. It allows `GET /v1/payment-methods` only.'),
  secretKey: string()
    .pattern(/^sk_(test|live)_/)
    .required()
    .description(
      'Secret key, which is the user name of Basic authentication. Anybody who has it can act as the sub-merchant.',
    ),
}).label('SubmerchantKeys');

export const feesInfo = object({
  merchant: object({
    id: resourceId('mer').required(),
    legalName: string().required().description('Registered name.'),
    companyTaxId: taxId.required(),
  })
    .required()
    .description('Registration data of the sub-account.'),
  fees: arrayOf(
    object({
      feeType: string()
        .valid('tx_spread', 'anticipation')
        .required()
        .description(
          '`tx_spread`: the fee of a charge; `anticipation`: the fee for parts that are made available before they are due.',
        ),
      paymentMethod: oneOf(PAYMENT_TYPES).description('The `type` of payment method that the fee is for.'),
      currencyCode: currency().required(),
      brand: string().allow(null).required().description('Card network; null: the default of the method.'),
      definition: object({
        fixed: number().required().description('Decimal units of the currency.'),
        percentages: arrayOf(number())
          .required()
          .description(
            'Percentages. For `tx_spread` there is one for each number of installments: index 0 is for one payment, index 11 for 12 installments. For `anticipation` there is one for each period of 30 days until a part is due: index 0 is for up to 30 days.',
          ),
      })
        .required()
        .description(
          '`tx_spread`: fixed + amount × percentage / 100. `anticipation`: see `POST /v1/anticipations`.',
        ),
    }),
  )
    .required()
    .description('Fees as they are stored: the fee of a brand is not merged with the default of its method.'),
}).label('FeesInfo');
