import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { PRODUCTION } from '../support/production.ts';

const PAGE = 'docs/guide/production.md';
const directory = mkdtempSync(join(tmpdir(), 'portico-production-'));
const OPERATOR = { email: 'you@example.com', password: 'the-password-from-secrets.env' };
const settings = {
  ...PRODUCTION,
  PORT: '0',
  LOG_LEVEL: 'silent',
  BOOTSTRAP_OPERATOR_EMAIL: OPERATOR.email,
  BOOTSTRAP_OPERATOR_PASSWORD: OPERATOR.password,
};

let gateway: TestGateway;
jest.setTimeout(240_000);
beforeAll(async () => {
  gateway = await startTestGateway(settings);
});
afterAll(async () => {
  await gateway.stop();
  rmSync(directory, { recursive: true });
});

/** Every curl poses as a TLS proxy, and notes its line and its answer. It asks again where a busy machine says 503. */
const PRELUDE = String.raw`
set -u
curl() {
  command curl --retry 60 --retry-delay 1 --header 'X-Forwarded-Proto: https' --write-out "%{stderr}$BASH_LINENO %{http_code}\n" "$@" \
    2>> log | tee answer answer.$BASH_LINENO
}
source page.sh
`;

/**
 * The authenticator app: codes of the secret that the last answer but one set up. The gateway takes codes of the step
 * before and after, too, each once and in order. So three codes need no wait.
 */
const APP = `
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRequire } from 'node:module';
const { URI } = createRequire(process.argv[2])('otpauth');
const STEP_MS = 30_000;
const now = () => Math.floor(Date.now() / STEP_MS);
if (!existsSync('otpauth')) writeFileSync('otpauth', JSON.parse(readFileSync('answer', 'utf8')).otpauthUrl);
const used = existsSync('used') ? Number(readFileSync('used', 'utf8')) : null;
// The first code is that of the step before, unless that ends too soon for a busy machine.
while (used === null && Date.now() % STEP_MS > STEP_MS / 2) await sleep(200);
const step = Math.max(now() - 1, used === null ? 0 : used + 1);
while (step > now() + 1) await sleep(200);
writeFileSync('used', String(step));
process.stdout.write(URI.parse(readFileSync('otpauth', 'utf8')).generate({ timestamp: step * STEP_MS }));
`;

/** The blocks that the page has for production; all other lines are empty, so that lines keep their numbers. */
const scriptOf = (page: string): string =>
  readFileSync(page, 'utf8')
    .split(/^```/m)
    .map((part, index) =>
      index % 2 === 1 && part.startsWith('bash\n') ? part.slice(4) : part.replace(/[^\n]/g, ''),
    )
    .join('');

describe('the page on production', () => {
  it('leads from the first start to charges, with the settings of production', async () => {
    const script = scriptOf(PAGE)
      .replace('https://pay.example.com', gateway.url)
      .replace(/^PASSWORD=…$/m, `PASSWORD=${OPERATOR.password}`)
      .replace(/^CODE=…$/gm, `CODE=$(node app.mjs ${join(process.cwd(), 'package.json')})`);
    writeFileSync(join(directory, 'page.sh'), script);
    writeFileSync(join(directory, 'app.mjs'), APP);
    writeFileSync(join(directory, 'log'), '');
    const env = { PATH: process.env.PATH ?? '', HOME: directory };
    await promisify(execFile)('bash', ['-c', PRELUDE], { cwd: directory, env, timeout: 170_000 });

    const lines = script.split('\n');
    const answers = readFileSync(join(directory, 'log'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split(' ').map(Number));
    const wrong = answers.flatMap(([line = 0, status = 0]) => {
      const [, refused = '2'] = /^# (4\d\d): /.exec(lines[line - 2] ?? '') ?? [];
      const answer = readFileSync(join(directory, `answer.${line}`), 'utf8');
      return String(status).startsWith(refused) ? [] : [`${PAGE}:${line} ${status} ${answer}`];
    });
    expect(wrong).toEqual([]);
    expect(answers).toHaveLength(16);
    expect(readFileSync(join(directory, 'answer'), 'utf8')).toContain('PROVIDER_NOT_CONFIGURED');
    const paid = await gateway.db.collection('charges').findOne({ livemode: false });
    expect(paid).toMatchObject({ status: 'paid', amount: 12_990 });
  });
});
