import type { Document } from 'mongodb';
import type { DomainEvent } from '../../src/kernel/event.ts';
import type { ManualRefundRequest } from '../../src/modules/chargebacks/write/manual-refund-request.ts';
import {
  CHARGE_STATUSES,
  type Charge,
  type ChargeStatus,
  mayMove,
} from '../../src/modules/charges/write/charge.ts';
import type { Refund } from '../../src/modules/refunds/write/refund.ts';
import type { Subscription } from '../../src/modules/subscriptions/write/subscription.ts';
import type { WebhookDelivery } from '../../src/modules/webhooks/write/delivery.ts';
import type { Database } from '../../src/platform/write-store/database.ts';
import { DOMAIN_EVENTS } from '../../src/platform/write-store/write-set.ts';
import { findMisbehaviour } from '../model/behaviours.ts';
import { findDifferences } from '../support/find-differences.ts';
import { faultsOfCycles } from '../support/subscribers.ts';
import type { Received } from './receivers.ts';
import type { Promised } from './workload.ts';
import type { World } from './world/world.ts';

const allOf = <T extends Document>(db: Database, collection: string): Promise<readonly T[]> =>
  db.collection(collection).find<T>({}).toArray();

/** Whether a status can be reached from another one in any number of legal moves. */
const mayBecome = (from: ChargeStatus, to: ChargeStatus): boolean =>
  from === to || CHARGE_STATUSES.some((next) => mayMove(from, next) && mayBecome(next, to));

/** Promises to callers that are not kept: a record that is not there, is there twice, or says something else. */
const brokenPromises = async (db: Database, promised: Promised): Promise<readonly string[]> => {
  const broken: string[] = [...promised.unexpected];
  const charges = new Map((await allOf<Charge>(db, 'charges')).map((one) => [String(one.id), one]));
  const refunds = new Map((await allOf<Refund>(db, 'refunds')).map((one) => [String(one.id), one]));
  const references = new Set<string>();
  for (const { reference } of charges.values()) {
    if (reference === null) continue;
    if (references.has(reference)) broken.push(`${reference} is charged twice`);
    references.add(reference);
  }
  for (const [reference, { id, status }] of promised.charges) {
    const charge = charges.get(id);
    if (charge?.reference !== reference) broken.push(`charge ${id} was acknowledged and is not there`);
    else if (!mayBecome(status as ChargeStatus, charge.status))
      broken.push(`charge ${id} was acknowledged as ${status} and is ${charge.status}`);
  }
  for (const [id, { chargeId, status }] of promised.refunds) {
    const refund = refunds.get(id);
    if (refund?.chargeId !== chargeId) broken.push(`refund ${id} was acknowledged and is not there`);
    else if (
      status !== 'pending' &&
      refund.status !== status &&
      !(status === 'refunded' && refund.status === 'failed')
    )
      broken.push(`refund ${id} was acknowledged as ${status} and is ${refund.status}`);
  }
  const alerts = await allOf<{ readonly id: string; readonly chargeId: string }>(db, 'chargeback_alerts');
  for (const [id, { chargeId }] of promised.alerts)
    if (alerts.find((one) => one.id === id)?.chargeId !== chargeId)
      broken.push(`alert ${id} was acknowledged and is not there`);
  const ofCharges = new Map<string, number>();
  for (const refund of refunds.values())
    if (refund.status === 'refunded')
      ofCharges.set(refund.chargeId, (ofCharges.get(refund.chargeId) ?? 0) + 1);
  for (const [id, count] of ofCharges) if (count > 1) broken.push(`charge ${id} is refunded ${count} times`);
  const requests = await allOf<{ readonly id: string }>(db, 'payout_requests');
  for (const id of promised.payouts)
    if (!requests.some((one) => one.id === id)) broken.push(`payout ${id} was acknowledged and is not there`);
  return broken;
};

