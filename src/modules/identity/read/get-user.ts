import { existing } from '../../../kernel/errors.ts';
import type { Database } from '../../../platform/write-store/database.ts';
import { readResource } from '../../../platform/write-store/read-resource.ts';
import { USERS, type User } from '../write/user.ts';

/** Reads a user from the write store, so never behind; 404 for an unknown id. */
export type GetUser = (id: string) => Promise<User>;

export const createGetUser =
  (db: Database): GetUser =>
  async (id) =>
    existing(await readResource(db, USERS, id), 'User');
