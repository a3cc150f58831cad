import { createContainer } from '../../src/main/container.ts';
import * as platform from '../../src/platform/platform.module.ts';
import { OUTBOX, piecesOf, type StoredRow } from '../../src/platform/write-store/outbox.ts';
import { drained, spread } from './creates.ts';
import { type GatewayProcess, startGatewayProcess } from './gateway-process.ts';
import { alternate, elapsed, type Row, rate } from './measure.ts';
import { register, sendBacklog, startReceiver } from './receiver.ts';
import { type Bench, createCharge, prepareMerchants } from './setting.ts';

const CLIENTS = 16;
const WARM_UP_SECONDS = 3;
/** More endpoints than two workers send to at a time, with two deliveries each. */
const SLOW_ENDPOINTS = 400;
const SLOW_BACKLOG = 800;

/**
 * One API process and one worker against two of each: charges per second while workers work, rows per second of a
 * backlog while nothing is created, and deliveries per second to slow receivers, where waiting is the limit.
 */
export const measureProcesses = async (bench: Bench): Promise<Row[]> => {
  const { rounds, seconds } = bench;
  // Data apart from that of the other parts' gateway, which has nothing to do meanwhile.
  const name = `${bench.config.mongodbDatabase}-processes`;
  const config = { ...bench.config, mongodbDatabase: name, keyPrefix: name };
  const own = { ...bench, config, container: createContainer({ ...config, logLevel: 'warn' }) };
  const { db } = own.container.get(platform.services);
  const start = (role: 'api' | 'worker', count: number): Promise<readonly GatewayProcess[]> => {
    const variables = { ...bench.variables, MONGODB_DATABASE: name, KEY_PREFIX: name, ROLE: role };
    return Promise.all(Array.from({ length: count }, () => startGatewayProcess(variables)));
  };
  const stop = async (processes: readonly GatewayProcess[]): Promise<void> => {
    await Promise.all(processes.map((process) => process.stop()));
  };

  const receiver = await startReceiver();
  // The first start creates collections and indexes.
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
    const rows = (await db.collection<StoredRow>(OUTBOX).find().toArray()).flatMap(piecesOf).length;
    const ms = await elapsed(() => drained(own));
    await stop(workers);
    return rows / (ms / 1000);
  };

  const registerSlow = async (): Promise<void> => {
    const [api] = await start('api', 1);
    if (!api) return;
    for (let number = 1; number <= SLOW_ENDPOINTS; number += 1)
      await register(api.call, authorizationOf(), `${receiver.url}/slow/${number}`);
    await api.stop();
  };
  const sends = async (count: number): Promise<number> => {
    const workers = await start('worker', count);
    const perSecond = await sendBacklog(db, receiver, { path: '/slow/', count: SLOW_BACKLOG });
    await stop(workers);
    return perSecond;
  };

  const rowOf = async (what: string, run: (count: number) => Promise<number>): Promise<Row> => {
    const two = (): Promise<number> => run(2);
    const one = (): Promise<number> => run(1);
    const { a, b, ratio } = await alternate(rounds, two, one);
    const reference = `with one of each: ${b.toFixed(1)}`;
    return { what, gateway: a.toFixed(1), reference, result: `${ratio.toFixed(2)} ×`, goal: '', isMet: null };
  };
  try {
    const rows = [
      await rowOf('charges created per second, 2 APIs and 2 workers', creates),
      await rowOf('pieces of work done per second, 2 workers', drains),
    ];
    // Endpoints are registered only now, as otherwise their deliveries would be sent while charges are measured.
    await registerSlow();
    return [
      ...rows,
      await rowOf('webhooks delivered per second to receivers that take 4 s, 2 workers', sends),
    ];
  } finally {
    await receiver.close();
    own.container.get(platform.services).redis.disconnect();
    await own.container.get(platform.services).readStore.client.close();
    await own.container.get(platform.services).writeStore.client.close();
  }
};
