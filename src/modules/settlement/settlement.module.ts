import { defineModule, services } from '../../platform/platform.module.ts';
import { provide, provideEach } from '../../platform/wiring.ts';
import { findMerchants } from '../merchants/merchants.module.ts';
import { createGetUpcoming } from './read/get-upcoming.ts';
import { settlementTestHelperRoutes } from './settlement.http.ts';
import { upcomingRoutes } from './upcoming.http.ts';
import { createSettleDue } from './write/settle-due.ts';
import { createFindSettleable, settlementMigrations } from './write/settlement.store.ts';
import { createSettlementLoop } from './write/settlement-loop.ts';

const findSettleable = provide(createFindSettleable, services.db);
const scope = provideEach(
  { ...services, findSettleable, findMerchants },
  { createSettleDue, createGetUpcoming },
);

export const settlementModule = defineModule(scope, {
  migrations: [settlementMigrations],
  routes: [upcomingRoutes, settlementTestHelperRoutes],
  loops: [createSettlementLoop],
});
