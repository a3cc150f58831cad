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
import { DB } from '../../src/platform/platform.module.ts';
import { drained } from './creates.ts';
import { alternate, percentile, type Row } from './measure.ts';
import { type Bench, createCharge, type Merchants } from './setting.ts';

const HEALTHY = 50;
/** Beside the healthy ones: an endpoint that never answers and one that always fails. */
const BAD = ['/hanging', '/failing'];
/** Far below what the machine can do, so that waiting for others shows and not waiting for the processor. */
const CHARGES_PER_SECOND = 10;
const P99_GOAL = 1.5;
const BACKLOG = 3_000;
const ARRIVED_WITHIN_MS = 180_000;

type Arrivals = {
  readonly url: string;
  /** When each charge's event arrived at a healthy endpoint, by the charge's id. */
  readonly at: Map<string, number>;
  count: number;
  isBad: boolean;
  close(): Promise<void>;
};

/** Healthy endpoints with two bad ones beside them and without, then how fast a backlog is sent. */
export const measureWebhooks = async (bench: Bench, merchants: Merchants): Promise<Row[]> => {
  const arrivals = await receive();
  try {
    const chosen = merchants.slice(0, HEALTHY + BAD.length);
    for (const [index, authorization] of chosen.entries()) {
      const url = `${arrivals.url}${BAD[index - HEALTHY] ?? `/healthy/${index}`}`;
      const settings = { url, events: ['charge.paid'] };
      const { status, body } = await bench.call('POST', '/v1/webhook-endpoints', authorization, settings);
      if (status !== 201) throw new Error(`POST /v1/webhook-endpoints: ${status} ${body}`);
    }
    await p99(bench, chosen, arrivals);
    const { a, b, ratio } = await alternate(
      bench.rounds,
      () => {
        arrivals.isBad = true;
        return p99(bench, chosen, arrivals);
      },
      () => {
        arrivals.isBad = false;
        return p99(bench, chosen, arrivals);
      },
    );
    arrivals.isBad = false;
    const perSecond = await sendBacklog(bench, arrivals);
    return [
      {
        what: `webhook after a charge, p99 of ${HEALTHY} healthy endpoints beside ${BAD.length} bad ones`,
        gateway: `${a.toFixed(0)} ms`,
        reference: `without bad ones: ${b.toFixed(0)} ms`,
        result: `${ratio.toFixed(2)} ×`,
        goal: `≤ ${P99_GOAL} ×`,
        isMet: ratio <= P99_GOAL,
      },
      {
        what: `webhooks delivered per second, backlog at ${HEALTHY} endpoints`,
        gateway: perSecond.toFixed(0),
        reference: '',
        result: '',
        goal: '',
        isMet: null,
      },
    ];
  } finally {
    await arrivals.close();
  }
};

/** Milliseconds from a charge being answered to its event being received, of charges at a steady pace. */
const p99 = async (bench: Bench, merchants: Merchants, arrivals: Arrivals): Promise<number> => {
  const answered = new Map<string, number>();
  const creating: Promise<void>[] = [];
  const total = CHARGES_PER_SECOND * bench.seconds;
  for (let n = 0; n < total; n += 1) {
    const index = n % merchants.length;
    const create = async (): Promise<void> => {
      const id = await createCharge(bench.call, merchants[index] ?? '');
      if (index < HEALTHY) answered.set(id, performance.now());
    };
    creating.push(create());
    await sleep(1_000 / CHARGES_PER_SECOND);
  }
  await Promise.all(creating);
  await until('the events of charges', () => [...answered.keys()].every((id) => arrivals.at.has(id)));
  await drained(bench);
  const waits = [...answered].map(([id, at]) => Math.max(0, (arrivals.at.get(id) ?? 0) - at));
  return percentile(waits, 0.99);
};

/** Deliveries per second of so many that are due at once. */
const sendBacklog = async ({ container }: Bench, arrivals: Arrivals): Promise<number> => {
  const db = container.get(DB);
  const now = new Date();
  const endpoints = await db
    .collection(WEBHOOK_ENDPOINTS.collection)
    .find<WebhookEndpoint>({ enabled: true }, { projection: { _id: 0 } })
    .toArray();
  const healthy = endpoints.filter(({ url }) => url.includes('/healthy/'));
  const planned = Array.from({ length: BACKLOG }, (_, n) => {
    const endpoint = healthy[n % healthy.length];
    if (!endpoint) throw new Error('no endpoint');
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
  const before = arrivals.count;
  await insert(
    DELIVERIES.collection,
    planned.map(({ delivery }) => delivery),
  );
  await until('the first of the backlog', () => arrivals.count > before);
  const startedAt = performance.now();
  await until('the backlog', () => arrivals.count >= before + BACKLOG);
  return BACKLOG / ((performance.now() - startedAt) / 1_000);
};

const until = async (what: string, isDone: () => boolean): Promise<void> => {
  const end = performance.now() + ARRIVED_WITHIN_MS;
  while (!isDone()) {
    if (performance.now() > end) throw new Error(`not in time: ${what}`);
    await sleep(10);
  }
};

const receive = async (): Promise<Arrivals> => {
  const server: Server = createServer(async (request, response) => {
    const body = await text(request);
    if (arrivals.isBad && request.url === '/hanging') return;
    const failing = arrivals.isBad && request.url === '/failing';
    response.writeHead(failing ? 500 : 200).end();
    if (!request.url?.startsWith('/healthy/')) return;
    arrivals.at.set(JSON.parse(body).data.id, performance.now());
    arrivals.count += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const arrivals: Arrivals = {
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
  return arrivals;
};
