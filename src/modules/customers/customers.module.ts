import { defineModule, findById, services } from '../../platform/platform.module.ts';
import { all, provide, provideEach, token } from '../../platform/wiring.ts';
import { customerRoutes } from './customers.http.ts';
import { CUSTOMER_LIST } from './read/list-customers.ts';
import { CUSTOMERS } from './write/customer.ts';
import { createEraseCustomerEvents, customersMigrations } from './write/customers.store.ts';
import { createForgetCustomer, type FollowDeletion } from './write/forget-customer.ts';
import {
  createCreateCustomer,
  createDeleteCustomer,
  createUpdateCustomer,
} from './write/manage-customers.ts';

export const findCustomer = findById(CUSTOMERS);
/** Contributed by modules that keep something of a customer. */
export const deletionFollowers = token<FollowDeletion>('deletionFollowers');
const eraseCustomerEvents = provide(createEraseCustomerEvents, services.db);
const forgetting = { ...services, findCustomer, eraseCustomerEvents, followers: all(deletionFollowers) };
const scope = provideEach(forgetting, { createForgetCustomer });
export const { forgetCustomer } = scope;
const cases = provideEach(scope, { createCreateCustomer, createUpdateCustomer, createDeleteCustomer });

export const customersModule = defineModule(cases, {
  migrations: [customersMigrations],
  lists: [CUSTOMER_LIST],
  routes: [customerRoutes],
});
