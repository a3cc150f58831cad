import { ConfigError } from '../../../kernel/errors.ts';
import { systemContext } from '../../../kernel/event.ts';
import { OPERATOR_PERMISSIONS } from '../../../kernel/principal.ts';
import type { Creating } from '../../../platform/write-store/transaction.ts';
import { changeGroup, GROUPS, openGroup } from './group.ts';
import type { IdentityStore } from './identity.store.ts';
import type { Passwords } from './passwords.ts';
import { newSecret, openUser, USERS } from './user.ts';

const GROUP = 'operators';

/**
 * Creates the first operator, with every permission, where there is no operator yet; returns whether it did. Throws
 * where an operator is needed and no credentials are configured.
 */
type EnsureOperator = (
  credentials: { readonly email: string; readonly password: string } | null,
) => Promise<boolean>;

export const createEnsureOperator = (
  deps: Creating & { readonly identityStore: IdentityStore; readonly passwords: Passwords },
): EnsureOperator => {
  return async (credentials) => {
    const { identityStore, clock, newId } = deps;
    if (await identityStore.hasOperator()) return false;
    if (credentials === null)
      throw new ConfigError(
        'There is no operator yet: set BOOTSTRAP_OPERATOR_EMAIL and BOOTSTRAP_OPERATOR_PASSWORD for the first one',
      );
    const group = { name: GROUP, permissions: OPERATOR_PERMISSIONS };
    const operator = { name: null, merchantId: null, groups: [GROUP], disabled: false };
    const user = openUser({ ...operator, email: credentials.email }, false, newId('usr'), clock());
    const passwordHash = await deps.passwords.hash(credentials.password, null);
    // When two processes do this at the same time, the unique name of the group makes one lose. It runs again and finds
    // the operator.
    const create = (): Promise<boolean> =>
      deps.transact.alone(systemContext('bootstrap'), async (tx) => {
        if (await identityStore.hasOperator(tx.session)) return false;
        const [existing] = await identityStore.findGroups([GROUP], tx.session);
        const decision = existing
          ? changeGroup(existing, group, clock())
          : openGroup(group, newId('grp'), clock());
        await tx.record(GROUPS, existing ?? null, decision);
        await tx.record(USERS, null, user, newSecret(passwordHash));
        return true;
      });
    // On a busy store the winner may take longer than the loser keeps trying, so the loser gets a second round.
    return create().catch(create);
  };
};
