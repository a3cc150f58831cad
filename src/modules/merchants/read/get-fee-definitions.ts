import type { Database } from '../../../platform/write-store/database.ts';
import { readResource } from '../../../platform/write-store/read-resource.ts';
import { FEE_DEFINITIONS, type FeeDefinition } from '../write/fees.ts';
import { createGetMerchant } from './get-merchant.ts';

/** A merchant's fees as they are stored; 404 for an unknown merchant. */
export type GetFeeDefinitions = (merchantId: string) => Promise<readonly FeeDefinition[]>;

export const createGetFeeDefinitions = (db: Database): GetFeeDefinitions => {
  return async (merchantId) => {
    const stored = await readResource(db, FEE_DEFINITIONS, merchantId);
    if (stored) return stored.definitions;
    await createGetMerchant(db)(merchantId);
    return [];
  };
};
