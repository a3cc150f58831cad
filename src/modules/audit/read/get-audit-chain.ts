import {
  AUDIT_CHAIN,
  AUDIT_CHAIN_KEY,
  type AuditChainHead,
  EMPTY_AUDIT_CHAIN,
} from '../../../platform/write-store/audit-chain.ts';
import type { Database } from '../../../platform/write-store/database.ts';

/** The end of the audit log's chain. A copy that is kept elsewhere later proves that nothing before it was changed. */
export type GetAuditChain = () => Promise<{ readonly entries: number; readonly hash: string }>;

export const createGetAuditChain =
  (db: Database): GetAuditChain =>
  async () => {
    const stored = await db.collection<AuditChainHead>(AUDIT_CHAIN).findOne({ _id: AUDIT_CHAIN_KEY });
    const { seq, hash } = stored ?? EMPTY_AUDIT_CHAIN;
    return { entries: seq, hash };
  };
