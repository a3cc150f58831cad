import { defineModule, services } from '../../platform/platform.module.ts';
import { provide, provideEach } from '../../platform/wiring.ts';
import { findCharge } from '../charges/charges.module.ts';
import { getMerchant } from '../merchants/merchants.module.ts';
import { takeInNotification } from '../provider-notifications/provider-notifications.module.ts';
import { simulator } from '../providers/providers.module.ts';
import { payPageRoutes } from './pay-pages.http.ts';
import { createFindPayable, createPlayPayer } from './play-payer.ts';

const findPayable = provide(createFindPayable, findCharge);
const scope = { ...services, findPayable, simulator, takeIn: takeInNotification, getMerchant };

export const payPagesModule = defineModule(provideEach(scope, { createPlayPayer }), {
  routes: [payPageRoutes],
});
