import type { DomainEvent } from '../../../kernel/event.ts';
import { tenantOf } from '../../../kernel/tenant.ts';
import type { Database } from '../../../platform/write-store/database.ts';
import { collections, type Migration } from '../../../platform/write-store/migrate.ts';
import { ofTenant } from '../../../platform/write-store/spread.ts';
import type { OwnTransaction } from '../../../platform/write-store/transaction.ts';
import { DOMAIN_EVENTS } from '../../../platform/write-store/write-set.ts';
import { grantToMerchants } from '../../merchants/write/grant-to-merchants.store.ts';
import { CUSTOMERS, type CustomerRecord, FACTS } from './customer.ts';

/** The permissions that existed before merchants could store customers. */
const ALL_BEFORE = [
  'charges.create',
  'charges.read',
  'refunds.create',
  'statement.read',
  'submerchants.manage',
  'payouts.create',
  'payouts.read',
  'fees.read',
  'anticipations.create',
  'webhooks.manage',
] as const;

export const customersMigrations: readonly Migration[] = [
  collections('240-customers', { [CUSTOMERS.collection]: [] }),
  {
    id: '241-customers-for-merchants-with-every-permission',
    async up(db) {
      await grantToMerchants(db, { permissions: { $all: [...ALL_BEFORE] } }, ['customers.manage']);
    },
  },
];

/** Removes the facts about a customer from earlier events; the event of this transaction has none. */
export type EraseCustomerEvents = (tx: OwnTransaction, customer: CustomerRecord) => Promise<void>;

export const createEraseCustomerEvents =
  (db: Database): EraseCustomerEvents =>
  async ({ session }, customer) => {
    const ofCustomer = {
      resource: CUSTOMERS.resource,
      resourceId: customer.id,
      ...ofTenant(db, DOMAIN_EVENTS, tenantOf(customer)),
    };
    const nothing = Object.fromEntries(FACTS.map((name) => [`data.${name}`, null]));
    await db
      .collection<DomainEvent & { _id: string }>(DOMAIN_EVENTS)
      .updateMany(ofCustomer, { $set: nothing }, { session });
  };
