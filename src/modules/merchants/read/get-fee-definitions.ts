import type { Db } from 'mongodb';
import { readResource } from '../../../platform/write-store/mongo.ts';
import { FEE_DEFINITIONS, type FeeDefinition } from '../write/fees.ts';
import { getMerchant } from './get-merchant.ts';

/** A merchant's fees, as they were put; 404 for an unknown merchant. */
export type GetFeeDefinitions = (merchantId: string) => Promise<readonly FeeDefinition[]>;

export const getFeeDefinitions = (db: Db): GetFeeDefinitions => {
  return async (merchantId) => {
    const stored = await readResource(db, FEE_DEFINITIONS, merchantId);
    if (stored) return stored.definitions;
    await getMerchant(db)(merchantId);
    return [];
  };
};
