import {
  choreLoop,
  defineModule,
  provideWithin,
  sealedRenewal,
  services,
} from '../../platform/platform.module.ts';
import { contribute, implement, member, provide, provideEach, token } from '../../platform/wiring.ts';
import { getMerchant } from '../merchants/merchants.module.ts';
import { operators, proposables, submitCommand } from '../proposals/proposals.module.ts';
import { authRoutes } from './auth.http.ts';
import { createAuthenticate } from './authenticate.ts';
import { createCredentialsStore } from './credentials.store.ts';
import { groupRoutes } from './groups.http.ts';
import { meRoutes } from './me.http.ts';
import { merchantUserRoutes } from './merchant-users.http.ts';
import type { IdentityOptions } from './options.ts';
import { createPrincipals } from './principals.ts';
import { createGetUser } from './read/get-user.ts';
import { presentGroup } from './read/group.view.ts';
import { GROUP_LIST } from './read/list-groups.ts';
import { createListSessions } from './read/list-sessions.ts';
import { USER_LIST } from './read/list-users.ts';
import { presentUser } from './read/user.view.ts';
import { createSessionRemoval } from './remove-old-sessions.store.ts';
import { secondFactorRoutes } from './second-factor.http.ts';
import { sessionRoutes } from './sessions.http.ts';
import { userRoutes } from './users.http.ts';
import { createChangePassword } from './write/change-password.ts';
import { createCheckCode } from './write/check-code.ts';
import { createCreateDemoUser } from './write/create-demo-user.ts';
import { createCreateGroup } from './write/create-group.ts';
import { createCreateUser, createPrepareUser } from './write/create-user.ts';
import { createDisableIdleUsers } from './write/disable-idle-users.ts';
import { createEndSessions } from './write/end-sessions.ts';
import { createEnsureOperator } from './write/ensure-operator.ts';
import { createRequireHeld } from './write/grants.ts';
import { createIdentityStore, identityMigrations } from './write/identity.store.ts';
import { createLogin } from './write/login.ts';
import { createLoginLimit } from './write/login-limit.ts';
import { createOperators } from './write/operators.store.ts';
import { createPasswords } from './write/passwords.ts';
import { createIdentityProposables, IDENTITY_PROPOSABLE_NAMES } from './write/proposables.ts';
import { createRefreshSession } from './write/refresh-session.ts';
import { createResetCredentials } from './write/reset-credentials.ts';
import { createSessionsStore } from './write/sessions.store.ts';
import { createSetUpSecondFactor } from './write/set-up-second-factor.ts';
import { createUpdateGroup } from './write/update-group.ts';
import { createUpdateUser } from './write/update-user.ts';
import { USERS } from './write/user.ts';

/** Bound by `main`. */
export const identityOptions = token<IdentityOptions>('identityOptions');
const credentials = provide(createCredentialsStore, services.db);
export const passwords = provide(createPasswords);
const stores = {
  ...services,
  ...provideEach(services.db, { createIdentityStore, createGetUser }),
  credentials,
  sessions: provide(createSessionsStore, services.db),
  passwords,
  findMerchant: member(credentials, 'findMerchant'),
  jwtKeys: member(services.keyRings, 'jwt'),
  changeAtFirstLogin: member(identityOptions, 'changeAtFirstLogin'),
  requireSecondFactor: member(identityOptions, 'requireSecondFactor'),
  secureCookies: member(identityOptions, 'secureCookies'),
};
export const principals = provide(createPrincipals, { ...stores, store: credentials });
export const authenticate = provide(createAuthenticate, principals);
implement(operators, createOperators, stores);
export const ensureOperator = provide(createEnsureOperator, stores);

const scope = {
  ...provideEach(stores, { createCheckCode }),
  limitLogin: provide(createLoginLimit, stores),
  requireHeld: provide(createRequireHeld, { ...stores, operators }),
};
const commands = provide(createIdentityProposables, {
  ...stores,
  createUser: provideWithin(createCreateUser, scope),
  updateUser: provideWithin(createUpdateUser, scope),
  createGroup: provideWithin(createCreateGroup, scope),
  updateGroup: provideWithin(createUpdateGroup, scope),
  resetCredentials: provideWithin(createResetCredentials, scope),
  presentUser,
  presentGroup,
});
/** The group of the demonstration whose members administer keys and users of their merchants. */
export const createDemoGroup = provide(createCreateGroup, scope);
export const createDemoUser = provide(createCreateDemoUser, {
  ...scope,
  createUser: provideWithin(createCreateUser, { ...scope, changeAtFirstLogin: false }),
});
const deciding = { ...scope, getMerchant, submit: submitCommand, proposables: commands };
const cases = provideEach(deciding, {
  createLogin,
  createChangePassword,
  createRefreshSession,
  createListSessions,
  createEndSessions,
  createPrepareUser,
  createSetUpSecondFactor,
  createCreateUser,
  createUpdateUser,
  createResetCredentials,
});
const LOOK_FOR_IDLE_EVERY_MS = 3_600_000;

export const identityModule = defineModule(cases, {
  migrations: [identityMigrations],
  lists: [USER_LIST, GROUP_LIST],
  routes: [
    authRoutes,
    meRoutes,
    userRoutes,
    merchantUserRoutes,
    sessionRoutes,
    groupRoutes,
    secondFactorRoutes,
  ],
  removals: [createSessionRemoval],
  renewals: [sealedRenewal('second factors', USERS, 'secondFactor.sealedSecret')],
  loops: [choreLoop('idle users', LOOK_FOR_IDLE_EVERY_MS, provide(createDisableIdleUsers, scope))],
  contributions: [
    contribute(proposables, ...IDENTITY_PROPOSABLE_NAMES.map((name) => member(commands, name))),
  ],
});
