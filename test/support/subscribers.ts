import type { Response } from 'supertest';
import { DAY_MS } from '../../src/kernel/durations.ts';
import type { Database } from '../../src/platform/write-store/database.ts';
import { aCard } from '../builders.ts';
import type { Client } from './client.ts';

type Subscriber = { readonly customerId: string; readonly paymentMethodId: string };

/** A customer with a stored card. */
export const aSubscriber = async (shop: Client, card: object = aCard()): Promise<Subscriber> => {
  const facts = { name: 'Ana Souza', email: 'ana@example.test' };
  const customerId = (await shop.post('/v1/customers', facts).expect(201)).body.id;
  const token = (await shop.post('/v1/card-tokens', card).expect(201)).body.id;
  const { body } = await shop
    .post(`/v1/customers/${customerId}/payment-methods`, { token, consentAt: '2026-01-31T12:00:00.000Z' })
    .expect(201);
  return { customerId, paymentMethodId: body.id };
};

/** A monthly subscription whose first cycle falls due tomorrow. */
export const subscribe = async (
  shop: Client,
  subscriber: Subscriber,
  wanted: object = {},
): Promise<Response['body']> => {
  const price = { amount: 49.9, currency: 'BRL', interval: 'month' };
  const body = { ...subscriber, price, collection: 'automatic', trialDays: 1, ...wanted };
  return (await shop.post('/v1/subscriptions', body).expect(201)).body;
};

/** Makes something due `inMs` from now, as if the clocks of these subscriptions were ahead. */
export const makeDue = async (db: Database, filter: object, inMs = 0, days = 2): Promise<void> => {
  const reconcileAt = new Date(Date.now() + inMs).toISOString();
  await db.collection('subscriptions').updateMany(filter, { $set: { offsetMs: days * DAY_MS, reconcileAt } });
};

type Attempt = { readonly chargeId: string | null; readonly outcome: string };
type Cycle = {
  readonly subscriptionId: string;
  readonly number: number;
  readonly status: string;
  readonly attempts: readonly Attempt[];
};
type Charge = {
  readonly id: string;
  readonly status: string;
  readonly cycle: { readonly subscriptionId: string; readonly number: number } | null;
  readonly checkoutSessionId?: string;
};

/**
 * Describes everything in which cycles, their charges and the simulator's payments disagree. Every charge of a cycle
 * has to be an attempt that the cycle knows, with its outcome and one payment, and no cycle may be paid twice. On a
 * page a customer may try several times: the charge that has paid is the attempt.
 */
export const faultsOfCycles = async (db: Database): Promise<readonly string[]> => {
  const cycles = await db.collection<Cycle>('subscription_cycles').find().toArray();
  const charges = await db
    .collection<Charge>('charges')
    .find({ cycle: { $ne: null } })
    .toArray();
  const payments = new Map(
    (await db.collection<{ _id: string; status: string }>('simulator_payments').find().toArray()).map(
      ({ _id, status }) => [_id, status],
    ),
  );
  const attemptOf = new Map(
    cycles.flatMap(({ subscriptionId, number, attempts }) =>
      attempts.map(({ chargeId, outcome }) => [chargeId, { name: `${subscriptionId} ${number}`, outcome }]),
    ),
  );
  const ofCharges = charges.flatMap(({ id, status, cycle, checkoutSessionId }) => {
    const attempt = attemptOf.get(id);
    if (checkoutSessionId && status !== 'paid' && !attempt) return [];
    if (attempt?.name !== `${cycle?.subscriptionId} ${cycle?.number}`) return [`no attempt made ${id}`];
    const isSame = (attempt.outcome === 'paid') === (status === 'paid');
    const wasTaken = payments.get(id) === 'paid';
    return [
      ...(isSame ? [] : [`${attempt.name} is ${attempt.outcome}, its charge ${status}`]),
      ...(wasTaken === (status === 'paid') ? [] : [`${id} is ${status}, its payment ${payments.get(id)}`]),
    ];
  });
  const known = new Set(charges.map(({ id }) => id));
  const ofCycles = cycles.flatMap(({ subscriptionId, number, status, attempts }) => {
    const paid = attempts.filter(({ outcome }) => outcome === 'paid').length;
    const lost = attempts.filter(({ chargeId }) => chargeId !== null && !known.has(chargeId));
    return [
      ...(paid === (status === 'paid' ? 1 : 0)
        ? []
        : [`${subscriptionId} ${number} is ${status}, paid ${paid} times`]),
      ...lost.map(({ chargeId }) => `${chargeId} of ${subscriptionId} is nowhere`),
    ];
  });
  return [...ofCharges, ...ofCycles];
};
