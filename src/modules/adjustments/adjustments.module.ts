import { defineModule, findById, services } from '../../platform/platform.module.ts';
import { provide, provideEach } from '../../platform/wiring.ts';
import { assertApprover } from '../proposals/proposals.module.ts';
import { adjustmentRoutes } from './adjustments.http.ts';
import { ADJUSTMENT_LIST } from './read/list-adjustments.ts';
import { ADJUSTMENTS } from './write/adjustment.ts';
import { adjustmentMigrations, createFindReasons } from './write/adjustments.store.ts';
import { createCreateAdjustment } from './write/create-adjustment.ts';
import { createProcessAdjustment } from './write/process-adjustment.ts';

export const findReasons = provide(createFindReasons, services.db);
const scope = { ...services, assertApprover, findAdjustment: findById(ADJUSTMENTS) };
const cases = provideEach(scope, { createCreateAdjustment, createProcessAdjustment });

export const adjustmentsModule = defineModule(cases, {
  migrations: [adjustmentMigrations],
  lists: [ADJUSTMENT_LIST],
  routes: [adjustmentRoutes],
});
