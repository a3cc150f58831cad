import type { Faker } from '@faker-js/faker';
import { CURRENCIES, exponentOf, toDecimal } from '../../src/kernel/money.ts';
import { isCuit } from '../../src/kernel/national-id.ts';
import type { ChargeRequest } from '../../src/modules/charges/write/charge-request.ts';
import type { SplitEntry } from '../../src/modules/charges/write/split.ts';
import type { CardFacts, PaymentType } from '../../src/modules/providers/provider.ts';
import type { OpenedToken } from '../../src/modules/providers/wallet/open-token.ts';
import type { WalletToken } from '../../src/modules/providers/wallet/wallet-token.ts';
import { withCheckDigits } from './national-id.ts';
import type { Payer } from './payers.ts';
import type { Scenario } from './scenarios.ts';

type Rate = { readonly value: string; readonly weight: number };

/** Currencies that merchants have fees for, weighted by how often cards pay in them. */
const CARD_CURRENCIES: readonly Rate[] = [
  { value: 'BRL', weight: 800 },
  { value: 'USD', weight: 70 },
  { value: 'EUR', weight: 45 },
  { value: 'ARS', weight: 30 },
  { value: 'MXN', weight: 20 },
  { value: 'CLP', weight: 15 },
  { value: 'COP', weight: 8 },
  { value: 'JPY', weight: 6 },
  { value: 'KWD', weight: 3 },
];
/**
 * Vouchers, bank transfers and QR codes are mostly paid in Argentina, Chile and Colombia, whose national ids they need.
 */
const LOCAL_CURRENCIES: readonly Rate[] = [
  { value: 'ARS', weight: 70 },
  { value: 'BRL', weight: 10 },
  { value: 'CLP', weight: 8 },
  { value: 'MXN', weight: 7 },
  { value: 'COP', weight: 5 },
];
export const FEE_CURRENCIES = {
  credit_card: CARD_CURRENCIES.map(({ value }) => value),
  pix: ['BRL'],
  voucher: LOCAL_CURRENCIES.map(({ value }) => value),
  banktransfer: LOCAL_CURRENCIES.map(({ value }) => value),
  qrcode: LOCAL_CURRENCIES.map(({ value }) => value),
} as const satisfies Record<PaymentType, readonly string[]>;

/** One in this many card charges is in some other currency, each in turn. */
const OTHER_CURRENCY_EVERY = 40;

/** Approximate value of one BRL, so that amounts look alike; 1 for other currencies. */
const RATES: Readonly<Record<string, number>> = {
  USD: 0.18,
  EUR: 0.16,
  ARS: 250,
  MXN: 3.4,
  CLP: 170,
  COP: 740,
  JPY: 28,
  KWD: 0.055,
};

const INSTALLMENTS = [
  { value: 1, weight: 12 },
  { value: 2, weight: 3 },
  { value: 3, weight: 3 },
  { value: 6, weight: 2 },
  { value: 12, weight: 1 },
];
const PRODUCTS = [
  { title: 'Livro de receitas', upTo: 60 },
  { title: 'Café especial 500 g', upTo: 90 },
  { title: 'Assinatura mensal', upTo: 130 },
  { title: 'Fone de ouvido sem fio', upTo: 250 },
  { title: 'Tênis de corrida', upTo: 500 },
  { title: 'Curso de violão', upTo: 1_200 },
  { title: 'Bicicleta urbana', upTo: Number.POSITIVE_INFINITY },
];
const CHANNELS = ['site', 'app', 'balcão', 'telefone'];
const BANKS = ['Banco de la Nación', 'Banco Galicia', 'Banco do Brasil', 'Banco de Chile', 'BBVA México'];

/** In BRL; half of the charges of a merchant with factor 1 are below this. */
const MEDIAN = 85;
const SPREAD = 0.9;

