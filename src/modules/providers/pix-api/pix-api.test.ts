import { randomUUID, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anAuthorizeRequest, aRefundRequest } from '../../../../test/builders.ts';
import { createFakeCollections } from '../../../../test/fakes/collections.ts';
import { createCertificateAuthority } from '../../../../test/support/certificate-authority.ts';
import { describeConformance, type Trouble } from '../../../../test/support/conformance.ts';
import { pixVariables } from '../../../../test/support/doubles/settings.ts';
import { type PixInstitution, startPixInstitution } from '../../../../test/support/pix-api/institution.ts';
import { pkcs12Of } from '../../../../test/support/pkcs12.ts';
import { openPixSandbox } from '../../../../test/support/sandboxes/pix-api.ts';
import { DAY_MS } from '../../../kernel/durations.ts';
import { type ClientIdentity, createHttpClient } from '../../../platform/outbound/http-client.ts';
import { type DueTerms, expiryOfDue } from '../pix/due-terms.ts';
import {
  type AuthorizeRequest,
  type Delivery,
  type Instrument,
  NotShownYet,
  type Payer,
  type PaymentOrder,
  type PaymentProvider,
  ProviderBusy,
  ProviderTimeout,
  type RefundRequest,
} from '../provider.ts';
import { createRest } from '../rest.ts';
import { AS_DOCUMENTED, DUE_SCOPES, MANDATE_SCOPES } from './institutions.ts';
import { createPixNames } from './names.store.ts';
import { createPixApi } from './pix-api.ts';
import { createPixClient } from './pix-client.ts';
import { devolucaoIdOf, txidOf } from './references.ts';

const SECRET = 'a secret that only the institution knows';
const noteUnreadable = jest.fn();
const clock = { now: new Date('2026-06-15T12:00:00.000Z') };

const ACCOUNT = { agencia: '1234', conta: '567890', tipoConta: 'CORRENTE' };
/** They outlive the instances, as those of a gateway outlive its processes. */
const names = createPixNames(createFakeCollections(), 'pix-api');

const directory = mkdtempSync(join(tmpdir(), 'portico-pix-'));
let institution: PixInstitution;
let credentials: ReturnType<PixInstitution['issueClient']>;
beforeAll(async () => {
  institution = await startPixInstitution(() => clock.now);
  credentials = institution.issueClient();
});
afterAll(async () => {
  // It answers by its own rules, whatever a test had it do.
  expect(institution.ownFaults).toEqual([]);
  await institution.stop();
  rmSync(directory, { recursive: true });
});
beforeEach(() => {
  clock.now = new Date('2026-06-15T12:00:00.000Z');
  institution.troubleWith(() => null);
  institution.setReturns('DEVOLVIDO');
  institution.lag(false);
  institution.hideRemoved(false);
});

type Options = {
  readonly timeoutMs?: number;
  readonly secret?: string;
  /** Null: the client shows no certificate. */
  readonly identity?: ClientIdentity | null;
  readonly authority?: string;
};

const connect = ({ secret, identity = credentials, authority, timeoutMs }: Options = {}): PaymentProvider => {
  const send = createHttpClient({
    timeoutMs: timeoutMs ?? 20_000,
    identity: identity ?? undefined,
    authorities: authority ?? institution.authority,
  });
  const { url, tokenUrl, client: app, key } = institution;
  const call = createPixClient({
    send,
    clock: () => clock.now,
    rest: createRest(() => clock.now),
    access: { ...AS_DOCUMENTED, url, tokenUrl, dueScopes: DUE_SCOPES, mandateScopes: MANDATE_SCOPES },
    clientId: app.id,
    clientSecret: secret ?? app.secret,
  });
  return createPixApi({
    call,
    clock: () => clock.now,
    key,
    callbackSecrets: [SECRET],
    pausesMs: [1, 1],
    noteUnreadable,
    names,
    account: ACCOUNT,
  });
};

const EXPIRES_AT = '2026-06-15T13:00:00.000Z';
const byPix: Instrument = { type: 'pix', expiresAt: EXPIRES_AT };
const newId = (prefix: string): string => `${prefix}_${randomUUID().replaceAll('-', '')}`;
const aPayment = (changes: Partial<AuthorizeRequest> = {}) => anAuthorizeRequest(byPix, changes);
const callback = (...endToEndIds: readonly string[]): Delivery => ({
  headers: {},
  secret: SECRET,
  body: institution.callbackAbout(...endToEndIds),
});
const pixesOf = ({ reference }: PaymentOrder) =>
  (institution.cobs.get(txidOf(reference)) ?? institution.cobvs.get(txidOf(reference)))?.pix ?? [];

