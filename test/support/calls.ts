import type { Test } from 'supertest';
import { aCardRequest, aPixRequest } from '../builders.ts';
import type { TestGateway, TestMerchant } from './gateway.ts';

/** Calls of a merchant, for tests that are about something else. */
export type Calls = ReturnType<typeof callsOf>;

export const callsOf = ({ call }: TestGateway, { testKey }: TestMerchant) => ({
  create: (reference: string): Test =>
    call('post', '/v1/charges').auth(testKey, '').send(aCardRequest({ reference })),
  createPix: (reference: string): Test =>
    call('post', '/v1/charges').auth(testKey, '').send(aPixRequest({ reference })),
  read: (id: string): Test => call('get', `/v1/charges/${id}`).auth(testKey, ''),
  list: (): Test => call('get', '/v1/charges').query({ size: 100 }).auth(testKey, ''),
  refund: (chargeId: string): Test =>
    call('post', '/v1/refunds').auth(testKey, '').send({ chargeId, reason: 'sent back' }),
});

/** Expects a 503 with `Retry-After` and an error in the usual form. */
export const expectUnavailable = (request: Test): Test =>
  request.expect(503).expect(({ headers, body }) => {
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(body).toEqual({ statusCode: 503, message: expect.any(String) });
  });
