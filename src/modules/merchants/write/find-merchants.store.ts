import type { Db } from 'mongodb';
import type { MerchantId } from '../../../kernel/ids.ts';
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
