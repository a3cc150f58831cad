import type { Response } from 'supertest';
import type { Client } from './client.ts';
import type { TestGateway } from './gateway.ts';

/** A card as a payer types it into the page of a checkout session. */
export const TYPED_CARD = {
  number: '4242 4242 4242 4242',
  holderName: 'Ana Souza',
  expiry: '08/39',
  cvv: '123',
};
export const PAYER = { name: 'Ana Souza', email: 'ana@example.com' };

/** A payer at the page of a checkout session, without a browser. */
export const payersOf = (gateway: () => TestGateway) => {
  const get = (path: string, language = 'en') =>
    gateway().call('get', path).set('Accept-Language', language).buffer(true);
  const post = (path: string, fields: Readonly<Record<string, string>> = {}) =>
    gateway().call('post', path).type('form').send(new URLSearchParams(fields).toString());
  return {
    get,
    post,
    pay: (path: string, method: string, fields: Readonly<Record<string, string>> = {}) =>
      post(`${path}/pay`, { method, ...PAYER, ...fields }),
  };
};

export const textOf = (answer: Response): string => answer.text ?? String(answer.body);

/** Opens a checkout session of a shop; returns it with the path of its page. */
export const openCheckout = async (
  shop: Client,
  changes: object = {},
): Promise<{ readonly id: string; readonly url: string; readonly path: string }> => {
  const body = { amount: 129.9, currency: 'BRL', ...changes };
  const { id, url } = (await shop.post('/v1/checkout-sessions', body).expect(201)).body;
  return { id, url, path: new URL(url).pathname };
};
