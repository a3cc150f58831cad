import { GatewayError } from '../../../kernel/errors.ts';
import { systemContext } from '../../../kernel/event.ts';
import type { Logger } from '../../../platform/logger.ts';
import type { Changing } from '../../../platform/write-store/transaction.ts';
import { keepAdministrator } from './administration.ts';
import type { IdentityStore } from './identity.store.ts';
import { disableIdleUser, idleLimit, mayLoseAdministration, USERS } from './user.ts';

/** Disables the users who were not seen for 90 days, but never the last one who can administer users. */
export const createDisableIdleUsers = (
  deps: Changing & {
    readonly identityStore: Pick<IdentityStore, 'findIdle' | 'hasAdministrator'>;
    readonly logger: Logger;
  },
): (() => Promise<void>) => {
  const disable = (userId: string): Promise<void> =>
    deps.transact.alone(systemContext('inactivity'), async (tx) => {
      const now = deps.clock();
      const user = await tx.get(USERS, userId);
      if (!user || user.disabled || user.idleSince >= idleLimit(now)) return;
      const disabled = await tx.record(USERS, user, disableIdleUser(user, now));
      if (mayLoseAdministration(user, disabled)) await keepAdministrator(tx, deps.identityStore, now);
    });

  return async () => {
    for (const userId of await deps.identityStore.findIdle(idleLimit(deps.clock()))) {
      try {
        await disable(userId);
      } catch (error) {
        if (!(error instanceof GatewayError) || error.code !== 'LAST_ADMINISTRATOR') throw error;
        deps.logger.warn({ userId }, 'the last administrator was not seen for 90 days and stays enabled');
      }
    }
  };
};
