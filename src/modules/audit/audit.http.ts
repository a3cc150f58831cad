import Joi from 'joi';
import { type Routes, route } from '../../platform/http/route.ts';
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
      'Shows the last hash of the chain; each entry is hashed with the hash before it. The hourly check recomputes all hashes and names each entry that was changed, removed or moved. Keep the last hash outside the store. It proves that nobody computed the chain anew.',
    access: { operator: 'admin.audit.read' },
    responses: {
      200: {
        description: 'The end of the chain.',
        schema: Joi.object({
          entries: Joi.number()
            .integer()
            .required()
            .description('Entries of both environments that have their place; new ones get it in a moment.'),
          hash: Joi.string()
            .hex()
            .length(64)
            .required()
            .description('SHA-256 of the last entry and, through it, of all.'),
        }).label('AuditChain'),
      },
    },
    async handle() {
      return { status: 200, body: await deps.getAuditChain() };
    },
  }),
];
