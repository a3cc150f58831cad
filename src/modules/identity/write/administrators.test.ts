import { NOW } from '../../../../test/builders.ts';
import { asked, CHEAP_PASSWORDS, createFakeIdentity } from '../../../../test/fakes/identity.ts';
import type { OwnTransaction } from '../../../platform/write-store/transaction.ts';
import { createGroupHandler } from './create-group.ts';
import { createPrepareUser, createUserHandler } from './create-user.ts';
import { createRequireHeld } from './grants.ts';
import { createOperators } from './operators.store.ts';
import { createResetCredentials } from './reset-credentials.ts';
import { createUpdateGroup } from './update-group.ts';
import { createUpdateUser } from './update-user.ts';
import type { User } from './user.ts';

const grantNotHeld = expect.objectContaining({ statusCode: 403, code: 'GRANT_NOT_HELD' });
const ownAccount = expect.objectContaining({ statusCode: 422, code: 'OWN_ACCOUNT' });

/**
 * Ana administers users and holds nothing else; Carla holds every permission that Ana does not. Each has a group of her
 * own.
 */
const setUp = () => {
  const store = createFakeIdentity();
  const { identityStore, transact, addGroup, addUser } = store;
  addGroup('people', ['admin.users.update']);
  addGroup('money', ['admin.adjustments.create']);
  addGroup('both', ['admin.users.update', 'admin.adjustments.create']);
  addUser('usr_ana', { groups: ['people'] });
  addUser('usr_carla', { groups: ['both'] });
  const clock = () => NOW;
  /** The database is asked only whether the first operator is the only one. */
  const known = { find: () => ({ toArray: async () => [{ id: 'usr_ana' }, { id: 'usr_carla' }] }) };
  const db = { collection: () => known } as never;
  const operators = createOperators({ db, identityStore, clock });
  const requireHeld = createRequireHeld({ operators, identityStore });
  const deps = { transact, clock, identityStore, requireHeld, passwords: CHEAP_PASSWORDS };
  return {
    ...store,
    operators,
    create: createUserHandler({ ...deps, changeAtFirstLogin: true }),
    prepare: createPrepareUser({ ...deps, newId: () => 'usr_new' as never }),
    update: createUpdateUser(deps),
    reset: createResetCredentials(deps),
    createGroup: createGroupHandler(deps),
    updateGroup: createUpdateGroup(deps),
    inTransaction: <T>(work: (tx: OwnTransaction) => Promise<T>) => transact.alone(asked('usr_ana'), work),
  };
};
const NEW = {
  id: 'usr_puppet',
  passwordHash: 'hash of a password',
  email: 'puppet@example.test',
  name: null,
  merchantId: null,
  disabled: false,
} as const;

/** Each way in which somebody comes to hold a permission. */
const WAYS: readonly [
  string,
  (all: ReturnType<typeof setUp>, by: ReturnType<typeof asked>) => Promise<unknown>,
][] = [
  ['a new user', ({ create }, by) => create({ ...NEW, groups: ['money'] }, by)],
  ['another group', ({ update }, by) => update({ userId: 'usr_bia', changes: { groups: ['money'] } }, by)],
  [
    'a new group',
    ({ createGroup }, by) =>
      createGroup({ id: 'grp_new', name: 'new', permissions: ['admin.adjustments.create'] }, by),
  ],
  [
    'a group that is given more',
    ({ updateGroup }, by) =>
      updateGroup({ name: 'people', permissions: ['admin.users.update', 'admin.adjustments.create'] }, by),
  ],
  ["somebody's password", ({ reset }, by) => reset.password({ userId: 'usr_dora' }, by)],
  ["somebody's second factor", ({ reset }, by) => reset.secondFactor({ userId: 'usr_dora' }, by)],
  [
    'another e-mail address',
    ({ update }, by) => update({ userId: 'usr_dora', changes: { email: 'mine@example.test' } }, by),
  ],
];

