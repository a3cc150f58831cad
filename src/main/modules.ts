import { Container, type ContainerModule } from 'inversify';
import { adjustmentsModule } from '../modules/adjustments/adjustments.module.ts';
import { anticipationsModule } from '../modules/anticipations/anticipations.module.ts';
import { auditModule } from '../modules/audit/audit.module.ts';
import { cardFieldsModule } from '../modules/card-fields/card-fields.module.ts';
import { cardTokensModule } from '../modules/card-tokens/card-tokens.module.ts';
import { chargebacksModule } from '../modules/chargebacks/chargebacks.module.ts';
import { chargesModule } from '../modules/charges/charges.module.ts';
import { checkoutModule } from '../modules/checkout/checkout.module.ts';
import { checkoutPageModule } from '../modules/checkout-page/checkout-page.module.ts';
import { checkoutSettingsModule } from '../modules/checkout-settings/checkout-settings.module.ts';
import { customersModule } from '../modules/customers/customers.module.ts';
import { disputesModule } from '../modules/disputes/disputes.module.ts';
import { erasureModule } from '../modules/erasure/erasure.module.ts';
import { identityModule } from '../modules/identity/identity.module.ts';
import { ledgerModule } from '../modules/ledger/ledger.module.ts';
import { ledgerCheckModule } from '../modules/ledger-check/ledger-check.module.ts';
import { merchantsModule } from '../modules/merchants/merchants.module.ts';
import { payPagesModule } from '../modules/pay-pages/pay-pages.module.ts';
import { paymentMethodsModule } from '../modules/payment-methods/payment-methods.module.ts';
import { payoutsModule } from '../modules/payouts/payouts.module.ts';
import { portalModule } from '../modules/portal/portal.module.ts';
import { proposalsModule } from '../modules/proposals/proposals.module.ts';
import { providerAccountsModule } from '../modules/provider-accounts/provider-accounts.module.ts';
import { providerNotificationsModule } from '../modules/provider-notifications/provider-notifications.module.ts';
import { providersModule } from '../modules/providers/providers.module.ts';
import { refundsModule } from '../modules/refunds/refunds.module.ts';
import { reportsModule } from '../modules/reports/reports.module.ts';
import { searchModule } from '../modules/search/search.module.ts';
import { settlementModule } from '../modules/settlement/settlement.module.ts';
import { statementModule } from '../modules/statement/statement.module.ts';
import { storedMethodsModule } from '../modules/stored-methods/stored-methods.module.ts';
import { submerchantsModule } from '../modules/submerchants/submerchants.module.ts';
import { subscriptionsModule } from '../modules/subscriptions/subscriptions.module.ts';
import { suspenseModule } from '../modules/suspense/suspense.module.ts';
import { timelineModule } from '../modules/timeline/timeline.module.ts';
import { walletsModule } from '../modules/wallets/wallets.module.ts';
import { webhooksModule } from '../modules/webhooks/webhooks.module.ts';
import * as platform from '../platform/platform.module.ts';
import { bindProvided } from '../platform/wiring.ts';

/** The features of the gateway. */
export const MODULES: readonly ContainerModule[] = [
  providersModule,
  merchantsModule,
  providerAccountsModule,
  submerchantsModule,
  proposalsModule,
  identityModule,
  suspenseModule,
  cardTokensModule,
  checkoutSettingsModule,
  cardFieldsModule,
  storedMethodsModule,
  chargesModule,
  subscriptionsModule,
  checkoutModule,
  checkoutPageModule,
  disputesModule,
  refundsModule,
  providerNotificationsModule,
  payPagesModule,
  portalModule,
  paymentMethodsModule,
  chargebacksModule,
  adjustmentsModule,
  anticipationsModule,
  customersModule,
  erasureModule,
  auditModule,
  ledgerModule,
  statementModule,
  payoutsModule,
  webhooksModule,
  reportsModule,
  settlementModule,
  walletsModule,
  ledgerCheckModule,
  searchModule,
  timelineModule,
];

/** Names of the views that they have. */
export const viewNames = (): readonly string[] => {
  const container = new Container({ defaultScope: 'Singleton' });
  container.load(bindProvided(), ...MODULES);
  return container.get(platform.views).map(({ name }) => name);
};
