import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { DomainEvent, Resource } from '../../src/kernel/event.ts';
import type { Store } from '../../src/kernel/store.ts';
import { ADJUSTMENTS } from '../../src/modules/adjustments/write/adjustment.ts';
import { ANTICIPATIONS_VIEW } from '../../src/modules/anticipations/read/anticipation.view.ts';
import {
  CHARGEBACK_ALERTS,
  MANUAL_REFUND_REQUESTS,
} from '../../src/modules/chargebacks/write/chargebacks.store.ts';
import { CHARGES_VIEW } from '../../src/modules/charges/read/charge.view.ts';
import { CHARGES } from '../../src/modules/charges/write/charge.store.ts';
import type { Charge } from '../../src/modules/charges/write/charge.ts';
import { DEFAULT_SPLITS } from '../../src/modules/charges/write/default-split.ts';
import { CHECKOUT_SESSIONS_VIEW } from '../../src/modules/checkout/read/checkout-session.view.ts';
import { PAYMENT_LINKS_VIEW } from '../../src/modules/checkout/read/payment-link.view.ts';
import { CUSTOMERS_VIEW } from '../../src/modules/customers/read/customer.view.ts';
import { DISPUTES_VIEW } from '../../src/modules/disputes/read/dispute.view.ts';
import { DISPUTE_DOCUMENTS } from '../../src/modules/disputes/write/evidence.ts';
import { GROUPS_VIEW } from '../../src/modules/identity/read/group.view.ts';
import { USERS_VIEW } from '../../src/modules/identity/read/user.view.ts';
import { ADMINISTRATION } from '../../src/modules/identity/write/administration.ts';
import { createChecks } from '../../src/modules/ledger-check/checks/checks.store.ts';
import type { KeptDifference } from '../../src/modules/ledger-check/differences.store.ts';
import { lookAtEverything } from '../../src/modules/ledger-check/look.ts';
import { API_KEYS_VIEW } from '../../src/modules/merchants/read/api-key.view.ts';
import { MERCHANTS_VIEW } from '../../src/modules/merchants/read/merchant.view.ts';
import { FEE_DEFINITIONS } from '../../src/modules/merchants/write/fees.ts';
import { SETTINGS } from '../../src/modules/merchants/write/setting.ts';
import { PAYOUT_REQUESTS_VIEW } from '../../src/modules/payouts/read/payout-request.view.ts';
import { PROVIDER_NOTIFICATIONS } from '../../src/modules/provider-notifications/write/notifications.store.ts';
import type { SimulatedPayment, SimulatedRefund } from '../../src/modules/providers/simulator/payment.ts';
import { REFUNDS_VIEW } from '../../src/modules/refunds/read/refund.view.ts';
import { REFUNDS } from '../../src/modules/refunds/write/refund.store.ts';
import { isRefundable, type Refund } from '../../src/modules/refunds/write/refund.ts';
import { STORED_METHODS_VIEW } from '../../src/modules/stored-methods/read/stored-method.view.ts';
import { PLANS_VIEW } from '../../src/modules/subscriptions/read/plan.view.ts';
import { SUBSCRIPTIONS_VIEW } from '../../src/modules/subscriptions/read/subscription.view.ts';
import { SUSPENSE_VIEW } from '../../src/modules/suspense/read/suspense-item.view.ts';
import { WEBHOOK_ENDPOINTS } from '../../src/modules/webhooks/write/endpoint.ts';
import type { ReadStore } from '../../src/platform/read-store/elastic.ts';
import { aliasOf, documentOf, type View } from '../../src/platform/read-store/view.ts';
import { AUDIT_LOG } from '../../src/platform/write-store/audit.ts';
import type { Database } from '../../src/platform/write-store/database.ts';
import { withoutKept } from '../../src/platform/write-store/kept-once.ts';
import { OUTBOX, type OutboxRow } from '../../src/platform/write-store/outbox.ts';
import { createSnapshot } from '../../src/platform/write-store/snapshot.ts';
import { type StoredResource, storedIn } from '../../src/platform/write-store/stored-resource.ts';
import { DOMAIN_EVENTS } from '../../src/platform/write-store/write-set.ts';

