import type { Document } from 'mongodb';
import type { ChargebackAlert } from '../../src/modules/chargebacks/write/alert.ts';
import type { ManualRefundRequest } from '../../src/modules/chargebacks/write/manual-refund-request.ts';
import type { Charge } from '../../src/modules/charges/write/charge.ts';
import type { Journal } from '../../src/modules/ledger/write/journal.ts';
import type { PayoutRequest } from '../../src/modules/payouts/write/payout-request.ts';
import type { SimulatedPayment, SimulatedRefund } from '../../src/modules/providers/simulator/payment.ts';
import type { Refund } from '../../src/modules/refunds/write/refund.ts';
import type { Database } from '../../src/platform/write-store/database.ts';
import { type ModelCharge, modelChargeOf } from './behaviours.ts';

/** A state of the model, as `gateway.qnt` declares it. */
export type ModelState = {
  readonly did: {
    readonly what: string;
    readonly by: string;
    readonly number: number;
    readonly value: string;
  };
  readonly card: string;
  readonly stored: ModelCharge;
  readonly refunds: number;
  readonly ledger: Readonly<Record<'reserved' | 'available' | 'clearing' | 'revenue' | 'transit', number>>;
  readonly payouts: ReadonlyMap<number, string>;
  readonly payment_: string;
  readonly given: ReadonlyMap<number, string>;
  readonly commands: ReadonlyMap<string, { readonly kind: string; readonly step: string }>;
};

/** The part of a state that is compared. */
export type Compared = Pick<ModelState, 'stored' | 'refunds' | 'ledger'> & {
  readonly payouts: Readonly<Record<number, string>>;
  readonly payment: string;
  readonly given: readonly string[];
};

export const comparedOf = ({ stored, refunds, ledger, payouts, payment_, given }: ModelState): Compared => ({
  stored,
  refunds,
  ledger,
  payouts: Object.fromEntries(payouts),
  payment: payment_,
  given: [...given]
    .sort(([a], [b]) => a - b)
    .map(([, status]) => status)
    .slice(0, refunds),
});

/** Minor units for a unit of the model. */
export const UNIT = 1_000;

const ACCOUNTS = {
  reserved: 'reserved',
  available: 'available',
  provider_clearing: 'clearing',
  revenue: 'revenue',
  payouts_in_transit: 'transit',
} as const;

const ledgerOf = (journals: readonly Journal[]): ModelState['ledger'] => {
  const ledger = { reserved: 0, available: 0, clearing: 0, revenue: 0, transit: 0 };
  for (const { bucket, amount } of journals.flatMap(({ postings }) => postings)) {
    if (!(bucket in ACCOUNTS)) throw new Error(`the model has no account ${bucket}`);
    ledger[ACCOUNTS[bucket as keyof typeof ACCOUNTS]] += amount / UNIT;
  }
  return ledger;
};

const payoutStatusOf = ({ status, transferStatus }: PayoutRequest): string =>
  transferStatus === null || transferStatus === 'pending' ? status : transferStatus;

/** One charge and the payouts of its merchant as the stores of the program hold them, in the words of the model. */
export const readStores = async (
  db: Database,
  merchantId: string,
  payoutIds: ReadonlyMap<number, string>,
): Promise<Compared> => {
  const all = <T extends Document>(collection: string, filter: object): Promise<T[]> =>
    db.collection(collection).find<T>(filter).sort({ _id: 1 }).toArray();
  const [charge] = await all<Charge>('charges', { merchantId });
  const refunds = await all<Refund>('refunds', { merchantId });
  const [alert] = await all<ChargebackAlert>('chargeback_alerts', { merchantId });
  const [manual] = await all<ManualRefundRequest>('manual_refund_requests', { merchantId });
  const requests = await all<PayoutRequest>('payout_requests', { merchantId });
  const [payment] = await all<SimulatedPayment>('simulator_payments', { _id: charge?.id ?? '' });
  const given = await all<SimulatedRefund>('simulator_refunds', { paymentReference: charge?.id ?? '' });
  const about = new Set<string | null>([...(charge ? [charge] : []), ...requests].map(({ id }) => id));
  const journals = (await all<Journal>('journals', {})).filter(
    ({ chargeId, referenceId }) => about.has(chargeId) || about.has(referenceId),
  );
  const payouts = [1, 2].map((number): [number, string] => {
    const request = requests.find(({ id }) => id === payoutIds.get(number));
    return [number, request ? payoutStatusOf(request) : 'none'];
  });
  return {
    stored: modelChargeOf({
      charge: charge ?? null,
      refund: refunds.find(({ id }) => id === charge?.refundId) ?? null,
      alert: alert ?? null,
      manual: manual ?? null,
    }),
    refunds: refunds.length,
    ledger: ledgerOf(journals),
    payouts: Object.fromEntries(payouts),
    payment: payment ? (payment.order ? payment.status : 'cancelled') : 'none',
    given: refunds.map(({ id }) => given.find(({ _id }) => _id === id)?.status ?? 'none'),
  };
};
