import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openApiDocument } from './openapi-document.ts';
import { type OwnGateway, startOwnGateway } from './own-gateway.ts';
import { collectionOf } from './postman/collection.ts';

const PAGE = 'docs/guide/generated-clients.md';
const EXPECTED = /^listed true\nrefund refunded\ngenuine true$/im;
const WITHIN_MS = 600_000;
/** The npm program that sends the requests of a Postman collection. */
const NEWMAN = 'newman@6.2.2';

const progress = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/** The code blocks of a section as one script; a program is written to the file that the page names. */
const scriptOf = (markdown: string): string =>
  [...markdown.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)]
    .map(([, language, block = '']) => {
      if (language === 'bash') return block;
      return `cat > shop.${language === 'python' ? 'py' : language} <<'PORTICO'\n${block}PORTICO\n`;
    })
    .join('');

type Section = { readonly name: string; readonly script: string };

/** The sections of the page, each preceded by the beginning of the page. */
const sectionsOf = (page: string): readonly Section[] => {
  const [beginning = '', ...sections] = page.split(/^## /m);
  const withClient = sections.filter((section) => section.includes('```bash'));
  return withClient.map((section) => ({
    name: section.split('\n')[0] ?? '',
    script: `set -euo pipefail\n${scriptOf(beginning)}${scriptOf(section)}`,
  }));
};

const run = async ({ name, script }: Section, folder: string): Promise<void> => {
  mkdirSync(folder);
  progress(name);
  const options = { cwd: folder, timeout: WITHIN_MS, maxBuffer: 2 ** 26 };
  const { stdout } = await promisify(execFile)('bash', ['-c', script], options);
  if (!EXPECTED.test(stdout)) throw new Error(`${name}: ${stdout}`);
};

/** Sends every request of the Postman collection twice, because a request must also work after all others. */
const runCollection = async (folder: string, { url, demo }: OwnGateway): Promise<void> => {
  progress('Postman');
  const file = join(folder, 'collection.json');
  const settings = { baseUrl: url, testKey: demo.testKey, masterKey: demo.masterKey };
  writeFileSync(file, JSON.stringify(collectionOf(openApiDocument(), settings)));
  const command = ['--yes', NEWMAN, 'run', file, '--iteration-count', '2', '--color', 'off'];
  await promisify(execFile)('npx', command, { cwd: folder, timeout: WITHIN_MS, maxBuffer: 2 ** 26 });
};

/** Generates the clients of the page, lets each do what the page shows, and then sends the Postman collection. */
const main = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'portico-clients-'));
  // The collection has a request that moves the test clock.
  process.env.TEST_CLOCK = '1';
  const gateway = await startOwnGateway(join(folder, 'data'), progress);
  try {
    const page = readFileSync(PAGE, 'utf8')
      .replaceAll('http://127.0.0.1:3000', gateway.url)
      .replaceAll('sk_test_…', gateway.demo.testKey);
    for (const [index, section] of sectionsOf(page).entries()) await run(section, join(folder, `${index}`));
    await runCollection(folder, gateway);
  } finally {
    await gateway.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};

main().catch((error: unknown) => {
  progress(
    error instanceof Error
      ? `${error.message}\n${(error as { stdout?: string }).stdout ?? ''}`
      : String(error),
  );
  process.exitCode = 1;
});
