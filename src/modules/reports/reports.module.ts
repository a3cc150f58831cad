import type { Services } from '../../platform/services.ts';
import { createAwaitChecked } from '../ledger-check/await-checked.ts';
import type { LedgerCheckModule } from '../ledger-check/ledger-check.module.ts';
import type { MerchantsModule } from '../merchants/merchants.module.ts';
import { createGetReconciliation } from './read/get-reconciliation.ts';
import { createGetReport } from './read/get-report.ts';
import { createGetVolume } from './read/get-volume.ts';
import { reconciliationRoutes, reportRoutes, volumeRoutes } from './reports.http.ts';

export const createReportsModule = (
  services: Services,
  {
    ledgerCheck,
    merchants,
  }: { readonly ledgerCheck: LedgerCheckModule; readonly merchants: MerchantsModule },
) => {
  const stored = {
    ...services,
    differences: ledgerCheck.differences,
    states: ledgerCheck.checkStates,
    findMerchants: merchants.findMerchants,
  };
  const deps = { ...stored, awaitChecked: createAwaitChecked(stored) };
  return {
    contributions: {
      routes: () => [
        ...reportRoutes({ getReport: createGetReport(deps) }),
        ...volumeRoutes({ getVolume: createGetVolume(deps) }),
        ...reconciliationRoutes({ getReconciliation: createGetReconciliation(deps) }),
      ],
    },
  };
};
