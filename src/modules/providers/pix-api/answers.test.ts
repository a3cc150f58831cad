import { UnknownStatus } from '../provider.ts';
import * as answers from './answers.ts';

const BODY = '0123456789abcdef0123456789abcdef';
const END_TO_END_ID = `E${'1'.repeat(31)}`;
const aPix = (changes: Partial<answers.Pix> = {}): answers.Pix => ({
  endToEndId: END_TO_END_ID,
  txid: BODY,
  valor: '80.05',
  horario: '2026-06-15T12:00:00.000-03:00',
  ...changes,
});
const aReturn = (changes: object = {}) => ({
  id: `ref${BODY}`,
  rtrId: 'D1',
  valor: '80.05',
  status: 'DEVOLVIDO',
  ...changes,
});
const aCob = (changes: object = {}) => ({
  txid: BODY,
  status: 'ATIVA',
  valor: { original: '80.05' },
  pixCopiaECola: '0002',
  ...changes,
});

describe('an answer of an institution', () => {
  it.each([
    [1, '0.01'],
    [10, '0.10'],
    [100, '1.00'],
    [999_999_999_999, '9999999999.99'],
  ])('has %i cents as %s', (cents, text) => {
    expect(answers.reais(cents)).toBe(text);
    expect(answers.paymentStateOf(aCob({ valor: { original: text } })).echo).toEqual({
      amount: cents,
      currency: 'BRL',
    });
  });

  it.each<[string, (body: unknown) => unknown, unknown]>([
    ['cob without a status', answers.readCob, aCob({ status: undefined })],
    ['cob with an amount of three decimals', answers.readCob, aCob({ valor: { original: '80.505' } })],
    ['cob with a number of three decimals', answers.readCob, aCob({ valor: { original: 80.505 } })],
    ['cob with a comma', answers.readCob, aCob({ valor: { original: '80,05' } })],
    ['cob with a payment that nobody can read', answers.readCob, aCob({ pix: [{ valor: '1.00' }] })],
    ['cob with an amount below zero', answers.readCob, aCob({ valor: { original: '-80.05' } })],
    ['cob that is a list', answers.readCob, []],
    ['cob that is nothing', answers.readCob, undefined],
    ['pix with a short end-to-end identifier', answers.readPix, aPix({ endToEndId: 'E1' })],
    ['pix without an instant', answers.readPix, aPix({ horario: 'yesterday' })],
    ['pix of a day without a time', answers.readPix, aPix({ horario: '2026-06-15' })],
    ['devolucao without a status', answers.readDevolucao, aReturn({ status: undefined })],
  ])('that has a %s is none', (name, read, body) => {
    expect(() => read(body)).toThrow(`the institution answers no ${name.split(' ')[0]}`);
  });

  it('may have members that nobody knows yet', () => {
    expect(answers.readCob(aCob({ novo: 1 }))).toMatchObject({ txid: BODY });
    expect(answers.readPix({ ...aPix(), novo: 1 })).toMatchObject({ endToEndId: END_TO_END_ID });
  });
});

