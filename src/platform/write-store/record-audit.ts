import type { CommandContext } from '../../kernel/event.ts';
import type { Audited } from './audit.ts';
import type { Transact } from './transaction.ts';

/**
 * Records an action that changes nothing but must leave a trace, such as a failed login, in a transaction of its own.
 */
export type RecordAudit = (context: CommandContext, audited: Audited) => Promise<void>;

export const createRecordAudit =
  (transact: Transact): RecordAudit =>
  (context, audited) =>
    transact(context, (tx) => tx.audit(audited));
