import { defineModule, services } from '../../platform/platform.module.ts';
import { provide, provideEach } from '../../platform/wiring.ts';
import { eraseEvidenceOf } from '../disputes/disputes.module.ts';
import { customerRoutes } from './customers.http.ts';
import { createFindChargesOf } from './read/find-charges-of.ts';
import { createEraseCustomer } from './write/erase-customer.ts';
import { createEraseHistory, erasureMigrations } from './write/erasure.store.ts';

const findChargesOf = provide(createFindChargesOf, services.readView);
const eraseHistory = provide(createEraseHistory, services.db);
const cases = provideEach(
  { ...services, findChargesOf, eraseHistory, eraseEvidenceOf },
  { createEraseCustomer },
);

export const customersModule = defineModule(cases, {
  migrations: [erasureMigrations],
  routes: [customerRoutes],
});
