import { defineModule, findById, services } from '../../platform/platform.module.ts';
import { provideEach } from '../../platform/wiring.ts';
import { adminDisputeRoutes, disputeRoutes } from './disputes.http.ts';
import { DISPUTE_LIST } from './read/list-disputes.ts';
import { createCloseDispute, createRecordDisputeOutcome } from './write/close-dispute.ts';
import { DISPUTES, disputesMigrations } from './write/disputes.store.ts';

const scope = { ...services, findDispute: findById(DISPUTES) };
const cases = provideEach(scope, { createCloseDispute, createRecordDisputeOutcome });
export const { recordDisputeOutcome } = cases;

export const disputesModule = defineModule(cases, {
  migrations: [disputesMigrations],
  lists: [DISPUTE_LIST],
  routes: [disputeRoutes, adminDisputeRoutes],
});
