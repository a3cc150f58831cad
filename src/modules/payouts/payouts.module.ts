import { ContainerModule } from 'inversify';
import type { Db } from 'mongodb';
import { newId } from '../../kernel/ids.ts';
import { CLOCK, DB, MIGRATIONS, ROUTES, TRANSACT, VIEW } from '../../platform/platform.module.ts';
import { readResource } from '../../platform/write-store/mongo.ts';
import { DEBIT_AVAILABLE, FOLD_OUTSTANDING } from '../ledger/ledger.module.ts';
import { LIST_VISIBLE } from '../merchants/merchants.module.ts';
import { findSetting } from '../merchants/write/settings.store.ts';
import { payoutAdminRoutes, payoutCreationRoutes, payoutReadRoutes } from './payouts.http.ts';
import { createListPayoutRequests, createScanPayoutRequests } from './read/list-payout-requests.ts';
import { PAYOUT_REQUESTS_VIEW } from './read/payout-request.view.ts';
import { divideReversals } from './write/divide-reversals.store.ts';
import { PAYOUT_REQUESTS } from './write/payout-request.ts';
import { payoutMigrations } from './write/payouts.store.ts';
import { createProcessPayoutRequest } from './write/process-payout-request.ts';
import { createRequestPayout } from './write/request-payout.ts';

const findPayoutRequest = (db: Db) => (id: string) => readResource(db, PAYOUT_REQUESTS, id);

export const payoutsModule = new ContainerModule(({ bind }) => {
  bind(MIGRATIONS).toConstantValue(payoutMigrations);
  bind(MIGRATIONS).toResolvedValue((transact) => [divideReversals(transact)], [TRANSACT]);
  bind(VIEW).toConstantValue(PAYOUT_REQUESTS_VIEW);
  bind(ROUTES).toResolvedValue(
    (db, transact, clock) =>
      payoutCreationRoutes(createRequestPayout({ transact, findSetting: findSetting(db), clock, newId })),
    [DB, TRANSACT, CLOCK],
  );
  bind(ROUTES).toResolvedValue(
    (db, visible) =>
      payoutReadRoutes({
        listPayoutRequests: createListPayoutRequests(visible),
        scanPayoutRequests: createScanPayoutRequests(visible),
        findPayoutRequest: findPayoutRequest(db),
      }),
    [DB, LIST_VISIBLE],
  );
  bind(ROUTES).toResolvedValue(
    (db, transact, clock, foldOutstanding, debitAvailable) =>
      payoutAdminRoutes(
        createProcessPayoutRequest({
          transact,
          findPayoutRequest: findPayoutRequest(db),
          foldOutstanding,
          debitAvailable,
          clock,
          newId,
        }),
      ),
    [DB, TRANSACT, CLOCK, FOLD_OUTSTANDING, DEBIT_AVAILABLE],
  );
});
