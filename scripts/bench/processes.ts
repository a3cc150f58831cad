import { createContainer } from '../../src/main/container.ts';
import { DB, READ_STORE, REDIS, WRITE_STORE } from '../../src/platform/platform.module.ts';
import { OUTBOX } from '../../src/platform/write-store/outbox.ts';
import { drained, spread } from './creates.ts';
import { type GatewayProcess, startGatewayProcess } from './gateway-process.ts';
import { alternate, elapsed, type Row, rate } from './measure.ts';
import { type Bench, createCharge, prepareMerchants } from './setting.ts';

const CLIENTS = 16;
const WARM_UP_SECONDS = 3;
/** Apart from what the gateway of the other parts works on, which has nothing to do meanwhile. */
const OWN = 'processes';

/**
 * One API and one worker against two of each: charges created per second while workers work, and rows of the outbox
 * that they do per second once a backlog is there and nothing is created any more.
 */
export const measureProcesses = async (bench: Bench): Promise<Row[]> => {
  const { rounds, seconds } = bench;
  const config = { ...bench.config, mongodbDatabase: OWN, keyPrefix: OWN };
  const own = { ...bench, config, container: createContainer({ ...config, logLevel: 'warn' }) };
  const outbox = own.container.get(DB).collection(OUTBOX);
  const start = (role: 'api' | 'worker', count: number): Promise<readonly GatewayProcess[]> => {
    const variables = { ...bench.variables, MONGODB_DATABASE: OWN, KEY_PREFIX: OWN, ROLE: role };
    return Promise.all(Array.from({ length: count }, () => startGatewayProcess(variables)));
  };
  const stop = async (processes: readonly GatewayProcess[]): Promise<void> => {
    await Promise.all(processes.map((process) => process.stop()));
  };

  // The first one makes collections and indexes.
  await stop(await start('api', 1));
  const authorizationOf = spread(await prepareMerchants(own));
  const create = (apis: readonly GatewayProcess[], during: number): Promise<number> =>
    rate(CLIENTS, during, async (client) => {
      const api = apis[client % apis.length];
      if (api) await createCharge(api.call, authorizationOf());
    });
  const creates = async (count: number): Promise<number> => {
    const apis = await start('api', count);
    const workers = await start('worker', count);
    await create(apis, WARM_UP_SECONDS);
    const perSecond = await create(apis, seconds);
    await drained(own);
    await stop([...apis, ...workers]);
    return perSecond;
  };
  const drains = async (count: number): Promise<number> => {
    const apis = await start('api', 1);
    await create(apis, seconds);
    await stop(apis);
    const workers = await start('worker', count);
    const rows = await outbox.countDocuments();
    const ms = await elapsed(() => drained(own));
    await stop(workers);
    return rows / (ms / 1000);
  };

  const rowOf = async (what: string, run: (count: number) => Promise<number>): Promise<Row> => {
    const two = (): Promise<number> => run(2);
    const one = (): Promise<number> => run(1);
    const { a, b, ratio } = await alternate(rounds, two, one);
    const reference = `with one of each: ${b.toFixed(1)}`;
    return { what, gateway: a.toFixed(1), reference, result: `${ratio.toFixed(2)} ×`, goal: '', isMet: null };
  };
  try {
    return [
      await rowOf('charges created per second, 2 APIs and 2 workers', creates),
      await rowOf('rows of the outbox done per second, 2 workers', drains),
    ];
  } finally {
    own.container.get(REDIS).disconnect();
    await own.container.get(READ_STORE).client.close();
    await own.container.get(WRITE_STORE).client.close();
  }
};
