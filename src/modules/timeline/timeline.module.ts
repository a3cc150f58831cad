import type { Services } from '../../platform/services.ts';
import { createFindAlertOf } from '../chargebacks/write/chargebacks.store.ts';
import type { ChargesModule } from '../charges/charges.module.ts';
import type { MerchantsModule } from '../merchants/merchants.module.ts';
import type { ProvidersModule } from '../providers/providers.module.ts';
import { createGetTimeline } from './read/get-timeline.ts';
import { timelineRoutes } from './timeline.http.ts';

export const createTimelineModule = (
  services: Services,
  {
    charges,
    merchants,
    providers,
  }: {
    readonly charges: ChargesModule;
    readonly merchants: MerchantsModule;
    readonly providers: ProvidersModule;
  },
) => {
  const getTimeline = createGetTimeline({
    ...services,
    findCharge: charges.findCharge,
    findAlertOf: createFindAlertOf(services.db),
    findMerchants: merchants.findMerchants,
    providerCalls: providers.providerCalls,
  });
  return { contributions: { routes: () => timelineRoutes({ getTimeline }) } };
};
