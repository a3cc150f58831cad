import { reconcileLoop } from '../../platform/platform.module.ts';
import type { Services } from '../../platform/services.ts';
import { createFindById } from '../../platform/write-store/read-resource.ts';
import type { ChargesModule } from '../charges/charges.module.ts';
import { createDocumentFiles } from '../documents/write/document-files.store.ts';
import { downloadOf } from '../documents/write/download-document.ts';
import { documentRenewalOf } from '../documents/write/renew-documents.ts';
import { scanLoopOf } from '../documents/write/scan-documents.ts';
import type { ProvidersModule } from '../providers/providers.module.ts';
import { adminDisputeRoutes, disputeRoutes } from './disputes.http.ts';
import { createGetDispute, createShowDispute } from './read/get-dispute.ts';
import { DISPUTE_LIST } from './read/list-disputes.ts';
import { createAttachEvidence } from './write/attach-evidence.ts';
import { createCloseDispute, createRecordDisputeOutcome } from './write/close-dispute.ts';
import { createDeliverEvidence } from './write/deliver-evidence.ts';
import {
  createFindEvidenceOf,
  createFindUnchangedOfTest,
  DISPUTES,
  disputesMigrations,
  EVIDENCE_FILES,
} from './write/disputes.store.ts';
import { DISPUTE_DOCUMENTS } from './write/evidence.ts';
import { createEraseEvidenceOf, createEvidenceRemoval } from './write/remove-evidence.ts';
import { createSubmitEvidence } from './write/submit-evidence.ts';

export type DisputesModule = ReturnType<typeof createDisputesModule>;

export const createDisputesModule = (
  services: Services,
  { charges, providers }: { readonly charges: ChargesModule; readonly providers: ProvidersModule },
) => {
  const { db, sealing, retention, scan } = services;
  const stored = {
    ...services,
    findCharge: charges.findCharge,
    findDispute: createFindById(services, DISPUTES),
    findEvidence: createFindById(services, DISPUTE_DOCUMENTS),
    findEvidenceOf: createFindEvidenceOf(db),
    findUnchangedOfTest: createFindUnchangedOfTest(db),
    providerNamed: providers.providerNamed,
    files: createDocumentFiles(db, sealing, EVIDENCE_FILES),
    needsScan: scan !== null,
    days: retention.documentDays,
  };
  const deps = { ...stored, showDispute: createShowDispute(stored) };
  const downloadEvidence = downloadOf(
    DISPUTE_DOCUMENTS,
    (document, disputeId) => document.disputeId === disputeId,
  );
  const cases = {
    ...deps,
    getDispute: createGetDispute(deps),
    closeDispute: createCloseDispute(deps),
    recordDisputeOutcome: createRecordDisputeOutcome(deps),
    attachEvidence: createAttachEvidence(deps),
    submitEvidence: createSubmitEvidence(deps),
    downloadEvidence: downloadEvidence(deps),
  };
  return {
    recordDisputeOutcome: cases.recordDisputeOutcome,
    eraseEvidenceOf: createEraseEvidenceOf(deps),
    contributions: {
      migrations: disputesMigrations,
      views: [DISPUTE_LIST.view],
      routes: () => [...DISPUTE_LIST.routes(cases), ...disputeRoutes(cases), ...adminDisputeRoutes(cases)],
      renewals: [documentRenewalOf('evidence')(deps)],
      work: () => ({
        removals: [createEvidenceRemoval(deps)],
        loops: [scanLoopOf(DISPUTE_DOCUMENTS, 'scan evidence')(deps)],
        dueLoops: [
          reconcileLoop(services, {
            name: 'deliver evidence',
            of: DISPUTES,
            reconcile: createDeliverEvidence(deps),
          }),
        ],
      }),
    },
  };
};
