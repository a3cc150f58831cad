import Joi from 'joi';
import { CURRENCIES, MAX_AMOUNT, PERCENTAGE_DECIMALS, scaleDecimal } from '../../kernel/money.ts';
import { FAULT_ONLY } from '../../platform/http/json-schema.ts';
import {
  BASE64,
  dateTime,
  email,
  freeText,
  httpUrl,
  money,
  resourceId,
  text,
} from '../../platform/http/schemas.ts';
import { PAYMENT_TYPES, type PaymentType } from '../providers/provider.ts';
import { CHARGE_STATUSES } from './write/charge.ts';

/** The parameter of a path below a charge. */
export const chargeParams = { id: 'Id of the charge, `chg_…`.' };

export const IDENTIFY_TYPES = ['dni', 'cuit', 'cuil', 'cdi'];
const identifyType = Joi.string().valid(...IDENTIFY_TYPES);
const identifyNumber = Joi.string().alphanum().min(8).max(11);

const base64 = Joi.string().base64().max(16_384).meta({ pattern: BASE64 }).description('Base64.');

/** Specification 2.6. The token comes whole and unmodified, so what else the device says in it is not refused. */
const wallet = Joi.object({
  type: Joi.string().valid('devicepay').required(),
  token: Joi.object({
    paymentData: Joi.object({
      version: Joi.string().valid('EC_v1').required(),
      data: base64.required(),
      signature: base64.required(),
      header: Joi.object({
        ephemeralPublicKey: base64.required(),
        publicKeyHash: base64.required(),
        transactionId: Joi.string().hex().max(128).required(),
        applicationData: Joi.string().hex().max(128).allow(''),
      })
        .required()
        .unknown(),
    })
      .required()
      .unknown(),
    paymentMethod: Joi.object({
      displayName: text(64).required(),
      network: text(64).required(),
      type: Joi.string().valid('debit', 'credit', 'prepaid', 'store').required(),
    })
      .required()
      .unknown(),
    transactionIdentifier: text(128).required(),
  })
    .required()
    .unknown(),
});

const byCard = {
  type: Joi.string().valid('credit_card').required(),
  installments: Joi.number().integer().min(1).max(12).required().description('Monthly payments.'),
};

const cardRequest = Joi.object({
  ...byCard,
  number: Joi.string()
    .pattern(/^\d{12,19}$/, { name: '12 to 19 digits' })
    .required()
    .description('Digits only; its check digit and brand count.'),
  holderName: text(100)
    .pattern(/(\d[\s.-]*){12}/, { name: 'a number', invert: true })
    .required()
    .description('As on the card.'),
  expirationMonth: Joi.string()
    .pattern(/^(0[1-9]|1[0-2])$/, { name: 'two digits from 01 to 12' })
    .required(),
  expirationYear: Joi.string()
    .pattern(/^\d{4}$/, { name: 'four digits' })
    .required()
    .description('At most 20 years ahead.'),
  cvv: Joi.string()
    .pattern(/^\d{3,4}$/, { name: 'three or four digits' })
    .required()
    .description('As many digits as the brand has.'),
});

const walletRequest = Joi.object({ ...byCard, wallet: wallet.required() });

const otherMethod = (type: PaymentType, fields: Record<string, Joi.Schema>): Joi.ObjectSchema =>
  Joi.object({
    type: Joi.string().valid(type).required(),
    installments: Joi.number()
      .valid(1)
      .messages({ 'any.only': '{{#label}} must be 1 unless by card' })
      .required()
      .description('Monthly payments: 1 unless by card.'),
    ...fields,
  });

const byIdentifier = { identifyType: identifyType.required(), identifyNumber: identifyNumber.required() };

const expiresIn = Joi.number()
  .integer()
  .min(60)
  .max(31_536_000)
  .description('Seconds until the charge expires; 3600 by default.');

