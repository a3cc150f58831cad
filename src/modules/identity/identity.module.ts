import { ContainerModule, type ServiceIdentifier } from 'inversify';
import type { Redis } from 'ioredis';
import type { Db } from 'mongodb';
import type { Clock } from '../../kernel/clock.ts';
import { newId } from '../../kernel/ids.ts';
import type { Logger } from '../../platform/logger.ts';
import { createLoop } from '../../platform/loop.ts';
import {
  AUTHENTICATE,
  BACKGROUND,
  CLOCK,
  DB,
  KEY_RINGS,
  LOGGER,
  MIGRATIONS,
  READ_VIEW,
  RECORD_AUDIT,
  REDIS,
  REMOVAL,
  RENEWAL,
  ROUTES,
  TRANSACT,
  VIEW,
} from '../../platform/platform.module.ts';
import type { KeyRings } from '../../platform/secrets.ts';
import type { RecordAudit } from '../../platform/write-store/record-audit.ts';
import type { Transact } from '../../platform/write-store/transact.ts';
import { OPERATORS, PROPOSABLE, SUBMIT_COMMAND } from '../proposals/proposals.module.ts';
import { authRoutes } from './auth.http.ts';
import { createAuthenticate } from './authenticate.ts';
import { type CredentialsStore, createCredentialsStore } from './credentials.store.ts';
import { groupRoutes } from './groups.http.ts';
import { createPrincipals } from './principals.ts';
import { type GetUser, getUser } from './read/get-user.ts';
import { GROUPS_VIEW, toGroupAnswer } from './read/group.view.ts';
import { type ListGroups, listGroups } from './read/list-groups.ts';
import { type ListSessions, listSessions } from './read/list-sessions.ts';
import { type ListUsers, listUsers } from './read/list-users.ts';
import { toUserAnswer, USERS_VIEW } from './read/user.view.ts';
import { removeOldSessions } from './remove-old-sessions.store.ts';
import { secondFactorRoutes } from './second-factor.http.ts';
import { sessionRoutes } from './sessions.http.ts';
import { userRoutes } from './users.http.ts';
import { type ChangePassword, changePassword } from './write/change-password.ts';
import { type CheckCode, checkCode } from './write/check-code.ts';
import { createGroup } from './write/create-group.ts';
import { createUser, type PrepareUser, prepareUser } from './write/create-user.ts';
import { disableIdleUsers } from './write/disable-idle-users.ts';
import { type EndSessions, endSessions } from './write/end-sessions.ts';
import { type EnsureOperator, ensureOperator } from './write/ensure-operator.ts';
import { createRequireHeld, type RequireHeld } from './write/grants.ts';
import { createIdentityStore, type IdentityStore, identityMigrations } from './write/identity.store.ts';
import { type Login, login } from './write/login.ts';
import { createLoginLimit, type LimitLogin } from './write/login-limit.ts';
import { createOperators } from './write/operators.store.ts';
import { createPasswords, type Passwords } from './write/passwords.ts';
import {
  IDENTITY_PROPOSABLE_NAMES,
  type IdentityProposables,
  identityProposables,
} from './write/proposables.ts';
import { type RefreshSession, refreshSession } from './write/refresh-session.ts';
import { renewSecondFactors } from './write/renew-second-factors.store.ts';
import { resetCredentials } from './write/reset-credentials.ts';
import { createSessionsStore, type SessionsStore } from './write/sessions.store.ts';
import { type SetUpSecondFactor, setUpSecondFactor } from './write/set-up-second-factor.ts';
import { updateGroup } from './write/update-group.ts';
import { updateUser } from './write/update-user.ts';

const token = <T>(name: string): ServiceIdentifier<T> => Symbol.for(name);

export const ENSURE_OPERATOR = token<EnsureOperator>('EnsureOperator');
const REQUIRE_HELD = token<RequireHeld>('RequireHeld');
const PREPARE_USER = token<PrepareUser>('PrepareUser');
const IDENTITY_PROPOSABLES = token<IdentityProposables>('IdentityProposables');
const LOGIN = token<Login>('Login');
const CHANGE_PASSWORD = token<ChangePassword>('ChangePassword');
const GET_USER = token<GetUser>('GetUser');
const LIST_USERS = token<ListUsers>('ListUsers');
const LIST_GROUPS = token<ListGroups>('ListGroups');
const CHECK_CODE = token<CheckCode>('CheckCode');
const SET_UP_SECOND_FACTOR = token<SetUpSecondFactor>('SetUpSecondFactor');
const REFRESH_SESSION = token<RefreshSession>('RefreshSession');
const END_SESSIONS = token<EndSessions>('EndSessions');
const LIST_SESSIONS = token<ListSessions>('ListSessions');
const SESSIONS_STORE = token<SessionsStore>('SessionsStore');
const IDENTITY_STORE = token<IdentityStore>('IdentityStore');
const CREDENTIALS_STORE = token<CredentialsStore>('CredentialsStore');
const PASSWORDS = token<Passwords>('Passwords');
const LIMIT_LOGIN = token<LimitLogin>('LimitLogin');

