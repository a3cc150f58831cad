import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { aCardRequest } from '../builders.ts';
import { type Client, PATIENT, withKey } from '../support/client.ts';
import { useGateway } from '../support/gateway.ts';

const gateway = useGateway(PATIENT);

let secretKey: string;
let key: Client;
beforeAll(async () => {
  secretKey = (await gateway().createMerchant()).testKey;
  key = withKey(gateway, secretKey);
  for (let count = 0; count < 25; count += 1) await key.post('/v1/charges', aCardRequest()).expect(201);
  await key.getAfter('latest', '/v1/charges');
  await key.post('/v1/checkout-sessions', { amount: 10, currency: 'BRL' }).expect(201);
});

/** An answer as it comes over the network. */
const read = (path: string, headers: Readonly<Record<string, string>>) =>
  new Promise<{ readonly encoding: string | undefined; readonly vary: string; readonly bytes: Buffer }>(
    (resolve, reject) => {
      const authorization = `Bearer ${secretKey}`;
      request(`${gateway().url}${path}`, { headers: { authorization, ...headers } }, (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('error', reject);
        answer.on('end', () =>
          resolve({
            encoding: answer.headers['content-encoding'],
            vary: answer.headers.vary ?? '',
            bytes: Buffer.concat(parts),
          }),
        );
      })
        .on('error', reject)
        .end();
    },
  );

describe('answers to reads', () => {
  it('are a fifth of their size as JSON for those who accept it, and as they were for others', async () => {
    const plain = await read('/v1/charges?size=25', {});
    const compressed = await read('/v1/charges?size=25', { 'accept-encoding': 'gzip, deflate, br' });
    expect(plain.encoding).toBeUndefined();
    expect(compressed.encoding).toBe('gzip');
    expect(compressed.vary).toContain('Accept-Encoding');
    expect(compressed.bytes.length).toBeLessThan(plain.bytes.length / 5);
    expect(JSON.parse(gunzipSync(compressed.bytes).toString())).toEqual(JSON.parse(plain.bytes.toString()));
  });

  it('are compressed as CSV, too', async () => {
    const plain = await read('/v1/charges', { accept: 'text/csv' });
    const compressed = await read('/v1/charges', { accept: 'text/csv', 'accept-encoding': 'gzip' });
    expect(compressed).toMatchObject({ encoding: 'gzip', vary: 'Accept-Encoding, Accept' });
    expect(compressed.bytes.length).toBeLessThan(plain.bytes.length / 3);
    expect(gunzipSync(compressed.bytes)).toEqual(plain.bytes);
  });

  it('with a secret are not compressed, and neither are answers to commands', async () => {
    const { encoding, bytes } = await read('/v1/checkout-sessions?size=25', { 'accept-encoding': 'gzip' });
    expect(encoding).toBeUndefined();
    expect(JSON.parse(bytes.toString()).total).toBe(1);
    const created = await key.post('/v1/charges', aCardRequest()).set('Accept-Encoding', 'gzip').expect(201);
    expect(created.headers['content-encoding']).toBeUndefined();
  });
});
