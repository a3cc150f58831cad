import anyAscii from 'any-ascii';
import { MAX_AMOUNT, type Minor } from '../../../kernel/money.ts';

/**
 * BR Code: the EMV merchant-presented QR payload with Pix's own fields (BACEN, Manual de Padrões para Iniciação do
 * Pix; EMVCo, Merchant-Presented Mode 1.1). Each field is a two-digit id, a two-digit length and a value; the
 * values here are printable ASCII, so that bytes and characters are the same.
 */
export type BrCode = {
  /** Where the payer's bank reads the charge: host and path without scheme, at most 77 characters of ASCII. */
  readonly location: string;
  /** In BRL; null where the code is not about one payment but about a mandate. */
  readonly amount: Minor | null;
  readonly merchantName: string;
  readonly merchantCity: string;
};

const MAX_LOCATION = 77;
const MAX_NAME = 25;
const MAX_CITY = 15;
const MAX_AMOUNT_DIGITS = 13;

const field = (id: string, value: string): string => {
  if (value.length === 0 || value.length > 99) throw new RangeError(`BR Code field ${id} does not fit`);
  return `${id}${String(value.length).padStart(2, '0')}${value}`;
};

/** Letters that keep their sound in ASCII, and signs. A name in other scripts would be read wrongly. */
const TRANSLITERATED = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{P}]/gu;

/** Printable ASCII that reads like the text, cut to `length`; `otherwise` where nothing of it is left. */
const folded = (text: string, length: number, otherwise: string): string =>
  text
    .normalize('NFKD')
    .replace(TRANSLITERATED, anyAscii)
    .replace(/[^ -~]/g, '')
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, length)
    .trim() || otherwise;

/** Reais with a point; without the cents where they would not fit, which the largest amount can spare. */
const reais = (amount: Minor): string => {
  if (!Number.isSafeInteger(amount) || amount <= 0 || amount > MAX_AMOUNT) {
    throw new RangeError('BR Code amount is out of range');
  }
  const digits = String(amount).padStart(3, '0');
  const decimal = `${digits.slice(0, -2)}.${digits.slice(-2)}`;
  return decimal.length > MAX_AMOUNT_DIGITS ? decimal.slice(0, -3) : decimal;
};

/** CRC-16 with polynomial 0x1021 and initial value 0xFFFF, as four upper-case hexadecimal digits (EMVCo MPM 4.7.3). */
export const crc16 = (text: string): string => {
  let crc = 0xffff;
  for (const byte of Buffer.from(text, 'utf8')) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1)
      crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
};

/** The copy-and-paste payload of a dynamic charge that can be paid once. */
export const buildBrCode = (code: BrCode): string => {
  if (!/^[!-~]+$/.test(code.location) || code.location.length > MAX_LOCATION) {
    throw new RangeError('BR Code location does not fit');
  }
  const body = [
    field('00', '01'),
    field('01', '12'),
    field('26', field('00', 'br.gov.bcb.pix') + field('25', code.location)),
    field('52', '0000'),
    field('53', '986'),
    code.amount === null ? '' : field('54', reais(code.amount)),
    field('58', 'BR'),
    field('59', folded(code.merchantName, MAX_NAME, 'RECEBEDOR')),
    field('60', folded(code.merchantCity, MAX_CITY, 'BRASILIA')),
    // The transaction id of a dynamic charge is behind its location; the manual wants three asterisks here.
    field('62', field('05', '***')),
    '6304',
  ].join('');
  return body + crc16(body);
};
