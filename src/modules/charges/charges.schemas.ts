import Joi from 'joi';
import type { MerchantId } from '../../kernel/ids.ts';
import { MAX_AMOUNT, PERCENTAGE_DECIMALS, scaleDecimal } from '../../kernel/money.ts';
import { FAULT_ONLY } from '../../platform/http/json-schema.ts';
import {
  BASE64,
  currency,
  dateTime,
  day,
  email,
  httpUrl,
  knownCurrency,
  livemode,
  metadata,
  money,
  nullable,
  oneOf,
  postalAddress,
  resourceId,
  text,
  textOrNone,
} from '../../platform/http/schemas.ts';
import { arrayOf, boolean, number, object, string, typed, type ValueOf } from '../../platform/http/typed.ts';
import { customerDocument } from '../customers/customers.schemas.ts';
import { cardMembers } from '../providers/card.schemas.ts';
import { COUNTED_DAYS, INTEREST_PERIODS } from '../providers/pix/due-terms.ts';
import { INITIATORS, PAYMENT_TYPES, type PaymentType } from '../providers/provider.ts';
import { SETTLEMENT_STATUSES } from './read/settlements.ts';
import { CHARGE_STATUSES } from './write/charge.ts';
import { BRAZILIAN_IDENTIFY_TYPES, IDENTIFY_TYPES } from './write/identify-types.ts';

export const TAG = 'Charges';

/** The parameter of a path below a charge. */
export const chargeParams = { id: 'Id of the charge, `chg_…`.' };

const identifiedFields = {
  identifyType: oneOf([...IDENTIFY_TYPES, ...BRAZILIAN_IDENTIFY_TYPES]).description(
    "Kind of the payer's national identifier; `cpf` and `cnpj` where the currency is BRL.",
  ),
  identifyNumber: string()
    .alphanum()
    .min(7)
    .max(14)
    .required()
    .description(
      "The payer's national identifier, without punctuation: a `dni` has 7 or 8 digits, a `cpf` 11, a `cnpj` 14 letters and digits, the others 8 to 11 characters. Check digits count.",
    ),
};

/** Distinguishes the variants of a payment method. */
const methodType = <const T extends PaymentType>(type: T) =>
  string().valid(type).required().description('The method; it decides which other fields there are.');

const base64 = (what: string) =>
  string().base64().max(16_384).meta({ pattern: BASE64 }).required().description(`Base64: ${what}.`);

/** A token of the device, whole and unmodified: members that are unknown here are accepted. */
const wallet = object({
  type: string().valid('devicepay').required().description('Kind of device wallet.'),
  token: object({
    paymentData: object({
      version: string().valid('EC_v1').required().description('Format of the encrypted data.'),
      data: base64('the encrypted payment data'),
      signature: base64('detached PKCS#7 signature of the data'),
      header: object({
        ephemeralPublicKey: base64('EC public key, made for this token'),
        publicKeyHash: base64("SHA-256 of the public key of the merchant's wallet certificate"),
        transactionId: string().hex().max(128).required().description('Hexadecimal; part of the signature.'),
        applicationData: string()
          .max(128)
          .pattern(/^[a-fA-F0-9]*$/)
          .allow('')
          .description(
            "Hexadecimal SHA-256 of what the merchant's application told the wallet, if anything.",
          ),
      })
        .required()
        .unknown()
        .description('Data for the key agreement.'),
    })
      .required()
      .unknown()
      .description('The card, encrypted for the merchant and signed by the wallet.'),
    paymentMethod: object({
      displayName: text(64).required().description('The card in words for the payer, localized.'),
      network: text(64).required().description('Card network in the words of the wallet.'),
      type: string()
        .valid('debit', 'credit', 'prepaid', 'store')
        .required()
        .description('Kind of card, by the word of the wallet.'),
    })
      .required()
      .unknown()
      .description('Description of the card by the wallet, unencrypted.'),
    transactionIdentifier: text(128).required().description("The wallet's own identifier of the payment."),
  })
    .required()
    .unknown()
    .description('The payment token exactly as the device wallet returned it, whole.'),
}).label('DeviceWallet');

const byCard = {
  type: methodType('credit_card'),
  installments: number().integer().min(1).max(12).required().description('Monthly payments.'),
};

const save = boolean().description(
  "Keeps the card as a stored payment method of `customerId` once the charge is paid; with the payer's consent only.",
);

