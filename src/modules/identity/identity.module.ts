import { createChoreLoop } from '../../platform/loop.ts';
import { inGivenTransaction } from '../../platform/platform.module.ts';
import type { Services } from '../../platform/services.ts';
import { createFindById } from '../../platform/write-store/read-resource.ts';
import { createSealedRenewal } from '../../platform/write-store/renew-sealed.ts';
import type { MerchantsModule } from '../merchants/merchants.module.ts';
import { API_KEYS } from '../merchants/write/api-key.ts';
import type { ProposalsModule } from '../proposals/proposals.module.ts';
import type { Operators } from '../proposals/write/operators.ts';
import { actorRoutes } from './actors.http.ts';
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
import { savedViewRoutes } from './saved-views.http.ts';
import { secondFactorRoutes } from './second-factor.http.ts';
import { sessionRoutes } from './sessions.http.ts';
import { userRoutes } from './users.http.ts';
import { createChangePassword } from './write/change-password.ts';
import { createCheckCode } from './write/check-code.ts';
import { createDemoUserHandler } from './write/create-demo-user.ts';
import { createGroupHandler } from './write/create-group.ts';
import { createPrepareUser, createUserHandler } from './write/create-user.ts';
import { createDisableIdleUsers } from './write/disable-idle-users.ts';
import { createEndSessions } from './write/end-sessions.ts';
import { createEnsureOperator } from './write/ensure-operator.ts';
import { createRequireHeld } from './write/grants.ts';
import { createIdentityStore, identityMigrations } from './write/identity.store.ts';
import { createLogin } from './write/login.ts';
import { createLoginLimit } from './write/login-limit.ts';
import { createOperators } from './write/operators.store.ts';
import { createIdentityProposables, IDENTITY_PROPOSABLE_NAMES } from './write/proposables.ts';
import { createRefreshSession } from './write/refresh-session.ts';
import { createResetCredentials } from './write/reset-credentials.ts';
import { createSavedViewsStore } from './write/saved-views.store.ts';
import { createSessionsStore } from './write/sessions.store.ts';
import { createSetUpSecondFactor } from './write/set-up-second-factor.ts';
import { createSwitchEnvironment } from './write/switch-environment.ts';
import { createUpdateGroup } from './write/update-group.ts';
import { createUpdateUser } from './write/update-user.ts';
import { USERS } from './write/user.ts';

export type IdentityModule = ReturnType<typeof createIdentityModule>;

/** The operators, in the form that the proposals module asks for. */
export const createProposalOperators = (services: Services) =>
  createOperators({ ...services, identityStore: createIdentityStore(services.db) });

const LOOK_FOR_IDLE_EVERY_MS = 3_600_000;

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: wiring has no branches
export const createIdentityModule = (
  services: Services,
  {
    options,
    operators,
    merchants,
    proposals,
  }: {
    readonly options: IdentityOptions;
    readonly operators: Operators;
    readonly merchants: MerchantsModule;
    readonly proposals: ProposalsModule;
  },
) => {
  const { db, keyRings } = services;
  const credentials = createCredentialsStore(db);
  const passwords = options.createPasswords();
  const stored = {
    ...services,
    ...options,
    identityStore: createIdentityStore(db),
    getUser: createGetUser(db),
    credentials,
    sessions: createSessionsStore(db),
    findUser: createFindById(services, USERS),
    findKey: createFindById(services, API_KEYS),
    passwords,
    findMerchant: credentials.findMerchant,
    jwtKeys: keyRings.jwt,
  };
  const principals = createPrincipals({ ...stored, store: credentials });
  const checking = {
    ...stored,
    checkCode: createCheckCode(stored),
    limitLogin: createLoginLimit(stored),
    requireHeld: createRequireHeld({ ...stored, operators }),
  };
  const proposables = createIdentityProposables({
    ...stored,
    createUser: inGivenTransaction(createUserHandler, checking),
    updateUser: inGivenTransaction(createUpdateUser, checking),
    createGroup: inGivenTransaction(createGroupHandler, checking),
    updateGroup: inGivenTransaction(createUpdateGroup, checking),
    resetCredentials: inGivenTransaction(createResetCredentials, checking),
    presentUser,
    presentGroup,
  });
  proposals.addProposables(...IDENTITY_PROPOSABLE_NAMES.map((name) => proposables[name]));

  const deps = {
    ...checking,
    getMerchant: merchants.getMerchant,
    submit: proposals.submitCommand,
    proposables,
  };
  const cases = {
    ...deps,
    login: createLogin(deps),
    changePassword: createChangePassword(deps),
    refreshSession: createRefreshSession(deps),
    switchEnvironment: createSwitchEnvironment(deps),
    savedViews: createSavedViewsStore(services),
    listSessions: createListSessions(deps),
    endSessions: createEndSessions(deps),
    prepareUser: createPrepareUser(deps),
    setUpSecondFactor: createSetUpSecondFactor(deps),
    createUser: createUserHandler(deps),
    updateUser: createUpdateUser(deps),
    resetCredentials: createResetCredentials(deps),
  };
  return {
    authenticate: createAuthenticate(principals),
    passwords,
    principals,
    ensureOperator: createEnsureOperator(stored),
    /** The group of the demonstration, whose members administer the keys and users of their merchants. */
    createDemoGroup: createGroupHandler(checking),
    createDemoUser: createDemoUserHandler({
      ...checking,
      createUser: inGivenTransaction(createUserHandler, { ...checking, changeAtFirstLogin: false }),
    }),
    contributions: {
      migrations: identityMigrations,
      views: [USER_LIST.view, GROUP_LIST.view],
      routes: () => [
        ...USER_LIST.routes(cases),
        ...GROUP_LIST.routes(cases),
        ...authRoutes(cases),
        ...meRoutes(cases),
        ...savedViewRoutes(cases),
        ...actorRoutes(cases),
        ...userRoutes(cases),
        ...merchantUserRoutes(cases),
        ...sessionRoutes(cases),
        ...groupRoutes(cases),
        ...secondFactorRoutes(cases),
      ],
      renewals: [
        createSealedRenewal(services, {
          what: 'second factors',
          from: USERS,
          name: 'secondFactor.sealedSecret',
        }),
      ],
      work: () => ({
        removals: [createSessionRemoval(deps)],
        loops: [
          createChoreLoop({
            ...services,
            name: 'idle users',
            everyMs: LOOK_FOR_IDLE_EVERY_MS,
            chore: createDisableIdleUsers(checking),
          }),
        ],
      }),
    },
  };
};
