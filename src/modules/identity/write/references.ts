import type { OwnTransaction } from '../../../platform/write-store/transaction.ts';
import { MERCHANTS } from '../../merchants/write/merchant.ts';
import type { IdentityStore } from './identity.store.ts';
import { groupNotFound, merchantNotFound } from './refusals.ts';
import type { User } from './user.ts';

/** 422 where a user's merchant (MERCHANT_NOT_FOUND) or one of the groups (GROUP_NOT_FOUND) does not exist. */
export const requireReferences = async (
  tx: OwnTransaction,
  identityStore: Pick<IdentityStore, 'findGroups'>,
  user: User,
): Promise<void> => {
  if (user.merchantId !== null && !(await tx.get(MERCHANTS, user.merchantId))) throw merchantNotFound();
  const found = await identityStore.findGroups(user.groups, tx.session);
  const missing = user.groups.find((name) => !found.some((group) => group.name === name));
  if (missing !== undefined) throw groupNotFound(missing);
};
