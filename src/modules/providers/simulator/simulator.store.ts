import type { Collection, Db } from 'mongodb';
import type { Timestamp } from '../../../kernel/clock.ts';
import { ensureCollections, type Migration } from '../../../platform/write-store/migrate.ts';
import { isDuplicateKey } from '../../../platform/write-store/mongo.ts';
import type { PaymentState, RefundState } from '../provider.ts';
import { type SimulatedPayment, type SimulatedRefund, WAITING } from './payment.ts';

export const PAYMENTS = 'simulator_payments';
export const REFUNDS = 'simulator_refunds';

export const simulatorMigrations: readonly Migration[] = [
  { id: '010-simulator', up: (db) => ensureCollections(db, [PAYMENTS, REFUNDS]) },
];

type Inserted<T> = { readonly stored: T; readonly isNew: boolean };

/** Inserts what is new; what the store has under this id stays and is returned. */
const insertOnce = async <T extends { readonly _id: string }>(
  collection: Collection<{ _id: string }>,
  document: T,
): Promise<Inserted<T>> => {
  try {
    await collection.insertOne(document);
    return { stored: document, isNew: true };
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    const stored = await collection.findOne<T>({ _id: document._id });
    if (!stored) throw error;
    return { stored, isNew: false };
  }
};

/** Data of the simulator, outside the gateway's transactions as at a real provider. */
export const createSimulatorStore = (db: Db) => {
  const payments = db.collection<SimulatedPayment>(PAYMENTS);
  const refunds = db.collection<SimulatedRefund>(REFUNDS);
  return {
    insertPayment: (payment: SimulatedPayment) =>
      insertOnce(db.collection<{ _id: string }>(PAYMENTS), payment),
    insertRefund: (refund: SimulatedRefund) => insertOnce(db.collection<{ _id: string }>(REFUNDS), refund),
    findPayment: (reference: string): Promise<SimulatedPayment | null> =>
      payments.findOne({ _id: reference }),
    findRefund: (reference: string): Promise<SimulatedRefund | null> => refunds.findOne({ _id: reference }),

    /** Ends the wait of a payment; null where it does not wait. */
    endWait: (
      reference: string,
      end: Pick<PaymentState, 'status' | 'failureReason' | 'paidAt'>,
    ): Promise<SimulatedPayment | null> =>
      payments.findOneAndUpdate(
        { _id: reference, status: { $in: [...WAITING] } },
        { $set: end },
        { returnDocument: 'after' },
      ),

    /** Marks a payment as paid that ended unpaid; null where there is none. */
    payLate: (reference: string, paidAt: Timestamp): Promise<SimulatedPayment | null> =>
      payments.findOneAndUpdate(
        { _id: reference, status: 'failed', order: { $ne: null } },
        { $set: { status: 'paid', failureReason: null, paidAt } },
        { returnDocument: 'after' },
      ),
    /** Ends a pending refund; null where it is not pending. */
    endRefund: (
      reference: string,
      end: Pick<RefundState, 'status' | 'reason'>,
    ): Promise<SimulatedRefund | null> =>
      refunds.findOneAndUpdate(
        { _id: reference, status: 'pending' },
        { $set: end },
        { returnDocument: 'after' },
      ),

    /** Sets a payment's money aside for a refund; false where another refund took it since `previous` was read. */
    reserveForRefund: async (reference: string, previous: string | null, next: string): Promise<boolean> => {
      const { matchedCount } = await payments.updateOne(
        { _id: reference, refundReference: { $in: [previous, next] } },
        { $set: { refundReference: next } },
      );
      return matchedCount === 1;
    },
  };
};
