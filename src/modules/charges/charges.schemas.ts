import Joi from 'joi';
import { MAX_AMOUNT, PERCENTAGE_DECIMALS, scaleDecimal } from '../../kernel/money.ts';
import { FAULT_ONLY } from '../../platform/http/json-schema.ts';
import {
  BASE64,
  currency,
  dateTime,
  email,
  httpUrl,
  knownCurrency,
  livemode,
  metadata,
  money,
  nullable,
  oneOf,
  resourceId,
  text,
  textOrNone,
} from '../../platform/http/schemas.ts';
import { customerDocument } from '../customers/customers.schemas.ts';
import { cardMembers } from '../providers/card.schemas.ts';
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
  identifyNumber: Joi.string()
    .alphanum()
    .min(7)
    .max(14)
    .required()
    .description(
      "The payer's national identifier, without punctuation: a `dni` has 7 or 8 digits, a `cpf` 11, a `cnpj` 14 letters and digits, the others 8 to 11 characters. Check digits count.",
    ),
};

/** Distinguishes the variants of a payment method. */
const methodType = (type: PaymentType): Joi.StringSchema =>
  Joi.string().valid(type).required().description('The method; it decides which other fields there are.');

const base64 = (what: string): Joi.StringSchema =>
  Joi.string().base64().max(16_384).meta({ pattern: BASE64 }).required().description(`Base64: ${what}.`);

