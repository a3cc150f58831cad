import { anEndpoint, aSentEvent, later, NOW } from '../../../../../test/builders.ts';
import type { PostRequest, PostResult } from '../../../../platform/outbound/guarded-post.ts';
import { deliveryToEndpoint, deliveryToUrl, type WebhookDelivery } from '../delivery.ts';
import type { WebhookEndpoint } from '../endpoint.ts';
import type { SentEvent } from '../sent-event.ts';
import { createDrainQueue } from './drain-queue.ts';
import type { Slot } from './slots.ts';

const DAY = 86_400;
const SCHEDULE = [5, 300];

const anEvent = (number: number, changes: Partial<SentEvent> = {}): SentEvent =>
  aSentEvent({
    id: `evt_019a8b2c3d4e7f00912345678900000${number}`,
    body: `body ${number}`,
    createdAt: later(number - 10).toISOString(),
    ...changes,
  });

const anOldEndpoint = (changes: Partial<WebhookEndpoint> = {}): WebhookEndpoint =>
  anEndpoint({ url: 'https://new.test/', ...changes }, later(-30 * DAY));

const OK: PostResult = {
  statusCode: 200,
  response: 'ok',
  error: null,
  retryAfterSeconds: null,
  durationMs: 20,
  connected: true,
};

/**
 * Drains queues over rows in memory, with a clock that only attempts move. `answer` gives the result of each attempt.
 */
const setting = (
  rows: readonly WebhookDelivery[],
  given: {
    readonly answer?: (request: PostRequest) => Partial<PostResult>;
    readonly endpoint?: WebhookEndpoint | null;
    readonly failingSince?: string | null;
    /** Null where no slot is free. */
    readonly slot?: Slot | null;
    /** Id of an event whose body is gone. */
    readonly bodyless?: string;
  } = {},
) => {
  const stored = new Map(rows.map((row) => [row.id, row]));
  const posts: PostRequest[] = [];
  const outcomes: string[] = [];
  const disabled: string[] = [];
  const stopping = new AbortController();
  let now = NOW;
  let state = {
    id: 'whe_1',
    version: 1,
    merchantId: 'mer_1' as const,
    masterId: null,
    sequence: 0,
    failingSince: given.failingSince ?? null,
  };
  const put = (delivery: WebhookDelivery): WebhookDelivery => {
    const next = { ...delivery, version: delivery.version + 1 };
    stored.set(next.id, next);
    return next;
  };
  const drainQueue = createDrainQueue({
    store: {
      findDue: async (queue, _, at, limit) =>
        [...stored.values()]
          .filter((one) => one.queue === queue && one.dueAt !== null && one.dueAt <= at.toISOString())
          .sort((a, b) => ((a.dueAt ?? '') < (b.dueAt ?? '') ? -1 : 1))
          .slice(0, limit),
      findQueue: async () => state,
      setFailingSince: async (_, __, failingSince) => {
        state = { ...state, failingSince };
      },
      findBody: async ({ eventId }) => (eventId === given.bodyless ? null : `body ${eventId.at(-1)}`),
      begin: async (previous, next) => {
        if (stored.get(previous.id)?.version !== previous.version) return null;
        if (next.endpointId === null || next.sequence !== null) return put(next);
        state = { ...state, sequence: state.sequence + 1 };
        return put({ ...next, sequence: state.sequence });
      },
      finish: async (_, next) => {
        put(next);
      },
    },
    findEndpoint: async () => (given.endpoint === undefined ? anOldEndpoint() : given.endpoint),
    disableEndpoint: async (id) => {
      disabled.push(id);
    },
    post: async (request) => {
      posts.push(request);
      const result = { ...OK, ...given.answer?.(request) };
      now = new Date(now.getTime() + result.durationMs);
      return result;
    },
    findSlot: async () =>
      given.slot === undefined
        ? { tenantId: 'mer_1', hang: () => undefined, leave: () => undefined }
        : given.slot,
    schedule: SCHEDULE,
    clock: () => now,
    random: () => 0.5,
    attempts: {
      inc({ outcome }) {
        outcomes.push(outcome);
      },
    },
  });
  const signals = { stopping: stopping.signal, cutOff: new AbortController().signal };
  const sequences = () => posts.map(({ headers }) => headers['X-Delivery-Sequence']);
  const all = () => [...stored.values()];
  const drain = (queue: string) => drainQueue(queue, signals);
  return { drain, posts, outcomes, disabled, stopping, sequences, all, state: () => state };
};