const cardRequest = object({ ...byCard, ...cardMembers, save }).label('CardPayment');

const tokenRequest = object({
  ...byCard,
  token: resourceId('tok')
    .required()
    .description('A card token of `POST /v1/card-tokens`, in place of the card. It works once.'),
  save,
}).label('CardTokenPayment');

const storedRequest = object({
  ...byCard,
  id: resourceId('pm')
    .required()
    .description(
      'A stored payment method of the customer, in place of the card. `customerId` is required with it.',
    ),
  cvvToken: resourceId('tok').description(
    'The security code that the payer has typed again, as a token of `POST /v1/cvv-tokens` for this card. It works once.',
  ),
}).label('StoredCardPayment');

const walletRequest = object({
  ...byCard,
  wallet: wallet.required().description('Where the card comes from, in place of its number and `cvv`.'),
}).label('WalletPayment');

const otherMethod = <const T extends PaymentType, M extends Readonly<Record<string, Joi.Schema>>>(
  type: T,
  label: string,
  fields: M,
) =>
  object({
    type: methodType(type),
    installments: number()
      .valid(1)
      .messages({ 'any.only': '{{#label}} must be 1 unless by card' })
      .required()
      .description('Monthly payments: 1 unless by card.'),
    ...fields,
  }).label(label);

/** Members of a payment method that are never stored, and so may hold a card number or similar bytes. */
export const CARD_AND_TOKEN = [
  'paymentMethod.number',
  'paymentMethod.cvv',
  'paymentMethod.cvvToken',
  'paymentMethod.wallet.token.paymentData.data',
  'paymentMethod.wallet.token.paymentData.signature',
  'paymentMethod.wallet.token.paymentData.header.ephemeralPublicKey',
  'paymentMethod.wallet.token.paymentData.header.publicKeyHash',
];

const expiresIn = number()
  .integer()
  .min(60)
  .max(31_536_000)
  .description('Seconds until the charge expires; 3600 by default.');

const portionType = oneOf(['amount', 'percentage']).description(
  '`amount`: `value` is in reais. `percentage`: it is per cent of `amount`, less the rebate.',
);

const MAX_VALUE = 9_999_999_999.99;

/** Amounts and percentages of the API Pix have two decimals. */
const portionValue = () =>
  number()
    .greater(0)
    .max(MAX_VALUE)
    .custom((value: number, helpers) =>
      scaleDecimal(value, 2) === null
        ? helpers.message({ custom: '{{#label}} must have at most two decimals' })
        : value,
    )
    .required();

const countedDays = () =>
  string()
    .valid(...COUNTED_DAYS)
    .description('`business` days leave out weekends and national holidays; `calendar` by default.');

const portion = object({
  type: portionType,
  value: portionValue().description('Reais or per cent, with at most two decimals.'),
}).label('DuePortion');

const interest = object({
  type: portionType,
  value: portionValue().description('Reais of one day, or per cent of the period.'),
  per: string()
    .valid(...INTEREST_PERIODS)
    .description('Period of a percentage, which is required with one; an amount is always that of a day.'),
  days: countedDays(),
}).label('DueInterest');

const datedDiscounts = object({
  type: portionType,
  until: arrayOf(
    object({
      date: day().required().description('Last day of this discount, at most the due date.'),
      value: portionValue().description('Reais or per cent, with at most two decimals.'),
    }).label('DatedDiscount'),
  )
    .min(1)
    .max(3)
    .required()
    .description('Discounts that fall with their days.'),
}).label('DatedDiscounts');

const dailyDiscount = object({
  type: portionType,
  value: portionValue().description('Reais or per cent for each day before the due date.'),
  days: countedDays(),
}).label('DailyDiscount');

type Discounts = ValueOf<typeof datedDiscounts | typeof dailyDiscount>;

const discounts = () =>
  typed<Discounts>(
    Joi.alternatives()
      .conditional('.until', { is: Joi.exist(), then: datedDiscounts, otherwise: dailyDiscount })
      .meta({ title: 'DueDiscounts' }),
  );

const daysAfterDue = () =>
  number()
    .integer()
    .min(0)
    .max(365)
    .description(
      'With `dueDate` only. Calendar days after it on which the charge can still be paid; 30 by default.',
    );

const WITH_DUE_DATE = 'With `dueDate` only.';

