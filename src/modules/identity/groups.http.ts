import Joi from 'joi';
import type { NewId } from '../../kernel/ids.ts';
import { OPERATOR_PERMISSIONS } from '../../kernel/principal.ts';
import { consistencyTokenOf, type Route, route } from '../../platform/http/route.ts';
import { dateTime, pageOf, resourceId, text } from '../../platform/http/schemas.ts';
import type { ListQuery } from '../../platform/read-store/list.ts';
import { PROPOSED, replyTo } from '../proposals/proposals.schemas.ts';
import type { SubmitCommand } from '../proposals/write/submit-command.ts';
import { groupList, type ListGroups } from './read/list-groups.ts';
import type { NewGroup } from './write/group.ts';
import type { IdentityProposables } from './write/proposables.ts';

const TAG = 'Groups (administration)';

const GRANTS =
  'Nobody gives permissions that they do not hold (403 `GRANT_NOT_HELD`, naming them). In production a second operator approves (202).';

const NAME = 'What users and paths name the group by; it never changes.';
const name = text(64).trim().description(NAME);
const permissions = Joi.array()
  .items(Joi.string().valid(...OPERATOR_PERMISSIONS))
  .unique()
  .description(
    '`admin.refunds.manual` includes `admin.chargeback_alerts.create`, `admin.manual_refund_requests.read` and `admin.manual_refund_requests.update`.',
  );

const groupAnswer = Joi.object({
  id: resourceId('grp').required(),
  name: Joi.string().required().description(NAME),
  permissions: permissions.required(),
  createdAt: dateTime().required(),
  updatedAt: dateTime().required(),
}).label('Group');

export const groupRoutes = (deps: {
  readonly submit: SubmitCommand;
  readonly proposables: Pick<IdentityProposables, 'createGroup' | 'updateGroup'>;
  readonly newId: NewId;
  readonly listGroups: ListGroups;
}): readonly Route[] => [
  route<NewGroup>({
    method: 'post',
    path: '/v1/admin/groups',
    summary: 'Create a group',
    description: `Operators get their permissions from groups. ${GRANTS} 422 \`GROUP_ALREADY_EXISTS\`.`,
    tag: TAG,
    access: { operator: 'admin.users.update' },
    body: Joi.object({ name: name.required(), permissions: permissions.required() }).example({
      name: 'support',
      permissions: ['admin.charges.read', 'admin.merchants.read'],
    }),
    responses: { 201: { description: 'The group.', schema: groupAnswer }, ...PROPOSED },
    errors: [422],
    async handle({ body, context }) {
      const { createGroup } = deps.proposables;
      const command = { ...body, id: deps.newId('grp') };
      return replyTo(await deps.submit(createGroup, command, context), createGroup, 201);
    },
  }),
  route<unknown, ListQuery>({
    method: 'get',
    path: '/v1/admin/groups',
    summary: 'List groups',
    description: 'Newest first by default.',
    tag: TAG,
    access: { operator: 'admin.users.update' },
    query: groupList.query,
    consistent: true,
    responses: { 200: { description: 'A page of groups.', schema: pageOf(groupAnswer) } },
    async handle(request) {
      return { status: 200, body: await deps.listGroups(request.query, consistencyTokenOf(request)) };
    },
  }),
  route<Pick<NewGroup, 'permissions'>>({
    method: 'patch',
    path: '/v1/admin/groups/{name}',
    params: { name: 'Name of the group, percent-encoded.' },
    summary: 'Change a group',
    description: `Counts at once for every member. ${GRANTS} 422 \`LAST_ADMINISTRATOR\` where no enabled user with \`admin.users.update\` would be left.`,
    tag: TAG,
    access: { operator: 'admin.users.update' },
    body: Joi.object({ permissions: permissions.required() }).example({
      permissions: ['admin.charges.read'],
    }),
    responses: { 200: { description: 'The changed group.', schema: groupAnswer }, ...PROPOSED },
    errors: [404, 422],
    async handle({ params, body, context }) {
      const command = { name: params.name ?? '', permissions: body.permissions };
      const { updateGroup } = deps.proposables;
      return replyTo(await deps.submit(updateGroup, command, context), updateGroup);
    },
  }),
];
