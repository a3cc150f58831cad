import { defineModule, findTenant, services } from '../../platform/platform.module.ts';
import { provide, provideEach } from '../../platform/wiring.ts';
import { findReasons } from '../adjustments/adjustments.module.ts';
import { findMerchants } from '../merchants/merchants.module.ts';
import { balanceRoutes } from './balance.http.ts';
import { createGetBalance } from './read/get-balance.ts';
import { createGetExplanation } from './read/get-explanation.ts';
import { createFindGiven } from './read/get-given.ts';
import { createGetStatementChain } from './read/get-statement-chain.ts';
import { STATEMENT_LIST } from './read/list-statement.ts';
import { createSumMovements } from './read/sum-movements.ts';
import { statementRoutes } from './statement.http.ts';

const others = { findMerchants, findTenant, findReasons };
const scope = { ...services, ...others, findGiven: provide(createFindGiven, services.db) };
const cases = provideEach(scope, {
  createSumMovements,
  createGetExplanation,
  createGetStatementChain,
  createGetBalance,
});

export const statementModule = defineModule(cases, {
  lists: [STATEMENT_LIST],
  routes: [statementRoutes, balanceRoutes],
});
