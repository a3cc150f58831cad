import type { CommandContext } from '../../kernel/event.ts';
import type { Audited } from './audit.ts';
import type { Transact } from './transaction.ts';

/** Records in a transaction of its own what changes nothing but must leave a trace, such as a failed login. */
export type RecordAudit = (context: CommandContext, audited: Audited) => Promise<void>;

export const createRecordAudit =
  (transact: Transact): RecordAudit =>
  (context, audited) =>
    transact(context, (tx) => tx.audit(audited));
