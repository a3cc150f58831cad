import type { Filter } from 'mongodb';
import type { Decision, DomainEvent } from '../../../kernel/event.ts';
import type { CustomerId, PaymentMethodId, SubscriptionId } from '../../../kernel/ids.ts';
import { type TenantId, tenantOf } from '../../../kernel/tenant.ts';
import type { Database } from '../../../platform/write-store/database.ts';
import { collections, type Migration, whereTime } from '../../../platform/write-store/migrate.ts';
import { ofTenant } from '../../../platform/write-store/spread.ts';
import type { Transaction } from '../../../platform/write-store/transaction.ts';
import { DOMAIN_EVENTS } from '../../../platform/write-store/write-set.ts';
import { grantToMerchants } from '../../merchants/write/grant-to-merchants.store.ts';
import { CYCLES, type Cycle, cycleId } from './cycle.ts';
import { PLANS } from './plan.ts';
import { SUBSCRIPTIONS, type Subscription, type SubscriptionEvent } from './subscription.ts';
import { SUBSCRIPTION_REFERENCES } from './unique-reference.ts';

/** The permissions that there were before merchants could have subscriptions. */
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
] as const;

export const subscriptionMigrations: readonly Migration[] = [
  collections('270-subscriptions', {
    [PLANS.collection]: [],
    [SUBSCRIPTIONS.collection]: [
      { key: { customerId: 1 } },
      { key: { paymentMethodId: 1 } },
      whereTime('reconcileAt'),
    ],
    [SUBSCRIPTION_REFERENCES.collection]: [],
    [CYCLES.collection]: [{ key: { subscriptionId: 1 } }],
  }),
  {
    id: '271-subscriptions-for-merchants-with-every-permission',
    async up(db) {
      await grantToMerchants(db, { permissions: { $all: [...ALL_BEFORE] } }, ['subscriptions.manage']);
    },
  },
];

/** A cycle as a decision leaves it; null as `before` for one that has just begun. */
type CycleChange = { readonly before: Cycle | null; readonly after: Cycle };

/**
 * Stores decisions, each on the result of the one before, with what became of a cycle. Open cycles that the subscription
 * does not name any more are given up.
 */
export const storeChange = async (
  tx: Transaction,
  before: Subscription,
  decisions: readonly Decision<Subscription, SubscriptionEvent>[],
  change: CycleChange | null = null,
): Promise<Subscription> => {
  let subscription = before;
  for (const decision of decisions) subscription = await tx.record(SUBSCRIPTIONS, subscription, decision);
  const isGivenUp = (number: number): boolean =>
    before.open.includes(number) && !subscription.open.includes(number);
  const settled = (cycle: Cycle): Cycle =>
    cycle.status === 'open' && isGivenUp(cycle.number) ? { ...cycle, status: 'uncollectible' } : cycle;
  if (change?.before) await tx.update(CYCLES, change.before, settled(change.after));
  else if (change) await tx.insert(CYCLES.collection, { _id: change.after.id, ...settled(change.after) });
  for (const number of before.open) {
    if (number === change?.after.number || !isGivenUp(number)) continue;
    const cycle = await existingCycle(tx, before.id, number);
    await tx.update(CYCLES, cycle, settled(cycle));
  }
  return subscription;
};

export const existingCycle = async (tx: Transaction, id: SubscriptionId, number: number): Promise<Cycle> => {
  const cycle = await tx.get(CYCLES, cycleId(id, number));
  if (!cycle) throw new Error(`subscription ${id} has no cycle ${number}`);
  return cycle;
};

/** The cycles of a subscription that have begun, in their order. */
export type FindCycles = (subscription: Subscription) => Promise<readonly Cycle[]>;

export const createFindCycles =
  (db: Database): FindCycles =>
  async (subscription) => {
    const cycles = await db
      .collection<Cycle>(CYCLES.collection)
      .find<Cycle>(
        { subscriptionId: subscription.id, ...ofTenant(db, CYCLES.collection, tenantOf(subscription)) },
        { projection: { _id: 0, tenantId: 0 }, readConcern: { level: 'majority' } },
      )
      .toArray();
    return cycles.sort((one, other) => one.number - other.number);
  };

/** The paid cycles of a subscription below a number, newest first and at most so many. */
export type FindPaidCycles = (
  subscription: Subscription,
  of: { readonly below: number | null; readonly limit: number },
) => Promise<readonly Cycle[]>;

export const createFindPaidCycles =
  (db: Database): FindPaidCycles =>
  (subscription, { below, limit }) =>
    db
      .collection<Cycle>(CYCLES.collection)
      .find<Cycle>(
        {
          subscriptionId: subscription.id,
          status: 'paid',
          ...(below === null ? {} : { number: { $lt: below } }),
          ...ofTenant(db, CYCLES.collection, tenantOf(subscription)),
        },
        { projection: { _id: 0, tenantId: 0 }, readConcern: { level: 'majority' } },
      )
      .sort({ number: -1 })
      .limit(limit)
      .toArray();

type Known = Pick<Subscription, 'id' | 'planId' | 'price' | 'createdAt'>;
type Subject = { readonly customerId: CustomerId } | { readonly paymentMethodId: PaymentMethodId };

/** Subscriptions of a customer, or those that a payment method pays, which have not ended. */
export type FindRunning = (subject: Subject, tenantId: TenantId | null) => Promise<readonly Known[]>;

export const createFindRunning =
  (db: Database): FindRunning =>
  (subject, tenantId) => {
    const running: Filter<Subscription> = {
      ...subject,
      endedAt: null,
      ...ofTenant(db, SUBSCRIPTIONS.collection, tenantId),
    };
    return db
      .collection<Subscription>(SUBSCRIPTIONS.collection)
      .find<Known>(running, {
        projection: { _id: 0, id: 1, planId: 1, price: 1, createdAt: 1 },
        readConcern: { level: 'majority' },
      })
      .toArray();
  };

/** Events of a subscription after a version, in their order. */
export type FindHappened = (
  subscription: Subscription,
  version: number,
) => Promise<readonly DomainEvent<Subscription>[]>;

export const createFindHappened =
  (db: Database): FindHappened =>
  async (subscription, version) => {
    const ofSubscription = {
      resource: SUBSCRIPTIONS.resource,
      resourceId: subscription.id,
      ...ofTenant(db, DOMAIN_EVENTS, tenantOf(subscription)),
    };
    const events = await db
      .collection<DomainEvent<Subscription>>(DOMAIN_EVENTS)
      .find(ofSubscription, { projection: { _id: 0 }, readConcern: { level: 'majority' } })
      .toArray();
    return events
      .filter((event) => event.version > version)
      .sort((one, other) => one.version - other.version);
  };
