import type { Database } from '../../../platform/write-store/database.ts';
import { readResource } from '../../../platform/write-store/read-resource.ts';
import type { GetMerchant } from '../../merchants/read/get-merchant.ts';
import { DEFAULT_SPLITS, type DefaultSplit } from '../write/default-split.ts';

/** A merchant's default split, null where none was ever configured; 404 for an unknown merchant. */
export type GetDefaultSplit = (merchantId: string) => Promise<DefaultSplit | null>;

export const createGetDefaultSplit =
  (deps: { readonly db: Database; readonly getMerchant: GetMerchant }): GetDefaultSplit =>
  async (merchantId) => {
    const { id } = await deps.getMerchant(merchantId);
    return readResource(deps.db, DEFAULT_SPLITS, id);
  };
