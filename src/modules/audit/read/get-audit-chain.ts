import type { Db } from 'mongodb';
import {
  AUDIT_CHAIN,
  AUDIT_CHAIN_KEY,
  type AuditChainHead,
  EMPTY_AUDIT_CHAIN,
} from '../../../platform/write-store/audit-chain.ts';

/** Where the chain of the audit log ends; kept elsewhere it proves later that nothing before it was changed. */
export type GetAuditChain = () => Promise<{ readonly entries: number; readonly hash: string }>;

export const createGetAuditChain =
  (db: Db): GetAuditChain =>
  async () => {
    const stored = await db.collection<AuditChainHead>(AUDIT_CHAIN).findOne({ _id: AUDIT_CHAIN_KEY });
    const { seq, hash } = stored ?? EMPTY_AUDIT_CHAIN;
    return { entries: seq, hash };
  };
