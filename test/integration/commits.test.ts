import { type Document, MongoClient } from 'mongodb';
import { systemContext } from '../../src/kernel/event.ts';
import * as platform from '../../src/platform/platform.module.ts';
import { type Calls, callsOf, expectUnavailable } from '../support/calls.ts';
import { differencesWithin } from '../support/find-differences.ts';
import { BY_TENANT, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { type LossyProxy, startLossyProxy } from '../support/lossy-proxy.ts';
import { createOwnEngines } from '../support/own-engines.ts';
import { eventually } from '../support/program.ts';
import { someOf } from '../support/volume.ts';

jest.setTimeout(120_000);
const engines = createOwnEngines(
  { elasticsearchNode: process.env.ELASTICSEARCH_NODE, redisUrl: process.env.REDIS_URL },
  // A commit that failed by command leaves its transaction open, which must end while the next try still waits.
  { transactionSeconds: 4 },
);
const { server, variables } = engines;

/** To MongoDB, besides the gateway. */
let direct: MongoClient;
/** The API alone, so that no command of a worker takes a failure, on a connection that can lose answers. */
let api: TestGateway;
let calls: Calls;
let proxy: LossyProxy;

beforeAll(async () => {
  await engines.start();
  direct = new MongoClient(variables().MONGODB_URI);
  proxy = await startLossyProxy(variables().MONGODB_URI);
  // The server does not report when it can serve again, so the driver has to ask.
  const uri = `${proxy.uri}&serverMonitoringMode=poll`;
  api = await startTestGateway({ ...variables(), ...BY_TENANT, MONGODB_URI: uri, ROLE: 'api' });
  calls = callsOf(api, await api.createMerchant());
});

/** The worker comes when everything is over: nothing that the failures left may be torn. */
afterAll(async () => {
  const worker = await startTestGateway({ ...api.variables, ...variables(), ROLE: 'worker' });
  const differences = await differencesWithin(api, 60_000);
  await worker.stop({ keepData: true });
  await api.stop();
  await proxy.close();
  await direct.close();
  await engines.stop();
  expect(differences).toEqual([]);
});

type FailPoint = {
  /** Which of the matching commands fail: `times` of them after `skip`. */
  readonly times: number;
  readonly skip?: number;
  readonly commands: readonly string[];
  readonly how: Document;
};

/** Commands fail as told, whoever sends them. */
const failCommands = async ({ times, skip = 0, commands, how }: FailPoint): Promise<void> => {
  await direct.db('admin').command({
    configureFailPoint: 'failCommand',
    mode: { times, skip },
    data: { failCommands: commands, ...how },
  });
};

const failNothing = async (): Promise<void> => {
  await direct.db('admin').command({ configureFailPoint: 'failCommand', mode: 'off' });
};
afterEach(failNothing);

/** Ids of what the write store has, whatever the gateway says. */
const storedCharges = async (reference: string): Promise<unknown[]> => {
  await failNothing();
  return direct.db(api.db.databaseName).collection('charges').distinct('_id', { reference });
};
const storedRefunds = async (chargeId: string): Promise<unknown[]> => {
  await failNothing();
  return direct.db(api.db.databaseName).collection('refunds').distinct('_id', { chargeId });
};

const COMMIT = ['commitTransaction'];
const OFTEN = 100_000;
const LOST = { closeConnection: true };
/** The command takes effect, and what comes back is an error. */
const EFFECTIVE = { writeConcernError: { code: 91, errmsg: 'Replication is being shut down' } };
const EFFECTIVE_TIMEOUT = {
  writeConcernError: { code: 64, errmsg: 'waiting for replication timed out', errInfo: { wtimeout: true } },
};

const FAILURES: readonly (readonly [string, FailPoint])[] = [
  ['collides once', { times: 1, commands: COMMIT, how: { errorCode: 112 } }],
  ['collides three times', { times: 3, commands: COMMIT, how: { errorCode: 112 } }],
  ['is not known to the server', { times: 1, commands: COMMIT, how: { errorCode: 251 } }],
  ['meets a server that shuts down', { times: 2, commands: COMMIT, how: { errorCode: 91 } }],
  ['meets a server that is no primary', { times: 4, commands: COMMIT, how: { errorCode: 10107 } }],
  ['does not arrive', { times: 1, commands: COMMIT, how: LOST }],
  ['does not arrive twice', { times: 2, commands: COMMIT, how: LOST }],
  ['does not arrive five times', { times: 5, commands: COMMIT, how: LOST }],
  ['does not arrive for the outcome', { skip: 1, times: 5, commands: COMMIT, how: LOST }],
  ['takes effect and answers an error', { times: 1, commands: COMMIT, how: EFFECTIVE }],
  ['takes effect and answers errors', { times: 4, commands: COMMIT, how: EFFECTIVE }],
  ['takes effect and times out', { times: 2, commands: COMMIT, how: EFFECTIVE_TIMEOUT }],
  ['follows an insert that is lost', { times: 2, commands: ['insert'], how: LOST }],
  ['follows an insert that collides', { times: 3, commands: ['insert'], how: { errorCode: 112 } }],
  ['follows an update that is lost', { times: 3, commands: ['update'], how: LOST }],
  ['follows a read that is lost', { times: 1, commands: ['find'], how: LOST }],
];

describe('a commit that goes wrong', () => {
  it.each(someOf(FAILURES, 6))('makes one charge and one refund where it %s', async (name, failPoint) => {
    await failCommands(failPoint);
    const { body: charge } = await calls.create(name).expect(201);
    expect(charge.status).toBe('paid');
    expect(await storedCharges(name)).toEqual([charge.id]);

    await failCommands(failPoint);
    const { body: refund } = await calls.refund(charge.id).expect(201);
    expect(refund.status).toBe('refunded');
    expect(await storedRefunds(charge.id)).toEqual([refund.id]);
  });

  it('makes no charge and no refund where it never arrives, and answers 503', async () => {
    const { body: charge } = await calls.create('before').expect(201);
    await failCommands({ times: OFTEN, commands: COMMIT, how: LOST });
    await Promise.all([expectUnavailable(calls.create('never')), expectUnavailable(calls.refund(charge.id))]);
    expect(await storedCharges('never')).toEqual([]);
    expect(await storedRefunds(charge.id)).toEqual([]);
    await calls.create('afterwards').expect(201);
  });

  it('makes one charge where it takes effect and never answers anything but errors', async () => {
    await failCommands({ times: OFTEN, commands: COMMIT, how: EFFECTIVE });
    const { body: charge } = await calls.create('always').expect(201);
    expect(charge.status).toBe('paid');
    expect(await storedCharges('always')).toEqual([charge.id]);
  });
});

describe('a server that tells of a conflict in the words of PostgreSQL alone', () => {
  const UPDATED = 'could not serialize access due to concurrent update';
  const DELETED = 'could not serialize access due to concurrent delete';

  it('makes one charge and one refund after the races are over', async () => {
    const before = proxy.refused;
    proxy.refuseWrites(2, 'update', UPDATED);
    const { body: charge } = await calls.create('in words').expect(201);
    proxy.refuseWrites(3, 'update', DELETED);
    const { body: refund } = await calls.refund(charge.id).expect(201);
    expect(refund.status).toBe('refunded');
    expect(proxy.refused).toBe(before + 5);
    expect(await storedCharges('in words')).toEqual([charge.id]);
    expect(await storedRefunds(charge.id)).toEqual([refund.id]);
  });

  it('answers 503 where they do not end', async () => {
    const { body: charge } = await calls.create('in words for ever').expect(201);
    proxy.refuseWrites(OFTEN, 'update', UPDATED);
    await expectUnavailable(calls.refund(charge.id));
    proxy.refuseWrites(0, 'update', UPDATED);
    await calls.refund(charge.id).expect(201);
  });

  it('folds balances after a race', async () => {
    const merchant = await api.createMerchant();
    const own = callsOf(api, merchant);
    await own.create('to be folded').expect(201);
    const before = proxy.refused;
    proxy.refuseWrites(2, 'delete', DELETED);
    const worker = await startTestGateway({ ...api.variables, ROLE: 'worker' });
    try {
      await eventually('folds or relays met the conflict', () => proxy.refused === before + 2);
      expect(await differencesWithin(api, 60_000)).toEqual([]);
    } finally {
      await worker.stop({ keepData: true });
    }
  });
});

describe('a commit whose answer is lost after it took effect', () => {
  /** The server says to a second commit that it does not know the transaction, as after a restart. */
  const forget = (): Promise<void> =>
    failCommands({
      times: 1,
      commands: COMMIT,
      how: { errorCode: 251, errorLabels: ['TransientTransactionError'] },
    });

  it.each(someOf([1, 2, 6, 3], 2))(
    'makes one charge and one refund where it is lost %i times',
    async (count) => {
      const reference = `lost ${count} times`;
      const lostBefore = proxy.lost;
      proxy.loseCommits(count);
      const { body: charge } = await calls.create(reference).expect(201);
      proxy.loseCommits(count);
      const { body: refund } = await calls.refund(charge.id).expect(201);
      proxy.loseCommits(0);
      expect(refund).toMatchObject({ status: 'refunded', chargeId: charge.id });
      expect(proxy.lost).toBeGreaterThan(lostBefore + 1);
      expect(await storedCharges(reference)).toEqual([charge.id]);
      expect(await storedRefunds(charge.id)).toEqual([refund.id]);
    },
  );

  it('makes one charge and one refund where the server has forgotten the transaction', async () => {
    proxy.loseCommits(1, forget);
    const { body: charge } = await calls.create('forgotten').expect(201);
    proxy.loseCommits(1, forget);
    const { body: refund } = await calls.refund(charge.id).expect(201);
    expect(refund).toMatchObject({ status: 'refunded', chargeId: charge.id });
    expect(await storedCharges('forgotten')).toEqual([charge.id]);
    expect(await storedRefunds(charge.id)).toEqual([refund.id]);
  });

  it('is found even where the server restarts before it can be asked', async () => {
    proxy.loseCommits(1, async () => {
      await server('mongodb').kill();
      await server('mongodb').start();
    });
    const { status, body } = await calls.create('restarted');
    // Where the restart takes longer than the command waits, nobody can tell the client more.
    expect([201, 503]).toContain(status);
    const stored = await storedCharges('restarted');
    expect(stored).toHaveLength(1);
    if (status === 201) expect(stored).toEqual([body.id]);
  });
});

describe('a server that answers an error to every read', () => {
  const ERRORS: readonly (readonly [string, number])[] = [
    ['has broken storage', 1],
    ['is shutting down', 91],
    ['has stepped down', 189],
    ['is no primary', 10107],
    ['was interrupted by its shutdown', 11600],
    ['was interrupted by a change of its role', 11602],
    ['may not read', 13435],
    ['is neither primary nor secondary', 13436],
    ['cannot reach another', 6],
    ['waits too long for another', 89],
    ['ran out of time', 262],
    ['lost a connection', 9001],
    ['has an error of its own', 8],
    ['has no room on its disk', 14_031],
  ];
  it.each(someOf(ERRORS, 3))(
    'because it %s makes every request answer 503, never 500',
    async (name, errorCode) => {
      const { body: charge } = await calls.create(`before ${name}`).expect(201);
      await failCommands({ times: OFTEN, commands: ['find'], how: { errorCode } });
      await Promise.all([
        expectUnavailable(calls.read(charge.id)),
        expectUnavailable(calls.refund(charge.id)),
        expectUnavailable(calls.create(`during ${name}`)),
        api.call('get', '/health/ready').expect(503),
      ]);
    },
  );
});

describe('transactions of a process that belong to one command each', () => {
  it('are sixteen at once, and the others wait for their turn', async () => {
    const { transact } = api.container.get(platform.services);
    let running = 0;
    let most = 0;
    let open: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const all = Array.from({ length: 40 }, () =>
      transact.alone(systemContext('test'), async () => {
        running += 1;
        most = Math.max(most, running);
        await opened;
        running -= 1;
      }),
    );
    await eventually('sixteen are in flight', () => running === 16);
    open();
    await Promise.all(all);
    expect([running, most]).toEqual([0, 16]);
  });
});
