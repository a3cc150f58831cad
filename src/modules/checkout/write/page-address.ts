import { randomBytes } from 'node:crypto';

const SECRET_BYTES = 16;

/** A new address of a page for payers, and the secret part of it: 128 random bits, which open the page for anybody. */
export const newPageAddress = (
  publicUrl: string,
  page: 'checkout' | 'link',
): { readonly url: string; readonly token: string } => {
  const token = randomBytes(SECRET_BYTES).toString('base64url');
  return { url: `${publicUrl}/${page}/${token}`, token };
};