describe('an answer that is not as the document says', () => {
  const stateOf = (cob: object) => answers.paymentStateOf(answers.readCob(aCob(cob)));

  it.each([
    [80.05, 80_05],
    [80.5, 80_50],
    [80, 80_00],
    [0.1, 10],
    ['80.5', 80_50],
    ['80', 80_00],
  ])('says %j reais', (original, amount) => {
    expect(stateOf({ valor: { original } }).echo).toEqual({ amount, currency: 'BRL' });
  });

  it('may write the txid in capitals, and a txid that is none', () => {
    expect(answers.readCob(aCob({ txid: BODY.toUpperCase() })).txid).toBe(BODY);
    for (const txid of ['', null]) {
      const pix = answers.readPix({ ...aPix(), txid });
      expect(answers.notificationsOf(pix, null)).toMatchObject([{ reference: END_TO_END_ID }]);
    }
  });

  it.each([
    [{ location: 'https://pix.example.com/qr/1' }],
    [{ loc: { location: 'HTTP://pix.example.com/qr/1' } }],
    [{ loc: null, location: 'pix.example.com/qr/1' }],
  ])('has its way to pay in %j', (way) => {
    const { instructions } = stateOf({ pixCopiaECola: null, ...way });
    expect(instructions).toMatchObject({
      copyPaste: expect.stringContaining('25pix.example.com/qr/1'.slice(2)),
    });
    expect(JSON.stringify(instructions)).not.toMatch(/https?:/i);
  });

  it('needs a way to pay while nobody has paid, and none afterwards', () => {
    expect(() => stateOf({ pixCopiaECola: '' })).toThrow('no way to pay');
    const paid = stateOf({ pixCopiaECola: '', status: 'CONCLUIDA', pix: aPix() });
    expect(paid).toMatchObject({ status: 'paid', instructions: null });
  });

  it.each([
    ['2026-06-15T12:00:00', '2026-06-15T15:00:00.000Z'],
    ['2026-06-15T12:00:00.5', '2026-06-15T15:00:00.500Z'],
    ['2026-06-15T12:00:00Z', '2026-06-15T12:00:00.000Z'],
    ['2026-06-15T12:00:00-04:00', '2026-06-15T16:00:00.000Z'],
  ])('without a zone has the time of Brasília: %s', (horario, paidAt) => {
    expect(stateOf({ status: 'CONCLUIDA', pix: [aPix({ horario })] })).toMatchObject({ paidAt });
  });

  it('says of a charge that it has expired', () => {
    expect(stateOf({ status: 'EXPIRADA' })).toMatchObject({ status: 'failed', failureReason: 'expired' });
  });

  it.each<[string, unknown, number, number]>([
    ['one that is no list', aReturn(), 1, 0],
    ['none at all', null, 0, 0],
    ['one without an id', [aReturn({ id: undefined })], 1, 0],
    ['one without the id of its return', [aReturn({ rtrId: null })], 1, 0],
    ['one without a reason', [aReturn({ natureza: null })], 1, 0],
    ['one without any name', [aReturn({ id: '', rtrId: undefined }), aReturn()], 1, 1],
    ['one without an amount', [aReturn({ valor: undefined })], 0, 1],
    ['some words', 'none', 0, 1],
  ])('keeps the payment readable whatever the returns are: %s', (_, devolucoes, told, unreadable) => {
    const pix = answers.readPix({ ...aPix(), devolucoes });
    expect(answers.notificationsOf(pix, null)).toHaveLength(1 + told);
    expect(pix.unreadable ?? 0).toBe(unreadable);
    expect(stateOf({ status: 'CONCLUIDA', pix: [{ ...aPix(), devolucoes }] })).toMatchObject({
      status: 'paid',
    });
  });

  it('lists what can be read of the received Pix', () => {
    const page = { pix: [aPix(), { valor: '1.00' }], parametros: { paginacao: { quantidadeDePaginas: 2 } } };
    expect(answers.readPage(page)).toMatchObject({ pixes: [{ txid: BODY }], unreadable: 1, pages: 2 });
    expect(answers.readPage({})).toEqual({ pixes: [], unreadable: 0, pages: 1 });
    expect(() => answers.readPage([])).toThrow('answers no list of Pix');
  });
});

describe('the state of a payment', () => {
  it.each([
    ['ATIVA', 'pending', null],
    ['REMOVIDA_PELO_USUARIO_RECEBEDOR', 'failed', 'cancelled'],
    ['REMOVIDA_PELO_PSP', 'failed', 'removed_by_institution'],
  ])('without a Pix of a cob that is %s is %s', (status, expected, failureReason) => {
    expect(answers.paymentStateOf(aCob({ status }))).toEqual({
      status: expected,
      failureReason,
      pspRefId: BODY,
      paidAt: null,
      instructions: { type: 'pix', endToEndId: null, copyPaste: '0002' },
      echo: { amount: 80_05, currency: 'BRL' },
    });
  });

  it('without a Pix is unknown where the status is, or says that there is one', () => {
    for (const status of ['CONCLUIDA', 'NOVA', ''])
      expect(() => answers.paymentStateOf(aCob({ status }))).toThrow(UnknownStatus);
  });

  it('with Pix is that of the first one, with its amount', () => {
    const later = aPix({ endToEndId: `E${'2'.repeat(31)}`, horario: '2026-06-15T15:00:01.000Z' });
    const first = aPix({ valor: '80.04' });
    const state = answers.paymentStateOf(aCob({ status: 'CONCLUIDA', pix: [later, first] }));
    expect(state).toEqual({
      status: 'paid',
      pspRefId: END_TO_END_ID,
      failureReason: null,
      paidAt: '2026-06-15T15:00:00.000Z',
      instructions: { type: 'pix', endToEndId: END_TO_END_ID, copyPaste: '0002' },
      echo: { amount: 80_04, currency: 'BRL' },
    });
  });
});

