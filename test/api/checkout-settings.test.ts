import { hash } from 'node:crypto';
import type { Response } from 'supertest';
import { type Client, operator, withKey } from '../support/client.ts';
import { type TestMerchant, useGateway } from '../support/gateway.ts';
import { openCheckout, payersOf, TYPED_CARD, textOf } from '../support/payers.ts';

const gateway = useGateway();
const { get, pay } = payersOf(gateway);

const PATH = '/v1/checkout-settings';
/** A picture of one pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const DATA_URL = `data:image/png;base64,${PNG.toString('base64')}`;
/** A picture with a head that claims to be so wide. */
const wide = (pixels: number): Buffer => {
  const picture = Buffer.from(PNG);
  picture.writeUInt32BE(pixels, 16);
  return picture;
};
const NOTHING_SET = {
  name: null,
  accent: null,
  website: null,
  logo: null,
  cardOrigins: [],
  portalCancel: false,
  subscriptionHour: 9,
};

let merchant: TestMerchant;
let shop: Client;
let admin: Client;
beforeAll(async () => {
  admin = await operator(gateway);
});
beforeEach(async () => {
  merchant = await gateway().createMerchant({ legalName: 'Capacetes Ltda' });
  shop = withKey(gateway, merchant.testKey);
});

const settings = async (by = shop): Promise<Response['body']> => (await by.get(PATH).expect(200)).body;
const change = (body: object, status = 200, by = shop) => by.call('patch', PATH).send(body).expect(status);
const putLogo = (content: Buffer, type = 'image/png') =>
  shop.call('put', `${PATH}/logo`).set('Content-Type', type).send(content);

describe('checkout settings', () => {
  it('are the defaults until the merchant changes some of them', async () => {
    expect(await settings()).toEqual(NOTHING_SET);
    const wanted = { name: 'Helmets by Ana', accent: '#7c3a16', subscriptionHour: 6 };
    const { body } = await change(wanted);
    expect(body).toEqual({ ...NOTHING_SET, ...wanted });
    await change({ cardOrigins: ['https://shop.example.com'], portalCancel: true, subscriptionHour: null });
    expect(await settings()).toEqual({
      ...NOTHING_SET,
      name: 'Helmets by Ana',
      accent: '#7c3a16',
      cardOrigins: ['https://shop.example.com'],
      portalCancel: true,
    });
  });

  it('hold for both environments and for no other merchant', async () => {
    await change({ name: 'Helmets by Ana' });
    expect(await settings(withKey(gateway, merchant.liveKey))).toMatchObject({ name: 'Helmets by Ana' });
    const other = await gateway().createMerchant();
    expect(await settings(withKey(gateway, other.testKey))).toEqual(NOTHING_SET);
  });

  it('are settings that operators see, and may set', async () => {
    await change({ portalCancel: true });
    const { body } = await admin.getAfter('latest', `/v1/merchants/${merchant.id}/settings`);
    expect(body.data).toMatchObject([{ name: 'portal_cancel', content: true }]);
    const setting = { name: 'checkout_name', content: 'Set by the operator' };
    await admin.post(`/v1/merchants/${merchant.id}/settings`, setting).expect(201);
    expect(await settings()).toMatchObject({ name: 'Set by the operator' });
    const logo = { name: 'checkout_logo', content: 'data:text/html,x' };
    await admin.post(`/v1/merchants/${merchant.id}/settings`, logo).expect(400);
  });

  it.each([
    ['nothing', {}],
    ['a name that is too long', { name: 'x'.repeat(61) }],
    ['an empty name', { name: ' ' }],
    ['a colour by its name', { accent: 'red' }],
    ['a style in place of a colour', { accent: '#fff}*{x' }],
    ['a website without encryption', { website: 'http://shop.example.com' }],
    ['a website that is a script', { website: 'javascript:alert(1)' }],
    ['a website with credentials', { website: 'https://ana:secret@shop.example.com' }],
    ['an origin with a path', { cardOrigins: ['https://shop.example.com/cart'] }],
    ['an origin without encryption', { cardOrigins: ['http://shop.example.com'] }],
    ['an hour that no day has', { subscriptionHour: 24 }],
    ['a logo', { logo: DATA_URL }],
    ['a text where yes or no is wanted', { portalCancel: 'perhaps' }],
  ])('refuse %s, and change nothing', async (_, body) => {
    await change({ ...body, ...(Object.keys(body).length > 0 ? { name: Object.values(body)[0] } : {}) }, 400);
    expect(await settings()).toEqual(NOTHING_SET);
  });

  it('are changed as a whole by each of several that come at once', async () => {
    const names = ['One', 'Two', 'Three', 'Four', 'Five', 'Six'];
    await Promise.all(names.map((name, hour) => change({ name, subscriptionHour: hour })));
    const { name, subscriptionHour } = await settings();
    expect(names[subscriptionHour]).toBe(name);
  });

  it('leave the name of whoever changed them in the audit log, once for each change', async () => {
    await change({ accent: '#7c3a16' });
    await change({ accent: '#7c3a16' });
    await change({ accent: null });
    const { data } = (await admin.getAfter('latest', `/v1/merchants/${merchant.id}/settings`)).body;
    expect(data).toEqual([]);
    const entries = await admin.getAfter('latest', '/v1/admin/audit-log?resource=setting&size=100');
    const own = entries.body.data.filter(
      ({ before, after }: Response['body']) => (after ?? before).merchantId === merchant.id,
    );
    expect(own.map(({ type }: Response['body']) => type)).toEqual(['setting.removed', 'setting.created']);
  });
});

