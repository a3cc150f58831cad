import { aMerchantPrincipal, NOW } from '../../../../test/builders.ts';
import { createFakeLogger } from '../../../../test/fakes/logger.ts';
import { createFakeWriteStore } from '../../../../test/fakes/write-store.ts';
import { GatewayError } from '../../../kernel/errors.ts';
import { type MerchantId, newId } from '../../../kernel/ids.ts';
import type { EndedRequest } from '../../../platform/http/ended-request.ts';
import type { Transact } from '../../../platform/write-store/transaction.ts';
import { createKeepRequests } from './keep-requests.ts';
import { type LoggedRequest, REQUEST_LOG } from './logged-request.ts';

const ended = (changes: Partial<EndedRequest> = {}): EndedRequest => ({
  principal: aMerchantPrincipal(),
  requestId: 'request',
  method: 'POST',
  path: '/v1/charges',
  params: {},
  body: { amount: 1 },
  status: 201,
  error: null,
  durationMs: 5,
  ...changes,
});
const failed = (changes: Partial<EndedRequest> = {}): EndedRequest =>
  ended({ status: 422, error: new GatewayError(422, 'no', { code: 'NO' }), ...changes });

const setUp = (options: { readonly share?: number; readonly transact?: Transact } = {}) => {
  const store = createFakeWriteStore();
  const { logger, lines } = createFakeLogger();
  const keep = createKeepRequests({
    transact: store.transact,
    clock: () => NOW,
    newId,
    random: () => 0.5,
    logger,
    share: 1,
    ...options,
  });
  const stored = () =>
    store.inserted(REQUEST_LOG.collection) as readonly ({ readonly _id: string } & LoggedRequest)[];
  return { ...keep, stored, lines };
};

describe('the request log', () => {
  it('stores nothing before it writes, and then every request with its answer', async () => {
    const { note, flush, stored } = setUp();
    note(ended());
    note(failed());
    expect(stored()).toEqual([]);
    await flush();
    expect(stored()).toEqual([
      expect.objectContaining({ status: 422, failed: true, code: 'NO', message: 'no', body: '{"amount":1}' }),
      expect.objectContaining({ status: 201, failed: false, code: null, message: null, body: null }),
    ]);
  });

  it('leaves out operators and people of a merchant', async () => {
    const { note, flush, stored } = setUp();
    note(ended({ principal: aMerchantPrincipal({ credential: 'user' }) }));
    note(
      ended({
        principal: {
          kind: 'operator',
          actor: { kind: 'operator', id: 'usr_1' },
          credential: 'user',
          userId: 'usr_1',
          livemode: false,
          permissions: [],
        },
      }),
    );
    await flush();
    expect(stored()).toEqual([]);
  });

  it('keeps a share of successful requests and all that failed or were given up', async () => {
    const { note, flush, stored } = setUp({ share: 0.5 });
    note(ended());
    note(failed());
    note(ended({ status: null }));
    await flush();
    expect(stored().map(({ status, failed }) => [status, failed])).toEqual([
      [422, true],
      [null, true],
    ]);
  });

  it('stores failed requests first, and no merchant takes the places of another', async () => {
    const { note, flush, stored } = setUp();
    const of = (merchantId: string) => ({
      principal: aMerchantPrincipal({ merchantId: merchantId as MerchantId, masterId: null }),
    });
    for (let at = 0; at < 60; at += 1) note(ended(of('mer_busy')));
    for (let at = 0; at < 20; at += 1) note(failed(of('mer_busy')));
    note(ended(of('mer_calm')));
    await flush();
    const own = (merchantId: string) => stored().filter((entry) => entry.merchantId === merchantId);
    expect(own('mer_busy')).toHaveLength(50);
    expect(own('mer_busy').filter((entry) => entry.failed)).toHaveLength(20);
    expect(own('mer_calm')).toHaveLength(1);
  });

  it('stores no more than five hundred requests at once, and begins with one of each merchant', async () => {
    const { note, flush, stored } = setUp();
    for (let merchant = 0; merchant < 20; merchant += 1)
      for (let at = 0; at < 50; at += 1)
        note(failed({ principal: aMerchantPrincipal({ merchantId: `mer_${merchant}`, masterId: null }) }));
    await flush();
    expect(stored()).toHaveLength(500);
    expect(new Set(stored().map(({ merchantId }) => merchantId)).size).toBe(20);
  });

  it('says that requests were not logged where the store is down, and goes on with later ones', async () => {
    const { transact } = createFakeWriteStore();
    let isDown = true;
    const failing: Transact = Object.assign(
      async (...given: Parameters<Transact>) => {
        if (isDown) throw new Error('down');
        return transact(...given);
      },
      { alone: transact.alone },
    ) as Transact;
    const { note, flush, lines } = setUp({ transact: failing });
    note(ended());
    await flush();
    expect(lines).toEqual(['warn requests were not logged']);
    isDown = false;
    note(ended());
    await flush();
    expect(lines).toHaveLength(1);
  });
});
