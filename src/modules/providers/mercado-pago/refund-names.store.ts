import type { Database } from '../../../platform/write-store/database.ts';
import { collections, type Migration } from '../../../platform/write-store/migrate.ts';

const REFUND_NAMES = 'mercado_pago_refunds';

export const refundNameMigrations: readonly Migration[] = [
  collections('300-mercado-pago-refunds', { [REFUND_NAMES]: [{ key: { paymentId: 1 } }] }),
];

/**
 * A refund that was asked for. Mercado Pago's refunds carry no name of ours, so that this gateway keeps whose each is.
 */
type RefundName = {
  /** The gateway's reference. */
  readonly reference: string;
  readonly paymentId: string;
  readonly amount: number;
  /** Mercado Pago's id of it; null until that is known. */
  readonly refundId: string | null;
};

export type RefundNames = {
  /** Notes that a refund is about to be asked for; one that is known stays as it is. */
  open(name: Omit<RefundName, 'refundId'>): Promise<void>;
  settle(reference: string, refundId: string): Promise<void>;
  /** Forgets a refund that Mercado Pago has refused. */
  drop(reference: string): Promise<void>;
  find(reference: string): Promise<RefundName | null>;
  ofPayment(paymentId: string): Promise<readonly RefundName[]>;
};

export const createRefundNames = (db: Pick<Database, 'collection'>): RefundNames => {
  const names = db.collection<Omit<RefundName, 'reference'> & { readonly _id: string }>(REFUND_NAMES);
  return {
    async open({ reference, ...about }) {
      await names.updateOne(
        { _id: reference },
        { $setOnInsert: { ...about, refundId: null } },
        { upsert: true },
      );
    },
    async settle(reference, refundId) {
      await names.updateOne({ _id: reference }, { $set: { refundId } });
    },
    async drop(reference) {
      await names.deleteOne({ _id: reference, refundId: null });
    },
    async find(reference) {
      const found = await names.findOne({ _id: reference });
      return found && named(found);
    },
    async ofPayment(paymentId) {
      return (await names.find({ paymentId }).toArray()).map(named);
    },
  };
};

const named = ({ _id, ...about }: Omit<RefundName, 'reference'> & { readonly _id: string }): RefundName => ({
  reference: _id,
  ...about,
});
