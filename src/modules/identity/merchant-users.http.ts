import { asMerchant, grantNotHeld } from '../../kernel/principal.ts';
import { type Route, type Routes, route } from '../../platform/http/route.ts';
import { OWN_ACCESS_TAG } from '../merchants/api-keys.schemas.ts';
import type { GetUser } from './read/get-user.ts';
import { presentUser } from './read/user.view.ts';
import { colleagueChanges, newColleague, oneTimePassword, userAnswer } from './users.schemas.ts';
import type { CreateUser, CreateUserCommand, PrepareUser } from './write/create-user.ts';
import {
  emailAlreadyUsed,
  groupNotFound,
  ownAccount,
  passwordNamesUser,
  passwordTooCommon,
  secondFactorNotSet,
} from './write/refusals.ts';
import type { ResetCredentials } from './write/reset-credentials.ts';
import type { UpdateUser } from './write/update-user.ts';
import { type UserChanges, userWithin } from './write/user.ts';

const GRANTS =
  'Nobody gives a group whose permissions they do not hold; another e-mail address and enabling count as giving all groups.';
const TAKE_OVER = "Ends every session of the user, whose groups' permissions the caller has to hold.";

const about = { tag: OWN_ACCESS_TAG, access: { merchant: 'users.manage' } } as const;
const ofOne = {
  ...about,
  params: { id: 'Id of the user, `usr_…`.' },
  errors: [404],
} satisfies Partial<Route>;

/** The administration of a merchant's users by one of them. */
export const merchantUserRoutes: Routes<{
  prepareUser: PrepareUser;
  createUser: CreateUser;
  updateUser: UpdateUser;
  resetCredentials: ResetCredentials;
  getUser: GetUser;
}> = (deps) => [
  route<Omit<CreateUserCommand, 'merchantId'>>({
    ...about,
    method: 'post',
    operationId: 'createMerchantUser',
    path: '/v1/users',
    summary: "Create a user of one's own merchant",
    description: `The user has the permissions of the merchant, and \`keys.manage\` and \`users.manage\` by its groups. ${GRANTS}`,
    body: newColleague,
    notSearched: ['password'],
    responses: { 201: { description: 'The user.', schema: userAnswer } },
    refusals: [grantNotHeld, groupNotFound, emailAlreadyUsed, passwordNamesUser, passwordTooCommon],
    async handle({ principal, body, context }) {
      const { merchantId } = asMerchant(principal);
      const prepared = await deps.prepareUser({ ...body, merchantId }, context);
      return { status: 201, body: presentUser(await deps.createUser(prepared, context)) };
    },
  }),
  route({
    ...ofOne,
    method: 'get',
    operationId: 'getMerchantUser',
    path: '/v1/users/{id}',
    summary: "Read a user of one's own merchant",
    responses: { 200: { description: 'The user.', schema: userAnswer } },
    async handle({ principal, params: { id = '' } }) {
      const user = userWithin(asMerchant(principal).merchantId, await deps.getUser(id));
      return { status: 200, body: presentUser(user) };
    },
  }),
  route<UserChanges>({
    ...ofOne,
    method: 'patch',
    operationId: 'updateMerchantUser',
    path: '/v1/users/{id}',
    summary: "Change a user of one's own merchant",
    description: `Members that are absent stay as they are. Every change counts at once, also for tokens given before. Another e-mail address, other groups, and disabling, end the user's sessions. ${GRANTS}`,
    body: colleagueChanges,
    responses: { 200: { description: 'The changed user.', schema: userAnswer } },
    refusals: [grantNotHeld, groupNotFound, emailAlreadyUsed],
    async handle({ principal, params: { id: userId = '' }, body, context }) {
      const command = { userId, changes: body, ofMerchant: asMerchant(principal).merchantId };
      return { status: 200, body: presentUser(await deps.updateUser(command, context)) };
    },
  }),
  route({
    ...ofOne,
    method: 'post',
    operationId: 'resetMerchantUserPassword',
    path: '/v1/users/{id}/password-reset',
    summary: "Reset a colleague's password",
    description: `Returns a one-time password for one hour, to be changed at the first login. ${TAKE_OVER}`,
    responses: {
      200: { description: 'The one-time password, shown this once.', schema: oneTimePassword },
    },
    refusals: [grantNotHeld, ownAccount],
    async handle({ principal, params: { id: userId = '' }, context }) {
      const command = { userId, ofMerchant: asMerchant(principal).merchantId };
      return { status: 200, body: await deps.resetCredentials.password(command, context) };
    },
  }),
  route({
    ...ofOne,
    method: 'post',
    operationId: 'resetMerchantUserSecondFactor',
    path: '/v1/users/{id}/second-factor-reset',
    summary: "Remove a colleague's second factor",
    description: `Helps a user who has lost authenticator and recovery codes. ${TAKE_OVER}`,
    responses: { 200: { description: 'The changed user.', schema: userAnswer } },
    refusals: [grantNotHeld, ownAccount, secondFactorNotSet],
    async handle({ principal, params: { id: userId = '' }, context }) {
      const command = { userId, ofMerchant: asMerchant(principal).merchantId };
      return { status: 200, body: presentUser(await deps.resetCredentials.secondFactor(command, context)) };
    },
  }),
];
