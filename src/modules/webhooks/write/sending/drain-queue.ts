import { SpanKind } from '@opentelemetry/api';
import { type Clock, type Timestamp, timestamp } from '../../../../kernel/clock.ts';
import type { TenantId } from '../../../../kernel/tenant.ts';
import type { GuardedPost, PostResult } from '../../../../platform/outbound/guarded-post.ts';
import { inSpanBelow, noteOnSpan, presentTrace } from '../../../../platform/tracing.ts';
import type { FindById } from '../../../../platform/write-store/read-resource.ts';
import {
  beginAttempt,
  finishAttempt,
  isGone,
  isSuccess,
  type RetrySchedule,
  refuseDelivery,
  resolveCutOff,
  type WebhookDelivery,
} from '../delivery.ts';
import { disableFailing, type WebhookEndpoint } from '../endpoint.ts';
import type { DisableReason } from '../manage-endpoints.ts';
import type { SentEventsStore } from '../sent-events.store.ts';
import type { AttemptsStore } from './attempts.store.ts';
import { createLookAhead, type Part } from './look-ahead.ts';
import type { Slot } from './slots.ts';

const BATCH = 20;
/** How long one queue may send before others get their turn. */
const TURN_MS = 1_500;
/** An attempt that took this long shows that the receiver is slow, which ends the queue's turn. */
const SLOW_MS = 2_000;
const LIMITS = { connectTimeoutMs: 3_000, totalTimeoutMs: 10_000, maxResponseBytes: 2_048 };
const USER_AGENT = 'Portico/1.0 (webhooks)';

type Outcome = 'delivered' | 'retry' | 'failed' | 'unknown';

/**
 * Sends the due deliveries of a queue one after the other for a short while, and says after how long at most to call it
 * again. A queue that gets no slot is woken when one may be free. With `livemode` only those of one environment.
 */
export type DrainQueue = (
  queue: string,
  signals: Signals,
  livemode?: boolean | null,
) => Promise<{ readonly againInMs: number | null }>;

export type Signals = {
  /** Aborts when the process ends: no further attempt begins. */
  readonly stopping: AbortSignal;
  /** Aborts when the attempts in flight have had their time to end. */
  readonly cutOff: AbortSignal;
};

type Deps = {
  readonly store: Pick<AttemptsStore, 'findDue' | 'findQueue' | 'setFailingSince' | 'begin' | 'finish'> &
    Pick<SentEventsStore, 'findBody'>;
  readonly findEndpoint: FindById<WebhookEndpoint>;
  readonly disableEndpoint: (id: string, reason: DisableReason) => Promise<void>;
  readonly post: GuardedPost;
  readonly schedule: RetrySchedule;
  readonly clock: Clock;
  readonly random: () => number;
  readonly findSlot: (queue: string) => Promise<Slot | null>;
  /** Counts attempts by their outcome. */
  readonly attempts: {
    inc(labels: { readonly channel: WebhookDelivery['channel']; readonly outcome: Outcome }): void;
  };
};

const isEndpoint = (queue: string): boolean => queue.startsWith('whe_');

export const createDrainQueue = (deps: Deps): DrainQueue => {
  const { store, clock } = deps;
  const attempt = createAttempt(deps);
  const ahead = createLookAhead(store.findDue, clock);

  const drain = async (part: Part, slot: Slot, { stopping, cutOff }: Signals): ReturnType<DrainQueue> => {
    const { queue } = part;
    const endBy = clock().getTime() + TURN_MS;
    const isOver = (): boolean => stopping.aborted || clock().getTime() > endBy;
    let nextAt = Number.POSITIVE_INFINITY;
    const health = isEndpoint(queue) ? await createHealth(deps, queue, slot.tenantId) : null;

    while (!isOver()) {
      const found = await ahead.take(part, slot.tenantId, BATCH);
      if (found.length === 0)
        return { againInMs: Number.isFinite(nextAt) ? Math.max(0, nextAt - clock().getTime()) : null };
      const due = await resolveCutOffs(deps, found);
      const endpoint = isEndpoint(queue) ? await deps.findEndpoint(queue, slot.tenantId) : null;
      if (isEndpoint(queue) && !endpoint?.enabled) {
        for (const delivery of due)
          await finish(deps, delivery, refuseDelivery(delivery, 'endpoint_disabled', clock()));
        continue;
      }
      for (const [index, delivery] of due.entries()) {
        if (isOver()) {
          ahead.giveBack(part, due.slice(index));
          return { againInMs: 0 };
        }
        const body = await store.findBody(delivery);
        if (body === null) {
          await finish(deps, delivery, refuseDelivery(delivery, 'body_removed', clock()));
          continue;
        }
        const ended = await attempt(delivery, endpoint?.url ?? delivery.url, body, { slot, cutOff });
        if (!ended) continue;
        if (endpoint) await health?.note(endpoint, ended);
        if (ended.dueAt !== null) nextAt = Math.min(nextAt, Date.parse(ended.dueAt));
        if ((ended.attempts.at(-1)?.durationMs ?? 0) > SLOW_MS) {
          ahead.giveBack(part, due.slice(index + 1));
          return { againInMs: SLOW_MS };
        }
      }
    }
    return { againInMs: 0 };
  };

  return async (queue, signals, livemode = null) => {
    const slot = await deps.findSlot(queue);
    if (!slot) return { againInMs: null };
    try {
      return await drain({ queue, livemode }, slot, signals);
    } finally {
      slot.leave();
    }
  };
};

