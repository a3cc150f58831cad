import { defineModule, findById, services } from '../../platform/platform.module.ts';
import { provide, provideEach } from '../../platform/wiring.ts';
import { makeCardToken } from '../card-tokens/card-tokens.module.ts';
import { findCharge, findStatuses } from '../charges/charges.module.ts';
import { findShop } from '../checkout-settings/checkout-settings.module.ts';
import { findSetting } from '../merchants/merchants.module.ts';
import { publicUrl } from '../providers/providers.module.ts';
import { findMethod, storeCard } from '../stored-methods/stored-methods.module.ts';
import {
  cancelSubscription,
  findCycles,
  findPlan,
  findSubscription,
  undoCancel,
  updateSubscription,
} from '../subscriptions/subscriptions.module.ts';
import { createGetPortalContent } from './page/portal-content.ts';
import { openPortalRoutes, portalFormRoutes, portalPageRoutes } from './portal.http.ts';
import { createChangeCard, createSettlePendingCard } from './write/change-card.ts';
import { createEndSubscription } from './write/end-subscription.ts';
import { createFindPortal } from './write/find-portal.ts';
import { createOpenPortal } from './write/open-portal.ts';
import { PORTALS } from './write/portal.ts';
import { createCountRefusals, createPortalRemoval, portalMigrations } from './write/portals.store.ts';

const others = {
  makeCardToken,
  storeCard,
  findMethod,
  findCharge,
  findStatuses,
  findSetting,
  findShop,
  publicUrl,
  cancelSubscription,
  undoCancel,
  updateSubscription,
  findCycles,
  findPlan,
  findSubscription,
};
const scope = {
  ...services,
  ...others,
  findPortalById: findById(PORTALS),
  countRefusals: provide(createCountRefusals, services.db),
};
const cases = provideEach(scope, {
  createFindPortal,
  createOpenPortal,
  createChangeCard,
  createSettlePendingCard,
  createEndSubscription,
  createGetPortalContent,
});

export const portalModule = defineModule(cases, {
  migrations: [portalMigrations],
  routes: [openPortalRoutes, portalPageRoutes, portalFormRoutes],
  removals: [createPortalRemoval],
});
