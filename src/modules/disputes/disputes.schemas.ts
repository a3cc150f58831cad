import Joi from 'joi';
import {
  currency,
  dateTime,
  livemode,
  money,
  oneOf,
  resourceId,
  timestamps,
} from '../../platform/http/schemas.ts';
import { documentAnswerOf, uploadBodies } from '../documents/documents.schemas.ts';
import { DELIVERY_STATUSES, DISPUTE_KINDS, DISPUTE_STATES, EVIDENCE_TYPES } from './write/dispute.ts';

export const TAG = 'Disputes';
export const ADMIN_TAG = 'Disputes (administration)';
export const DISPUTE_READERS = { merchant: 'disputes.manage', operator: 'admin.charges.read' } as const;
export const disputeParams = { id: 'Id of the dispute, `dsp_…`.' };

const type = oneOf(EVIDENCE_TYPES).description('Kind of evidence. A dispute has one document of each.');

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

/** As lists answer it. */
export const disputeAnswer = Joi.object({
  id: resourceId('dsp').required(),
  kind: oneOf(DISPUTE_KINDS).description(
    'How it began: `alert` where the acquirer announced the chargeback, `chargeback` where it took the money at once.',
  ),
  state: oneOf(DISPUTE_STATES).description(
    '`announced`: the payer was refunded for an alert, and no chargeback has come; `open`: the acquirer confirmed the chargeback; `under_review`: the evidence was submitted; `won` or `lost`: the acquirer has decided.',
  ),
  chargeId: resourceId('chg').required(),
  merchantId: resourceId('mer').required(),
  livemode: livemode().required(),
  amount: money('Amount of the charge.').required(),
  currency: currency().required(),
  fee: Joi.object({
    amount: money('Amount debited for the alert.').required(),
    currency: currency().required(),
  })
    .allow(null)
    .required()
    .label('DisputeFee')
    .description('Fee of the alert, in a currency of its own; null without an alert.'),
  delivery: Joi.object({
    status: oneOf(DELIVERY_STATUSES).description(
      '`pending`: the gateway hands the evidence to the provider; `delivered`: the provider has it; `refused`: the provider did not take it; `by_operator`: the provider takes none, so an operator of the gateway passes it on.',
    ),
    reason: Joi.string().allow(null).required().description('Why it was refused; null otherwise.'),
  })
    .allow(null)
    .required()
    .label('EvidenceDelivery')
    .description('The way of the evidence after it was submitted; null before.'),
  closedAt: dateTime().allow(null).required().description('When the acquirer decided; null before.'),
  ...timestamps,
}).label('Dispute');

export const disputeWithEvidence = disputeAnswer
  .keys({ evidence: Joi.array().items(evidenceAnswer).required().description('Documents that count.') })
  .label('DisputeWithEvidence');
