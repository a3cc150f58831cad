import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { timestamp } from '../../src/kernel/clock.ts';
import { newId } from '../../src/kernel/ids.ts';
import { DELIVERIES, deliveryToEndpoint } from '../../src/modules/webhooks/write/delivery.ts';
import { WEBHOOK_ENDPOINTS, type WebhookEndpoint } from '../../src/modules/webhooks/write/endpoint.ts';
import { SENT_EVENTS, type SentEvent } from '../../src/modules/webhooks/write/sent-event.ts';
import type { Database } from '../../src/platform/write-store/database.ts';
import type { Call } from './gateway-process.ts';

const SLOW_ANSWER_MS = 4_000;
const ARRIVED_WITHIN_MS = 180_000;

/** A merchant's server: the path `/healthy/…` is answered at once, `/slow/…` after four seconds. */
export type Receiver = {
  readonly url: string;
  /** When each charge's event arrived at a healthy endpoint, by the charge's id. */
  readonly at: Map<string, number>;
  /** Answers that healthy and slow endpoints have given. */
  count: number;
  /** While this is true, `/hanging` never answers and `/failing` answers 500. */
  isBad: boolean;
  close(): Promise<void>;
};

export const startReceiver = async (): Promise<Receiver> => {
  const server: Server = createServer(async (request, response) => {
    const body = await text(request);
    const arrivedAt = performance.now();
    const path = request.url ?? '';
    if (receiver.isBad && path === '/hanging') return;
    if (path.startsWith('/slow/')) await sleep(SLOW_ANSWER_MS);
    response.writeHead(receiver.isBad && path === '/failing' ? 500 : 200).end();
    if (!/^\/(healthy|slow)\//.test(path)) return;
    receiver.at.set(JSON.parse(body).data.id, arrivedAt);
    receiver.count += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    at: new Map(),
    count: 0,
    isBad: false,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
};

/** Registers an endpoint for paid charges at this address. */
export const register = async (call: Call, authorization: string, url: string): Promise<void> => {
  const settings = { url, events: ['charge.paid'] };
  const { status, body } = await call('POST', '/v1/webhook-endpoints', authorization, settings);
  if (status !== 201) throw new Error(`POST /v1/webhook-endpoints: ${status} ${body}`);
};

/**
 * Deliveries per second when this many are due at once, distributed over the endpoints whose address contains `path`.
 */
export const sendBacklog = async (
  db: Database,
  receiver: Receiver,
  { path, count }: { readonly path: string; readonly count: number },
): Promise<number> => {
  const now = new Date();
  const endpoints = await db
    .collection(WEBHOOK_ENDPOINTS.collection)
    .find<WebhookEndpoint>({ enabled: true }, { projection: { _id: 0 } })
    .toArray();
  const chosen = endpoints.filter(({ url }) => url.includes(path));
  const planned = Array.from({ length: count }, (_, n) => {
    const endpoint = chosen[n % chosen.length];
    if (!endpoint) throw new Error(`no endpoint at ${path}`);
    const { livemode, merchantId, masterId } = endpoint;
    const id = newId('evt');
    const resourceId = newId('chg');
    const body = JSON.stringify({ id, event: 'charge.paid', livemode, data: { id: resourceId } });
    const owner = { livemode, merchantId, masterId };
    const sent: SentEvent = {
      id,
      version: 1,
      ...owner,
      event: 'charge.paid',
      resourceId,
      body,
      createdAt: timestamp(now),
    };
    return { sent, delivery: deliveryToEndpoint(sent, endpoint, now) };
  });
  const insert = (collection: string, rows: readonly { readonly id: string }[]) =>
    db.collection<{ _id: string }>(collection).insertMany(rows.map((row) => ({ ...row, _id: row.id })));
  await insert(
    SENT_EVENTS.collection,
    planned.map(({ sent }) => sent),
  );
  const before = receiver.count;
  await insert(
    DELIVERIES.collection,
    planned.map(({ delivery }) => delivery),
  );
  const startedAt = performance.now();
  await arrived('the backlog', () => receiver.count >= before + count);
  return count / ((performance.now() - startedAt) / 1_000);
};

export const arrived = async (what: string, isDone: () => boolean): Promise<void> => {
  const end = performance.now() + ARRIVED_WITHIN_MS;
  while (!isDone()) {
    if (performance.now() > end) throw new Error(`not in time: ${what}`);
    await sleep(10);
  }
};
