import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCertificateAuthority } from '../../../test/support/certificate-authority.ts';
import { pkcs12Of } from '../../../test/support/pkcs12.ts';
import { PRODUCTION } from '../../../test/support/production.ts';
import { REQUIRED_SETTINGS } from '../../../test/support/required-settings.ts';
import { loadConfig } from '../../main/config.ts';
import { type ProviderAccount, readAccounts, readMerchantSettings } from './accounts.ts';
import type { Connector } from './connector.ts';
import { CONNECTORS, connectorNamed } from './connectors.ts';

const HERE = 'src/modules/providers';
/** Made by `openssl pkcs12 -export -legacy -keypbe PBE-SHA1-RC2-40 -certpbe PBE-SHA1-RC2-40`, with a key of nobody. */
const OLD_PKCS12 = 'test/support/pix-api/in-old-cipher.p12';
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

const connectorOf = (name: string): Connector => {
  const connector = connectorNamed(name);
  if (!connector) throw new Error(`no connector ${name}`);
  return connector;
};
const settingsOf = (name: string, { providerAccounts }: { providerAccounts: readonly ProviderAccount[] }) =>
  providerAccounts.find((account) => account.name === name)?.settings;

const RANDOM = 'Zk3qT9wLr5vXn2bYc7mHd4sJf8gPa1eU';
const STRIPE = { STRIPE_SECRET_KEY: `rk_live_${RANDOM}`, STRIPE_WEBHOOK_SECRET: `whsec_${RANDOM}1` };

