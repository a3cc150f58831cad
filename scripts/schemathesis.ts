import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { promisify } from 'node:util';
import { ConfigError } from '../src/kernel/errors.ts';
import { findPython } from './engines/install.ts';
import { startOwnGateway } from './own-gateway.ts';
import { wholeNumber } from './whole-number.ts';

const HOME = resolve('.schemathesis');
const ASSETS = resolve('scripts/schemathesis');
/**
 * The users of the first row run at the same time; the operator comes after them, because it may block them and revoke
 * their keys.
 */
const ROWS: readonly (readonly User[])[] = [['merchant', 'submerchant', 'master'], ['operator']];
/**
 * The limit that `docker-compose.yml` sets for the program; here the calls of this script are in the process as well.
 */
const MEMORY_GOAL_MIB = 512;
const FEW = ['--phases', 'examples,fuzzing', '--max-examples', '3'];

type User = 'merchant' | 'submerchant' | 'master' | 'operator';

const progress = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/** Runs Schemathesis over the whole OpenAPI document, as every kind of caller, against a gateway of its own. */
const main = async (): Promise<void> => {
  const options = [
    ...['--seed', String(wholeNumber('SEED', 1, 2 ** 31))],
    ...['--max-examples', String(wholeNumber('EXAMPLES', 15, 100_000))],
    ...(process.env.OPTIONS ?? '').split(' ').filter((option) => option !== ''),
  ];
  const rows = process.env.AS ? [process.env.AS.split(',') as User[]] : ROWS;
  const program = await installSchemathesis();
  const dataDir = mkdtempSync(join(HOME, 'data-'));
  const gateway = await startOwnGateway(dataDir, progress);
  try {
    const { testKey, masterKey } = gateway.demo;
    const callers = await callersOf(gateway.url, testKey, masterKey, gateway.config.bootstrapOperator);
    const auth = join(dataDir, 'auth.json');
    writeFileSync(auth, JSON.stringify({ auth: callers.users }), { mode: 0o600 });
    keepSession(gateway.url, callers.users);
    const env = { SCHEMATHESIS_AUTH: auth, SCHEMATHESIS_SPARED: callers.spared.join(' ') };
    const url = `${gateway.url}/v1/openapi.json`;
    const operations = operationsOf(await (await fetch(url)).json());
    const runAs = async (user: User): Promise<void> => {
      const its = `^(${operations
        .filter(({ isFor }) => isFor(user))
        .map(({ id }) => id)
        .join('|')})$`;
      const as = ['--auth-wfc-user', user];
      const everything = ['--include-operation-id-regex', its, ...as, ...options];
      // Forbidden routes refuse everything, so fewer calls of them are enough.
      const elsewhere = ['--exclude-operation-id-regex', its, ...as, ...options, ...FEW];
      for (const [name, given] of Object.entries({ [user]: everything, [`${user}-elsewhere`]: elsewhere }))
        if (!(await runSchemathesis(program, name, { url, options: given, env }))) process.exitCode = 1;
    };
    for (const users of rows) await Promise.all(users.map(runAs));
    const memory = Math.round(process.resourceUsage().maxRSS / 1_024);
    progress(`most memory of the gateway: ${memory} MiB`);
    if (memory > MEMORY_GOAL_MIB) process.exitCode = 1;
  } finally {
    await gateway.stop();
  }
};

type Operation = { readonly id: string; isFor(user: User): boolean };
type OpenApi = {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly operationId: string; readonly description: string }>>>
  >;
};

/** The operations of the document, each of whose descriptions ends with the callers that it is for. */
const operationsOf = (document: unknown): readonly Operation[] =>
  Object.values((document as OpenApi).paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId, description }) => {
      const callers = description.split('\n').at(-1) ?? '';
      return {
        id: operationId,
        isFor: (user) =>
          callers.startsWith('Needs no') ||
          (user === 'operator' ? /\ban(y)? operator\b/ : /\b(a|any) merchant\b/).test(callers),
      };
    }),
  );

type Program = { readonly python: string; readonly path: string };

const installSchemathesis = async (): Promise<Program> => {
  const { python, hasPip } = await findPython(['3.11', '3.12', '3.13'], 'since Schemathesis needs it');
  const requirements = join(ASSETS, 'requirements.txt');
  const key = createHash('sha256')
    .update(readFileSync(requirements))
    .update(python)
    .digest('hex')
    .slice(0, 16);
  const path = join(HOME, key);
  if (existsSync(join(path, 'complete'))) return { python, path };
  progress(`installing Schemathesis with ${python} (once)`);
  rmSync(HOME, { recursive: true, force: true });
  mkdirSync(path, { recursive: true });
  const call = promisify(execFile);
  if (!hasPip) await call(python, ['-m', 'venv', join(HOME, 'venv')]);
  const pip = hasPip ? python : join(HOME, 'venv/bin/python');
  await call(pip, [
    ...['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--require-hashes'],
    ...['--only-binary', ':all:', '--target', path, '--requirement', requirements],
  ]);
  writeFileSync(join(path, 'complete'), '');
  return { python, path };
};

