import type { estypes } from '@elastic/elasticsearch';
import { defineList, type ListQuery, type Page } from '../../../platform/read-store/list.ts';
import type { ReadView } from '../../../platform/read-store/read-view.ts';
import type { GetMerchant } from '../../merchants/read/get-merchant.ts';
import {
  presentWalletCertificate,
  WALLET_CERTIFICATES_VIEW,
  type WalletCertificateAnswer,
} from './wallet-certificate.view.ts';

export const walletCertificateList = defineList({
  sortable: {
    id: { field: 'id', kind: 'keyword' },
    merchantId: { field: 'merchantId', kind: 'keyword' },
    notAfter: { field: 'notAfter', kind: 'date' },
    createdAt: { field: 'createdAt', kind: 'date' },
  },
  filters: {
    merchantId: {
      kind: 'keyword',
      field: 'merchantId',
      description: 'Only those of this merchant, `mer_…`.',
    },
    walletMerchantId: {
      kind: 'keyword',
      field: 'walletMerchantId',
      description: 'By what the device wallet knows the merchant.',
    },
    publicKeyHash: {
      kind: 'keyword',
      field: 'publicKeyHash',
      description: 'Base64 as in the `header` of a payment token: the certificate that the token is for.',
    },
    notAfter: { kind: 'date', field: 'notAfter' },
    createdAt: { kind: 'date', field: 'createdAt' },
  },
});

/** Certificates that were not removed: of one merchant (404 for an unknown one), or of all. */
export type ListWalletCertificates = (
  merchantId: string | null,
  query: ListQuery,
  consistency: string | null,
) => Promise<Page<WalletCertificateAnswer>>;

export const createListWalletCertificates =
  (deps: { readonly readView: ReadView; readonly getMerchant: GetMerchant }): ListWalletCertificates =>
  async (merchantId, query, consistency) => {
    const scope: estypes.QueryDslQueryContainer[] = [{ term: { active: true } }];
    if (merchantId !== null) {
      await deps.getMerchant(merchantId);
      scope.push({ term: { merchantId } });
    }
    return deps.readView.page(
      { list: walletCertificateList, view: WALLET_CERTIFICATES_VIEW, present: presentWalletCertificate },
      scope,
      query,
      consistency,
    );
  };
