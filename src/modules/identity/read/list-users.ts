import { asMerchant } from '../../../kernel/principal.ts';
import { defineList, EVERYTHING } from '../../../platform/http/list.ts';
import { OWN_ACCESS_TAG } from '../../merchants/api-keys.schemas.ts';
import { TAG, userAnswer } from '../users.schemas.ts';
import { USERS_VIEW } from './user.view.ts';

export const USER_LIST = defineList({
  view: USERS_VIEW,
  answer: userAnswer,
  sort: ['id', 'email', 'name', 'merchantId', 'disabled', 'lastLoginAt', 'createdAt', 'updatedAt'],
  filter: {
    email: { description: 'The whole e-mail address, in upper or lower case.' },
    merchantId: { description: 'Only users of this merchant, `mer_…`.' },
    id: { description: 'Only this user, `usr_…`.' },
    group: { field: 'groups', description: 'Name of a group that the user is a member of.' },
    disabled: { description: '`false` finds users who may log in.' },
    secondFactor: { description: '`false` finds users who log in with a password only.' },
    lastLoginAt: {},
    createdAt: {},
  },
  within: EVERYTHING,
  routes: [
    {
      operationId: 'listUsers',
      path: '/v1/admin/users',
      tag: TAG,
      summary: 'List users',
      access: { operator: 'admin.users.update' },
    },
    {
      operationId: 'listMerchantUsers',
      path: '/v1/users',
      tag: OWN_ACCESS_TAG,
      summary: "List the users of one's own merchant",
      access: { merchant: 'users.manage' },
      within: ({ principal }) => [{ term: { merchantId: asMerchant(principal).merchantId } }],
    },
  ],
});
