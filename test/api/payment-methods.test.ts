import type { Response } from 'supertest';
import { aCardRequest, aSpreadFee, NUMBERS_OF_BRANDS } from '../builders.ts';
import { type Client, PATIENT, pollUntil, withKey, withToken } from '../support/client.ts';
import { type TestMerchant, useGateway } from '../support/gateway.ts';

const gateway = useGateway(PATIENT);
let merchant: TestMerchant;
let client: Client;
beforeAll(async () => {
  merchant = await gateway().createMerchant();
  client = withKey(gateway, merchant.testKey);
});

type Method = 'voucher' | 'banktransfer' | 'qrcode';

const METHODS = [
  { type: 'voucher', urlField: 'paymentUrl', seconds: 3 * 86_400 },
  { type: 'banktransfer', urlField: 'payUrl', seconds: 86_400 },
  { type: 'qrcode', urlField: 'payUrl', seconds: 3_600 },
] as const;

const aRequest = (type: Method, changes: object = {}): object => ({
  ...aCardRequest({ amount: 1250.5, currency: 'ARS' }),
  paymentMethod: {
    type,
    installments: 1,
    identifyType: 'cuit',
    identifyNumber: '30500010912',
    ...(type === 'banktransfer' ? { bankName: 'Banco Um' } : {}),
    ...changes,
  },
});
const create = async (type: Method, by = client): Promise<Response['body']> =>
  (await by.post('/v1/charges', aRequest(type)).expect(201)).body;
const read = async (id: string): Promise<Response['body']> =>
  (await client.get(`/v1/charges/${id}`).expect(200)).body;
const help = (id: string, what: string, by = client) => by.post(`/v1/test-helpers/charges/${id}/${what}`);

describe.each(METHODS)('a charge by $type', ({ type, urlField, seconds }) => {
  it('waits for its payer, with what 2.2 and 2.3 say and the time that there is to pay', async () => {
    const charge = await create(type);
    const {
      type: _,
      installments,
      ...identified
    } = (aRequest(type) as { paymentMethod: object }).paymentMethod as Record<string, unknown>;
    expect(installments).toBe(1);
    expect(charge).toMatchObject({
      status: 'pending',
      amount: 1250.5,
      currency: 'ARS',
      paidAt: null,
      pspRefId: expect.stringMatching(/^sim_/),
    });
    expect(charge.paymentMethod).toEqual({ type, ...identified });
    const url = expect.stringContaining(`${gateway().url}/pay/${charge.id}/`);
    expect(charge.paymentDetails).toEqual(
      type === 'voucher'
        ? {
            barcode: expect.stringMatching(/^\d{38}$/),
            paymentCode: expect.stringMatching(/^\d{14}$/),
            paymentUrl: url,
          }
        : { [urlField]: url },
    );
    expect(Date.parse(charge.expiresAt) - Date.parse(charge.createdAt)).toBe(seconds * 1_000);
    expect(await read(charge.id)).toEqual(charge);
  });

  it('is paid once, reaches list and balance, and cannot be refunded', async () => {
    const payee = withKey(gateway, (await gateway().createMerchant()).testKey);
    const charge = await create(type, payee);
    const paid = await help(charge.id, 'pay', payee).expect(200);
    expect(paid.body).toMatchObject({ status: 'paid', paymentDetails: charge.paymentDetails });
    await help(charge.id, 'pay', payee).expect(422);
    const token = paid.headers['x-consistency-token'];
    const { body: list } = await payee.getAfter(token, `/v1/charges?paymentMethod=${type}`);
    const { items: _items, ...listed } = paid.body;
    expect(list.data).toEqual([listed]);
    expect((await payee.get('/v1/balance').expect(200)).body.data).toEqual([
      { currency: 'ARS', available: 0, reserved: 1250.5 },
    ]);
    const refused = await payee.post('/v1/refunds', { chargeId: charge.id, reason: 'sent back' }).expect(422);
    expect(refused.body).toMatchObject({ code: 'REFUND_NOT_SUPPORTED' });
  });

  it.each([
    ['refuse', 'refused', 'refused_by_test_helper'],
    ['fail', 'failed', 'failed_by_test_helper'],
    ['expire', 'failed', 'expired'],
  ])('can %s: then it is %s with the reason %s, for good', async (helper, status, failureReason) => {
    const { id } = await create(type);
    expect((await help(id, helper).expect(200)).body).toMatchObject({ status, failureReason, paidAt: null });
    await help(id, 'pay').expect(422);
    expect(await read(id)).toMatchObject({ status, failureReason });
  });

  it.each([
    ['identifyType', undefined],
    ['identifyType', 'cpf'],
    ['identifyNumber', '1234567'],
    ['identifyNumber', '123456789012'],
    ['identifyNumber', '30500010913'],
    ['identifyNumber', 12345678],
    ['installments', 2],
    ['cvv', '123'],
    ['expiresIn', 60],
  ])('is refused where %s is %j, and nothing is stored', async (field, value) => {
    const count = () => gateway().db.collection('charges').countDocuments({});
    const before = await count();
    const { body } = await client.post('/v1/charges', aRequest(type, { [field]: value })).expect(400);
    expect(body.errors.map(({ path }: { path: string }) => path)).toContain(`paymentMethod.${field}`);
    expect(await count()).toBe(before);
  });

  it('may know its payer by a CPF or CNPJ where the currency is BRL', async () => {
    for (const [identifyType, identifyNumber] of [
      ['cpf', '52998224725'],
      ['cnpj', '12ABC34501DE35'],
    ]) {
      const request = { ...aRequest(type, { identifyType, identifyNumber }), currency: 'BRL' };
      const { body } = await client.post('/v1/charges', request).expect(201);
      expect(body.paymentMethod).toMatchObject({ identifyType, identifyNumber });
      expect((await read(body.id)).paymentMethod).toEqual(body.paymentMethod);
    }
  });

  it('needs the right check digit of a cuit with a live key too', async () => {
    const wrong = aRequest(type, { identifyNumber: '30500010913' });
    const { body } = await withKey(gateway, merchant.liveKey).post('/v1/charges', wrong).expect(400);
    expect(body.errors).toEqual([
      { path: 'paymentMethod.identifyNumber', message: expect.stringContaining('check digits') },
    ]);
  });
});

