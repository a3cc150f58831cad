import type { MerchantId } from '../../../kernel/ids.ts';
import { merchantNotVisible, type Principal } from '../../../kernel/principal.ts';
import { type FindTenant, type TenantId, tenantOf } from '../../../kernel/tenant.ts';
import type { Database } from '../../../platform/write-store/database.ts';
import { findAmong, RESOURCE_ONLY } from '../../../platform/write-store/mongo.ts';
import { MERCHANTS, type Merchant } from './merchant.ts';

/** Finds the named merchants that exist, in no particular order. */
export type FindMerchants = (ids: readonly MerchantId[]) => Promise<readonly Merchant[]>;

export const createFindMerchants =
  (db: Database): FindMerchants =>
  (ids) =>
    findAmong<Merchant>(db, MERCHANTS.collection, '_id', ids, { projection: RESOURCE_ONLY });

/** A merchant's master never changes, so it is asked for once. */
export const createFindTenant = (findMerchants: FindMerchants): FindTenant => {
  const known = new Map<MerchantId, TenantId>();
  return async (merchantId) => {
    const tenantId = known.get(merchantId);
    if (tenantId !== undefined) return tenantId;
    const [merchant] = await findMerchants([merchantId]);
    if (!merchant) return null;
    const found = tenantOf({ merchantId, masterId: merchant.masterId });
    known.set(merchantId, found);
    return found;
  };
};

/**
 * 403 where the caller names a merchant that is neither itself nor, for a master, a sub-merchant in the same
 * environment.
 */
export const assertMayNameMerchant = async (
  principal: Principal,
  merchantId: MerchantId | undefined,
  findMerchants: FindMerchants,
): Promise<void> => {
  if (merchantId === undefined || principal.kind === 'operator' || merchantId === principal.merchantId)
    return;
  const [named] = await findMerchants([merchantId]);
  if (named?.masterId !== principal.merchantId || named.livemode !== principal.livemode)
    throw merchantNotVisible();
};

/** `assertMayNameMerchant` for lists. */
export const createAssertMayName =
  (findMerchants: FindMerchants) =>
  (principal: Principal, merchantId: string): Promise<void> =>
    assertMayNameMerchant(principal, merchantId as MerchantId, findMerchants);
