/** Values that differ between environments; src/main/config.ts lays the process environment over it. */
type Defaults = {
  readonly HOST: string;
  readonly PORT: string;
  readonly DATA_DIR: string;
  readonly MONGODB_DATABASE: string;
  readonly KEY_PREFIX: string;
  readonly LOG_LEVEL: string;
  readonly DEMO_DATA: string;
  readonly TEST_CLOCK: string;
  readonly BOOTSTRAP_OPERATOR_EMAIL?: string;
  readonly BOOTSTRAP_OPERATOR_PASSWORD?: string;
  readonly PASSWORD_CHANGE_AT_FIRST_LOGIN: string;
  readonly REQUIRE_SECOND_FACTOR: string;
  readonly LIVE_PROVIDER?: string;
  readonly SIMULATOR_LATENCY_MS: string;
  readonly PROVIDER_TIMEOUT_MS: string;
  readonly COMMAND_TIMEOUT_MS: string;
  readonly REDIS_TIMEOUT_MS: string;
  readonly DRAIN_MS: string;
  readonly WEBHOOK_ALLOW_LOOPBACK: string;
  readonly WEBHOOK_RETRY_SCHEDULE: string;
  readonly WALLET_SIGNING_WINDOW_SECONDS: string;
  readonly TWO_PERSON_RULE: string;
  readonly TWO_PERSON_PAYOUT_ABOVE_CENTS: string;
  readonly RATE_LIMIT_PER_SECOND: string;
  readonly MAX_CONCURRENT_REQUESTS: string;
  readonly MAX_CONNECTIONS: string;
  readonly MAX_CONNECTIONS_PER_ADDRESS: string;
  readonly VIEW_CHECK_SECONDS: string;
  readonly COMMIT_GROUPS: string;
  readonly EVENT_RETENTION_DAYS: string;
  readonly WEBHOOK_RETENTION_DAYS: string;
  readonly DOCUMENT_RETENTION_DAYS: string;
  readonly REQUEST_LOG: string;
  readonly REQUEST_LOG_DAYS: string;
  readonly REQUEST_LOG_PERCENT: string;
};

const shared = {
  HOST: '127.0.0.1',
  PORT: '3000',
  DATA_DIR: '.data',
  MONGODB_DATABASE: 'portico',
  TEST_CLOCK: '0',
  KEY_PREFIX: 'portico',
  PASSWORD_CHANGE_AT_FIRST_LOGIN: 'true',
  REQUIRE_SECOND_FACTOR: 'false',
  SIMULATOR_LATENCY_MS: '0',
  PROVIDER_TIMEOUT_MS: '5000',
  COMMAND_TIMEOUT_MS: '8000',
  REDIS_TIMEOUT_MS: '300',
  DRAIN_MS: '1000',
  WEBHOOK_ALLOW_LOOPBACK: 'true',
  WEBHOOK_RETRY_SCHEDULE: '5,300,1800,7200,18000,36000,36000',
  WALLET_SIGNING_WINDOW_SECONDS: '300',
  TWO_PERSON_RULE: 'false',
  TWO_PERSON_PAYOUT_ABOVE_CENTS: '1000000',
  RATE_LIMIT_PER_SECOND: '0',
  MAX_CONCURRENT_REQUESTS: '1000',
  MAX_CONNECTIONS: '2000',
  MAX_CONNECTIONS_PER_ADDRESS: '500',
  VIEW_CHECK_SECONDS: '10',
  COMMIT_GROUPS: 'all',
  // For ever: events and what was sent are a trail for audits.
  EVENT_RETENTION_DAYS: '0',
  WEBHOOK_RETENTION_DAYS: '0',
  DOCUMENT_RETENTION_DAYS: '0',
  REQUEST_LOG: 'true',
  REQUEST_LOG_DAYS: '30',
  REQUEST_LOG_PERCENT: '100',
};

export const environments: Readonly<Record<'development' | 'production' | 'test', Defaults>> = {
  development: {
    ...shared,
    LOG_LEVEL: 'info',
    DEMO_DATA: '1',
    BOOTSTRAP_OPERATOR_EMAIL: 'operator@portico.test',
    BOOTSTRAP_OPERATOR_PASSWORD: 'portico-demo',
    LIVE_PROVIDER: 'simulator',
  },
  production: {
    ...shared,
    LOG_LEVEL: 'info',
    DEMO_DATA: '0',
    REQUIRE_SECOND_FACTOR: 'true',
    TWO_PERSON_RULE: 'true',
    RATE_LIMIT_PER_SECOND: '100',
    // Longer than a load balancer takes to notice that a process is not ready.
    DRAIN_MS: '3000',
    WEBHOOK_ALLOW_LOOPBACK: 'false',
  },
  test: {
    ...shared,
    PORT: '0',
    LOG_LEVEL: 'silent',
    DEMO_DATA: '0',
    BOOTSTRAP_OPERATOR_EMAIL: 'operator@portico.test',
    BOOTSTRAP_OPERATOR_PASSWORD: 'portico-demo',
    PASSWORD_CHANGE_AT_FIRST_LOGIN: 'false',
    LIVE_PROVIDER: 'simulator',
    PROVIDER_TIMEOUT_MS: '1000',
    // Each file of the tests stops a gateway.
    DRAIN_MS: '0',
    // Most tests compare what a request stores, which an entry a second later would disturb.
    REQUEST_LOG: 'false',
  },
};
