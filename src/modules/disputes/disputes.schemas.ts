import {
  currency,
  dateTime,
  livemode,
  money,
  oneOf,
  resourceId,
  timestamps,
} from '../../platform/http/schemas.ts';
import { arrayOf, object, string } from '../../platform/http/typed.ts';
import { documentAnswerOf, uploadBodies } from '../documents/documents.schemas.ts';
import { DELIVERY_STATUSES, DISPUTE_KINDS, DISPUTE_STATES, EVIDENCE_TYPES } from './write/dispute.ts';

export const TAG = 'Disputes';
export const ADMIN_TAG = 'Disputes (administration)';
export const DISPUTE_READERS = { merchant: 'disputes.manage', operator: 'admin.charges.read' } as const;
export const disputeParams = { id: 'Id of the dispute, `dsp_…`.' };

const type = oneOf(EVIDENCE_TYPES).description('Kind of evidence. A dispute has one document of each kind.');

export const evidenceBodies = uploadBodies(
  type,
  { json: 'EvidenceRequest', form: 'EvidenceForm' },
  { type: 'receipt', fileName: 'receipt.pdf', content: 'JVBERi0xLjQKJSVFT0YK' },
);

export const evidenceAnswer = documentAnswerOf(
  type,
  'because it was replaced, the payer was erased, or the dispute is long over',
  'DisputeEvidence',
);

/** A dispute as lists answer it. */
export const disputeAnswer = object({
  id: resourceId('dsp').required(),
  kind: oneOf(DISPUTE_KINDS).description(
    'How the dispute began: `alert` if the acquirer announced the chargeback, `chargeback` if it took the money back at once.',
  ),
  state: oneOf(DISPUTE_STATES).description(
    '`announced`: the payer was refunded for an alert, and no chargeback has come; `open`: the acquirer confirmed the chargeback; `under_review`: the evidence was submitted; `won` or `lost`: the acquirer has decided.',
  ),
  chargeId: resourceId('chg').required(),
  merchantId: resourceId('mer').required(),
  livemode: livemode().required(),
  amount: money('Amount of the charge.').required(),
  currency: currency().required(),
  fee: object({
    amount: money('Amount debited for the alert.').required(),
    currency: currency().required(),
  })
    .allow(null)
    .required()
    .label('DisputeFee')
    .description('Fee of the alert, in the currency of the fee; null without an alert.'),
  delivery: object({
    status: oneOf(DELIVERY_STATUSES).description(
      '`pending`: the gateway hands the evidence to the provider; `delivered`: the provider has it; `refused`: the provider did not accept it; `by_operator`: the provider accepts no evidence, so an operator of the gateway passes it on.',
    ),
    reason: string()
      .allow(null)
      .required()
      .description('Why the provider refused the evidence; null otherwise.'),
  })
    .allow(null)
    .required()
    .label('EvidenceDelivery')
    .description('Delivery of the evidence to the provider; null before it is submitted.'),
  closedAt: dateTime().allow(null).required().description('When the acquirer decided; null before.'),
  ...timestamps,
}).label('Dispute');

export const disputeWithEvidence = disputeAnswer
  .keys({
    evidence: arrayOf(evidenceAnswer)
      .required()
      .description('Documents of the dispute, without those that were replaced.'),
  })
  .label('DisputeWithEvidence');
