import { type Minor, numberOf } from '../../../kernel/money.ts';
import { checkCardFacts } from '../card.ts';
import type { WalletCard } from '../provider.ts';
import { check, decode, type WalletFault } from './wallet-token.ts';

/** Amount and currency of the charge have to be those that the payer confirmed. */
export type ExpectedPayment = {
  readonly amount: Minor;
  readonly currency: string;
  /** Used where the wallet does not tell the card's holder. */
  readonly payerName: string;
};

/** Where the card's checks name a field of a request. */
const FAULTS: Readonly<Record<string, WalletFault>> = {
  'paymentMethod.number': 'card_number',
  'paymentMethod.holderName': 'cardholder_name',
  'paymentMethod.expirationMonth': 'expiry',
  'paymentMethod.expirationYear': 'expiry',
};

const NAME = /^[^\p{Cc}]{1,100}$/u;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Reads the decrypted text of a token and holds it against the charge; throws WalletTokenRefused. */
export const readPaymentData = (text: string, expected: ExpectedPayment, now: Date): WalletCard => {
  const data = decode('payment_data', () => JSON.parse(text)) as unknown;
  check(isRecord(data), 'payment_data');
  check(data.transactionAmount === expected.amount, 'amount');
  check(isCurrency(data.currencyCode, expected.currency), 'currency');

  const number = textOf(data.applicationPrimaryAccountNumber, 'card_number');
  const [, year, month] =
    /^(\d{2})(\d{2})\d{2}$/.exec(textOf(data.applicationExpirationDate, 'expiry')) ?? [];
  check(year !== undefined && month !== undefined, 'expiry');
  const name = data.cardholderName ?? '';
  check(name === '' || (typeof name === 'string' && NAME.test(name)), 'cardholder_name');
  const facts = { number, expirationMonth: month, expirationYear: `20${year}` };
  const [fault] = checkCardFacts({ ...facts, holderName: name }, now);
  check(fault === undefined, FAULTS[fault?.path ?? ''] ?? 'payment_data');

  check(data.paymentDataType === '3DSecure', 'payment_data_type');
  const proof = data.paymentData;
  check(isRecord(proof), 'cryptogram');
  const cryptogram = textOf(proof.onlinePaymentCryptogram, 'cryptogram');
  check(BASE64.test(cryptogram), 'cryptogram');
  const eciIndicator = typeof proof.eciIndicator === 'string' ? proof.eciIndicator : null;
  return { ...facts, holderName: name || expected.payerName, cryptogram, eciIndicator };
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOf = (value: unknown, fault: WalletFault): string => {
  check(typeof value === 'string', fault);
  return value;
};

/** ISO 4217 numeric; leading zeros may be missing. */
const isCurrency = (code: unknown, currency: string): boolean =>
  typeof code === 'string' && /^\d{1,3}$/.test(code) && code.padStart(3, '0') === numberOf(currency);