/** A Pix that is to be paid at once, or one with a due date: the `cobv` of the central bank. */
const pixRequest = otherMethod('pix', 'PixPayment', {
  expiresIn,
  dueDate: day().description(
    'Gives the Pix a due date, in place of `expiresIn`: the day until which it is paid without fine and interest, within the next two years. A due date that is no business day where the payer banks moves to the next one.',
  ),
  daysAfterDue: daysAfterDue(),
  fine: portion.description(`${WITH_DUE_DATE} Added once, from the first business day after the due date.`),
  interest: interest.description(
    `${WITH_DUE_DATE} Added for each day after the due date, from the next business day.`,
  ),
  discounts: discounts().description(
    `${WITH_DUE_DATE} Taken off before the due date, until certain days or for each day.`,
  ),
  rebate: portion.description(`${WITH_DUE_DATE} Taken off on every day.`),
});
const voucherRequest = otherMethod('voucher', 'VoucherPayment', identifiedFields);
const transferRequest = otherMethod('banktransfer', 'BankTransferPayment', {
  bankName: text(100).required().description('The bank that the payer pays from.'),
  ...identifiedFields,
});
const qrCodeRequest = otherMethod('qrcode', 'QrCodePayment', identifiedFields);

type PaymentMethodRequest = ValueOf<
  | typeof cardRequest
  | typeof tokenRequest
  | typeof storedRequest
  | typeof walletRequest
  | typeof pixRequest
  | typeof voucherRequest
  | typeof transferRequest
  | typeof qrCodeRequest
>;

/** Each type has fields of its own. */
const paymentMethodByType = Joi.alternatives()
  .conditional('.type', {
    switch: [
      {
        is: 'credit_card',
        then: Joi.alternatives()
          .conditional('.wallet', { is: Joi.exist(), then: walletRequest })
          .conditional('.token', { is: Joi.exist(), then: tokenRequest })
          .conditional('.id', { is: Joi.exist(), then: storedRequest, otherwise: cardRequest })
          .meta({ title: 'CardOrWalletPayment' }),
      },
      { is: 'pix', then: pixRequest },
      { is: 'voucher', then: voucherRequest },
      { is: 'banktransfer', then: transferRequest },
      { is: 'qrcode', then: qrCodeRequest },
    ],
    otherwise: object({
      type: oneOf(PAYMENT_TYPES),
    })
      .unknown()
      .tag(FAULT_ONLY),
  })
  .meta({ title: 'PaymentMethodRequest' });

const paymentMethodRequest = typed<PaymentMethodRequest>(paymentMethodByType);

const splitEntry = object({
  merchantId: text<MerchantId>(64)
    .required()
    .description('The participant: another active member of the marketplace group.'),
  percentage: number()
    .greater(0)
    .max(100)
    .custom((value: number, helpers) =>
      scaleDecimal(value, PERCENTAGE_DECIMALS) === null
        ? helpers.message({ custom: '{{#label}} must have at most four decimals' })
        : value,
    )
    .required()
    .description('Per cent of the net amount, with at most four decimals.'),
}).label('SplitEntry');

/** Names a merchant at most once, and shares at most 100 per cent in all. */
export const splitEntries = arrayOf(splitEntry)
  .max(100)
  .unique('merchantId')
  .custom((entries: readonly unknown[], helpers) => {
    // Joi calls this for entries of a wrong shape as well; the shape's own check reports those.
    const scaled = entries.map((entry) => {
      const { percentage } = (entry ?? {}) as { readonly percentage?: unknown };
      return scaleDecimal(Number(percentage), PERCENTAGE_DECIMALS) ?? 0;
    });
    return scaled.reduce((total, value) => total + value, 0) > 100 * 10 ** PERCENTAGE_DECIMALS
      ? helpers.message({ custom: '{{#label}} has percentages that sum to more than 100' })
      : entries;
  })
  .description('A merchant at most once, 100 per cent in all at most; the rest stays with the originator.');

const ITEM = {
  title: 'Name of the goods or service.',
  type: "Kind of item, in the merchant's own words.",
  description: 'More about it.',
  unit_price: 'Decimal, in the currency of the charge.',
  quantity: 'Pieces, or another measure.',
};

