import { defineModule, services } from '../../platform/platform.module.ts';
import { provide } from '../../platform/wiring.ts';
import { customerRoutes } from './customers.http.ts';
import { createFindChargesOf } from './read/list-charges-of.ts';
import { createEraseCustomer } from './write/erase-customer.ts';
import { createEraseHistory, erasureMigrations } from './write/erasure.store.ts';

const findChargesOf = provide(createFindChargesOf, services.readView);
const eraseHistory = provide(createEraseHistory, services.db);
const eraseCustomer = provide(createEraseCustomer, { ...services, findChargesOf, eraseHistory });

export const customersModule = defineModule({
  migrations: [erasureMigrations],
  routes: [provide(customerRoutes, eraseCustomer)],
});
