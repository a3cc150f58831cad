import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { freePorts } from '../../scripts/engines/probe.ts';
import { newCommitId } from '../../src/kernel/ids.ts';
import { memoized } from '../../src/kernel/memoized.ts';
import { openWriteStore } from '../../src/platform/write-store/mongo.ts';
import { OUTBOX, type OutboxRow, outboxRow } from '../../src/platform/write-store/outbox.ts';
import { MAX_FAILURES } from '../../src/platform/write-store/relay.ts';
import { DOMAIN_EVENTS } from '../../src/platform/write-store/write-set.ts';
import { useBrowser } from '../support/browser.ts';
import { PATIENT, pollUntil } from '../support/client.ts';
import { newDataDir } from '../support/data-dir.ts';
import { removeData, testVariables } from '../support/gateway.ts';
import { TYPED_CARD } from '../support/payers.ts';
import {
  buildProgram,
  endPrograms,
  eventually,
  type Program,
  startProgram,
  untilPrinted,
  watchedVariables,
} from '../support/program.ts';
import { createWalletKit, PAYLOAD } from '../support/wallet-kit.ts';

/**
 * Runs the `sh` blocks of each page in their order, in one shell, against `make run`; then every named command of make.
 * Replaces the address, the key of `KEY=sk_test_…` and the wallet's files. A comment such as `# 403: …` expects a
 * refusal. `make clients-check` runs `bash` blocks.
 */
const MOVES_TIME = join('docs', 'guide', 'test-clock.md');
const DOCUMENTS = [
  'README.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name))
    .filter((name) => name !== MOVES_TIME),
  // The last one, because it moves the time of all test records.
  MOVES_TIME,
];

const kit = createWalletKit();
const directory = newDataDir('guides');
const { PATH = '' } = process.env;
const variables = testVariables({
  ...PATIENT,
  NODE_ENV: 'development',
  TEST_CLOCK: '1',
  DATA_DIR: join(directory, 'data'),
  WALLET_ROOT_CERT: kit.rootPem,
  WALLET_SIGNING_WINDOW_SECONDS: '900',
  PROVIDER_SECRET: 'a-secret-that-only-the-provider-knows',
});
/** Below the ports that systems hand out, and another one in each process. */
const RECEIVER_PORT = String(20_000 + (process.pid % 10_000));

const browser = useBrowser();

const RUN = 'dist/scripts/run.js';
let program: Program;
let url: string;

jest.setTimeout(180_000);
beforeAll(async () => {
  await buildProgram();
  const [port = 0] = await freePorts(1);
  program = startProgram(RUN, { ...variables, PORT: String(port) });
  [, url = ''] = await untilPrinted(program, /Portico is ready: (http\S+)[\s\S]*Ctrl-C/, 150_000);
  const processing = kit.processing({ walletMerchantId: 'merchant.com.example' });
  const token = kit.token({ processing, payload: { ...PAYLOAD, transactionAmount: 129_90 } });
  // As `make wallet-files` makes them, for the root that the program has.
  const wallet = join(directory, 'dist/wallet');
  mkdirSync(wallet, { recursive: true });
  writeFileSync(join(wallet, 'processing.pem'), processing.certificate);
  writeFileSync(join(wallet, 'processing.key'), processing.privateKey);
  writeFileSync(join(wallet, 'token.json'), JSON.stringify(token));
}, 180_000);

afterAll(async () => {
  program.signal('SIGTERM');
  await program.ended;
  await endPrograms();
  await removeData(variables);
  rmSync(directory, { recursive: true });
}, 120_000);

/**
 * Every curl says what it was answered, with the line where it stands; so does every other command that fails. Asks
 * again after a 503, because a view on a busy machine may take longer than a request waits.
 */
const PRELUDE = String.raw`
set -uE -o pipefail
trap 'echo "$LINENO failed: $BASH_COMMAND" >> log' ERR
trap 'trap - ERR; kill $(jobs -p) 2> /dev/null' EXIT
curl() {
  local line=$BASH_LINENO
  printf '%s ' $line >> log
  command curl --retry 60 --retry-delay 1 --show-error --write-out '%{stderr}%{http_code} %{method} %{url_effective}\n' \
    "$@" 2>> log | tee answer.$line
}
source page.sh
`;

