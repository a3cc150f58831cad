import Joi from 'joi';
import { consistencyTokenOf, type Route, route } from '../../platform/http/route.ts';
import {
  characters,
  dateTime,
  email,
  networks,
  pageOf,
  resourceId,
  text,
} from '../../platform/http/schemas.ts';
import type { ListQuery } from '../../platform/read-store/list.ts';
import { PROPOSED, replyTo } from '../proposals/proposals.schemas.ts';
import type { SubmitCommand } from '../proposals/write/submit-command.ts';
import type { GetUser } from './read/get-user.ts';
import { type ListUsers, userList } from './read/list-users.ts';
import { toUserAnswer } from './read/user.view.ts';
import type { CreateUserCommand, PrepareUser } from './write/create-user.ts';
import type { IdentityProposables } from './write/proposables.ts';
import { MAX_PASSWORD, MIN_PASSWORD, type UserChanges } from './write/user.ts';

const TAG = 'Users (administration)';
const REFUSALS =
  '422 `EMAIL_ALREADY_USED`, `GROUP_NOT_FOUND`, `MERCHANT_NOT_FOUND`, `GROUPS_NOT_ALLOWED` (groups for a merchant user)';

const GRANTS =
  'Nobody gives groups whose permissions they do not hold (403 `GRANT_NOT_HELD`, naming them); another e-mail address and enabling count as giving all groups. In production a second operator approves what concerns operators (202).';

const TAKE_OVER =
  'Of an operator: 403 `GRANT_NOT_HELD` for whoever lacks one of its permissions; in production a second operator approves (202), and is answered the secret.';

const password = characters(MAX_PASSWORD, MIN_PASSWORD).description(
  `${MIN_PASSWORD} to ${MAX_PASSWORD} characters. A one-time password: it ends after seven days and has to be changed at the first login.`,
);
const NAME = "The person's name, for people; null without one.";
const name = text(200).trim().allow(null).description(NAME);
const MERCHANT = 'The merchant that the user belongs to; null for an operator.';
const merchantId = characters(64).allow(null).description(MERCHANT);
const GROUPS = "Names of groups; empty for a merchant's user, who has the merchant's permissions.";
const groups = Joi.array().items(text(64)).max(100).unique().description(GROUPS);
const disabled = Joi.boolean().description('Whether the user is kept from logging in.');

const allowedNetworks = networks().description(
  'IP networks (CIDR) or addresses that the user has to come from; empty: everywhere. From elsewhere: 403 `NETWORK_NOT_ALLOWED`.',
);

const newUser = Joi.object({
  email: email().required(),
  password: password.required(),
  name: name.default(null),
  merchantId: merchantId.required(),
  groups: groups.required(),
  disabled: disabled.default(false),
  allowedNetworks: allowedNetworks.default([]),
}).example({
  email: 'finance@example.com',
  password: 'a long password',
  name: 'Rui Costa',
  merchantId: null,
  groups: [],
});

const userChanges = Joi.object({
  email: email(),
  name,
  merchantId,
  groups,
  disabled,
  allowedNetworks,
})
  .min(1)
  .example({ name: 'Rui Costa' });

const userAnswer = Joi.object({
  id: resourceId('usr').required(),
  email: Joi.string().required().description('In lower case.'),
  name: Joi.string().allow(null).required().description(NAME),
  merchantId: resourceId('mer').allow(null).required().description(MERCHANT),
  groups: Joi.array().items(Joi.string()).required().description(GROUPS),
  disabled: disabled.required(),
  disabledReason: Joi.string()
    .valid('operator', 'inactivity')
    .allow(null)
    .required()
    .description('`inactivity`: no login for 90 days. Null for one that is enabled.'),
  oneTimePasswordExpiresAt: dateTime()
    .allow(null)
    .required()
    .description('End of a one-time password that was not changed yet, else null.'),
  secondFactor: Joi.boolean().required().description('Whether the login takes a code besides the password.'),
  lastLoginAt: dateTime().allow(null).required(),
  allowedNetworks: allowedNetworks.required(),
  createdAt: dateTime().required(),
  updatedAt: dateTime().required(),
}).label('User');

const userParams = { id: 'Id of the user, `usr_…`.' };

