import { aSentEvent, later, NOW } from '../../../../test/builders.ts';
import {
  type AttemptResult,
  beginAttempt,
  type DeliveryChannel,
  deliveryIdOf,
  deliveryToEndpoint,
  deliveryToUrl,
  derivedEventId,
  finishAttempt,
  refuseDelivery,
  resolveCutOff,
  sendAgain,
  type WebhookDelivery,
} from './delivery.ts';
import { openEndpoint } from './endpoint.ts';

const SCHEDULE = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000];
const EVENT_ID = aSentEvent().id;

const endpoint = openEndpoint(
  { url: 'https://a.test/', events: ['*'], enabled: true, description: null, includeSubmerchants: false },
  { livemode: false, merchantId: 'mer_1', masterId: null },
  { id: 'whe_1', takenSlots: [], random: 0 },
  NOW,
).data;

const newDelivery = (channel: DeliveryChannel): WebhookDelivery => {
  if (channel === 'endpoint') return deliveryToEndpoint(aSentEvent(), endpoint, NOW);
  if (channel === 'payout')
    return deliveryToEndpoint(aSentEvent({ event: 'payout.approved' }), endpoint, NOW);
  return deliveryToUrl(aSentEvent(), channel, 'https://b.test/', NOW);
};

const answer = (statusCode: number | null, changes: Partial<AttemptResult> = {}): AttemptResult => ({
  statusCode,
  durationMs: 12,
  response: '',
  error: statusCode === null ? 'timeout' : null,
  retryAfterSeconds: null,
  ...changes,
});

/** Runs a delivery on a virtual clock until it has ended; returns the seconds between its attempts. */
const run = (
  delivery: WebhookDelivery,
  answers: (attempt: number) => AttemptResult,
  random = 0.5,
): { readonly waits: readonly number[]; readonly end: WebhookDelivery } => {
  const waits: number[] = [];
  let current = delivery;
  for (let now = NOW; current.dueAt !== null; ) {
    const due = new Date(current.dueAt);
    if (current.tried > 0) waits.push((due.getTime() - now.getTime()) / 1_000);
    now = due;
    const begun = beginAttempt(current, current.url, now);
    current = finishAttempt(begun, answers(begun.tried), { schedule: SCHEDULE, random }, now);
  }
  return { waits, end: current };
};

