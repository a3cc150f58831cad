import type { Db } from 'mongodb';
import type { DomainEvent } from '../../../kernel/event.ts';
import type { CustomerId, PaymentMethodId } from '../../../kernel/ids.ts';
import { type Store, store } from '../../../kernel/store.ts';
import { type TenantId, tenantOf } from '../../../kernel/tenant.ts';
import { collections, type Migration, whereTime } from '../../../platform/write-store/migrate.ts';
import { ofTenant } from '../../../platform/write-store/spread.ts';
import type { OwnTransaction } from '../../../platform/write-store/transaction.ts';
import { DOMAIN_EVENTS } from '../../../platform/write-store/write-set.ts';
import type { CustomerRecord } from '../../customers/write/customer.ts';
import type { StoredMethod } from './stored-method.ts';

export const STORED_METHODS: Store<StoredMethod> = store('payment_methods', 'payment_method');

export const storedMethodMigrations: readonly Migration[] = [
  collections('261-payment-methods', {
    [STORED_METHODS.collection]: [{ key: { customerId: 1 } }, whereTime('reconcileAt')],
  }),
];

/** Methods of a customer are few, because a deletion has to take its holder out of all of them at once. */
export const MAX_METHODS = 100;

type Known = Pick<StoredMethod, 'id' | 'provider' | 'providerCustomer'>;

/** Every method that a customer ever had. */
export type FindMethodsOf = (customerId: CustomerId, tenantId: TenantId | null) => Promise<readonly Known[]>;

export const createFindMethodsOf =
  (db: Db): FindMethodsOf =>
  async (customerId, tenantId) =>
    db
      .collection<StoredMethod>(STORED_METHODS.collection)
      .find<Known>(
        { customerId, ...ofTenant(db, STORED_METHODS.collection, tenantId) },
        { projection: { _id: 0, id: 1, provider: 1, providerCustomer: 1 }, limit: MAX_METHODS + 1 },
      )
      .toArray();

/** A card that its holder may choose from. */
export type ActiveCard = Pick<StoredMethod, 'id' | 'card'>;

/** Cards of a customer that can be charged, the newest first; no more than a page can show. */
export type FindActiveCards = (
  customerId: CustomerId,
  tenantId: TenantId | null,
) => Promise<readonly ActiveCard[]>;

const CARDS_AT_MOST = 10;

export const createFindActiveCards =
  (db: Db): FindActiveCards =>
  (customerId, tenantId) =>
    db
      .collection<StoredMethod>(STORED_METHODS.collection)
      .find<ActiveCard>(
        { customerId, status: 'active', ...ofTenant(db, STORED_METHODS.collection, tenantId) },
        { projection: { _id: 0, id: 1, card: 1 }, sort: { _id: -1 }, limit: CARDS_AT_MOST },
      )
      .toArray();

/** Takes the name of the holder out of what was recorded about a customer's methods before. */
export type EraseHolders = (
  tx: OwnTransaction,
  customer: CustomerRecord,
  ids: readonly PaymentMethodId[],
) => Promise<void>;

export const createEraseHolders =
  (db: Db): EraseHolders =>
  async ({ session }, customer, ids) => {
    const recorded = {
      resource: STORED_METHODS.resource,
      resourceId: { $in: [...ids] },
      ...ofTenant(db, DOMAIN_EVENTS, tenantOf(customer)),
    };
    await db
      .collection<DomainEvent & { _id: string }>(DOMAIN_EVENTS)
      .updateMany(recorded, { $set: { 'data.card.holderName': null } }, { session });
  };
