import { execFile } from 'node:child_process';
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
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        strict: true,
        exactOptionalPropertyTypes: true,
        target: 'es2023',
        module: 'nodenext',
        typeRoots: [resolve('node_modules/@types')],
        types: ['node'],
      },
      files: ['shop.ts'],
    }),
  );
};

const compile = (): Promise<unknown> => run(resolve('node_modules/.bin/tsc'), ['-p', folder]);

jest.setTimeout(240_000);

describe('the packed client', () => {
  beforeAll(install);

  it('charges, lists, refunds and verifies what a webhook says', async () => {
    const { testKey } = await gateway().createMerchant();
    await compile();
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
      await expect(compile()).rejects.toMatchObject({ stdout: expect.stringContaining('error TS') });
    }
  });
});
