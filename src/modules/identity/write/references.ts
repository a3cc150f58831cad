import type { CommandContext } from '../../../kernel/event.ts';
import type { OwnTransaction } from '../../../platform/write-store/transaction.ts';
import { MERCHANTS } from '../../merchants/write/merchant.ts';
import { groupsGiven } from './grants.ts';
import { isOfPeople } from './group.ts';
import type { IdentityStore } from './identity.store.ts';
import { groupNotFound, groupsNotAllowed, merchantNotFound } from './refusals.ts';
import type { User } from './user.ts';

/**
 * 422 MERCHANT_NOT_FOUND or GROUP_NOT_FOUND where a merchant or group that a new or changed user names does not exist.
 * 422 GROUPS_NOT_ALLOWED where a merchant's user would join a group of operators, or an operator a group of merchants'
 * people. To a merchant's user, groups of operators seem not to exist.
 */
export const requireReferences = async (
  tx: OwnTransaction,
  identityStore: Pick<IdentityStore, 'findGroups'>,
  { actor }: CommandContext,
  before: User | null,
  user: User,
): Promise<void> => {
  if (user.merchantId !== null && !(await tx.get(MERCHANTS, user.merchantId))) throw merchantNotFound();
  const found = await identityStore.findGroups(user.groups, tx.session);
  const missing = user.groups.find((name) => !found.some((group) => group.name === name));
  if (missing !== undefined) throw groupNotFound(missing);
  const given = groupsGiven(before, user);
  const wrong = found.find(
    (group) => given.includes(group.name) && isOfPeople(group) !== (user.merchantId !== null),
  );
  if (wrong) throw actor.kind === 'user' ? groupNotFound(wrong.name) : groupsNotAllowed();
};
