import { aPayer } from '../../../../test/builders.ts';
import { createFakeCollections } from '../../../../test/fakes/collections.ts';
import { type Instrument, NotShownYet, type Payer } from '../provider.ts';
import type { Pairs } from './institutions.ts';
import { createPixNames } from './names.store.ts';
import { createPixApi } from './pix-api.ts';
import type { CallPix } from './pix-client.ts';

type Answer = Awaited<ReturnType<CallPix>>;

const BODY = '0123456789abcdef0123456789abcdef';
const OTHER = 'f'.repeat(32);
const END_TO_END_ID = `E${'1'.repeat(31)}`;
const ORDER = { reference: `chg_${BODY}`, amount: 80_05, currency: 'BRL' };
const NOW = '2026-06-15T12:00:00.000Z';
const REFUND = {
  ...ORDER,
  reference: `ref_${BODY}`,
  paymentReference: ORDER.reference,
  openedAt: NOW,
};
const REMOVED = 'REMOVIDA_PELO_USUARIO_RECEBEDOR';
const aCob = (changes: object = {}): Answer => ({
  status: 'done',
  body: { txid: BODY, status: 'ATIVA', valor: { original: '80.05' }, pixCopiaECola: '0002', ...changes },
});
const aPix = (changes: object = {}) => ({
  endToEndId: END_TO_END_ID,
  txid: BODY,
  valor: '80.05',
  horario: '2026-06-15T12:00:00.000Z',
  ...changes,
});
const NOT_FOUND: Answer = { status: 'not_found' };
const REFUSED: Answer = { status: 'refused', problem: 'cob_operacao_invalida' };

/** Answers each call by its method and the first part of its path; a list is answered one after the other. */
const given = (answers: Readonly<Record<string, readonly Answer[]>>) => {
  const made: (readonly [string, unknown])[] = [];
  const asked: Pairs[] = [];
  let unreadable = 0;
  const left = new Map(Object.entries(answers).map(([call, list]) => [call, [...list]]));
  const provider = createPixApi({
    async call(method, path, body, query) {
      const name = `${method} ${path.length > 2 ? path[2] : path[0]}`;
      made.push([`${method} ${path.join('/')}`, body]);
      if (query) asked.push(query);
      const answer = left.get(name)?.shift();
      if (!answer) throw new Error(`nobody expects ${name}`);
      return answer;
    },
    clock: () => new Date(NOW),
    pausesMs: [0, 0],
    noteUnreadable: () => {
      unreadable += 1;
    },
    key: 'key',
    names: createPixNames(createFakeCollections(), 'pix-api'),
    account: null,
    callbackSecrets: ['former secret', 'secret'],
  });
  return { provider, made, asked, unreadable: () => unreadable };
};

