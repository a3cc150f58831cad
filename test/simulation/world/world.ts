import type { Container } from 'inversify';
import type { Redis } from 'ioredis';
import { newUuid } from '../../../src/kernel/ids.ts';
import { type Config, loadConfig } from '../../../src/main/config.ts';
import { createContainer, type Surroundings } from '../../../src/main/container.ts';
import { startWorker } from '../../../src/main/worker.ts';
import type { GuardedPost } from '../../../src/platform/outbound/guarded-post.ts';
import * as platform from '../../../src/platform/platform.module.ts';
import type { Database } from '../../../src/platform/write-store/database.ts';
import { migrate, platformMigrations } from '../../../src/platform/write-store/migrate.ts';
import { REQUIRED_SETTINGS } from '../../support/required-settings.ts';
import { openMemoryStore } from '../store/driver.ts';
import { Engine } from '../store/engine.ts';
import { directLink } from '../store/link.ts';
import { CALM, createStoreLink, createWay, type Hold, type Weather } from './faults.ts';
import { simulateGlobals } from './globals.ts';
import { createInstitution, INSTITUTION_SETTINGS, type Institution } from './institution.ts';
import { createLog, type Log } from './log.ts';
import { createMemoryQueue, type Wakes } from './queue.ts';
import { createRandom, type Random } from './random.ts';
import { type Indexes, openMemoryReadStore, readStoreDown } from './read-store.ts';
import { Scheduler, untilLoaded } from './scheduler.ts';

const BEGIN = Date.UTC(2026, 0, 1);
export const PROVIDER_SECRET = 'a secret that the simulated provider signs its news with';

/** A process of the gateway: API and worker. */
export type Process = { readonly name: string; readonly container: Container };

export type World = {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly log: Log;
  readonly weather: Weather;
  readonly indexes: Indexes;
  /** The stores, asked directly. */
  readonly db: Database;
  readonly readStore: ReturnType<typeof openMemoryReadStore>;
  readonly processes: Process[];
  /** The provider behind live keys. */
  readonly institution: Institution;
  /** Answers what merchants' servers get. */
  receive: GuardedPost;
  /** Keeps messages of processes from being sent; by default none. */
  hold: Hold;
  /** Starts a process; one that is no worker does only what requests ask for. */
  start(role?: 'all' | 'api'): Promise<Process>;
  /** Has another server of the write store take over, which knows nothing of transactions that are open. */
  failOver(): void;
  /** Ends a process between two of its statements. */
  crash(process: Process): void;
  /** Hears of processes that have died. */
  readonly onCrash: ((name: string) => void)[];
  /** Puts the real time and chance back. */
  end(): void;
};

const settings = loadConfig({
  ...REQUIRED_SETTINGS,
  NODE_ENV: 'test',
  COMMAND_TIMEOUT_MS: '8000',
  // The connector of the API Pix looks for two seconds and a half for what the institution does not show yet.
  PROVIDER_TIMEOUT_MS: '5000',
  PROVIDER_SECRET,
  MONGODB_DATABASE: 'simulated',
  KEY_PREFIX: 'sim',
});

const usual: Config = {
  ...settings,
  liveProvider: 'pix-api',
  providerAccounts: [
    ...settings.providerAccounts,
    // Its certificate is none, which no setting may be.
    { name: 'pix-api', connector: 'pix-api', settings: INSTITUTION_SETTINGS },
  ],
};

/** Passwords are no part of a run: their hashes are computed beside the event loop, at times that nobody can tell. */
const noPasswords: Surroundings['createPasswords'] = () => ({
  hash: async () => {
    throw new Error('a simulated run has no passwords');
  },
  verify: async () => false,
});

/** Redis is away: limits and hints do without it. */
const awayRedis = (): Redis =>
  ({
    on: () => undefined,
    disconnect: () => undefined,
    ping: () => Promise.reject(new Error('away')),
  }) as unknown as Redis;

/** Ids go on from those of the run before, so the first ones of this run use up what is left of its chance. */
const forgetFormerChance = (filled: () => number): void => {
  const before = filled();
  while (filled() === before) newUuid();
};

