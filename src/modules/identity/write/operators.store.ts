import type { Clock } from '../../../kernel/clock.ts';
import type { Database } from '../../../platform/write-store/database.ts';
import type { Operators } from '../../proposals/write/operators.ts';
import { checkAdministration } from './administration.ts';
import { ADMINISTRATION_PERMISSION, permissionsOf } from './group.ts';
import type { IdentityStore } from './identity.store.ts';
import { USERS, type User } from './user.ts';

export const createOperators = (deps: {
  readonly db: Database;
  readonly identityStore: Pick<IdentityStore, 'findGroups'>;
  readonly clock: Clock;
}): Operators => {
  const find: Operators['find'] = async (tx, userId) => {
    const user = await tx.get(USERS, userId);
    if (!user || user.merchantId !== null || user.disabled) return null;
    const groups = await deps.identityStore.findGroups(user.groups, tx.session);
    return { id: user.id, since: user.operatorSince ?? user.createdAt, permissions: permissionsOf(groups) };
  };
  return {
    find,
    async isAlone(tx, userId) {
      const operators = await deps.db
        .collection<User>(USERS.collection)
        .find<Pick<User, 'id'>>({ merchantId: null }, { session: tx.session, projection: { _id: 0, id: 1 } })
        .toArray();
      // Ids sort by time, and users are never removed, so the lowest id is the operator that the gateway itself
      // created.
      const [first, ...others] = operators.map(({ id }) => id).sort();
      if (first !== userId) return false;
      for (const id of others)
        if ((await find(tx, id))?.permissions.includes(ADMINISTRATION_PERMISSION)) return false;
      return true;
    },
    serialize: (tx) => checkAdministration(tx, deps.clock()),
  };
};