describe('an institution that breaks its rules', () => {
  it.each<[string, readonly Answer[], string]>([
    ['another cob', [aCob({ txid: OTHER })], 'answers with another cob'],
    ['a refusal to read', [REFUSED], 'does not read a cob: cob_operacao_invalida'],
    ['no cob at all', [{ status: 'done', body: null }], 'answers no cob'],
  ])('decides nothing with %s', async (_, answers, message) => {
    await expect(given({ 'GET cob': answers }).provider.describePayment(ORDER)).rejects.toThrow(message);
  });

  it('decides nothing with another Pix, or with a refusal to read a return', async () => {
    const told = { status: 'done' as const, body: aPix({ endToEndId: `E${'2'.repeat(31)}` }) };
    const delivery = {
      headers: {},
      secret: 'secret',
      body: Buffer.from(JSON.stringify({ pix: [{ endToEndId: END_TO_END_ID }] })),
    };
    const { provider } = given({ 'GET pix': [told] });
    const unconfirmed = [{ kind: 'unconfirmed', id: END_TO_END_ID }];
    expect(await provider.notificationsIn(delivery)).toEqual(unconfirmed);
    const refund = { ...REFUND, paymentPspRefId: END_TO_END_ID };
    const reading = given({ 'GET devolucao': [REFUSED] });
    await expect(reading.provider.describeRefund(refund)).rejects.toThrow('does not read a devolucao');
  });

  it('decides nothing where a cob that it removed is there as before', async () => {
    const { provider } = given({ 'PATCH cob': [aCob()], 'GET cob': [aCob()] });
    await expect(provider.cancel(ORDER)).rejects.toThrow('does not remove a cob');
  });

  describe('and neither shows a cob nor takes another one in its place', () => {
    const hidden = { 'PATCH cob': [NOT_FOUND, NOT_FOUND], 'PUT cob': [REFUSED] };
    const listed = (...pix: object[]): Answer => ({ status: 'done', body: { pix } });

    it('has removed it before where a day has passed and nobody has paid', async () => {
      const { provider } = given({ ...hidden, 'GET pix': [listed()] });
      expect(await provider.cancel(ORDER)).toMatchObject({ status: 'failed', failureReason: 'cancelled' });
    });

    it('decides nothing within a day, because it may still show it', async () => {
      const made = Date.parse(NOW).toString(16).padStart(12, '0');
      const reference = `chg_${made}${BODY.slice(12)}`;
      const { provider } = given(hidden);
      await expect(provider.cancel({ ...ORDER, reference })).rejects.toThrow(NotShownYet);
    });

    it('decides nothing where it has a Pix for it', async () => {
      const { provider } = given({ ...hidden, 'GET pix': [listed(aPix())] });
      await expect(provider.cancel(ORDER)).rejects.toThrow('has a Pix of a cob that it does not have');
    });
  });
});

describe('the cancellation of a payment that is unknown to the institution', () => {
  it.each([
    [80_05, '80.05'],
    [10 ** 12, '9999999999.99'],
  ])('takes its place for a minute, with %i cents, and removes that', async (amount, original) => {
    const removed = aCob({ status: REMOVED, valor: { original } });
    const { provider, made } = given({
      'PATCH cob': [NOT_FOUND, removed],
      'PUT cob': [aCob({ valor: { original } })],
      'GET cob': [removed],
    });
    expect(await provider.cancel({ ...ORDER, amount })).toMatchObject({
      status: 'failed',
      failureReason: 'cancelled',
    });
    expect(made).toEqual([
      [`PATCH cob/${BODY}`, { status: REMOVED }],
      [`PUT cob/${BODY}`, { calendario: { expiracao: 60 }, valor: { original }, chave: 'key' }],
      [`PATCH cob/${BODY}`, { status: REMOVED }],
      [`GET cob/${BODY}`, undefined],
    ]);
  });
});

describe('a new charge', () => {
  const ask = async (changes: { expiresAt?: string; payer?: Payer; instrument?: Instrument }) => {
    const { provider, made } = given({ 'PUT cob': [aCob()] });
    const { expiresAt = '2026-06-15T13:00:00.000Z', payer = aPayer() } = changes;
    const instrument = changes.instrument ?? { type: 'pix', expiresAt };
    await provider.authorize({
      ...ORDER,
      merchantName: 'Loja',
      merchantTimeZone: 'UTC',
      payer,
      instrument,
      returnUrl: null,
    });
    return made[0]?.[1];
  };

  it.each([
    ['2026-06-15T13:00:00.000Z', 3_600],
    ['2026-06-15T12:00:00.001Z', 1],
    ['2026-06-15T11:00:00.000Z', 1],
  ])('that expires at %s is asked for with the seconds until then', async (expiresAt, expiracao) => {
    expect(await ask({ expiresAt })).toEqual({
      calendario: { expiracao },
      valor: { original: '80.05' },
      chave: 'key',
    });
  });

  it.each<[string, string, object | null]>([
    ['cpf', '529.982.247-25', { cpf: '52998224725' }],
    ['cnpj', '12.abc.345/01de-35', { cnpj: '12ABC34501DE35' }],
    ['cnpj', '11222333000181', { cnpj: '11222333000181' }],
    ['cpf', '52998224724', null],
    ['cuit', '20123456786', null],
    ['rg', '12345678909', null],
    ['passport', '12345678909876', null],
    ['passport', 'AB123456', null],
  ])('has the payer’s %s %s as the institution knows it', async (type, id, known) => {
    const name = 'A'.repeat(250);
    expect(await ask({ payer: { name, email: 'ana@example.com', document: { type, id } } })).toEqual({
      calendario: { expiracao: 3_600 },
      ...(known ? { devedor: { ...known, nome: 'A'.repeat(200) } } : {}),
      valor: { original: '80.05' },
      chave: 'key',
    });
  });

  it('has a name that is not cut in the middle of a character', async () => {
    const document = { type: 'cpf', id: '52998224725' };
    const asked = await ask({ payer: { ...aPayer(), name: `${'A'.repeat(198)}👩‍👩‍👧`, document } });
    expect(asked).toMatchObject({ devedor: { nome: 'A'.repeat(198) } });
  });

  it('takes Pix in BRL only', async () => {
    const instrument = { type: 'qrcode', identifyType: 'dni', identifyNumber: '1', bankName: null } as const;
    const expiresAt = '2026-06-15T13:00:00.000Z';
    await expect(ask({ instrument: { ...instrument, expiresAt } })).rejects.toThrow('Pix in BRL only');
    const { provider, made } = given({});
    const request = { merchantName: 'Loja', merchantTimeZone: 'UTC', payer: aPayer(), returnUrl: null };
    await expect(
      provider.authorize({ ...ORDER, ...request, currency: 'USD', instrument: { type: 'pix', expiresAt } }),
    ).rejects.toThrow('Pix in BRL only');
    expect(made).toEqual([]);
  });
});

