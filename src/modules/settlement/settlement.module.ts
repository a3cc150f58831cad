import type { Services } from '../../platform/services.ts';
import type { MerchantsModule } from '../merchants/merchants.module.ts';
import { createGetUpcoming } from './read/get-upcoming.ts';
import { settlementTestHelperRoutes } from './settlement.http.ts';
import { upcomingRoutes } from './upcoming.http.ts';
import { createSettleDue } from './write/settle-due.ts';
import {
  createFindNextSettlement,
  createFindSettleable,
  settlementMigrations,
} from './write/settlement.store.ts';
import { createSettlementLoop } from './write/settlement-loop.ts';

export const createSettlementModule = (
  services: Services,
  { merchants }: { readonly merchants: MerchantsModule },
) => {
  const stored = {
    ...services,
    findSettleable: createFindSettleable(services.db),
    findNextSettlement: createFindNextSettlement(services.db),
    findMerchants: merchants.findMerchants,
  };
  const deps = { ...stored, settleDue: createSettleDue(stored) };
  return {
    contributions: {
      migrations: settlementMigrations,
      routes: () => [
        ...upcomingRoutes({ getUpcoming: createGetUpcoming(stored) }),
        ...settlementTestHelperRoutes(deps),
      ],
      work: () => ({ dueLoops: [createSettlementLoop(deps)] }),
    },
  };
};
