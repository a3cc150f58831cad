import { grantNotHeld } from '../../kernel/principal.ts';
import { type Route, type Routes, route } from '../../platform/http/route.ts';
import { PROPOSED, replyTo } from '../proposals/proposals.schemas.ts';
import type { SubmitCommand } from '../proposals/write/submit-command.ts';
import type { GetUser } from './read/get-user.ts';
import { presentUser } from './read/user.view.ts';
import { newUser, oneTimePassword, TAG, userAnswer, userChanges } from './users.schemas.ts';
import type { PrepareUser } from './write/create-user.ts';
import type { IdentityProposables } from './write/proposables.ts';
import {
  lastAdministrator,
  ownAccount,
  passwordNamesUser,
  passwordTooCommon,
  REFERENCE_REFUSALS,
  secondFactorNotSet,
} from './write/refusals.ts';

const GRANTS =
  'The caller has to hold every permission of the groups that it grants. A change of the e-mail address and enabling count as granting all groups. In production a second operator approves changes of operators (202).';

const TAKE_OVER =
  'For an operator, the caller has to hold all of its permissions. In production a second operator approves (202).';

const userParams = { id: 'Id of the user, `usr_…`.' };

type UserDeps = {
  submit: SubmitCommand;
  proposables: Pick<IdentityProposables, 'createUser' | 'updateUser' | 'resetPassword' | 'resetSecondFactor'>;
  prepareUser: PrepareUser;
  getUser: GetUser;
};

const createUserRoute = (deps: UserDeps): Route =>
  route({
    method: 'post',
    operationId: 'createUser',
    path: '/v1/admin/users',
    summary: 'Create a user',
    description: `Creates an operator (\`merchantId\` null) with groups, or a user of one merchant. ${GRANTS}`,
    tag: TAG,
    access: { operator: 'admin.users.update' },
    body: newUser,
    notSearched: ['password'],
    responses: { 201: { description: 'The user.', schema: userAnswer }, ...PROPOSED },
    refusals: [grantNotHeld, ...REFERENCE_REFUSALS, passwordNamesUser, passwordTooCommon],
    async handle({ body, context }) {
      const { createUser } = deps.proposables;
      return replyTo(
        await deps.submit(createUser, await deps.prepareUser(body, context), context),
        createUser,
        201,
      );
    },
  });

const updateUserRoute = (deps: UserDeps): Route =>
  route({
    method: 'patch',
    operationId: 'updateUser',
    path: '/v1/admin/users/{id}',
    params: userParams,
    summary: 'Change a user',
    description: `Members that are absent stay as they are. Every change takes effect at once, also for existing tokens. A change of the e-mail address, the merchant or the groups, and disabling, end the user's sessions. \`disabled: false\` enables again, also after 90 days of inactivity. At least one enabled user with \`admin.users.update\` has to remain. ${GRANTS}`,
    tag: TAG,
    access: { operator: 'admin.users.update' },
    body: userChanges,
    responses: { 200: { description: 'The changed user.', schema: userAnswer }, ...PROPOSED },
    refusals: [grantNotHeld, ...REFERENCE_REFUSALS, lastAdministrator],
    errors: [404],
    async handle({ params, body, context }) {
      const { updateUser } = deps.proposables;
      const command = { userId: params.id, changes: body };
      return replyTo(await deps.submit(updateUser, command, context), updateUser);
    },
  });

export const userRoutes: Routes<UserDeps> = (deps) => [
  createUserRoute(deps),
  route({
    method: 'get',
    operationId: 'getUser',
    path: '/v1/admin/users/{id}',
    params: userParams,
    summary: 'Read a user',
    tag: TAG,
    access: { operator: 'admin.users.update' },
    responses: { 200: { description: 'The user.', schema: userAnswer } },
    errors: [404],
    async handle({ params }) {
      return { status: 200, body: presentUser(await deps.getUser(params.id)) };
    },
  }),
  updateUserRoute(deps),
  route({
    method: 'post',
    operationId: 'resetPassword',
    path: '/v1/admin/users/{id}/password-reset',
    params: userParams,
    summary: "Reset somebody else's password",
    description: `Returns a one-time password that is valid for one hour and has to be changed at the first login. Ends every session of the user. Users change their own password by \`POST /v1/auth/password\`. ${TAKE_OVER} Then the answer to the approval has the one-time password.`,
    tag: TAG,
    access: { operator: 'admin.users.update' },
    responses: {
      200: {
        description: 'The one-time password, which no other answer shows.',
        schema: oneTimePassword,
      },
      ...PROPOSED,
    },
    refusals: [grantNotHeld, ownAccount],
    errors: [404],
    async handle({ params, context }) {
      const { resetPassword } = deps.proposables;
      return replyTo(await deps.submit(resetPassword, { userId: params.id }, context), resetPassword);
    },
  }),
  route({
    method: 'post',
    operationId: 'resetSecondFactor',
    path: '/v1/admin/users/{id}/second-factor-reset',
    params: userParams,
    summary: "Remove somebody else's second factor",
    description: `Helps a user who has lost the authenticator app and the recovery codes. Ends every session of the user. ${TAKE_OVER}`,
    tag: TAG,
    access: { operator: 'admin.users.update' },
    responses: { 200: { description: 'The changed user.', schema: userAnswer }, ...PROPOSED },
    refusals: [grantNotHeld, ownAccount, secondFactorNotSet],
    errors: [404],
    async handle({ params, context }) {
      const { resetSecondFactor } = deps.proposables;
      const command = { userId: params.id };
      return replyTo(await deps.submit(resetSecondFactor, command, context), resetSecondFactor);
    },
  }),
];