const DUE: DueTerms = {
  dueDate: '2026-06-30',
  daysAfterDue: 30,
  fine: { type: 'percentage', value: 2_00 },
  interest: null,
  discounts: null,
  rebate: null,
};
const PAYER: Payer = {
  name: 'Ana Souza',
  email: 'ana@example.com',
  document: { type: 'cpf', id: '52998224725' },
  address: { line: 'Rua das Flores 80', city: 'Recife', state: 'PE', postalCode: '50010000' },
};
const byDuePix: Instrument = { type: 'pix', expiresAt: EXPIRES_AT, due: DUE };
const aDuePayment = (due: Partial<DueTerms> = {}): AuthorizeRequest => ({
  ...anAuthorizeRequest({ type: 'pix', expiresAt: EXPIRES_AT, due: { ...DUE, ...due } }),
  hasDueDate: true,
  payer: PAYER,
});
/** Says of each order what the gateway says of one with a due date. */
const withDueDate = (provider: PaymentProvider): PaymentProvider => ({
  ...provider,
  authorize: (request, asking) => provider.authorize({ ...request, hasDueDate: true, payer: PAYER }, asking),
  describePayment: (order) => provider.describePayment({ ...order, hasDueDate: true }),
  cancel: (order) => provider.cancel({ ...order, hasDueDate: true }),
});

/** The connector with one kind of charges: a `cobv` has a due date. */
const underTest = (kind: 'cob' | 'cobv') => ({
  provider: kind === 'cob' ? connect() : withDueDate(connect()),
  restart: () => (kind === 'cob' ? connect() : withDueDate(connect())),
  livemode: true,
  amounts: [
    { amount: 1, currency: 'BRL' },
    { amount: 150_75, currency: 'BRL' },
    { amount: 999_999_999_999, currency: 'BRL' },
  ],
  pays: kind === 'cob' ? byPix : byDuePix,
  refuses: null,
  waits: kind === 'cob' ? byPix : byDuePix,
  methods: [kind === 'cob' ? byPix : byDuePix],
  async pay({ reference }: PaymentOrder) {
    institution.pay(txidOf(reference));
  },
  async authorizeUnanswered() {
    const payment = kind === 'cob' ? aPayment() : aDuePayment();
    institution.troubleWith((call) => (call.startsWith(`PUT /${kind}/`) ? 'lose' : null));
    await expect(connect().authorize(payment)).rejects.toThrow();
    institution.troubleWith(() => null);
    return payment;
  },
  deliveries: {
    about: async (...payments: readonly PaymentOrder[]) => [
      callback(...payments.flatMap((payment) => pixesOf(payment).map(({ endToEndId }) => endToEndId))),
    ],
    async aboutRefund({ paymentReference }: RefundRequest) {
      return callback(...pixesOf(aPayment({ reference: paymentReference })).map((pix) => pix.endToEndId));
    },
    async chargedBack(payment: PaymentOrder) {
      const [pix] = pixesOf(payment);
      institution.takeBack(pix?.endToEndId ?? '');
      return callback(pix?.endToEndId ?? '');
    },
    other: null,
    forged: (genuine: Delivery) => [
      { ...genuine, secret: `${SECRET} ` },
      { ...genuine, secret: '' },
      { ...genuine, secret: null },
    ],
  },
  wire: {
    troubleWith(decide: (request: number) => Trouble | null) {
      const from = institution.callsMade.length;
      institution.troubleWith(() => decide(institution.callsMade.length - 1 - from));
      start = from;
    },
    requests: () => institution.callsMade.length - start,
  },
});
describeConformance('the API Pix of an institution', async () => underTest('cob'));
describeConformance('the API Pix of an institution, with due dates', async () => underTest('cobv'));
let start = 0;

// As `make conformance PROVIDER=pix-api` runs it against a real one.
describeConformance(
  'the sandbox of an institution',
  async () => {
    const callbackSecret = 'Zk3qT9wLr5vXn2bYc7mHd4sJf8gPa1eU';
    return openPixSandbox(pixVariables(institution, { callbackSecret, directory }));
  },
  { pays: false, payer: false, bank: false },
);

