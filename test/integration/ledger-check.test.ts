import { timestamp } from '../../src/kernel/clock.ts';
import { systemContext } from '../../src/kernel/event.ts';
import { newId } from '../../src/kernel/ids.ts';
import { paidJournal, refundJournal } from '../../src/modules/charges/write/charge.journal.ts';
import { CHARGES } from '../../src/modules/charges/write/charge.store.ts';
import type { Charge } from '../../src/modules/charges/write/charge.ts';
import { postJournal } from '../../src/modules/ledger/write/ledger.store.ts';
import type { Check } from '../../src/modules/ledger-check/check.ts';
import { createCheckChanges } from '../../src/modules/ledger-check/check-changes.ts';
import { createCheckStates } from '../../src/modules/ledger-check/check-state.store.ts';
import { createChecks } from '../../src/modules/ledger-check/checks/checks.store.ts';
import { createDifferences } from '../../src/modules/ledger-check/differences.store.ts';
import { createMarks, MARKS, type Marks } from '../../src/modules/ledger-check/marks.store.ts';
import { SUSPENSE_ITEMS } from '../../src/modules/suspense/write/suspense.store.ts';
import { openSuspense } from '../../src/modules/suspense/write/suspense.ts';
import * as platform from '../../src/platform/platform.module.ts';
import { databaseOf } from '../../src/platform/write-store/database.ts';
import { OUTBOX, outboxRow, SHARDS } from '../../src/platform/write-store/outbox.ts';
import { startRelay } from '../../src/platform/write-store/relay.ts';
import { createRowsInHand } from '../../src/platform/write-store/rows-in-hand.ts';
import { aPaidCharge, aPixRequest, aSpreadFee } from '../builders.ts';
import { createFakeLogger } from '../fakes/logger.ts';
import { checkLedger } from '../support/check-ledger.ts';
import { type Client, operator, pollUntil, withKey } from '../support/client.ts';
import { type TestMerchant, useGateway } from '../support/gateway.ts';

jest.setTimeout(240_000);
const gateway = useGateway();

type Row = {
  readonly kind: string;
  readonly subject: string;
  readonly message: string;
  readonly foundAt: string;
  readonly lastSeenAt: string;
  readonly resolvedAt: string | null;
};
type Report = { readonly checkedUpTo: string; readonly fullCheckAt: string; readonly data: readonly Row[] };

let admin: Client;
let merchant: TestMerchant;
beforeAll(async () => {
  admin = await operator(gateway, 'test');
  merchant = await gateway().createMerchant();
});

/** The report once everything that was recorded before this call has been checked. */
const report = async (query = ''): Promise<Report> =>
  (await admin.getAfter('latest', `/v1/admin/reports/reconciliation${query}`)).body;
const about = async (...subjects: readonly string[]): Promise<readonly Row[]> =>
  (await report()).data.filter(({ subject }) => subjects.includes(subject));

const aCharge = (changes: Partial<Charge> = {}): Charge =>
  aPaidCharge({
    id: newId('chg'),
    merchantId: merchant.id as Charge['merchantId'],
    due: null,
    createdAt: timestamp(new Date()),
    ...changes,
  });

/** Records a charge as paid, and books it or not: what a fault of the program would leave behind. */
const pay = async (charge: Charge, isBooked: boolean): Promise<void> => {
  await gateway()
    .container.get(platform.services)
    .transact(systemContext('test'), async (tx) => {
      await tx.record(CHARGES, null, { type: 'charge.paid', data: { ...charge, version: 0 } });
      if (isBooked) await postJournal(tx, paidJournal(charge, new Date(), newId));
    });
};

it('the report up to this moment comes while more is recorded', async () => {
  await report();
  const key = withKey(gateway, merchant.testKey);
  await gateway().setFees(merchant.id, [aSpreadFee({ payment_method: 'pix' })]);
  let isOver = false;
  const sell = async (): Promise<void> => {
    while (!isOver) await key.post('/v1/charges', aPixRequest()).expect(201);
  };
  const selling = sell();
  try {
    const ask = async (): Promise<number> => {
      const { status } = await gateway()
        .call('get', '/v1/admin/reports/reconciliation')
        .auth(await gateway().operatorToken('test'), { type: 'bearer' })
        .set('X-Consistency-Token', 'latest');
      return status;
    };
    // A busy machine may be too slow for the first ones. If later commits prolonged the wait, none would be answered.
    const statuses: number[] = [];
    while (!statuses.includes(200) && statuses.length < 40) statuses.push(await ask());
    expect(statuses.at(-1)).toBe(200);
  } finally {
    isOver = true;
    await selling;
  }
});

