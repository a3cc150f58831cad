import { exponentOf, toDecimal } from '../../../kernel/money.ts';
import { COMPARABLE_DECIMALS } from '../../../platform/read-store/list.ts';
import type { View } from '../../../platform/read-store/view.ts';
import { LEDGER_CONSUMER } from '../write/ledger.store.ts';
import { STATEMENT, STATEMENT_LINES, type StatementLine } from '../write/statement-line.ts';

/** The index document of a statement line: the shape of the API with money in minor units. */
export type StatementDocument = Pick<
  StatementLine,
  | 'id'
  | 'merchantId'
  | 'masterId'
  | 'livemode'
  | 'movement_type'
  | 'referenceType'
  | 'referenceId'
  | 'chargeId'
  | 'amount'
  | 'currency'
  | 'bucket'
  | 'balanceAfter'
  | 'seq'
  | 'createdAt'
> & {
  /** With the same number of decimals for every currency, to compare and sort by. */
  readonly comparable: { readonly amount: number };
  readonly description: string;
};

export const STATEMENT_VIEW: View<StatementLine, StatementDocument> = {
  name: STATEMENT,
  version: 1,
  source: STATEMENT_LINES,
  feed: { after: LEDGER_CONSUMER.name, field: 'journalId' },
  properties: {
    id: { type: 'keyword' },
    merchantId: { type: 'keyword' },
    masterId: { type: 'keyword' },
    livemode: { type: 'boolean' },
    movement_type: { type: 'keyword' },
    referenceType: { type: 'keyword' },
    referenceId: { type: 'keyword', ignore_above: 256 },
    chargeId: { type: 'keyword' },
    amount: { type: 'long' },
    comparable: { properties: { amount: { type: 'long' } } },
    currency: { type: 'keyword' },
    bucket: { type: 'keyword' },
    seq: { type: 'long' },
    createdAt: { type: 'date' },
  },
  toDocument: (line) => ({
    id: line.id,
    merchantId: line.merchantId,
    masterId: line.masterId,
    livemode: line.livemode,
    movement_type: line.movement_type,
    referenceType: line.referenceType,
    referenceId: line.referenceId,
    chargeId: line.chargeId,
    amount: line.amount,
    comparable: { amount: line.amount * 10 ** (COMPARABLE_DECIMALS - exponentOf(line.currency)) },
    currency: line.currency,
    bucket: line.bucket,
    balanceAfter: line.balanceAfter,
    description: describe(line),
    seq: line.seq,
    createdAt: line.createdAt,
  }),
};

/** What a line is, in words. */
export const describe = (line: StatementLine): string => {
  const { referenceId, amount, bucket, settlement } = line;
  const charge = line.chargeId === null ? '' : ` of charge ${line.chargeId}`;
  const stage = bucket === 'reserved' ? ', from what was not settled yet' : ', from what was available';
  switch (line.movement_type) {
    case 'charge':
      return `Payment${charge}`;
    case 'charge_spread':
      return `Fee${charge}`;
    case 'split_credit':
      return `Share received${charge}`;
    case 'split_debit':
      return `Share passed on${charge}`;
    case 'settlement': {
      const part = settlement ? ` of part ${settlement.settled + 1} of ${settlement.parts}` : '';
      return `Settlement${part}${charge}${amount < 0 ? ': no longer reserved' : ': now available'}`;
    }
    case 'anticipation':
      return `Anticipation ${referenceId}${charge}${amount < 0 ? ': no longer reserved' : ': now available'}`;
    case 'anticipation_fee':
      return `Fee of anticipation ${referenceId}${charge}`;
    case 'refund':
      return `Refund ${referenceId}${charge}${stage}`;
    case 'refund_split':
      return `Share given back for the refund${charge}${stage}`;
    case 'refund_reversal':
      return `Refund ${referenceId}${charge} taken back`;
    case 'chargeback_alert_refund':
      return `Chargeback alert ${referenceId}: refund${charge}${stage}`;
    case 'chargeback_alert_fee':
      return `Chargeback alert ${referenceId}: fee${charge}`;
    case 'chargeback':
      return `Chargeback${charge}${stage}`;
    case 'payout':
      return `Payout ${referenceId}`;
    case 'payout_fee':
      return `Fee of payout ${referenceId}`;
    case 'payout_reversal':
      return `Payout ${referenceId} given back`;
    case 'payout_fee_reversal':
      return `Fee of payout ${referenceId} given back`;
    case 'adjustment':
      return `Adjustment ${referenceId}`;
    case 'suspense_clearing':
    case 'suspense':
    case 'suspense_return':
      return `Suspense item ${referenceId}`;
  }
};

/** A statement line as the API answers it. */
export const presentLine = (document: StatementDocument) => ({
  id: document.id,
  merchantId: document.merchantId,
  movement_type: document.movement_type,
  referenceType: document.referenceType,
  referenceId: document.referenceId,
  chargeId: document.chargeId,
  amount: toDecimal(document.amount, document.currency),
  currency: document.currency,
  bucket: document.bucket,
  balanceAfter: toDecimal(document.balanceAfter, document.currency),
  description: document.description,
  createdAt: document.createdAt,
});
export type PublicLine = ReturnType<typeof presentLine>;
