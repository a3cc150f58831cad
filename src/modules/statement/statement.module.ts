import { defineModule, findTenant, services } from '../../platform/platform.module.ts';
import { provide, provideEach } from '../../platform/wiring.ts';
import { findReasons } from '../adjustments/adjustments.module.ts';
import { findMerchants } from '../merchants/merchants.module.ts';
import { balanceRoutes } from './balance.http.ts';
import { createGetBalance } from './read/get-balance.ts';
import { createGetExplanation } from './read/get-explanation.ts';
import { createFindGiven } from './read/get-given.ts';
import { createGetStatementChain } from './read/get-statement-chain.ts';
import { createListMovementSums } from './read/list-movement-sums.ts';
import { createStatementList } from './read/list-statement.ts';
import { STATEMENT_VIEW } from './read/statement.view.ts';
import { statementRoutes } from './statement.http.ts';

const scope = { ...services, findMerchants, findTenant, findGiven: provide(createFindGiven, services.db) };

export const statementModule = defineModule({
  views: [STATEMENT_VIEW],
  lists: [provide(createStatementList, findReasons)],
  routes: [
    provide(
      statementRoutes,
      provideEach(scope, { createListMovementSums, createGetExplanation, createGetStatementChain }),
    ),
    provide(balanceRoutes, provide(createGetBalance, scope)),
  ],
});
