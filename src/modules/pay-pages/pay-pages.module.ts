import { defineModule, services } from '../../platform/platform.module.ts';
import { provide } from '../../platform/wiring.ts';
import { findCharge } from '../charges/charges.module.ts';
import { getMerchant } from '../merchants/merchants.module.ts';
import { takeInNotification } from '../provider-notifications/provider-notifications.module.ts';
import { simulator } from '../providers/providers.module.ts';
import { payPageRoutes } from './pay-pages.http.ts';
import { createFindPayable, createPlayPayer } from './play-payer.ts';

const { clock } = services;
const findPayable = provide(createFindPayable, findCharge);
const playPayer = provide(createPlayPayer, { findPayable, simulator, takeIn: takeInNotification, clock });

export const payPagesModule = defineModule({
  routes: [provide(payPageRoutes, { findPayable, playPayer, getMerchant, clock })],
});
