import type { View } from '../../../platform/read-store/view.ts';
import { MERCHANTS, type Merchant } from '../write/merchant.ts';

/** The view's document: lists of merchants and of sub-merchants are read from it. */
export type MerchantDocument = Merchant;

/** A merchant as operators see it. */
export type MerchantAnswer = Omit<MerchantDocument, 'version' | 'phone' | 'address' | 'postbackUrl'>;

export const toMerchantAnswer = (merchant: MerchantDocument): MerchantAnswer => ({
  id: merchant.id,
  legalName: merchant.legalName,
  email: merchant.email,
  companyTaxId: merchant.companyTaxId,
  role: merchant.role,
  masterId: merchant.masterId,
  status: merchant.status,
  statusReason: merchant.statusReason,
  livemode: merchant.livemode,
  permissions: merchant.permissions,
  timeZone: merchant.timeZone,
  createdAt: merchant.createdAt,
  updatedAt: merchant.updatedAt,
});

export const MERCHANTS_VIEW: View<Merchant, MerchantDocument> = {
  name: 'merchants',
  version: 3,
  source: MERCHANTS,
  properties: {
    id: { type: 'keyword' },
    legalName: {
      type: 'keyword',
      ignore_above: 256,
      fields: { words: { type: 'text', analyzer: 'words', norms: false, index_options: 'docs' } },
    },
    email: { type: 'keyword', ignore_above: 256, normalizer: 'lowercase' },
    companyTaxId: { type: 'keyword' },
    role: { type: 'keyword' },
    masterId: { type: 'keyword' },
    status: { type: 'keyword' },
    livemode: { type: 'boolean' },
    createdAt: { type: 'date' },
    updatedAt: { type: 'date' },
  },
  toDocument: (merchant) => merchant,
};
