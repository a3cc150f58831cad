import { defineModule, findById, services } from '../../platform/platform.module.ts';
import { provide, provideEach } from '../../platform/wiring.ts';
import { findMerchants, findSetting } from '../merchants/merchants.module.ts';
import { FEE_DEFINITIONS } from '../merchants/write/fees.ts';
import { providersOf } from '../providers/providers.module.ts';
import { cardTokenRoutes } from './card-tokens.http.ts';
import { createCardTesting } from './write/card-testing.ts';
import { CARD_TOKENS } from './write/card-token.ts';
import { cardTokenMigrations, createCardTokenRemoval } from './write/card-tokens.store.ts';
import { createMakeCardToken } from './write/make-card-token.ts';
import { createCardTokens } from './write/use-card-token.ts';

const reads = {
  findMerchants,
  findSetting,
  findFeeDefinitions: findById(FEE_DEFINITIONS),
  findCardToken: findById(CARD_TOKENS),
  providersOf,
};
export const cardTesting = provide(createCardTesting, services);
const scope = { ...services, ...reads, cardTesting };
const cases = provideEach(scope, { createMakeCardToken, createCardTokens });
export const { cardTokens, makeCardToken } = cases;

export const cardTokensModule = defineModule(cases, {
  migrations: [cardTokenMigrations],
  routes: [cardTokenRoutes],
  removals: [createCardTokenRemoval],
});
