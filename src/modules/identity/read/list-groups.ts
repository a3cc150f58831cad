import { PEOPLE_PERMISSIONS } from '../../../kernel/principal.ts';
import { defineList, EVERYTHING } from '../../../platform/http/list.ts';
import { OWN_ACCESS_TAG } from '../../merchants/api-keys.schemas.ts';
import { groupAnswer, TAG } from '../groups.schemas.ts';
import { GROUP_PERMISSIONS } from '../write/group.ts';
import { GROUPS_VIEW } from './group.view.ts';

export const GROUP_LIST = defineList({
  view: GROUPS_VIEW,
  answer: groupAnswer,
  sort: ['id', 'name', 'createdAt', 'updatedAt'],
  filter: {
    name: { description: 'The whole name, in the right case.' },
    permission: {
      field: 'permissions',
      valid: GROUP_PERMISSIONS,
      description: 'Only groups that have this permission itself, not one that includes it.',
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
    {
      operationId: 'listPeopleGroups',
      path: '/v1/groups',
      tag: OWN_ACCESS_TAG,
      summary: "List the groups that a merchant's users can be in",
      description:
        'Operators create these groups. They serve all merchants, so their names are not confidential.',
      access: { merchant: 'users.manage' },
      within: () => [{ terms: { permissions: [...PEOPLE_PERMISSIONS] } }],
    },
  ],
});
