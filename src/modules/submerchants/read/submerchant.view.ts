import type { MerchantDocument } from '../../merchants/read/merchant.view.ts';

/** A sub-merchant as the API answers it (decisions 9), from its record or from the view of merchants. */
export const presentSubmerchant = (merchant: MerchantDocument) => ({
  id: merchant.id,
  version: merchant.version,
  masterId: merchant.masterId,
  livemode: merchant.livemode,
  legalName: merchant.legalName,
  email: merchant.email,
  companyTaxId: merchant.companyTaxId,
  phone: merchant.phone,
  address: merchant.address,
  status: merchant.status,
  statusReason: merchant.statusReason,
  postbackUrl: merchant.postbackUrl,
  createdAt: merchant.createdAt,
  updatedAt: merchant.updatedAt,
});
export type SubmerchantAnswer = ReturnType<typeof presentSubmerchant>;
