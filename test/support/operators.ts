import { randomUUID } from 'node:crypto';
import { DAY_MS } from '../../src/kernel/durations.ts';
import { systemContext } from '../../src/kernel/event.ts';
import { newId } from '../../src/kernel/ids.ts';
import type { OperatorPermission } from '../../src/kernel/principal.ts';
import { GROUPS, openGroup } from '../../src/modules/identity/write/group.ts';
import { createPasswords } from '../../src/modules/identity/write/passwords.ts';
import { newSecret, openUser, USERS } from '../../src/modules/identity/write/user.ts';
import * as platform from '../../src/platform/platform.module.ts';
import { type Client, withToken } from './client.ts';
import type { TestGateway } from './gateway.ts';

export type TestOperator = Client & {
  readonly id: string;
  readonly email: string;
  /** The group that gives the operator's permissions. */
  readonly group: string;
};

const PASSWORD = 'a long pass phrase of tests';

/** Logs in with a password, in one environment. */
export const logIn = async (
  gateway: () => TestGateway,
  { email, password }: { readonly email: string; readonly password: string },
  environment: 'test' | 'live' = 'test',
): Promise<Client> => {
  const { body } = await gateway()
    .call('post', '/v1/auth/login')
    .send({ email, password, environment })
    .expect(200);
  return withToken(gateway, body.accessToken);
};

/** An operator who has existed for long. It is put into the store directly, whatever the rules for creating one. */
export const anOperator = async (
  gateway: () => TestGateway,
  permissions: readonly OperatorPermission[],
  daysOld = 30,
): Promise<TestOperator> => {
  const email = `${randomUUID()}@example.test`;
  const name = `group ${randomUUID()}`;
  const fields = { email, name: null, merchantId: null, groups: [name], disabled: false };
  const created = new Date(Date.now() - daysOld * DAY_MS);
  const user = openUser(fields, false, newId('usr'), new Date());
  const data = { ...user.data, createdAt: created.toISOString() };
  const passwordHash = await createPasswords().hash(PASSWORD, null);
  await gateway()
    .container.get(platform.services)
    .transact(systemContext('test'), async (tx) => {
      await tx.record(GROUPS, null, openGroup({ name, permissions }, newId('grp'), created));
      await tx.record(USERS, null, { ...user, data }, newSecret(passwordHash));
    });
  return { ...(await logIn(gateway, { email, password: PASSWORD })), id: data.id, email, group: name };
};
