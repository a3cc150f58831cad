import { createAdjustmentsModule } from '../modules/adjustments/adjustments.module.ts';
import { createAnticipationsModule } from '../modules/anticipations/anticipations.module.ts';
import { createAuditModule } from '../modules/audit/audit.module.ts';
import { createCardFieldsModule } from '../modules/card-fields/card-fields.module.ts';
import { createCardTokensModule } from '../modules/card-tokens/card-tokens.module.ts';
import { createChargebacksModule } from '../modules/chargebacks/chargebacks.module.ts';
import { createChargesModule } from '../modules/charges/charges.module.ts';
import { createCheckoutModule } from '../modules/checkout/checkout.module.ts';
import { createCheckoutPageModule } from '../modules/checkout-page/checkout-page.module.ts';
import { createCheckoutSettingsModule } from '../modules/checkout-settings/checkout-settings.module.ts';
import { createCustomersModule } from '../modules/customers/customers.module.ts';
import { createDisputesModule } from '../modules/disputes/disputes.module.ts';
import { createErasureModule } from '../modules/erasure/erasure.module.ts';
import { createIdentityModule, createProposalOperators } from '../modules/identity/identity.module.ts';
import type { IdentityOptions } from '../modules/identity/options.ts';
import { createLedgerModule } from '../modules/ledger/ledger.module.ts';
import { createLedgerCheckModule } from '../modules/ledger-check/ledger-check.module.ts';
import { createMerchantsModule } from '../modules/merchants/merchants.module.ts';
import type { FindMerchants } from '../modules/merchants/write/find-merchants.store.ts';
import { createNotesModule } from '../modules/notes/notes.module.ts';
import { createPayPagesModule } from '../modules/pay-pages/pay-pages.module.ts';
import { createPaymentMethodsModule } from '../modules/payment-methods/payment-methods.module.ts';
import { createPayoutsModule } from '../modules/payouts/payouts.module.ts';
import { createPortalModule } from '../modules/portal/portal.module.ts';
import { createProposalsModule } from '../modules/proposals/proposals.module.ts';
import { createProviderAccountsModule } from '../modules/provider-accounts/provider-accounts.module.ts';
import { createProviderNotificationsModule } from '../modules/provider-notifications/provider-notifications.module.ts';
import type { ProviderOptions } from '../modules/providers/configured.ts';
import { createProvidersModule } from '../modules/providers/providers.module.ts';
import { createRefundsModule } from '../modules/refunds/refunds.module.ts';
import { createReportsModule } from '../modules/reports/reports.module.ts';
import { createRequestLogModule, type RequestLogOptions } from '../modules/request-log/request-log.module.ts';
import { createSearchModule } from '../modules/search/search.module.ts';
import { createSettlementModule } from '../modules/settlement/settlement.module.ts';
import { createStatementModule } from '../modules/statement/statement.module.ts';
import { createStoredMethodsModule } from '../modules/stored-methods/stored-methods.module.ts';
import { createSubmerchantsModule } from '../modules/submerchants/submerchants.module.ts';
import { createSubscriptionsModule } from '../modules/subscriptions/subscriptions.module.ts';
import { createSuspenseModule } from '../modules/suspense/suspense.module.ts';
import { createTestClockModule } from '../modules/test-clock/test-clock.module.ts';
import { createTimelineModule } from '../modules/timeline/timeline.module.ts';
import { createWalletsModule } from '../modules/wallets/wallets.module.ts';
import type { WalletOptions } from '../modules/wallets/write/device-wallet.ts';
import { createWebhooksModule, type WebhookOptions } from '../modules/webhooks/webhooks.module.ts';
import * as platform from '../platform/platform.module.ts';
import type { Services } from '../platform/services.ts';

/** The settings of a process that single modules need. */
export type ModuleOptions = {
  readonly identity: IdentityOptions;
  readonly providers: ProviderOptions;
  readonly requestLog: RequestLogOptions;
  readonly twoPerson: { readonly isEnabled: boolean; readonly payoutAboveCents: number };
  readonly wallets: WalletOptions;
  readonly webhooks: WebhookOptions;
};

/** The services of modules whose records belong to no environment, or to people: a test clock does not move them. */
const inRealTime = (services: Services): Services => ({ ...services, clock: services.realClock });

