import type { Services } from '../../platform/services.ts';
import type { CustomersModule } from '../customers/customers.module.ts';
import type { DisputesModule } from '../disputes/disputes.module.ts';
import { erasureRoutes } from './erasure.http.ts';
import { createFindChargesOf } from './read/find-charges-of.ts';
import { createFindCustomersOf } from './read/find-customers-of.ts';
import { createFindSessionsOf } from './read/find-sessions-of.ts';
import { createSessionRemoval } from './remove-sessions.ts';
import { createEraseCustomer } from './write/erase-customer.ts';
import { createEraseHistory, erasureMigrations } from './write/erasure.store.ts';

export const createErasureModule = (
  services: Services,
  { customers, disputes }: { readonly customers: CustomersModule; readonly disputes: DisputesModule },
) => {
  const { db, readView } = services;
  const eraseHistory = createEraseHistory(db);
  const eraseCustomer = createEraseCustomer({
    ...services,
    findChargesOf: createFindChargesOf(readView),
    findCustomersOf: createFindCustomersOf(readView),
    findSessionsOf: createFindSessionsOf(readView),
    eraseHistory,
    forgetCustomer: customers.forgetCustomer,
    eraseEvidenceOf: disputes.eraseEvidenceOf,
  });
  return {
    contributions: {
      migrations: erasureMigrations,
      routes: () => erasureRoutes({ eraseCustomer }),
      work: () => ({ removals: [createSessionRemoval({ ...services, eraseHistory })] }),
    },
  };
};
