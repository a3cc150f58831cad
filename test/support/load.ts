import { setTimeout as sleep } from 'node:timers/promises';
import { aCardRequest, aPixRequest } from '../builders.ts';
import { volume } from './volume.ts';

/** The pause of a client after each answer, because tests need numbers of promises and not a rate. */
const PAUSE_MS = volume({ usual: 150, proof: 0 });

/** Promises of the gateway to its callers, and answers that it should not have given. */
export type Promises = {
  /** Charges by the reference that the client gave, one for each request. */
  readonly charges: Map<string, { readonly id: string; readonly status: string }>;
  readonly refunds: Map<string, { readonly chargeId: string; readonly status: string }>;
  readonly alerts: Map<string, { readonly chargeId: string }>;
  readonly anticipations: Map<string, { readonly amount: number; readonly fee: number }>;
  /** Number of 503 answers and of requests without an answer. */
  outages: number;
  /** Answers that nothing explains. */
  readonly unexpected: string[];
};

export type Load = {
  readonly promises: Promises;
  /** Stops, and waits for the answers to the requests in flight. */
  stop(): Promise<void>;
};

export const newPromises = (): Promises => ({
  charges: new Map(),
  refunds: new Map(),
  alerts: new Map(),
  anticipations: new Map(),
  outages: 0,
  unexpected: [],
});

/**
 * Cards, weighted by how often they are used: most are accepted, and every other outcome of payment and refund occurs.
 */
const CARDS = [
  ...Array.from({ length: 8 }, () => '4242424242424242'),
  '4000000000000002', // refused
  '4000000000000119', // failed
  '4000000000007726', // its refund stays pending
  '4000000000005423', // its refund is refused
  '4000000000004954', // the provider does not answer
];

/** Refusals of a paid charge's refund that an earlier try, whose answer was lost, may have caused. */
const LOST_ANSWER = [
  'REFUND_ALREADY_EXISTS',
  'REFUND_PENDING',
  'CHARGEBACK_ALERT_ALREADY_REGISTERED',
  'CHARGE_NOT_REFUNDABLE',
  'CHARGE_NOT_PAID',
];

export const REFERENCE_PREFIX = 'load-';
let references = 0;

const anyOf = <T>(choices: readonly T[]): T => choices[Math.floor(Math.random() * choices.length)] as T;

/**
 * `clients` at a time create charges by card and Pix and refund paid ones until they are stopped. An operator's token
 * of the test environment adds chargeback alerts, and `anticipates` adds anticipations. Clients are distributed over
 * the `urls`, and one that loses its connection moves to the next.
 */
export const startLoad = (options: {
  readonly urls: readonly string[];
  readonly key: string;
  readonly clients: number;
  readonly operatorToken?: string;
  readonly anticipates?: boolean;
  readonly promises?: Promises;
}): Load => {
  const promises = options.promises ?? newPromises();
  const refundable: string[] = [];
  let stopped = false;

  const byKey = `Basic ${Buffer.from(`${options.key}:`).toString('base64')}`;
  const postBy =
    (url: string): Post =>
    async (path, body, authorization = byKey) => {
      const response = await fetch(url + path, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(30_000),
      });
      const text = await response.text();
      if (response.status !== 503) return { status: response.status, body: JSON.parse(text) };
      if (!response.headers.get('retry-after') || JSON.parse(text).statusCode !== 503)
        promises.unexpected.push(`503 without Retry-After or in another form: ${text}`);
      return null;
    };

  const createCharge = async (post: Post): Promise<void> => {
    references += 1;
    const changes = {
      reference: `${REFERENCE_PREFIX}${references}`,
      amount: (100 + (references % 9_000)) / 100,
    };
    const request =
      Math.random() < 0.3 ? aPixRequest(changes) : aCardRequest(changes, { number: anyOf(CARDS) });
    const answer = await post('/v1/charges', request);
    if (!answer) {
      promises.outages += 1;
    } else if (answer.status === 201) {
      promises.charges.set(changes.reference, answer.body);
      if (answer.body.status === 'paid') refundable.push(answer.body.id);
    } else {
      promises.unexpected.push(`create: ${answer.status} ${JSON.stringify(answer.body)}`);
    }
  };

  const refundCharge = async (post: Post, chargeId: string): Promise<void> => {
    const answer = await post('/v1/refunds', { chargeId, reason: 'sent back' });
    if (!answer) {
      promises.outages += 1;
      refundable.push(chargeId);
    } else if (answer.status === 201) {
      promises.refunds.set(answer.body.id, answer.body);
    } else if (!LOST_ANSWER.includes(answer.body.code ?? '')) {
      promises.unexpected.push(`refund: ${answer.status} ${JSON.stringify(answer.body)}`);
    }
  };

  const alertCharge = async (post: Post, chargeId: string): Promise<void> => {
    const byOperator = `Bearer ${options.operatorToken}`;
    const answer = await post('/v1/admin/chargeback-alerts', { chargeId }, byOperator);
    if (!answer) {
      promises.outages += 1;
      refundable.push(chargeId);
    } else if (answer.status === 201) {
      promises.alerts.set(answer.body.id, answer.body);
    } else if (!LOST_ANSWER.includes(answer.body.code ?? '')) {
      promises.unexpected.push(`alert: ${answer.status} ${JSON.stringify(answer.body)}`);
    }
  };
  const giveBack = (post: Post, chargeId: string): Promise<void> =>
    options.operatorToken !== undefined && Math.random() < 0.4
      ? alertCharge(post, chargeId)
      : refundCharge(post, chargeId);

  const anticipate = async (post: Post): Promise<void> => {
    const answer = await post('/v1/anticipations', { amount: anyOf([5, 20, 100]), currency: 'BRL' });
    if (!answer) {
      promises.outages += 1;
    } else if (answer.status === 201) {
      promises.anticipations.set(answer.body.id, answer.body);
    } else if (answer.body.code !== 'NOTHING_TO_ANTICIPATE') {
      promises.unexpected.push(`anticipate: ${answer.status} ${JSON.stringify(answer.body)}`);
    }
  };

  const client = async (_: unknown, first: number): Promise<void> => {
    let next = first;
    while (!stopped) {
      const post = postBy(options.urls[next % options.urls.length] ?? '');
      const isAnticipation = options.anticipates === true && Math.random() < 0.1;
      const chargeId = !isAnticipation && Math.random() < 0.4 ? refundable.shift() : undefined;
      try {
        if (isAnticipation) await anticipate(post);
        else await (chargeId ? giveBack(post, chargeId) : createCharge(post));
      } catch {
        // The connection was lost, so the client knows nothing about the outcome.
        promises.outages += 1;
        next += 1;
        if (chargeId) refundable.push(chargeId);
        await sleep(100);
      }
      await sleep(PAUSE_MS);
    }
  };
  const clients = Array.from({ length: options.clients }, client);

  return {
    promises,
    async stop() {
      stopped = true;
      await Promise.all(clients);
    },
  };
};

/** Null where the gateway could not serve the request. */
type Post = (
  path: string,
  body: object,
  authorization?: string,
) => Promise<{ status: number; body: Answer } | null>;

type Answer = {
  readonly id: string;
  readonly status: string;
  readonly chargeId: string;
  readonly amount: number;
  readonly fee: number;
  readonly code?: string;
};