describe('a Pix charge at an institution', () => {
  it('has the charge’s id as txid, so that it is made once, and the payer’s document', async () => {
    const provider = connect();
    const payers = [
      { document: { type: 'cpf', id: '529.982.247-25' }, devedor: { cpf: '52998224725', nome: 'Ana' } },
      {
        document: { type: 'cnpj', id: '12.abc.345/01DE-35' },
        devedor: { cnpj: '12ABC34501DE35', nome: 'Ana' },
      },
      { document: { type: 'passport', id: 'X1' }, devedor: undefined },
    ];
    for (const { document, devedor } of payers) {
      const payment = aPayment({ payer: { name: 'Ana', email: 'ana@example.com', document } });
      const state = await provider.authorize(payment);
      expect(state).toMatchObject({ status: 'pending', pspRefId: txidOf(payment.reference) });
      expect(state.instructions).toMatchObject({ type: 'pix', endToEndId: null });
      const cob = institution.cobs.get(txidOf(payment.reference));
      expect(cob?.body).toEqual({
        calendario: { expiracao: 3_600 },
        ...(devedor ? { devedor } : {}),
        valor: { original: '80.05' },
        chave: institution.key,
      });
    }
  });

  it('is paid by the Pix that the payer sent, known by its end-to-end identifier', async () => {
    const provider = connect();
    const payment = aPayment();
    await provider.authorize(payment);
    const endToEndId = institution.pay(txidOf(payment.reference));
    const state = await provider.describePayment(payment);
    expect(state).toMatchObject({
      status: 'paid',
      pspRefId: endToEndId,
      paidAt: clock.now.toISOString(),
      instructions: { type: 'pix', endToEndId, copyPaste: expect.stringContaining('br.gov.bcb.pix') },
    });
  });

  it('that was paid twice is paid by the first Pix, and both are told', async () => {
    const provider = connect();
    const payment = aPayment();
    await provider.authorize(payment);
    const txid = txidOf(payment.reference);
    const first = institution.pay(txid);
    const second = institution.pay(txid, { force: true, at: new Date('2026-06-15T12:00:01.000Z') });
    expect(await provider.describePayment(payment)).toMatchObject({ pspRefId: first });
    const news = await provider.notificationsIn(callback(second, first));
    expect(news).toMatchObject([
      { reference: payment.reference, state: { status: 'paid', pspRefId: second } },
      { reference: payment.reference, state: { status: 'paid', pspRefId: first } },
    ]);
  });

  it('that was paid with another amount tells that amount', async () => {
    const provider = connect();
    const payment = aPayment();
    await provider.authorize(payment);
    const id = institution.pay(txidOf(payment.reference), { force: true, amount: 80_04 });
    const echo = { amount: 80_04, currency: 'BRL' };
    expect(await provider.describePayment(payment)).toMatchObject({ status: 'paid', echo });
    expect(await provider.notificationsIn(callback(id))).toMatchObject([{ ...echo, state: { echo } }]);
  });

  it('with a status that nobody knows is no outcome', async () => {
    const provider = connect();
    const payment = aPayment();
    await provider.authorize(payment);
    const cob = institution.cobs.get(txidOf(payment.reference));
    if (!cob) throw new Error('no cob');
    for (const status of ['EM_ANALISE', 'CONCLUIDA']) {
      cob.status = status;
      const expected = { name: 'UnknownStatus', message: expect.stringContaining(status) };
      await expect(provider.describePayment(payment)).rejects.toMatchObject(expected);
    }
    institution.ownFaults.splice(0);
    cob.status = 'REMOVIDA_PELO_PSP';
    expect(await provider.describePayment(payment)).toMatchObject({
      status: 'failed',
      failureReason: 'removed_by_institution',
    });
  });

  it('that the API cannot say is refused without a request', async () => {
    const before = institution.callsMade.length;
    const state = await connect().authorize(aPayment({ amount: 1_000_000_000_000 }));
    expect(state).toMatchObject({ status: 'failed', failureReason: 'amount_too_large' });
    await expect(connect().authorize(aPayment({ currency: 'USD' }))).rejects.toThrow('BRL');
    expect(institution.callsMade).toHaveLength(before);
  });

  it('that the institution proves not to have after it refused it has failed', async () => {
    const state = await connect().authorize(aPayment({ amount: 0 }), { isFirst: true });
    expect(state).toMatchObject({ status: 'failed', failureReason: 'cob_operacao_invalida' });
  });
});

