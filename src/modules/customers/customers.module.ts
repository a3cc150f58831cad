import { defineModule, findById, services } from '../../platform/platform.module.ts';
import { provide, provideEach } from '../../platform/wiring.ts';
import { customerRoutes } from './customers.http.ts';
import { CUSTOMER_LIST } from './read/list-customers.ts';
import { CUSTOMERS } from './write/customer.ts';
import { createEraseCustomerEvents, customersMigrations } from './write/customers.store.ts';
import {
  createCreateCustomer,
  createDeleteCustomer,
  createUpdateCustomer,
} from './write/manage-customers.ts';

export const findCustomer = findById(CUSTOMERS);
export const eraseCustomerEvents = provide(createEraseCustomerEvents, services.db);
const scope = { ...services, findCustomer, eraseCustomerEvents };
const cases = provideEach(scope, { createCreateCustomer, createUpdateCustomer, createDeleteCustomer });

export const customersModule = defineModule(cases, {
  migrations: [customersMigrations],
  lists: [CUSTOMER_LIST],
  routes: [customerRoutes],
});
