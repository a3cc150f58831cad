import type { Timestamp } from '../../../kernel/clock.ts';
import { type Store, store } from '../../../kernel/store.ts';
import type { Database } from '../../../platform/write-store/database.ts';
import {
  collections,
  ensureCollections,
  type Migration,
  whereTime,
} from '../../../platform/write-store/migrate.ts';
import { findAmong, RESOURCE_ONLY } from '../../../platform/write-store/mongo.ts';
import { CHARGES } from '../../charges/write/charge.store.ts';
import type { Charge } from '../../charges/write/charge.ts';
import type { DocumentKind } from '../../documents/write/document-files.store.ts';
import type { DocumentId } from '../../documents/write/kept-document.ts';
import { grantToMerchants } from '../../merchants/write/grant-to-merchants.store.ts';
import type { AlertFee } from '../../merchants/write/setting.ts';
import { type Dispute, type DisputeEvent, type DisputeId, disputeOf } from './dispute.ts';
import { DISPUTE_DOCUMENTS, type EvidenceDocument, unchangedSince } from './evidence.ts';

export const DISPUTES: Store<Dispute, DisputeEvent> = store('disputes', 'dispute');

export const EVIDENCE_FILES: DocumentKind = {
  documents: DISPUTE_DOCUMENTS.collection,
  bucket: 'dispute_files',
  usage: 'dispute_document_usage',
};

/** The members of a stored alert that its dispute needs. */
type StoredAlert = Pick<Dispute, 'chargeId' | 'createdAt' | 'updatedAt'> & { readonly fee: AlertFee };
const ALERTS = 'chargeback_alerts';

type StoredCharge = Charge & { readonly tenantId?: string };
type StoredDispute = Dispute & { readonly _id: DisputeId; readonly tenantId?: string };

/** The dispute of a charge from before disputes existed. */
const disputeBefore = (charge: StoredCharge, alert: StoredAlert | undefined): StoredDispute => {
  const fee = alert ? { amount: alert.fee.amount, currency: alert.fee.currency } : null;
  const state = charge.status === 'chargeback' ? 'open' : 'announced';
  const dispute = disputeOf(charge, { kind: alert ? 'alert' : 'chargeback', state, fee });
  return {
    _id: dispute.id,
    ...dispute,
    version: 1,
    createdAt: alert?.createdAt ?? charge.updatedAt,
    updatedAt: charge.updatedAt,
    ...(charge.tenantId === undefined ? {} : { tenantId: charge.tenantId }),
  };
};

const BATCH = 500;

const disputeFormerCharges = async (db: Database): Promise<void> => {
  await ensureCollections(db, [DISPUTES.collection]);
  const disputed = db
    .collection<StoredCharge>(CHARGES.collection)
    .find({ status: { $in: ['pre_chargeback', 'chargeback'] } }, { batchSize: BATCH });
  const add = async (charges: readonly StoredCharge[]): Promise<void> => {
    const chargeIds = charges.map(({ id }) => id);
    const alerts = await db
      .collection<StoredAlert>(ALERTS)
      .find({ chargeId: { $in: chargeIds } })
      .toArray();
    const byCharge = new Map(alerts.map((alert) => [alert.chargeId, alert]));
    await db.collection<StoredDispute>(DISPUTES.collection).bulkWrite(
      charges
        .map((charge) => disputeBefore(charge, byCharge.get(charge.id)))
        // A dispute that exists already may have changed since, so it is left alone.
        .map(({ _id, ...dispute }) => ({
          updateOne: { filter: { _id }, update: { $setOnInsert: dispute }, upsert: true },
        })),
      { ordered: false },
    );
  };
  while (await disputed.hasNext()) await add(disputed.readBufferedDocuments());
};

export const disputesMigrations: readonly Migration[] = [
  { id: '240-disputes', up: disputeFormerCharges },
  collections('240-disputes-evidence', {
    [DISPUTES.collection]: [whereTime('reconcileAt')],
    [DISPUTE_DOCUMENTS.collection]: [{ key: { disputeId: 1 } }, { key: { 'scan.status': 1, removedAt: 1 } }],
    [`${EVIDENCE_FILES.bucket}.files`]: [{ key: { filename: 1, uploadDate: 1 } }],
    [`${EVIDENCE_FILES.bucket}.chunks`]: [{ key: { files_id: 1, n: 1 }, unique: true }],
    [EVIDENCE_FILES.usage]: [],
  }),
  {
    id: '241-disputes-permission',
    async up(db) {
      // Merchants with all permissions get the new ones; a merchant whose permissions were restricted keeps what it
      // has.
      await grantToMerchants(db, { permissions: { $all: ['charges.read', 'refunds.create'] } }, [
        'disputes.manage',
      ]);
    },
  },
];

/** Since when nothing has changed of each evidence of the test environment that waits for no decision. */
export type FindUnchangedOfTest = () => Promise<readonly Timestamp[]>;

export const createFindUnchangedOfTest =
  (db: Database): FindUnchangedOfTest =>
  async () => {
    const documents = await db
      .collection<EvidenceDocument>(DISPUTE_DOCUMENTS.collection)
      .find({ livemode: false, removedAt: null }, { projection: RESOURCE_ONLY })
      .toArray();
    const ids = [...new Set(documents.map(({ disputeId }) => disputeId))];
    const disputes = new Map(
      (await findAmong<Dispute>(db, DISPUTES.collection, '_id', ids, { projection: RESOURCE_ONLY })).map(
        (dispute) => [dispute.id, dispute],
      ),
    );
    return documents.flatMap((document) => {
      const dispute = disputes.get(document.disputeId);
      return (dispute && unchangedSince(document, dispute)) ?? [];
    });
  };

/** Finds the ids of all documents that a dispute ever had, including those that were replaced. */
export type FindEvidenceOf = (disputeId: DisputeId) => Promise<readonly DocumentId[]>;

export const createFindEvidenceOf =
  (db: Database): FindEvidenceOf =>
  async (disputeId) => {
    const found = await db
      .collection<{ readonly _id: DocumentId; readonly disputeId: DisputeId }>(DISPUTE_DOCUMENTS.collection)
      .find({ disputeId }, { projection: { _id: 1 } })
      .toArray();
    return found.map(({ _id }) => _id);
  };