/** Goods or services, as a request names them. */
export const itemsRequest = () =>
  arrayOf(
    object({
      title: text(255).description(ITEM.title),
      type: text(64).description(ITEM.type),
      description: textOrNone(1024).description(ITEM.description),
      unit_price: number().min(0).max(MAX_AMOUNT).description(ITEM.unit_price),
      quantity: number().min(0).max(MAX_AMOUNT).description(ITEM.quantity),
    }).label('ChargeItemRequest'),
  )
    .max(200)
    .allow(null);

/** Goods or services, as an answer names them. */
export const itemsAnswer = () =>
  arrayOf(
    object({
      title: nullable(string()).description(ITEM.title),
      type: nullable(string()).description(ITEM.type),
      description: nullable(typed<string>(string().allow(''))).description(ITEM.description),
      unit_price: nullable(number()).description(ITEM.unit_price),
      quantity: nullable(number()).description(ITEM.quantity),
    }).label('ChargeItem'),
  ).allow(null);

/** Body of a charge request. */
export const chargeRequest = object({
  amount: number()
    .greater(0)
    .max(MAX_AMOUNT)
    .required()
    .description('Decimal, with at most the digits of the currency; at most 10^12 of its smallest units.'),
  currency: knownCurrency().required(),
  customer: object({
    name: text(255).required().description('Full name of the payer.'),
    email: email().required(),
    phone: text(32).allow(null).description('In any notation.'),
    document: customerDocument()
      .messages({
        'object.base': '{{#label}} must be an object with type and id, such as cpf and 52998224725',
      })
      .description('National identifier of the payer.'),
    address: postalAddress()
      .label('PayerAddressRequest')
      .messages({ 'object.base': '{{#label}} must be an object with country, such as BR' })
      .description(
        'Where the payer lives. A charge with a due date needs all but `line2`, for the institution; every other one takes `country` only, which is all that is kept.',
      ),
  })
    .label('CustomerRequest')
    .description('Payer; either this or `customerId`.'),
  customerId: resourceId('cus').description(
    'The payer as a customer of the merchant (`POST /v1/customers`). The charge keeps a copy of the facts of this moment.',
  ),
  paymentMethod: paymentMethodRequest
    .required()
    .description('How the payer pays. `type` decides which other fields there are.'),
  items: itemsRequest().description(
    'Goods or services sold, with `metadata` at most 32 KiB as JSON; stored with the charge, and not compared with its amount.',
  ),
  postbackUrl: httpUrl().allow(null).description('Receives notifications about this charge.'),
  returnUrl: httpUrl()
    .allow(null)
    .description(
      'Where the payer comes back to from a page of the bank; without it, a page of this gateway.',
    ),
  initiator: string()
    .valid(...INITIATORS)
    .description(
      'With a stored payment method only: `customer`, the default, where the payer is there, `merchant` where not, as for the next month. A payment without the payer that the bank wants to be proven is `refused` with `authentication_required`.',
    ),
  split: splitEntries
    .allow(null)
    .description("Instead of the merchant's default split; an empty array is no split at all."),
  metadata: metadata().allow(null).description('Free-form, at most 16 KiB as JSON, and 32 KiB with `items`.'),
  reference: text(64).allow(null).description("The merchant's own reference; need not be unique."),
})
  .xor('customer', 'customerId')
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
  .example({
    amount: 250,
    currency: 'BRL',
    customer: {
      name: 'Ana Souza',
      email: 'ana@example.com',
      document: { type: 'cpf', id: '52998224725' },
      address: {
        country: 'BR',
        line1: 'Rua das Flores 80',
        city: 'Recife',
        state: 'PE',
        postalCode: '50010-000',
      },
    },
    paymentMethod: {
      type: 'pix',
      installments: 1,
      dueDate: '2027-03-10',
      daysAfterDue: 30,
      fine: { type: 'percentage', value: 2 },
      interest: { type: 'percentage', value: 1, per: 'month' },
      discounts: { type: 'amount', until: [{ date: '2027-02-26', value: 12.5 }] },
    },
  })
  .label('ChargeRequest');

const cardFields = {
  firstSix: string().required().description('First six digits of the card number.'),
  lastFour: string().required().description('Last four digits of the card number.'),
  expirationMonth: string().required().description('Two digits.'),
  expirationYear: string().required().description('Four digits.'),
  holderName: string().required().description('As on the card.'),
  installments: number().integer().required().description('Monthly payments.'),
};

