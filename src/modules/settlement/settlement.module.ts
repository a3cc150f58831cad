import { defineModule, services } from '../../platform/platform.module.ts';
import { provide, provideEach } from '../../platform/wiring.ts';
import { settlementTestHelperRoutes } from './settlement.http.ts';
import { createSettleDue } from './write/settle-due.ts';
import { createFindSettleable, settlementMigrations } from './write/settlement.store.ts';
import { createSettlementLoop } from './write/settlement-loop.ts';

const findSettleable = provide(createFindSettleable, services.db);
const scope = provideEach({ ...services, findSettleable }, { createSettleDue });

export const settlementModule = defineModule(scope, {
  migrations: [settlementMigrations],
  routes: [settlementTestHelperRoutes],
  loops: [createSettlementLoop],
});
