import { defineList } from '../../../platform/http/list.ts';
import { ACTIVE } from '../../../platform/read-store/scope.ts';
import { merchantParams } from '../../merchants/merchants.schemas.ts';
import { BY_ANY_MERCHANT, inPathOfMerchant } from '../../merchants/read/by-merchant.ts';
import { certificateAnswer, TAG, WALLET_MERCHANT } from '../wallets.schemas.ts';
import { WALLET_CERTIFICATES_VIEW } from './wallet-certificate.view.ts';

/** Lists leave out certificates that were removed. */
export const WALLET_CERTIFICATE_LIST = defineList({
  view: WALLET_CERTIFICATES_VIEW,
  what: 'certificates',
  answer: certificateAnswer,
  sort: ['id', 'merchantId', 'notAfter', 'createdAt'],
  filter: {
    merchantId: BY_ANY_MERCHANT,
    walletMerchantId: { description: WALLET_MERCHANT },
    publicKeyHash: {
      description: 'Finds the certificate of a payment token by the Base64 text in its `header`.',
    },
    notAfter: {},
    createdAt: {},
  },
  routes: [
    {
      operationId: 'listMerchantWalletCertificates',
      path: '/v1/admin/merchants/{id}/wallet-certificates',
      params: merchantParams,
      tag: TAG,
      summary: "List a merchant's wallet certificates",
      description: 'Shows the merchant’s certificates, without removed ones.',
      access: { operator: 'admin.merchants.read' },
      errors: [404],
      within: inPathOfMerchant('merchantId', ACTIVE),
    },
    {
      operationId: 'listWalletCertificates',
      path: '/v1/admin/wallet-certificates',
      tag: TAG,
      summary: 'List the wallet certificates of all merchants',
      description:
        'Finds certificates that have to be renewed with `?notAfter[lt]=` and a date 30 days ahead, and `&orderBy=notAfter`. Removed certificates are left out.',
      access: { operator: 'admin.merchants.read' },
      within: () => [ACTIVE],
    },
  ],
});
