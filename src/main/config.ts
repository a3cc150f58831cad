import type { X509Certificate } from 'node:crypto';
import Joi from 'joi';
import { environments } from '../../config/environments.ts';
import { ConfigError } from '../kernel/errors.ts';
import { accountNamesIn, type ProviderAccount, readAccounts } from '../modules/providers/accounts.ts';
import { namesInRoutes, type ProviderRoute, parseRoutes } from '../modules/providers/routes.ts';
import { MESSAGES_WITHOUT_VALUES } from '../platform/messages-without-values.ts';
import { parseViewShards, type ViewShards } from '../platform/read-store/view-shards.ts';
import type { Retention } from '../platform/retention.ts';
import { COMMIT_GROUPS, type CommitGroups } from '../platform/write-store/committer.ts';
import { STORE_PROFILES, type StoreProfile } from '../platform/write-store/limits.ts';
import { isMongoUri } from '../platform/write-store/mongo.ts';
import { SHARD_COUNTS, type ShardCount, shardsFor } from '../platform/write-store/outbox.ts';
import { productionFaults } from './production.ts';
import { readWalletRoots } from './wallet-roots.ts';

/** The settings of a process, read once. */
export type Config = {
  readonly environment: 'development' | 'production' | 'test';
  readonly host: string;
  readonly port: number;
  /** Where clients reach the API from outside, without a trailing slash; null: the address on which it listens. */
  readonly publicUrl: string | null;
  readonly role: 'all' | 'api' | 'worker';
  /** Number of processes of this role under one parent. */
  readonly processes: number;
  readonly mongodbUri: string;
  readonly mongodbDatabase: string;
  readonly elasticsearchNode: string;
  readonly redisUrl: string;
  /** Prefix of names in Elasticsearch and Redis, for installations that share a server. */
  readonly keyPrefix: string;
  readonly dataDir: string;
  readonly demoData: boolean;
  /** Whether the time of the test environment can be moved forward. */
  readonly testClock: boolean;
  readonly bootstrapOperator: { readonly email: string; readonly password: string } | null;
  readonly passwordChangeAtFirstLogin: boolean;
  /** Whether operators need a second factor. */
  readonly requireSecondFactor: boolean;
  readonly jwtSecrets: readonly string[];
  readonly sealingKeys: readonly string[];
  readonly peppers: readonly string[];
  readonly tls: { readonly certFile: string; readonly keyFile: string } | null;
  readonly trustedProxies: readonly string[];
  /** Providers behind live keys by method and currency; `liveProvider` is for all other payments. */
  readonly liveRoutes: readonly ProviderRoute[];
  readonly liveProvider: string | null;
  /** The installation's own accounts at providers. */
  readonly providerAccounts: readonly ProviderAccount[];
  readonly providerTimeoutMs: number;
  /** How long a command is retried until the write store accepts it. */
  readonly commandTimeoutMs: number;
  /** Time-out for one query of a rate limit. */
  readonly redisTimeoutMs: number;
  /** How long the process continues to serve after SIGTERM, until load balancers send it no more requests. */
  readonly drainMs: number;
  readonly webhookAllowLoopback: boolean;
  /** Seconds between the attempts of a delivery to an endpoint. */
  readonly webhookRetrySchedule: readonly number[];
  readonly retention: Retention;
  /** Whether the requests of keys are logged, for how many days, and which share of the successful ones. */
  readonly requestLog: { readonly isOn: boolean; readonly days: number; readonly share: number };
  readonly commitGroups: CommitGroups;
  /** The product whose limits hold for the write store; null for the one that the server says it is. */
  readonly storeProfile: StoreProfile | null;
  readonly outboxShards: ShardCount;
  readonly viewShards: ViewShards;
  /** Interval between two comparisons of views with samples of the write store. */
  readonly viewCheckMs: number;
  /** Whether sensitive commands of operators, and payouts above this amount, need a second operator. */
  readonly twoPerson: { readonly isEnabled: boolean; readonly payoutAboveCents: number };
  /** Requests a second of one caller; 0 for no limit. */
  readonly rateLimitPerSecond: number;
  readonly maxConcurrentRequests: number;
  readonly maxConnections: number;
  /** Connections from one address; trusted proxies have no limit. */
  readonly maxConnectionsPerAddress: number;
  /** Roots of the certificates that sign wallet tokens; without any there are no wallet payments. */
  readonly walletRoots: readonly X509Certificate[];
  readonly walletSigningWindowMs: number;
  /** Address of the virus scanner for documents; null: documents are not scanned. */
  readonly clamdUrl: string | null;
  readonly metricsToken: string | null;
  readonly logLevel: string;
  /** Collector of traces by OTLP over HTTP; null: no tracing. */
  readonly otlpEndpoint: string | null;
  readonly serviceName: string;
};