describe('a logo', () => {
  it('is a PNG or JPEG, as bytes or in Base64, and can be removed', async () => {
    const { body } = await putLogo(PNG).expect(200);
    expect(body.logo).toBe(DATA_URL);
    await shop.call('delete', `${PATH}/logo`).expect(204);
    expect(await settings()).toEqual(NOTHING_SET);
    await shop.call('delete', `${PATH}/logo`).expect(204);
    await shop
      .call('put', `${PATH}/logo`)
      .send({ content: PNG.toString('base64') })
      .expect(200);
    expect((await settings()).logo).toBe(DATA_URL);
  });

  it.each([
    ['of more than 15 kB', () => Buffer.concat([PNG, Buffer.alloc(15_000)]), 413],
    [
      'of another kind',
      () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'),
      415,
    ],
    ['of no kind', () => Buffer.from('not a picture'), 415],
    ['of nothing', () => Buffer.alloc(0), 415],
    ['of the head of a picture', () => PNG.subarray(0, 12), 415],
    ['of too many pixels', () => wide(1_025), 400],
    ['of no pixels', () => wide(0), 400],
  ])('%s is refused, and changes nothing', async (_, content, status) => {
    await putLogo(content()).expect(status);
    expect(await settings()).toEqual(NOTHING_SET);
  });
});

describe('pages for payers', () => {
  it('show the name, logo and colour of the shop, with its legal name at the foot', async () => {
    await change({ name: 'Helmets <by> Ana', accent: '#7c3a16' });
    await putLogo(PNG).expect(200);
    const { path } = await openCheckout(shop);
    const answer = await get(path).expect(200);
    const page = textOf(answer);
    expect(page).toContain('Helmets &lt;by&gt; Ana');
    expect(page).toContain(`<img class="shop-image" alt="" src="${DATA_URL}">`);
    expect(page).toContain('--accent:#7c3a16');
    expect(page).toContain('Capacetes Ltda');
    const styles = [...page.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, text = '']) => text);
    expect(styles).toHaveLength(2);
    for (const style of styles)
      expect(answer.headers['content-security-policy']).toContain(
        `'sha256-${hash('sha256', style, 'base64')}'`,
      );
  });

  it('lead to the website where nobody can pay any more, unless the session has an address of its own', async () => {
    const button =
      '<a class="button no-print" href="https://shop.example.com/?a=1&amp;b=2">Go to Capacetes Ltda</a>';
    const { body } = await change({ website: 'https://shop.example.com?a=1&b=2' });
    expect(body.website).toBe('https://shop.example.com/?a=1&b=2');
    const sessions = await Promise.all([
      openCheckout(shop),
      openCheckout(shop, { cancelUrl: 'http://localhost:9/cart' }),
    ]);
    const [own, other] = await Promise.all(
      sessions.map(async ({ id, path }) => {
        expect(textOf(await get(path).expect(200))).not.toContain(button);
        await shop.post(`/v1/checkout-sessions/${id}/cancel`, {}).expect(200);
        return textOf(await get(path).expect(200));
      }),
    );
    expect(own).toContain(button);
    expect(other).not.toContain(button);
    expect(other).toContain('href="http://localhost:9/cart"');
    const paid = await openCheckout(shop);
    await pay(paid.path, 'credit_card', TYPED_CARD).expect(303);
    expect(textOf(await get(paid.path).expect(200))).toContain(button);
    const link = { amount: 10, currency: 'BRL', description: 'Ticket' };
    const { id, url } = (await shop.post('/v1/payment-links', link).expect(201)).body;
    await shop.post(`/v1/payment-links/${id}/cancel`, {}).expect(200);
    expect(textOf(await get(new URL(url).pathname).expect(200))).toContain(button);
  });

  it('of a payment link and of a subscription show them, too', async () => {
    await change({ name: 'Helmets by Ana', accent: '#7c3a16' });
    const link = { amount: 10, currency: 'BRL', description: 'Ticket' };
    const { url } = (await shop.post('/v1/payment-links', link).expect(201)).body;
    const page = textOf(await get(new URL(url).pathname).expect(200));
    expect(page).toContain('Helmets by Ana');
    expect(page).toContain('--accent:#7c3a16');
  });
});
