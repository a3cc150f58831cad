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
import { DISPUTE_KINDS, DISPUTE_STATES } from './write/dispute.ts';

export const TAG = 'Disputes';
export const ADMIN_TAG = 'Disputes (administration)';
export const DISPUTE_READERS = { merchant: 'disputes.manage', operator: 'admin.charges.read' } as const;
export const disputeParams = { id: 'Id of the dispute, `dsp_…`.' };

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
  closedAt: dateTime().allow(null).required().description('When the acquirer decided; null before.'),
  ...timestamps,
}).label('Dispute');