type Variables = Readonly<Record<string, string | undefined>>;

const secrets = Joi.string().custom((value: string, helpers) =>
  value.split(',').every((secret) => secret.length >= 32)
    ? value
    : helpers.message({
        custom: '{{#label}} must be one or more secrets of at least 32 characters, comma-separated',
      }),
);
const PROXY_GROUPS = ['loopback', 'linklocal', 'uniquelocal'];
const proxyAddress = Joi.alternatives(Joi.valid(...PROXY_GROUPS), Joi.string().ip({ cidr: 'optional' }));
const trustedProxies = Joi.string()
  .default('')
  .custom((value: string, helpers) =>
    value.split(',').every((address) => !proxyAddress.validate(address).error)
      ? value
      : helpers.message({
          custom: `{{#label}} must be addresses, networks or ${PROXY_GROUPS.join(', ')}, comma-separated`,
        }),
  );
const walletRoots = Joi.string().custom((value: string, helpers) => {
  try {
    return readWalletRoots(value);
  } catch {
    return helpers.message({
      custom: '{{#label}} must be one or more certificates of an authority in PEM, or a file of them',
    });
  }
});
const liveRoutes = Joi.string().custom((value: string, helpers) => {
  try {
    return parseRoutes(value, helpers.prefs.context?.accounts ?? []);
  } catch (error) {
    return helpers.message({ custom: `{{#label}}: ${(error as Error).message}` });
  }
});
const liveProvider = Joi.string().custom((value: string, helpers) => {
  const names: readonly string[] = helpers.prefs.context?.accounts ?? [];
  return names.includes(value)
    ? value
    : helpers.message({ custom: `{{#label}} must be one of ${names.join(', ')}` });
});
const viewShards = Joi.string().custom((value: string, helpers) => {
  try {
    return parseViewShards(value);
  } catch (error) {
    return helpers.message({ custom: `{{#label}}: ${(error as Error).message}` });
  }
});
const NO_MONGO_URI =
  '{{#label}} must be an address that MongoDB takes: a user before the @, not empty and percent-encoded like the password, ports up to 65535, and options that its driver knows';
const flag = Joi.string().valid('0', '1');
/** A switch that may have either value, but has to have this one in production. */
const inProduction = (value: 'true' | 'false') =>
  Joi.string()
    .required()
    .when('NODE_ENV', {
      is: 'production',
      then: Joi.valid(value).messages({ 'any.only': `{{#label}} must be ${value} in production` }),
      otherwise: Joi.valid('true', 'false'),
    });
const retrySchedule = Joi.string()
  .pattern(/^\d{1,6}(,\d{1,6}){0,19}$/)
  .messages({
    'string.pattern.base': '{{#label}} must be 1 to 20 whole numbers of seconds, comma-separated',
  });
const days = Joi.number().integer().min(0).max(36_500);
const LOOPBACK = ['127.0.0.1', '::1', 'localhost'];

