import type { CommandContext } from '../../../kernel/event.ts';
import type { OwnTransaction } from '../../../platform/write-store/transaction.ts';
import { MERCHANTS } from '../../merchants/write/merchant.ts';
import { groupsGiven } from './grants.ts';
import { isOfPeople } from './group.ts';
import type { IdentityStore } from './identity.store.ts';
import { groupNotFound, groupsNotAllowed, merchantNotFound } from './refusals.ts';
import type { User } from './user.ts';

/**
 * 422 where the merchant (MERCHANT_NOT_FOUND) or a group (GROUP_NOT_FOUND) of a new or changed user does not exist. 422
 * GROUPS_NOT_ALLOWED where a merchant's user would come into a group of operators, or an operator into one of merchants'
 * people. A merchant's user is not told of groups of operators.
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
