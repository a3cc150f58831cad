import { defineList } from '../../../platform/http/list.ts';
import { environmentOrBoth } from '../../../platform/read-store/scope.ts';
import { auditAnswer, TAG } from '../audit.schemas.ts';
import { AUDIT_VIEW } from './audit.view.ts';

/** Leaves out writes that only make transactions collide and record no change. */
const GUARDS = { bool: { must_not: [{ term: { resource: 'administration' } }] } };

export const AUDIT_LIST = defineList({
  view: AUDIT_VIEW,
  what: 'entries',
  answer: auditAnswer,
  sort: ['id', { actor: 'actor.id' }, 'type', 'resource', 'resourceId', 'address', 'createdAt'],
  filter: {
    actor: { field: 'actor.id', description: 'Id of the author, such as `usr_…`.' },
    type: { description: 'Kind of action, such as `merchant.updated`.' },
    resource: { description: 'Kind of record, such as `merchant`.' },
    resourceId: { description: 'Only actions on this record.' },
    requestId: { description: '`X-Request-Id` of the command.' },
    address: { description: 'Network address from which the request came.' },
    createdAt: {},
  },
  within: ({ principal }) => [environmentOrBoth(principal), GUARDS],
  routes: [
    {
      operationId: 'listAuditLog',
      path: '/v1/admin/audit-log',
      holdsSecret: true,
      tag: TAG,
      summary: 'List the audit log',
      description:
        'Shows each resource that an administrative command changed, and each command that an operator was refused (`permission.denied`). The log also has changes that merchants make to keys, users, webhook endpoints, documents and certificates, and accesses to protected data, such as downloads of documents. It never has secrets, password hashes and keys. Entries belong to the environment of the token, or to both.',
      access: { operator: 'admin.audit.read' },
    },
  ],
});
