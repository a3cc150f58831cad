import { defineModule, findById, services } from '../../platform/platform.module.ts';
import { provide, provideEach } from '../../platform/wiring.ts';
import { findCharge } from '../charges/charges.module.ts';
import { anticipationRoutes } from './anticipations.http.ts';
import { createGetQuote } from './read/get-quote.ts';
import { ANTICIPATION_LIST } from './read/list-anticipations.ts';
import { createAnticipate, createFindReservedFor } from './write/anticipate.ts';
import { ANTICIPATIONS } from './write/anticipation.ts';
import { anticipationMigrations, createFindReserved } from './write/anticipations.store.ts';

const findReserved = provide(createFindReserved, services.db);
const scope = { ...services, findCharge, findReserved, findAnticipation: findById(ANTICIPATIONS) };
const reading = provideEach(scope, { createFindReservedFor });
const cases = provideEach(reading, { createAnticipate, createGetQuote });

export const anticipationsModule = defineModule(cases, {
  migrations: [anticipationMigrations],
  lists: [ANTICIPATION_LIST],
  routes: [anticipationRoutes],
});
