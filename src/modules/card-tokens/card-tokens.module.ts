import type { Services } from '../../platform/services.ts';
import { createFindById } from '../../platform/write-store/read-resource.ts';
import type { MerchantsModule } from '../merchants/merchants.module.ts';
import { FEE_DEFINITIONS } from '../merchants/write/fees.ts';
import type { ProvidersModule } from '../providers/providers.module.ts';
import { cardTokenRoutes } from './card-tokens.http.ts';
import { createCardTesting } from './write/card-testing.ts';
import { CARD_TOKENS } from './write/card-token.ts';
import { cardTokenMigrations, createCardTokenRemoval } from './write/card-tokens.store.ts';
import { createMakeCardToken } from './write/make-card-token.ts';
import { createCardTokens } from './write/use-card-token.ts';

export type CardTokensModule = ReturnType<typeof createCardTokensModule>;

export const createCardTokensModule = (
  services: Services,
  { merchants, providers }: { readonly merchants: MerchantsModule; readonly providers: ProvidersModule },
) => {
  // Limits have the real time.
  const cardTesting = createCardTesting({ ...services, clock: services.realClock });
  const deps = {
    ...services,
    cardTesting,
    findMerchants: merchants.findMerchants,
    findSetting: merchants.findSetting,
    findFeeDefinitions: createFindById(services, FEE_DEFINITIONS),
    findCardToken: createFindById(services, CARD_TOKENS),
    providersOf: providers.providersOf,
  };
  const makeCardToken = createMakeCardToken(deps);
  return {
    cardTesting,
    makeCardToken,
    cardTokens: createCardTokens(deps),
    contributions: {
      migrations: cardTokenMigrations,
      routes: () => cardTokenRoutes({ ...deps, makeCardToken }),
      work: () => ({ removals: [createCardTokenRemoval(services)] }),
    },
  };
};