/** A charge request as a shop would send it, determined by the seed of `faker`. */
export const seedRequest = (
  faker: Faker,
  options: {
    readonly number: number;
    readonly scenario: Scenario;
    readonly payer: Payer;
    /** Price level of the merchant. */
    readonly factor: number;
    readonly split: readonly SplitEntry[];
    readonly expirationYear: string;
    /** Seconds that a Pix charge can be paid; null for the usual time. */
    readonly pixExpiresIn: number | null;
  },
): ChargeRequest => {
  const { number, scenario, payer } = options;
  const currency = currencyOf(faker, scenario, number);
  const reais = MEDIAN * options.factor * Math.exp(SPREAD * normal(faker));
  const quantity = faker.helpers.weightedArrayElement([
    { value: 1, weight: 8 },
    { value: 2, weight: 2 },
    { value: 3, weight: 1 },
  ]);
  const each = Math.max(1, reais / quantity);
  const product = PRODUCTS.find(({ upTo }) => each < upTo)?.title ?? 'Pedido';
  const price = Math.max(1, Math.round(each * (RATES[currency] ?? 1) * 10 ** exponentOf(currency)));
  return {
    amount: toDecimal(price * quantity, currency),
    currency,
    customer: {
      name: payer.name,
      email: payer.email,
      phone: payer.phone,
      document: { type: 'cpf', id: payer.cpf },
      address: { country: 'BR' },
    },
    paymentMethod: methodOf(faker, scenario, payer, currency, options),
    items: [{ title: product, type: 'product', unit_price: toDecimal(price, currency), quantity }],
    reference: `pedido-${number}`,
    metadata: { channel: faker.helpers.arrayElement(CHANNELS), cart: faker.number.int(999_999) },
    ...(options.split.length > 0 ? { split: options.split } : {}),
  };
};

const currencyOf = (faker: Faker, { method }: Scenario, number: number): string => {
  if (method === 'pix') return 'BRL';
  if (method !== 'credit_card') return faker.helpers.weightedArrayElement(LOCAL_CURRENCIES);
  const usual = faker.helpers.weightedArrayElement(CARD_CURRENCIES);
  const turn = number / OTHER_CURRENCY_EVERY;
  return (Number.isInteger(turn) && CURRENCIES[turn % CURRENCIES.length]) || usual;
};

/** A random number with the standard normal distribution (Box and Muller). */
const normal = (faker: Faker): number =>
  Math.sqrt(-2 * Math.log(1 - faker.number.float({ max: 0.999_999 }))) *
  Math.cos(2 * Math.PI * faker.number.float());

const methodOf = (
  faker: Faker,
  { method, cards, isWallet }: Scenario,
  payer: Payer,
  currency: string,
  { expirationYear, pixExpiresIn }: { readonly expirationYear: string; readonly pixExpiresIn: number | null },
): ChargeRequest['paymentMethod'] => {
  switch (method) {
    case 'credit_card': {
      const card = {
        number: cards[payer.card % cards.length] ?? '',
        holderName: payer.name.toUpperCase(),
        expirationMonth: payer.expirationMonth,
        expirationYear,
      };
      const installments = currency === 'BRL' ? faker.helpers.weightedArrayElement(INSTALLMENTS) : 1;
      return isWallet
        ? {
            type: 'credit_card',
            installments,
            wallet: { type: 'devicepay', token: walletToken(faker, card) },
          }
        : { type: 'credit_card', installments, ...card, cvv: card.number.startsWith('37') ? '1234' : '123' };
    }
    case 'pix':
      return { type: 'pix', installments: 1, ...(pixExpiresIn === null ? {} : { expiresIn: pixExpiresIn }) };
    case 'banktransfer':
      return {
        type: 'banktransfer',
        installments: 1,
        bankName: faker.helpers.arrayElement(BANKS),
        ...identity(faker),
      };
    default:
      return { type: method, installments: 1, ...identity(faker) };
  }
};

const identity = (faker: Faker): { readonly identifyType: string; readonly identifyNumber: string } => {
  const identifyType = faker.helpers.arrayElement(['dni', 'dni', 'cuil', 'cuit', 'cdi']);
  const dni = String(faker.number.int({ min: 10_000_000, max: 49_999_999 }));
  const long = withCheckDigits(`20${dni}`, 1, isCuit);
  return identifyType === 'dni' || long === null
    ? { identifyType: 'dni', identifyNumber: dni }
    : { identifyType, identifyNumber: long };
};

/** A token as a wallet would have sent it, with its card in place of the ciphertext (`openedToken`). */
const walletToken = (faker: Faker, card: CardFacts): WalletToken => {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  return {
    paymentData: {
      version: 'EC_v1',
      data: base64(JSON.stringify(card)),
      signature: base64('seed'),
      header: {
        ephemeralPublicKey: base64('seed'),
        publicKeyHash: base64('seed'),
        transactionId: faker.string.hexadecimal({ length: 64, prefix: '', casing: 'lower' }),
      },
    },
    transactionIdentifier: faker.string.hexadecimal({ length: 64, prefix: '', casing: 'lower' }),
  };
};

/** The payment that the gateway's device wallet would have found in such a token. */
export const openedToken = (token: WalletToken): OpenedToken => ({
  card: {
    ...(JSON.parse(Buffer.from(token.paymentData.data, 'base64').toString()) as CardFacts),
    cryptogram: Buffer.from('seed').toString('base64'),
    eciIndicator: null,
  },
  identifier: token.paymentData.header.transactionId,
});
