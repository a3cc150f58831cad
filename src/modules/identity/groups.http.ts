import type { NewId } from '../../kernel/ids.ts';
import { grantNotHeld } from '../../kernel/principal.ts';
import { type Routes, route } from '../../platform/http/route.ts';
import { object } from '../../platform/http/typed.ts';
import { PROPOSED, replyTo } from '../proposals/proposals.schemas.ts';
import type { SubmitCommand } from '../proposals/write/submit-command.ts';
import { groupAnswer, name, permissions, TAG } from './groups.schemas.ts';
import type { IdentityProposables } from './write/proposables.ts';
import { groupAlreadyExists, lastAdministrator } from './write/refusals.ts';

const GRANTS =
  'The caller has to hold each permission that it grants: `admin.merchants.update` for `keys.manage`, `admin.users.update` for `users.manage`. In production a second operator approves (202).';

export const groupRoutes: Routes<{
  submit: SubmitCommand;
  proposables: Pick<IdentityProposables, 'createGroup' | 'updateGroup'>;
  newId: NewId;
}> = (deps) => [
  route({
    method: 'post',
    operationId: 'createGroup',
    path: '/v1/admin/groups',
    summary: 'Create a group',
    description: `Operators get their permissions from groups, and users of merchants get \`keys.manage\` and \`users.manage\` from them. ${GRANTS}`,
    tag: TAG,
    access: { operator: 'admin.users.update' },
    body: object({ name: name.required(), permissions: permissions.required() }).example({
      name: 'support',
      permissions: ['admin.charges.read', 'admin.merchants.read'],
    }),
    responses: { 201: { description: 'The group.', schema: groupAnswer }, ...PROPOSED },
    refusals: [grantNotHeld, groupAlreadyExists],
    async handle({ body, context }) {
      const { createGroup } = deps.proposables;
      const command = { ...body, id: deps.newId('grp') };
      return replyTo(await deps.submit(createGroup, command, context), createGroup, 201);
    },
  }),
  route({
    method: 'patch',
    operationId: 'updateGroup',
    path: '/v1/admin/groups/{name}',
    params: { name: 'Name of the group, percent-encoded.' },
    summary: 'Change a group',
    description: `The change takes effect for every member at once. At least one enabled user with \`admin.users.update\` has to remain. ${GRANTS}`,
    tag: TAG,
    access: { operator: 'admin.users.update' },
    body: object({ permissions: permissions.required() }).example({
      permissions: ['admin.charges.read'],
    }),
    responses: { 200: { description: 'The changed group.', schema: groupAnswer }, ...PROPOSED },
    refusals: [grantNotHeld, lastAdministrator],
    errors: [404],
    async handle({ params, body, context }) {
      const command = { name: params.name, permissions: body.permissions };
      const { updateGroup } = deps.proposables;
      return replyTo(await deps.submit(updateGroup, command, context), updateGroup);
    },
  }),
];