export const userRoutes = (deps: {
  readonly submit: SubmitCommand;
  readonly proposables: Pick<
    IdentityProposables,
    'createUser' | 'updateUser' | 'resetPassword' | 'resetSecondFactor'
  >;
  readonly prepareUser: PrepareUser;
  readonly getUser: GetUser;
  readonly listUsers: ListUsers;
}): readonly Route[] => [
  route<CreateUserCommand>({
    method: 'post',
    path: '/v1/admin/users',
    summary: 'Create a user',
    description: `An operator (\`merchantId\` null) with groups, or a user of one merchant. ${GRANTS} ${REFUSALS}; for a password that is easily guessed \`PASSWORD_TOO_COMMON\`, \`PASSWORD_NAMES_USER\`.`,
    tag: TAG,
    access: { operator: 'admin.users.update' },
    body: newUser,
    notSearched: ['password'],
    responses: { 201: { description: 'The user.', schema: userAnswer }, ...PROPOSED },
    errors: [422],
    async handle({ body, context }) {
      const { createUser } = deps.proposables;
      return replyTo(await deps.submit(createUser, await deps.prepareUser(body), context), createUser, 201);
    },
  }),
  route<unknown, ListQuery>({
    method: 'get',
    path: '/v1/admin/users',
    summary: 'List users',
    description: 'Newest first by default.',
    tag: TAG,
    access: { operator: 'admin.users.update' },
    query: userList.query,
    consistent: true,
    responses: { 200: { description: 'A page of users.', schema: pageOf(userAnswer) } },
    async handle(request) {
      return { status: 200, body: await deps.listUsers(request.query, consistencyTokenOf(request)) };
    },
  }),
  route({
    method: 'get',
    path: '/v1/admin/users/{id}',
    params: userParams,
    summary: 'Read a user',
    tag: TAG,
    access: { operator: 'admin.users.update' },
    responses: { 200: { description: 'The user.', schema: userAnswer } },
    errors: [404],
    async handle({ params }) {
      return { status: 200, body: toUserAnswer(await deps.getUser(params.id ?? '')) };
    },
  }),
  route<UserChanges>({
    method: 'patch',
    path: '/v1/admin/users/{id}',
    params: userParams,
    summary: 'Change a user',
    description: `Members that are absent stay as they are. ${GRANTS} Every change counts at once, for tokens given before too; another e-mail address, merchant, other groups and disabling end the user's sessions. \`disabled: false\` enables again, also after 90 days of inactivity. ${REFUSALS}, \`LAST_ADMINISTRATOR\` where no enabled user with \`admin.users.update\` would be left.`,
    tag: TAG,
    access: { operator: 'admin.users.update' },
    body: userChanges,
    responses: { 200: { description: 'The changed user.', schema: userAnswer }, ...PROPOSED },
    errors: [404, 422],
    async handle({ params, body, context }) {
      const { updateUser } = deps.proposables;
      const command = { userId: params.id ?? '', changes: body };
      return replyTo(await deps.submit(updateUser, command, context), updateUser);
    },
  }),
  route({
    method: 'post',
    path: '/v1/admin/users/{id}/password-reset',
    params: userParams,
    summary: "Reset somebody else's password",
    description:
      "Gives a one-time password for one hour, which has to be changed at the first login. Ends every session of the user. 422 `OWN_ACCOUNT`: one's own is changed by `POST /v1/auth/password`. " +
      TAKE_OVER,
    tag: TAG,
    access: { operator: 'admin.users.update' },
    responses: {
      200: {
        description: 'The one-time password, shown this once.',
        schema: Joi.object({
          oneTimePassword: Joi.string().required().description('To be handed over in private.'),
          expiresAt: dateTime().required(),
        }).label('OneTimePassword'),
      },
      ...PROPOSED,
    },
    errors: [404, 422],
    async handle({ params, context }) {
      const { resetPassword } = deps.proposables;
      return replyTo(await deps.submit(resetPassword, { userId: params.id ?? '' }, context), resetPassword);
    },
  }),
  route({
    method: 'post',
    path: '/v1/admin/users/{id}/second-factor-reset',
    params: userParams,
    summary: "Remove somebody else's second factor",
    description:
      'For a user who has lost authenticator and recovery codes. Ends every session of the user. 422 `SECOND_FACTOR_NOT_SET`, `OWN_ACCOUNT`. ' +
      TAKE_OVER,
    tag: TAG,
    access: { operator: 'admin.users.update' },
    responses: { 200: { description: 'The changed user.', schema: userAnswer }, ...PROPOSED },
    errors: [404, 422],
    async handle({ params, context }) {
      const { resetSecondFactor } = deps.proposables;
      const command = { userId: params.id ?? '' };
      return replyTo(await deps.submit(resetSecondFactor, command, context), resetSecondFactor);
    },
  }),
];