/** The modules of merchants, payers and operators, and the connections to providers. */
const createFoundations = (services: Services, findMerchants: FindMerchants, options: ModuleOptions) => {
  const real = inRealTime(services);
  const providers = createProvidersModule(services, options.providers);
  const operators = createProposalOperators(real);
  const proposals = createProposalsModule(real, { operators, isEnabled: options.twoPerson.isEnabled });
  const merchants = createMerchantsModule(services, { findMerchants, proposals, providers });
  const identity = createIdentityModule(real, {
    options: options.identity,
    operators,
    merchants,
    proposals,
  });
  const wallets = createWalletsModule(real, { options: options.wallets, merchants });
  const customers = createCustomersModule(services);
  const cardTokens = createCardTokensModule(services, { merchants, providers });
  return {
    providers,
    proposals,
    merchants,
    identity,
    wallets,
    customers,
    cardTokens,
    storedMethods: createStoredMethodsModule(services, { cardTokens, customers, merchants, providers }),
    suspense: createSuspenseModule(services, { proposals, providers }),
    paymentMethods: createPaymentMethodsModule(services, { merchants, providers, wallets }),
    checkoutSettings: createCheckoutSettingsModule(real, { merchants }),
    ledger: createLedgerModule(services, { merchants }),
    ledgerCheck: createLedgerCheckModule(real),
  };
};

/** The modules of payments and of everything that may happen to one. */
const createPayments = (services: Services, foundations: ReturnType<typeof createFoundations>) => {
  const { merchants, providers, ledger } = foundations;
  const charges = createChargesModule(services, foundations);
  const subscriptions = createSubscriptionsModule(services, { ...foundations, charges });
  const refunds = createRefundsModule(services, { charges, ledger, providers });
  const chargebacks = createChargebacksModule(services, { charges, merchants, providers, refunds });
  const disputes = createDisputesModule(services, { charges, providers });
  return {
    charges,
    subscriptions,
    checkout: createCheckoutModule(services, { ...foundations, charges, subscriptions }),
    refunds,
    chargebacks,
    disputes,
    providerNotifications: createProviderNotificationsModule(services, {
      ...foundations,
      chargebacks,
      charges,
      disputes,
      refunds,
    }),
  };
};

/**
 * Creates the features of the gateway, each after those that it needs. The order of this result is also the order of
 * routes and refusals in the OpenAPI document and in the documentation.
 */
export const createModules = (services: Services, findMerchants: FindMerchants, options: ModuleOptions) => {
  const foundations = createFoundations(services, findMerchants, options);
  const payments = createPayments(services, foundations);
  const all = { ...foundations, ...payments };
  const { merchants, proposals } = foundations;
  const real = inRealTime(services);
  const adjustments = createAdjustmentsModule(services, all);
  return {
    providers: all.providers,
    merchants,
    providerAccounts: createProviderAccountsModule(real, {
      options: options.providers,
      merchants,
      proposals,
    }),
    submerchants: createSubmerchantsModule(services, all),
    proposals,
    identity: all.identity,
    suspense: all.suspense,
    cardTokens: all.cardTokens,
    checkoutSettings: all.checkoutSettings,
    cardFields: createCardFieldsModule(all),
    storedMethods: all.storedMethods,
    charges: all.charges,
    subscriptions: all.subscriptions,
    checkout: all.checkout,
    checkoutPage: createCheckoutPageModule(services, all),
    disputes: all.disputes,
    refunds: all.refunds,
    providerNotifications: all.providerNotifications,
    payPages: createPayPagesModule(services, all),
    portal: createPortalModule(services, all),
    paymentMethods: all.paymentMethods,
    chargebacks: all.chargebacks,
    adjustments,
    anticipations: createAnticipationsModule(services, all),
    customers: all.customers,
    erasure: createErasureModule(services, all),
    audit: createAuditModule(real),
    ledger: all.ledger,
    statement: createStatementModule(services, { adjustments, merchants }),
    payouts: createPayoutsModule(services, { ...all, aboveCents: options.twoPerson.payoutAboveCents }),
    webhooks: createWebhooksModule(services, { options: options.webhooks, merchants }),
    reports: createReportsModule(services, all),
    settlement: createSettlementModule(services, all),
    wallets: all.wallets,
    ledgerCheck: all.ledgerCheck,
    notes: createNotesModule(services, all),
    search: createSearchModule(services),
    timeline: createTimelineModule(services, all),
    testClock: createTestClockModule(services),
    requestLog: createRequestLogModule(services, { options: options.requestLog }),
  };
};

export type Modules = ReturnType<typeof createModules>;

/** The token under which a process has its modules. */
export const modules = platform.token<Modules>('modules');
