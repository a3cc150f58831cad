import { defineModule, findById, services } from '../../platform/platform.module.ts';
import { provide, provideEach } from '../../platform/wiring.ts';
import { findCharge } from '../charges/charges.module.ts';
import { anticipationRoutes } from './anticipations.http.ts';
import { ANTICIPATIONS_VIEW } from './read/anticipation.view.ts';
import { createGetQuote } from './read/get-quote.ts';
import { ANTICIPATION_LIST } from './read/list-anticipations.ts';
import { createAnticipate, createFindReservedFor } from './write/anticipate.ts';
import { ANTICIPATIONS } from './write/anticipation.ts';
import { anticipationMigrations, createFindReserved } from './write/anticipations.store.ts';

const findReserved = provide(createFindReserved, services.db);
const findReservedFor = provide(createFindReservedFor, { findCharge, findReserved });
const cases = provideEach({ ...services, findReservedFor }, { createAnticipate, createGetQuote });

export const anticipationsModule = defineModule({
  migrations: [anticipationMigrations],
  views: [ANTICIPATIONS_VIEW],
  lists: [ANTICIPATION_LIST],
  routes: [provide(anticipationRoutes, { ...cases, findAnticipation: findById(ANTICIPATIONS) })],
});
