import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * The roots that wallet signatures may chain to: PEM, or the name of a file with it; several while one is replaced.
 * Line breaks may be written as `\n`, for places that hold one line only. Throws where there is anything else.
 */
export const readWalletRoots = (value: string): readonly X509Certificate[] => {
  const text = value.includes('-----BEGIN') ? value.replaceAll('\\n', '\n') : readFileSync(value, 'utf8');
  const roots = (text.match(PEM) ?? []).map((pem) => new X509Certificate(pem));
  if (roots.length === 0 || roots.some(({ ca }) => !ca)) throw new Error('no certificate of an authority');
  return roots;
};
