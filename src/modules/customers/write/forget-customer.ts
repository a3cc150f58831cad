import type { Clock } from '../../../kernel/clock.ts';
import type { OwnTransaction } from '../../../platform/write-store/transaction.ts';
import { CUSTOMERS, type CustomerRecord, deleteCustomer } from './customer.ts';
import type { EraseCustomerEvents } from './customers.store.ts';

/** Takes a customer that is deleted out of what another module keeps of it. */
export type FollowDeletion = (tx: OwnTransaction, customer: CustomerRecord, now: Date) => Promise<void>;

/** Takes a customer's personal data out of the record, its history, and what other modules keep of it. */
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
