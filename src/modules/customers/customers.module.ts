import type { Services } from '../../platform/services.ts';
import { createFindById } from '../../platform/write-store/read-resource.ts';
import { customerRoutes } from './customers.http.ts';
import { CUSTOMER_LIST } from './read/list-customers.ts';
import { CUSTOMERS } from './write/customer.ts';
import { createEraseCustomerEvents, customersMigrations } from './write/customers.store.ts';
import { createForgetCustomer, type FollowDeletion } from './write/forget-customer.ts';
import {
  createCustomerHandler,
  createDeleteCustomer,
  createUpdateCustomer,
  type IsSubscribed,
} from './write/manage-customers.ts';

export type CustomersModule = ReturnType<typeof createCustomersModule>;

export const createCustomersModule = (services: Services) => {
  const findCustomer = createFindById(services, CUSTOMERS);
  const followers: FollowDeletion[] = [];
  const subscribers: IsSubscribed[] = [];
  const forgetCustomer = createForgetCustomer({
    ...services,
    eraseCustomerEvents: createEraseCustomerEvents(services.db),
    followers,
  });
  const deps = { ...services, findCustomer, forgetCustomer, subscribers };
  const cases = {
    ...deps,
    createCustomer: createCustomerHandler(deps),
    updateCustomer: createUpdateCustomer(deps),
    deleteCustomer: createDeleteCustomer(deps),
  };
  return {
    findCustomer,
    forgetCustomer,
    /** Called by modules that keep data of a customer. */
    followDeletions: (follow: FollowDeletion): void => void followers.push(follow),
    /** Called by the module of subscriptions, which a deletion by the merchant has to leave alone. */
    addSubscribers: (isSubscribed: IsSubscribed): void => void subscribers.push(isSubscribed),
    contributions: {
      migrations: customersMigrations,
      views: [CUSTOMER_LIST.view],
      routes: () => [...CUSTOMER_LIST.routes(cases), ...customerRoutes(cases)],
    },
  };
};