describe('a refund', () => {
  it('is refused without a payment, and gives back the Pix of the charge where none is named', async () => {
    const unpaid = given({ 'GET cob': [aCob(), aCob()] });
    const request = { ...REFUND, paymentPspRefId: null };
    expect(await unpaid.provider.refund(request)).toEqual({
      status: 'refused',
      reason: 'payment_not_paid',
      pspRefundRefId: null,
    });
    expect(await unpaid.provider.describeRefund(request)).toBeNull();
    const given1 = { id: 'r', rtrId: 'D1', valor: '80.05', status: 'DEVOLVIDO' };
    const { provider, made } = given({
      'GET cob': [aCob({ status: 'CONCLUIDA', pix: [aPix()] })],
      'PUT devolucao': [{ status: 'done', body: given1 }],
    });
    expect(await provider.refund({ ...request, paymentPspRefId: BODY })).toMatchObject({
      status: 'refunded',
    });
    expect(made[1]).toEqual([`PUT pix/${END_TO_END_ID}/devolucao/ref${BODY}`, { valor: '80.05' }]);
  });
});

describe('a callback', () => {
  const deliver = (secret: string | null, body = '') => ({ headers: {}, secret, body: Buffer.from(body) });

  it('is known by either secret, and by nothing else', async () => {
    const { provider } = given({});
    const verified: boolean[] = [];
    for (const secret of ['former secret', 'secret', 'Secret', '', null, 'former secret,secret'])
      verified.push(await provider.verify(deliver(secret)));
    expect(verified).toEqual([true, true, false, false, false, false]);
  });

  it.each([
    '',
    'null',
    '7',
    '{}',
    '[null]',
    '[{"endToEndId": "E1"}]',
    '{"evento": 7}',
    '{"evento": "teste_webhook", "pix": "none"}',
    '{"pix": {}}',
    '{"pix": [null]}',
    '{"pix": [{}]}',
    '{"pix": [{"endToEndId": 7}]}',
    '{"pix": [{"endToEndId": "E1"}]}',
    `{"pix": [{"endToEndId": "../cob/${'1'.repeat(24)}"}]}`,
  ])('that says %s is none', async (body) => {
    const { provider, made } = given({});
    expect(await provider.notificationsIn(deliver('secret', body))).toBeNull();
    expect(made).toEqual([]);
  });

  it.each([
    '{"evento": "teste_webhook"}',
    '{"evento": "teste", "data_criacao": "2026-06-15"}',
    '[]',
    '{"pix": []}',
  ])('that says %s tells nothing', async (body) => {
    const { provider, made } = given({});
    expect(await provider.notificationsIn(deliver('secret', body))).toEqual([]);
    expect(made).toEqual([]);
  });

  it('may be the list alone', async () => {
    const { provider } = given({ 'GET pix': [NOT_FOUND] });
    const body = JSON.stringify([{ endToEndId: END_TO_END_ID, valor: '1.00' }]);
    expect(await provider.notificationsIn(deliver('secret', body))).toEqual([
      { kind: 'unconfirmed', id: END_TO_END_ID },
    ]);
  });

  it('asks once about each Pix that it names, and for the charge only where that is ours', async () => {
    const [one, two] = [END_TO_END_ID, `E${'2'.repeat(31)}`];
    const stranger = aPix({ endToEndId: two, txid: 'somebodyelses1234567890123' });
    const { provider, made } = given({
      'GET pix': [
        { status: 'done', body: aPix() },
        { status: 'done', body: stranger },
      ],
      'GET cob': [aCob({ status: 'CONCLUIDA', pix: [aPix()] })],
    });
    const named = [one, two, one].map((endToEndId) => ({ endToEndId, valor: '1.00' }));
    const told = await provider.notificationsIn(deliver('secret', JSON.stringify({ pix: named })));
    expect(told).toMatchObject([
      { kind: 'payment', reference: ORDER.reference, state: { instructions: { copyPaste: '0002' } } },
      { kind: 'payment', reference: 'somebodyelses1234567890123', state: { instructions: null } },
    ]);
    expect(made.map(([call]) => call)).toEqual([`GET pix/${one}`, `GET cob/${BODY}`, `GET pix/${two}`]);
  });

  it.each<[string, Answer]>([
    ['does not have', NOT_FOUND],
    ['refuses to show', REFUSED],
  ])('about a Pix that the institution %s is not confirmed', async (_, answer) => {
    const { provider } = given({ 'GET pix': [answer] });
    const body = JSON.stringify({ pix: [{ endToEndId: END_TO_END_ID }] });
    expect(await provider.notificationsIn(deliver('secret', body))).toEqual([
      { kind: 'unconfirmed', id: END_TO_END_ID },
    ]);
  });
});

