import type { ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  elasticsearchCommand,
  type Installation,
  installEngines,
  lastLines,
  secantusCommand,
  spawnGuarded,
  valkeyCommand,
} from './install.ts';
import { isAlive, type Lock, type ProcessId, processId, readLock, takeLock } from './lock.ts';
import { newPassword, privateFile, USER } from './password.ts';
import { elasticsearchIsReady, freePorts, mongodbIsReady, redisIsReady } from './probe.ts';

export type EngineName = 'mongodb' | 'elasticsearch' | 'redis';

export type EngineUrls = {
  mongodbUri?: string | undefined;
  elasticsearchNode?: string | undefined;
  redisUrl?: string | undefined;
};

export type EngineOptions = {
  /** Folder of data, logs and the lock. */
  dataDir: string;
  /** Servers that exist already; the others are started. */
  given?: EngineUrls;
  progress: (line: string) => void;
  /** For tests: written data survives kill -9, but not a power failure. */
  ephemeral?: boolean;
  /** Lets tests use `configureFailPoint`. */
  testCommands?: boolean;
  /** Time after which an idle transaction is rolled back; documents of a process that died are locked for this long. */
  transactionSeconds?: number;
  /** Called when a server ends that was not stopped here. */
  onExit?: (name: EngineName, code: number | string | null) => void;
};

/** A server that was started here. It keeps its port and its data when it is stopped or killed. */
export type EngineControl = {
  readonly pid: number | undefined;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** kill -9 */
  kill(): Promise<void>;
};

export type Engines = {
  readonly mongodbUri: string;
  readonly elasticsearchNode: string;
  readonly redisUrl: string;
  /** The servers that were started here, without those that were given or already running. */
  readonly control: { readonly [name in EngineName]?: EngineControl };
  /** Stops the servers that were started here. */
  stop(): Promise<void>;
};

/** Port and password of a server, new at each start, which everybody who may read DATA_DIR knows. */
type Place = { readonly port: number; readonly password: string };
type Running = { readonly [name in EngineName]?: Place & { readonly process: ProcessId } };
type State = { readonly ready: boolean; readonly running: Running };

type Engine = {
  readonly url: (place: Place) => string;
  readonly isReady: (url: string) => Promise<boolean>;
  readonly command: (installed: Installation, dir: string, place: Place, options: EngineOptions) => string[];
};

const STOP_MS = 10_000;
const TRANSACTION_SECONDS = 60; // the same as MongoDB's
const START_MS = 120_000; // after a crash a large write-ahead log is read again

const ENGINES: { readonly [name in EngineName]: Engine } = {
  mongodb: {
    url: ({ port, password }) =>
      `mongodb://${USER}:${password}@127.0.0.1:${port}/?directConnection=true&retryWrites=false`,
    isReady: mongodbIsReady,
    command: (installed, dir, { port, password }, options) =>
      secantusCommand(
        installed,
        privateFile(join(dir, 'portico.password'), password),
        options.transactionSeconds ?? TRANSACTION_SECONDS,
        ...['--config', resolve('scripts/engines/secantusd.toml')],
        ...['--host', '127.0.0.1', '--port', String(port), '--storage-path', dir],
        '--sync-on-commit', // without it acknowledged transactions are lost by kill -9
        ...['--cache-size', '1G', '--oplog-max-entries', '50000000', '--oplog-retention-seconds', '2592000'],
        ...['--log-level', 'INFO'],
        ...(options.testCommands ? ['--enable-test-commands'] : []),
      ),
  },
  elasticsearch: {
    url: ({ port, password }) => `http://${USER}:${password}@127.0.0.1:${port}`,
    isReady: elasticsearchIsReady,
    command: (installed, dir, { port, password }) =>
      elasticsearchCommand(installed.home, dir, port, privateFile(join(dir, 'portico.password'), password)),
  },
  redis: {
    url: ({ port, password }) => `redis://:${password}@127.0.0.1:${port}`,
    isReady: redisIsReady,
    command: (installed, dir, { port, password }, options) =>
      valkeyCommand(
        installed,
        privateFile(join(dir, 'valkey.conf'), `requirepass ${password}\n`),
        ...['--bind', '127.0.0.1', '--port', String(port), '--dir', dir, '--save', ''],
        ...['--appendonly', 'yes', '--appendfsync', options.ephemeral ? 'no' : 'everysec'],
        ...['--maxmemory-policy', 'noeviction'],
      ),
  },
};

const NAMES = Object.keys(ENGINES) as EngineName[];

/** Starts the servers that are not given, in parallel; resolves when all of them answer. */
export async function startEngines(options: EngineOptions): Promise<Engines> {
  const names = missing(options.given);
  if (names.length === 0) return engines(options.given, {}, {}, async () => undefined);
  const installed = await installEngines(options);
  const dataDir = resolve(options.dataDir);
  mkdirSync(dataDir, { recursive: true });
  // The servers write files that everybody may read, so the folder has to be private.
  chmodSync(dataDir, 0o700);
  const lock = takeLock<State>(dataDir, 'engines', { ready: false, running: {} });
  if ('pid' in lock) {
    throw new Error(
      `Another Portico (process ${lock.pid}) is using ${dataDir}: stop it, or choose another DATA_DIR.`,
    );
  }
  return startLocked(names, installed, dataDir, lock, options);
}