/** Resolves deliveries whose attempt was cut off by a crash; returns the others. */
const resolveCutOffs = async (
  deps: Deps,
  due: readonly WebhookDelivery[],
): Promise<readonly WebhookDelivery[]> => {
  for (const delivery of due)
    if (delivery.begunAt !== null)
      await finish(deps, delivery, resolveCutOff(delivery, deps.schedule, deps.clock()));
  return due.filter(({ begunAt }) => begunAt === null);
};

const finish = async (
  { store, attempts }: Deps,
  previous: WebhookDelivery,
  next: WebhookDelivery,
): Promise<void> => {
  await store.finish(previous, next);
  attempts.inc({ channel: next.channel, outcome: next.status === 'pending' ? 'retry' : next.status });
};

/**
 * Makes one attempt: marks it as begun, sends, and stores the outcome. Null where somebody else has taken the delivery.
 */
const createAttempt =
  (deps: Deps) =>
  async (
    delivery: WebhookDelivery,
    url: string,
    body: string,
    { slot, cutOff }: { readonly slot: Slot; readonly cutOff: AbortSignal },
  ): Promise<WebhookDelivery | null> => {
    const begun = await deps.store.begin(delivery, beginAttempt(delivery, url, deps.clock()));
    if (!begun) return null;
    const sending = () =>
      deps.post({
        url,
        headers: headersOf(begun),
        body: Buffer.from(body),
        ...LIMITS,
        signal: cutOff,
      });
    const { connected: _, ...result } = await noticing(slot, traced(begun, url, sending));
    const rules = { schedule: deps.schedule, random: deps.random() };
    const ended =
      result.error === 'aborted'
        ? // Cut off by the end of this process and not by the receiver, so the event may have arrived, as after a crash.
          resolveCutOff(begun, deps.schedule, deps.clock())
        : finishAttempt(begun, result, rules, deps.clock());
    await finish(deps, begun, ended);
    return ended;
  };

const headersOf = (delivery: WebhookDelivery): Readonly<Record<string, string>> => ({
  'Content-Type': 'application/json',
  'User-Agent': USER_AGENT,
  'X-Event-Id': delivery.eventId,
  'X-Delivery-Attempt': String(delivery.tried),
  ...(delivery.sequence === null ? {} : { 'X-Delivery-Sequence': String(delivery.sequence) }),
  ...(delivery.isTest ? { 'X-Test-Event': 'true' } : {}),
  ...presentTrace(),
});

/** Runs an attempt as part of the trace of the request that caused the event. */
const traced = (
  { eventId, tried, ...delivery }: WebhookDelivery,
  url: string,
  send: () => Promise<PostResult>,
): Promise<PostResult> => {
  const attributes = {
    'http.request.method': 'POST',
    'http.request.resend_count': tried - 1,
    'server.address': URL.canParse(url) ? new URL(url).hostname : '',
    'portico.event.id': eventId,
  };
  return inSpanBelow(delivery, 'POST webhook', { kind: SpanKind.CLIENT, attributes }, async () => {
    const result = await send();
    noteOnSpan({
      ...(result.statusCode === null ? {} : { 'http.response.status_code': result.statusCode }),
      ...(result.error === null ? {} : { 'error.type': result.error }),
    });
    return result;
  });
};

/** Makes an attempt give up its slot among the working ones once its receiver keeps it waiting. */
const noticing = async <T>(slot: Slot, attempt: Promise<T>): Promise<T> => {
  const timer = setTimeout(slot.hang, SLOW_MS);
  try {
    return await attempt;
  } finally {
    clearTimeout(timer);
  }
};

/**
 * Keeps track of since when an endpoint has only failed, and disables it after too long or when its receiver is gone.
 */
const createHealth = async ({ store, disableEndpoint, clock }: Deps, queue: string, tenantId: TenantId) => {
  let failingSince = (await store.findQueue(queue, tenantId))?.failingSince ?? null;
  const set = async (since: Timestamp | null): Promise<void> => {
    if (since === failingSince) return;
    failingSince = since;
    await store.setFailingSince(queue, tenantId, since);
  };
  return {
    async note(endpoint: WebhookEndpoint, { attempts, url }: WebhookDelivery): Promise<void> {
      const last = attempts.at(-1);
      const now = clock();
      if (last && isGone(last)) return disableEndpoint(endpoint.id, { goneFrom: url });
      if (last && isSuccess(last)) return set(null);
      if (failingSince === null) return set(timestamp(now));
      if (disableFailing(endpoint, failingSince, now)) await disableEndpoint(endpoint.id, { failingSince });
    },
  };
};
