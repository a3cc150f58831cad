import { notFound } from '../../../kernel/errors.ts';
import type { MerchantId } from '../../../kernel/ids.ts';
import type { MerchantPrincipal } from '../../../kernel/principal.ts';
import type { FindMerchants } from '../../merchants/write/find-merchants.store.ts';
import type { Merchant } from '../../merchants/write/merchant.ts';
import { ENABLE_CONNECT } from '../../merchants/write/setting.ts';
import type { FindSetting } from '../../merchants/write/settings.store.ts';
import { assertActive, assertMaster, maySeeSubmerchant } from './submerchant.ts';

/** Checks rights in a marketplace against the write store on every request, so that a change counts at once. */
export type Marketplace = {
  /** 403 unless the caller is a master with the module enabled. */
  requireMaster(principal: MerchantPrincipal): Promise<void>;
  /** 403 unless the caller is such a master and active; a blocked master may only read. */
  requireActiveMaster(principal: MerchantPrincipal): Promise<void>;
  /**
   * The sub-merchant `id`, for its master or for itself. 404 for any other caller of the marketplace, 403 for a
   * merchant outside it or without the module.
   */
  findSubmerchant(principal: MerchantPrincipal, id: string): Promise<Merchant>;
  /** The sub-merchant `id` for an operator, in either environment; 404 for a merchant that is no sub-merchant. */
  findForOperator(id: string): Promise<Merchant>;
};

export const createMarketplace = (deps: {
  readonly findMerchants: FindMerchants;
  readonly findSetting: FindSetting;
}): Marketplace => {
  const masterOf = async ({ merchantId }: MerchantPrincipal): Promise<Merchant> => {
    const [[merchant = null], connect] = await Promise.all([
      deps.findMerchants([merchantId]),
      deps.findSetting(merchantId, ENABLE_CONNECT),
    ]);
    assertMaster(merchant, connect);
    return merchant;
  };
  return {
    requireMaster: async (principal) => {
      await masterOf(principal);
    },
    requireActiveMaster: async (principal) => assertActive(await masterOf(principal)),
    async findSubmerchant(principal, id) {
      if (principal.masterId === null) await masterOf(principal);
      const [found] = await deps.findMerchants([id as MerchantId]);
      if (!found || !maySeeSubmerchant(principal, found)) throw notFound('Sub-merchant');
      return found;
    },
    async findForOperator(id) {
      const [found] = await deps.findMerchants([id as MerchantId]);
      if (!found || found.masterId === null) throw notFound('Sub-merchant');
      return found;
    },
  };
};
