import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import { DAY_MS } from '../../../kernel/durations.ts';
import { changed, created, type DatedResource, type Decision } from '../../../kernel/event.ts';
import type { Id, MerchantId } from '../../../kernel/ids.ts';
import { type SecretStore, secretStore } from '../../../kernel/store.ts';
import type { Sealed } from '../../../platform/secrets.ts';
import type { ProcessingCertificate } from '../../providers/wallet/processing-certificate.ts';
import { walletCertificateAlreadyExists } from './refusals.ts';

type WalletCertificateId = Id<'wct'>;

type WalletCertificateEvent = 'wallet_certificate.created' | 'wallet_certificate.removed';

/** A merchant's payment-processing certificate without its private key. It serves both environments. */
export type WalletCertificate = DatedResource & {
  readonly id: WalletCertificateId;
  readonly merchantId: MerchantId;
  /** Id of the merchant at the device wallet. */
  readonly walletMerchantId: string;
  readonly displayName: string;
  /** SHA-256 of the SubjectPublicKeyInfo in Base64, by which tokens name their certificate. */
  readonly publicKeyHash: string;
  readonly notBefore: Timestamp;
  readonly notAfter: Timestamp;
  /** False once the certificate was removed and its key destroyed. */
  readonly active: boolean;
};

/** Secrets of a certificate, stored beside it; neither events nor answers show them. */
export type WalletCertificateSecret = { readonly sealedPrivateKey: Sealed | null };

export const WALLET_CERTIFICATES: SecretStore<WalletCertificate, WalletCertificateEvent> = secretStore(
  'wallet_certificates',
  'wallet_certificate',
  { auditsEverybody: true },
);

/** Merchants have to renew a certificate at least this many days before it expires. */
const RENEW_DAYS_AHEAD = 30;

/**
 * Registers a certificate. 422 WALLET_CERTIFICATE_ALREADY_EXISTS where the merchant has one with the same key, because
 * a token would not tell the two apart.
 */
export const registerCertificate = (
  command: {
    readonly id: WalletCertificateId;
    readonly merchantId: MerchantId;
    readonly walletMerchantId: string;
    readonly displayName: string;
  },
  certificate: ProcessingCertificate,
  existing: WalletCertificate | null,
  now: Date,
): Decision<WalletCertificate, WalletCertificateEvent> => {
  if (existing) throw walletCertificateAlreadyExists();
  return created('wallet_certificate.created', now, {
    ...command,
    publicKeyHash: certificate.publicKeyHash,
    notBefore: timestamp(certificate.notBefore),
    notAfter: timestamp(certificate.notAfter),
    active: true,
  });
};

/** Removes a certificate; null where it is removed already, because removing it again changes nothing. */
export const removeCertificate = (
  certificate: WalletCertificate,
  now: Date,
): Decision<WalletCertificate, WalletCertificateEvent> | null =>
  certificate.active ? changed('wallet_certificate.removed', certificate, now, { active: false }) : null;

/** How many certificates have to be renewed by now, and when the first one expires. */
export const summarizeExpiry = (
  expiries: readonly Timestamp[],
  now: Date,
): { readonly expiring: number; readonly firstAt: Timestamp | null } => {
  const soon = timestamp(new Date(now.getTime() + RENEW_DAYS_AHEAD * DAY_MS));
  return {
    expiring: expiries.filter((notAfter) => notAfter < soon).length,
    firstAt: [...expiries].sort()[0] ?? null,
  };
};
