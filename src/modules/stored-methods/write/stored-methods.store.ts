import type { DomainEvent } from '../../../kernel/event.ts';
import type { CustomerId, PaymentMethodId } from '../../../kernel/ids.ts';
import { type Store, store } from '../../../kernel/store.ts';
import { type TenantId, tenantOf } from '../../../kernel/tenant.ts';
import type { Database } from '../../../platform/write-store/database.ts';
import { collections, type Migration, whereTime } from '../../../platform/write-store/migrate.ts';
import { ofTenant } from '../../../platform/write-store/spread.ts';
import type { OwnTransaction } from '../../../platform/write-store/transaction.ts';
import { DOMAIN_EVENTS } from '../../../platform/write-store/write-set.ts';
import type { CustomerRecord } from '../../customers/write/customer.ts';
import { grantToMerchants } from '../../merchants/write/grant-to-merchants.store.ts';
import type { StoredMethod, StoredMethodEvent } from './stored-method.ts';

export const STORED_METHODS: Store<StoredMethod, StoredMethodEvent> = store(
  'payment_methods',
  'payment_method',
);

export const storedMethodMigrations: readonly Migration[] = [
  collections('261-payment-methods', {
    [STORED_METHODS.collection]: [{ key: { customerId: 1 } }, whereTime('reconcileAt')],
  }),
  {
    id: '262-payment-methods-permission',
    async up(db) {
      // Until then the permission for customers included their payment methods, so that nobody loses anything.
      await grantToMerchants(db, { permissions: 'customers.manage' }, ['payment_methods.manage']);
    },
  },
];

/**
 * The number of a customer's methods is limited, because a deletion has to remove the holder from all of them in one
 * transaction.
 */
export const MAX_METHODS = 100;

type Known = Pick<StoredMethod, 'id' | 'provider' | 'providerCustomer'>;

/** Finds every method that a customer ever had. */
export type FindMethodsOf = (customerId: CustomerId, tenantId: TenantId | null) => Promise<readonly Known[]>;

export const createFindMethodsOf =
  (db: Database): FindMethodsOf =>
  async (customerId, tenantId) =>
    db
      .collection<StoredMethod>(STORED_METHODS.collection)
      .find<Known>(
        { customerId, ...ofTenant(db, STORED_METHODS.collection, tenantId) },
        { projection: { _id: 0, id: 1, provider: 1, providerCustomer: 1 }, limit: MAX_METHODS + 1 },
      )
      .toArray();

/** A card from which its holder may choose. */
export type ActiveCard = Pick<StoredMethod, 'id'> & { readonly card: NonNullable<StoredMethod['card']> };

/** Finds the cards of a customer that can be charged, the newest first, as many as a page can show. */
export type FindActiveCards = (
  customerId: CustomerId,
  tenantId: TenantId | null,
) => Promise<readonly ActiveCard[]>;

const CARDS_AT_MOST = 10;

export const createFindActiveCards =
  (db: Database): FindActiveCards =>
  (customerId, tenantId) =>
    db
      .collection<StoredMethod>(STORED_METHODS.collection)
      .find<ActiveCard>(
        {
          customerId,
          type: 'credit_card',
          status: 'active',
          ...ofTenant(db, STORED_METHODS.collection, tenantId),
        },
        { projection: { _id: 0, id: 1, card: 1 }, sort: { _id: -1 }, limit: CARDS_AT_MOST },
      )
      .toArray();

/** Removes the holder's name from earlier events of a customer's methods. */
export type EraseHolders = (
  tx: OwnTransaction,
  customer: CustomerRecord,
  ids: readonly PaymentMethodId[],
) => Promise<void>;

export const createEraseHolders =
  (db: Database): EraseHolders =>
  async ({ session }, customer, ids) => {
    const recorded = {
      resource: STORED_METHODS.resource,
      resourceId: { $in: [...ids] },
      ...ofTenant(db, DOMAIN_EVENTS, tenantOf(customer)),
    };
    await db
      .collection<DomainEvent & { _id: string }>(DOMAIN_EVENTS)
      .updateMany(
        { ...recorded, 'data.card': { $ne: null } },
        { $set: { 'data.card.holderName': null } },
        { session },
      );
  };
