import {
  aCard,
  aCardRequest,
  aPixRequest,
  aWalletRequest,
  aWalletToken,
  later,
  NOW,
} from '../../../../test/builders.ts';
import { GatewayError } from '../../../kernel/errors.ts';
import { exponentOf } from '../../../kernel/money.ts';
import { maskedCard } from '../../providers/card.ts';
import { type ChargeRequest, type RequestedCharge, readChargeRequest } from './charge-request.ts';

const TEST = { id: 'mer_1', livemode: false } as const;
const LIVE = { id: 'mer_1', livemode: true } as const;

const read = (
  request: ChargeRequest,
  merchant: { readonly id: `mer_${string}`; readonly livemode: boolean } = TEST,
): RequestedCharge => readChargeRequest(request, merchant, NOW);

const refusalOf = (request: ChargeRequest, merchant: typeof TEST | typeof LIVE = TEST): GatewayError => {
  try {
    read(request, merchant);
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
  throw new Error('the request was taken');
};
const faultyPaths = (request: ChargeRequest, merchant: typeof TEST | typeof LIVE = TEST): string[] =>
  (refusalOf(request, merchant).errors ?? []).map((fault) => fault.path);

const voucher = {
  type: 'voucher',
  installments: 1,
  identifyType: 'dni',
  identifyNumber: '12345678',
} as const;
const transfer = { ...voucher, type: 'banktransfer', bankName: 'Banco Um' } as const;
const qrcode = { ...voucher, type: 'qrcode' } as const;

describe('the amount of a charge request', () => {
  it.each([
    ['BRL', 10, 1_000],
    ['BRL', 0.01, 1],
    ['BRL', 10.1, 1_010],
    ['BRL', 10_000_000_000, 1_000_000_000_000],
    ['CLP', 1, 1],
    ['CLP', 1_000_000_000_000, 1_000_000_000_000],
    ['KWD', 1.234, 1_234],
  ])('in %s of %d is %d minor units', (currency, amount, minor) => {
    expect(read(aCardRequest({ currency, amount })).amount).toBe(minor);
  });

  it.each([
    ['BRL', 0],
    ['BRL', -1],
    ['BRL', -0.01],
    ['BRL', 10.001],
    ['BRL', 10_000_000_000.01],
    ['BRL', 1e300],
    ['CLP', 1.5],
    ['CLP', 1_000_000_000_001],
    ['KWD', 1.2345],
  ])('in %s of %d is refused', (currency, amount) => {
    const refusal = refusalOf(aCardRequest({ currency, amount }));
    expect(refusal.statusCode).toBe(400);
    expect(refusal.errors?.map(({ path }) => path)).toEqual(['amount']);
  });

  it.each(['XYZ', 'XAU', 'brl', ''])('in %j, which is no money, is refused', (currency) => {
    expect(faultyPaths(aCardRequest({ currency }))).toEqual(['currency']);
  });
});

describe('a charge request by card', () => {
  it('keeps of the card first six, last four, expiry, holder and brand; the instrument has all of it', () => {
    const asked = read(aCardRequest());
    expect(asked.paymentMethod).toEqual({ type: 'credit_card', ...maskedCard(aCard()), installments: 1 });
    expect(asked.instrument).toEqual({ type: 'credit_card', card: aCard(), installments: 1 });
    expect(asked).toMatchObject({ brand: 'visa', installments: 1, expiresAt: null });
  });

  it('lets neither number nor cvv out of the instrument', () => {
    const { instrument: _, ...kept } = read(aCardRequest({}, { cvv: '987' }));
    expect(JSON.stringify(kept)).not.toContain('4242424242424242');
    expect(JSON.stringify(kept)).not.toContain('987');
  });

  it('passes nothing on to the provider that is no field of a card', () => {
    const paymentMethod = { ...aCardRequest().paymentMethod, extra: 'x' };
    expect(read(aCardRequest({ paymentMethod })).instrument).not.toHaveProperty('card.extra');
  });

  it.each([
    [{ number: '4242424242424241' }, 'paymentMethod.number'],
    [{ expirationYear: '2020' }, 'paymentMethod.expirationYear'],
    [{ expirationMonth: '13' }, 'paymentMethod.expirationMonth'],
    [{ cvv: '12' }, 'paymentMethod.cvv'],
  ])('with %j is refused and names %s', (card, path) => {
    expect(faultyPaths(aCardRequest({}, card))).toEqual([path]);
  });

  it('is told of every fault at once', () => {
    const request = aCardRequest({ amount: 1.005, metadata: { text: 'x'.repeat(16_384) } }, { cvv: '1' });
    expect(faultyPaths(request)).toEqual(['amount', 'paymentMethod.cvv', 'metadata']);
  });
});

describe('a charge request by device wallet', () => {
  const { cvv: _cvv, ...facts } = aCard();
  const opened = { card: { ...facts, cryptogram: 'Af9x', eciIndicator: '5' }, identifier: 'ab' };
  const open = jest.fn(() => opened);
  const readWallet = (changes: Partial<ChargeRequest> = {}): RequestedCharge =>
    readChargeRequest(aWalletRequest(aWalletToken(), changes), TEST, NOW, { openToken: open });

  it('is refused while no wallet is configured', () => {
    expect(refusalOf(aWalletRequest())).toMatchObject({ statusCode: 422, code: 'WALLET_NOT_CONFIGURED' });
  });

  it('differs from one by the same card in nothing but what proves the card', () => {
    const { instrument, walletToken, ...asked } = readWallet();
    const { instrument: _typed, walletToken: none, ...typed } = read(aCardRequest());
    expect(asked).toEqual(typed);
    expect(instrument).toEqual({ type: 'credit_card', card: opened.card, installments: 1 });
    expect([walletToken, none]).toEqual([opened, null]);
  });

  it('is opened for what it is to pay, by whom', () => {
    readWallet({ amount: 12.34 });
    const expected = { amount: 12_34, currency: 'BRL', payerName: 'Ana Souza' };
    expect(open).toHaveBeenLastCalledWith(aWalletToken(), expected);
  });

  it('is not opened where the request is wrong', () => {
    open.mockClear();
    expect(() => readWallet({ amount: 1.005 })).toThrow('amount');
    expect(open).not.toHaveBeenCalled();
  });
});

describe('a charge request by Pix', () => {
  it('expires after an hour', () => {
    const expiresAt = later(3_600).toISOString();
    expect(read(aPixRequest())).toMatchObject({
      paymentMethod: { type: 'pix' },
      instrument: { type: 'pix', expiresAt },
      brand: null,
      expiresAt,
    });
  });

  it('expires after expiresIn seconds where it is given', () => {
    const paymentMethod = { type: 'pix', installments: 1, expiresIn: 600 } as const;
    expect(read(aPixRequest({ paymentMethod })).expiresAt).toBe(later(600).toISOString());
  });

  it('is in BRL only', () => {
    expect(faultyPaths(aPixRequest({ currency: 'USD' }))).toEqual(['currency']);
  });
});

describe('a charge request by voucher, bank transfer or QR code', () => {
  it.each([
    ['voucher', voucher, 259_200],
    ['bank transfer', transfer, 86_400],
    ['QR code', qrcode, 3_600],
  ])('of the kind %s is kept as it was asked for and has its time', (_, paymentMethod, seconds) => {
    const { installments: _installments, ...kept } = paymentMethod;
    const asked = read(aPixRequest({ paymentMethod, currency: 'ARS' }));
    const expiresAt = later(seconds).toISOString();
    expect(asked.paymentMethod).toEqual(kept);
    expect(asked.expiresAt).toBe(expiresAt);
    expect(asked.instrument).toEqual({
      ...kept,
      bankName: paymentMethod.type === 'banktransfer' ? 'Banco Um' : null,
      expiresAt,
    });
  });
});

describe('the customer of a charge request', () => {
  it('has null for what was not given', () => {
    const customer = { name: 'Ana', email: 'ana@example.test' };
    expect(read(aPixRequest({ customer })).customer).toEqual({
      id: expect.stringMatching(/^cus_[0-9a-f]{32}$/),
      ...customer,
      phone: null,
      document: null,
      address: null,
    });
  });

  const idOf = (customer: ChargeRequest['customer'], merchant: typeof TEST | typeof LIVE = TEST) =>
    read(aPixRequest({ customer }), merchant).customer.id;
  const ana = { name: 'Ana', email: 'ana@example.test' };
  const document = { type: 'cpf', id: '52998224725' };

  it.each([
    ['cpf', '529.982.247-25', '52998224725'],
    ['CNPJ', '12.abc.345/01de-35', '12ABC34501DE35'],
    ['passport', 'ab-1', 'ab-1'],
  ])('has a %s %s kept as %s, and is the same as with that', (type, id, kept) => {
    const { customer } = read(aPixRequest({ customer: { ...ana, document: { type, id } } }));
    expect(customer.document).toEqual({ type: type.toLowerCase(), id: kept });
    expect(customer.id).toBe(idOf({ ...ana, document: { type, id: kept } }));
    expect(customer.id).toBe(idOf({ ...ana, document: { type: ` ${type.toUpperCase()}`, id } }));
  });

  it.each([
    ['cpf', '5299822472'],
    ['cnpj', '52998224725'],
    ['cnpj', '12ABC34501DEF5'],
  ])('is refused with a %s %s, in either environment and once', (type, id) => {
    const request = aPixRequest({ customer: { ...ana, document: { type, id } } });
    expect(faultyPaths(request)).toEqual(['customer.document.id']);
    expect(faultyPaths(request, LIVE)).toEqual(['customer.document.id']);
  });

  it('is the same by document, else by e-mail whatever its case, for one merchant and environment', () => {
    expect(idOf({ ...ana, document })).toBe(idOf({ name: 'Ana S.', email: 'other@example.test', document }));
    expect(idOf(ana)).toBe(idOf({ name: 'Someone', email: 'ANA@example.test' }));
    expect(idOf(ana)).not.toBe(idOf({ ...ana, document }));
    expect(idOf(ana)).not.toBe(idOf(ana, LIVE));
    expect(idOf(ana)).not.toBe(
      readChargeRequest(aPixRequest({ customer: ana }), { id: 'mer_2', livemode: false }, NOW).customer.id,
    );
  });

  it.each([
    ['cpf', '52998224726'],
    ['CPF', '52998224726'],
    ['cuit', '20123456785'],
    ['dni', '123456789'],
  ])('needs a right %s (not %s) with a test key and a live key', (type, id) => {
    const request = aPixRequest({ customer: { ...ana, document: { type, id } } });
    for (const merchant of [TEST, LIVE])
      expect(faultyPaths(request, merchant)).toEqual(['customer.document.id']);
  });
});

describe('the identifier of a payer who pays by voucher, bank transfer or QR code', () => {
  const identified = (identifyType: string, identifyNumber: string, currency = 'ARS'): ChargeRequest =>
    aPixRequest({
      currency,
      paymentMethod: { type: 'voucher', installments: 1, identifyType, identifyNumber },
    });

  it.each(['cuit', 'cuil'])('needs the right check digit of a %s with a test key and a live key', (type) => {
    for (const merchant of [TEST, LIVE]) {
      expect(faultyPaths(identified(type, '20123456785'), merchant)).toEqual([
        'paymentMethod.identifyNumber',
      ]);
      expect(() => read(identified(type, '20123456786'), merchant)).not.toThrow();
    }
  });

  it.each([
    ['cpf', '52998224725', '52998224725'],
    ['cnpj', '12abc34501de35', '12ABC34501DE35'],
  ])('may be a %s where the currency is BRL, and only there', (type, id, kept) => {
    const { paymentMethod, instrument } = read(identified(type, id, 'BRL'));
    expect(paymentMethod).toMatchObject({ identifyType: type, identifyNumber: kept });
    expect(instrument).toMatchObject({ identifyNumber: kept });
    expect(faultyPaths(identified(type, id, 'ARS'))).toEqual(['paymentMethod.identifyType']);
    const wrong = `${id.slice(0, -1)}${(Number(id.at(-1)) + 1) % 10}`;
    for (const number of [wrong, id.slice(1)])
      expect(faultyPaths(identified(type, number, 'BRL'))).toEqual(['paymentMethod.identifyNumber']);
    expect(() => read(identified('dni', '12345678', 'BRL'))).not.toThrow();
  });

  it('has seven or eight digits as a dni, and eight to eleven characters as the others', () => {
    for (const wrong of ['412345', '412345678', '4123456A'])
      expect(faultyPaths(identified('dni', wrong))).toEqual(['paymentMethod.identifyNumber']);
    expect(faultyPaths(identified('cdi', '201234567861'))).toEqual(['paymentMethod.identifyNumber']);
    expect(read(identified('dni', '4123456')).paymentMethod).toMatchObject({ identifyNumber: '4123456' });
    for (const type of ['cdi', 'cuit', 'cuil'])
      expect(faultyPaths(identified(type, '4123456'))).toEqual(['paymentMethod.identifyNumber']);
  });

  it('has no check digit as a cdi', () => {
    expect(() => read(identified('cdi', '20123456785'), LIVE)).not.toThrow();
  });

  it.each([
    ['voucher', 3 * 86_400],
    ['banktransfer', 86_400],
    ['qrcode', 3_600],
  ] as const)('by %s has %d seconds to pay', (type, seconds) => {
    const { paymentMethod } = identified('dni', '12345678');
    const request = aPixRequest({ paymentMethod: { ...paymentMethod, type, bankName: 'Banco Um' } as never });
    expect(read(request).expiresAt).toBe(later(seconds).toISOString());
  });
});

describe('further fields of a charge request', () => {
  it('is null where it is absent', () => {
    expect(read(aPixRequest())).toMatchObject({
      items: null,
      metadata: null,
      postbackUrl: null,
      reference: null,
    });
  });

  it('is kept, items with null for what they lack', () => {
    const request = aPixRequest({
      items: [{ title: 'Pão', quantity: 2 }],
      postbackUrl: 'https://example.test/postback',
      reference: 'order-1',
    });
    expect(read(request)).toMatchObject({
      items: [{ title: 'Pão', type: null, description: null, unit_price: null, quantity: 2 }],
      postbackUrl: 'https://example.test/postback',
      reference: 'order-1',
    });
  });

  it('may be metadata of any shape, kept as text', () => {
    const metadata = { $set: 1, 'a.b': { constructor: [null, true, 'ç'] } };
    expect(read(aPixRequest({ metadata })).metadata).toBe(JSON.stringify(metadata));
  });

  it('may be items and metadata of 32 KiB together, and not a byte more', () => {
    const metadata = { text: 'x'.repeat(16_384 - '{"text":""}'.length) };
    const items = (bytes: number) => {
      const many = Array.from({ length: 16 }, () => ({ description: 'x'.repeat(1_000) }));
      const rest = bytes - Buffer.byteLength(JSON.stringify([...many, { description: '' }]));
      return [...many, { description: 'x'.repeat(rest) }];
    };
    expect(() => read(aPixRequest({ metadata, items: items(16_384) }))).not.toThrow();
    expect(faultyPaths(aPixRequest({ metadata, items: items(16_385) }))).toEqual(['items']);
    expect(() => read(aPixRequest({ items: items(17_000) }))).not.toThrow();
  });

  it('may be metadata of 16 KiB, and not a byte more', () => {
    const filled = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });
    expect(() => read(aPixRequest({ metadata: filled(16_384) }))).not.toThrow();
    expect(faultyPaths(aPixRequest({ metadata: filled(16_385) }))).toEqual(['metadata']);
    expect(faultyPaths(aPixRequest({ metadata: { a: 'ç'.repeat(8_189) } }))).toEqual(['metadata']);
  });
});