/** The stores of a gateway whose worker runs, and to which nobody writes at the moment. */
export type Stores = { readonly db: Database; readonly readStore: ReadStore };

const VIEWS = [
  CHARGES_VIEW,
  REFUNDS_VIEW,
  CUSTOMERS_VIEW,
  STORED_METHODS_VIEW,
  PLANS_VIEW,
  SUBSCRIPTIONS_VIEW,
  CHECKOUT_SESSIONS_VIEW,
  PAYMENT_LINKS_VIEW,
  DISPUTES_VIEW,
  PAYOUT_REQUESTS_VIEW,
  ANTICIPATIONS_VIEW,
  SUSPENSE_VIEW,
  MERCHANTS_VIEW,
  API_KEYS_VIEW,
  USERS_VIEW,
  GROUPS_VIEW,
] as unknown as readonly View[];
const STORES: readonly Store<Resource>[] = [
  ...VIEWS.map((view) => view.source),
  ADJUSTMENTS,
  ADMINISTRATION,
  AUDIT_LOG,
  CHARGEBACK_ALERTS,
  DEFAULT_SPLITS,
  DISPUTE_DOCUMENTS,
  FEE_DEFINITIONS,
  MANUAL_REFUND_REQUESTS,
  PROVIDER_NOTIFICATIONS,
  SETTINGS,
  WEBHOOK_ENDPOINTS,
];

/**
 * Lists differences, one sentence each: in the ledger by the gateway's own check, between events and documents, charges
 * and refunds, views and write store, gateway and simulator, and outstanding work.
 */
export const findDifferences = async (stores: Stores): Promise<string[]> => {
  const [charges, refunds] = await Promise.all([
    resourcesOf(stores.db, CHARGES),
    resourcesOf(stores.db, REFUNDS),
  ]);
  const parts = await Promise.all([
    inOutbox(stores.db),
    inEvents(stores.db),
    inCharges(charges, refunds),
    inLedger(stores.db),
    inKept(stores.db),
    inSimulator(stores.db, charges, refunds),
    ...VIEWS.map((view) => inView(stores, view)),
  ]);
  return parts.flat();
};

/** Waits until no difference is left, without helping; returns the remaining ones when the time is over. */
export const differencesWithin = async (stores: Stores, withinMs: number): Promise<string[]> => {
  const until = Date.now() + withinMs;
  for (;;) {
    const startedAt = Date.now();
    // A check reads everything that is stored, and takes processor time from the work that it waits for.
    const isTooEarly = startedAt <= until && (await isWorkLeft(stores));
    const differences = isTooEarly ? null : await findDifferences(stores);
    if (differences && (differences.length === 0 || Date.now() > until)) return differences;
    await sleep(250 + 2 * (Date.now() - startedAt));
  }
};

const isWorkLeft = async ({ db }: Stores): Promise<boolean> =>
  (await db.collection(OUTBOX).findOne({}, { projection: { _id: 1 } })) !== null;

const inOutbox = async (db: Database): Promise<string[]> => {
  const rows = await allOf<OutboxRow>(db, OUTBOX);
  return rows.map(
    ({ consumer, state, subject, error }) =>
      `outbox: ${consumer} has not done ${subject} (${state}${error ? `: ${error}` : ''})`,
  );
};

/** Versions of a resource's events have no gaps, and the last event contains the stored resource. */
const inEvents = async (db: Database): Promise<string[]> => {
  const events = await allOf<DomainEvent>(db, DOMAIN_EVENTS);
  const byResource = groupBy(events, (event) => `${event.resource} ${event.resourceId}`);
  const differences: string[] = [];
  for (const store of STORES) {
    for (const resource of await resourcesOf(db, store)) {
      const name = `${store.resource} ${resource.id}`;
      const own = (byResource.get(name) ?? []).sort((a, b) => a.version - b.version);
      byResource.delete(name);
      const versions = own.map((event) => event.version);
      if (versions.length !== resource.version || versions.some((version, index) => version !== index + 1))
        differences.push(`${name} has version ${resource.version}, its events have [${versions}]`);
      else if (!isDeepStrictEqual(withoutTenant(own.at(-1)?.data), withoutKept(store, resource)))
        differences.push(`${name} is not what its last event carries`);
    }
  }
  return [...differences, ...[...byResource.keys()].map((name) => `${name} has events but is not stored`)];
};

