import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { useGateway } from '../support/gateway.ts';
import { buildProgram } from '../support/program.ts';

// It is packed before a gateway looks for it.
beforeAll(buildProgram, 180_000);
const gateway = useGateway();
const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'portico-client-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The program of the guide. */
const example = (): string => {
  const [, program = ''] = /```ts\n([\s\S]*?)```/.exec(readFileSync('docs/guide/clients.md', 'utf8')) ?? [];
  return program;
};

const WRONG = [
  [
    `type: 'credit_card', installments: 1, number: '4242424242424242',`,
    `type: 'voucher', installments: 1, number: '4242424242424242',`,
  ],
  ['REFUND_ALREADY_EXISTS', 'PAYOUT_ALREADY_DECIDED'],
] as const;

/** Programs of the directory by name: the guide's, with a fault, and the sample of every operation. */
const programs = async (): Promise<Readonly<Record<string, string>>> => ({
  'shop.ts': example(),
  ...Object.fromEntries(
    WRONG.map(([right, wrong], index) => [`wrong-${index}.ts`, example().replace(right, wrong)]),
  ),
  ...Object.fromEntries(
    [...(await samplesIn('TypeScript'))].map(([operation, source]) => [`sample-${operation}.ts`, source]),
  ),
});

const compilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  target: 'es2023',
  module: 'nodenext',
  typeRoots: [resolve('node_modules/@types')],
  types: ['node'],
};

/** A directory of somebody who installed the packed client. Answers what the compiler says of the programs in it. */
const install = async (): Promise<string> => {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  const archive = `${gateway().url}/client/portico-client.tgz`;
  await run('npm', ['install', '--no-audit', '--no-fund', archive], { cwd: folder });
  const files = Object.entries(await programs());
  for (const [name, source] of files) writeFileSync(join(folder, name), source);
  const project = join(folder, 'tsconfig.json');
  writeFileSync(project, JSON.stringify({ compilerOptions, files: files.map(([name]) => name) }));
  const options = { cwd: folder, maxBuffer: 10_000_000 };
  return run(resolve('node_modules/.bin/tsc'), ['-p', project], options).then(
    ({ stdout }) => stdout,
    ({ stdout }: { readonly stdout: string }) => stdout,
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
  let said: string;
  beforeAll(async () => {
    said = await install();
  });

  it('has the version of the gateway that serves it', () => {
    const versionIn = (file: string): string => JSON.parse(readFileSync(file, 'utf8')).version;
    expect(versionIn(join(folder, 'node_modules/portico-client/package.json'))).toBe(
      versionIn('package.json'),
    );
  });

  it('charges, lists, refunds and verifies what a webhook says', async () => {
    const { testKey } = await gateway().createMerchant();
    const { stdout } = await run(process.execPath, ['shop.js'], {
      cwd: folder,
      env: { ...process.env, BASE: gateway().url, KEY: testKey },
    });
    expect(stdout).toMatch(/^listed (chg_\w+) 129\.9\nrefund refunded\nrefunded once\ngenuine \1\n$/);
  });

  it('has types that refuse a payment method without its fields, and a code that an operation has not', () => {
    for (const [index, [right]] of WRONG.entries()) {
      expect(example()).toContain(right);
      expect(said).toMatch(new RegExp(`^wrong-${index}\\.ts\\(.*: error TS`, 'm'));
    }
  });

  it('compiles with the program of its guide and the sample of every operation', async () => {
    expect(Object.keys(await programs()).length).toBeGreaterThan(100);
    expect(said.split('\n').filter((line) => /error TS/.test(line) && !line.startsWith('wrong-'))).toEqual(
      [],
    );
  });
});

/** Reads `{name: source}` and prints a line for each source that is no Python. */
const COMPILE_ALL = `
import json, sys
for name, source in json.load(sys.stdin).items():
    try:
        compile(source, name, "exec")
    except SyntaxError as fault:
        print(f"{name}: {fault}")
`;

describe('the samples of the document', () => {
  it('are Python that its interpreter takes', async () => {
    const samples = await samplesIn('Python');
    expect(samples.size).toBeGreaterThan(100);
    const input = JSON.stringify(Object.fromEntries(samples));
    const { status, stdout } = spawnSync('python3', ['-c', COMPILE_ALL], { input, encoding: 'utf8' });
    expect([status, stdout]).toEqual([0, '']);
  });

  it('are lines that a shell takes', async () => {
    const samples = await samplesIn('Shell');
    expect(samples.size).toBeGreaterThan(100);
    const faults: string[] = [];
    for (const [operation, input] of samples) {
      const { status, stderr } = spawnSync('bash', ['-n'], { input, encoding: 'utf8' });
      if (status !== 0) faults.push(`${operation}: ${stderr}`);
    }
    expect(faults).toEqual([]);
  });
});
