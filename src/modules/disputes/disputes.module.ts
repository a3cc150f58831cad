import type { Scan } from '../../platform/outbound/clamd.ts';
import {
  defineModule,
  findById,
  reconcileLoop,
  retention,
  services,
} from '../../platform/platform.module.ts';
import { member, provide, provideEach } from '../../platform/wiring.ts';
import { findCharge } from '../charges/charges.module.ts';
import { createDocumentFiles } from '../documents/write/document-files.store.ts';
import { downloadOf } from '../documents/write/download-document.ts';
import { documentRenewalOf } from '../documents/write/renew-documents.ts';
import { scanLoopOf } from '../documents/write/scan-documents.ts';
import { providerNamed } from '../providers/providers.module.ts';
import { adminDisputeRoutes, disputeRoutes } from './disputes.http.ts';
import { createGetDispute, createShowDispute } from './read/get-dispute.ts';
import { DISPUTE_LIST } from './read/list-disputes.ts';
import { createAttachEvidence } from './write/attach-evidence.ts';
import { createCloseDispute, createRecordDisputeOutcome } from './write/close-dispute.ts';
import { createDeliverEvidence } from './write/deliver-evidence.ts';
import {
  createFindEvidenceOf,
  DISPUTES,
  disputesMigrations,
  EVIDENCE_FILES,
} from './write/disputes.store.ts';
import { DISPUTE_DOCUMENTS } from './write/evidence.ts';
import { createEraseEvidenceOf, createEvidenceRemoval } from './write/remove-evidence.ts';
import { createSubmitEvidence } from './write/submit-evidence.ts';

const { db, sealing } = services;
const reads = {
  findCharge,
  findDispute: findById(DISPUTES),
  findEvidence: findById(DISPUTE_DOCUMENTS),
  findEvidenceOf: provide(createFindEvidenceOf, db),
};
const scope = {
  ...services,
  ...reads,
  providerNamed,
  files: provide(createDocumentFiles, db, sealing, EVIDENCE_FILES),
  needsScan: provide((scanner: Scan | null) => scanner !== null, services.scan),
  days: member(retention, 'documentDays'),
};
const shown = provideEach(scope, { createShowDispute });
const cases = provideEach(shown, {
  createGetDispute,
  createCloseDispute,
  createRecordDisputeOutcome,
  createAttachEvidence,
  createSubmitEvidence,
  createDeliverEvidence,
  createEraseEvidenceOf,
  createDownloadEvidence: downloadOf(
    DISPUTE_DOCUMENTS,
    (document, disputeId) => document.disputeId === disputeId,
  ),
});
export const { recordDisputeOutcome, eraseEvidenceOf } = cases;

export const disputesModule = defineModule(cases, {
  migrations: [disputesMigrations],
  lists: [DISPUTE_LIST],
  routes: [disputeRoutes, adminDisputeRoutes],
  renewals: [documentRenewalOf('evidence')],
  removals: [createEvidenceRemoval],
  loops: [
    scanLoopOf(DISPUTE_DOCUMENTS, 'scan evidence'),
    reconcileLoop('deliver evidence', DISPUTES, cases.deliverEvidence),
  ],
});
