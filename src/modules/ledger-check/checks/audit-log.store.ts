import { AUDIT_LOG } from '../../../platform/write-store/audit.ts';
import { AUDIT_LINKS, type AuditLink } from '../../../platform/write-store/audit-chain.ts';
import { type AuditFault, createCheckAuditChain } from '../../audit/check-chain.store.ts';
import type { Check, Difference, Finding } from '../check.ts';
import { documentsOf, nothing, type Stores } from './records.store.ts';

/** A link of the hash chain, an entry of the audit log, or the end of the chain. */
type AuditRecord = AuditLink | { readonly _id: string };

const END = { _id: 'aud_end' };

/** Checks the audit log against its hash chain: every entry is in its place and unchanged, and there are no others. */
export const auditLogCheck = ({ db, scans }: Stores): Check<AuditRecord> => {
  const chain = createCheckAuditChain(db);
  return {
    what: 'entries of the audit log',
    prefix: 'aud',
    async *records(ids) {
      const from = ids === null ? scans : db;
      yield* documentsOf<AuditLink>(from, AUDIT_LINKS, ids);
      for await (const entries of documentsOf<{ readonly _id: string }>(from, AUDIT_LOG.collection, ids))
        yield entries.map(({ _id }) => ({ _id }));
      if (ids === null || ids.includes(END._id)) yield [END];
    },
    doubtful: nothing,
    leadsTo: () => [],
    async *look(records) {
      const links = records.filter((record): record is AuditLink => 'seq' in record);
      if (links.length > 0)
        yield [...(await chain.links(links))].map(([id, faults]) => findingOf(id, faults));
      const others = records.filter((record) => !('seq' in record) && record._id !== END._id);
      // An entry with a place in the chain is checked at its link.
      if (others.length > 0)
        yield (await chain.entries(others.map(({ _id }) => _id))).map((fault) =>
          findingOf(fault.subject, [fault]),
        );
      if (records.some(({ _id }) => _id === END._id)) yield [findingOf(END._id, await chain.end())];
    },
  };
};

const findingOf = (checked: string, faults: readonly AuditFault[]): Finding => ({
  checked,
  differences: faults.map((fault): Difference => ({ kind: 'audit_log', ...fault })),
});