type Header = { readonly name: string; readonly value: string };
type Callers = {
  readonly users: readonly { readonly name: string; readonly fixedHeaders: readonly Header[] }[];
  /** Resources that the operator itself depends on. */
  readonly spared: readonly string[];
};

/** Keeps the session alive, which would be idle for too long while it waits for its turn. */
const keepSession = (url: string, users: Callers['users']): void => {
  const headers = users.find(({ name }) => name === 'operator')?.fixedHeaders ?? [];
  const authorization = headers[0]?.value ?? '';
  const ask = (): void => {
    fetch(`${url}/v1/auth/sessions`, { headers: { authorization } }).catch(() => undefined);
  };
  setInterval(ask, 300_000).unref();
};

/** Credentials in the format of Web Fuzzing Commons, all for the test environment. */
const callersOf = async (
  url: string,
  merchantKey: string,
  masterKey: string,
  operator: { readonly email: string; readonly password: string } | null,
): Promise<Callers> => {
  const basic = (key: string): string => `Basic ${Buffer.from(`${key}:`).toString('base64')}`;
  const ask = async <T>(path: string, authorization: string, body?: object): Promise<T> => {
    const answer = await fetch(`${url}${path}`, {
      headers: {
        ...(authorization ? { authorization } : {}),
        'content-type': 'application/json',
        'x-consistency-token': 'latest',
      },
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  type List = { readonly data: readonly { readonly id: string; readonly name: string }[] };
  const { data } = await ask<List>('/v1/submerchants', basic(masterKey));
  const keys = await ask<{ secretKey: string }>(`/v1/submerchants/${data[0]?.id}/api-keys`, basic(masterKey));
  const login = { ...operator, environment: 'test' };
  // The token lasts for an hour, and the run is shorter.
  const { accessToken } = await ask<{ accessToken: string }>('/v1/auth/login', '', login);
  const bearer = `Bearer ${accessToken}`;
  // Without this setting an alert gets 400, whatever it says.
  const alertFee = { name: 'chargeback_alert_fee', content: { amount: 1, currency: 'BRL' } };
  await ask('/v1/admin/settings', bearer, alertFee);
  const users = await ask<List>('/v1/admin/users', bearer);
  const groups = await ask<List>('/v1/admin/groups', bearer);
  const user = (name: string, value: string) => ({ name, fixedHeaders: [{ name: 'Authorization', value }] });
  return {
    users: [
      user('merchant', basic(merchantKey)),
      user('submerchant', basic(keys.secretKey)),
      user('master', basic(masterKey)),
      user('operator', bearer),
    ],
    spared: [...users.data.map(({ id }) => id), ...groups.data.map(({ name }) => name)],
  };
};

/**
 * Returns whether it found nothing. Its whole output is in `.schemathesis/<user>.log`; findings are also printed here.
 */
const runSchemathesis = async (
  { python, path }: Program,
  user: string,
  how: {
    readonly url: string;
    readonly options: readonly string[];
    readonly env: Readonly<Record<string, string>>;
  },
): Promise<boolean> => {
  const file = join(HOME, `${user}.log`);
  const log = createWriteStream(file);
  progress(`Schemathesis as ${user}: ${file}`);
  const child = spawn(
    python,
    [
      ...['-c', 'from schemathesis.cli import schemathesis; schemathesis()'],
      ...['--config-file', join(ASSETS, 'schemathesis.toml'), 'run', how.url, '--no-color'],
      ...['--auth-wfc-user', user, ...how.options],
    ],
    {
      env: { ...process.env, ...how.env, PYTHONPATH: path, PYTHONDONTWRITEBYTECODE: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  process.once('exit', () => child.kill());
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  const code = await new Promise<number | null>((done, failed) => {
    child.once('close', done).once('error', failed);
  });
  log.end();
  await finished(log);
  const said = readFileSync(file, 'utf8');
  const summary = said.trimEnd().split('\n').at(-1) ?? '';
  progress(`${user}: ${code === 0 ? 'no failure' : 'FAILED'} ${summary.replaceAll('=', '').trim()}`);
  if (code !== 0) process.stdout.write(said);
  return code === 0;
};

main().catch((error: unknown) => {
  const isPlain = error instanceof ConfigError;
  progress(String(isPlain ? error.message : error instanceof Error ? error.stack : error));
  process.exitCode = 1;
});
