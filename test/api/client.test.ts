import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { useGateway } from '../support/gateway.ts';

const gateway = useGateway();
const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'portico-client-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The program of the guide. */
const example = (): string => {
  const [, program = ''] = /```ts\n([\s\S]*?)```/.exec(readFileSync('docs/guide/clients.md', 'utf8')) ?? [];
  return program;
};

/** A directory of somebody who installed the packed client, with a program. */
const install = async (): Promise<void> => {
  await run('make', ['--no-print-directory', 'client'], { maxBuffer: 10_000_000 });
  const [archive = ''] = readdirSync('dist/client').filter((name) => name.endsWith('.tgz'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', resolve('dist/client', archive)], {
    cwd: folder,
  });
  writeFileSync(join(folder, 'shop.ts'), example());
};

const compilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  target: 'es2023',
  module: 'nodenext',
  typeRoots: [resolve('node_modules/@types')],
  types: ['node'],
};

/** Compiles programs of the directory; rejects with what the compiler says. */
const compile = async (files: readonly string[]): Promise<void> => {
  const project = join(folder, 'tsconfig.json');
  writeFileSync(project, JSON.stringify({ compilerOptions, files }));
  await run(resolve('node_modules/.bin/tsc'), ['-p', project], { maxBuffer: 10_000_000 }).catch(
    ({ stdout }: { readonly stdout: string }) => {
      throw new Error(stdout);
    },
  );
};

type Sample = { readonly lang: string; readonly source: string };
type Described = { readonly operationId: string; readonly 'x-codeSamples': readonly Sample[] };

/** Samples of the document in one language, by operation. */
const samplesIn = async (language: string): Promise<ReadonlyMap<string, string>> => {
  const { body } = await gateway().call('get', '/v1/openapi.json').expect(200);
  const paths: Readonly<Record<string, Readonly<Record<string, Described>>>> = body.paths;
  const samples = Object.values(paths)
    .flatMap((operations) => Object.values(operations))
    .flatMap((operation) => operation['x-codeSamples'].map((sample) => ({ ...operation, ...sample })))
    .filter(({ lang }) => lang === language);
  return new Map(samples.map(({ operationId, source }) => [operationId, source]));
};

jest.setTimeout(240_000);

describe('the packed client', () => {
  beforeAll(install);

  it('charges, lists, refunds and verifies what a webhook says', async () => {
    const { testKey } = await gateway().createMerchant();
    await compile(['shop.ts']);
    const { stdout } = await run(process.execPath, ['shop.js'], {
      cwd: folder,
      env: { ...process.env, BASE: gateway().url, KEY: testKey },
    });
    expect(stdout).toMatch(/^listed (chg_\w+) 129\.9\nrefund refunded\nrefunded once\ngenuine \1\n$/);
  });

  it('has types that refuse a payment method without its fields, and a code that an operation has not', async () => {
    const wrong = [
      [
        `type: 'credit_card', installments: 1, number: '4242424242424242',`,
        `type: 'voucher', installments: 1, number: '4242424242424242',`,
      ],
      ['REFUND_ALREADY_EXISTS', 'PAYOUT_ALREADY_DECIDED'],
    ] as const;
    for (const [right, changed] of wrong) {
      expect(example()).toContain(right);
      writeFileSync(join(folder, 'shop.ts'), example().replace(right, changed));
      await expect(compile(['shop.ts'])).rejects.toThrow('error TS');
    }
  });

  it('compiles with the sample of every operation', async () => {
    const samples = await samplesIn('TypeScript');
    expect(samples.size).toBeGreaterThan(100);
    for (const [operation, source] of samples) writeFileSync(join(folder, `sample-${operation}.ts`), source);
    await compile([...samples.keys()].map((operation) => `sample-${operation}.ts`));
  });
});

describe('the samples of the document', () => {
  it.each([
    ['Python', 'python3', ['-c', 'import sys; compile(sys.stdin.read(), "sample", "exec")']],
    ['Shell', 'bash', ['-n']],
  ] as const)('are %s that its interpreter takes', async (language, interpreter, options) => {
    const samples = await samplesIn(language);
    expect(samples.size).toBeGreaterThan(100);
    const faults: string[] = [];
    for (const [operation, input] of samples) {
      const { status, stderr } = spawnSync(interpreter, options, { input, encoding: 'utf8' });
      if (status !== 0) faults.push(`${operation}: ${stderr}`);
    }
    expect(faults).toEqual([]);
  });
});
