import type { Db } from 'mongodb';
import { readResource } from '../../../platform/write-store/read-resource.ts';
import { FEE_DEFINITIONS, type FeeDefinition } from '../write/fees.ts';
import { createGetMerchant } from './get-merchant.ts';

/** A merchant's fees, as they were put; 404 for an unknown merchant. */
export type GetFeeDefinitions = (merchantId: string) => Promise<readonly FeeDefinition[]>;

export const createGetFeeDefinitions = (db: Db): GetFeeDefinitions => {
  return async (merchantId) => {
    const stored = await readResource(db, FEE_DEFINITIONS, merchantId);
    if (stored) return stored.definitions;
    await createGetMerchant(db)(merchantId);
    return [];
  };
};
