import type { MerchantId } from '../../kernel/ids.ts';
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
import { number, object, string } from '../../platform/http/typed.ts';
import { ADJUSTMENT_STATUSES } from './write/adjustment.ts';

export const TAG = 'Adjustments (administration)';
export const READERS = ['admin.adjustments.create', 'admin.adjustments.approve'] as const;

export const newAdjustment = object({
  merchantId: text<MerchantId>(64).required().description('Merchant whose balance is adjusted, `mer_…`.'),
  amount: number()
    .min(-MAX_AMOUNT)
    .max(MAX_AMOUNT)
    .invalid(0)
    .required()
    .description('Decimal; above zero to credit the merchant, below zero to debit it.'),
  currency: knownCurrency().required(),
  reason: text(1024)
    .required()
    .description('Reason, for the operator who approves it and for the audit log.'),
})
  .example({
    merchantId: 'mer_01a1fe9cad9175e79603dda268ed6486',
    amount: -12.5,
    currency: 'BRL',
    reason: 'fee of a chargeback that came by mail',
  })
  .label('AdjustmentRequest');

const userId = resourceId('usr');

export const adjustmentAnswer = object({
  id: resourceId('adj').required(),
  livemode: livemode().required(),
  merchantId: resourceId('mer').required(),
  amount: money('Above zero if the merchant is credited, below zero if it is debited.').required(),
  currency: currency().required(),
  reason: string().required().description('Reason of the adjustment, by its author.'),
  status: oneOf(ADJUSTMENT_STATUSES).description(
    'The adjustment is booked when it is `approved`, and not before.',
  ),
  createdByUserId: userId.required().description('The operator who proposed it, and who may not approve it.'),
  processedByUserId: userId
    .allow(null)
    .required()
    .description('The operator who approved or rejected it; null before.'),
  rejectionReason: string()
    .allow(null)
    .required()
    .description('Reason of the rejection; null unless it was rejected with one.'),
  ledgerEntryId: resourceId('led')
    .allow(null)
    .required()
    .description('The entry of the adjustment in the statement; null until it is approved.'),
  processedAt: dateTime()
    .allow(null)
    .required()
    .description('When it was approved or rejected; null while it is pending.'),
  ...timestamps,
}).label('Adjustment');
