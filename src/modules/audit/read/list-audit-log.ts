import { defineList } from '../../../platform/http/list.ts';
import { environmentOrBoth } from '../../../platform/read-store/scope.ts';
import { auditAnswer, TAG } from '../audit.schemas.ts';
import { AUDIT_VIEW } from './audit.view.ts';

/** Changes that guard others against each other and say nothing of their own. */
const GUARDS = { bool: { must_not: [{ term: { resource: 'administration' } }] } };

export const AUDIT_LIST = defineList({
  view: AUDIT_VIEW,
  what: 'entries',
  answer: auditAnswer,
  sort: ['id', { actor: 'actor.id' }, 'type', 'resource', 'resourceId', 'address', 'createdAt'],
  filter: {
    actor: { field: 'actor.id', description: 'Id of who did it, such as `usr_…`.' },
    type: { description: 'Kind of action, such as `merchant.updated`.' },
    resource: { description: 'Kind of record, such as `merchant`.' },
    resourceId: { description: 'Everything done to this record.' },
    requestId: { description: '`X-Request-Id` of the command.' },
    address: { description: 'Network address that it came from.' },
    createdAt: {},
  },
  within: ({ principal }) => [environmentOrBoth(principal), GUARDS],
  routes: [
    {
      operationId: 'listAuditLog',
      path: '/v1/admin/audit-log',
      tag: TAG,
      summary: 'List the audit log',
      description:
        'Shows each resource that an administrative command changed, and each refusal of an operator (`permission.denied`). Changes of keys, users, webhook endpoints, documents and certificates by merchants are in it, too. So are readings that must leave a trace. Secrets, password hashes and keys never are. Entries belong to the environment of the token, or to both.',
      access: { operator: 'admin.audit.read' },
    },
  ],
});