describe('the page where a charge is paid', () => {
  const urlOf = ({ paymentDetails }: Response['body']): URL =>
    new URL(paymentDetails.paymentUrl ?? paymentDetails.payUrl);
  const open = (path: string) => gateway().call('get', path);
  /** The request that a browser sends for a button. */
  const press = (path: string) =>
    gateway().call('post', path).type('application/x-www-form-urlencoded').send('');

  it.each(METHODS)(
    'of a $type charge lets it be paid, as a notification of the provider',
    async ({ type }) => {
      const charge = await create(type);
      const { pathname, origin } = urlOf(charge);
      expect(origin).toBe(gateway().url);
      const page = await open(pathname).expect(200);
      expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(page.headers['content-security-policy']).toContain("default-src 'none'");
      expect(page.text).toContain('ARS\u00a01,250.50');
      expect(page.text).toContain('Loja Exemplo Ltda');
      expect(page.text.includes('<svg')).toBe(type === 'voucher');
      expect(page.text.includes('src="data:image/png')).toBe(type === 'qrcode');
      const pressed = await press(`${pathname}/pay`).expect(303);
      const back = new URL(pressed.headers.location ?? '', `${origin}${pathname}/pay`).pathname;
      expect(back).toBe(pathname);
      expect((await open(back).expect(200)).text).toContain('Paid');
      expect(await read(charge.id)).toMatchObject({ status: 'paid' });
      // Once paid, nothing on the page changes it any more.
      await press(`${pathname}/fail`).expect(303);
      await press(`${pathname}/pay`).expect(303);
      expect(await read(charge.id)).toMatchObject({ status: 'paid' });
      expect(await gateway().db.collection('journals').countDocuments({ referenceId: charge.id })).toBe(1);
    },
  );

  it('lets it fail', async () => {
    const charge = await create('voucher');
    await press(`${urlOf(charge).pathname}/fail`).expect(303);
    expect(await read(charge.id)).toMatchObject({ status: 'failed', failureReason: 'failed_by_payer' });
  });

  /** The charge's time to pay passes, and the reconciler ends the wait. */
  const letTimePass = async ({ id }: Response['body']): Promise<void> => {
    const expiresAt = new Date(Date.now() - 1_000).toISOString();
    await gateway()
      .db.collection('charges')
      .updateOne({ id }, { $set: { expiresAt, reconcileAt: expiresAt } });
    await pollUntil(
      () => read(id),
      ({ status }) => status !== 'pending',
    );
  };

  it.each([
    ['by the clock', letTimePass],
    ['by the test helper', ({ id }: Response['body']) => help(id, 'expire').expect(200)],
  ])('takes the money of one who comes too late %s, and it is given back at once', async (_, expire) => {
    const charge = await create('banktransfer');
    await expire(charge);
    const expired = await read(charge.id);
    expect(expired).toMatchObject({ status: 'failed', failureReason: 'expired' });
    const { pathname } = urlOf(charge);
    expect((await open(pathname).expect(200)).text).toContain('The time to pay has passed');
    await press(`${pathname}/pay`).expect(303);
    expect(await read(charge.id)).toEqual(expired);
    const items = await gateway().db.collection('suspense_items').find({ chargeId: charge.id }).toArray();
    expect(items).toMatchObject([{ reason: 'late_payment', status: 'returned' }]);
  });

  it('is nowhere for a live charge, a wrong token, another charge or another method', async () => {
    const live = await gateway().createMerchant();
    await gateway().setFees(live.id, [aSpreadFee({ payment_method: 'voucher', currency_code: 'ARS' })]);
    const liveCharge = await create('voucher', withKey(gateway, live.liveKey));
    const [one, other] = [await create('voucher'), await create('qrcode')];
    const [, , id, token] = urlOf(one).pathname.split('/');
    for (const path of [
      urlOf(liveCharge).pathname,
      `/pay/${id}/${token?.slice(1)}`,
      `/pay/${other.id}/${token}`,
      `/pay/chg_unknown/${token}`,
    ]) {
      await open(path).expect(404);
      await press(`${path}/pay`).expect(404);
    }
    await open(`/pay/${id}`).expect(404);
    for (const charge of [one, other]) expect(await read(charge.id)).toMatchObject({ status: 'pending' });
  });
});

