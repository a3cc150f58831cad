import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import { DAY_MS } from '../../../kernel/durations.ts';
import { changed, created, type DatedResource, type Decision } from '../../../kernel/event.ts';
import type { Id, MerchantId } from '../../../kernel/ids.ts';
import { type SecretStore, secretStore } from '../../../kernel/store.ts';
import type { Sealed } from '../../../platform/secrets.ts';
import type { ProcessingCertificate } from '../../providers/wallet/processing-certificate.ts';
import { walletCertificateAlreadyExists } from './refusals.ts';

type WalletCertificateId = Id<'wct'>;

/** A merchant's payment-processing certificate, without its key. It serves both environments. */
export type WalletCertificate = DatedResource & {
  readonly id: WalletCertificateId;
  readonly merchantId: MerchantId;
  /** Id of the merchant at the device wallet. */
  readonly walletMerchantId: string;
  readonly displayName: string;
  /** Base64 of the SHA-256 of the SubjectPublicKeyInfo; tokens name their certificate by it. */
  readonly publicKeyHash: string;
  readonly notBefore: Timestamp;
  readonly notAfter: Timestamp;
  /** False once it was removed; its key is destroyed then. */
  readonly active: boolean;
};

/** Secrets of a certificate, stored beside it; no event and no answer has them. */
export type WalletCertificateSecret = { readonly sealedPrivateKey: Sealed | null };

export const WALLET_CERTIFICATES: SecretStore<WalletCertificate> = secretStore(
  'wallet_certificates',
  'wallet_certificate',
  { auditsEverybody: true },
);

/** Wallet merchants renew at least so long before expiry. */
const RENEW_DAYS_AHEAD = 30;

/** 422 WALLET_CERTIFICATE_ALREADY_EXISTS where the merchant has one of the same key: a token could mean either. */
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
): Decision<WalletCertificate> => {
  if (existing) throw walletCertificateAlreadyExists();
  return created('wallet_certificate.created', now, {
    ...command,
    publicKeyHash: certificate.publicKeyHash,
    notBefore: timestamp(certificate.notBefore),
    notAfter: timestamp(certificate.notAfter),
    active: true,
  });
};

/** Null where it is removed already: removing it again changes nothing. */
export const removeCertificate = (
  certificate: WalletCertificate,
  now: Date,
): Decision<WalletCertificate> | null =>
  certificate.active ? changed('wallet_certificate.removed', certificate, now, { active: false }) : null;

/** How many expire within the time in which they have to be renewed, and when the first does. */
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