describe('a callback of an institution', () => {
  it('counts by its identifiers only, and all else is asked back', async () => {
    const provider = connect();
    const payment = aPayment();
    await provider.authorize(payment);
    const id = institution.pay(txidOf(payment.reference));
    const body = JSON.parse(institution.callbackAbout(id).toString('utf8'));
    body.pix[0] = { ...body.pix[0], valor: '9999.99', txid: txidOf(newId('chg')), devolucoes: [] };
    const delivery = { headers: {}, secret: SECRET, body: Buffer.from(JSON.stringify(body)) };
    expect(await provider.notificationsIn(delivery)).toMatchObject([
      { amount: payment.amount, reference: payment.reference },
    ]);
  });

  it('about a Pix that the institution does not know is not confirmed, whatever else is in it', async () => {
    const provider = connect();
    const payment = aPayment();
    await provider.authorize(payment);
    const id = institution.pay(txidOf(payment.reference));
    const unknown = `E${'9'.repeat(31)}`;
    const body = Buffer.from(JSON.stringify({ pix: [{ endToEndId: unknown }, { endToEndId: id }] }));
    expect(await provider.notificationsIn({ headers: {}, secret: SECRET, body })).toMatchObject([
      { kind: 'unconfirmed', id: unknown },
      { kind: 'payment', id },
    ]);
  });

  it('about money that is for no charge of this gateway names it as it is named there', async () => {
    const txid = 'loja0000000000000000000001';
    const direct = await connect().authorize(aPayment());
    expect(direct.status).toBe('pending');
    const cob = institution.cobs.get(direct.pspRefId);
    if (!cob) throw new Error('no cob');
    institution.cobs.set(txid, { ...cob, txid, pix: [], status: 'ATIVA' });
    const id = institution.pay(txid);
    expect(await connect().notificationsIn(callback(id))).toMatchObject([
      { kind: 'payment', reference: txid },
    ]);
  });

  it('tells of a return in part by the payer’s bank with the part', async () => {
    const provider = connect();
    const payment = aPayment();
    await provider.authorize(payment);
    const id = institution.pay(txidOf(payment.reference));
    institution.takeBack(id, 5);
    expect(await provider.notificationsIn(callback(id))).toMatchObject([
      { kind: 'payment' },
      { kind: 'chargeback', reference: payment.reference, amount: 5 },
    ]);
  });
});

describe('a refund of a Pix', () => {
  const aPaidOne = async (): Promise<AuthorizeRequest> => {
    const payment = aPayment();
    await connect().authorize(payment);
    institution.pay(txidOf(payment.reference));
    return payment;
  };

  it.each([
    ['DEVOLVIDO', { status: 'refunded', reason: null }],
    ['NAO_REALIZADO', { status: 'failed', reason: 'not_carried_out' }],
  ] as const)('is pending while it is processed, and ends as %s', async (status, expected) => {
    const payment = await aPaidOne();
    const refund = aRefundRequest(payment);
    institution.setReturns('EM_PROCESSAMENTO');
    expect(await connect().refund(refund)).toMatchObject({ status: 'pending' });
    institution.endReturn(devolucaoIdOf(refund.reference), status);
    expect(await connect().describeRefund(refund)).toMatchObject(expected);
    const [pix] = pixesOf(payment);
    const news = await connect().notificationsIn(callback(pix?.endToEndId ?? ''));
    expect(news).toMatchObject([
      { kind: 'payment' },
      { kind: 'refund', reference: refund.reference, state: expected },
    ]);
  });

  it('may follow one that was not carried out, and never exceeds the Pix', async () => {
    const payment = await aPaidOne();
    institution.setReturns('NAO_REALIZADO');
    expect(await connect().refund(aRefundRequest(payment))).toMatchObject({ status: 'failed' });
    institution.setReturns('DEVOLVIDO');
    expect(await connect().refund(aRefundRequest(payment))).toMatchObject({ status: 'refunded' });
    const refused = { status: 'refused', reason: 'pix_devolucao_invalida', pspRefundRefId: null };
    expect(await connect().refund(aRefundRequest(payment, { amount: 1 }), { isFirst: true })).toEqual(
      refused,
    );
  });

  it('gives back the Pix that is named, where a charge was paid twice', async () => {
    const payment = await aPaidOne();
    const second = institution.pay(txidOf(payment.reference), { force: true });
    const refund = aRefundRequest(payment, { reference: newId('sus'), paymentPspRefId: second });
    expect(await connect().refund(refund)).toMatchObject({ status: 'refunded' });
    const [first, other] = pixesOf(payment);
    expect([first?.devolucoes.length, other?.devolucoes.length]).toEqual([0, 1]);
  });
});

