import { randomInt } from 'node:crypto';
import type { Timestamp } from '../../../kernel/clock.ts';
import { dateOf, localTime } from '../../../kernel/local-time.ts';
import type { Minor } from '../../../kernel/money.ts';

/** The simulator's number among those who collect vouchers; it is nobody's. */
const COLLECTOR = '9999';

const randomDigits = (count: number): string => Array.from({ length: count }, () => randomInt(10)).join('');

/** Modulo 10 with weights 3 and 1 from the right, as in GS1 barcodes. */
const checkDigit = (digits: string): number => {
  const total = [...digits]
    .reverse()
    .reduce((sum, digit, index) => sum + Number(digit) * (index % 2 === 0 ? 3 : 1), 0);
  return (10 - (total % 10)) % 10;
};

/**
 * Voucher for the counter: the number of the ticket, and a barcode. Interleaved 2 of 5 needs an even number of digits,
 * here 38. The digits are collector, amount in minor units, last day in the merchant's zone as its page shows it, ticket
 * and check digit.
 */
export const newVoucher = (
  amount: Minor,
  expiresAt: Timestamp,
  timeZone: string,
): { readonly paymentCode: string; readonly barcode: string } => {
  const paymentCode = randomDigits(14);
  const lastDay = dateOf(localTime(Date.parse(expiresAt), timeZone))
    .slice(2)
    .replaceAll('-', '');
  const body = `${COLLECTOR}${String(amount).padStart(13, '0')}${lastDay}${paymentCode}`;
  return { paymentCode, barcode: `${body}${checkDigit(body)}` };
};
