import type { CustomerId } from '../../../kernel/ids.ts';
import type { TenantId } from '../../../kernel/tenant.ts';
import type { Database } from '../../../platform/write-store/database.ts';
import { collections, type Migration, whereTime } from '../../../platform/write-store/migrate.ts';
import { RESOURCE_ONLY } from '../../../platform/write-store/mongo.ts';
import { ofTenant } from '../../../platform/write-store/spread.ts';
import { grantToMerchants } from '../../merchants/write/grant-to-merchants.store.ts';
import { CHECKOUT_SESSIONS, type CheckoutSession } from './checkout-session.ts';
import { LINK_PLACES, PAYMENT_LINKS, type PaymentLink } from './payment-link.ts';

/** The permissions that there were before merchants could have checkout sessions. */
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
  'customers.manage',
  'subscriptions.manage',
] as const;

export const checkoutMigrations: readonly Migration[] = [
  collections('290-checkout-sessions', {
    [CHECKOUT_SESSIONS.collection]: [
      { key: { token: 1 } },
      { key: { customerId: 1, status: 1 } },
      whereTime('reconcileAt'),
    ],
    [PAYMENT_LINKS.collection]: [{ key: { token: 1 } }, whereTime('reconcileAt')],
    [LINK_PLACES.collection]: [],
  }),
  {
    id: '291-checkout-for-merchants-with-every-permission',
    async up(db) {
      await grantToMerchants(db, { permissions: { $all: [...ALL_BEFORE] } }, ['checkout.manage']);
    },
  },
  // The removal of those that nobody has paid looks for them by it.
  collections('292-sessions-of-payment-links', {
    [CHECKOUT_SESSIONS.collection]: [{ key: { paymentLinkId: 1, status: 1 } }],
  }),
];

const MAJORITY = { projection: RESOURCE_ONLY, readConcern: { level: 'majority' } } as const;

/** The session whose page has this secret in its address; null where there is none. */
export type FindByToken = (token: string) => Promise<CheckoutSession | null>;

export const createFindByToken =
  (db: Database): FindByToken =>
  (token) =>
    db.collection(CHECKOUT_SESSIONS.collection).findOne<CheckoutSession>({ token }, MAJORITY);

/** The link whose page has this secret in its address; null where there is none. */
export type FindLinkByToken = (token: string) => Promise<PaymentLink | null>;

export const createFindLinkByToken =
  (db: Database): FindLinkByToken =>
  (token) =>
    db.collection(PAYMENT_LINKS.collection).findOne<PaymentLink>({ token }, MAJORITY);

/** Ids of the sessions of a customer that are open, or on which something is under way. */
export type FindLivingSessions = (
  customerId: CustomerId,
  tenantId: TenantId,
) => Promise<readonly CheckoutSession['id'][]>;

export const createFindLivingSessions =
  (db: Database): FindLivingSessions =>
  async (customerId, tenantId) => {
    const found = await db
      .collection<CheckoutSession>(CHECKOUT_SESSIONS.collection)
      .find<Pick<CheckoutSession, 'id'>>(
        {
          customerId,
          status: { $in: ['open', 'processing'] },
          ...ofTenant(db, CHECKOUT_SESSIONS.collection, tenantId),
        },
        { projection: { _id: 0, id: 1 }, readConcern: { level: 'majority' } },
      )
      .toArray();
    return found.map(({ id }) => id);
  };
