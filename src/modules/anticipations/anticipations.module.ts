import type { Services } from '../../platform/services.ts';
import { createFindById } from '../../platform/write-store/read-resource.ts';
import type { ChargesModule } from '../charges/charges.module.ts';
import { anticipationRoutes } from './anticipations.http.ts';
import { createGetQuote } from './read/get-quote.ts';
import { ANTICIPATION_LIST } from './read/list-anticipations.ts';
import { createAnticipate, createFindReservedFor } from './write/anticipate.ts';
import { ANTICIPATIONS } from './write/anticipation.ts';
import { anticipationMigrations, createFindReserved } from './write/anticipations.store.ts';

export const createAnticipationsModule = (
  services: Services,
  { charges }: { readonly charges: ChargesModule },
) => {
  const stored = {
    ...services,
    findCharge: charges.findCharge,
    findReserved: createFindReserved(services.db),
    findAnticipation: createFindById(services, ANTICIPATIONS),
  };
  const deps = { ...stored, findReservedFor: createFindReservedFor(stored) };
  const cases = { ...deps, anticipate: createAnticipate(deps), getQuote: createGetQuote(deps) };
  return {
    contributions: {
      migrations: anticipationMigrations,
      views: [ANTICIPATION_LIST.view],
      routes: () => [...ANTICIPATION_LIST.routes(cases), ...anticipationRoutes(cases)],
    },
  };
};
