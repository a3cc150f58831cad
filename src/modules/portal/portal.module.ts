import type { Services } from '../../platform/services.ts';
import { createFindById } from '../../platform/write-store/read-resource.ts';
import type { CardTokensModule } from '../card-tokens/card-tokens.module.ts';
import type { ChargesModule } from '../charges/charges.module.ts';
import type { CheckoutSettingsModule } from '../checkout-settings/checkout-settings.module.ts';
import type { MerchantsModule } from '../merchants/merchants.module.ts';
import type { ProvidersModule } from '../providers/providers.module.ts';
import type { StoredMethodsModule } from '../stored-methods/stored-methods.module.ts';
import type { SubscriptionsModule } from '../subscriptions/subscriptions.module.ts';
import { createGetPortalContent } from './page/portal-content.ts';
import { openPortalRoutes, portalFormRoutes, portalPageRoutes } from './portal.http.ts';
import { createChangeCard, createSettlePendingCard } from './write/change-card.ts';
import { createEndSubscription } from './write/end-subscription.ts';
import { createFindPortal } from './write/find-portal.ts';
import { createOpenPortal } from './write/open-portal.ts';
import { PORTALS } from './write/portal.ts';
import { createCountRefusals, createPortalRemoval, portalMigrations } from './write/portals.store.ts';

type Needs = {
  readonly cardTokens: CardTokensModule;
  readonly charges: ChargesModule;
  readonly checkoutSettings: CheckoutSettingsModule;
  readonly merchants: MerchantsModule;
  readonly providers: ProvidersModule;
  readonly storedMethods: StoredMethodsModule;
  readonly subscriptions: SubscriptionsModule;
};

export const createPortalModule = (services: Services, needs: Needs) => {
  const { charges, storedMethods, subscriptions } = needs;
  const deps = {
    ...services,
    makeCardToken: needs.cardTokens.makeCardToken,
    findCharge: charges.findCharge,
    findStatuses: charges.findStatuses,
    findShop: needs.checkoutSettings.findShop,
    findSetting: needs.merchants.findSetting,
    publicUrl: needs.providers.publicUrl,
    findMethod: storedMethods.findMethod,
    storeCard: storedMethods.storeCard,
    cancelSubscription: subscriptions.cancelSubscription,
    undoCancel: subscriptions.undoCancel,
    updateSubscription: subscriptions.updateSubscription,
    findCycle: subscriptions.findCycle,
    findPaidCycles: subscriptions.findPaidCycles,
    findPlan: subscriptions.findPlan,
    findSubscription: subscriptions.findSubscription,
    findPortalById: createFindById(services, PORTALS),
    countRefusals: createCountRefusals(services.db),
  };
  const cases = {
    ...deps,
    findPortal: createFindPortal(deps),
    openPortal: createOpenPortal(deps),
    changeCard: createChangeCard(deps),
    settlePendingCard: createSettlePendingCard(deps),
    endSubscription: createEndSubscription(deps),
    getPortalContent: createGetPortalContent(deps),
  };
  return {
    contributions: {
      migrations: portalMigrations,
      routes: () => [...openPortalRoutes(cases), ...portalPageRoutes(cases), ...portalFormRoutes(cases)],
      work: () => ({ removals: [createPortalRemoval(services)] }),
    },
  };
};
