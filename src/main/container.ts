import { Container } from 'inversify';
import { Redis } from 'ioredis';
import { systemClock } from '../kernel/clock.ts';
import { adjustmentsModule } from '../modules/adjustments/adjustments.module.ts';
import { anticipationsModule } from '../modules/anticipations/anticipations.module.ts';
import { auditModule } from '../modules/audit/audit.module.ts';
import { chargebacksModule } from '../modules/chargebacks/chargebacks.module.ts';
import { chargesModule } from '../modules/charges/charges.module.ts';
import { customersModule } from '../modules/customers/customers.module.ts';
import { identityModule } from '../modules/identity/identity.module.ts';
import { ledgerModule } from '../modules/ledger/ledger.module.ts';
import { merchantsModule } from '../modules/merchants/merchants.module.ts';
import { payPagesModule } from '../modules/pay-pages/pay-pages.module.ts';
import { paymentMethodsModule } from '../modules/payment-methods/payment-methods.module.ts';
import { payoutsModule } from '../modules/payouts/payouts.module.ts';
import { proposalsModule, TWO_PERSON_OPTIONS } from '../modules/proposals/proposals.module.ts';
import { providerNotificationsModule } from '../modules/provider-notifications/provider-notifications.module.ts';
import { PROVIDER_OPTIONS, providersModule } from '../modules/providers/providers.module.ts';
import { reconciliationModule } from '../modules/reconciliation/reconciliation.module.ts';
import { refundsModule } from '../modules/refunds/refunds.module.ts';
import { reportsModule } from '../modules/reports/reports.module.ts';
import { settlementModule } from '../modules/settlement/settlement.module.ts';
import { submerchantsModule } from '../modules/submerchants/submerchants.module.ts';
import { suspenseModule } from '../modules/suspense/suspense.module.ts';
import { WALLET_OPTIONS, walletsModule } from '../modules/wallets/wallets.module.ts';
import { webhooksModule } from '../modules/webhooks/webhooks.module.ts';
import { createLogger } from '../platform/logger.ts';
import { createMetrics } from '../platform/metrics.ts';
import { createClamdScan } from '../platform/outbound/clamd.ts';
import {
  CLOCK,
  GUARD_RULES,
  KEY_RINGS,
  LOGGER,
  METRICS,
  platformModule,
  READ_STORE,
  REDIS,
  RETENTION,
  SCAN,
  SCAN_STORE,
  WRITE_STORE,
} from '../platform/platform.module.ts';
import { openReadStore } from '../platform/read-store/elastic.ts';
import { keyRing } from '../platform/secrets.ts';
import { countConnections, openWriteStore } from '../platform/write-store/mongo.ts';
import type { Config } from './config.ts';
import { createPublicUrl, type PublicUrl } from './public-url.ts';

const REDIS_SILENT_MS = 5_000;

/** The composition root: everything that a process is made of, from its settings. */
export const createContainer = (
  config: Config,
  publicUrl: PublicUrl = createPublicUrl(config),
): Container => {
  const container = new Container({ defaultScope: 'Singleton' });
  container.bind(CLOCK).toConstantValue(systemClock);
  container.bind(LOGGER).toConstantValue(createLogger(config.logLevel));
  const metrics = createMetrics();
  container.bind(METRICS).toConstantValue(metrics);
  container.bind(KEY_RINGS).toConstantValue({
    jwt: keyRing(config.jwtSecrets),
    sealing: keyRing(config.sealingKeys),
    pepper: keyRing(config.peppers),
  });
  const writeStore = openWriteStore(config.mongodbUri, config.mongodbDatabase);
  countConnections(writeStore, (state, change) => metrics.connections.inc({ state }, change));
  container.bind(WRITE_STORE).toConstantValue(writeStore);
  container
    .bind(SCAN_STORE)
    .toConstantValue(openWriteStore(config.mongodbUri, config.mongodbDatabase, { forScans: true }));
  container.bind(READ_STORE).toConstantValue(openReadStore(config.elasticsearchNode, `${config.keyPrefix}-`));
  container.bind(REDIS).toConstantValue(
    new Redis(config.redisUrl, {
      // Redis only helps: what needs it must fail at once and do without.
      enableOfflineQueue: false,
      maxRetriesPerRequest: 1,
      // One that hangs counts as down, too.
      socketTimeout: REDIS_SILENT_MS,
    }),
  );
  container.bind(PROVIDER_OPTIONS).toConstantValue({
    liveProvider: config.liveProvider,
    latencyMs: config.simulatorLatencyMs,
    timeoutMs: config.providerTimeoutMs,
    publicUrl: publicUrl.current,
    secrets: config.providerSecrets,
  });
  container.bind(TWO_PERSON_OPTIONS).toConstantValue(config.twoPerson);
  container.bind(RETENTION).toConstantValue(config.retention);
  container.bind(GUARD_RULES).toConstantValue({
    allowLoopback: config.webhookAllowLoopback,
    requireHttps: config.environment === 'production',
  });
  container.bind(SCAN).toConstantValue(config.clamdUrl ? createClamdScan(config.clamdUrl) : null);
  container.bind(WALLET_OPTIONS).toConstantValue({
    roots: config.walletRoots,
    signingWindowMs: config.walletSigningWindowMs,
  });
  container.load(
    platformModule,
    providersModule,
    merchantsModule,
    submerchantsModule,
    proposalsModule,
    identityModule({
      keyPrefix: config.keyPrefix,
      changeAtFirstLogin: config.passwordChangeAtFirstLogin,
      requireSecondFactor: config.requireSecondFactor,
      secureCookies: config.environment === 'production',
    }),
    suspenseModule,
    chargesModule,
    refundsModule,
    providerNotificationsModule,
    payPagesModule,
    paymentMethodsModule,
    chargebacksModule,
    adjustmentsModule,
    anticipationsModule,
    customersModule,
    auditModule,
    ledgerModule,
    payoutsModule,
    webhooksModule({
      redisUrl: config.redisUrl,
      keyPrefix: config.keyPrefix,
      retrySchedule: config.webhookRetrySchedule,
    }),
    reportsModule,
    settlementModule,
    walletsModule,
    reconciliationModule,
  );
  return container;
};
