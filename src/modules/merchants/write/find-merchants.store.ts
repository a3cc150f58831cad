import type { Db } from 'mongodb';
import type { MerchantId } from '../../../kernel/ids.ts';
import { merchantNotVisible, type Principal } from '../../../kernel/principal.ts';
import { RESOURCE_ONLY } from '../../../platform/write-store/mongo.ts';
import { MERCHANTS, type Merchant } from './merchant.ts';

/** Those of the named merchants that exist, in no particular order. */
export type FindMerchants = (ids: readonly MerchantId[]) => Promise<readonly Merchant[]>;

export const createFindMerchants =
  (db: Db): FindMerchants =>
  (ids) =>
    db
      .collection<{ _id: string }>(MERCHANTS.collection)
      .find<Merchant>({ _id: { $in: [...ids] } }, { projection: RESOURCE_ONLY })
      .toArray();

/** A merchant may name itself and, as a master, its sub-merchants of the same environment; else 403. */
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
