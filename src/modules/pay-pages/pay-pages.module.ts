import type { Services } from '../../platform/services.ts';
import type { ChargesModule } from '../charges/charges.module.ts';
import type { MerchantsModule } from '../merchants/merchants.module.ts';
import type { ProviderNotificationsModule } from '../provider-notifications/provider-notifications.module.ts';
import type { ProvidersModule } from '../providers/providers.module.ts';
import { payPageRoutes } from './pay-pages.http.ts';
import { createFindPayable, createPlayPayer } from './play-payer.ts';

export const createPayPagesModule = (
  services: Services,
  needs: {
    readonly charges: ChargesModule;
    readonly merchants: MerchantsModule;
    readonly providerNotifications: ProviderNotificationsModule;
    readonly providers: ProvidersModule;
  },
) => {
  const deps = {
    ...services,
    findPayable: createFindPayable(needs.charges.findCharge),
    simulator: needs.providers.simulator,
    takeIn: needs.providerNotifications.takeInNotification,
    getMerchant: needs.merchants.getMerchant,
  };
  return { contributions: { routes: () => payPageRoutes({ ...deps, playPayer: createPlayPayer(deps) }) } };
};
