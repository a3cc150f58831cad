import { defineModule, services } from '../../platform/platform.module.ts';
import { provide } from '../../platform/wiring.ts';
import { settlementTestHelperRoutes } from './settlement.http.ts';
import { createSettleDue } from './write/settle-due.ts';
import { createFindSettleable, settlementMigrations } from './write/settlement.store.ts';
import { createSettlementLoop } from './write/settlement-loop.ts';

const findSettleable = provide(createFindSettleable, services.db);
const scope = { ...services, settleDue: provide(createSettleDue, { ...services, findSettleable }) };

export const settlementModule = defineModule({
  migrations: [settlementMigrations],
  routes: [provide(settlementTestHelperRoutes, scope)],
  loops: [provide(createSettlementLoop, scope)],
});
