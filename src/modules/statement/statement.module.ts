import type { Services } from '../../platform/services.ts';
import type { AdjustmentsModule } from '../adjustments/adjustments.module.ts';
import type { MerchantsModule } from '../merchants/merchants.module.ts';
import { balanceRoutes } from './balance.http.ts';
import { createGetBalance } from './read/get-balance.ts';
import { createGetExplanation } from './read/get-explanation.ts';
import { createFindGiven } from './read/get-given.ts';
import { createGetStatementChain } from './read/get-statement-chain.ts';
import { STATEMENT_LIST } from './read/list-statement.ts';
import { createSumMovements } from './read/sum-movements.ts';
import { statementRoutes } from './statement.http.ts';

export const createStatementModule = (
  services: Services,
  {
    adjustments,
    merchants,
  }: { readonly adjustments: AdjustmentsModule; readonly merchants: MerchantsModule },
) => {
  const deps = {
    ...services,
    findMerchants: merchants.findMerchants,
    findReasons: adjustments.findReasons,
    findGiven: createFindGiven(services.db),
  };
  const cases = {
    ...deps,
    sumMovements: createSumMovements(deps),
    getExplanation: createGetExplanation(deps),
    getStatementChain: createGetStatementChain(deps),
    getBalance: createGetBalance(deps),
  };
  return {
    contributions: {
      views: [STATEMENT_LIST.view],
      routes: () => [...STATEMENT_LIST.routes(cases), ...statementRoutes(cases), ...balanceRoutes(cases)],
    },
  };
};
