import { type Collection, MongoBulkWriteError } from 'mongodb';
import type { Timestamp } from '../../../kernel/clock.ts';
import { batched } from '../../../platform/write-store/batched.ts';
import type { Database } from '../../../platform/write-store/database.ts';
import { collections, type Migration } from '../../../platform/write-store/migrate.ts';
import { DUPLICATE_KEY, findAmong } from '../../../platform/write-store/mongo.ts';
import type { PaymentState, RefundState } from '../provider.ts';
import type { SimulatedMandate } from './mandate-record.ts';
import { type SimulatedCard, type SimulatedPayment, type SimulatedRefund, WAITING } from './payment.ts';

export const PAYMENTS = 'simulator_payments';
export const REFUNDS = 'simulator_refunds';
export const CARDS = 'simulator_cards';
const MANDATES = 'simulator_mandates';

export const simulatorMigrations: readonly Migration[] = [
  collections('010-simulator', { [PAYMENTS]: [], [REFUNDS]: [] }),
  collections('011-simulator-cards', { [CARDS]: [] }),
  collections('012-simulator-mandates', { [MANDATES]: [] }),
];

type Inserted<T> = { readonly stored: T; readonly isNew: boolean };

/**
 * Inserts what is new; what the store has under this id stays and is returned. Inserts at one time share a statement.
 */
const insertOnce = <T extends { readonly _id: string }>(
  db: Database,
  name: string,
): ((document: T) => Promise<Inserted<T>>) =>
  batched(db, async (documents) => {
    const known = await insertNew(db.collection<{ _id: string }>(name), documents);
    const before = await findByIds<T>(
      db,
      name,
      known.map(({ _id }) => _id),
    );
    return documents.map((document) => {
      const isNew = !known.includes(document);
      const stored = isNew ? document : before.get(document._id);
      if (!stored) throw new Error(`${document._id} is known and not there`);
      return { stored, isNew };
    });
  });

const findByIds = async <T extends { readonly _id: string }>(
  db: Database,
  name: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, T>> => {
  const found = await findAmong<T>(db, name, '_id', ids, {});
  return new Map(found.map((document) => [document._id, document]));
};

/** Null where there is none. Searches at one time share a statement. */
const findById = <T extends { readonly _id: string }>(
  db: Database,
  name: string,
): ((id: string) => Promise<T | null>) =>
  batched(db, async (ids) => {
    const found = await findByIds<T>(db, name, ids);
    return ids.map((id) => found.get(id) ?? null);
  });

/** Answers those that the store had before. */
const insertNew = async <T extends { readonly _id: string }>(
  collection: Collection<{ _id: string }>,
  documents: readonly T[],
): Promise<readonly T[]> => {
  try {
    await collection.insertMany([...documents], { ordered: false });
    return [];
  } catch (error) {
    const errors = error instanceof MongoBulkWriteError ? [error.writeErrors].flat() : [];
    if (errors.length === 0 || errors.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
    return errors.flatMap(({ index }) => documents[index] ?? []);
  }
};

/** Data of the simulator, outside the gateway's transactions as at a real provider. */
export type SimulatorStore = ReturnType<typeof createSimulatorStore>;

export const createSimulatorStore = (db: Database) => {
  const payments = db.collection<SimulatedPayment>(PAYMENTS);
  const refunds = db.collection<SimulatedRefund>(REFUNDS);
  const cards = db.collection<SimulatedCard>(CARDS);
  const mandates = db.collection<SimulatedMandate>(MANDATES);
  return {
    insertPayment: insertOnce<SimulatedPayment>(db, PAYMENTS),
    insertRefund: insertOnce<SimulatedRefund>(db, REFUNDS),
    insertCard: insertOnce<SimulatedCard>(db, CARDS),
    findCard: findById<SimulatedCard>(db, CARDS),
    /** Null for one that is not kept. */
    revokeCard: (id: string): Promise<SimulatedCard | null> =>
      cards.findOneAndUpdate({ _id: id }, { $set: { isRevoked: true } }, { returnDocument: 'after' }),
    insertMandate: insertOnce<SimulatedMandate>(db, MANDATES),
    findMandate: findById<SimulatedMandate>(db, MANDATES),
    /** Changes a mandate that has one of these statuses; null for any other. */
    moveMandate: (
      id: string,
      from: readonly SimulatedMandate['status'][],
      changes: Partial<Pick<SimulatedMandate, 'status' | 'failureReason' | 'pays'>>,
    ): Promise<SimulatedMandate | null> =>
      mandates.findOneAndUpdate(
        { _id: id, status: { $in: [...from] }, terms: { $ne: null } },
        { $set: changes },
        { returnDocument: 'after' },
      ),
    /** Takes a cycle for its first charge, or for a retry of that one; false where another charge has it. */
    takeCycle: async (
      id: string,
      dueDate: string,
      reference: string,
      retryOf: string | null,
    ): Promise<boolean> => {
      const cycle = `cycles.${dueDate}`;
      const holder = retryOf === null ? { $in: [null, reference] } : retryOf;
      const { matchedCount } = await mandates.updateOne(
        { _id: id, status: 'active', [cycle]: holder },
        { $set: { [cycle]: retryOf ?? reference } },
      );
      return matchedCount === 1;
    },
    /** Lets another charge have the cycle of one that was withdrawn. */
    freeCycle: async (id: string, dueDate: string, reference: string): Promise<void> => {
      const cycle = `cycles.${dueDate}`;
      await mandates.updateOne({ _id: id, [cycle]: reference }, { $unset: { [cycle]: '' } });
    },
    findPayment: findById<SimulatedPayment>(db, PAYMENTS),
    findRefund: findById<SimulatedRefund>(db, REFUNDS),

    /** Ends the wait of a payment; null where it does not wait. */
    endWait: (
      reference: string,
      end: Pick<PaymentState, 'status' | 'failureReason' | 'paidAt'> & { readonly 'order.amount'?: number },
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