/** A line of a block that makes something of the whole installation, with its variables before it. */
const IS_MAKE = /^sh\n(?:#.*\n)*(?:\w+=\S+ )*make /;

/**
 * The blocks that `keep` leaves; all other lines are empty, so that lines have the numbers that they have in the page.
 */
const blocksOf = (page: string, keep: (block: string) => boolean): string =>
  readFileSync(page, 'utf8')
    .split(/^```/m)
    .map((part, index) => (index % 2 === 1 && keep(part) ? part.slice(2) : part.replace(/[^\n]/g, '')))
    .join('');
const isShown = (block: string): boolean => block.startsWith('sh\n') && !IS_MAKE.test(block);

/** The key of a kind that `make run` has printed. */
const keyOf = (which: string): string | undefined =>
  new RegExp(`${which} key +(sk_test_\\w+)`).exec(program.stdout())?.[1];

/** The pair of keys of the first demo merchant in the test environment. */
const demoKeys = async (): Promise<{ readonly secretKey: string; readonly publicKey: string }> => {
  const secretKey = keyOf('test') ?? '';
  const answer = await fetch(`${url}/v1/customers`, {
    method: 'POST',
    headers: { Authorization: `Basic ${btoa(`${secretKey}:`)}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Ana Souza', email: 'ana@example.com' }),
  });
  const { merchantId } = (await answer.json()) as { readonly merchantId: string };
  const { client, db } = openWriteStore(variables.MONGODB_URI ?? '', variables.MONGODB_DATABASE ?? '');
  const key = await db.collection('api_keys').findOne({ merchantId, livemode: false });
  await client.close();
  return { secretKey, publicKey: String(key?.publicKey) };
};

