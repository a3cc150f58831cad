import { notFound } from '../../../kernel/errors.ts';
import type { Command } from '../../../kernel/event.ts';
import { asMerchant, type Principal, visible } from '../../../kernel/principal.ts';
import type { Changing, Creating, Transaction } from '../../../platform/write-store/transaction.ts';
import {
  CUSTOMERS,
  type CustomerFields,
  type CustomerRecord,
  changeCustomer,
  openCustomer,
} from './customer.ts';
import type { ForgetCustomer } from './forget-customer.ts';
import { customerHasSubscriptions, customerOwnerOnly } from './refusals.ts';

type OfCaller = { readonly principal: Principal };

export type CreateCustomer = Command<OfCaller & { readonly fields: CustomerFields }, CustomerRecord>;

export const createCustomerHandler =
  (deps: Creating): CreateCustomer =>
  async ({ principal, fields }, context) => {
    const { merchantId, masterId, livemode } = asMerchant(principal);
    const owner = { merchantId, masterId, livemode };
    const opened = openCustomer(fields, owner, deps.newId('cus'), deps.clock());
    return deps.transact(context, (tx) => tx.record(CUSTOMERS, null, opened));
  };

/** Changes a customer. 404 for one that the caller cannot see or that is deleted, 403 for one of a sub-merchant. */
export type UpdateCustomer = Command<
  OfCaller & { readonly id: string; readonly changes: Partial<CustomerFields> },
  CustomerRecord
>;

export const createUpdateCustomer =
  (deps: Changing): UpdateCustomer =>
  async ({ principal, id, changes }, context) =>
    deps.transact(context, async (tx) => {
      const customer = await ownCustomer(tx, principal, id);
      if (customer.deletedAt !== null) throw notFound('Customer');
      return tx.record(CUSTOMERS, customer, changeCustomer(customer, changes, deps.clock()));
    });

/**
 * Removes a customer's personal data from the record and its history. Deleting a customer again changes nothing. 404 and
 * 403 as for a change, 422 CUSTOMER_HAS_SUBSCRIPTIONS while one has not ended.
 */
export type DeleteCustomer = Command<OfCaller & { readonly id: string }, void>;

/** Whether a subscription of a customer has not ended. */
export type IsSubscribed = (customer: CustomerRecord) => Promise<boolean>;

export const createDeleteCustomer =
  (
    deps: Pick<Changing, 'transact'> & {
      readonly forgetCustomer: ForgetCustomer;
      readonly subscribers: readonly IsSubscribed[];
    },
  ): DeleteCustomer =>
  async ({ principal, id }, context) =>
    deps.transact.alone(context, async (tx) => {
      const customer = await ownCustomer(tx, principal, id);
      if (customer.deletedAt !== null) return;
      for (const isSubscribed of deps.subscribers)
        if (await isSubscribed(customer)) throw customerHasSubscriptions();
      await deps.forgetCustomer(tx, customer);
    });

const ownCustomer = async (tx: Transaction, principal: Principal, id: string): Promise<CustomerRecord> => {
  const { merchantId } = asMerchant(principal);
  const customer = visible(principal, await tx.get(CUSTOMERS, id), 'Customer');
  if (customer.merchantId !== merchantId) throw customerOwnerOnly();
  return customer;
};
