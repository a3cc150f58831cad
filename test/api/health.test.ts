import { startTestGateway, useGateway } from '../support/gateway.ts';

const TOKEN = 'a-token-for-the-metrics';
const gateway = useGateway({ METRICS_TOKEN: TOKEN });

describe('health', () => {
  it('is live', async () => {
    const { body } = await gateway().call('get', '/health/live').expect(200);
    expect(body).toEqual({ status: 'ok' });
  });

  it('is ready with every store', async () => {
    const { body } = await gateway().call('get', '/health/ready').expect(200);
    const ok = { status: 'ok', latencyMs: expect.any(Number) };
    expect(body).toEqual({ status: 'ok', stores: { mongodb: ok, elasticsearch: ok, redis: ok } });
  });

  it('is degraded, and still ready, where Elasticsearch answers but cannot search what lists read from', async () => {
    // Nobody has made its views.
    const api = await startTestGateway({ ROLE: 'api' });
    try {
      const { body } = await api.call('get', '/health/ready').expect(200);
      expect(body).toMatchObject({
        status: 'degraded',
        stores: { mongodb: { status: 'ok' }, elasticsearch: { status: 'degraded' }, redis: { status: 'ok' } },
      });
    } finally {
      await api.stop();
    }
  });

  it('answers HEAD, and no other methods', async () => {
    await gateway().call('head', '/health/ready').expect(200);
    await gateway().call('post', '/health/ready').expect(405).expect('Allow', 'GET, HEAD');
  });
});

describe('metrics', () => {
  it('count the requests by route, never by what a client put into a path', async () => {
    await gateway().call('get', '/v1/charges/chg_of_somebody').expect(401);
    await gateway().call('get', '/nowhere/4242424242424242').expect(404);
    const { text } = await gateway().call('get', '/metrics').expect(200);
    expect(text).toMatch(
      /portico_http_request_seconds_count\{method="GET",path="\/v1\/charges\/:id",status="401"\} \d+/,
    );
    expect(text).toMatch(
      /portico_http_request_seconds_count\{method="GET",path="unknown",status="404"\} \d+/,
    );
    expect(text).not.toContain('4242424242424242');
    expect(text).not.toContain('chg_of_somebody');
  });

  it('are for this machine, or for who has the token', async () => {
    const proxied = () => gateway().call('get', '/metrics').set('X-Forwarded-For', '127.0.0.1');
    await proxied().expect(403);
    await proxied().auth('another-token-altogether', { type: 'bearer' }).expect(403);
    await proxied().auth(TOKEN, { type: 'bearer' }).expect(200);
  });
});
