import { defineModule, services } from '../../platform/platform.module.ts';
import { provide, provideEach } from '../../platform/wiring.ts';
import { createAwaitChecked } from '../ledger-check/await-checked.ts';
import { checkStates, differences } from '../ledger-check/ledger-check.module.ts';
import { findMerchants } from '../merchants/merchants.module.ts';
import { createGetReconciliation } from './read/get-reconciliation.ts';
import { createListReport } from './read/list-report.ts';
import { createListVolume } from './read/list-volume.ts';
import { reconciliationRoutes, reportRoutes, volumeRoutes } from './reports.http.ts';

const scope = { ...services, differences, states: checkStates };
const awaitChecked = provide(createAwaitChecked, scope);

export const reportsModule = defineModule({
  routes: [
    provide(reportRoutes, provideEach(services, { createListReport })),
    provide(volumeRoutes, provide(createListVolume, { ...services, findMerchants })),
    provide(reconciliationRoutes, provide(createGetReconciliation, { ...scope, awaitChecked })),
  ],
});
