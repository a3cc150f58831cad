import type { Services } from '../../platform/services.ts';
import { createFindById } from '../../platform/write-store/read-resource.ts';
import type { ProposalsModule } from '../proposals/proposals.module.ts';
import { adjustmentRoutes } from './adjustments.http.ts';
import { ADJUSTMENT_LIST } from './read/list-adjustments.ts';
import { ADJUSTMENTS } from './write/adjustment.ts';
import { adjustmentMigrations, createFindReasons } from './write/adjustments.store.ts';
import { createAdjustmentHandler } from './write/create-adjustment.ts';
import { createProcessAdjustment } from './write/process-adjustment.ts';

export type AdjustmentsModule = ReturnType<typeof createAdjustmentsModule>;

export const createAdjustmentsModule = (
  services: Services,
  { proposals }: { readonly proposals: ProposalsModule },
) => {
  const deps = {
    ...services,
    assertApprover: proposals.assertApprover,
    findAdjustment: createFindById(services, ADJUSTMENTS),
    createAdjustment: createAdjustmentHandler(services),
  };
  const processAdjustment = createProcessAdjustment(deps);
  return {
    findReasons: createFindReasons(services.db),
    contributions: {
      migrations: adjustmentMigrations,
      views: [ADJUSTMENT_LIST.view],
      routes: () => [...ADJUSTMENT_LIST.routes(deps), ...adjustmentRoutes({ ...deps, processAdjustment })],
    },
  };
};