/** Version 1.0 copies the tenant of a document into its events, because it does not know the member. */
const withoutTenant = (data: object | undefined): object => {
  const { tenantId: _, ...resource } = { tenantId: '', ...data };
  return resource;
};

/** A charge and its refunds agree, and nothing is left open that a crash or a time-out interrupted. */
const inCharges = (charges: readonly Charge[], refunds: readonly Refund[]): string[] => {
  const differences: string[] = [];
  const chargesById = new Map(charges.map((charge) => [charge.id, charge]));
  const refundsById = new Map(refunds.map((refund) => [refund.id, refund]));
  for (const { id, status, paymentMethod, instructions, refundId, paidAt } of charges) {
    const refund = refundId === null ? undefined : refundsById.get(refundId);
    if (status === 'pending' && (paymentMethod.type === 'credit_card' || instructions === null))
      differences.push(`${id} is pending and waits for nobody but us`);
    if ((status === 'paid' || status === 'refunded') && paidAt === null)
      differences.push(`${id} is ${status} but was never paid`);
    if (refundId !== null && (refund?.chargeId !== id || !refund.blocking))
      differences.push(`${id} names ${refundId}, which is ${refund ? refund.status : 'not there'}`);
    // A refund of an alert never moves the charge.
    const isRefunded = refund?.alertId === null && refund.status === 'refunded';
    if (refund && isRefunded !== (status === 'refunded'))
      differences.push(`${id} is ${status}, its refund ${refund.id} is ${refund.status}`);
    if (status === 'refunded' && !refund) differences.push(`${id} is refunded without a refund`);
  }
  for (const { id, chargeId, status, booked, blocking } of refunds) {
    if (blocking && chargesById.get(chargeId)?.refundId !== id)
      differences.push(`${id} is ${status}, but ${chargeId} does not know it`);
    if (status === 'pending' && !booked) differences.push(`${id} is pending and not booked`);
  }
  return differences;
};

/** Differences that the gateway's own check of the ledger finds. */
const inLedger = async (db: Database): Promise<string[]> => {
  const snapshot = createSnapshot({ writeStore: { client: db.client, db }, retryForMs: 8_000 });
  const differences: string[] = [];
  for await (const findings of lookAtEverything(createChecks({ db, scans: db, snapshot }), () => undefined))
    for (const { kind, subject, message } of findings.flatMap((finding) => finding.differences))
      differences.push(`${kind} ${subject}: ${message}`);
  return differences;
};

/** Open differences that the gateway's workers have found by themselves when records changed. */
const inKept = async (db: Database): Promise<string[]> =>
  (await allOf<KeptDifference>(db, 'ledger_differences'))
    .filter(({ status }) => status === 'open')
    .map(({ kind, subject, message }) => `kept: ${kind} ${subject}: ${message}`);

