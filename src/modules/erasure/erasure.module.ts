import { defineModule, services } from '../../platform/platform.module.ts';
import { provide, provideEach } from '../../platform/wiring.ts';
import { forgetCustomer } from '../customers/customers.module.ts';
import { eraseEvidenceOf } from '../disputes/disputes.module.ts';
import { erasureRoutes } from './erasure.http.ts';
import { createFindChargesOf } from './read/find-charges-of.ts';
import { createFindCustomersOf } from './read/find-customers-of.ts';
import { createFindSessionsOf } from './read/find-sessions-of.ts';
import { createEraseCustomer } from './write/erase-customer.ts';
import { createEraseHistory, erasureMigrations } from './write/erasure.store.ts';

const findChargesOf = provide(createFindChargesOf, services.readView);
const findCustomersOf = provide(createFindCustomersOf, services.readView);
const findSessionsOf = provide(createFindSessionsOf, services.readView);
const eraseHistory = provide(createEraseHistory, services.db);
const cases = provideEach(
  {
    ...services,
    findChargesOf,
    findCustomersOf,
    findSessionsOf,
    eraseHistory,
    forgetCustomer,
    eraseEvidenceOf,
  },
  { createEraseCustomer },
);

export const erasureModule = defineModule(cases, {
  migrations: [erasureMigrations],
  routes: [erasureRoutes],
});
