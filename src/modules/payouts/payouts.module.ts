import { defineModule, findById, provideWithin, services } from '../../platform/platform.module.ts';
import { contribute, member, provide, provideEach } from '../../platform/wiring.ts';
import { debitAvailable, foldOutstanding } from '../ledger/ledger.module.ts';
import { findSetting } from '../merchants/merchants.module.ts';
import { findPending, proposables, submitCommand, twoPersonOptions } from '../proposals/proposals.module.ts';
import { payoutAdminRoutes, payoutCreationRoutes, payoutReadRoutes } from './payouts.http.ts';
import { PAYOUT_REQUEST_LIST } from './read/list-payout-requests.ts';
import { presentPayoutRequest } from './read/payout-request.view.ts';
import { createWaitingLoop } from './read/waiting-loop.ts';
import { createApprovePayout } from './write/approve-payout.ts';
import { createCancelPayout } from './write/cancel-payout.ts';
import { createPayoutDivisions } from './write/divide-reversals.store.ts';
import { PAYOUT_REQUESTS } from './write/payout-request.ts';
import { payoutMigrations } from './write/payouts.store.ts';
import { createProcessPayoutRequest } from './write/process-payout-request.ts';
import { createRequestPayout } from './write/request-payout.ts';

const findPayoutRequest = findById(PAYOUT_REQUESTS);
const scope = { ...services, findPayoutRequest, foldOutstanding, debitAvailable, findSetting, findPending };
const approvePayout = provide(createApprovePayout, {
  aboveCents: member(twoPersonOptions, 'payoutAboveCents'),
  processPayoutRequest: provideWithin(createProcessPayoutRequest, scope),
  present: presentPayoutRequest,
});
const deciding = { ...scope, approvePayout, submit: submitCommand };
const cases = provideEach(deciding, {
  createProcessPayoutRequest,
  createRequestPayout,
  createCancelPayout,
});

export const payoutsModule = defineModule(cases, {
  migrations: [payoutMigrations, provide(createPayoutDivisions, services)],
  lists: [PAYOUT_REQUEST_LIST],
  loops: [createWaitingLoop],
  routes: [payoutCreationRoutes, payoutReadRoutes, payoutAdminRoutes],
  contributions: [contribute(proposables, approvePayout)],
});
