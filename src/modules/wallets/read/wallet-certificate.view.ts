import type { View } from '../../../platform/read-store/view.ts';
import { WALLET_CERTIFICATES, type WalletCertificate } from '../write/wallet-certificate.ts';

/** A wallet certificate as the API shows it. */
export type WalletCertificateAnswer = Omit<WalletCertificate, 'version' | 'active' | 'updatedAt'>;

export const presentWalletCertificate = (certificate: WalletCertificateAnswer): WalletCertificateAnswer => ({
  id: certificate.id,
  merchantId: certificate.merchantId,
  walletMerchantId: certificate.walletMerchantId,
  displayName: certificate.displayName,
  publicKeyHash: certificate.publicKeyHash,
  notBefore: certificate.notBefore,
  notAfter: certificate.notAfter,
  createdAt: certificate.createdAt,
});

type WalletCertificateDocument = WalletCertificateAnswer & { readonly active: boolean };

export const WALLET_CERTIFICATES_VIEW: View<WalletCertificate, WalletCertificateDocument> = {
  name: 'wallet_certificates',
  version: 1,
  source: WALLET_CERTIFICATES,
  properties: {
    id: { type: 'keyword' },
    merchantId: { type: 'keyword' },
    walletMerchantId: { type: 'keyword' },
    publicKeyHash: { type: 'keyword' },
    active: { type: 'boolean' },
    notAfter: { type: 'date' },
    createdAt: { type: 'date' },
  },
  toDocument: (certificate) => ({
    ...presentWalletCertificate(certificate),
    active: certificate.active,
  }),
};
