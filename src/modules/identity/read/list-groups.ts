import { OPERATOR_PERMISSIONS } from '../../../kernel/principal.ts';
import { defineList, EVERYTHING } from '../../../platform/http/list.ts';
import { groupAnswer, TAG } from '../groups.schemas.ts';
import { GROUPS_VIEW } from './group.view.ts';

export const GROUP_LIST = defineList({
  view: GROUPS_VIEW,
  answer: groupAnswer,
  sort: ['id', 'name', 'createdAt', 'updatedAt'],
  filter: {
    name: { description: 'The whole name; case counts.' },
    permission: {
      field: 'permissions',
      valid: OPERATOR_PERMISSIONS,
      description: 'Groups that were given this permission itself, not one that includes it.',
    },
    createdAt: {},
  },
  within: EVERYTHING,
  routes: [
    {
      operationId: 'listGroups',
      path: '/v1/admin/groups',
      tag: TAG,
      summary: 'List groups',
      access: { operator: 'admin.users.update' },
    },
  ],
});