/** The gateway and the simulator agree on every payment and every refund. */
const inSimulator = async (
  db: Database,
  charges: readonly Charge[],
  refunds: readonly Refund[],
): Promise<string[]> => {
  const [payments, given] = await Promise.all([
    allOf<SimulatedPayment>(db, 'simulator_payments'),
    allOf<SimulatedRefund>(db, 'simulator_refunds'),
  ]);
  const differences: string[] = [];
  const chargesById = new Map<string, Charge>(charges.map((charge) => [charge.id, charge]));
  const refundsById = new Map<string, Refund>(refunds.map((refund) => [refund.id, refund]));
  const paymentsById = new Map(payments.map((payment) => [payment._id, payment]));
  const givenById = new Map(given.map((refund) => [refund._id, refund]));
  for (const payment of payments) {
    const charge = chargesById.get(payment._id);
    if (!charge) {
      differences.push(`the simulator has a payment of ${payment._id}, which is not there`);
    } else if ((payment.status === 'paid') !== (charge.paidAt !== null)) {
      differences.push(`${charge.id} is ${charge.status}, at the simulator it is ${payment.status}`);
    } else if (charge.paidAt === null && charge.status !== payment.status) {
      differences.push(`${charge.id} is ${charge.status}, at the simulator it is ${payment.status}`);
    } else if (
      payment.order &&
      (payment.order.amount !== charge.amount || payment.order.currency !== charge.currency)
    ) {
      differences.push(`${charge.id} has another amount at the simulator`);
    }
  }
  for (const { id, status, provider } of charges)
    if (provider === 'simulator' && status !== 'pending' && !paymentsById.has(id))
      differences.push(`${id} is ${status}, but the simulator has never heard of it`);
  for (const { _id, status } of given) {
    const known = refundsById.get(_id);
    // An alert's refund that the provider refuses counts as failed.
    const expected = status === 'refused' && known && known.alertId !== null ? 'failed' : status;
    if (known?.status !== expected)
      differences.push(`${_id} is ${known?.status ?? 'not there'}, at the simulator it is ${status}`);
  }
  for (const { id, chargeId, booked } of refunds) {
    const charge = chargesById.get(chargeId);
    // Where the charge cannot be refunded, the refund of an alert is booked without asking the provider.
    const isAsked = charge?.provider === 'simulator' && isRefundable(charge);
    if (booked && isAsked && !givenById.has(id))
      differences.push(`${id} is booked, but the simulator has never heard of it`);
  }
  const taking = given.filter(({ status }) => status === 'refunded' || status === 'pending');
  for (const [reference, several] of groupBy(taking, (refund) => refund.paymentReference))
    if (several.length > 1) differences.push(`the simulator gave back ${reference} ${several.length} times`);
  return differences;
};

/** The view contains the document of every resource in its version, and no others. */
const inView = async ({ db, readStore }: Stores, view: View): Promise<string[]> => {
  const shown = await documentsOf(readStore, view);
  const differences: string[] = [];
  for (const stored of await storedOf(db, view.source)) {
    const { resource } = stored;
    const found = shown.get(resource.id);
    shown.delete(resource.id);
    if (!found) differences.push(`view ${view.name} lacks ${resource.id}`);
    else if (found.version !== resource.version)
      differences.push(
        `view ${view.name} has version ${found.version} of ${resource.id}, not ${resource.version}`,
      );
    else if (!isDeepStrictEqual(found.document, JSON.parse(JSON.stringify(documentOf(view, stored)))))
      differences.push(`view ${view.name} shows ${resource.id} differently`);
  }
  return [
    ...differences,
    ...[...shown.keys()].map((id) => `view ${view.name} has ${id}, which is not there`),
  ];
};

type Shown = { readonly version: number | undefined; readonly document: unknown };

const documentsOf = async (readStore: ReadStore, view: View): Promise<Map<string, Shown>> => {
  const index = aliasOf(readStore, view);
  const size = 5_000;
  const documents = new Map<string, Shown>();
  // A missing index is a difference as well, and not an error.
  if (!(await readStore.client.indices.existsAlias({ name: index }))) return documents;
  await readStore.client.indices.refresh({ index });
  for (let after: string | undefined; ; ) {
    const { hits } = await readStore.client.search<{ readonly id: string }>({
      index,
      size,
      version: true,
      sort: [{ id: 'asc' }],
      ...(after ? { search_after: [after] } : {}),
    });
    for (const hit of hits.hits)
      documents.set(String(hit._id), { version: hit._version, document: hit._source });
    after = hits.hits.at(-1)?._id;
    if (hits.hits.length < size) return documents;
  }
};

const allOf = async <T>(db: Database, collection: string): Promise<T[]> =>
  (await db.collection(collection).find({}, { batchSize: 5_000 }).toArray()) as T[];

const resourcesOf = async <T extends Resource>(db: Database, store: Store<T>): Promise<T[]> =>
  (await storedOf(db, store)).map(({ resource }) => resource);

const storedOf = async <T extends Resource>(db: Database, store: Store<T>): Promise<StoredResource<T>[]> =>
  (await db.collection(store.collection).find({}, { batchSize: 5_000 }).toArray()).map(storedIn<T>);

const groupBy = <T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
};