describe('the state of a refund', () => {
  it.each([
    ['EM_PROCESSAMENTO', 'pending', null],
    ['DEVOLVIDO', 'refunded', null],
    ['NAO_REALIZADO', 'failed', 'not_carried_out'],
  ])('that is %s is %s', (status, expected, reason) => {
    const asked = { amount: 80_05, currency: 'BRL' };
    expect(answers.refundStateOf(aReturn({ status }), asked)).toEqual({
      status: expected,
      reason,
      pspRefundRefId: 'D1',
    });
    expect(() => answers.refundStateOf(aReturn({ status }), { ...asked, amount: 80_04 })).toThrow(
      'gave back 80.05',
    );
    expect(() => answers.refundStateOf(aReturn({ status: 'OUTRO' }), asked)).toThrow(UnknownStatus);
  });
});

describe('news of a Pix', () => {
  const payment = (reference: string) =>
    expect.objectContaining({ id: END_TO_END_ID, kind: 'payment', reference, livemode: true, amount: 80_05 });

  it('names the charge, else the txid, else the Pix', () => {
    expect(answers.notificationsOf(aPix(), null)).toEqual([payment(`chg_${BODY}`)]);
    expect(answers.notificationsOf(aPix({ txid: 'somebodyelses1234567890123' }), null)).toEqual([
      payment('somebodyelses1234567890123'),
    ]);
    const { txid: _, ...without } = aPix();
    expect(answers.notificationsOf(without, null)).toEqual([payment(END_TO_END_ID)]);
  });

  it.each([
    ['MED_FRAUDE', 'DEVOLVIDO', { kind: 'chargeback', reference: `chg_${BODY}`, amount: 5, pspRefId: 'D1' }],
    [
      'MED_OPERACIONAL',
      'DEVOLVIDO',
      { kind: 'chargeback', reference: `chg_${BODY}`, amount: 5, pspRefId: 'D1' },
    ],
    ['MED_FRAUDE', 'EM_PROCESSAMENTO', { kind: 'other', type: 'MED_FRAUDE EM_PROCESSAMENTO' }],
    ['MED_FRAUDE', 'NAO_REALIZADO', { kind: 'other', type: 'MED_FRAUDE NAO_REALIZADO' }],
    [
      'ORIGINAL',
      'DEVOLVIDO',
      { kind: 'refund', reference: `ref_${BODY}`, amount: 5, state: { status: 'refunded' } },
    ],
    [
      undefined,
      'EM_PROCESSAMENTO',
      { kind: 'refund', reference: `ref_${BODY}`, state: { status: 'pending' } },
    ],
  ])('of a return by %s that is %s', (natureza, status, expected) => {
    const given = aReturn({ valor: '0.05', status, ...(natureza ? { natureza } : {}) });
    const [, told, ...others] = answers.notificationsOf(aPix({ devolucoes: [given] }), null);
    expect(others).toEqual([]);
    expect(told).toMatchObject({ ...expected, livemode: true, id: `${END_TO_END_ID}/${given.id}/${status}` });
  });

  it('of a return that somebody else made has its own name', () => {
    const [, told] = answers.notificationsOf(aPix({ devolucoes: [aReturn({ id: 'byhand1' })] }), null);
    expect(told).toMatchObject({ kind: 'refund', reference: 'byhand1' });
  });
});
