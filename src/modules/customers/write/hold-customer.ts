import { notFound } from '../../../kernel/errors.ts';
import type { CustomerId } from '../../../kernel/ids.ts';
import type { Transaction } from '../../../platform/write-store/transaction.ts';
import { CUSTOMERS } from './customer.ts';

/**
 * Lets nobody delete a customer while the transaction stores something that a deletion removes along with it. 404 for one
 * that is deleted.
 */
export const holdCustomer = async (tx: Transaction, id: CustomerId): Promise<void> => {
  const customer = await tx.get(CUSTOMERS, id);
  if (customer === null || customer.deletedAt !== null) throw notFound('Customer');
  await tx.hold(CUSTOMERS, customer);
};