describe('the connection to an institution', () => {
  it('uses one token for many calls, and a new one once it is over, by the clock or before', async () => {
    const provider = connect();
    const tokens = () => institution.callsMade.filter((call) => call.includes('/oauth/token')).length;
    const before = tokens();
    await Promise.all(Array.from({ length: 5 }, () => provider.describePayment(aPayment())));
    expect(tokens() - before).toBe(1);
    clock.now = new Date(clock.now.getTime() + 280_000);
    expect(await provider.describePayment(aPayment())).toBeNull();
    expect(tokens() - before).toBe(2);
    institution.expireTokens();
    expect(await provider.describePayment(aPayment())).toBeNull();
    expect(tokens() - before).toBe(3);
  });

  it('is not made without a certificate, with a wrong secret, or to somebody else', async () => {
    await expect(connect({ identity: null }).describePayment(aPayment())).rejects.toThrow();
    await expect(connect({ secret: 'wrong' }).describePayment(aPayment())).rejects.toThrow('no token: 401');
    const other = await startPixInstitution();
    await expect(connect({ authority: other.authority }).describePayment(aPayment())).rejects.toThrow();
    await other.stop();
  });

  it('shows a certificate that came with its key in one file by PKCS#12', async () => {
    const pkcs12 = await pkcs12Of(credentials, 'of the file');
    const describe = (password: string | undefined) =>
      (async () => connect({ identity: { pkcs12, password } }).describePayment(aPayment()))();
    expect(await describe('of the file')).toBeNull();
    await expect(describe('another')).rejects.toThrow('mac verify failure');
    const stranger = createCertificateAuthority('Somebody else').issueClient('loja');
    const foreign = { pkcs12: await pkcs12Of(stranger, 'x'), password: 'x' };
    await expect(connect({ identity: foreign }).describePayment(aPayment())).rejects.toThrow();
  });

  it('says once a connection when the certificate that it shows ends', async () => {
    const noted: Date[] = [];
    const pkcs12 = await pkcs12Of(credentials, 'x');
    for (const identity of [credentials, { pkcs12, password: 'x' }]) {
      const send = createHttpClient({
        timeoutMs: 20_000,
        identity,
        authorities: institution.authority,
        noteIdentityEnd: (at) => noted.push(at),
      });
      for (const _ of [1, 2]) await send({ method: 'GET', url: new URL(institution.url) });
    }
    const end = new Date(new X509Certificate(credentials.certificate).validTo);
    expect(noted).toEqual([end, end]);
  });

  it('takes a late answer for none', async () => {
    const provider = connect({ timeoutMs: 1_500 });
    await provider.describePayment(aPayment());
    institution.troubleWith(() => ({ delayMs: 3_000 }));
    const payment = aPayment();
    await expect(provider.authorize(payment)).rejects.toThrow(ProviderTimeout);
    institution.troubleWith(() => null);
    // Done when it was asked for, and answered later.
    expect(await connect().describePayment(payment)).toMatchObject({ status: 'pending' });
  });

  it('is left alone for as long as the institution asks', async () => {
    const provider = connect();
    await provider.describePayment(aPayment());
    institution.troubleWith(() => ({ status: 429, retryAfter: 20 }));
    await expect(provider.describePayment(aPayment())).rejects.toThrow(ProviderBusy);
    institution.troubleWith(() => null);
    const before = institution.callsMade.length;
    clock.now = new Date(clock.now.getTime() + 19_000);
    await expect(provider.describePayment(aPayment())).rejects.toThrow(ProviderBusy);
    expect(institution.callsMade).toHaveLength(before);
    clock.now = new Date(clock.now.getTime() + 1_000);
    expect(await provider.describePayment(aPayment())).toBeNull();
  });
});

