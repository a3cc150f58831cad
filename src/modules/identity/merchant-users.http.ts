import { asMerchant, grantNotHeld } from '../../kernel/principal.ts';
import { type Route, type Routes, route } from '../../platform/http/route.ts';
import { OWN_ACCESS_TAG } from '../merchants/api-keys.schemas.ts';
import type { GetUser } from './read/get-user.ts';
import { presentUser } from './read/user.view.ts';
import { colleagueChanges, newColleague, oneTimePassword, userAnswer } from './users.schemas.ts';
import type { CreateUser, PrepareUser } from './write/create-user.ts';
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
import { userWithin } from './write/user.ts';

const GRANTS =
  'The caller has to hold the permissions of every group that is given. A change of the e-mail address and enabling count as giving all groups.';
const TAKE_OVER =
  "Ends every session of the user. The caller has to hold the permissions of the user's groups.";

const about = { tag: OWN_ACCESS_TAG, access: { merchant: 'users.manage' } } as const;
const ofOne = {
  ...about,
  params: { id: 'Id of the user, `usr_…`.' },
  errors: [404],
} satisfies Partial<Route>;

/** Routes by which a user of a merchant administers the merchant's users. */
export const merchantUserRoutes: Routes<{
  prepareUser: PrepareUser;
  createUser: CreateUser;
  updateUser: UpdateUser;
  resetCredentials: ResetCredentials;
  getUser: GetUser;
}> = (deps) => [
  route({
    ...about,
    method: 'post',
    operationId: 'createMerchantUser',
    path: '/v1/users',
    summary: "Create a user of one's own merchant",
    description: `The user has the permissions of the merchant; \`keys.manage\` and \`users.manage\` come from its groups. ${GRANTS}`,
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
    async handle({ principal, params: { id } }) {
      const user = userWithin(asMerchant(principal).merchantId, await deps.getUser(id));
      return { status: 200, body: presentUser(user) };
    },
  }),
  route({
    ...ofOne,
    method: 'patch',
    operationId: 'updateMerchantUser',
    path: '/v1/users/{id}',
    summary: "Change a user of one's own merchant",
    description: `Members that are absent stay as they are. Every change takes effect at once, also for existing tokens. A change of the e-mail address or of the groups, and disabling, end the user's sessions. ${GRANTS}`,
    body: colleagueChanges,
    responses: { 200: { description: 'The changed user.', schema: userAnswer } },
    refusals: [grantNotHeld, groupNotFound, emailAlreadyUsed],
    async handle({ principal, params: { id: userId }, body, context }) {
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
    description: `Returns a one-time password that is valid for one hour and has to be changed at the first login. ${TAKE_OVER}`,
    responses: {
      200: { description: 'The one-time password, which no other answer shows.', schema: oneTimePassword },
    },
    refusals: [grantNotHeld, ownAccount],
    async handle({ principal, params: { id: userId }, context }) {
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
    description: `Helps a user who has lost the authenticator app and the recovery codes. ${TAKE_OVER}`,
    responses: { 200: { description: 'The changed user.', schema: userAnswer } },
    refusals: [grantNotHeld, ownAccount, secondFactorNotSet],
    async handle({ principal, params: { id: userId }, context }) {
      const command = { userId, ofMerchant: asMerchant(principal).merchantId };
      return { status: 200, body: presentUser(await deps.resetCredentials.secondFactor(command, context)) };
    },
  }),
];
