import { ContainerModule, type ServiceIdentifier } from 'inversify';
import type { Db } from 'mongodb';
import { newId } from '../../kernel/ids.ts';
import { CLOCK, DB, MIGRATIONS, ROUTES, TRANSACT, VIEW } from '../../platform/platform.module.ts';
import { readResource } from '../../platform/write-store/mongo.ts';
import type { Transact } from '../../platform/write-store/transact.ts';
import { DEBIT_AVAILABLE, FOLD_OUTSTANDING } from '../ledger/ledger.module.ts';
import { LIST_VISIBLE } from '../merchants/merchants.module.ts';
import { findSetting } from '../merchants/write/settings.store.ts';
import { PROPOSABLE, SUBMIT_COMMAND, TWO_PERSON_OPTIONS } from '../proposals/proposals.module.ts';
import { payoutAdminRoutes, payoutCreationRoutes, payoutReadRoutes } from './payouts.http.ts';
import { createListPayoutRequests, createScanPayoutRequests } from './read/list-payout-requests.ts';
import { PAYOUT_REQUESTS_VIEW, presentPayoutRequest } from './read/payout-request.view.ts';
import { type ApprovePayout, approvePayout } from './write/approve-payout.ts';
import { divideReversals } from './write/divide-reversals.store.ts';
import { PAYOUT_REQUESTS } from './write/payout-request.ts';
import { payoutMigrations } from './write/payouts.store.ts';
import { createProcessPayoutRequest, type ProcessPayoutRequest } from './write/process-payout-request.ts';
import { createRequestPayout } from './write/request-payout.ts';

const token = <T>(name: string): ServiceIdentifier<T> => Symbol.for(name);

const PROCESS_PAYOUT_REQUEST = token<(transact: Transact) => ProcessPayoutRequest>('ProcessPayoutRequest');
const APPROVE_PAYOUT = token<ApprovePayout>('ApprovePayout');

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
  bind(PROCESS_PAYOUT_REQUEST).toResolvedValue(
    (db, clock, foldOutstanding, debitAvailable) => (transact) =>
      createProcessPayoutRequest({
        transact,
        findPayoutRequest: findPayoutRequest(db),
        foldOutstanding,
        debitAvailable,
        clock,
        newId,
      }),
    [DB, CLOCK, FOLD_OUTSTANDING, DEBIT_AVAILABLE],
  );
  bind(APPROVE_PAYOUT).toResolvedValue(
    ({ payoutAboveCents }, processPayoutRequest) =>
      approvePayout({
        aboveCents: payoutAboveCents,
        processPayoutRequest,
        present: presentPayoutRequest,
      }),
    [TWO_PERSON_OPTIONS, PROCESS_PAYOUT_REQUEST],
  );
  bind(PROPOSABLE).toResolvedValue((approve) => approve, [APPROVE_PAYOUT]);
  bind(ROUTES).toResolvedValue(
    (transact, processPayoutRequest, submit, approvePayout) =>
      payoutAdminRoutes({ processPayoutRequest: processPayoutRequest(transact), submit, approvePayout }),
    [TRANSACT, PROCESS_PAYOUT_REQUEST, SUBMIT_COMMAND, APPROVE_PAYOUT],
  );
});