describe('an institution whose reads lag behind its writes', () => {
  const again = { isFirst: false };
  const first = { isFirst: true };

  it('does not refuse a charge or a refund that it took before', async () => {
    institution.lag(true);
    const payment = aPayment();
    await connect().authorize(payment, first);
    await expect(connect().authorize(payment, again)).rejects.toThrow(NotShownYet);
    institution.lag(false);
    expect(await connect().authorize(payment, again)).toMatchObject({ status: 'pending' });
    institution.pay(txidOf(payment.reference));
    institution.lag(true);
    const refund = aRefundRequest(payment, { openedAt: clock.now.toISOString() });
    institution.troubleWith((call) => (call.startsWith('PUT /pix/') ? 'lose' : null));
    await expect(connect().refund(refund, first)).rejects.toThrow('socket hang up');
    institution.troubleWith(() => null);
    expect(await connect().describeRefund(refund)).toBeNull();
    await expect(connect().refund(refund, again)).rejects.toThrow(NotShownYet);
    institution.lag(false);
    expect(await connect().refund(refund, again)).toMatchObject({ status: 'refunded' });
    expect(pixesOf(payment)[0]?.devolucoes).toHaveLength(1);
  });

  it('shows a refund after a moment, which is then found at once', async () => {
    const payment = aPayment();
    await connect().authorize(payment, first);
    institution.pay(txidOf(payment.reference));
    const refund = aRefundRequest(payment, { openedAt: clock.now.toISOString() });
    institution.lag(true);
    await connect().refund(refund, first);
    let reads = 0;
    institution.troubleWith((call) => {
      if (call.startsWith('GET /pix/')) reads += 1;
      if (reads === 3) institution.lag(false);
      return null;
    });
    expect(await connect().refund(refund, again)).toMatchObject({ status: 'refunded' });
    expect(reads).toBe(3);
  });

  it('has a refusal of its own for the first request, and for one that is a day old', async () => {
    const payment = aPayment();
    await connect().authorize(payment, first);
    institution.pay(txidOf(payment.reference));
    const refund = aRefundRequest(payment, { amount: payment.amount + 1, openedAt: clock.now.toISOString() });
    const refused = { status: 'refused', reason: 'pix_devolucao_invalida' };
    expect(await connect().refund(refund, first)).toMatchObject(refused);
    await expect(connect().refund(refund, again)).rejects.toThrow(NotShownYet);
    clock.now = new Date(clock.now.getTime() + DAY_MS);
    expect(await connect().refund(refund, again)).toMatchObject(refused);
  });

  it('may lose the way to a refund, which decides nothing', async () => {
    const payment = aPayment();
    await connect().authorize(payment, first);
    institution.pay(txidOf(payment.reference));
    const refund = aRefundRequest(payment, { openedAt: clock.now.toISOString() });
    institution.troubleWith((call) => (call.startsWith('PUT /pix/') ? { status: 404 } : null));
    await expect(connect().refund(refund, first)).rejects.toThrow(NotShownYet);
  });

  it('names the Pix of a charge that it says is paid in the list of all', async () => {
    const payment = aPayment();
    await connect().authorize(payment, first);
    const others = [1, 2, 3, 4].map(() => aPayment());
    for (const other of others) {
      await connect().authorize(other, first);
      institution.pay(txidOf(other.reference));
    }
    const endToEndId = institution.pay(txidOf(payment.reference));
    const cob = institution.cobs.get(txidOf(payment.reference));
    cob?.pix.splice(0);
    expect(await connect().describePayment(payment)).toMatchObject({ status: 'paid', pspRefId: endToEndId });
  });
});

describe('a cancellation', () => {
  it('is one where the institution does not show removed charges any more', async () => {
    institution.hideRemoved(true);
    const payment = aPayment();
    await connect().authorize(payment);
    expect(await connect().cancel(payment)).toMatchObject({ status: 'failed', failureReason: 'cancelled' });
  });

  it('of a charge that is over by the institution’s own word finds it expired', async () => {
    const payment = aPayment();
    await connect().authorize(payment);
    clock.now = new Date(Date.parse(EXPIRES_AT) + 30_000);
    await expect(connect().cancel(payment)).rejects.toThrow('does not remove a cob');
    clock.now = new Date(Date.parse(EXPIRES_AT) + 61_000);
    expect(await connect().cancel(payment)).toMatchObject({ status: 'failed', failureReason: 'expired' });
  });
});