const run = async (page: string): Promise<{ readonly script: string; readonly log: readonly string[] }> => {
  const script = blocksOf(page, isShown)
    .replaceAll('http://127.0.0.1:3000', url)
    .replace(/\b9000\b/g, RECEIVER_PORT)
    .replace(
      /^(# the (test|master) key .*\n)KEY=sk_test_…$/gm,
      (line, comment, which) => `${comment}KEY=${keyOf(which) ?? line}`,
    );
  writeFileSync(join(directory, 'page.sh'), script);
  writeFileSync(join(directory, 'log'), '');
  for (const name of readdirSync(directory)) if (name.startsWith('answer.')) rmSync(join(directory, name));
  // No settings of the reader's curl, no proxy: these are not the guide's.
  const options = { cwd: directory, env: { PATH, HOME: directory }, timeout: 170_000, maxBuffer: 2 ** 26 };
  await promisify(execFile)('bash', ['-c', PRELUDE], options);
  return { script, log: readFileSync(join(directory, 'log'), 'utf8').split('\n').slice(0, -1) };
};

/** Answers that a page shows, each with that of the last curl before it; `text` is the output of `make run`. */
const answersShown = (page: string): { readonly shown: string; readonly answer: string }[] => {
  const answered = readdirSync(directory)
    .filter((name) => name.startsWith('answer.'))
    .map((name) => Number(name.slice('answer.'.length)));
  const parts = readFileSync(page, 'utf8').split(/^```/m);
  return parts.flatMap((part, index) => {
    const [, language, shown = ''] = index % 2 === 1 ? (/^(json|text)\n(.*)/s.exec(part) ?? []) : [];
    if (language === undefined) return [];
    if (language === 'text') return [{ shown, answer: program.stdout() }];
    const line = parts.slice(0, index).join('').split('\n').length;
    const last = Math.max(...answered.filter((number) => number < line));
    return [{ shown, answer: readFileSync(join(directory, `answer.${last}`), 'utf8') }];
  });
};

/**
 * An answer as a page shows it: `…` stands for anything, in a string for any part of it; lines may be broken anywhere.
 */
const patternOf = (shown: string): RegExp =>
  new RegExp(
    shown
      .trim()
      .replaceAll('http://127.0.0.1:3000', url)
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replace(/"[^"]*"/g, (string) => string.replaceAll('…', '[^"]*'))
      .replace(/,? ?… ?/g, '.*')
      .replace(/\s+/g, '\\s*'),
    's',
  );

const targets = [...readFileSync('Makefile', 'utf8').matchAll(/^([a-z-]+):/gm)].map(([, name = '']) => name);

/** Every command of make or npm in blocks and text of a page, without the comment behind it. */
const makeCommands = (page: string): string[] =>
  [...readFileSync(page, 'utf8').matchAll(/(?:^|`)((?:\w+=\S+ )*(?:make|npm run) [a-z][^`#\n]*)/gm)].map(
    ([, command = '']) => command.trim().replace(/\s+/g, ' '),
  );

/**
 * Commands that run already, call this test, take minutes, change sources, install packages, or have tests of their
 * own. Others need Docker, Go or a sharded cluster. `make` only prints them. `npm run reproject` and a small `make
 * seed` stand for the others.
 */
const TOO_MUCH =
  /\bmake (run|test|conformance|proofs|simulate|mutants|model|model-mutants|schemathesis|lint|format|bench|attack|up|down|clean|openapi-diff|openapi-lint|examples|client|client-types|clients-check|shard|rotate|reproject|backup|restore|seed(?=.*\bCHARGES=100000\b))\b(?!-)/;

/** Commands that all pages name, once; not those that another command begins with. */
const COMMANDS = [...new Set(DOCUMENTS.flatMap(makeCommands))].filter(
  (command, _, all) => !all.some((other) => other.startsWith(`${command} `)),
);

/** Names in capitals that the Makefile and the sources have: a variable that is none of these has no effect. */
const readNames = memoized((): ReadonlySet<string> => {
  const sources = ['config', 'scripts', 'src', 'test/conformance'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name)),
  );
  const texts = ['Makefile', ...sources].map((file) => readFileSync(file, 'utf8'));
  return new Set(texts.flatMap((text) => text.match(/\b[A-Z][A-Z_]+\b/g) ?? []));
});

const make = async (command: string): Promise<string> => {
  const small = command
    .replace(TOO_MUCH, (whole) => `${whole} --dry-run`)
    .replace(/\b(CHARGES|MERCHANTS)=\d+/g, '$1=9');
  // A transaction of seeding is a batch of all tenants. Little where the command says no number, and one view: all of
  // them take the same way.
  const own = command.includes('make seed') ? variables : watchedVariables(variables);
  const env = { PATH, HOME: process.env.HOME ?? '', VIEW: 'groups', CHARGES: '9', ...own };
  const { stdout, stderr } = await promisify(execFile)('bash', ['-c', small], { env, timeout: 170_000 });
  return `${stdout}${stderr}`;
};

/** The headings of a page as links name them. */
const headingsOf = (page: string): string[] =>
  [...readFileSync(page, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );

describe('the documentation', () => {
  // It comes first, because the page about the test clock sets that on its way, and card tokens live by it.
  it('docs/guide/checkout.md has a shop that sees no card, and charges one again', async () => {
    const [, section = ''] = readFileSync('docs/guide/checkout.md', 'utf8').split('## A shop in forty lines');
    const [, script = ''] = /```js\n(.*?)```/s.exec(section) ?? [];
    expect(script.split('\n').length).toBeLessThanOrEqual(42);
    const file = join(directory, 'shop.mjs');
    writeFileSync(file, script);
    const { secretKey, publicKey } = await demoKeys();
    const [port = 0] = await freePorts(1);
    const shop = spawn(process.execPath, [file], {
      env: { PATH, GATEWAY: url, SECRET_KEY: secretKey, PUBLIC_KEY: publicKey, PORT: String(port) },
      stdio: 'inherit',
    });
    const page = await browser().open();
    await pollUntil(
      () => page.goto(`http://localhost:${port}`).then(Boolean, () => false),
      (isThere) => isThere,
    );
    const frame = await page.waitForFrame((one) => one.url().includes('/card-fields'));
    await frame.waitForSelector('#number');
    for (const [name, value] of Object.entries(TYPED_CARD)) await frame.type(`#${name}`, value);
    await page.click('#agree');
    await page.click('#pay');
    const said = await pollUntil(
      () => page.$eval('#told', ({ textContent }) => textContent),
      (text) => text !== '',
    );
    expect(said).toBe('This month: paid. Next month: paid');
    await page.close();
    shop.kill();
  });

  it.each(DOCUMENTS.filter((page) => blocksOf(page, isShown).trim() !== ''))(
    '%s works as it stands',
    async (page) => {
      const { script, log } = await run(page);
      const refused = [...script.matchAll(/# (4\d\d)\b/g)].map(([, status]) => status);
      expect(log.filter((line) => !/^\d+ [23]\d\d /.test(line))).toEqual(
        refused.map((status) => expect.stringContaining(` ${status} `)),
      );
      const written = script.match(/\bcurl /g)?.length ?? 0;
      expect(log.length).toBeGreaterThanOrEqual(written);
      for (const { shown, answer } of answersShown(page)) expect(answer).toMatch(patternOf(shown));
    },
  );

  it.each(COMMANDS)('%s is taken as it stands', async (command) => {
    const said = await make(command);
    expect(said).toMatch(
      /\bmake run\b/.test(command) ? /dist\/(scripts|test\/support\/doubles)\/run\.js/ : /\S/,
    );
    const programs = [...said.matchAll(/\bdist\/(?:scripts|test)\/[\w/-]+\.js\b/g)].map(([file]) => file);
    expect(programs.filter((file) => !existsSync(file))).toEqual([]);
    const named = [...command.matchAll(/\b([A-Z][A-Z_]+)=/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !readNames().has(name))).toEqual([]);
  });

  it.each(DOCUMENTS)('%s names files and headings that there are', (page) => {
    const links = [...readFileSync(page, 'utf8').matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)];
    const broken = links.filter(([, file, heading]) => {
      const target = file ? join(dirname(page), file) : page;
      return !existsSync(target) || (heading !== undefined && !headingsOf(target).includes(heading));
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });

  it.each(DOCUMENTS)('%s has no curl among the commands of make, where it would not be run', (page) => {
    expect(blocksOf(page, (block) => IS_MAKE.test(block))).not.toMatch(/\bcurl -/);
  });

  it('docs/security.md says of every collection what is in it, and of no other', async () => {
    const [, table = ''] =
      /^\| Collections .*\n\|.*\n((?:\|.*\n)+)/m.exec(readFileSync('docs/security.md', 'utf8')) ?? [];
    const described = table.split('\n').flatMap((row) => row.split('|')[1]?.match(/[\w.]+/g) ?? []);
    const { client, db } = openWriteStore(variables.MONGODB_URI ?? '', variables.MONGODB_DATABASE ?? '');
    const collections = await db.listCollections({}, { nameOnly: true }).toArray();
    await client.close();
    expect(described.sort()).toEqual(collections.map(({ name }) => name).sort());
  });

  it('docs/operations.md says how dead-lettered work is retried', async () => {
    const [, command] = /`(db\.outbox\.[^`]+)`/.exec(readFileSync('docs/operations.md', 'utf8')) ?? [];
    const { client, db } = openWriteStore(variables.MONGODB_URI ?? '', variables.MONGODB_DATABASE ?? '');
    const outbox = db.collection<OutboxRow>(OUTBOX);
    const event = await db.collection(DOMAIN_EVENTS).findOne({ resource: 'group' });
    const row = outboxRow('view-groups', event?.id, event?.resourceId, newCommitId(), new Date());
    await outbox.insertOne({ ...row, state: 'dead', failures: MAX_FAILURES });
    // As the shell of MongoDB takes it.
    await new Function('db', `return ${command}`)({ outbox });
    await eventually('it is done', async () => (await outbox.findOne({ _id: row._id })) === null);
    await client.close();
  });

  it('README.md names every target of make', () => {
    const named = makeCommands('README.md').map((command) => /make ([a-z-]+)/.exec(command)?.[1]);
    expect(targets.filter((target) => !named.includes(target))).toEqual([]);
  });
});
