import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { aCardRequest } from '../builders.ts';
import { PATIENT, pollUntil, withKey } from '../support/client.ts';
import { useGateway } from '../support/gateway.ts';

const gateway = useGateway({ ...PATIENT, WEBHOOK_RETRY_SCHEDULE: '1,1,1' });
/** More than there were places for all merchants together. */
const HANGING = 130;
const CLIENTS = 8;

/** Leaves requests to `/hang` without an answer, and answers all others. */
let server: Server;
let port: number;
let open = 0;
let most = 0;
const answered: string[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    const path = request.url ?? '';
    if (path !== '/hang') {
      answered.push(path);
      request.resume();
      response.end();
      return;
    }
    open += 1;
    most = Math.max(most, open);
    response.on('close', () => {
      open -= 1;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe('receivers of one merchant that all hang', () => {
  it('hold a few places, however many they are, and another merchant is told at once', async () => {
    const attacker = withKey(gateway, (await gateway().createMerchant()).testKey);
    const victim = withKey(gateway, (await gateway().createMerchant()).testKey);
    await victim
      .post('/v1/webhook-endpoints', { url: `http://127.0.0.1:${port}/victim`, events: ['*'] })
      .expect(201);
    let left = HANGING;
    const attack = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        // A host each, so that each has a queue of its own.
        const postbackUrl = `http://h${left}.localhost:${port}/hang`;
        await attacker.post('/v1/charges', aCardRequest({ postbackUrl })).expect(201);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, attack));
    await pollUntil(
      async () => open,
      (hanging) => hanging >= 10,
    );
    await victim.post('/v1/charges', aCardRequest()).expect(201);
    await pollUntil(
      async () => answered.length,
      (count) => count === 2,
    );
    expect(answered).toEqual(['/victim', '/victim']);
    // They went on hanging beside that, and none of them hung beside more than a few others.
    await pollUntil(
      async () => open,
      (hanging) => hanging >= 10,
    );
    expect(open).toBeGreaterThanOrEqual(10);
    expect(most).toBeLessThanOrEqual(20);
  });
});
