import { toDecimal } from '../../../kernel/money.ts';
import {
  date,
  keyword,
  money,
  object,
  ofMerchant,
  shown,
  stored,
  timestamps,
} from '../../../platform/read-store/fields.ts';
import { defineView } from '../../../platform/read-store/view.ts';
import type { Dispute } from '../write/dispute.ts';
import { DISPUTES } from '../write/disputes.store.ts';
import type { EvidenceDocument } from '../write/evidence.ts';

/** The fee, decimal in its own currency. */
const shownFee = (fee: Dispute['fee']) => fee && { ...fee, amount: toDecimal(fee.amount, fee.currency) };

export const DISPUTES_VIEW = defineView({
  name: 'disputes',
  version: 1,
  source: DISPUTES,
  tenants: 'routed',
  fields: {
    id: keyword(),
    kind: keyword(),
    state: keyword(),
    chargeId: keyword(),
    ...ofMerchant,
    amount: money(),
    currency: keyword(),
    fee: shown(stored(), shownFee),
    delivery: object({ status: keyword() }),
    closedAt: date(),
    ...timestamps,
  },
});

/** A dispute as lists answer it. */
export const presentDispute = DISPUTES_VIEW.present;

/** A document of evidence as the API answers it. */
export const presentEvidence = ({
  id,
  type,
  fileName,
  contentType,
  size,
  sha256,
  createdAt,
  removedAt,
  scan,
}: EvidenceDocument) => ({
  id,
  type,
  fileName,
  contentType,
  size,
  sha256,
  createdAt,
  ...(removedAt === null ? {} : { removedAt }),
  ...(scan === null ? {} : { scanStatus: scan.status }),
});
