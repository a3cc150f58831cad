import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import type { Resource } from '../../../kernel/event.ts';
import { type Store, store } from '../../../kernel/store.ts';
import type { OwnTransaction } from '../../../platform/write-store/transaction.ts';
import { lastAdministrator } from './refusals.ts';

/**
 * One document that every command writes which could take an administrator away. Without it, two commands could both
 * succeed by relying on the administrator whom the other one takes away.
 */
type Administration = Resource & { readonly checkedAt: Timestamp };

export const ADMINISTRATION: Store<Administration> = store('administration', 'administration', {
  followsCommand: true,
});
const ID = 'administration';

type Administrators = { hasAdministrator(session: OwnTransaction['session']): Promise<boolean> };

/**
 * Writes the one document, so that this transaction collides with every other one that relies on who administers users.
 */
export const checkAdministration = async (tx: OwnTransaction, now: Date): Promise<void> => {
  const previous = await tx.get(ADMINISTRATION, ID);
  const data = { id: ID, version: 0, checkedAt: timestamp(now) };
  await tx.record(ADMINISTRATION, previous, { type: 'administration.checked', data });
};

/**
 * Throws 422 LAST_ADMINISTRATOR where nobody would be left to administer users. Call it after the change, in the same
 * transaction, so that the error undoes the change.
 */
export const keepAdministrator = async (
  tx: OwnTransaction,
  administrators: Administrators,
  now: Date,
): Promise<void> => {
  await checkAdministration(tx, now);
  if (!(await administrators.hasAdministrator(tx.session))) throw lastAdministrator();
};
