import type { Db } from 'mongodb';
import { notFound } from '../../../kernel/errors.ts';
import { readResource } from '../../../platform/write-store/read-resource.ts';
import { USERS, type User } from '../write/user.ts';

/** From the write store, so never behind; 404 for an unknown id. */
export type GetUser = (id: string) => Promise<User>;

export const createGetUser = (db: Db): GetUser => {
  return async (id) => {
    const user = await readResource(db, USERS, id);
    if (!user) throw notFound('User');
    return user;
  };
};