/** A token of the device, whole and unmodified: members that are unknown here are accepted. */
const wallet = Joi.object({
  type: Joi.string().valid('devicepay').required().description('Kind of device wallet.'),
  token: Joi.object({
    paymentData: Joi.object({
      version: Joi.string().valid('EC_v1').required().description('Format of the encrypted data.'),
      data: base64('the encrypted payment data'),
      signature: base64('detached PKCS#7 signature of the data'),
      header: Joi.object({
        ephemeralPublicKey: base64('EC public key, made for this token'),
        publicKeyHash: base64("SHA-256 of the public key of the merchant's wallet certificate"),
        transactionId: Joi.string()
          .hex()
          .max(128)
          .required()
          .description('Hexadecimal; part of the signature.'),
        applicationData: Joi.string()
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
    paymentMethod: Joi.object({
      displayName: text(64).required().description('The card in words for the payer, localized.'),
      network: text(64).required().description('Card network in the words of the wallet.'),
      type: Joi.string()
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
  installments: Joi.number().integer().min(1).max(12).required().description('Monthly payments.'),
};

const save = Joi.boolean().description(
  "Keeps the card as a stored payment method of `customerId` once the charge is paid; with the payer's consent only.",
);

const cardRequest = Joi.object({ ...byCard, ...cardMembers, save }).label('CardPayment');

const tokenRequest = Joi.object({
  ...byCard,
  token: resourceId('tok')
    .required()
    .description('A card token of `POST /v1/card-tokens`, in place of the card. It works once.'),
  save,
}).label('CardTokenPayment');

const storedRequest = Joi.object({
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

const walletRequest = Joi.object({
  ...byCard,
  wallet: wallet.required().description('Where the card comes from, in place of its number and `cvv`.'),
}).label('WalletPayment');

const otherMethod = (
  type: PaymentType,
  label: string,
  fields: Record<string, Joi.Schema>,
): Joi.ObjectSchema =>
  Joi.object({
    type: methodType(type),
    installments: Joi.number()
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

const expiresIn = Joi.number()
  .integer()
  .min(60)
  .max(31_536_000)
  .description('Seconds until the charge expires; 3600 by default.');

/** Each type has fields of its own. */
const paymentMethodRequest = Joi.alternatives()
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
      { is: 'pix', then: otherMethod('pix', 'PixPayment', { expiresIn }) },
      { is: 'voucher', then: otherMethod('voucher', 'VoucherPayment', identifiedFields) },
      {
        is: 'banktransfer',
        then: otherMethod('banktransfer', 'BankTransferPayment', {
          bankName: text(100).required().description('The bank that the payer pays from.'),
          ...identifiedFields,
        }),
      },
      { is: 'qrcode', then: otherMethod('qrcode', 'QrCodePayment', identifiedFields) },
    ],
    otherwise: Joi.object({
      type: oneOf(PAYMENT_TYPES),
    })
      .unknown()
      .tag(FAULT_ONLY),
  })
  .meta({ title: 'PaymentMethodRequest' });

const splitEntry = Joi.object({
  merchantId: text(64)
    .required()
    .description('The participant: another active member of the marketplace group.'),
  percentage: Joi.number()
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
export const splitEntries = Joi.array()
  .items(splitEntry)
  .max(100)
  .unique('merchantId')
  .custom((entries: readonly unknown[], helpers) => {
    // Also called with entries of any other shape, whose faults are told already.
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
export const itemsRequest = (): Joi.ArraySchema =>
  Joi.array()
    .max(200)
    .items(
      Joi.object({
        title: text(255).description(ITEM.title),
        type: text(64).description(ITEM.type),
        description: textOrNone(1024).description(ITEM.description),
        unit_price: Joi.number().min(0).max(MAX_AMOUNT).description(ITEM.unit_price),
        quantity: Joi.number().min(0).max(MAX_AMOUNT).description(ITEM.quantity),
      }).label('ChargeItemRequest'),
    )
    .allow(null);

/** Goods or services, as an answer names them. */
export const itemsAnswer = (): Joi.ArraySchema =>
  Joi.array()
    .items(
      Joi.object({
        title: nullable(Joi.string()).description(ITEM.title),
        type: nullable(Joi.string()).description(ITEM.type),
        description: nullable(Joi.string().allow('')).description(ITEM.description),
        unit_price: nullable(Joi.number()).description(ITEM.unit_price),
        quantity: nullable(Joi.number()).description(ITEM.quantity),
      }).label('ChargeItem'),
    )
    .allow(null);

/** Body of a charge request. */
export const chargeRequest = Joi.object({
  amount: Joi.number()
    .greater(0)
    .max(MAX_AMOUNT)
    .required()
    .description('Decimal, with at most the digits of the currency; at most 10^12 of its smallest units.'),
  currency: knownCurrency().required(),
  customer: Joi.object({
    name: text(255).required().description('Full name of the payer.'),
    email: email().required(),
    phone: text(32).allow(null).description('In any notation.'),
    document: customerDocument()
      .messages({
        'object.base': '{{#label}} must be an object with type and id, such as cpf and 52998224725',
      })
      .description('National identifier of the payer.'),
    address: Joi.object({ country: text(64).required().description('Code or name.') })
      .label('CustomerAddressRequest')
      .messages({ 'object.base': '{{#label}} must be an object with country, such as BR' })
      .allow(null)
      .description('Where the payer lives.'),
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
  initiator: Joi.string()
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
  .label('ChargeRequest');

const cardFields = {
  firstSix: Joi.string().required().description('First six digits of the card number.'),
  lastFour: Joi.string().required().description('Last four digits of the card number.'),
  expirationMonth: Joi.string().required().description('Two digits.'),
  expirationYear: Joi.string().required().description('Four digits.'),
  holderName: Joi.string().required().description('As on the card.'),
  installments: Joi.number().integer().required().description('Monthly payments.'),
};

/** Payment method of a charge, as the API answers it. */
const paymentMethod = Joi.alternatives(
  Joi.object({
    type: methodType('credit_card'),
    ...cardFields,
    brand: Joi.string()
      .required()
      .description('Brand of the card, by which the fees go too: `visa`, `mastercard`, `elo`, …'),
    id: resourceId('pm').description(
      'The stored payment method that was charged, or as which the card is kept; absent for any other card.',
    ),
    initiator: Joi.string()
      .valid(...INITIATORS)
      .description('The one who began the payment; absent for a card that is not stored.'),
  }).label('CardPaymentMethod'),
  Joi.object({ type: methodType('pix') }).label('PixPaymentMethod'),
  Joi.object({ type: methodType('voucher'), ...identifiedFields }).label('VoucherPaymentMethod'),
  Joi.object({
    type: methodType('banktransfer'),
    bankName: Joi.string().required().description('The bank that the payer pays from.'),
    ...identifiedFields,
  }).label('BankTransferPaymentMethod'),
  Joi.object({ type: methodType('qrcode'), ...identifiedFields }).label('QrCodePaymentMethod'),
).meta({ title: 'PaymentMethod' });

const pixFields = {
  endToEndId: nullable(Joi.string()).description(
    'Identifier of the payment between banks: E and 31 characters; null while the institution does not know it yet.',
  ),
  copyPaste: Joi.string().required().description('BR Code: the Pix copy-and-paste payload.'),
  expiresAt: dateTime().required().description('Until when it can be paid.'),
};

/** Details of a charge's payment, as the API answers them. */
const paymentDetails = (ofPix: Joi.ObjectSchema): Joi.Schema =>
  Joi.alternatives(
    Joi.object({
      ...cardFields,
      authenticationUrl: Joi.string().description(
        "Where to send the payer, to prove to be the card's holder (3-D Secure); only while the charge waits for it.",
      ),
    }).label('CardDetails'),
    Joi.object({
      barcode: Joi.string().required().description('The digits that the barcode stands for.'),
      paymentCode: Joi.string().required().description('Ticket number to use for the payment.'),
      paymentUrl: Joi.string().required().description('Page of the provider with the voucher.'),
    }).label('VoucherDetails'),
    Joi.object({
      payUrl: Joi.string().required().description('Page of the provider where the payer pays.'),
    }).label('PayPageDetails'),
    ofPix,
  );

const charge = (ofPix: Joi.ObjectSchema): Joi.ObjectSchema =>
  Joi.object({
    id: resourceId('chg').required(),
    status: Joi.string()
      .valid(...CHARGE_STATUSES)
      .label('ChargeStatus')
      .required()
      .description('Where the charge stands.'),
    pspRefId: nullable(Joi.string()).description(
      'Reference in the system of the payment service provider; null until it has answered.',
    ),
    amount: money('Amount that the payer pays.').required(),
    currency: currency().required(),
    spread: money('Amount that the gateway keeps.').required(),
    net: money('Amount less spread.').required(),
    customer: Joi.object({
      id: Joi.string()
        .required()
        .description(
          'Of a charge with `customerId` that id; else the same for the same document or, without one, e-mail address.',
        ),
      name: Joi.string().required().description('As sent.'),
      email: Joi.string().required().description('As sent.'),
      document: nullable(Joi.string()).description('Number of the document; null without one.'),
      phone: nullable(Joi.string()).description('As sent; null without one.'),
      address: nullable(
        Joi.object({ country: Joi.string().required().description('As sent: code or name.') }).label(
          'CustomerAddress',
        ),
      ).description('Null without one.'),
    })
      .label('ChargeCustomer')
      .required()
      .description('Payer; placeholders once the customer was erased.'),
    paymentMethod: paymentMethod
      .required()
      .description('How the payer pays. `type` decides which other fields there are.'),
    merchantId: resourceId('mer')
      .required()
      .description('Merchant that owns the charge, the originator of a split.'),
    paymentDetails: nullable(paymentDetails(ofPix)).description(
      'Stored facts of the card, or instructions for the payer; null until the provider has answered.',
    ),
    metadata: nullable(metadata()).description('As sent; null without any.'),
    paidAt: nullable(dateTime()).description("When it was paid, by the provider's clock; null before."),
    createdAt: dateTime().required(),
    updatedAt: dateTime().required(),
    livemode: livemode().required(),
    reference: nullable(Joi.string()).description("The merchant's own reference; null without one."),
    refundedAt: nullable(dateTime()).description('When its refund was completed; null before.'),
    postbackUrl: nullable(Joi.string()).description(
      'Receives notifications about this charge; null without one.',
    ),
    items: itemsAnswer()
      .required()
      .description('As sent, with null for what an item has not; null without any.'),
    split: nullable(
      Joi.array().items(
        Joi.object({
          merchantId: Joi.string().required().description('The participant.'),
          percentage: Joi.number().required().description('Per cent of `net`.'),
          amount: Joi.number()
            .required()
            .description('The part of `net`; decimal, in the currency of the charge.'),
        }).label('SplitShare'),
      ),
    ).description("The participants' parts, without the originator's; null without a split."),
    expiresAt: nullable(dateTime()).description('Until when it can be paid; null for a card.'),
    subscriptionId: resourceId('sub').description(
      'The subscription that made it; absent for any other charge.',
    ),
    cycleNumber: Joi.number().integer().description('Number of that subscription’s cycle.'),
    checkoutSessionId: resourceId('chk').description(
      'The checkout session that it was made in; absent for any other charge.',
    ),
    failureReason: nullable(Joi.string()).description(
      'Why it was refused or failed, such as `card_declined`, `expired` or `cancelled`; null otherwise.',
    ),
  });

/** A charge as create and read by id answer it: with its settlements, and a Pix charge with its QR code's image. */
export const chargeAnswer = charge(
  Joi.object({
    ...pixFields,
    qrCode: nullable(Joi.string()).description('PNG data URL; null for a code that no QR code can hold.'),
  }).label('PixDetailsWithImage'),
)
  .keys({
    settlements: nullable(
      Joi.array().items(
        Joi.object({
          part: Joi.number().integer().required().description('From 1; a card has one for each installment.'),
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
/** A charge as lists and commands other than its creation answer it. */
export const listedCharge = charge(Joi.object(pixFields).label('PixDetails'))
  .fork('items', (items) => items.optional().description('As sent; in lists with `expand=items` only.'))
  .label('ListedCharge');
/** A charge as webhooks tell of it: without what the payer scans. */
export const sentCharge = charge(
  Joi.object({ endToEndId: pixFields.endToEndId }).label('SentPixDetails'),
).label('SentCharge');
