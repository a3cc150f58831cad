import Joi from 'joi';
import { consistencyTokenOf, type Route, route } from '../../platform/http/route.ts';
import {
  characters,
  dateTime,
  email,
  freeText,
  pageOf,
  resourceId,
  text,
} from '../../platform/http/schemas.ts';
import type { ListQuery } from '../../platform/read-store/list.ts';
import type { GetUser } from './read/get-user.ts';
import { type ListUsers, userList } from './read/list-users.ts';
import { toUserAnswer } from './read/user.view.ts';
import type { CreateUser, CreateUserCommand } from './write/create-user.ts';
import type { UpdateUser } from './write/update-user.ts';
import { MAX_PASSWORD, MIN_PASSWORD, type UserChanges } from './write/user.ts';

const TAG = 'Users (administration)';
const REFUSALS =
  '422 `EMAIL_ALREADY_USED`, `GROUP_NOT_FOUND`, `MERCHANT_NOT_FOUND`, `GROUPS_NOT_ALLOWED` (groups for a merchant user)';

const password = characters(MAX_PASSWORD, MIN_PASSWORD).description(
  `${MIN_PASSWORD} to ${MAX_PASSWORD} characters.`,
);
const NAME = "The person's name, for people; null without one.";
const name = freeText(200).trim().allow(null).description(NAME);
const MERCHANT = 'The merchant that the user belongs to; null for an operator.';
const merchantId = characters(64).allow(null).description(MERCHANT);
const GROUPS = "Names of groups; empty for a merchant's user, who has the merchant's permissions.";
const groups = Joi.array().items(text(64)).max(100).unique().description(GROUPS);
const disabled = Joi.boolean().description('Whether the user is kept from logging in.');

const newUser = Joi.object({
  email: email().required(),
  password: password.required(),
  name: name.default(null),
  merchantId: merchantId.required(),
  groups: groups.required(),
  disabled: disabled.default(false),
}).example({
  email: 'finance@example.com',
  password: 'a long password',
  name: 'Rui Costa',
  merchantId: null,
  groups: [],
});

const userChanges = Joi.object({ email: email(), password, name, merchantId, groups, disabled })
  .min(1)
  .example({ name: 'Rui Costa' });

const userAnswer = Joi.object({
  id: resourceId('usr').required(),
  email: Joi.string().required().description('In lower case.'),
  name: Joi.string().allow(null).required().description(NAME),
  merchantId: resourceId('mer').allow(null).required().description(MERCHANT),
  groups: Joi.array().items(Joi.string()).required().description(GROUPS),
  disabled: disabled.required(),
  createdAt: dateTime().required(),
  updatedAt: dateTime().required(),
}).label('User');

const userParams = { id: 'Id of the user, `usr_…`.' };

export const userRoutes = (deps: {
  readonly createUser: CreateUser;
  readonly updateUser: UpdateUser;
  readonly getUser: GetUser;
  readonly listUsers: ListUsers;
}): readonly Route[] => [
  route<CreateUserCommand>({
    method: 'post',
    path: '/v1/admin/users',
    summary: 'Create a user',
    description: `An operator (\`merchantId\` null) with groups, or a user of one merchant. ${REFUSALS}.`,
    tag: TAG,
    access: { operator: 'admin.users.update' },
    body: newUser,
    responses: { 201: { description: 'The user.', schema: userAnswer } },
    errors: [422],
    async handle({ body, context }) {
      return { status: 201, body: toUserAnswer(await deps.createUser(body, context)) };
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
  route<UserChanges & { readonly password?: string }>({
    method: 'patch',
    path: '/v1/admin/users/{id}',
    params: userParams,
    summary: 'Change a user',
    description: `Members that are absent stay as they are. Every change counts at once, for tokens given before too; a new password and disabling end them. ${REFUSALS}, \`LAST_ADMINISTRATOR\` where no enabled user with \`admin.users.update\` would be left.`,
    tag: TAG,
    access: { operator: 'admin.users.update' },
    body: userChanges,
    responses: { 200: { description: 'The changed user.', schema: userAnswer } },
    errors: [404, 422],
    async handle({ params, body, context }) {
      const { password: newPassword, ...changes } = body;
      const command = { userId: params.id ?? '', changes, password: newPassword ?? null };
      return { status: 200, body: toUserAnswer(await deps.updateUser(command, context)) };
    },
  }),
];
