import { date, flag, hidden, keyword, stored } from '../../../platform/read-store/fields.ts';
import { defineView } from '../../../platform/read-store/view.ts';
import { WALLET_CERTIFICATES } from '../write/wallet-certificate.ts';

export const WALLET_CERTIFICATES_VIEW = defineView({
  name: 'wallet_certificates',
  version: 1,
  source: WALLET_CERTIFICATES,
  fields: {
    id: keyword(),
    merchantId: keyword(),
    walletMerchantId: keyword(),
    displayName: stored(),
    publicKeyHash: keyword(),
    notBefore: stored(),
    notAfter: date(),
    active: hidden(flag()),
    createdAt: date(),
  },
});

/** A wallet certificate as the API answers it. */
export const presentWalletCertificate = WALLET_CERTIFICATES_VIEW.present;