/** Each type has fields of its own (specification 2.2, 2.5, 2.6). */
const paymentMethodRequest = Joi.alternatives().conditional('.type', {
  switch: [
    {
      is: 'credit_card',
      then: Joi.alternatives().conditional('.wallet', {
        is: Joi.exist(),
        then: walletRequest,
        otherwise: cardRequest,
      }),
    },
    { is: 'pix', then: otherMethod('pix', { expiresIn }) },
    { is: 'voucher', then: otherMethod('voucher', byIdentifier) },
    {
      is: 'banktransfer',
      then: otherMethod('banktransfer', { bankName: freeText(100).required(), ...byIdentifier }),
    },
    { is: 'qrcode', then: otherMethod('qrcode', byIdentifier) },
  ],
  otherwise: Joi.object({
    type: Joi.string()
      .valid(...PAYMENT_TYPES)
      .required(),
  })
    .unknown()
    .tag(FAULT_ONLY),
});

const splitEntry = Joi.object({
  merchantId: text(64).required(),
  percentage: Joi.number().greater(0).max(100).required().description('At most four decimals.'),
});

/** Decisions 9: a merchant at most once, at most 100 per cent in all. */
export const splitEntries = Joi.array()
  .items(splitEntry)
  .max(100)
  .unique('merchantId')
  .custom((entries: { percentage: number }[], helpers) => {
    const scaled = entries.map((entry) => scaleDecimal(entry.percentage, PERCENTAGE_DECIMALS));
    if (scaled.includes(null))
      return helpers.message({ custom: 'split percentages have at most four decimals' });
    return scaled.reduce((total: number, value) => total + (value ?? 0), 0) > 100 * 10 ** PERCENTAGE_DECIMALS
      ? helpers.message({ custom: 'split percentages sum to at most 100' })
      : entries;
  });

/** Specification 2.5. */
export const chargeRequest = Joi.object({
  amount: Joi.number()
    .greater(0)
    .max(MAX_AMOUNT)
    .required()
    .description('Decimal, with at most the digits of the currency; at most 10^12 of its smallest units.'),
  currency: Joi.string()
    .valid(...CURRENCIES)
    .messages({ 'any.only': '{{#label}} must be an ISO 4217 code' })
    .required()
    .description('ISO 4217 code.'),
  customer: Joi.object({
    name: freeText(255).required(),
    email: email().required(),
    phone: text(32).allow(null),
    document: Joi.object({ type: text(16).required(), id: text(32).required() }).allow(null),
    address: Joi.object({ country: text(64).required() }).allow(null),
  }).required(),
  paymentMethod: paymentMethodRequest.required(),
  items: Joi.array()
    .max(500)
    .items(
      Joi.object({
        title: freeText(255),
        type: text(64),
        description: freeText(1024).allow(''),
        unit_price: Joi.number()
          .min(0)
          .max(MAX_AMOUNT)
          .description('Decimal, in the currency of the charge.'),
        quantity: Joi.number().min(0).max(MAX_AMOUNT).description('Pieces, or another measure.'),
      }),
    )
    .allow(null),
  postbackUrl: httpUrl().allow(null).description('Receives notifications about this charge.'),
  split: splitEntries
    .allow(null)
    .description("Instead of the merchant's default split; an empty array is no split at all."),
  metadata: Joi.object().unknown().allow(null).description('Free-form, at most 16 KiB as JSON.'),
  reference: text(64).allow(null).description("The merchant's own reference; need not be unique."),
})
  .example({
    amount: 129.9,
    currency: 'BRL',
    customer: {
      name: 'Ana Souza',
      email: 'ana@example.com',
      document: { type: 'cpf', id: '52998224725' },
    },
    paymentMethod: {
      type: 'credit_card',
      installments: 3,
      number: '4242424242424242',
      holderName: 'ANA SOUZA',
      expirationMonth: '12',
      expirationYear: '2035',
      cvv: '123',
    },
    reference: 'order-1001',
  })
  .example({
    amount: 25,
    currency: 'BRL',
    customer: { name: 'Ana Souza', email: 'ana@example.com' },
    paymentMethod: { type: 'pix', installments: 1, expiresIn: 1800 },
  })
  .label('ChargeRequest');

const nullable = <T extends Joi.Schema>(schema: T): T => schema.allow(null).required() as T;