describe('two requests that look like the same payment', () => {
  const key = (request: ChargeRequest, merchant: typeof TEST | typeof LIVE = TEST): string =>
    read(request, merchant).duplicateKey;
  const customer = { name: 'Bia', email: 'bia@example.test' };

  it('agree in merchant, amount, currency, payer and instrument, whatever else differs', () => {
    const other = aCardRequest(
      { reference: 'again', metadata: { a: 1 } },
      { holderName: 'A SOUZA', cvv: '999' },
    );
    expect(key(other)).toBe(key(aCardRequest()));
    expect(key(aPixRequest({ reference: 'x' }))).toBe(key(aPixRequest()));
  });

  it.each([
    ['the amount', aCardRequest({ amount: 100.01 })],
    ['the currency', aCardRequest({ currency: 'USD' })],
    ['the payer', aCardRequest({ customer })],
    ['the card', aCardRequest({}, { number: '4111111111111111' })],
    ['the expiry', aCardRequest({}, { expirationMonth: '11' })],
    ['the method', aPixRequest()],
  ])('are told apart by %s', (_, request) => {
    expect(key(request)).not.toBe(key(aCardRequest()));
  });

  it('are told apart by environment, and minor units are not confused between currencies', () => {
    expect(key(aPixRequest(), LIVE)).not.toBe(key(aPixRequest()));
    expect(exponentOf('CLP')).toBe(0);
    expect(key(aCardRequest({ amount: 100, currency: 'CLP' }))).not.toBe(
      key(aCardRequest({ amount: 1, currency: 'BRL' })),
    );
  });
});
