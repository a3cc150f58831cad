import { deflateRawSync } from 'node:zlib';
import { environments } from '../../config/environments.ts';
import { assertNotGuessable } from '../modules/identity/write/password-rules.ts';
import { secretNamesIn } from '../modules/providers/accounts.ts';
import { namesInRoutes } from '../modules/providers/routes.ts';

type Variables = Readonly<Record<string, string | undefined>>;

const DEMO = environments.development;
const SECRETS = ['JWT_SECRET', 'SECRETS_KEY', 'KEY_PEPPER', 'METRICS_TOKEN'];
/** The least bytes of a compressed secret, which stand for 128 random bits in whatever notation. */
const MIN_COMPRESSED_BYTES = 16;
/** Shorter prefixes than these cover a large part of the internet. */
const MIN_PREFIX = { 4: 8, 6: 16 } as const;
/** Length of the prefix before an IPv4 address that is written as an IPv6 address. */
const MAPPED_BITS = 96;

/** The reasons why these settings must not be used in production, each with its variable and the remedy. */
export const productionFaults = (variables: Variables): readonly string[] => [
  ...operatorFaults(variables),
  ...secretFaults(variables),
  ...addressFaults(variables),
  ...storeFaults(variables),
  ...(variables.LIVE_PROVIDER === 'simulator'
    ? [
        'LIVE_PROVIDER must not be simulator in production: it pays nobody; leave it out until you have a provider',
      ]
    : []),
  ...(namesInRoutes(variables.LIVE_PROVIDERS ?? '').includes('simulator')
    ? ['LIVE_PROVIDERS must not name simulator in production: it pays nobody']
    : []),
  ...(variables.DEMO_DATA === '1' ? ['DEMO_DATA must be 0 in production: its keys are known'] : []),
  ...(variables.TEST_CLOCK === '1'
    ? ['TEST_CLOCK must be 0 in production: any test key could move the time of all test records']
    : []),
];

const operatorFaults = ({
  BOOTSTRAP_OPERATOR_EMAIL: email,
  BOOTSTRAP_OPERATOR_PASSWORD: password,
}: Variables) => [
  ...(email?.toLowerCase() === DEMO.BOOTSTRAP_OPERATOR_EMAIL
    ? ['BOOTSTRAP_OPERATOR_EMAIL must not be that of the demo in production: name an address of yours']
    : []),
  ...(password === DEMO.BOOTSTRAP_OPERATOR_PASSWORD
    ? ['BOOTSTRAP_OPERATOR_PASSWORD must not be that of the demo in production: choose another']
    : []),
  ...(password && isGuessable(password, email ?? '')
    ? ['BOOTSTRAP_OPERATOR_PASSWORD must not be a common password in production: choose another']
    : []),
];

const isGuessable = (password: string, email: string): boolean => {
  try {
    assertNotGuessable(password, { email, name: null });
    return false;
  } catch {
    return true;
  }
};

const secretFaults = (variables: Variables): readonly string[] => {
  const owners = new Map<string, string>();
  return [...SECRETS, ...secretNamesIn(variables)].flatMap((name) =>
    (variables[name] ?? '').split(',').flatMap((secret) => {
      if (secret === '') return [];
      const owner = owners.get(secret);
      owners.set(secret, name);
      if (owner) return [`${name} must not repeat a secret of ${owner}: each needs random ones of its own`];
      return isRegular(secret)
        ? [`${name} must be random, not a repetition or row: take the output of "openssl rand -base64 32"`]
        : [];
    }),
  );
};

/** Whether the secret is a repetition or a series such as `abcdef…`, whose steps repeat. */
const isRegular = (secret: string): boolean => {
  const bytes = Buffer.from(secret);
  const steps = bytes.map((byte, place) => byte - (bytes[place - 1] ?? 0));
  return [bytes, steps].some((one) => deflateRawSync(one).length < MIN_COMPRESSED_BYTES);
};

const addressFaults = ({ PUBLIC_URL: publicUrl, TLS_CERT: cert, TRUSTED_PROXIES: proxies }: Variables) => [
  ...(publicUrl?.startsWith('http:')
    ? ['PUBLIC_URL must begin with https: in production: payers follow links that start with it']
    : []),
  ...(!publicUrl && !cert
    ? ['PUBLIC_URL must be the https address of the proxy, unless TLS_CERT and TLS_KEY are given']
    : []),
  ...((proxies ?? '').split(',').some(isEverybody)
    ? ['TRUSTED_PROXIES must not trust everyone: name the addresses of your proxies']
    : []),
];

const isEverybody = (network: string): boolean => {
  const [address = '', prefix] = network.split('/');
  if (prefix === undefined) return false;
  return /^[0:]+:ffff:/i.test(address)
    ? Number(prefix) < MAPPED_BITS + MIN_PREFIX[4]
    : Number(prefix) < MIN_PREFIX[address.includes(':') ? 6 : 4];
};

type Store = {
  readonly name: string;
  readonly isEncrypted: (url: URL) => boolean;
  readonly wayOut: string;
};
const STORES: readonly Store[] = [
  {
    name: 'MONGODB_URI',
    isEncrypted: ({ protocol, searchParams }) =>
      ['tls', 'ssl'].map((key) => searchParams.get(key)).find((value) => value !== null) === 'true' ||
      (protocol === 'mongodb+srv:' && !searchParams.has('tls') && !searchParams.has('ssl')),
    wayOut: 'mongodb://user:password@host/?tls=true',
  },
  {
    name: 'ELASTICSEARCH_NODE',
    isEncrypted: ({ protocol }) => protocol === 'https:',
    wayOut: 'https://user:password@host:9200',
  },
  {
    name: 'REDIS_URL',
    isEncrypted: ({ protocol }) => protocol === 'rediss:',
    wayOut: 'rediss://:password@host',
  },
];

const storeFaults = (variables: Variables): readonly string[] =>
  variables.ALLOW_PLAIN_STORES === 'true'
    ? []
    : STORES.flatMap(({ name, isEncrypted, wayOut }) => {
        const address = variables[name];
        const url = parseUrl(address ?? '');
        return !address || (url && isEncrypted(url) && url.password !== '')
          ? []
          : [
              `${name} must have a password and TLS in production (${wayOut}), or ALLOW_PLAIN_STORES=true must say that its network is private`,
            ];
      });

/** The parsed URL; null for a text that is none. Of several hosts the first one counts. */
const parseUrl = (value: string): URL | null => {
  try {
    return new URL(value.replace(/(@[^,/?]*),[^/?]*/, '$1'));
  } catch {
    return null;
  }
};
