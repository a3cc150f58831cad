import Joi from 'joi';
import { consistencyTokenOf, type Route, route } from '../../platform/http/route.ts';
import { dateTime, pageOf, resourceId } from '../../platform/http/schemas.ts';
import type { ListQuery } from '../../platform/read-store/list.ts';
import type { GetAuditChain } from './read/get-audit-chain.ts';
import { AUDIT_LIST, type ListAuditLog } from './read/list-audit-log.ts';

const snapshot = Joi.object().unknown().allow(null).required();

const auditAnswer = Joi.object({
  id: resourceId('aud').required(),
  type: Joi.string().required().description('What was done, such as `merchant.updated`.'),
  actor: Joi.object({
    kind: Joi.string()
      .valid('operator', 'user', 'key', 'system')
      .required()
      .description("`user`: a merchant's; `key`: a merchant by API key; `system`: the gateway itself."),
    id: Joi.string().required().description('Of the user or key; a name for the system.'),
  })
    .required()
    .description('Who did it.'),
  resource: Joi.string().required().description('Kind of record, such as `merchant`.'),
  resourceId: Joi.string().required().description('Id of the record.'),
  livemode: Joi.boolean()
    .allow(null)
    .required()
    .description('Null for what exists once for both environments.'),
  requestId: Joi.string().required().description('`X-Request-Id` of the command.'),
  address: Joi.string()
    .allow(null)
    .required()
    .description('Network address that the request came from; null for what no request asked for.'),
  details: Joi.object()
    .unknown()
    .allow(null)
    .required()
    .description('More about it, such as the permission that was missing; null where there is no more.'),
  before: snapshot.description('The resource as it was, amounts in minor units; null where it is new.'),
  after: snapshot.description('The resource as it became; null where something was read only.'),
  createdAt: dateTime().required(),
}).label('AuditEntry');

export const auditRoutes = (deps: {
  readonly listAuditLog: ListAuditLog;
  readonly getAuditChain: GetAuditChain;
}): readonly Route[] => [
  route<unknown, ListQuery>({
    method: 'get',
    path: '/v1/admin/audit-log',
    tag: 'Audit (administration)',
    summary: 'List who did what',
    description:
      "One entry for each resource that an administrative command changed, for each refusal of an operator (`permission.denied`), for merchants' changes of keys, users, webhook endpoints, documents and certificates, and for each reading that must leave a trace. Secrets, password hashes and keys are never in it. Entries about the environment of the token, and about what exists once for both. Newest first by default.",
    access: { operator: 'admin.audit.read' },
    query: AUDIT_LIST.query,
    consistent: true,
    responses: {
      200: { description: 'A page of entries.', schema: pageOf(auditAnswer).label('AuditLog') },
    },
    async handle(request) {
      const { principal, query } = request;
      return { status: 200, body: await deps.listAuditLog(principal, query, consistencyTokenOf(request)) };
    },
  }),
  route({
    method: 'get',
    path: '/v1/admin/audit-log/chain',
    tag: 'Audit (administration)',
    summary: 'Read where the chain of the audit log ends',
    description:
      'Each entry is hashed together with the hash of the entry before it. The hourly check recomputes all of them and names each entry that was changed, removed or moved. The last hash, kept where nobody can write to the store, also proves that nobody computed the chain anew.',
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
