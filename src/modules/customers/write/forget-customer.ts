import type { Clock } from '../../../kernel/clock.ts';
import type { OwnTransaction } from '../../../platform/write-store/transaction.ts';
import { CUSTOMERS, type CustomerRecord, deleteCustomer } from './customer.ts';
import type { EraseCustomerEvents } from './customers.store.ts';

/** Removes a deleted customer from the records that another module keeps. */
export type FollowDeletion = (tx: OwnTransaction, customer: CustomerRecord, now: Date) => Promise<void>;

/** Removes a customer's personal data from the record, its history and the records of other modules. */
export type ForgetCustomer = (tx: OwnTransaction, customer: CustomerRecord) => Promise<void>;

export const createForgetCustomer =
  (deps: {
    readonly clock: Clock;
    readonly eraseCustomerEvents: EraseCustomerEvents;
    readonly followers: readonly FollowDeletion[];
  }): ForgetCustomer =>
  async (tx, customer) => {
    const now = deps.clock();
    await tx.record(CUSTOMERS, customer, deleteCustomer(customer, now));
    await deps.eraseCustomerEvents(tx, customer);
    for (const follow of deps.followers) await follow(tx, customer, now);
  };
