import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * The roots to which the certificates that sign wallet tokens may chain: PEM, or the name of a PEM file. There may be
 * several while one is being replaced. Line breaks may be written as `\n`, where a value has to be a single line.
 * Throws for anything else.
 */
export const readWalletRoots = (value: string): readonly X509Certificate[] => {
  const text = value.includes('-----BEGIN') ? value.replaceAll('\\n', '\n') : readFileSync(value, 'utf8');
  const roots = (text.match(PEM) ?? []).map((pem) => new X509Certificate(pem));
  if (roots.length === 0 || roots.some(({ ca }) => !ca)) throw new Error('no certificate of an authority');
  return roots;
};