/** Uses the servers that another process runs on this `dataDir` without disturbing them, or else starts its own. */
export async function attachOrStartEngines(options: EngineOptions): Promise<Engines> {
  const names = missing(options.given);
  const dataDir = resolve(options.dataDir);
  for (let announced = false; names.length > 0; announced = true) {
    const held = readLock<State>(dataDir, 'engines');
    if (!held?.owner || !isAlive(held.owner)) break;
    if (!held.state.ready) {
      if (!announced) options.progress(`waiting for the servers that process ${held.owner.pid} is starting`);
      await sleep(200);
      continue;
    }
    const { running } = held.state;
    const answers = await Promise.all(names.map((name) => answersThere(name, running)));
    const silent = names.filter((_, i) => !answers[i]);
    if (silent.length > 0) {
      throw new Error(
        `Process ${held.owner.pid} is using ${dataDir}, but its ${silent.join(', ')} does not answer.`,
      );
    }
    return engines(options.given, running, {}, async () => undefined);
  }
  return startEngines(options);
}

async function startLocked(
  names: EngineName[],
  installed: Installation,
  dataDir: string,
  lock: Lock<State>,
  options: EngineOptions,
): Promise<Engines> {
  const running: { [name in EngineName]?: Place & { process: ProcessId } } = {};
  const control: { [name in EngineName]?: EngineControl } = {};
  let ready = false;
  const stop = async () => {
    await Promise.all(Object.values(control).map((server) => server.stop()));
    lock.release({ ready: false, running: {} });
  };
  try {
    await Promise.all(Object.values(lock.previous?.running ?? {}).map((left) => end(left.process, options)));
    const ports = await freePorts(names.length);
    for (const [i, name] of names.entries()) {
      const place = { port: ports[i] ?? 0, password: newPassword() };
      control[name] = controlOf(name, place, installed, dataDir, options, (process) => {
        running[name] = { process, ...place };
        lock.write({ ready, running });
      });
    }
    await Promise.all(Object.values(control).map((server) => server.start()));
    ready = true;
    lock.write({ ready, running });
  } catch (error) {
    await stop();
    throw error;
  }
  return engines(options.given, running, control, stop);
}

function controlOf(
  name: EngineName,
  place: Place,
  installed: Installation,
  dataDir: string,
  options: EngineOptions,
  onSpawn: (process: ProcessId) => void,
): EngineControl {
  const { command, isReady, url } = ENGINES[name];
  const [dir, log] = [join(dataDir, name), join(dataDir, 'logs', `${name}.log`)];
  let child: ChildProcess | undefined;
  let exit: Promise<unknown> = Promise.resolve();
  let wanted = false;
  const end = async (signal: NodeJS.Signals) => {
    wanted = false;
    if (!child || hasEnded(child)) return;
    child.kill(signal);
    const timer = setTimeout(() => child?.kill('SIGKILL'), STOP_MS);
    await exit;
    clearTimeout(timer);
  };
  return {
    get pid() {
      return child && !hasEnded(child) ? child.pid : undefined;
    },
    async start() {
      if (child && !hasEnded(child)) return;
      const begin = performance.now();
      for (const folder of [dir, join(dataDir, 'logs')]) mkdirSync(folder, { recursive: true });
      if (existsSync(log) && statSync(log).size > 10_000_000) renameSync(log, `${log}.1`);
      const logged = existsSync(log) ? statSync(log).size : 0;
      const started = spawnGuarded(installed.python, command(installed, dir, place, options), log);
      const id = processId(started.pid ?? 0);
      if (id) onSpawn(id);
      child = started;
      wanted = true;
      let up = false;
      exit = new Promise((done) => started.once('exit', done).once('error', done));
      started.once('exit', (code, signal) => {
        if (wanted && up) options.onExit?.(name, code ?? signal);
      });
      while (!(await isReady(url(place)))) {
        if (hasEnded(started)) throw new Error(`${name} did not start: ${lastLines(log, logged)} (${log})`);
        if (performance.now() - begin > START_MS) throw new Error(`${name} does not answer, see ${log}`);
        await sleep(50);
      }
      up = true;
      options.progress(`${name} is ready (${((performance.now() - begin) / 1000).toFixed(1)} s)`);
    },
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}

/** Ends a server that was left behind, but never another process that has got its pid since. */
async function end(left: ProcessId, options: EngineOptions): Promise<void> {
  if (!isAlive(left)) return;
  options.progress(`stopping process ${left.pid}, a server whose Portico is gone`);
  process.kill(left.pid, 'SIGTERM');
  for (let waited = 0; isAlive(left) && waited < STOP_MS; waited += 50) await sleep(50);
  if (isAlive(left)) process.kill(left.pid, 'SIGKILL');
  while (isAlive(left)) await sleep(20);
}

async function answersThere(name: EngineName, running: Running): Promise<boolean> {
  const server = running[name];
  return server !== undefined && isAlive(server.process) && ENGINES[name].isReady(ENGINES[name].url(server));
}

function missing(given: EngineUrls = {}): EngineName[] {
  const urls = { mongodb: given.mongodbUri, elasticsearch: given.elasticsearchNode, redis: given.redisUrl };
  return NAMES.filter((name) => !urls[name]); // an empty variable counts as unset
}

const NOWHERE: Place = { port: 0, password: '' };

function engines(
  given: EngineUrls = {},
  running: Running,
  control: Engines['control'],
  stop: () => Promise<void>,
): Engines {
  const url = (name: EngineName) => ENGINES[name].url(running[name] ?? NOWHERE);
  return {
    mongodbUri: given.mongodbUri || url('mongodb'),
    elasticsearchNode: given.elasticsearchNode || url('elasticsearch'),
    redisUrl: given.redisUrl || url('redis'),
    control,
    stop,
  };
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null || !child.pid;
