import Joi from 'joi';
import { MAX_AMOUNT } from '../../kernel/money.ts';
import {
  currency,
  dateTime,
  knownCurrency,
  livemode,
  money,
  oneOf,
  resourceId,
  text,
  timestamps,
} from '../../platform/http/schemas.ts';
import { ADJUSTMENT_STATUSES } from './write/adjustment.ts';

export const TAG = 'Adjustments (administration)';
export const READERS = ['admin.adjustments.create', 'admin.adjustments.approve'] as const;

export const newAdjustment = Joi.object({
  merchantId: text(64).required().description('Merchant whose balance is adjusted, `mer_…`.'),
  amount: Joi.number()
    .min(-MAX_AMOUNT)
    .max(MAX_AMOUNT)
    .invalid(0)
    .required()
    .description('Decimal; above zero for the merchant, below zero against it.'),
  currency: knownCurrency().required(),
  reason: text(1024).required().description('For whoever approves it, and for the audit.'),
})
  .example({
    merchantId: 'mer_01a1fe9cad9175e79603dda268ed6486',
    amount: -12.5,
    currency: 'BRL',
    reason: 'fee of a chargeback that came by mail',
  })
  .label('AdjustmentRequest');

const userId = resourceId('usr');

export const adjustmentAnswer = Joi.object({
  id: resourceId('adj').required(),
  livemode: livemode().required(),
  merchantId: resourceId('mer').required(),
  amount: money('Above zero for the merchant, below zero against it.').required(),
  currency: currency().required(),
  reason: Joi.string().required().description('Why it was asked for.'),
  status: oneOf(ADJUSTMENT_STATUSES).description('Booked once it is `approved`, and only then.'),
  createdByUserId: userId.required().description('The operator who asked for it, and may not approve it.'),
  processedByUserId: userId
    .allow(null)
    .required()
    .description('The operator who approved or rejected it; null before.'),
  rejectionReason: Joi.string()
    .allow(null)
    .required()
    .description('Null unless it was rejected with a reason.'),
  ledgerEntryId: resourceId('led')
    .allow(null)
    .required()
    .description('Its entry in the statement; null until it is approved.'),
  processedAt: dateTime()
    .allow(null)
    .required()
    .description('When it was approved or rejected; null before.'),
  ...timestamps,
}).label('Adjustment');
