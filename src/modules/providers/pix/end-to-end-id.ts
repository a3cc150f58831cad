import { randomInt } from 'node:crypto';

const ALPHANUMERICS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const SUFFIX_LENGTH = 11;

/**
 * A new end-to-end identifier of a Pix payment: E, the eight digits of the institution (ISPB), the UTC minute as
 * yyyyMMddHHmm, eleven alphanumerics (BACEN, catalogue of SPI messages: EndToEndId).
 */
export const newEndToEndId = (ispb: string, at: Date): string => {
  if (!/^\d{8}$/.test(ispb)) throw new RangeError('an ISPB has eight digits');
  const minute = at.toISOString().replace(/\D/g, '').slice(0, 12);
  const suffix = Array.from({ length: SUFFIX_LENGTH }, () => ALPHANUMERICS[randomInt(ALPHANUMERICS.length)]);
  return `E${ispb}${minute}${suffix.join('')}`;
};
