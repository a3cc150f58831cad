import type { Response, Test } from 'supertest';
import { systemContext } from '../../src/kernel/event.ts';
import { type MerchantId, newId } from '../../src/kernel/ids.ts';
import { MERCHANTS, type Merchant, openMerchant } from '../../src/modules/merchants/write/merchant.ts';
import * as platform from '../../src/platform/platform.module.ts';
import type { Method } from './call.ts';
import type { TestGateway, TestMerchant } from './gateway.ts';

/** The API as one key or token sees it. */
export type Client = {
  call(method: Method, path: string, body?: unknown): Test;
  get(path: string): Test;
  post(path: string, body?: unknown): Test;
  /**
   * A list that shows the commits of the token. It is requested again where a busy machine answers that they are not
   * visible yet.
   */
  getAfter(token: string | undefined, path: string): Promise<Response>;
};

const clientWith = (gateway: () => TestGateway, authenticate: (test: Test) => Test): Client => {
  const call: Client['call'] = (method, path, body) => {
    const request = authenticate(gateway().call(method, path));
    return body === undefined ? request : request.send(body as object);
  };
  return {
    call,
    get: (path) => call('get', path),
    getAfter: async (token, path) => {
      const ask = async () => call('get', path).set('X-Consistency-Token', token ?? 'no token');
      const answer = await pollUntil(ask, ({ status }) => status !== 503);
      if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
      return answer;
    },
    post: (path, body) => call('post', path, body),
  };
};

export const withKey = (gateway: () => TestGateway, secretKey: string): Client =>
  clientWith(gateway, (test) => test.auth(secretKey, ''));

export const withToken = (gateway: () => TestGateway, token: string): Client =>
  clientWith(gateway, (test) => test.auth(token, { type: 'bearer' }));

export const operator = async (gateway: () => TestGateway, environment?: 'live' | 'test'): Promise<Client> =>
  withToken(gateway, await gateway().operatorToken(environment));

/** Creates a sub-merchant of `master` in the test environment, with a key of its own. */
export const createSubMerchant = async (
  gateway: () => TestGateway,
  master: Pick<TestMerchant, 'id'>,
  changes: Partial<Merchant> = {},
): Promise<{ readonly id: string; readonly testKey: string }> => {
  const fields = { legalName: 'Filial', email: 'filial@example.test', companyTaxId: null, timeZone: 'UTC' };
  const opened = openMerchant({ ...fields, role: 'Merchant' }, newId('mer'), new Date());
  const data = { ...opened.data, masterId: master.id as MerchantId, livemode: false, ...changes };
  await gateway()
    .container.get(platform.services)
    .transact(systemContext('test'), (tx) => tx.record(MERCHANTS, null, { ...opened, data }));
  const keys = `/v1/admin/merchants/${data.id}/api-keys`;
  const { body } = await (await operator(gateway)).post(keys, { livemode: false }).expect(201);
  return { id: data.id, testKey: body.secretKey };
};

/** Settings with which a busy machine lets no provider call time out; where one should, its card makes it. */
export const PATIENT = { PROVIDER_TIMEOUT_MS: '30000' };

const PATIENCE_MS = 60_000;

/** Asks repeatedly until the answer is the wanted one; returns the last answer where it never is. */
export const pollUntil = async <T>(
  ask: () => Promise<T>,
  isWanted: (answer: T) => boolean,
  withinMs = PATIENCE_MS,
): Promise<T> => {
  const startedAt = Date.now();
  for (;;) {
    const answer = await ask();
    const waited = Date.now() - startedAt;
    if (isWanted(answer) || waited > withinMs) return answer;
    // The longer it takes the less often it asks, because each question takes processor time from the work that it
    // waits for.
    await new Promise((resolve) => setTimeout(resolve, Math.min(500, 20 + waited / 10)));
  }
};
