import { existing } from '../../../kernel/errors.ts';
import type { Database } from '../../../platform/write-store/database.ts';
import { readResource } from '../../../platform/write-store/read-resource.ts';
import { MERCHANTS, type Merchant } from '../write/merchant.ts';

/** Reads a merchant from the write store, so never behind; 404 for an unknown id. */
export type GetMerchant = (id: string) => Promise<Merchant>;

export const createGetMerchant =
  (db: Database): GetMerchant =>
  async (id) =>
    existing(await readResource(db, MERCHANTS, id), 'Merchant');
