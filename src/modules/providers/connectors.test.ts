import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCertificateAuthority } from '../../../test/support/certificate-authority.ts';
import { PRODUCTION } from '../../../test/support/production.ts';
import { REQUIRED_SETTINGS } from '../../../test/support/required-settings.ts';
import { loadConfig } from '../../main/config.ts';
import { CONNECTORS } from './connectors.ts';

const HERE = 'src/modules/providers';
const VARIABLES = { ...REQUIRED_SETTINGS, NODE_ENV: 'test' };

describe('a connector', () => {
  const sources = ['src', 'scripts', 'config'].flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .map((file) => join(root, file)),
  );
  const folders = CONNECTORS.map(({ name }) => name);

  // The simulator is played by the test helpers, the pages for payers and the seed.
  it.each(folders.filter((name) => name !== 'simulator'))(
    'is one folder and one line of registration: %s',
    (name) => {
      const lines = sources
        .filter((file) => !file.startsWith(`${HERE}/${name}/`))
        .flatMap((file) =>
          readFileSync(file, 'utf8')
            .split('\n')
            .map((line) => [file, line] as const),
        )
        .filter(([, line]) => line.includes(`/${name}/`) && line.startsWith('import'));
      expect(lines.map(([file]) => file)).toEqual([`${HERE}/connectors.ts`]);
    },
  );

  it('has its own name and settings', () => {
    expect(new Set(folders).size).toBe(folders.length);
    const settings = CONNECTORS.flatMap((connector) => Object.keys(connector.settings));
    expect(new Set(settings).size).toBe(settings.length);
    for (const { settings: own, required, secrets } of CONNECTORS)
      for (const name of [...required, ...secrets]) expect(Object.keys(own)).toContain(name);
  });
});

const RANDOM = 'Zk3qT9wLr5vXn2bYc7mHd4sJf8gPa1eU';
const STRIPE = { STRIPE_SECRET_KEY: `rk_live_${RANDOM}`, STRIPE_WEBHOOK_SECRET: `whsec_${RANDOM}1` };

describe('settings of connectors', () => {
  const directory = mkdtempSync(join(tmpdir(), 'portico-pix-'));
  afterAll(() => rmSync(directory, { recursive: true }));
  const file = (name: string, text: string): string => {
    writeFileSync(join(directory, name), text);
    return join(directory, name);
  };
  const authority = createCertificateAuthority('Root');
  const client = authority.issueClient('loja');
  const PIX = {
    PIX_API_URL: 'https://pix.example.com/api/v2',
    PIX_API_TOKEN_URL: 'https://pix.example.com/oauth/token',
    PIX_API_CLIENT_ID: 'loja',
    PIX_API_CLIENT_SECRET: 'secret',
    PIX_API_KEY: '7d9f0335-8dcc-4054-9bf9-0dbd61d36906',
    PIX_API_CERT: file('client.pem', client.certificate),
    PIX_API_CERT_KEY: file('client.key', client.privateKey),
    PIX_API_CALLBACK_SECRET: 'Zk3qT9wLr5vXn2bYc7mHd4sJf8gPa1eU',
  };
  const faultOf = (changes: Readonly<Record<string, string | undefined>>): string => {
    try {
      loadConfig({ ...VARIABLES, ...changes });
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };

  it('are read with their files, and lead Pix to the institution', () => {
    const config = loadConfig({ ...VARIABLES, ...PIX, LIVE_PROVIDERS: 'pix=pix-api' });
    expect(config.liveRoutes).toEqual([
      { method: 'pix', currency: null, brand: null, providers: ['pix-api'] },
    ]);
    expect(config.providerSettings).toMatchObject({
      PIX_API_URL: PIX.PIX_API_URL,
      PIX_API_CERT: client.certificate,
      PIX_API_CERT_KEY: client.privateKey,
    });
    expect(faultOf({ ...PRODUCTION, HOST: '0.0.0.0', ...PIX, LIVE_PROVIDER: 'pix-api' })).toBe('');
  });

  it.each<[string, Readonly<Record<string, string | undefined>>]>([
    ['PIX_API_CERT_KEY is required', { ...PIX, PIX_API_CERT_KEY: undefined }],
    ['PIX_API_URL is required', { LIVE_PROVIDER: 'pix-api' }],
    ['PIX_API_URL is required', { LIVE_PROVIDERS: 'pix=pix-api' }],
    ['PIX_API_URL', { ...PIX, PIX_API_URL: 'http://pix.example.com/' }],
    ['PIX_API_URL', { ...PIX, ...PRODUCTION, PIX_API_URL: 'http://127.0.0.1/' }],
    ['PIX_API_URL', { ...PIX, PIX_API_URL: 'https://user:secret@pix.example.com/' }],
    ['PIX_API_CERT', { ...PIX, PIX_API_CERT: join(directory, 'nothing.pem') }],
    ['PIX_API_CERT', { ...PIX, PIX_API_CERT: PIX.PIX_API_CERT_KEY }],
    ['PIX_API_CALLBACK_SECRET', { ...PIX, PIX_API_CALLBACK_SECRET: 'short' }],
    ['PIX_API_CALLBACK_SECRET', { ...PIX, PIX_API_CALLBACK_SECRET: `${'a/b'.repeat(20)}` }],
    ['PIX_API_CALLBACK_SECRET', { ...PIX, ...PRODUCTION, PIX_API_CALLBACK_SECRET: 'a'.repeat(40) }],
    ['needs PUBLIC_URL', { ...PIX, PIX_API_REGISTER_CALLBACK: 'true' }],
    ['LIVE_PROVIDERS', { LIVE_PROVIDERS: 'pix=nobody' }],
    ['LIVE_PROVIDER', { LIVE_PROVIDER: 'nobody' }],
  ])('are refused with a message that names %s: %j', (name, changes) => {
    expect(faultOf(changes)).toContain(name);
  });

  it.each<[string, Readonly<Record<string, string | undefined>>]>([
    ['STRIPE_WEBHOOK_SECRET is required', { STRIPE_SECRET_KEY: `sk_test_${RANDOM}` }],
    ['STRIPE_SECRET_KEY', { ...STRIPE, STRIPE_SECRET_KEY: `pk_live_${RANDOM}` }],
    ['STRIPE_SECRET_KEY', { ...STRIPE, ...PRODUCTION, STRIPE_SECRET_KEY: `sk_test_${RANDOM}` }],
    ['STRIPE_WEBHOOK_SECRET', { ...STRIPE, STRIPE_WEBHOOK_SECRET: RANDOM }],
    ['STRIPE_API_URL', { ...STRIPE, ...PRODUCTION, STRIPE_API_URL: 'http://127.0.0.1:9' }],
  ])('of Stripe are refused with a message that names %s', (name, changes) => {
    expect(faultOf(changes)).toContain(name);
  });

  it('of Stripe lead cards to it', () => {
    const config = loadConfig({ ...VARIABLES, ...STRIPE, LIVE_PROVIDERS: 'credit_card=stripe' });
    expect(config.providerSettings).toMatchObject(STRIPE);
  });

  it('may name an institution on this machine without TLS, but not in production', () => {
    expect(faultOf({ ...PIX, PIX_API_URL: 'http://127.0.0.1:9000/api' })).toBe('');
  });
});
