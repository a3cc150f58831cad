import { notFound } from '../../../kernel/errors.ts';
import type { MerchantPrincipal } from '../../../kernel/principal.ts';
import type { Database } from '../../../platform/write-store/database.ts';
import { readResource } from '../../../platform/write-store/read-resource.ts';
import { FEE_DEFINITIONS, type FeeDefinition, type MethodFee } from '../../merchants/write/fees.ts';
import { MERCHANTS, type Merchant } from '../../merchants/write/merchant.ts';
import type { Marketplace } from '../write/marketplace.ts';
import { isMasterOf } from '../write/submerchant.ts';

/** Fees as they are stored: a brand without a fee is not filled in with its method's. */
const presentFeesInfo = (merchant: Merchant, definitions: readonly FeeDefinition[]) => ({
  merchant: {
    id: merchant.id,
    legalName: merchant.legalName,
    companyTaxId: merchant.companyTaxId,
  },
  fees: definitions
    .filter((fee): fee is MethodFee => fee.fee_type !== 'payout')
    .map((fee) => ({
      feeType: fee.fee_type,
      paymentMethod: fee.payment_method,
      currencyCode: fee.currency_code,
      brand: fee.brand,
      definition: fee.definition,
    })),
});
export type FeesInfo = ReturnType<typeof presentFeesInfo>;

/**
 * The fees of the sub-account `id` for its master. A sub-account gets its own, whatever `id` is. 403 for a merchant
 * outside any marketplace or without the module, 404 for an account that is not linked to the master.
 */
export type GetFeesInfo = (principal: MerchantPrincipal, id: string) => Promise<FeesInfo>;

export const createGetFeesInfo = (deps: {
  readonly db: Database;
  readonly marketplace: Marketplace;
}): GetFeesInfo => {
  const linked = async (principal: MerchantPrincipal, id: string): Promise<Merchant | null> => {
    await deps.marketplace.requireMaster(principal);
    const merchant = await readResource(deps.db, MERCHANTS, id);
    return merchant && isMasterOf(principal, merchant) ? merchant : null;
  };
  return async (principal, id) => {
    const merchant =
      principal.masterId === null
        ? await linked(principal, id)
        : await readResource(deps.db, MERCHANTS, principal.merchantId);
    if (!merchant) throw notFound('Sub-account');
    const fees = await readResource(deps.db, FEE_DEFINITIONS, merchant.id);
    return presentFeesInfo(merchant, fees?.definitions ?? []);
  };
};