const toEndpoint = (...numbers: readonly number[]): readonly WebhookDelivery[] =>
  numbers.map((number) =>
    deliveryToEndpoint(anEvent(number), anOldEndpoint({ url: 'https://old.test/' }), NOW),
  );

describe('draining a queue', () => {
  it('sends what is due in its order, numbered without gaps, to where the endpoint is now', async () => {
    const { drain, posts, sequences, outcomes } = setting(toEndpoint(1, 2, 3));
    expect(await drain('whe_1')).toEqual({ againInMs: null });
    expect(posts.map(({ url, body }) => [url, String(body)])).toEqual(
      [1, 2, 3].map((number) => ['https://new.test/', `body ${number}`]),
    );
    expect(sequences()).toEqual(['1', '2', '3']);
    expect(posts[0]?.headers).toMatchObject({ 'X-Event-Id': anEvent(1).id, 'X-Delivery-Attempt': '1' });
    expect(outcomes).toEqual(['delivered', 'delivered', 'delivered']);
  });

  it('marks a sample, and nothing else, as a test', async () => {
    const [sample, event] = toEndpoint(1, 2);
    const { drain, posts } = setting([{ ...sample, isTest: true }, event] as WebhookDelivery[]);
    await drain('whe_1');
    expect(posts.map(({ headers }) => headers['X-Test-Event'])).toEqual(['true', undefined]);
  });

  it('does not hold up the others behind one that fails, and comes back for it', async () => {
    const { drain, posts, sequences } = setting(toEndpoint(1, 2), {
      answer: ({ body }) => (String(body) === 'body 1' ? { statusCode: 500 } : {}),
    });
    const { againInMs } = await drain('whe_1');
    expect(againInMs).toBeGreaterThan(4_900);
    expect([posts.length, sequences()]).toEqual([2, ['1', '2']]);
  });

  it('sends nothing in place of a body that is gone', async () => {
    const { drain, posts, outcomes, all } = setting(toEndpoint(1, 2), { bodyless: anEvent(1).id });
    await drain('whe_1');
    expect(posts.map(({ body }) => String(body))).toEqual(['body 2']);
    expect(outcomes).toEqual(['failed', 'delivered']);
    expect(all()[0]).toMatchObject({ status: 'failed', attempts: [{ error: 'body_removed' }] });
  });

  it('gives way to other queues after a while, and after a slow attempt', async () => {
    const busy = setting(toEndpoint(1, 2, 3, 4), { answer: () => ({ durationMs: 800 }) });
    expect(await busy.drain('whe_1')).toEqual({ againInMs: 0 });
    expect(busy.posts).toHaveLength(2);
    const hanging = setting(toEndpoint(1, 2, 3), {
      answer: () => ({ statusCode: null, error: 'timeout', durationMs: 10_000 }),
    });
    expect((await hanging.drain('whe_1')).againInMs).toBeGreaterThan(0);
    expect(hanging.posts).toHaveLength(1);
  });

  it('waits for a slot, and leaves it after its turn, whatever comes of it', async () => {
    const crowded = setting(toEndpoint(1), { slot: null });
    expect(await crowded.drain('whe_1')).toEqual({ againInMs: null });
    expect(crowded.posts).toHaveLength(0);
    let left = 0;
    const slot = {
      tenantId: 'mer_1',
      hang: () => undefined,
      leave: () => {
        left += 1;
      },
    };
    await setting(toEndpoint(1, 2), { slot }).drain('whe_1');
    expect(left).toBe(1);
    const broken = setting(toEndpoint(1), {
      slot,
      answer: () => {
        throw new Error('broken');
      },
    });
    await expect(broken.drain('whe_1')).rejects.toThrow('broken');
    expect(left).toBe(2);
  });

  it('begins nothing once the process stops, and leaves what is due as it is', async () => {
    const { drain, posts, stopping, all } = setting(toEndpoint(1, 2, 3), {
      answer: () => {
        stopping.abort();
        return {};
      },
    });
    await drain('whe_1');
    expect(posts).toHaveLength(1);
    expect(all().map(({ status }) => status)).toEqual(['delivered', 'pending', 'pending']);
  });

  it.each([
    ['disabled', anOldEndpoint({ enabled: false })],
    ['gone', null],
  ])('sends nothing to an endpoint that is %s, and numbers nothing', async (_, endpoint) => {
    const { drain, posts, all } = setting(toEndpoint(1, 2), { endpoint });
    expect(await drain('whe_1')).toEqual({ againInMs: null });
    expect(posts).toHaveLength(0);
    expect(all()).toMatchObject([
      { status: 'failed', sequence: null, attempts: [{ error: 'endpoint_disabled' }] },
      { status: 'failed', sequence: null },
    ]);
  });

  it('keeps since when an endpoint only fails, and disables it after five days', async () => {
    const failing = { answer: () => ({ statusCode: 500 }) };
    const first = setting(toEndpoint(1), failing);
    await first.drain('whe_1');
    expect([first.state().failingSince?.slice(0, 10), first.disabled]).toEqual(['2026-06-15', []]);
    const fourDays = setting(toEndpoint(1), { ...failing, failingSince: later(-4 * DAY).toISOString() });
    await fourDays.drain('whe_1');
    expect(fourDays.disabled).toEqual([]);
    const fiveDays = setting(toEndpoint(1), { ...failing, failingSince: later(-5 * DAY).toISOString() });
    await fiveDays.drain('whe_1');
    expect(fiveDays.disabled).toEqual(['whe_1']);
    const healed = setting(toEndpoint(1), { failingSince: later(-9 * DAY).toISOString() });
    await healed.drain('whe_1');
    expect([healed.state().failingSince, healed.disabled]).toEqual([null, []]);
  });

  it('disables an endpoint at once whose receiver is gone, and tries that delivery no more', async () => {
    const { drain, disabled, all } = setting(toEndpoint(1), { answer: () => ({ statusCode: 410 }) });
    await drain('whe_1');
    expect(disabled).toEqual(['whe_1']);
    expect(all()).toMatchObject([{ status: 'failed', dueAt: null }]);
  });

  it('sends an event again that a crash cut off, and a payout never', async () => {
    const begun = {
      tried: 1,
      begunAt: later(-60).toISOString(),
      dueAt: later(-40).toISOString(),
      sequence: 1,
    };
    const payout = deliveryToEndpoint(anEvent(2, { event: 'payout.approved' }), anOldEndpoint(), NOW);
    const rows = [...toEndpoint(1), payout].map((row) => ({ ...row, ...begun }));
    const { drain, posts, outcomes, all } = setting(rows);
    await drain('whe_1');
    expect(all().map(({ status }) => status)).toEqual(['delivered', 'unknown']);
    expect(outcomes).toEqual(['retry', 'unknown', 'delivered']);
    expect(posts.map(({ headers }) => headers['X-Delivery-Attempt'])).toEqual(['2']);
  });

  it('of a postback needs no endpoint and gives no number', async () => {
    const delivery = deliveryToUrl(anEvent(1), 'postback', 'https://postback.test/a', NOW);
    const { drain, posts, sequences } = setting([delivery], { answer: () => ({ statusCode: 404 }) });
    expect((await drain(delivery.queue)).againInMs).toBe(1_000);
    expect([posts[0]?.url, sequences()]).toEqual(['https://postback.test/a', [undefined]]);
  });
});