/** Payment method of a charge, as the API answers it. */
const paymentMethod = Joi.alternatives(
  object({
    type: methodType('credit_card'),
    ...cardFields,
    brand: string()
      .required()
      .description('Brand of the card, by which the fees go too: `visa`, `mastercard`, `elo`, …'),
    id: resourceId('pm').description(
      'The stored payment method that was charged, or as which the card is kept; absent for any other card.',
    ),
    initiator: string()
      .valid(...INITIATORS)
      .description('The one who began the payment; absent for a card that is not stored.'),
  }).label('CardPaymentMethod'),
  object({
    type: methodType('pix'),
    dueDate: day().description(
      'Day until which it is paid without fine and interest; absent, as the others, for a Pix that is to be paid at once.',
    ),
    daysAfterDue: daysAfterDue(),
    fine: portion.allow(null).description('Null without one.'),
    interest: interest.allow(null).description('Null without any.'),
    discounts: discounts().allow(null).description('Null without any.'),
    rebate: portion.allow(null).description('Null without one.'),
    id: resourceId('pm').description('The mandate by which it is paid; absent for any other Pix.'),
    plannedOn: day().description(
      'Day on which the bank of the payer pays it by the mandate; absent for any other Pix.',
    ),
  }).label('PixPaymentMethod'),
  object({ type: methodType('voucher'), ...identifiedFields }).label('VoucherPaymentMethod'),
  object({
    type: methodType('banktransfer'),
    bankName: string().required().description('The bank that the payer pays from.'),
    ...identifiedFields,
  }).label('BankTransferPaymentMethod'),
  object({ type: methodType('qrcode'), ...identifiedFields }).label('QrCodePaymentMethod'),
).meta({ title: 'PaymentMethod' });

const pixFields = {
  endToEndId: nullable(string()).description(
    'Identifier of the payment between banks: E and 31 characters; null while the institution does not know it yet.',
  ),
  copyPaste: string().required().description('BR Code: the Pix copy-and-paste payload.'),
  expiresAt: dateTime().required().description('Until when it can be paid.'),
  payUrl: string().description(
    'Page that shows the payer the code, how long it can be paid and, with a due date, what is due on which day; absent for charges of earlier versions.',
  ),
};

/** Details of a charge's payment, as the API answers them. */
const paymentDetails = (ofPix: Joi.ObjectSchema): Joi.Schema =>
  Joi.alternatives(
    object({
      ...cardFields,
      authenticationUrl: string().description(
        "Where to send the payer, to prove to be the card's holder (3-D Secure); only while the charge waits for it.",
      ),
    }).label('CardDetails'),
    object({
      barcode: string().required().description('The digits that the barcode stands for.'),
      paymentCode: string().required().description('Ticket number to use for the payment.'),
      paymentUrl: string().required().description('Page of the provider with the voucher.'),
    }).label('VoucherDetails'),
    object({
      payUrl: string().required().description('Page of the provider where the payer pays.'),
    }).label('PayPageDetails'),
    ofPix,
  );

const chargeCustomer = object({
  id: string()
    .required()
    .description(
      'Identifies the payer: the `customerId` of the charge where it has one; otherwise an id that charges with the same document have in common or, without a document, charges with the same e-mail address.',
    ),
  name: string().required().description('As sent.'),
  email: string().required().description('As sent.'),
  document: nullable(string()).description('Number of the document; null without one.'),
  phone: nullable(string()).description('As sent; null without one.'),
  address: nullable(
    object({ country: string().required().description('As sent: code or name.') }).label('CustomerAddress'),
  ).description('Null without one.'),
})
  .label('ChargeCustomer')
  .description('Payer; placeholders once the customer was erased.');