/** Promises to receivers of webhooks: a delivery that counts as delivered came, and each event has one body. */
const brokenDeliveries = async (db: Database, received: Received): Promise<readonly string[]> => {
  const broken: string[] = [];
  const deliveries = await allOf<WebhookDelivery>(db, 'webhook_deliveries');
  for (const { id, eventId, status, url, attempts } of deliveries) {
    const came = received.accepted.has(`${url} ${eventId}`);
    if (status === 'delivered' && !came)
      broken.push(
        `${id} counts as delivered and did not come: ${JSON.stringify({ eventId, url, attempts })}`,
      );
  }
  for (const [event, bodies] of received.bodies)
    if (bodies.size > 1) broken.push(`${event} came with ${bodies.size} different bodies`);
  return broken;
};

/** Charges that the acquirer has paid back and that somebody would still pay back by hand. */
const paidBackTwice = async (db: Database): Promise<readonly string[]> => {
  const open = await allOf<ManualRefundRequest>(db, 'manual_refund_requests');
  const charges = new Map((await allOf<Charge>(db, 'charges')).map((one) => [one.id, one]));
  return open
    .filter(({ status, chargeId }) => status === 'pending' && charges.get(chargeId)?.status === 'chargeback')
    .map(({ id, chargeId }) => `${id} would pay ${chargeId} back by hand, which its acquirer has paid back`);
};

/** Charges of which a part is still to be settled, and never will be. */
const neverSettled = async (db: Database): Promise<readonly string[]> =>
  (await allOf<Charge>(db, 'charges'))
    .filter(({ status, refundId, due, settlement: { settled, parts } }) => {
      const isFree = status === 'paid' && refundId === null && due !== null;
      return isFree && settled < parts && due.nextAt === null;
    })
    .map(({ id, settlement: { settled } }) => `part ${settled + 1} of ${id} never falls due`);

/** Live charges and refunds about which the gateway and the institution do not agree. */
const differencesFromInstitution = async ({ db, institution }: World): Promise<readonly string[]> => {
  const isPaid = (await allOf<Charge>(db, 'charges')).filter((one) => one.livemode && one.paidAt !== null);
  const isDone = (await allOf<Refund>(db, 'refunds')).filter(
    (one) => one.livemode && one.status === 'refunded',
  );
  const { charges, refunds } = institution.taken();
  const differing = (theirs: readonly string[], ours: readonly { readonly id: string }[]) => {
    const own = new Set(ours.map(({ id }) => id));
    const others = new Set(theirs);
    return [...theirs.filter((id) => !own.has(id)), ...[...own].filter((id) => !others.has(id))];
  };
  return [
    ...differing(charges, isPaid).map((id) => `${id} is paid at the gateway or at the institution only`),
    ...differing(refunds, isDone).map((id) => `${id} is refunded at the gateway or at the institution only`),
  ];
};

/** Charges that were begun for a subscription after it had ended. */
const chargedAfterEnd = (events: readonly DomainEvent[]): readonly string[] => {
  const ends = new Map<string, string>();
  for (const { resource, resourceId, at, data } of events)
    if (resource === 'subscription' && (data as Subscription).endedAt !== null && !ends.has(resourceId))
      ends.set(resourceId, at);
  return events.flatMap(({ type, resourceId, at, data }) => {
    const { subscriptionId = null } = (type === 'charge.created' && (data as Charge).cycle) || {};
    const end = subscriptionId && ends.get(subscriptionId);
    return end && end < at ? [`${resourceId} was begun for ${subscriptionId}, which had ended`] : [];
  });
};

/** Everything that is wrong once nothing is under way any more. */
export const findProblems = async (
  world: World,
  promised: Promised,
  received: Received,
): Promise<readonly string[]> => {
  const events = await allOf<DomainEvent>(world.db, DOMAIN_EVENTS);
  return [
    ...(await findDifferences(world)),
    ...(await faultsOfCycles(world.db)),
    ...findMisbehaviour(events),
    ...chargedAfterEnd(events),
    ...(await paidBackTwice(world.db)),
    ...(await neverSettled(world.db)),
    ...(await differencesFromInstitution(world)),
    ...(await brokenPromises(world.db, promised)),
    ...(await brokenDeliveries(world.db, received)),
  ];
};
