import { defineModule, services } from '../../platform/platform.module.ts';
import { provide, provideEach } from '../../platform/wiring.ts';
import { createFindAlertOf } from '../chargebacks/write/chargebacks.store.ts';
import { findCharge } from '../charges/charges.module.ts';
import { findMerchants } from '../merchants/merchants.module.ts';
import { providerCalls } from '../providers/providers.module.ts';
import { createGetTimeline } from './read/get-timeline.ts';
import { timelineRoutes } from './timeline.http.ts';

const findAlertOf = provide(createFindAlertOf, services.db);
const scope = { ...services, findCharge, findAlertOf, findMerchants, providerCalls };

export const timelineModule = defineModule(provideEach(scope, { createGetTimeline }), {
  routes: [timelineRoutes],
});