export const createWorld = async (seed: number, changes: Partial<Config> = {}): Promise<World> => {
  const config = { ...usual, ...changes };
  await untilLoaded();
  const scheduler = new Scheduler(BEGIN);
  const random = createRandom(seed);
  const log = createLog(() => scheduler.now - BEGIN);
  const chance = createRandom(seed ^ 0x5eed);
  let fills = 0;
  const counted: Random = {
    ...chance,
    fill(bytes) {
      fills += 1;
      chance.fill(bytes);
    },
  };
  const restore = simulateGlobals(scheduler, counted);
  forgetFormerChance(() => fills);
  const weather: Weather = { ...CALM };
  const engine = new Engine(() => scheduler.now);
  const indexes: Indexes = new Map();
  const wakes: Wakes = { runners: new Map(), planned: new Map() };
  const hold: Hold = (...message) => world.hold(...message);
  const way = createWay({ scheduler, random, log, weather, hold });
  const institution = createInstitution({ now: () => scheduler.now, random, way });
  let started = 0;

  const surroundingsOf = (owner: string): Surroundings => {
    const pause = (): Promise<void> =>
      new Promise((resolve) => void scheduler.plan(1 + random.next() * 4, resolve, owner));
    return {
      openWriteStore: (_, __, { layout = {} } = {}) =>
        openMemoryStore(engine, createStoreLink(way, owner, pause), () => scheduler.now, layout),
      openReadStore: (_, prefix) =>
        openMemoryReadStore(
          indexes,
          prefix,
          (what, apply) => way(owner, `view ${what}`, apply, readStoreDown),
          () => random.happens(weather.lost / 2),
        ),
      openRedis: awayRedis,
      createWorkQueue: () =>
        createMemoryQueue(wakes, {
          scheduler,
          random,
          owner,
          isLossy: () => random.happens(weather.lost * 10),
        }),
      createHttpClient: institution.openHttp(owner),
      createPost: () => (request) => world.receive(request),
      createPasswords: noPasswords,
    };
  };

  const world: World = {
    scheduler,
    random,
    log,
    weather,
    indexes,
    db: openMemoryStore(engine, directLink, () => scheduler.now).db,
    readStore: openMemoryReadStore(
      indexes,
      'sim-',
      async (_, apply) => apply(),
      () => false,
    ),
    processes: [],
    institution,
    onCrash: [],
    receive: () => Promise.reject(new Error('nobody receives')),
    hold: () => false,
    async start(role = 'all') {
      started += 1;
      const name = `p${started}`;
      const begun = await begin(world, { name, role, config }, surroundingsOf(name));
      const process = { name, container: begun };
      world.processes.push(process);
      return process;
    },
    failOver() {
      log.note('another server takes over');
      engine.failOver();
    },
    crash(process) {
      log.note(`${process.name} dies`);
      scheduler.kill(process.name);
      wakes.runners.delete(process.name);
      world.processes.splice(world.processes.indexOf(process), 1);
      for (const hear of world.onCrash) hear(process.name);
    },
    end: restore,
  };
  return world;
};

/** Starts a process as the program does, without its HTTP server. */
const begin = async (
  { scheduler }: World,
  { name, role, config }: { readonly name: string; readonly role: 'all' | 'api'; readonly config: Config },
  surroundings: Surroundings,
): Promise<Container> => {
  const start: { container: Container | null; failure: unknown } = { container: null, failure: null };
  const run = async (): Promise<void> => {
    const made = createContainer(config, undefined, surroundings);
    const migrations = [...platformMigrations, ...made.getAll(platform.migrations).flat()];
    const { scanStore, logger } = made.get(platform.services);
    await migrate(scanStore.db, migrations, logger);
    const clock = made.get(platform.storeClock);
    await clock.compare();
    clock.start();
    if (role === 'all') await startWorker(made, config);
    start.container = made;
  };
  scheduler.plan(
    0,
    () =>
      void run().catch((error: unknown) => {
        start.failure = error;
      }),
    name,
  );
  await scheduler.runUntil(() => start.container !== null || start.failure !== null);
  if (start.container === null) throw start.failure;
  return start.container;
};
