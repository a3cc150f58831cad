import { ContainerModule, type ServiceIdentifier } from 'inversify';
import type { Redis } from 'ioredis';
import type { Clock } from '../../kernel/clock.ts';
import { newId } from '../../kernel/ids.ts';
import {
  AUTHENTICATE,
  CLOCK,
  DB,
  KEY_RINGS,
  MIGRATIONS,
  READ_VIEW,
  REDIS,
  ROUTES,
  TRANSACT,
  VIEW,
} from '../../platform/platform.module.ts';
import type { KeyRings } from '../../platform/secrets.ts';
import type { Transact } from '../../platform/write-store/transact.ts';
import { authRoutes } from './auth.http.ts';
import { createAuthenticate } from './authenticate.ts';
import { type CredentialsStore, createCredentialsStore } from './credentials.store.ts';
import { groupRoutes } from './groups.http.ts';
import { createPrincipals } from './principals.ts';
import { type GetUser, getUser } from './read/get-user.ts';
import { GROUPS_VIEW } from './read/group.view.ts';
import { type ListGroups, listGroups } from './read/list-groups.ts';
import { type ListUsers, listUsers } from './read/list-users.ts';
import { USERS_VIEW } from './read/user.view.ts';
import { userRoutes } from './users.http.ts';
import { type ChangePassword, changePassword } from './write/change-password.ts';
import { type CreateGroup, createGroup } from './write/create-group.ts';
import { type CreateUser, createUser } from './write/create-user.ts';
import { type EnsureOperator, ensureOperator } from './write/ensure-operator.ts';
import { createIdentityStore, type IdentityStore, identityMigrations } from './write/identity.store.ts';
import { type Login, login } from './write/login.ts';
import { createLoginLimit, type LimitLogin } from './write/login-limit.ts';
import { createPasswords, type Passwords } from './write/passwords.ts';
import { type UpdateGroup, updateGroup } from './write/update-group.ts';
import { type UpdateUser, updateUser } from './write/update-user.ts';

const token = <T>(name: string): ServiceIdentifier<T> => Symbol.for(name);

export const CREATE_USER = token<CreateUser>('CreateUser');
export const ENSURE_OPERATOR = token<EnsureOperator>('EnsureOperator');
const UPDATE_USER = token<UpdateUser>('UpdateUser');
const CREATE_GROUP = token<CreateGroup>('CreateGroup');
const UPDATE_GROUP = token<UpdateGroup>('UpdateGroup');
const LOGIN = token<Login>('Login');
const CHANGE_PASSWORD = token<ChangePassword>('ChangePassword');
const GET_USER = token<GetUser>('GetUser');
const LIST_USERS = token<ListUsers>('ListUsers');
const LIST_GROUPS = token<ListGroups>('ListGroups');
const IDENTITY_STORE = token<IdentityStore>('IdentityStore');
const CREDENTIALS_STORE = token<CredentialsStore>('CredentialsStore');
const PASSWORDS = token<Passwords>('Passwords');
const LIMIT_LOGIN = token<LimitLogin>('LimitLogin');

/** `keyPrefix` is put before the keys of the login limit in Redis, where installations may share a server. */
export const identityModule = ({ keyPrefix }: { readonly keyPrefix: string }): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(IDENTITY_STORE).toResolvedValue(createIdentityStore, [DB]);
    bind(CREDENTIALS_STORE).toResolvedValue(createCredentialsStore, [DB]);
    bind(PASSWORDS).toResolvedValue(createPasswords);
    bind(LIMIT_LOGIN).toResolvedValue((redis: Redis) => createLoginLimit({ redis, keyPrefix }), [REDIS]);
    bind(AUTHENTICATE).toResolvedValue(
      (store: CredentialsStore, keyRings: KeyRings, clock: Clock) =>
        createAuthenticate(createPrincipals({ store, keyRings, clock })),
      [CREDENTIALS_STORE, KEY_RINGS, CLOCK],
    );
    bind(CREATE_USER).toResolvedValue(
      (transact: Transact, clock: Clock, identityStore: IdentityStore, passwords: Passwords) =>
        createUser({ transact, clock, newId, identityStore, passwords }),
      [TRANSACT, CLOCK, IDENTITY_STORE, PASSWORDS],
    );
    bind(UPDATE_USER).toResolvedValue(
      (transact: Transact, clock: Clock, identityStore: IdentityStore, passwords: Passwords) =>
        updateUser({ transact, clock, identityStore, passwords }),
      [TRANSACT, CLOCK, IDENTITY_STORE, PASSWORDS],
    );
    bind(CREATE_GROUP).toResolvedValue(
      (transact: Transact, clock: Clock, identityStore: IdentityStore) =>
        createGroup({ transact, clock, newId, identityStore }),
      [TRANSACT, CLOCK, IDENTITY_STORE],
    );
    bind(UPDATE_GROUP).toResolvedValue(
      (transact: Transact, clock: Clock, identityStore: IdentityStore) =>
        updateGroup({ transact, clock, identityStore }),
      [TRANSACT, CLOCK, IDENTITY_STORE],
    );
    bind(ENSURE_OPERATOR).toResolvedValue(
      (transact: Transact, clock: Clock, identityStore: IdentityStore, passwords: Passwords) =>
        ensureOperator({ transact, clock, newId, identityStore, passwords }),
      [TRANSACT, CLOCK, IDENTITY_STORE, PASSWORDS],
    );
    bind(LOGIN).toResolvedValue(
      (
        identityStore: IdentityStore,
        credentials: CredentialsStore,
        passwords: Passwords,
        limitLogin: LimitLogin,
        keyRings: KeyRings,
        clock: Clock,
      ) =>
        login({
          identityStore,
          findMerchant: credentials.findMerchant,
          passwords,
          limitLogin,
          jwtKeys: keyRings.jwt,
          clock,
        }),
      [IDENTITY_STORE, CREDENTIALS_STORE, PASSWORDS, LIMIT_LOGIN, KEY_RINGS, CLOCK],
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
        authRoutes({ login: loginHandler, changePassword: changePasswordHandler }),
      [LOGIN, CHANGE_PASSWORD],
    );
    bind(ROUTES).toResolvedValue(
      (create: CreateUser, update: UpdateUser, get: GetUser, list: ListUsers) =>
        userRoutes({ createUser: create, updateUser: update, getUser: get, listUsers: list }),
      [CREATE_USER, UPDATE_USER, GET_USER, LIST_USERS],
    );
    bind(ROUTES).toResolvedValue(
      (create: CreateGroup, update: UpdateGroup, list: ListGroups) =>
        groupRoutes({ createGroup: create, updateGroup: update, listGroups: list }),
      [CREATE_GROUP, UPDATE_GROUP, LIST_GROUPS],
    );
    bind(MIGRATIONS).toConstantValue(identityMigrations);
    bind(VIEW).toConstantValue(USERS_VIEW);
    bind(VIEW).toConstantValue(GROUPS_VIEW);
  });