describe('a difference', () => {
  it('is found without a full check where a charge became paid and is not booked, and resolved once it is', async () => {
    const [right, wrong] = [aCharge(), aCharge()];
    const before = (await report()).fullCheckAt;
    await pay(right, true);
    await pay(wrong, false);
    const all = await about(right.id, wrong.id);
    for (const one of all) expect(one).toMatchObject({ kind: 'charge', subject: wrong.id, resolvedAt: null });
    const found = all.find(({ message }) => /\(paid\): the charge is not booked/.test(message));
    expect(all.map(({ message }) => message)).toEqual(
      expect.arrayContaining([
        found?.message,
        expect.stringMatching(/0 is reserved for .* and should be 9700$/),
      ]),
    );

    await gateway()
      .container.get(platform.services)
      .transact(systemContext('test'), (tx) => postJournal(tx, paidJournal(wrong, new Date(), newId)));
    const after = await report();
    const resolved = after.data.filter(({ subject }) => subject === wrong.id);
    expect(resolved).toHaveLength(all.length);
    for (const one of resolved)
      expect(one).toMatchObject({ foundAt: found?.foundAt, resolvedAt: expect.any(String) });
    expect(after.fullCheckAt).toBe(before);
  });

  it('is found where a journal is posted and its charge has not changed', async () => {
    const charge = aCharge();
    await pay(charge, true);
    expect(await about(charge.id)).toEqual([]);
    const refundId = newId('ref');
    await gateway()
      .container.get(platform.services)
      .transact(systemContext('test'), (tx) =>
        postJournal(tx, refundJournal(charge, refundId, new Date(), newId)),
      );
    const messages = (await about(refundId)).map(({ kind, message }) => `${kind}: ${message}`).sort();
    expect(messages).toEqual([
      expect.stringMatching(/^refund: charge .* \(paid\): the refund is booked and should not be/),
      expect.stringMatching(/^refund: journal jrn_.* is about it, and it does not exist/),
    ]);
  });

  it('is found where money is held in suspense and not booked there', async () => {
    const money = {
      livemode: false,
      provider: 'simulator',
      reason: 'unknown_payment' as const,
      reference: newId('chg'),
      pspRefId: null,
      direction: 'in' as const,
      amount: 500,
      currency: 'BRL',
      chargeId: null,
      merchantId: null,
      accountOwnerId: null,
    };
    const opened = openSuspense(money, new Date());
    await gateway()
      .container.get(platform.services)
      .transact(systemContext('test'), (tx) => tx.record(SUSPENSE_ITEMS, null, opened));
    const messages = (await about(opened.data.id)).map(({ message }) => message);
    expect(messages).toContainEqual(
      expect.stringMatching(
        /^is held, booked is \[\] and should be \[.*provider_clearing .*-500 BRL; .*suspense 500 BRL\]$/,
      ),
    );
    expect(messages).toContainEqual(expect.stringMatching(/came to the provider simulator/));
  });

  it('is found in a balance that was changed, with the next entry of its statement', async () => {
    const { db } = gateway();
    const charge = aCharge();
    await pay(charge, true);
    await report();
    const chain = `${merchant.id}:test:BRL`;
    const change = (by: number) =>
      db.collection<{ _id: string }>('balances').updateOne({ _id: chain }, { $inc: { reserved: by } });
    await change(7);
    try {
      await pay(aCharge(), true);
      expect((await about(chain)).filter(({ kind }) => kind === 'balance')).toEqual([
        expect.objectContaining({
          message: expect.stringMatching(/^reserved is .* and its postings sum to /),
          resolvedAt: null,
        }),
      ]);
    } finally {
      await change(-7);
    }
    await pay(aCharge(), true);
    expect((await about(chain)).filter(({ kind }) => kind === 'balance')).toEqual([
      expect.objectContaining({ resolvedAt: expect.any(String) }),
    ]);
  });

  it('of a record that nobody changed is found by the full check, and named once however often it is seen', async () => {
    const { db } = gateway();
    const charge = aCharge();
    await pay(charge, true);
    await report();
    const status = (to: Charge['status']) =>
      db.collection('charges').updateOne({ id: charge.id }, { $set: { status: to } });
    await status('pending');
    expect(await about(charge.id)).toEqual([]);
    await checkLedger(gateway());
    const first = await about(charge.id);
    expect(first.length).toBeGreaterThan(0);
    await checkLedger(gateway());
    const again = await about(charge.id);
    expect(again).toHaveLength(first.length);
    expect(new Set(again.map(({ message }) => message)).size).toBe(first.length);
    for (const one of again) {
      expect(one).toMatchObject({ foundAt: first[0]?.foundAt, resolvedAt: null });
      expect(one.lastSeenAt > String(first[0]?.lastSeenAt)).toBe(true);
    }
    await status('paid');
    await checkLedger(gateway());
    for (const one of await about(charge.id)) expect(one.resolvedAt).not.toBeNull();
    expect((await report('?status=open')).data.map(({ subject }) => subject)).not.toContain(charge.id);
  });
});

