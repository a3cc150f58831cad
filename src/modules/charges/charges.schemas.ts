import Joi from 'joi';
import { CURRENCIES, PERCENTAGE_DECIMALS, scaleDecimal } from '../../kernel/money.ts';
import { dateTime, email, freeText, httpUrl, resourceId, text } from '../../platform/http/schemas.ts';
import { PAYMENT_TYPES } from '../providers/provider.ts';
import { CHARGE_STATUSES } from './write/charge.ts';

export const IDENTIFY_TYPES = ['dni', 'cuit', 'cuil', 'cdi'];
const identifyType = Joi.string().valid(...IDENTIFY_TYPES);
const identifyNumber = Joi.string().alphanum().min(8).max(11);

const cardField = (schema: Joi.StringSchema): Joi.Schema =>
  schema.when('type', {
    is: 'credit_card',
    then: Joi.when('wallet', { is: Joi.exist(), then: Joi.forbidden(), otherwise: Joi.required() }),
    otherwise: Joi.forbidden(),
  });

const base64 = Joi.string().base64().max(16_384);

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

const identified = (schema: Joi.Schema, types: readonly string[]): Joi.Schema =>
  schema.when('type', { is: Joi.valid(...types), then: Joi.required(), otherwise: Joi.forbidden() });

const WITH_IDENTIFIER = ['voucher', 'banktransfer', 'qrcode'];

const paymentMethodRequest = Joi.object({
  type: Joi.string()
    .valid(...PAYMENT_TYPES)
    .required(),
  installments: Joi.number().integer().min(1).max(12).required(),
  number: cardField(Joi.string().pattern(/^\d{12,19}$/, { name: '12 to 19 digits' })),
  holderName: cardField(text(100)),
  expirationMonth: cardField(Joi.string().pattern(/^\d{2}$/, { name: 'two digits' })),
  expirationYear: cardField(Joi.string().pattern(/^\d{4}$/, { name: 'four digits' })),
  cvv: cardField(Joi.string().pattern(/^\d{3,4}$/, { name: 'three or four digits' })),
  wallet: wallet.when('type', { not: 'credit_card', then: Joi.forbidden() }),
  expiresIn: Joi.number()
    .integer()
    .min(60)
    .max(31_536_000)
    .when('type', { not: 'pix', then: Joi.forbidden() })
    .description('Seconds until a Pix charge expires; 3600 by default.'),
  identifyType: identified(identifyType, WITH_IDENTIFIER),
  identifyNumber: identified(identifyNumber, WITH_IDENTIFIER),
  bankName: identified(freeText(100), ['banktransfer']),
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
  amount: Joi.number().greater(0).required().description('Decimal, with at most the digits of the currency.'),
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
        unit_price: Joi.number().min(0),
        quantity: Joi.number().min(0),
      }),
    )
    .allow(null),
  postbackUrl: httpUrl().allow(null).description('Receives notifications about this charge.'),
  split: splitEntries
    .allow(null)
    .description("Instead of the merchant's default split; an empty array is no split at all."),
  metadata: Joi.object().unknown().allow(null).description('Free-form, at most 16 KiB as JSON.'),
  reference: text(64).allow(null).description("The merchant's own reference; need not be unique."),
}).label('ChargeRequest');

const nullable = <T extends Joi.Schema>(schema: T): T => schema.allow(null).required() as T;

const cardFields = {
  firstSix: Joi.string().required(),
  lastFour: Joi.string().required(),
  expirationMonth: Joi.string().required(),
  expirationYear: Joi.string().required(),
  holderName: Joi.string().required(),
  installments: Joi.number().integer().required(),
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
    amount: Joi.number().required(),
    currency: Joi.string().length(3).required(),
    spread: Joi.number().required(),
    net: Joi.number().required(),
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
          unit_price: nullable(Joi.number()),
          quantity: nullable(Joi.number()),
        }),
      ),
    ),
    split: nullable(
      Joi.array().items(
        Joi.object({
          merchantId: Joi.string().required(),
          percentage: Joi.number().required(),
          amount: Joi.number().required(),
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