export type IdentityOptions = {
  /** Put before the keys of the login limit in Redis, where installations may share a server. */
  readonly keyPrefix: string;
  /** Whether a password that somebody else chose has to be changed at the first login. */
  readonly changeAtFirstLogin: boolean;
  /** Whether operators need a second factor. */
  readonly requireSecondFactor: boolean;
  /** Whether refresh cookies are for TLS only. */
  readonly secureCookies: boolean;
};

const IDLE_USERS = 'idle users';
const LOOK_FOR_IDLE_EVERY_MS = 3_600_000;

export const identityModule = (options: IdentityOptions): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const { keyPrefix, changeAtFirstLogin, requireSecondFactor, secureCookies } = options;
    bind(IDENTITY_STORE).toResolvedValue(createIdentityStore, [DB]);
    bind(SESSIONS_STORE).toResolvedValue(createSessionsStore, [DB]);
    bind(CREDENTIALS_STORE).toResolvedValue(createCredentialsStore, [DB]);
    bind(PASSWORDS).toResolvedValue(createPasswords);
    bind(LIMIT_LOGIN).toResolvedValue((redis: Redis) => createLoginLimit({ redis, keyPrefix }), [REDIS]);
    bind(AUTHENTICATE).toResolvedValue(
      (store: CredentialsStore, sessions: SessionsStore, keyRings: KeyRings, clock: Clock) =>
        createAuthenticate(createPrincipals({ store, sessions, requireSecondFactor, keyRings, clock })),
      [CREDENTIALS_STORE, SESSIONS_STORE, KEY_RINGS, CLOCK],
    );
    bind(OPERATORS).toResolvedValue(
      (db, identityStore, clock) => createOperators({ db, identityStore, clock }),
      [DB, IDENTITY_STORE, CLOCK],
    );
    bind(REQUIRE_HELD).toResolvedValue(
      (operators, identityStore) => createRequireHeld({ operators, identityStore }),
      [OPERATORS, IDENTITY_STORE],
    );
    bind(PREPARE_USER).toResolvedValue((passwords) => prepareUser({ passwords, newId }), [PASSWORDS]);
    bind(IDENTITY_PROPOSABLES).toResolvedValue(
      (clock, identityStore, requireHeld, passwords) => {
        const deps = { clock, identityStore, requireHeld };
        return identityProposables({
          identityStore,
          createUser: (transact) => createUser({ ...deps, transact, changeAtFirstLogin }),
          updateUser: (transact) => updateUser({ ...deps, transact }),
          createGroup: (transact) => createGroup({ ...deps, transact }),
          updateGroup: (transact) => updateGroup({ ...deps, transact }),
          resetCredentials: (transact) => resetCredentials({ ...deps, transact, passwords }),
          presentUser: toUserAnswer,
          presentGroup: toGroupAnswer,
        });
      },
      [CLOCK, IDENTITY_STORE, REQUIRE_HELD, PASSWORDS],
    );
    for (const name of IDENTITY_PROPOSABLE_NAMES)
      bind(PROPOSABLE).toResolvedValue((proposables) => proposables[name], [IDENTITY_PROPOSABLES]);
    bind(ENSURE_OPERATOR).toResolvedValue(
      (transact: Transact, clock: Clock, identityStore: IdentityStore, passwords: Passwords) =>
        ensureOperator({ transact, clock, newId, identityStore, passwords }),
      [TRANSACT, CLOCK, IDENTITY_STORE, PASSWORDS],
    );
    bind(LOGIN).toResolvedValue(
      (
        transact: Transact,
        recordAudit: RecordAudit,
        clock: Clock,
        identityStore: IdentityStore,
        sessions: SessionsStore,
        credentials: CredentialsStore,
        passwords: Passwords,
        limitLogin: LimitLogin,
        codes: CheckCode,
        keyRings: KeyRings,
      ) =>
        login({
          transact,
          recordAudit,
          clock,
          newId,
          identityStore,
          sessions,
          findMerchant: credentials.findMerchant,
          passwords,
          limitLogin,
          checkCode: codes,
          jwtKeys: keyRings.jwt,
          requireSecondFactor,
        }),
      [
        TRANSACT,
        RECORD_AUDIT,
        CLOCK,
        IDENTITY_STORE,
        SESSIONS_STORE,
        CREDENTIALS_STORE,
        PASSWORDS,
        LIMIT_LOGIN,
        CHECK_CODE,
        KEY_RINGS,
      ],
    );
    bind(CHECK_CODE).toResolvedValue(
      (identityStore: IdentityStore, keyRings: KeyRings, clock: Clock) =>
        checkCode({ identityStore, sealing: keyRings.sealing, clock }),
      [IDENTITY_STORE, KEY_RINGS, CLOCK],
    );
    bind(SET_UP_SECOND_FACTOR).toResolvedValue(
      (
        transact: Transact,
        clock: Clock,
        identityStore: IdentityStore,
        limitLogin: LimitLogin,
        codes: CheckCode,
        keyRings: KeyRings,
      ) =>
        setUpSecondFactor({
          transact,
          clock,
          identityStore,
          limitLogin,
          checkCode: codes,
          sealing: keyRings.sealing,
        }),
      [TRANSACT, CLOCK, IDENTITY_STORE, LIMIT_LOGIN, CHECK_CODE, KEY_RINGS],
    );
    bind(REFRESH_SESSION).toResolvedValue(
      (
        transact: Transact,
        clock: Clock,
        credentials: CredentialsStore,
        sessions: SessionsStore,
        keyRings: KeyRings,
      ) => refreshSession({ transact, clock, credentials, sessions, jwtKeys: keyRings.jwt }),
      [TRANSACT, CLOCK, CREDENTIALS_STORE, SESSIONS_STORE, KEY_RINGS],
    );
    bind(END_SESSIONS).toResolvedValue(
      (transact: Transact, clock: Clock, sessions: SessionsStore) =>
        endSessions({ transact, clock, sessions }),
      [TRANSACT, CLOCK, SESSIONS_STORE],
    );
    bind(LIST_SESSIONS).toResolvedValue(
      (get: GetUser, sessions: SessionsStore, clock: Clock) =>
        listSessions({ getUser: get, sessions, clock }),
      [GET_USER, SESSIONS_STORE, CLOCK],
    );
    bind(BACKGROUND).toResolvedValue(
      (transact: Transact, clock: Clock, identityStore: IdentityStore, logger: Logger) => {
        const disableIdle = disableIdleUsers({ transact, clock, identityStore, logger });
        return ({ owns }) =>
          createLoop({
            name: IDLE_USERS,
            everyMs: LOOK_FOR_IDLE_EVERY_MS,
            logger,
            async round() {
              if (owns(IDLE_USERS)) await disableIdle();
              return false;
            },
          });
      },
      [TRANSACT, CLOCK, IDENTITY_STORE, LOGGER],
    );
    bind(REMOVAL).toResolvedValue(removeOldSessions, [DB]);
    bind(RENEWAL).toResolvedValue(
      (db: Db, keyRings: KeyRings) => renewSecondFactors(db, keyRings.sealing),
      [DB, KEY_RINGS],
    );
    bind(CHANGE_PASSWORD).toResolvedValue(
      (
        transact: Transact,
        clock: Clock,
        identityStore: IdentityStore,
        passwords: Passwords,
        limitLogin: LimitLogin,
      ) => changePassword({ transact, clock, identityStore, passwords, limitLogin }),
      [TRANSACT, CLOCK, IDENTITY_STORE, PASSWORDS, LIMIT_LOGIN],
    );
    bind(GET_USER).toResolvedValue(getUser, [DB]);
    bind(LIST_USERS).toResolvedValue(listUsers, [READ_VIEW]);
    bind(LIST_GROUPS).toResolvedValue(listGroups, [READ_VIEW]);
    bind(ROUTES).toResolvedValue(
      (loginHandler: Login, changePasswordHandler: ChangePassword) =>
        authRoutes({ login: loginHandler, changePassword: changePasswordHandler, secureCookies }),
      [LOGIN, CHANGE_PASSWORD],
    );
    bind(ROUTES).toResolvedValue(
      (submit, proposables, prepareUser, getUser, listUsers) =>
        userRoutes({ submit, proposables, prepareUser, getUser, listUsers }),
      [SUBMIT_COMMAND, IDENTITY_PROPOSABLES, PREPARE_USER, GET_USER, LIST_USERS],
    );
    bind(ROUTES).toResolvedValue(
      (refresh: RefreshSession, list: ListSessions, end: EndSessions) =>
        sessionRoutes({ refreshSession: refresh, listSessions: list, endSessions: end, secureCookies }),
      [REFRESH_SESSION, LIST_SESSIONS, END_SESSIONS],
    );
    bind(ROUTES).toResolvedValue(secondFactorRoutes, [SET_UP_SECOND_FACTOR]);
    bind(ROUTES).toResolvedValue(
      (submit, proposables, listGroups) => groupRoutes({ submit, proposables, newId, listGroups }),
      [SUBMIT_COMMAND, IDENTITY_PROPOSABLES, LIST_GROUPS],
    );
    bind(MIGRATIONS).toConstantValue(identityMigrations);
    bind(VIEW).toConstantValue(USERS_VIEW);
    bind(VIEW).toConstantValue(GROUPS_VIEW);
  });
