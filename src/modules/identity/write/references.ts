import { unprocessable } from '../../../kernel/errors.ts';
import type { Transaction } from '../../../platform/write-store/transact.ts';
import { MERCHANTS } from '../../merchants/write/merchant.ts';
import type { IdentityStore } from './identity.store.ts';
import type { User } from './user.ts';

/** 422 where a user's merchant (MERCHANT_NOT_FOUND) or one of the groups (GROUP_NOT_FOUND) does not exist. */
export const requireReferences = async (
  tx: Transaction,
  identityStore: Pick<IdentityStore, 'findGroups'>,
  user: User,
): Promise<void> => {
  if (user.merchantId !== null && !(await tx.get(MERCHANTS, user.merchantId)))
    throw unprocessable('MERCHANT_NOT_FOUND', 'Merchant not found');
  const found = await identityStore.findGroups(user.groups, tx.session);
  const missing = user.groups.find((name) => !found.some((group) => group.name === name));
  if (missing !== undefined) throw unprocessable('GROUP_NOT_FOUND', `Group not found: ${missing}`);
};
