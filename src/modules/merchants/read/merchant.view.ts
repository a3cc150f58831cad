import type { View } from '../../../platform/read-store/view.ts';
import { MERCHANTS, type Merchant } from '../write/merchant.ts';

/** A merchant as the API shows it; the view's document is the same. */
export type MerchantAnswer = Omit<Merchant, 'version'>;

export const toMerchantAnswer = (merchant: Merchant): MerchantAnswer => ({
  id: merchant.id,
  legalName: merchant.legalName,
  email: merchant.email,
  companyTaxId: merchant.companyTaxId,
  role: merchant.role,
  masterId: merchant.masterId,
  status: merchant.status,
  livemode: merchant.livemode,
  permissions: merchant.permissions,
  timeZone: merchant.timeZone,
  createdAt: merchant.createdAt,
  updatedAt: merchant.updatedAt,
});

export const MERCHANTS_VIEW: View<Merchant, MerchantAnswer> = {
  name: 'merchants',
  version: 1,
  source: MERCHANTS,
  properties: {
    id: { type: 'keyword' },
    legalName: { type: 'keyword', ignore_above: 256 },
    email: { type: 'keyword', ignore_above: 256, normalizer: 'lowercase' },
    companyTaxId: { type: 'keyword' },
    role: { type: 'keyword' },
    masterId: { type: 'keyword' },
    status: { type: 'keyword' },
    livemode: { type: 'boolean' },
    createdAt: { type: 'date' },
    updatedAt: { type: 'date' },
  },
  toDocument: toMerchantAnswer,
};