describe('a delivery', () => {
  it('to an endpoint is tried eight times over a day and then fails', () => {
    const { waits, end } = run(newDelivery('endpoint'), () => answer(500));
    expect(waits).toEqual(SCHEDULE);
    expect(end).toMatchObject({ status: 'failed', dueAt: null, tried: 8 });
    expect(end.attempts).toHaveLength(8);
  });

  it.each([
    [0, 0.8],
    [0.999_999, 1.2],
  ])('waits a fifth less or more, by chance %d', (random, factor) => {
    const { waits } = run(newDelivery('endpoint'), () => answer(null), random);
    for (const [index, wait] of waits.entries()) expect(wait).toBeCloseTo((SCHEDULE[index] ?? 0) * factor, 1);
  });

  it.each<[DeliveryChannel, number[], number]>([
    ['postback', [1, 2], 3],
    ['status', [1, 2], 3],
    ['payout', [], 1],
  ])('by %s waits %j and ends after %d', (channel, expected, tries) => {
    const { waits, end } = run(newDelivery(channel), () => answer(500), 0.9);
    expect(waits).toEqual(expected);
    expect([end.status, end.tried]).toEqual(['failed', tries]);
  });

  it('is done with the first answer of 2xx', () => {
    const { end } = run(newDelivery('endpoint'), (attempt) => answer(attempt < 3 ? 503 : 204));
    expect(end).toMatchObject({ status: 'delivered', tried: 3, dueAt: null, begunAt: null });
    expect(end.attempts.map(({ statusCode }) => statusCode)).toEqual([503, 503, 204]);
  });

  it.each([300, 301, 304, 400, 404, 410, 500])('is not done with an answer of %d', (status) => {
    const { end } = run(newDelivery('payout'), () => answer(status));
    expect(end.status).toBe('failed');
  });

  it('is not done with an answer that broke off', () => {
    const { end } = run(newDelivery('payout'), () => answer(200, { error: 'connection_reset' }));
    expect(end.status).toBe('failed');
  });

  it.each([
    [429, 7, 7],
    [503, 1, 5],
    [429, 3_600, 10],
    [500, 7, 4],
  ])('answered %d with Retry-After %d is tried again after %d s', (status, retryAfterSeconds, wait) => {
    const begun = beginAttempt(newDelivery('endpoint'), 'https://a.test/', NOW);
    const rules = { schedule: SCHEDULE, random: 0 };
    const ended = finishAttempt(begun, answer(status, { retryAfterSeconds }), rules, NOW);
    expect(ended.dueAt).toBe(later(wait).toISOString());
  });

  it('that a crash cut off is tried again at once, as often as its channel allows', () => {
    const first = resolveCutOff(
      beginAttempt(newDelivery('postback'), 'https://b.test/', NOW),
      SCHEDULE,
      later(20),
    );
    expect(first).toMatchObject({
      status: 'pending',
      dueAt: later(20).toISOString(),
      begunAt: null,
      tried: 1,
    });
    expect(first.attempts).toMatchObject([{ at: NOW.toISOString(), statusCode: null, error: 'interrupted' }]);
    const second = resolveCutOff(beginAttempt(first, first.url, NOW), SCHEDULE, NOW);
    const third = resolveCutOff(beginAttempt(second, second.url, NOW), SCHEDULE, NOW);
    expect([second.status, third.status]).toEqual(['pending', 'failed']);
  });

  it('of a payout event that a crash cut off is unknown, and is not tried again', () => {
    const begun = beginAttempt(newDelivery('payout'), 'https://a.test/', NOW);
    expect(resolveCutOff(begun, SCHEDULE, NOW)).toMatchObject({ status: 'unknown', dueAt: null });
  });

  it('is not due while its attempt is in flight', () => {
    const begun = beginAttempt(newDelivery('endpoint'), 'https://moved.test/', NOW);
    expect(begun).toMatchObject({ url: 'https://moved.test/', tried: 1, begunAt: NOW.toISOString() });
    expect(Date.parse(begun.dueAt ?? '') - NOW.getTime()).toBeGreaterThan(10_000);
  });

  it('that is sent again by hand has its whole schedule again and keeps its log', () => {
    const { end } = run(newDelivery('postback'), () => answer(500));
    const again = run(sendAgain(end, NOW), () => answer(500));
    expect(again.end).toMatchObject({ status: 'failed', tried: 6 });
    expect(again.end.attempts).toHaveLength(6);
  });

  it('that is sent again between two attempts is due at once, and has the attempts that are left', () => {
    const begun = beginAttempt(newDelivery('endpoint'), 'https://a.test/', NOW);
    const underWay = expect.objectContaining({ code: 'WEBHOOK_DELIVERY_PENDING' });
    expect(() => sendAgain(begun, NOW)).toThrow(underWay);
    const waiting = finishAttempt(begun, answer(500), { schedule: SCHEDULE, random: 0.5 }, NOW);
    expect(waiting.dueAt).toBe(later(5).toISOString());
    const forward = sendAgain(waiting, later(1));
    expect(forward).toMatchObject({ dueAt: later(1).toISOString(), tried: 1, triedBefore: 0 });
    expect(run(forward, () => answer(500)).end.tried).toBe(8);
    expect(sendAgain(forward, later(2))).toBe(forward);
  });

  it.each<[DeliveryChannel, string[]]>([
    ['postback', ['pending', 'pending', 'failed']],
    ['endpoint', [...Array(7).fill('pending'), 'failed']],
  ])('by %s that is sent again counts what crashes cut off anew: %j', (channel, expected) => {
    let delivery = sendAgain(run(newDelivery(channel), () => answer(500)).end, NOW);
    const statuses = expected.map(() => {
      delivery = resolveCutOff(beginAttempt(delivery, delivery.url, NOW), SCHEDULE, NOW);
      return delivery.status;
    });
    expect(statuses).toEqual(expected);
  });

  it('to a disabled endpoint fails without having been sent', () => {
    const refused = refuseDelivery(newDelivery('endpoint'), 'endpoint_disabled', NOW);
    expect(refused).toMatchObject({ status: 'failed', tried: 0, dueAt: null, sequence: null });
    expect(refused.attempts).toMatchObject([{ error: 'endpoint_disabled' }]);
  });

  it('keeps the last 50 attempts at most', () => {
    let delivery = newDelivery('payout');
    for (let count = 0; count < 60; count += 1)
      delivery = sendAgain(run(delivery, () => answer(count)).end, NOW);
    expect(delivery.attempts).toHaveLength(50);
    expect([delivery.tried, delivery.attempts.at(-1)?.statusCode]).toEqual([60, 59]);
  });
});

describe('an id that follows from another', () => {
  it('is the same each time, and sorts alike', () => {
    const id = deliveryIdOf(EVENT_ID, 'endpoint whe_1');
    expect(id).toMatch(/^whd_019a8b2c3d4e7f00912345[0-9a-f]{10}$/);
    expect(deliveryIdOf(EVENT_ID, 'endpoint whe_1')).toBe(id);
    expect(deliveryIdOf(EVENT_ID, 'endpoint whe_2')).not.toBe(id);
    expect(derivedEventId(EVENT_ID, 'charge.updated')).toMatch(/^evt_019a8b2c3d4e7f00912345[0-9a-f]{10}$/);
  });
});
