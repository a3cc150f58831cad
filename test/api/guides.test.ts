import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Demo, prepareDemo } from '../../scripts/demo-data.ts';
import { PATIENT } from '../support/client.ts';
import { useGateway } from '../support/gateway.ts';
import { createWalletKit, PAYLOAD } from '../support/wallet-kit.ts';

/**
 * Runs what the documentation shows: the `sh` blocks of a page, in their order, in one shell, as a reader pastes them.
 * Put in place are the addresses, the key that a page's line `KEY=sk_test_…` asks for, and the files of the wallet's
 * section. Blocks that begin with make are not run: they start and stop whole installations. A command that is
 * refused on purpose says so in a comment that begins with the status, `# 403: …`.
 */
const DOCUMENTS = [
  'README.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];
const PAGES = DOCUMENTS.filter((page) => readFileSync(page, 'utf8').includes('```sh'));

const kit = createWalletKit();
const gateway = useGateway({
  ...PATIENT,
  WALLET_ROOT_CERT: kit.rootPem,
  WALLET_SIGNING_WINDOW_SECONDS: '900',
  PROVIDER_SECRET: 'a-secret-that-only-the-provider-knows',
});
/** Below the ports that systems hand out, and another one in each process. */
const RECEIVER_PORT = String(20_000 + (process.pid % 10_000));
const directory = mkdtempSync(join(tmpdir(), 'portico-guides-'));

/**
 * Every curl says what it was answered, with the line where it stands; so does every other command that fails. It asks
 * again after a 503: on a busy machine a view may take longer than a request waits for it.
 */
const PRELUDE = String.raw`
set -uE -o pipefail
trap 'echo "$LINENO failed: $BASH_COMMAND" >> log' ERR
trap 'trap - ERR; kill $(jobs -p) 2> /dev/null' EXIT
curl() {
  printf '%s ' "$BASH_LINENO" >> log
  command curl --retry 60 --retry-delay 1 --show-error --write-out '%{stderr}%{http_code} %{method} %{url_effective}\n' "$@" 2>> log
}
source page.sh
`;

const IS_MAKE = /^sh\n(?:\w+=\S+ )*make /;

/** The blocks that `keep` leaves; all other lines are empty, so that lines have the numbers that they have in the page. */
const blocksOf = (page: string, keep: (block: string) => boolean): string =>
  readFileSync(page, 'utf8')
    .split(/^```/m)
    .map((part, index) =>
      index % 2 === 1 && part.startsWith('sh\n') && keep(part) ? part.slice(2) : part.replace(/[^\n]/g, ''),
    )
    .join('');

let demo: Demo;

beforeAll(async () => {
  const prepared = await prepareDemo(gateway().container, directory, () => undefined);
  if (!prepared) throw new Error('the write store was not empty');
  demo = prepared;
  const processing = kit.processing({ walletMerchantId: 'merchant.com.example' });
  const token = kit.token({ processing, payload: { ...PAYLOAD, transactionAmount: 129_90 } });
  writeFileSync(join(directory, 'processing.pem'), processing.certificate);
  writeFileSync(join(directory, 'processing.key'), processing.privateKey);
  writeFileSync(join(directory, 'token.json'), JSON.stringify(token));
}, 180_000);

afterAll(() => {
  rmSync(directory, { recursive: true });
});

const run = async (page: string): Promise<{ readonly script: string; readonly log: readonly string[] }> => {
  const keys: Readonly<Record<string, string | undefined>> = { test: demo.testKey, master: demo.masterKey };
  const script = blocksOf(page, (block) => !IS_MAKE.test(block))
    .replaceAll('http://127.0.0.1:3000', gateway().url)
    .replace(/\b9000\b/g, RECEIVER_PORT)
    .replace(/^KEY=sk_test_… +# the (test|master) key/gm, (line, which) => `KEY=${keys[which] ?? line} #`);
  writeFileSync(join(directory, 'page.sh'), script);
  writeFileSync(join(directory, 'log'), '');
  const { PATH = '' } = process.env;
  // No settings of the reader's curl, no proxy: these are not the guide's.
  const options = { cwd: directory, env: { PATH, HOME: directory }, timeout: 170_000, maxBuffer: 2 ** 26 };
  await promisify(execFile)('bash', ['-c', PRELUDE], options);
  return { script, log: readFileSync(join(directory, 'log'), 'utf8').split('\n').slice(0, -1) };
};

describe('what the documentation shows', () => {
  it.each(PAGES)('%s works as it stands', async (page) => {
    const { script, log } = await run(page);
    const refused = [...script.matchAll(/# (4\d\d)\b/g)].map(([, status]) => status);
    expect(log.filter((line) => !/^\d+ [23]\d\d /.test(line))).toEqual(
      refused.map((status) => expect.stringContaining(` ${status} `)),
    );
    const written = script.match(/\bcurl /g)?.length ?? 0;
    expect(log.length).toBeGreaterThanOrEqual(written);
  });

  it.each(DOCUMENTS)(
    '%s names files and targets of make that there are, and has no curl among those',
    (page) => {
      expect(blocksOf(page, (block) => IS_MAKE.test(block))).not.toMatch(/\bcurl -/);
      const text = readFileSync(page, 'utf8');
      const files = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, file = '']) =>
        join(dirname(page), file),
      );
      expect(files.filter((file) => !existsSync(file))).toEqual([]);
      const targets = [...readFileSync('Makefile', 'utf8').matchAll(/^([a-z-]+):/gm)].map(([, name]) => name);
      const named = [...text.matchAll(/(?:^(?:\w+=\S+ )*|`)make ([a-z-]+)/gm)].map(([, name]) => name);
      expect(named.filter((name) => !targets.includes(name))).toEqual([]);
    },
  );
});