describe('the news of an institution', () => {
  const page = (pages: number, ...pix: object[]): Answer => ({
    status: 'done',
    body: { parametros: { paginacao: { quantidadeDePaginas: pages } }, pix },
  });
  const since = new Date('2026-06-15T11:45:00.000Z');

  it('are the Pix of its charges on every page, and no others', async () => {
    const foreign = aPix({ endToEndId: `E${'2'.repeat(31)}`, txid: 'loja1' });
    const last = aPix({ endToEndId: `E${'3'.repeat(31)}`, txid: OTHER });
    const { provider, asked, unreadable } = given({ 'GET pix': [page(2, aPix(), foreign), page(2, last)] });
    expect(await provider.newsSince?.(since)).toMatchObject([
      { kind: 'payment', reference: ORDER.reference, amount: 80_05 },
      { kind: 'payment', reference: `chg_${OTHER}` },
    ]);
    expect(asked).toMatchObject([{ inicio: '2026-06-15T11:45:00Z' }, { 'paginacao.paginaAtual': '1' }]);
    expect(asked[0]).not.toHaveProperty('paginacao.paginaAtual');
    expect(unreadable()).toBe(0);
  });

  it('count what nobody can read, and tell of the rest', async () => {
    const odd = aPix({ devolucoes: [{ status: 'DEVOLVIDO' }] });
    const { provider, unreadable } = given({ 'GET pix': [page(1, odd, { valor: '1.00' })] });
    expect(await provider.newsSince?.(since)).toMatchObject([
      { kind: 'payment', reference: ORDER.reference },
    ]);
    expect(unreadable()).toBe(2);
  });

  it('count what nobody can read of a charge that is asked about', async () => {
    const odd = aPix({ devolucoes: [{ status: 'DEVOLVIDO' }] });
    const { provider, unreadable } = given({ 'GET cob': [aCob({ status: 'CONCLUIDA', pix: [odd] })] });
    expect(await provider.describePayment(ORDER)).toMatchObject({ status: 'paid' });
    expect(unreadable()).toBe(1);
  });
});