describe('the instant up to which everything was checked', () => {
  it('does not pass a change that waits to be folded', async () => {
    const { db } = gateway();
    await report();
    const createdAt = new Date();
    const row = {
      ...outboxRow('ledger', 'jrn_none', 'mer_none:test', 'none', createdAt),
      state: 'waiting' as const,
      retryAt: new Date(Date.now() + 3_600_000),
    };
    await db.collection(OUTBOX).insertOne(row);
    const ask = async () => (await admin.get('/v1/admin/reports/reconciliation')).body.checkedUpTo as string;
    try {
      await pollUntil(ask, (at) => at === timestamp(createdAt));
      expect(await ask()).toBe(timestamp(createdAt));
    } finally {
      await db.collection(OUTBOX).deleteOne({ _id: row._id });
    }
    expect((await report()).checkedUpTo > timestamp(createdAt)).toBe(true);
  });
});

describe('a mark', () => {
  const { signal } = new AbortController();

  /** Rounds over marks of its own, beside the gateway's. */
  const rounds = (checks: readonly Check[]) => {
    const { db } = gateway();
    const own = new Map<string, Parameters<Marks['remove']>[0][number]>();
    const marks: Marks = {
      add: async () => undefined,
      take: async () => [...own.values()],
      remove: async (done) => {
        for (const { _id } of done) own.delete(_id);
      },
      oldest: async () => null,
    };
    const clock = () => new Date();
    const round = createCheckChanges({
      checks,
      marks,
      differences: createDifferences({ db, clock }),
      states: createCheckStates({ db, marks, clock }),
      membership: { shards: () => [], owns: () => false },
      clock,
      retract: () => undefined,
      report: () => undefined,
    });
    const mark = (...ids: string[]): void => {
      own.set(ids.join(), { _id: ids.join(), shard: 0, ids, changedAt: new Date() });
    };
    return { round: () => round(signal), mark, left: () => own.size };
  };
  const checks = (): readonly Check[] =>
    createChecks({
      db: gateway().db,
      scans: gateway().db,
      snapshot: gateway().container.get(platform.services).snapshot,
    });

  it('is there before the row of the outbox that it comes from is gone, also where making it failed', async () => {
    const { db } = gateway();
    // In a database that no worker looks at, so that it stays.
    const beside = databaseOf(db.client.db(`${db.databaseName}_marks`));
    const marks = createMarks(beside, [{ prefix: 'chg' }]);
    const consumer = newId('evt');
    const [id, other] = [newId('chg'), newId('key')];
    const rows = [id, other].map((key) => outboxRow(consumer, newId('evt'), key, 'none', new Date(0)));
    await db.collection(OUTBOX).insertMany(rows);
    let tries = 0;
    const relay = startRelay({
      db,
      consumer,
      handle: async () => [],
      inHand: createRowsInHand(db, {
        shards: () => Array.from({ length: SHARDS }, (_, shard) => shard),
      }),
      clock: () => new Date(),
      logger: createFakeLogger().logger,
      witnesses: [
        async (heard) => {
          tries += 1;
          if (tries === 1) throw new Error('the store is down');
          expect(await db.collection(OUTBOX).countDocuments({ consumer })).toBe(heard.length);
          await marks.add(heard);
        },
      ],
      report: { lag: () => undefined, done: () => undefined },
    });
    const left = () => db.collection(OUTBOX).countDocuments({ consumer });
    await pollUntil(left, (count) => count === 0);
    await relay.stop();
    expect([tries, await left()]).toEqual([2, 0]);
    expect(await beside.collection(MARKS).find().toArray()).toMatchObject([
      { ids: [id], changedAt: new Date(0) },
    ]);
  });

  it('outlives a round that is cut off, and may be worked on twice', async () => {
    const charge = aCharge();
    await pay(charge, false);
    let isCut = true;
    const { round, mark, left } = rounds(
      checks().map((check) => ({
        ...check,
        records(ids) {
          if (isCut && check.what === 'charges') throw new Error('cut off');
          return check.records(ids);
        },
      })),
    );
    mark(charge.id);
    await expect(round()).rejects.toThrow('cut off');
    expect(left()).toBe(1);
    isCut = false;
    await round();
    expect(left()).toBe(0);
    const once = await about(charge.id);
    expect(once.length).toBeGreaterThan(0);
    mark(charge.id);
    await round();
    expect((await about(charge.id)).map(({ message }) => message)).toEqual(
      once.map(({ message }) => message),
    );
  });

  it('of a record that cannot be judged makes a difference of it, and holds up no other', async () => {
    const { db } = gateway();
    const [right, broken] = [aCharge(), aCharge()];
    await pay(right, false);
    await pay(broken, true);
    const settlement = (of: unknown) =>
      db.collection('charges').updateOne({ id: broken.id }, { $set: { settlement: of } });
    await settlement(null);
    try {
      const { round, mark, left } = rounds(checks());
      mark(broken.id, right.id);
      await round();
      expect(left()).toBe(0);
      expect((await about(broken.id, right.id)).map(({ kind, subject }) => [kind, subject])).toEqual(
        expect.arrayContaining([
          ['unchecked', broken.id],
          ['charge', right.id],
        ]),
      );
    } finally {
      await settlement(broken.settlement);
    }
  });
});
