import {
  date,
  decimal,
  flag,
  from,
  hidden,
  integer,
  keyword,
  line,
  money,
  ofMerchant,
  stored,
} from '../../../platform/read-store/fields.ts';
import { defineView } from '../../../platform/read-store/view.ts';
import { LEDGER_CONSUMER } from '../../ledger/write/ledger.store.ts';
import { STATEMENT, STATEMENT_LINES, type StatementLine } from '../../ledger/write/statement-line.ts';

/** The description of a line. */
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
    case 'own_collection':
      return amount < 0
        ? `Collected by the merchant's own account${charge}`
        : `Given back by the merchant's own account${charge}`;
    case 'suspense_clearing':
    case 'suspense':
    case 'suspense_return':
      return `Suspense item ${referenceId}`;
  }
};

export const STATEMENT_VIEW = defineView({
  name: STATEMENT,
  version: 2,
  source: STATEMENT_LINES,
  tenants: 'routed',
  feed: { after: LEDGER_CONSUMER.name, field: 'journalId' },
  fields: {
    id: keyword(),
    ...ofMerchant,
    livemode: hidden(flag()),
    movement_type: keyword(),
    referenceType: keyword(),
    referenceId: line(),
    chargeId: keyword(),
    amount: money(),
    currency: keyword(),
    bucket: keyword(),
    balanceAfter: decimal(),
    description: from(stored(), describe),
    seq: hidden(integer()),
    createdAt: date(),
  },
});

/** The indexed document of a statement line; amounts are in minor units. */
export type StatementDocument = ReturnType<typeof STATEMENT_VIEW.toDocument>;
/** A statement line as the API answers it. */
export type LineAnswer = ReturnType<typeof STATEMENT_VIEW.present>;