describe('a permission that the operator does not hold', () => {
  it.each(WAYS)('is not given by way of %s', async (_, give) => {
    const all = setUp();
    all.addUser('usr_bia');
    all.addUser('usr_dora', { groups: ['money'], secondFactor: true });
    await expect(give(all, asked('usr_ana'))).rejects.toEqual(grantNotHeld);
    expect(all.decisions()).toEqual([]);
    await give(all, asked('usr_carla'));
    expect(all.decisions()).toHaveLength(1);
  });

  it.each(WAYS)('is not given by two of whom one lacks it by way of %s', async (_, give) => {
    const all = setUp();
    all.addUser('usr_bia');
    all.addUser('usr_dora', { groups: ['money'], secondFactor: true });
    for (const [author, approver] of [
      ['usr_ana', 'usr_carla'],
      ['usr_carla', 'usr_ana'],
    ] as const)
      await expect(give(all, asked(approver, { proposedBy: author }))).rejects.toEqual(grantNotHeld);
    expect(all.decisions()).toEqual([]);
  });

  it('counts present permissions, so a disabled operator holds none', async () => {
    const all = setUp();
    all.addUser('usr_eva', { groups: ['both'], disabled: true });
    await expect(all.create({ ...NEW, groups: ['money'] }, asked('usr_eva'))).rejects.toEqual(grantNotHeld);
  });
});

describe("permissions of merchants' people", () => {
  it('are given by operators who do for merchants what the permission is for', async () => {
    const all = setUp();
    const people = {
      id: 'grp_keepers',
      name: 'keepers',
      permissions: ['keys.manage', 'users.manage'],
    } as const;
    await expect(all.createGroup(people, asked('usr_ana'))).rejects.toEqual(
      expect.objectContaining({
        code: 'GRANT_NOT_HELD',
        errors: [
          {
            path: 'permissions',
            message: 'permissions must be held by the caller: admin.merchants.update is not',
          },
        ],
      }),
    );
    await all.createGroup({ ...people, permissions: ['users.manage'] }, asked('usr_ana'));
  });
});

describe('a one-time password', () => {
  it("is what a new user gets from somebody else, and never an operator's own", async () => {
    const { prepare, create, user, reset } = setUp();
    const { id: _, passwordHash: __, ...fields } = NEW;
    const prepared = await prepare(
      { ...fields, groups: [], password: 'a long pass phrase' },
      asked('usr_ana'),
    );
    expect(prepared).toMatchObject({ passwordHash: 'hash of a long pass phrase' });
    await create(prepared, asked('usr_ana'));
    expect(user('usr_new').oneTimePasswordExpiresAt).not.toBeNull();
    await expect(reset.password({ userId: 'usr_ana' }, asked('usr_ana'))).rejects.toEqual(ownAccount);
    await expect(reset.secondFactor({ userId: 'usr_ana' }, asked('usr_ana'))).rejects.toEqual(ownAccount);
  });

  it('takes the place of the password, ends the sessions, and differs each time', async () => {
    const { reset, addUser, user, secret } = setUp();
    addUser('usr_bia');
    const first = await reset.password({ userId: 'usr_bia' }, asked('usr_ana'));
    const second = await reset.password({ userId: 'usr_bia' }, asked('usr_ana'));
    expect(second.oneTimePassword).not.toBe(first.oneTimePassword);
    expect(secret('usr_bia').passwordHash).toBe(`hash of ${second.oneTimePassword}`);
    expect(user('usr_bia')).toMatchObject({ credentialsVersion: 3 });
  });
});

describe('the first operator is alone', () => {
  it.each<[string, boolean, 'usr_ana' | 'usr_carla', Partial<User>]>([
    ['not while another one may administer users', false, 'usr_ana', {}],
    ['once no other one may', true, 'usr_ana', { groups: ['money'] }],
    ['once every other one is disabled', true, 'usr_ana', { disabled: true }],
    ['but nobody else ever is', false, 'usr_carla', {}],
  ])('%s', async (_, isAlone, who, carla) => {
    const { operators, inTransaction, addUser } = setUp();
    addUser('usr_carla', { groups: ['both'], ...carla });
    if (who === 'usr_carla') addUser('usr_ana', { groups: [], disabled: true });
    expect(await inTransaction((tx) => operators.isAlone(tx, who))).toBe(isAlone);
  });

  it("and a merchant's user is no operator at all", async () => {
    const { operators, inTransaction, addUser } = setUp();
    addUser('usr_eva', { merchantId: 'mer_1' });
    expect(await inTransaction((tx) => operators.find(tx, 'usr_eva'))).toBeNull();
    expect(await inTransaction((tx) => operators.find(tx, 'usr_nobody'))).toBeNull();
  });
});