const charge = (ofPix: Joi.ObjectSchema) =>
  object({
    id: resourceId('chg').required(),
    status: string()
      .valid(...CHARGE_STATUSES)
      .label('ChargeStatus')
      .required()
      .description('Where the charge stands.'),
    pspRefId: nullable(string()).description(
      'Reference in the system of the payment service provider; null until it has answered.',
    ),
    amount: money('Amount that the payer pays.').required(),
    paidAmount: number()
      .allow(null)
      .description(
        'The amount that the institution took of a charge with a due date, from which `spread`, `net` and `split` are computed and which a refund gives back; decimal. Null before it is paid, and absent for any other charge.',
      ),
    currency: currency().required(),
    spread: money('Amount that the gateway keeps.').required(),
    net: money(
      'Amount less spread; of a charge with a due date `paidAmount` less spread, once it is paid.',
    ).required(),
    customer: chargeCustomer.required(),
    paymentMethod: paymentMethod
      .required()
      .description('How the payer pays. `type` decides which other fields there are.'),
    merchantId: resourceId('mer')
      .required()
      .description('Merchant that owns the charge, the originator of a split.'),
    paymentDetails: nullable(paymentDetails(ofPix)).description(
      'Stored facts of the card, or instructions for the payer; null until the provider has answered, and for a charge under a mandate.',
    ),
    metadata: nullable(metadata()).description('As sent; null without any.'),
    paidAt: nullable(dateTime()).description("When it was paid, by the provider's clock; null before."),
    createdAt: dateTime().required(),
    updatedAt: dateTime().required(),
    livemode: livemode().required(),
    reference: nullable(string()).description("The merchant's own reference; null without one."),
    refundedAt: nullable(dateTime()).description('When its refund was completed; null before.'),
    postbackUrl: nullable(string()).description(
      'Receives notifications about this charge; null without one.',
    ),
    items: itemsAnswer()
      .required()
      .description('As sent, with null for what an item has not; null without any.'),
    split: nullable(
      arrayOf(
        object({
          merchantId: string().required().description('The participant.'),
          percentage: number().required().description('Per cent of `net`.'),
          amount: number()
            .required()
            .description('The part of `net`; decimal, in the currency of the charge.'),
        }).label('SplitShare'),
      ),
    ).description("The participants' parts, without the originator's; null without a split."),
    expiresAt: nullable(dateTime()).description('Until when it can be paid; null for a card.'),
    subscriptionId: resourceId('sub').description(
      'The subscription that made it; absent for any other charge.',
    ),
    cycleNumber: number().integer().description('Number of that subscription’s cycle.'),
    checkoutSessionId: resourceId('chk').description(
      'The checkout session that it was made in; absent for any other charge.',
    ),
    failureReason: nullable(string()).description(
      'Why it was refused or failed, such as `card_declined`, `expired` or `cancelled`; null otherwise.',
    ),
  });

/**
 * A charge in the answers of creation and of reading by id, with its settlements and, for Pix, the image of its QR
 * code.
 */
export const chargeAnswer = charge(
  object({
    ...pixFields,
    qrCode: nullable(string()).description('PNG data URL; null for a code that no QR code can hold.'),
    amountsDue: arrayOf(
      object({
        from: day().required().description('First day.'),
        until: day().required().description('Last day.'),
        amount: money('Amount that is due on each of these days.').required(),
      }).label('AmountDue'),
    ).description(
      'The amounts that are due on each day of a charge with a due date, until the last day on which it can be paid. The institution also knows the holidays of the payer’s town, so that its amount may differ a little, and that one counts. Absent for any other Pix.',
    ),
  }).label('PixDetailsWithImage'),
)
  .keys({
    settlements: nullable(
      arrayOf(
        object({
          part: number().integer().required().description('From 1; a card has one for each installment.'),
          dueAt: dateTime().required().description('When it becomes available.'),
          amount: money("The merchant's own part, without those of participants of a split.").required(),
          status: oneOf(SETTLEMENT_STATUSES).description(
            '`settled` also where it was anticipated; `held` while a refund is pending; `cancelled` where the money was given back before.',
          ),
        }).label('ChargeSettlement'),
      ),
    ).description('When which part of `net` becomes available; null until the charge is paid.'),
  })
  .label('Charge');
/** A charge in the answers of lists and of commands other than its creation. */
export const listedCharge = charge(object(pixFields).label('PixDetails'))
  .fork('items', (items) => items.optional().description('As sent; in lists with `expand=items` only.'))
  .label('ListedCharge');
/** A charge in webhooks, without what the payer scans. */
export const sentCharge = charge(object({ endToEndId: pixFields.endToEndId }).label('SentPixDetails')).label(
  'SentCharge',
);

/** Body of the test helper that plays the payer. */
export const payRequest = object({
  on: day().description(
    'With a charge that has a due date: the day on which it is paid, with what is due then. Today without it.',
  ),
})
  .optional()
  .example({ on: '2027-03-12' })
  .label('PayTestChargeRequest');