const cardFields = {
  firstSix: Joi.string().required(),
  lastFour: Joi.string().required(),
  expirationMonth: Joi.string().required(),
  expirationYear: Joi.string().required(),
  holderName: Joi.string().required(),
  installments: Joi.number().integer().required().description('Monthly payments.'),
};
const identifiedFields = { identifyType: identifyType.required(), identifyNumber: identifyNumber.required() };

/** Specification 2.2 and decisions 3 (Pix). */
const paymentMethod = Joi.alternatives(
  Joi.object({ type: Joi.string().valid('credit_card').required(), ...cardFields }),
  Joi.object({ type: Joi.string().valid('pix').required() }),
  Joi.object({ type: Joi.string().valid('voucher').required(), ...identifiedFields }),
  Joi.object({
    type: Joi.string().valid('banktransfer').required(),
    bankName: Joi.string().required(),
    ...identifiedFields,
  }),
  Joi.object({ type: Joi.string().valid('qrcode').required(), ...identifiedFields }),
);

const pixFields: Record<string, Joi.Schema> = {
  endToEndId: Joi.string().required(),
  copyPaste: Joi.string().required().description('BR Code: the Pix copy-and-paste payload.'),
  expiresAt: dateTime().required(),
};

/** Specification 2.3 and decisions 3 (Pix). */
const paymentDetails = (isFresh: boolean): Joi.Schema =>
  Joi.alternatives(
    Joi.object(cardFields),
    Joi.object({
      barcode: Joi.string().required(),
      paymentCode: Joi.string().required(),
      paymentUrl: Joi.string().required(),
    }),
    Joi.object({ payUrl: Joi.string().required() }),
    Joi.object(
      isFresh ? { ...pixFields, qrCode: Joi.string().required().description('PNG data URL.') } : pixFields,
    ),
  );

const charge = (isFresh: boolean): Joi.ObjectSchema =>
  Joi.object({
    id: resourceId('chg').required(),
    status: Joi.string()
      .valid(...CHARGE_STATUSES)
      .required(),
    pspRefId: nullable(Joi.string()).description('Reference in the system of the payment service provider.'),
    amount: money('What the payer pays.').required(),
    currency: Joi.string().length(3).required(),
    spread: money('What the gateway keeps.').required(),
    net: money('Amount less spread.').required(),
    customer: Joi.object({
      id: Joi.string().required(),
      name: Joi.string().required(),
      email: Joi.string().required(),
      document: nullable(Joi.string()),
      phone: nullable(Joi.string()),
      address: nullable(Joi.object({ country: Joi.string().required() })),
    }).required(),
    paymentMethod: paymentMethod.required(),
    merchantId: resourceId('mer').required(),
    paymentDetails: nullable(paymentDetails(isFresh)),
    metadata: nullable(Joi.object().unknown()),
    paidAt: nullable(dateTime()),
    createdAt: dateTime().required(),
    updatedAt: dateTime().required(),
    livemode: Joi.boolean().required(),
    reference: nullable(Joi.string()),
    refundedAt: nullable(dateTime()),
    postbackUrl: nullable(Joi.string()),
    items: nullable(
      Joi.array().items(
        Joi.object({
          title: nullable(Joi.string()),
          type: nullable(Joi.string()),
          description: nullable(Joi.string().allow('')),
          unit_price: nullable(Joi.number()).description('Decimal, in the currency of the charge.'),
          quantity: nullable(Joi.number()).description('Pieces, or another measure.'),
        }),
      ),
    ),
    split: nullable(
      Joi.array().items(
        Joi.object({
          merchantId: Joi.string().required(),
          percentage: Joi.number().required().description('Per cent of `net`.'),
          amount: Joi.number()
            .required()
            .description('The part of `net`; decimal, in the currency of the charge.'),
        }),
      ),
    ),
    expiresAt: nullable(dateTime()),
    failureReason: nullable(Joi.string()),
  });

/** A charge as create and read by id answer it: a Pix charge with its QR code's image. */
export const chargeAnswer = charge(true).label('Charge');
/** A charge as lists answer it. */
export const listedCharge = charge(false).label('ListedCharge');
