import { inGivenTransaction } from '../../platform/platform.module.ts';
import type { Services } from '../../platform/services.ts';
import { createFindById } from '../../platform/write-store/read-resource.ts';
import type { LedgerModule } from '../ledger/ledger.module.ts';
import type { MerchantsModule } from '../merchants/merchants.module.ts';
import type { ProposalsModule } from '../proposals/proposals.module.ts';
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

export const createPayoutsModule = (
  services: Services,
  {
    aboveCents,
    ledger,
    merchants,
    proposals,
  }: {
    /** Payouts of more than this many cents need a second operator. */
    readonly aboveCents: number;
    readonly ledger: LedgerModule;
    readonly merchants: MerchantsModule;
    readonly proposals: ProposalsModule;
  },
) => {
  const deps = {
    ...services,
    findPayoutRequest: createFindById(services, PAYOUT_REQUESTS),
    foldOutstanding: ledger.foldOutstanding,
    debitAvailable: ledger.debitAvailable,
    findSetting: merchants.findSetting,
    findPending: proposals.findPending,
  };
  const approvePayout = createApprovePayout({
    aboveCents,
    processPayoutRequest: inGivenTransaction(createProcessPayoutRequest, deps),
    present: presentPayoutRequest,
  });
  proposals.addProposables(approvePayout);
  const cases = {
    ...deps,
    approvePayout,
    submit: proposals.submitCommand,
    processPayoutRequest: createProcessPayoutRequest(deps),
    requestPayout: createRequestPayout(deps),
    cancelPayout: createCancelPayout(deps),
  };
  return {
    contributions: {
      migrations: [...payoutMigrations, ...createPayoutDivisions(services)],
      views: [PAYOUT_REQUEST_LIST.view],
      routes: () => [
        ...PAYOUT_REQUEST_LIST.routes(cases),
        ...payoutCreationRoutes(cases),
        ...payoutReadRoutes(cases),
        ...payoutAdminRoutes(cases),
      ],
      work: () => ({ loops: [createWaitingLoop(deps)] }),
    },
  };
};