const schema = Joi.object({
  NODE_ENV: Joi.string().valid('development', 'production', 'test').required(),
  HOST: Joi.string()
    .required()
    .when('NODE_ENV', {
      is: 'production',
      otherwise: Joi.valid(...LOOPBACK).messages({
        'any.only': '{{#label}} must be a loopback address outside production',
      }),
    }),
  PORT: Joi.number().integer().min(0).max(65535).required(),
  PUBLIC_URL: Joi.string()
    .uri({ scheme: ['http', 'https'] })
    .pattern(/^[^?#@]+$/, { name: 'without credentials, query and fragment' }),
  ROLE: Joi.string().valid('all', 'api', 'worker').default('all'),
  PROCESSES: Joi.number().integer().min(1).max(64).default(1),
  // A list of several hosts with ports is no URI by RFC 3986.
  MONGODB_URI: Joi.string()
    .pattern(/^mongodb(\+srv)?:\/\/[^\s/?]+(\/\S*)?$/, { name: 'mongodb://host or mongodb+srv://host' })
    .custom((value: string, helpers) =>
      isMongoUri(value) ? value : helpers.message({ custom: NO_MONGO_URI }),
    )
    .required(),
  MONGODB_DATABASE: Joi.string()
    .pattern(/^[\w-]{1,60}$/)
    .required(),
  ELASTICSEARCH_NODE: Joi.string()
    .uri({ scheme: ['http', 'https'] })
    .required(),
  REDIS_URL: Joi.string()
    .uri({ scheme: ['redis', 'rediss', 'unix'] })
    .required(),
  KEY_PREFIX: Joi.string()
    .pattern(/^[a-z0-9][a-z0-9_-]{0,40}$/)
    .required(),
  DATA_DIR: Joi.string().required(),
  DEMO_DATA: flag.required(),
  TEST_CLOCK: flag.required(),
  BOOTSTRAP_OPERATOR_EMAIL: Joi.string(),
  BOOTSTRAP_OPERATOR_PASSWORD: Joi.string().min(12),
  PASSWORD_CHANGE_AT_FIRST_LOGIN: inProduction('true'),
  REQUIRE_SECOND_FACTOR: Joi.string().valid('true', 'false').required(),
  JWT_SECRET: secrets.required(),
  SECRETS_KEY: secrets.required(),
  KEY_PEPPER: secrets.required(),
  TLS_CERT: Joi.string(),
  TLS_KEY: Joi.string(),
  TRUSTED_PROXIES: trustedProxies,
  VIEW_SHARDS: viewShards,
  VIEW_CHECK_SECONDS: Joi.number().integer().min(1).max(86_400).required(),
  LIVE_PROVIDERS: liveRoutes,
  LIVE_PROVIDER: liveProvider,
  PROVIDER_TIMEOUT_MS: Joi.number().integer().min(1).required(),
  COMMAND_TIMEOUT_MS: Joi.number().integer().min(1_000).max(60_000).required(),
  REDIS_TIMEOUT_MS: Joi.number().integer().min(1).max(60_000).required(),
  DRAIN_MS: Joi.number().integer().min(0).max(5_000).required(),
  TWO_PERSON_RULE: Joi.string().valid('true', 'false').required(),
  TWO_PERSON_PAYOUT_ABOVE_CENTS: Joi.number().integer().min(0).max(1e12).required(),
  RATE_LIMIT_PER_SECOND: Joi.number().integer().min(0).max(100_000).required(),
  MAX_CONCURRENT_REQUESTS: Joi.number().integer().min(1).max(100_000).required(),
  MAX_CONNECTIONS: Joi.number().integer().min(1).max(100_000).required(),
  MAX_CONNECTIONS_PER_ADDRESS: Joi.number().integer().min(1).max(100_000).required(),
  WEBHOOK_ALLOW_LOOPBACK: inProduction('false'),
  WEBHOOK_RETRY_SCHEDULE: retrySchedule.required(),
  COMMIT_GROUPS: Joi.string()
    .valid(...COMMIT_GROUPS)
    .required(),
  MONGODB_PROFILE: Joi.string().valid(...Object.keys(STORE_PROFILES)),
  OUTBOX_SHARDS: Joi.number().valid(...SHARD_COUNTS),
  EVENT_RETENTION_DAYS: days.required(),
  WEBHOOK_RETENTION_DAYS: days.required(),
  DOCUMENT_RETENTION_DAYS: days.required(),
  REQUEST_LOG: Joi.string().valid('true', 'false').required(),
  REQUEST_LOG_DAYS: Joi.number().integer().min(1).max(36_500).required(),
  REQUEST_LOG_PERCENT: Joi.number().min(0).max(100).required(),
  WALLET_ROOT_CERT: walletRoots,
  WALLET_SIGNING_WINDOW_SECONDS: Joi.number().integer().min(1).max(86_400).required(),
  ALLOW_PLAIN_STORES: Joi.string().valid('true', 'false'),
  CLAMD_URL: Joi.string().uri({ scheme: ['tcp'] }),
  METRICS_TOKEN: Joi.string().min(16),
  LOG_LEVEL: Joi.string().valid('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent').required(),
  OTEL_EXPORTER_OTLP_ENDPOINT: Joi.string().uri({ scheme: ['http', 'https'] }),
  OTEL_SERVICE_NAME: Joi.string().default('portico'),
})
  .and('TLS_CERT', 'TLS_KEY')
  .and('BOOTSTRAP_OPERATOR_EMAIL', 'BOOTSTRAP_OPERATOR_PASSWORD')
  .unknown();

/** Names of the providers behind live keys, even where other settings are wrong. */
const liveProvidersIn = ({ LIVE_PROVIDER, LIVE_PROVIDERS }: Variables): readonly string[] => [
  ...(LIVE_PROVIDER ? [LIVE_PROVIDER] : []),
  ...namesInRoutes(LIVE_PROVIDERS ?? ''),
];

/** Reads the settings from variables (the process environment); throws a ConfigError that names every faulty one. */
export const loadConfig = (variables: Variables): Config => {
  const environment = variables.NODE_ENV ?? 'development';
  const defaults = environments[environment as Config['environment']] ?? {};
  // An empty variable counts as unset, because compose files pass unset variables on as empty ones.
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value));
  const settings = { ...defaults, ...given, NODE_ENV: environment };
  const { error, value } = schema.validate(settings, {
    abortEarly: false,
    errors: { wrap: { label: false } },
    messages: MESSAGES_WITHOUT_VALUES,
    context: { accounts: accountNamesIn(settings) },
  });
  const providers = readAccounts(settings, liveProvidersIn(settings));
  const faults = [
    ...(error?.details.map(({ message }) => message) ?? []),
    ...(environment === 'production' ? productionFaults(settings) : []),
    ...providers.faults,
  ];
  if (faults.length > 0) throw new ConfigError(`Wrong configuration: ${faults.join('; ')}`);
  return {
    environment: value.NODE_ENV,
    host: value.HOST,
    port: value.PORT,
    publicUrl: value.PUBLIC_URL?.replace(/\/+$/, '') ?? null,
    role: value.ROLE,
    processes: value.PROCESSES,
    mongodbUri: value.MONGODB_URI,
    mongodbDatabase: value.MONGODB_DATABASE,
    elasticsearchNode: value.ELASTICSEARCH_NODE,
    redisUrl: value.REDIS_URL,
    keyPrefix: value.KEY_PREFIX,
    dataDir: value.DATA_DIR,
    demoData: value.DEMO_DATA === '1',
    testClock: value.TEST_CLOCK === '1',
    bootstrapOperator: operatorIn(value),
    passwordChangeAtFirstLogin: value.PASSWORD_CHANGE_AT_FIRST_LOGIN === 'true',
    requireSecondFactor: value.REQUIRE_SECOND_FACTOR === 'true',
    jwtSecrets: value.JWT_SECRET.split(','),
    sealingKeys: value.SECRETS_KEY.split(','),
    peppers: value.KEY_PEPPER.split(','),
    tls: value.TLS_CERT ? { certFile: value.TLS_CERT, keyFile: value.TLS_KEY } : null,
    trustedProxies: value.TRUSTED_PROXIES.split(',').filter(Boolean),
    liveRoutes: value.LIVE_PROVIDERS ?? [],
    liveProvider: value.LIVE_PROVIDER ?? null,
    providerAccounts: providers.accounts,
    providerTimeoutMs: value.PROVIDER_TIMEOUT_MS,
    commandTimeoutMs: value.COMMAND_TIMEOUT_MS,
    redisTimeoutMs: value.REDIS_TIMEOUT_MS,
    drainMs: value.DRAIN_MS,
    twoPerson: {
      isEnabled: value.TWO_PERSON_RULE === 'true',
      payoutAboveCents: value.TWO_PERSON_PAYOUT_ABOVE_CENTS,
    },
    rateLimitPerSecond: value.RATE_LIMIT_PER_SECOND,
    maxConcurrentRequests: value.MAX_CONCURRENT_REQUESTS,
    maxConnections: value.MAX_CONNECTIONS,
    maxConnectionsPerAddress: value.MAX_CONNECTIONS_PER_ADDRESS,
    webhookAllowLoopback: value.WEBHOOK_ALLOW_LOOPBACK === 'true',
    webhookRetrySchedule: value.WEBHOOK_RETRY_SCHEDULE.split(',').map(Number),
    commitGroups: value.COMMIT_GROUPS,
    storeProfile: value.MONGODB_PROFILE ?? null,
    outboxShards: value.OUTBOX_SHARDS ?? shardsFor(value.PROCESSES),
    viewShards: value.VIEW_SHARDS ?? parseViewShards(''),
    viewCheckMs: value.VIEW_CHECK_SECONDS * 1_000,
    retention: retentionIn(value),
    requestLog: requestLogIn(value),
    walletRoots: value.WALLET_ROOT_CERT ?? [],
    walletSigningWindowMs: value.WALLET_SIGNING_WINDOW_SECONDS * 1_000,
    clamdUrl: value.CLAMD_URL ?? null,
    metricsToken: value.METRICS_TOKEN ?? null,
    logLevel: value.LOG_LEVEL,
    otlpEndpoint: value.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
    serviceName: value.OTEL_SERVICE_NAME,
  };
};

type Settings = Readonly<Record<string, string>>;

const operatorIn = ({
  BOOTSTRAP_OPERATOR_EMAIL: email,
  BOOTSTRAP_OPERATOR_PASSWORD: password,
}: Settings): Config['bootstrapOperator'] => (email && password ? { email, password } : null);

const requestLogIn = (value: {
  readonly REQUEST_LOG: string;
  readonly REQUEST_LOG_DAYS: number;
  readonly REQUEST_LOG_PERCENT: number;
}): Config['requestLog'] => ({
  isOn: value.REQUEST_LOG === 'true',
  days: value.REQUEST_LOG_DAYS,
  share: value.REQUEST_LOG_PERCENT / 100,
});

/** Retention times, where zero means for ever. */
const retentionIn = (value: Readonly<Record<string, number>>): Config['retention'] => ({
  eventDays: value.EVENT_RETENTION_DAYS || null,
  webhookDays: value.WEBHOOK_RETENTION_DAYS || null,
  documentDays: value.DOCUMENT_RETENTION_DAYS || null,
});
