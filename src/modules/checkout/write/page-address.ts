import { randomBytes } from 'node:crypto';

const SECRET_BYTES = 16;

/**
 * A new address of a page for payers, with its secret part of 128 random bits. Anybody who knows it can open the page.
 */
export const newPageAddress = (
  publicUrl: string,
  page: 'checkout' | 'link',
): { readonly url: string; readonly token: string } => {
  const token = randomBytes(SECRET_BYTES).toString('base64url');
  return { url: `${publicUrl}/${page}/${token}`, token };
};