describe('GET /v1/payment-methods', () => {
  const listFor = async (by: Client): Promise<Response['body']> =>
    (await by.get('/v1/payment-methods').expect(200)).body;

  it('lists what a test key can use, and a public key is enough', async () => {
    const { data } = await listFor(client);
    expect(data.map(({ type }: { type: string }) => type)).toEqual([
      'credit_card',
      'pix',
      ...['voucher', 'voucher', 'banktransfer', 'banktransfer', 'qrcode', 'qrcode'],
    ]);
    expect(data[0]).toMatchObject({ installments: { min: 1, max: 12 }, brands: expect.any(Array) });
    expect(data[1]).toEqual({ type: 'pix', currencies: ['BRL'], installments: { min: 1, max: 1 } });
    const everywhere = ['dni', 'cuit', 'cuil', 'cdi'];
    expect(data[2].identifyTypes).toEqual(everywhere);
    expect(data[3]).toMatchObject({ currencies: ['BRL'], identifyTypes: [...everywhere, 'cpf', 'cnpj'] });
    expect(await listFor(withKey(gateway, merchant.publicKey))).toEqual({ data });
  });

  it('lists with a live key what there are fees for', async () => {
    const { id, liveKey } = await gateway().createMerchant();
    expect(await listFor(withKey(gateway, liveKey))).toEqual({ data: [] });
    const definition = { fixed: 0.4, percentages: [3, 4, 5] };
    await gateway().setFees(id, [aSpreadFee({ brand: 'visa', definition })]);
    expect(await listFor(withKey(gateway, liveKey))).toEqual({
      data: [
        {
          type: 'credit_card',
          currencies: ['BRL'],
          installments: { min: 1, max: 3 },
          brands: ['visa'],
        },
      ],
    });
  });

  const numbers: Readonly<Record<string, string>> = NUMBERS_OF_BRANDS;
  const methodOf = (type: string, brand: string | undefined, installments: number): object => {
    if (type === 'pix') return { type, installments };
    if (type !== 'credit_card') return (aRequest(type as Method) as { paymentMethod: object }).paymentMethod;
    const cvv = brand === 'american-express' ? '1234' : '123';
    const { paymentMethod } = aCardRequest({}, { number: numbers[brand ?? ''] ?? '', cvv });
    return { ...paymentMethod, installments };
  };
  /** Every charge of an offer, by currency, brand and installments. */
  const combinationsOf = ({ type, currencies, brands, installments }: Response['body']) =>
    currencies.flatMap((currency: string) =>
      (brands ?? [undefined]).flatMap((brand: string | undefined) =>
        Array.from({ length: installments.max }, (_, index) => ({ type, currency, brand, count: index + 1 })),
      ),
    );

  it('offers only brands, currencies and installments that a charge takes', async () => {
    const shop = await gateway().createMerchant();
    const fee = (changes: object, count: number): object =>
      aSpreadFee({
        definition: { fixed: 0, percentages: Array.from({ length: count }, () => 2.5) },
        ...changes,
      });
    await gateway().setFees(shop.id, [
      fee({}, 2),
      fee({ brand: 'elo' }, 4),
      fee({ brand: 'visa' }, 1),
      fee({ currency_code: 'KWD', brand: 'mastercard' }, 3),
      fee({ currency_code: 'CLP', payment_method: 'voucher' }, 1),
      fee({ payment_method: 'pix' }, 1),
    ]);
    const live = withKey(gateway, shop.liveKey);
    const byLive = (await listFor(live)).data.flatMap(combinationsOf);
    expect(byLive).toHaveLength(8 * 2 + 4 + 1 + 3 + 1 + 1);
    const test = withKey(gateway, shop.testKey);
    const byTest = (await listFor(test)).data.flatMap(combinationsOf);
    // Currencies without fees are all alike, so a few of them are enough.
    const some = byTest.filter(({ currency }: { currency: string }) =>
      ['BRL', 'KWD', 'CLP', 'JPY'].includes(currency),
    );
    const refused: unknown[] = [];
    const take = async (by: Client, { type, currency, brand, count }: Response['body']): Promise<void> => {
      const { status, body } = await by.post('/v1/charges', {
        ...aCardRequest({ amount: 100, currency }),
        paymentMethod: methodOf(type, brand, count),
      });
      if (status !== 201) refused.push([type, currency, brand, count, body]);
    };
    const queue = [
      ...byLive.map((one: Response['body']) => () => take(live, one)),
      ...some.map((one: Response['body']) => () => take(test, one)),
    ];
    const work = async (): Promise<void> => {
      for (let next = queue.shift(); next; next = queue.shift()) await next();
    };
    await Promise.all(Array.from({ length: 8 }, work));
    expect(refused).toEqual([]);
  });

  it('offers all that a charge takes, and one installment more or another brand is refused', async () => {
    const shop = await gateway().createMerchant();
    await gateway().setFees(shop.id, [aSpreadFee({ brand: 'visa' })]);
    const by = withKey(gateway, shop.liveKey);
    const answers = await Promise.all(
      [
        ['visa', 1],
        ['visa', 2],
        ['elo', 1],
      ].map(([brand, count]) =>
        by.post('/v1/charges', {
          ...aCardRequest({}),
          paymentMethod: methodOf('credit_card', String(brand), Number(count)),
        }),
      ),
    );
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [201, undefined],
      [422, 'INSTALLMENTS_NOT_OFFERED'],
      [422, 'FEES_NOT_CONFIGURED'],
    ]);
  });

  it('is not for operators or strangers, and takes no parameters', async () => {
    const token = await gateway().operatorToken('test');
    await withToken(gateway, token).get('/v1/payment-methods').expect(403);
    await gateway().call('get', '/v1/payment-methods').expect(401);
    await client.get('/v1/payment-methods?type=pix').expect(400);
  });
});
