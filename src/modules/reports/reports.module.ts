import { defineModule, services } from '../../platform/platform.module.ts';
import { provideEach } from '../../platform/wiring.ts';
import { createAwaitChecked } from '../ledger-check/await-checked.ts';
import { checkStates, differences } from '../ledger-check/ledger-check.module.ts';
import { findMerchants } from '../merchants/merchants.module.ts';
import { createGetReconciliation } from './read/get-reconciliation.ts';
import { createGetReport } from './read/get-report.ts';
import { createGetVolume } from './read/get-volume.ts';
import { reconciliationRoutes, reportRoutes, volumeRoutes } from './reports.http.ts';

const scope = { ...services, differences, states: checkStates, findMerchants };
const checked = provideEach(scope, { createAwaitChecked });
const cases = provideEach(checked, { createGetReport, createGetVolume, createGetReconciliation });

export const reportsModule = defineModule(cases, {
  routes: [reportRoutes, volumeRoutes, reconciliationRoutes],
});
