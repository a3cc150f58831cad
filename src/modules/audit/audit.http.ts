import { type Routes, route } from '../../platform/http/route.ts';
import { number, object, string } from '../../platform/http/typed.ts';
import { TAG } from './audit.schemas.ts';
import type { GetAuditChain } from './read/get-audit-chain.ts';

export const auditRoutes: Routes<{ getAuditChain: GetAuditChain }> = (deps) => [
  route({
    method: 'get',
    operationId: 'getAuditChain',
    path: '/v1/admin/audit-log/chain',
    tag: TAG,
    summary: 'Read the end of the chain of the audit log',
    description:
      'Shows the last hash of the chain, in which each entry is hashed together with the hash before it. The hourly check recomputes all hashes and names each entry that was changed, removed or moved. Keep the last hash outside of the store, because it proves that nobody has recomputed the whole chain.',
    access: { operator: 'admin.audit.read' },
    responses: {
      200: {
        description: 'The end of the chain.',
        schema: object({
          entries: number()
            .integer()
            .required()
            .description(
              'Number of entries of both environments that are in the chain; a new entry is added within moments.',
            ),
          hash: string()
            .hex()
            .length(64)
            .required()
            .description('SHA-256 of the last entry and, through the chain, of all entries.'),
        }).label('AuditChain'),
      },
    },
    async handle() {
      return { status: 200, body: await deps.getAuditChain() };
    },
  }),
];