const MERCADO_PAGO = {
  MERCADO_PAGO_ACCESS_TOKEN: `APP_USR-${RANDOM}`,
  MERCADO_PAGO_WEBHOOK_SECRET: `${RANDOM}2`,
};

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
  const PKCS12 = join(directory, 'client.p12');
  const NOISE = join(directory, 'broken.p12');
  // A PFX begins with a long SEQUENCE.
  writeFileSync(NOISE, Buffer.concat([Buffer.from([0x30, 0x82, 0x04, 0x00]), Buffer.alloc(1_024, 7)]));
  beforeAll(async () => writeFileSync(PKCS12, await pkcs12Of(client, 'of the file')));
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
    expect(settingsOf('pix-api', config)).toMatchObject({
      PIX_API_URL: PIX.PIX_API_URL,
      PIX_API_CERT: client.certificate,
      PIX_API_CERT_KEY: client.privateKey,
    });
    expect(faultOf({ ...PRODUCTION, HOST: '0.0.0.0', ...PIX, LIVE_PROVIDER: 'pix-api' })).toBe('');
  });

  it.each<[string, Readonly<Record<string, string | undefined>>]>([
    ['PIX_API_CERT_KEY is required', { ...PIX, PIX_API_CERT_KEY: undefined }],
    ['PIX_API_CERT_KEY', { ...PIX, PIX_API_CERT: PKCS12, PIX_API_CERT_PASSWORD: 'of the file' }],
    ['PIX_API_CERT does not open with PIX_API_CERT_PASSWORD', { ...PIX, PIX_API_CERT: PKCS12 }],
    [
      'PIX_API_CERT does not open with PIX_API_CERT_PASSWORD',
      { ...PIX, PIX_API_CERT: PKCS12, PIX_API_CERT_PASSWORD: 'another' },
    ],
    ['PIX_API_CERT is no whole file by PKCS#12', { ...PIX, PIX_API_CERT: NOISE }],
    [
      'PIX_API_CERT is encrypted by an old cipher (RC2): run',
      { ...PIX, PIX_API_CERT: OLD_PKCS12, PIX_API_CERT_PASSWORD: 'x' },
    ],
    ['PIX_API_CERT_KEY must name a file', { ...PIX, PIX_API_CERT_KEY: join(directory, 'nothing.key') }],
    ['PIX_API_CERT', { ...PIX, PIX_API_CERT: file('noise.p12', 'no certificate at all') }],
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
    expect(settingsOf('stripe', config)).toMatchObject(STRIPE);
  });

  it.each<[string, Readonly<Record<string, string | undefined>>]>([
    ['MERCADO_PAGO_WEBHOOK_SECRET is required', { ...MERCADO_PAGO, MERCADO_PAGO_WEBHOOK_SECRET: undefined }],
    ['MERCADO_PAGO_ACCESS_TOKEN', { ...MERCADO_PAGO, MERCADO_PAGO_ACCESS_TOKEN: `sk_live_${RANDOM}` }],
    [
      'MERCADO_PAGO_ACCESS_TOKEN',
      { ...MERCADO_PAGO, ...PRODUCTION, MERCADO_PAGO_ACCESS_TOKEN: `TEST-${RANDOM}` },
    ],
    ['MERCADO_PAGO_WEBHOOK_SECRET', { ...MERCADO_PAGO, MERCADO_PAGO_WEBHOOK_SECRET: 'short' }],
    ['MERCADO_PAGO_API_URL', { ...MERCADO_PAGO, ...PRODUCTION, MERCADO_PAGO_API_URL: 'http://127.0.0.1:9' }],
  ])('of Mercado Pago are refused with a message that names %s', (name, changes) => {
    expect(faultOf(changes)).toContain(name);
  });

  it('of Mercado Pago lead boletos to it', () => {
    const config = loadConfig({ ...VARIABLES, ...MERCADO_PAGO, LIVE_PROVIDERS: 'voucher=mercado-pago' });
    expect(settingsOf('mercado-pago', config)).toMatchObject(MERCADO_PAGO);
  });

  it('may name one file by PKCS#12 in place of certificate and key', () => {
    const { PIX_API_CERT_KEY: _, ...others } = PIX;
    const given = { ...others, PIX_API_CERT: PKCS12, PIX_API_CERT_PASSWORD: 'of the file' };
    const config = loadConfig({ ...VARIABLES, ...given });
    expect(settingsOf('pix-api', config)).toMatchObject({
      PIX_API_CERT: readFileSync(PKCS12).toString('base64'),
      PIX_API_CERT_PASSWORD: 'of the file',
    });
  });

  const second = Object.fromEntries(
    Object.entries(STRIPE).map(([name, value]) => [`${name}__EU`, `${value}2`]),
  );

  it('are those of several accounts of one provider, each with its suffix', () => {
    const given = { ...VARIABLES, ...STRIPE, ...second };
    const config = loadConfig({ ...given, LIVE_PROVIDERS: 'credit_card=stripe+stripe.eu' });
    expect(config.providerAccounts.map(({ name, connector }) => [name, connector])).toEqual([
      ['simulator', 'simulator'],
      ['stripe', 'stripe'],
      ['stripe.eu', 'stripe'],
    ]);
    expect(settingsOf('stripe.eu', config)).toMatchObject({ STRIPE_SECRET_KEY: `rk_live_${RANDOM}2` });
    expect(loadConfig({ ...VARIABLES, ...second }).providerAccounts.map(({ name }) => name)).toEqual([
      'simulator',
      'stripe.eu',
    ]);
  });

  it.each<[string, Readonly<Record<string, string | undefined>>]>([
    ['LIVE_PROVIDERS', { ...STRIPE, LIVE_PROVIDERS: 'credit_card=stripe.eu' }],
    [
      'STRIPE_WEBHOOK_SECRET__EU is required for the provider stripe.eu',
      { ...second, STRIPE_WEBHOOK_SECRET__EU: undefined },
    ],
    ['STRIPE_SECRET_KEY__EU', { ...second, STRIPE_SECRET_KEY__EU: `pk_live_${RANDOM}` }],
    [
      'STRIPE_WEBHOOK_SECRET__EU must not repeat',
      { ...PRODUCTION, ...STRIPE, ...second, STRIPE_WEBHOOK_SECRET__EU: STRIPE.STRIPE_WEBHOOK_SECRET },
    ],
  ])('of a second account are refused with a message that names %s', (name, changes) => {
    expect(faultOf(changes)).toContain(name);
  });

  it('are refused without repeating a value, which may be a secret', () => {
    for (const [name, { settings }] of CONNECTORS.map((connector) => [connector.name, connector] as const)) {
      const given = Object.fromEntries(Object.keys(settings).map((setting) => [setting, ` ${RANDOM} `]));
      const { faults } = readMerchantSettings(connectorOf(name), given, PRODUCTION);
      expect(faults.length).toBeGreaterThan(0);
      expect(JSON.stringify(faults)).not.toContain(RANDOM);
      expect(readAccounts({ ...PRODUCTION, ...given }, []).faults.join()).not.toContain(RANDOM);
    }
  });

  it('of a merchant’s own account name no address for card numbers, and hold contents in place of files', () => {
    const read = (name: string, given: Readonly<Record<string, string>>) =>
      readMerchantSettings(connectorOf(name), given, PRODUCTION).faults.map(({ setting }) => setting);
    expect(read('stripe', STRIPE)).toEqual([]);
    expect(read('stripe', { ...STRIPE, STRIPE_API_URL: 'https://attacker.example' })).toEqual([
      'STRIPE_API_URL',
    ]);
    expect(read('stripe', { STRIPE_SECRET_KEY: `sk_test_${RANDOM}` })).toEqual([
      'STRIPE_WEBHOOK_SECRET',
      'STRIPE_SECRET_KEY',
    ]);
    const { certificate, privateKey } = client;
    expect(read('pix-api', { ...PIX, PIX_API_CERT: certificate, PIX_API_CERT_KEY: privateKey })).toEqual([]);
    expect(
      readMerchantSettings(
        connectorOf('pix-api'),
        {
          ...PIX,
          PIX_API_CERT: certificate,
          PIX_API_CERT_KEY: privateKey,
          PIX_API_REGISTER_CALLBACK: 'true',
        },
        { NODE_ENV: 'development' },
      ).faults.map(({ message }) => message),
    ).toContain(
      'settings.PIX_API_REGISTER_CALLBACK needs PUBLIC_URL: the institution has to reach the callback',
    );
    // No file of the gateway's machine is ever read for a merchant.
    expect(read('pix-api', PIX)).toEqual(['PIX_API_CERT', 'PIX_API_CERT_KEY']);
    expect(read('simulator', { SIMULATOR_LATENCY_MS: '1' })).toContain('SIMULATOR_LATENCY_MS');
  });

  it('may name an institution on this machine without TLS, but not in production', () => {
    expect(faultOf({ ...PIX, PIX_API_URL: 'http://127.0.0.1:9000/api' })).toBe('');
  });

  it('may have the callback registered where the gateway has an address', () => {
    const PUBLIC_URL = 'https://pay.example.com';
    expect(faultOf({ ...PIX, PIX_API_REGISTER_CALLBACK: 'true', PUBLIC_URL })).toBe('');
  });
});
