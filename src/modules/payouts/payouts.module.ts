import type { Db } from 'mongodb';
import { defineModule, findById, provideWithin, services } from '../../platform/platform.module.ts';
import { contribute, member, provide } from '../../platform/wiring.ts';
import type { Transact } from '../../platform/write-store/transaction.ts';
import { debitAvailable, foldOutstanding } from '../ledger/ledger.module.ts';
import { findSetting } from '../merchants/merchants.module.ts';
import { proposables, submitCommand, twoPersonOptions } from '../proposals/proposals.module.ts';
import { payoutAdminRoutes, payoutCreationRoutes, payoutReadRoutes } from './payouts.http.ts';
import { PAYOUT_REQUEST_LIST } from './read/list-payout-requests.ts';
import { PAYOUT_REQUESTS_VIEW, presentPayoutRequest } from './read/payout-request.view.ts';
import { createWaitingLoop } from './read/waiting-loop.ts';
import { createApprovePayout } from './write/approve-payout.ts';
import { divideReversals } from './write/divide-reversals.store.ts';
import { PAYOUT_REQUESTS } from './write/payout-request.ts';
import { payoutMigrations } from './write/payouts.store.ts';
import { createProcessPayoutRequest } from './write/process-payout-request.ts';
import { createRequestPayout } from './write/request-payout.ts';

const findPayoutRequest = findById(PAYOUT_REQUESTS);
const scope = { ...services, findPayoutRequest, foldOutstanding, debitAvailable, findSetting };
const approvePayout = provide(createApprovePayout, {
  aboveCents: member(twoPersonOptions, 'payoutAboveCents'),
  processPayoutRequest: provideWithin(createProcessPayoutRequest, scope),
  present: presentPayoutRequest,
});
const processPayoutRequest = provide(createProcessPayoutRequest, scope);
const divided = (db: Db, transact: Transact) => [divideReversals(db, transact)];

export const payoutsModule = defineModule(
  {
    migrations: [payoutMigrations, provide(divided, services.db, services.transact)],
    views: [PAYOUT_REQUESTS_VIEW],
    lists: [PAYOUT_REQUEST_LIST],
    loops: [provide(createWaitingLoop, services)],
    routes: [
      provide(payoutCreationRoutes, provide(createRequestPayout, scope)),
      provide(payoutReadRoutes, { findPayoutRequest }),
      provide(payoutAdminRoutes, { processPayoutRequest, submit: submitCommand, approvePayout }),
    ],
  },
  contribute(proposables, approvePayout),
);