describe('a Pix with a due date at an institution', () => {
  it('that is over by the institution’s own word is expired, some days after the last payable one', async () => {
    const payment = aDuePayment();
    await connect().authorize(payment);
    const end = Date.parse(expiryOfDue(DUE));
    clock.now = new Date(end - 60_000);
    await expect(connect().cancel(payment)).rejects.toThrow('does not remove a cob');
    clock.now = new Date(end + 61_000);
    expect(await connect().cancel(payment)).toMatchObject({ status: 'failed', failureReason: 'expired' });
  });

  const bodyOf = ({ reference }: PaymentOrder) => institution.cobvs.get(txidOf(reference))?.body;

  it.each([
    ['amount', 'day', 'calendar', 1],
    ['percentage', 'day', 'calendar', 2],
    ['percentage', 'month', 'calendar', 3],
    ['percentage', 'year', 'calendar', 4],
    ['amount', 'day', 'business', 5],
    ['percentage', 'day', 'business', 6],
    ['percentage', 'month', 'business', 7],
    ['percentage', 'year', 'business', 8],
  ] as const)('has interest by %s of a %s in %s days as modality %d', async (type, per, days, modalidade) => {
    const payment = aDuePayment({ interest: { type, value: 1_05, per, days } });
    expect(await connect().authorize(payment)).toMatchObject({ status: 'pending' });
    expect(bodyOf(payment)?.valor.juros).toEqual({ modalidade, valorPerc: '1.05' });
  });

  it.each([
    ['amount', 'calendar', 3],
    ['amount', 'business', 4],
    ['percentage', 'calendar', 5],
    ['percentage', 'business', 6],
  ] as const)(
    'has a discount by %s for each of the %s days as modality %d',
    async (type, days, modalidade) => {
      const payment = aDuePayment({ discounts: { type, value: 5, days } });
      expect(await connect().authorize(payment)).toMatchObject({ status: 'pending' });
      expect(bodyOf(payment)?.valor.desconto).toEqual({ modalidade, valorPerc: '0.05' });
    },
  );

  it('asks for the scopes of due dates by a token of their own, so that one without them works as before', async () => {
    const few = await startPixInstitution(() => clock.now, {
      scopes: ['cob.write', 'cob.read', 'pix.write', 'pix.read', 'webhook.write', 'webhook.read'],
    });
    try {
      const identity = few.issueClient();
      const send = createHttpClient({ timeoutMs: 20_000, identity, authorities: few.authority });
      const access = {
        ...AS_DOCUMENTED,
        url: few.url,
        tokenUrl: few.tokenUrl,
        dueScopes: DUE_SCOPES,
        mandateScopes: MANDATE_SCOPES,
      };
      const { id: clientId, secret: clientSecret } = few.client;
      const now = () => clock.now;
      const call = createPixClient({
        send,
        clock: now,
        rest: createRest(now),
        access,
        clientId,
        clientSecret,
      });
      expect(await call('GET', ['cob', txidOf(newId('chg'))])).toEqual({ status: 'not_found' });
      await expect(call('GET', ['cobv', txidOf(newId('chg'))])).rejects.toThrow('gives no token: 400');
    } finally {
      await few.stop();
    }
  });

  it('is kept from arriving by a cancellation before it', async () => {
    const payment = aDuePayment();
    expect(await connect().cancel(payment)).toMatchObject({ status: 'failed', failureReason: 'cancelled' });
    const late = await connect().authorize(payment, { isFirst: true });
    expect(late.status).toBe('failed');
    expect(bodyOf(payment)).toBeUndefined();
  });

  it('is told with the amount of the day on which it was paid', async () => {
    const payment = aDuePayment();
    await connect().authorize(payment);
    const endToEndId = institution.pay(txidOf(payment.reference), { at: new Date('2026-07-02T12:00:00Z') });
    const echo = { amount: 81_65, currency: 'BRL' };
    expect(await connect().describePayment(payment)).toMatchObject({ status: 'paid', echo });
    const [told] = (await connect().notificationsIn(callback(endToEndId))) ?? [];
    expect(told).toMatchObject({ kind: 'payment', amount: 81_65, state: { pspRefId: endToEndId, echo } });
  });
});
