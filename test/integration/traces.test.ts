import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import * as platform from '../../src/platform/platform.module.ts';
import { OUTBOX } from '../../src/platform/write-store/outbox.ts';
import { aCardRequest } from '../builders.ts';
import { PATIENT, pollUntil } from '../support/client.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

type Span = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
};

/** A collector of traces that takes OTLP as JSON, and a receiver of webhooks. */
const spans: Span[] = [];
const webhooks: IncomingHttpHeaders[] = [];
let server: Server;
let base: string;
let gateway: TestGateway;

jest.setTimeout(600_000);
beforeAll(async () => {
  server = createServer((request, response) => {
    void text(request).then((body) => {
      if (request.url === '/v1/traces') spans.push(...spansIn(JSON.parse(body)));
      else webhooks.push(request.headers);
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  gateway = await startTestGateway({ ...PATIENT, OTEL_EXPORTER_OTLP_ENDPOINT: base });
}, 180_000);
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

type Exported = {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[];
};
const spansIn = ({ resourceSpans }: Exported): readonly Span[] =>
  resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));

const CALLER = { traceId: 'a1b2c3d4e5f60718293a4b5c6d7e8f90', spanId: '00f067aa0ba902b7' };

const outbox = () => gateway.db.collection(OUTBOX);

it('are of one piece, from the request of a charge to its webhook, with every hop', async () => {
  const lines: object[] = [];
  Object.assign(gateway.container.get(platform.services).logger, {
    info: (line: object) => lines.push(line),
  });
  const { id, testKey } = await gateway.createMerchant();
  await gateway.setFees(id, []);
  await gateway
    .call('post', '/v1/webhook-endpoints')
    .auth(testKey, '')
    .send({ url: `${base}/hook`, events: ['charge.paid'] })
    .expect(201);
  const { headers } = await gateway
    .call('post', '/v1/charges')
    .auth(testKey, '')
    .set('traceparent', `00-${CALLER.traceId}-${CALLER.spanId}-01`)
    .send(aCardRequest())
    .expect(201);
  expect(headers['x-trace-id']).toBe(CALLER.traceId);
  await pollUntil(
    async () => lines,
    (said) => said.some((line) => 'trace_id' in line && line.trace_id === CALLER.traceId),
  );
  expect(lines).toContainEqual(
    expect.objectContaining({ trace_id: CALLER.traceId, path: '/v1/charges', status: 201 }),
  );
  await gateway.call('get', '/health/live').expect(200);
  await pollUntil(
    async () => webhooks.length,
    (count) => count > 0,
  );
  await pollUntil(
    () => outbox().countDocuments({ traceparent: { $regex: CALLER.traceId } }),
    (count) => count === 0,
  );
  // The last spans are sent when it ends.
  await gateway.stop();

  const traced = spans.filter(({ traceId }) => traceId === CALLER.traceId);
  const byId = new Map(traced.map((span) => [span.spanId, span]));
  const root = traced.find(({ parentSpanId }) => parentSpanId === CALLER.spanId);
  expect(root?.name).toBe('POST /v1/charges');
  const names = traced.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining([
      'transaction',
      'authorize simulator',
      'process view-charges',
      'process ledger',
      'process view-statement',
      'process webhooks',
      'process view-webhook_deliveries',
      'POST webhook',
    ]),
  );
  // Each span hangs on another one of the trace, up to the caller's.
  const orphans = traced.filter(
    ({ parentSpanId = '' }) => parentSpanId !== CALLER.spanId && !byId.has(parentSpanId),
  );
  expect(orphans.map(({ name }) => name)).toEqual([]);
  const attributes = new Map(root?.attributes.map(({ key, value }) => [key, value]));
  expect(attributes.get('http.route')).toEqual({ stringValue: '/v1/charges' });
  expect(attributes.get('http.response.status_code')).toEqual({ intValue: 201 });
  const attempt = traced.find(({ name }) => name === 'POST webhook');
  expect(webhooks[0]?.traceparent).toBe(`00-${CALLER.traceId}-${attempt?.spanId}-01`);
  expect(JSON.stringify(spans)).not.toContain('health');
});
