import { anAuthorizeRequest } from '../../../../test/builders.ts';
import { createFakeCollections } from '../../../../test/fakes/collections.ts';
import { describeMandates } from '../../../../test/support/mandate-conformance.ts';
import { type PixInstitution, startPixInstitution } from '../../../../test/support/pix-api/institution.ts';
import { DAY_MS } from '../../../kernel/durations.ts';
import { newId } from '../../../kernel/ids.ts';
import { createHttpClient } from '../../../platform/outbound/http-client.ts';
import {
  type Delivery,
  type EnrollRequest,
  type MandateKeeper,
  NotShownYet,
  type PaymentOrder,
  type PaymentProvider,
  type PlannedOrder,
} from '../provider.ts';
import { createRest } from '../rest.ts';
import { AS_DOCUMENTED, DUE_SCOPES, MANDATE_SCOPES } from './institutions.ts';
import { createPixNames } from './names.store.ts';
import { createPixApi } from './pix-api.ts';
import { type CallPix, createPixClient } from './pix-client.ts';
import { txidOf } from './references.ts';

const SECRET = 'a secret that only the institution knows';
/** A Wednesday whose fifth and seventh day after it are business days. */
const NOW = new Date('2026-06-17T12:00:00.000Z');
const DUE = '2026-06-22';
const clock = { now: NOW };
const ACCOUNT = { agencia: '1234', conta: '567890', tipoConta: 'CORRENTE' };
/** They outlive the instances, as those of a gateway outlive its processes. */
const collections = createFakeCollections();
const names = createPixNames(collections, 'pix-api');

let institution: PixInstitution;
let send: ReturnType<typeof createHttpClient>;
beforeAll(async () => {
  institution = await startPixInstitution(() => clock.now);
  const identity = institution.issueClient();
  send = createHttpClient({ timeoutMs: 20_000, identity, authorities: institution.authority });
});
afterAll(async () => {
  expect(institution.ownFaults).toEqual([]);
  await institution.stop();
});
beforeEach(() => {
  clock.now = NOW;
  institution.troubleWith(() => null);
});

const client = (): CallPix => {
  const { url, tokenUrl, client: own } = institution;
  const scopes = { dueScopes: DUE_SCOPES, mandateScopes: MANDATE_SCOPES };
  return createPixClient({
    send: (request) => send(request),
    clock: () => clock.now,
    rest: createRest(() => clock.now),
    access: { ...AS_DOCUMENTED, url, tokenUrl, ...scopes },
    clientId: own.id,
    clientSecret: own.secret,
  });
};

const connect = (call = client(), known = names): PaymentProvider => {
  const { key } = institution;
  return createPixApi({
    ...{ call, clock: () => clock.now, key, names: known, account: ACCOUNT },
    ...{ callbackSecrets: [SECRET], pausesMs: [1, 1], noteUnreadable: jest.fn() },
  });
};
const keeperOf = ({ mandates }: PaymentProvider): MandateKeeper => {
  if (!mandates) throw new Error('the connector keeps no mandates');
  return mandates;
};

const idRecOf = async (reference: string): Promise<string> => {
  const idRec = (await names.findMandate(reference))?.idRec;
  if (!idRec) throw new Error(`the institution has no mandate for ${reference}`);
  return idRec;
};
const delivery = (body: Buffer): Delivery => ({ headers: {}, secret: SECRET, body });
const at = <T>(moment: string, work: () => T): T => {
  clock.now = new Date(moment);
  return work();
};

/** The institution's clock stands where a charge says that it is asked for. */
const inItsTime = (provider: PaymentProvider): PaymentProvider => ({
  ...provider,
  async authorize(request, asking) {
    const { instrument } = request;
    const askedAt = instrument.type === 'pix' ? instrument.planned?.askedAt : undefined;
    clock.now = new Date(askedAt ?? NOW);
    const state = await provider.authorize(request, asking);
    clock.now = NOW;
    return state;
  },
});

/** Plays an institution that says other things in its answers, by their resource. */
const altered =
  (changes: Readonly<Partial<Record<string, object>>>): CallPix =>
  async (...asked) => {
    const [, [resource = '']] = asked;
    const answer = await client()(...asked);
    if (answer.status !== 'done') return answer;
    return { ...answer, body: Object.assign({}, answer.body, changes[resource]) };
  };

/** Plays an institution that moves the open attempt of a charge to another day, on which the bank pays it. */
const payMoved = (txid: string, day: string): string | null => {
  const tentativas = institution.cobrs.get(txid)?.tentativas ?? [];
  const moved = tentativas.map((one) => (one.status === 'AGENDADA' ? { ...one, dataLiquidacao: day } : one));
  tentativas.splice(0, tentativas.length, ...moved);
  return at(`${day}T15:00:00Z`, () => institution.settle(txid));
};

/** Set up before the institution stands, so that it connects with the first call. */
const late = (): PaymentProvider => {
  const connected = () => inItsTime(connect());
  return {
    ...{ name: 'pix-api', methods: ['pix'], cards: { maxInstallments: 1, wallets: false } },
    mandates: {
      enroll: (request) => keeperOf(connected()).enroll(request),
      describeMandate: (order) => keeperOf(connected()).describeMandate(order),
      revokeMandate: (order) => keeperOf(connected()).revokeMandate(order),
    },
    authorize: (request, asking) => connected().authorize(request, asking),
    refund: (request, asking) => connected().refund(request, asking),
    describePayment: (order) => connected().describePayment(order),
    describeRefund: (request) => connected().describeRefund(request),
    cancel: (order) => connected().cancel(order),
    verify: (given) => connected().verify(given),
    notificationsIn: (given) => connected().notificationsIn(given),
  };
};

describeMandates('the API Pix of an institution', {
  provider: late(),
  restart: late,
  now: NOW,
  approve: async (reference) => institution.decide(await idRecOf(reference), 'approve'),
  cancel: async (reference) => institution.decide(await idRecOf(reference), 'cancel'),
  ofAnother: async (reference) => institution.mandateOfAnother(await idRecOf(reference)),
  async fail(reference) {
    at(`${DUE}T15:00:00Z`, () => institution.settle(txidOf(reference), false));
    clock.now = NOW;
  },
  at: (now) => ({
    async cancel(order) {
      clock.now = now;
      const state = await connect().cancel(order);
      clock.now = NOW;
      return state;
    },
  }),
  planned: {
    news: async (reference) => delivery(institution.callbackAboutCobrs(txidOf(reference))),
    async pay(reference, on) {
      at(`${on}T15:00:00Z`, () => institution.settle(txidOf(reference)));
      clock.now = NOW;
    },
  },
  news: async (reference) => delivery(institution.callbackAboutRecs(await idRecOf(reference))),
});

const aRequest = (changes: Partial<EnrollRequest['terms']> = {}): EnrollRequest => ({
  ...{ reference: newId('pm'), providerMethod: null, firstCharge: null, merchantName: 'Loja da Ana' },
  payer: { name: 'Ana Souza', email: 'ana@example.test', document: { type: 'cpf', id: '529.982.247-25' } },
  terms: {
    ...{ journey: 'qr', interval: 'month', intervalCount: 3, amount: 49_90, minimumAmount: null },
    ...{ startDate: DUE, endDate: null, retries: 'three_in_seven_days' },
    ...{ contract: 'contract-1001', description: 'Gym membership', ...changes },
  },
});
const anApproved = async (changes: Partial<EnrollRequest['terms']> = {}) => {
  const request = aRequest(changes);
  await keeperOf(connect()).enroll(request);
  const mandate = await idRecOf(request.reference);
  institution.decide(mandate, 'approve');
  return { request, mandate };
};
const plan = (mandate: string, changes: Partial<PlannedOrder> = {}): PlannedOrder => ({
  ...{ mandate, dueDate: DUE, on: DUE, retryOf: null, askedAt: NOW.toISOString(), ...changes },
});
const charge = (planned: PlannedOrder, reference = newId('chg')) => ({
  ...anAuthorizeRequest(
    { type: 'pix', expiresAt: '2026-06-24T03:00:00.000Z', planned },
    { amount: 49_90, reference },
  ),
  planned: { on: planned.on, retryOf: planned.retryOf },
});
const FIRST = { isFirst: true };
/** A charge that was not paid on its day, and its retry on the day before that one's day. */
const aRetry = async (on = '2026-06-24') => {
  const { mandate } = await anApproved();
  const first = charge(plan(mandate));
  await connect().authorize(first, FIRST);
  at(`${DUE}T15:00:00Z`, () => institution.settle(txidOf(first.reference), false));
  clock.now = new Date(Date.parse(`${on}T12:00:00Z`) - DAY_MS);
  return { first, retry: charge(plan(mandate, { on, retryOf: first.reference })) };
};
const newsOf = async (reference: string) =>
  connect().notificationsIn(delivery(institution.callbackAboutCobrs(txidOf(reference))));

describe('a mandate at an institution', () => {
  it('says the terms, the payer and the contract, each within its rules', async () => {
    const { reference } = aRequest();
    const variable = { amount: null, minimumAmount: 10_00, interval: 'week', intervalCount: 1 } as const;
    const request = { ...aRequest({ ...variable, endDate: '2027-06-21', retries: 'none' }), reference };
    const state = await keeperOf(connect()).enroll(request);
    const idRec = await idRecOf(reference);
    expect(state).toEqual({
      ...{ status: 'pending', failureReason: null, providerMethod: idRec },
      copyPaste: expect.stringContaining('/qr/v2/rec/'),
    });
    expect(institution.recs.get(idRec)?.body).toEqual({
      vinculo: {
        ...{ contrato: 'contract-1001', objeto: 'Gym membership' },
        devedor: { cpf: '52998224725', nome: 'Ana Souza' },
      },
      calendario: { dataInicial: DUE, dataFinal: '2027-06-21', periodicidade: 'SEMANAL' },
      valor: { valorMinimoRecebedor: '10.00' },
      ...{ politicaRetentativa: 'NAO_PERMITE', loc: expect.any(Number) },
    });
  });

  it.each(['POST /locrec', 'POST /rec', 'GET /rec/'])(
    'whose answer to %s gets lost exists once, and is found',
    async (lost) => {
      const before = institution.recs.size;
      const request = aRequest();
      institution.troubleWith((call) => (call.startsWith(lost) ? 'lose' : null));
      await expect(keeperOf(connect()).enroll(request)).rejects.toThrow();
      institution.troubleWith(() => null);
      const found = await keeperOf(connect()).describeMandate(request);
      expect(found?.status ?? 'never asked').toBe(lost === 'POST /locrec' ? 'never asked' : 'pending');
      expect(await keeperOf(connect()).enroll(request)).toMatchObject({ status: 'pending' });
      expect(institution.recs.size - before).toBe(1);
    },
  );

  it('whose repeated request is refused has not failed, because it may not be shown yet', async () => {
    const request = aRequest();
    institution.troubleWith((call) => (call === 'POST /rec' ? 'lose' : null));
    await expect(keeperOf(connect()).enroll(request)).rejects.toThrow();
    institution.troubleWith((call) => (call.startsWith('GET /locrec') ? { status: 404 } : null));
    await expect(keeperOf(connect()).enroll(request)).rejects.toMatchObject({ name: 'NotShownYet' });
    institution.troubleWith(() => null);
    expect(await keeperOf(connect()).describeMandate(request)).toMatchObject({ status: 'pending' });
  });

  it('that cannot be read keeps no other news of a delivery from being heard', async () => {
    const [first, second] = [aRequest(), aRequest()];
    for (const request of [first, second]) await keeperOf(connect()).enroll(request);
    const [broken = '', whole = ''] = await Promise.all(
      [first, second].map(({ reference }) => idRecOf(reference)),
    );
    institution.troubleWith((call) => (call === `GET /rec/${broken}` ? { status: 500 } : null));
    const body = Buffer.from(JSON.stringify({ recs: [{ idRec: broken }, { idRec: whole }] }));
    expect(await connect().notificationsIn(delivery(body))).toMatchObject([
      { kind: 'unconfirmed', id: broken },
      { kind: 'mandate', reference: second.reference },
    ]);
  });

  it('of another account is told of as well, where this one has none of that name', async () => {
    const request = aRequest();
    await keeperOf(connect()).enroll(request);
    const idRec = await idRecOf(request.reference);
    const told = delivery(institution.callbackAboutRecs(idRec));
    const other = createPixNames(collections, 'pix-api.eu');
    const heard = { kind: 'mandate', reference: request.reference, state: { status: 'pending' } };
    expect(await connect(client(), other).notificationsIn(told)).toMatchObject([heard]);
    const own = newId('pm');
    await other.settleMandate(own, idRec);
    expect(await connect(client(), other).notificationsIn(told)).toMatchObject([
      { ...heard, reference: own },
    ]);
    expect(await connect().notificationsIn(told)).toMatchObject([heard]);
  });

  it('that was ended while its request was on the way can be approved no more', async () => {
    const request = aRequest();
    institution.troubleWith((call) => (call === 'POST /rec' ? 'lose' : null));
    await expect(keeperOf(connect()).enroll(request)).rejects.toThrow();
    institution.troubleWith(() => null);
    const state = { status: 'failed', failureReason: 'cancelled' };
    expect(await keeperOf(connect()).revokeMandate(request)).toMatchObject(state);
    expect(await keeperOf(connect()).enroll(request)).toMatchObject(state);
    expect(institution.recs.get(await idRecOf(request.reference))?.status).toBe('CANCELADA');
  });

  it('fails where the payer rejects it, and is revoked where the merchant ends it', async () => {
    const rejected = aRequest();
    await keeperOf(connect()).enroll(rejected);
    institution.decide(await idRecOf(rejected.reference), 'reject');
    expect(await keeperOf(connect()).describeMandate(rejected)).toMatchObject({
      ...{ status: 'failed', failureReason: 'rejected', copyPaste: null },
    });
    const { request, mandate } = await anApproved();
    expect(await keeperOf(connect()).revokeMandate(request)).toMatchObject({ status: 'revoked' });
    expect(institution.recs.get(mandate)?.encerramento).toMatchObject({
      cancelamento: { solicitante: 'USUARIO_RECEBEDOR' },
    });
  });

  it('of another system of the same receiver is nothing to this gateway, as is a forged one', async () => {
    const body = Buffer.from(
      JSON.stringify({ recs: [{ idRec: `RR${'9'.repeat(27)}`, status: 'APROVADA' }] }),
    );
    expect(await connect().notificationsIn(delivery(body))).toMatchObject([{ kind: 'other' }]);
    const request = aRequest();
    await keeperOf(connect()).enroll(request);
    const idRec = await idRecOf(request.reference);
    const forged = Buffer.from(JSON.stringify({ recs: [{ idRec, status: 'APROVADA' }] }));
    expect(await connect().notificationsIn(delivery(forged))).toMatchObject([
      { kind: 'mandate', state: { status: 'pending' } },
    ]);
    expect(await connect().notificationsIn(delivery(Buffer.from('{"recs": "all"}')))).toBeNull();
  });
});

describe('a planned charge at an institution', () => {
  it('is handed in with mandate, day and account, and is paid by the Pix of its attempt', async () => {
    const { mandate } = await anApproved();
    const request = charge(plan(mandate));
    const state = await connect().authorize(request, FIRST);
    expect(state).toMatchObject({
      status: 'pending',
      instructions: { type: 'pix_automatic', endToEndId: null },
    });
    expect(institution.cobrs.get(txidOf(request.reference))?.body).toEqual({
      ...{ idRec: mandate, calendario: { dataDeVencimento: DUE }, valor: { original: '49.90' } },
      ...{ ajusteDiaUtil: true, recebedor: ACCOUNT },
    });
    // A bank may pay late at night.
    const paidAt = `${DUE}T23:59:00-03:00`;
    const endToEndId = at(paidAt, () => institution.settle(txidOf(request.reference)));
    const paid = { status: 'paid', pspRefId: endToEndId, paidAt: new Date(paidAt).toISOString() };
    expect(await connect().describePayment(request)).toMatchObject(paid);
    const both = [
      await newsOf(request.reference),
      await connect().notificationsIn(delivery(institution.callbackAbout(endToEndId ?? ''))),
    ];
    for (const news of both)
      expect(news).toMatchObject([
        { kind: 'payment', id: endToEndId, reference: request.reference, amount: 49_90, state: paid },
      ]);
  });

  it('whose answer gets lost is handed in once', async () => {
    const { mandate } = await anApproved();
    const request = charge(plan(mandate));
    institution.troubleWith((call) => (call.startsWith('PUT /cobr') ? 'lose' : null));
    await expect(connect().authorize(request, FIRST)).rejects.toThrow();
    institution.troubleWith(() => null);
    expect(await connect().describePayment(request)).toMatchObject({ status: 'pending' });
    expect(await connect().authorize(request)).toMatchObject({ status: 'pending' });
  });

  it('that is refused is so for certain only where it was never asked for before', async () => {
    const { mandate } = await anApproved();
    const request = charge(plan(mandate, { dueDate: '2026-06-18', on: '2026-06-18' }));
    await expect(connect().authorize(request)).rejects.toThrow(NotShownYet);
    expect(await connect().authorize(request, FIRST)).toMatchObject({
      ...{ status: 'refused', failureReason: 'cob_r_operacao_invalida', instructions: null },
    });
  });

  it('names the mandate of its instrument only, though its payer has another one', async () => {
    const [own, other] = [await anApproved(), await anApproved()];
    const request = charge(plan(own.mandate));
    await connect().authorize(request, FIRST);
    const named = [...institution.cobrs.values()].filter(({ body }) =>
      [own.mandate, other.mandate].includes(body.idRec),
    );
    expect(named).toMatchObject([{ txid: txidOf(request.reference), body: { idRec: own.mandate } }]);
  });

  it('that an institution denies access to is not known to be refused, and ends once it is withdrawn', async () => {
    const { request: known } = await anApproved();
    const request = charge(plan(institution.mandateOfAnother(await idRecOf(known.reference))));
    institution.troubleWith((call) => (call.startsWith('PUT /cobr') ? { status: 403 } : null));
    await expect(connect().authorize(request, FIRST)).rejects.toThrow('403');
    expect(await connect().describePayment(request)).toBeNull();
    expect(await connect().cancel(request)).toMatchObject({ status: 'failed', failureReason: 'cancelled' });
    institution.troubleWith(() => null);
    await expect(connect().authorize(request)).rejects.toThrow(NotShownYet);
    expect(institution.cobrs.has(txidOf(request.reference))).toBe(false);
  });

  it('can be withdrawn until 22:00 of the day before, and also before it arrives', async () => {
    const { mandate } = await anApproved();
    const request = charge(plan(mandate));
    const off = { status: 'failed', failureReason: 'cancelled' };
    expect(await connect().cancel(request)).toMatchObject(off);
    expect(await connect().describePayment(request)).toMatchObject(off);
    await expect(connect().authorize(request)).rejects.toThrow(NotShownYet);
    const second = charge(plan(mandate));
    await connect().authorize(second, FIRST);
    await at('2026-06-22T01:00:00.000Z', async () =>
      expect(await connect().cancel(second)).toMatchObject({ status: 'pending' }),
    );
    await at('2026-06-22T00:59:59.000Z', async () =>
      expect(await connect().cancel(second)).toMatchObject(off),
    );
  });

  it('is not paid because a forged callback says so, and one of another system is nothing here', async () => {
    const { mandate } = await anApproved();
    const request = charge(plan(mandate));
    const txid = txidOf(request.reference);
    await connect().authorize(request, FIRST);
    const forged = {
      idRec: mandate,
      status: 'CONCLUIDA',
      tentativas: [{ status: 'PAGA' }],
      pix: [{ valor: '49.90' }],
    };
    const told = async (cobr: object) =>
      connect().notificationsIn(delivery(Buffer.from(JSON.stringify({ cobsr: [cobr] }))));
    expect(await told({ ...forged, txid })).toEqual([]);
    expect(await connect().describePayment(request)).toMatchObject({ status: 'pending' });
    expect(await told({ ...forged, txid: txidOf(newId('chg')) })).toMatchObject([{ kind: 'unconfirmed' }]);
    expect(await told({ ...forged, txid: 'OfAnotherSystem000000000000001' })).toMatchObject([
      { kind: 'other' },
    ]);
  });

  it('is still to be withdrawn where the institution refuses that for a while before 22:00', async () => {
    const { mandate } = await anApproved();
    const request = charge(plan(mandate));
    await connect().authorize(request, FIRST);
    institution.troubleWith((call) => (call.startsWith('PATCH /cobr') ? { status: 422 } : null));
    clock.now = new Date('2026-06-22T00:59:59Z');
    await expect(connect().cancel(request)).rejects.toThrow('does not remove');
    institution.troubleWith(() => null);
    expect(await connect().cancel(request)).toMatchObject({ status: 'failed', failureReason: 'cancelled' });
  });

  it('that the bank rejects waits until its day ends, because the bank may pay in the evening', async () => {
    const { mandate } = await anApproved({ retries: 'none' });
    const request = charge(plan(mandate));
    const txid = txidOf(request.reference);
    await connect().authorize(request, FIRST);
    at(`${DUE}T12:00:00Z`, () => institution.reject(txid));
    expect(await newsOf(request.reference)).toEqual([]);
    clock.now = new Date('2026-06-23T02:59:59Z');
    expect(await connect().describePayment(request)).toMatchObject({ status: 'pending' });
    clock.now = new Date('2026-06-23T03:00:00Z');
    const failed = { status: 'failed', failureReason: 'rejected_ab10' };
    expect(await connect().describePayment(request)).toMatchObject(failed);
    expect(await newsOf(request.reference)).toMatchObject([{ state: failed }]);
    clock.now = new Date(`${DUE}T21:00:00Z`);
    institution.tryThatDay(txid);
    const paid = { status: 'paid', pspRefId: institution.settle(txid) };
    expect(await newsOf(request.reference)).toMatchObject([{ reference: request.reference, state: paid }]);
    expect(await connect().describePayment(request)).toMatchObject(paid);
  });

  it('has three retries though the bank tries by itself as well, none of them in the next cycle', async () => {
    const monthly = await anApproved();
    const first = charge(plan(monthly.mandate));
    const txid = txidOf(first.reference);
    await connect().authorize(first, FIRST);
    at(`${DUE}T12:00:00Z`, () => institution.reject(txid));
    institution.tryThatDay(txid);
    institution.settle(txid, false);
    for (const on of ['2026-06-23', '2026-06-24', '2026-06-25', '2026-06-26']) {
      clock.now = new Date(Date.parse(`${on}T15:00:00Z`) - DAY_MS);
      const retry = charge(plan(monthly.mandate, { on, retryOf: first.reference }));
      const state = await connect().authorize(retry, FIRST);
      expect([on, state.status]).toEqual([on, on === '2026-06-26' ? 'refused' : 'pending']);
      if (state.status === 'pending') at(`${on}T15:00:00Z`, () => institution.settle(txid, false));
    }
    clock.now = NOW;
    const weekly = await anApproved({ interval: 'week', intervalCount: 1 });
    const other = charge(plan(weekly.mandate));
    await connect().authorize(other, FIRST);
    at(`${DUE}T15:00:00Z`, () => institution.settle(txidOf(other.reference), false));
    clock.now = new Date('2026-06-25T12:00:00Z');
    const late = charge(plan(weekly.mandate, { on: '2026-06-29', retryOf: other.reference }));
    expect(await connect().authorize(late, FIRST)).toMatchObject({ status: 'refused' });
  });

  it('is withdrawn by the merchant though the institution does not say who has ended it', async () => {
    const { mandate } = await anApproved();
    const request = charge(plan(mandate));
    await connect().authorize(request, FIRST);
    const silent = connect(altered({ cobr: { encerramento: undefined } }));
    expect(await silent.cancel(request)).toMatchObject({ status: 'failed', failureReason: 'cancelled' });
  });

  it.each([
    ['USUARIO_RECEBEDOR', 'cancelled'],
    ['PSP_RECEBEDOR', 'cancelled_by_payer'],
    ['PSP_PAGADOR', 'cancelled_by_payer'],
  ])('that %s ends has failed as %s', async (solicitante, failureReason) => {
    const { mandate } = await anApproved();
    const request = charge(plan(mandate));
    await connect().authorize(request, FIRST);
    institution.decide(mandate, 'cancel');
    const ended = connect(altered({ cobr: { encerramento: { cancelamento: { solicitante } } } }));
    expect(await ended.describePayment(request)).toMatchObject({ status: 'failed', failureReason });
  });

  it('is paid by no other Pix than that of its attempt, where the institution does not say it of the charge', async () => {
    const { mandate } = await anApproved();
    const request = charge(plan(mandate));
    const txid = txidOf(request.reference);
    await connect().authorize(request, FIRST);
    const endToEndId = at(`${DUE}T15:00:00Z`, () => institution.settle(txid)) ?? '';
    const told = (pix: object) => connect(altered({ cobr: { pix: undefined }, pix }));
    for (const other of [{ endToEndId: endToEndId.replace('E', 'D') }, { txid: txidOf(newId('chg')) }])
      await expect(told(other).describePayment(request)).rejects.toThrow('another Pix');
    const paid = { status: 'paid', pspRefId: endToEndId };
    for (const same of [{}, { txid: txid.toUpperCase() }])
      expect(await told(same).describePayment(request)).toMatchObject(paid);
  });

  it('is tried again on its day, and each attempt is a charge of its own', async () => {
    const { mandate } = await anApproved();
    const first = charge(plan(mandate));
    await connect().authorize(first, FIRST);
    at(`${DUE}T15:00:00Z`, () => institution.settle(txidOf(first.reference), false));
    const failed = { status: 'failed', failureReason: 'not_paid' };
    expect(await connect().describePayment(first)).toMatchObject(failed);
    expect(await newsOf(first.reference)).toMatchObject([{ reference: first.reference, state: failed }]);
    const on = '2026-06-24';
    const retry = charge(plan(mandate, { on, retryOf: first.reference }));
    expect(await connect().describePayment(retry)).toBeNull();
    at('2026-06-23T12:00:00Z', () => institution.troubleWith((call) => (call.endsWith(on) ? 'lose' : null)));
    await expect(connect().authorize(retry, FIRST)).rejects.toThrow();
    institution.troubleWith(() => null);
    expect(await connect().describePayment(retry)).toMatchObject({ status: 'pending' });
    expect(await connect().authorize(retry)).toMatchObject({ status: 'pending' });
    // The API has no way to withdraw a retry that is taken.
    expect(await connect().cancel(retry)).toMatchObject({ status: 'pending' });
    const endToEndId = at(`${on}T15:00:00Z`, () => institution.settle(txidOf(first.reference))) ?? '';
    const paid = { status: 'paid', pspRefId: endToEndId };
    expect(await connect().describePayment(retry)).toMatchObject(paid);
    expect(await connect().describePayment(first)).toMatchObject(failed);
    const since = await connect().newsSince?.(new Date(`${on}T00:00:00Z`));
    const told = await connect().notificationsIn(delivery(institution.callbackAbout(endToEndId)));
    const references = [first.reference, retry.reference];
    const ours = since?.filter((news) => news.kind === 'payment' && references.includes(news.reference));
    for (const news of [told, ours, await newsOf(first.reference)])
      expect(news).toMatchObject([
        { reference: first.reference, state: failed },
        { reference: retry.reference, id: endToEndId, state: paid },
      ]);
  });

  it.each([{ status: 429 }, { status: 503 }, 'drop'] as const)(
    'is tried again though the request of that meets %j, and never twice',
    async (trouble) => {
      const { first, retry } = await aRetry();
      institution.troubleWith((call) => (call.startsWith('POST /cobr') ? trouble : null));
      await expect(connect().authorize(retry, FIRST)).rejects.toThrow();
      const tentativas = () => institution.cobrs.get(txidOf(first.reference))?.tentativas;
      expect(tentativas()).toHaveLength(1);
      institution.troubleWith(() => null);
      const asked = Array.from({ length: 4 }, () => connect().describePayment(retry));
      for (const state of await Promise.all(asked)) expect(state).toMatchObject({ status: 'pending' });
      expect(tentativas()).toMatchObject([{ status: 'EXPIRADA' }, { status: 'AGENDADA', tipo: 'NTAG' }]);
    },
  );

  it('is not tried again where it was to be withdrawn after its request got lost', async () => {
    const { first, retry } = await aRetry();
    institution.troubleWith((call) => (call.startsWith('POST /cobr') ? 'drop' : null));
    await expect(connect().authorize(retry, FIRST)).rejects.toThrow();
    institution.troubleWith(() => null);
    await expect(connect().cancel(retry)).rejects.toMatchObject({ name: 'NotShownYet' });
    expect(await connect().describePayment(retry)).toBeNull();
    expect(institution.cobrs.get(txidOf(first.reference))?.tentativas).toHaveLength(1);
    clock.now = new Date('2026-06-24T01:00:00Z');
    expect(await connect().cancel(retry)).toMatchObject({ status: 'failed', failureReason: 'cancelled' });
  });

  it('is not tried again from 22:00 of the day before, where the request of that never arrived', async () => {
    const { first, retry } = await aRetry();
    institution.troubleWith((call) => (call.startsWith('POST /cobr') ? 'drop' : null));
    await expect(connect().authorize(retry, FIRST)).rejects.toThrow();
    const calls: string[] = [];
    institution.troubleWith((call) => {
      calls.push(call);
      return null;
    });
    clock.now = new Date('2026-06-24T01:00:00Z');
    expect(await connect().describePayment(retry)).toBeNull();
    expect(await connect().cancel(retry)).toMatchObject({ status: 'failed', failureReason: 'cancelled' });
    expect(calls.filter((call) => call.startsWith('POST /cobr'))).toEqual([]);
    expect(institution.cobrs.get(txidOf(first.reference))?.tentativas).toHaveLength(1);
  });

  it('has the outcome of a retry that the institution tells with a txid in capitals', async () => {
    const { first, retry } = await aRetry();
    await connect().authorize(retry, FIRST);
    const txid = txidOf(first.reference);
    const endToEndId = at('2026-06-24T15:00:00Z', () => institution.settle(txid));
    const body = institution.callbackAboutCobrs(txid).toString().replaceAll(txid, txid.toUpperCase());
    expect(await connect().notificationsIn(delivery(Buffer.from(body)))).toMatchObject([
      { reference: first.reference, state: { status: 'failed' } },
      { reference: retry.reference, id: endToEndId, state: { status: 'paid' } },
    ]);
  });

  it('has the money of a retry that the institution moved to another day', async () => {
    const { first, retry } = await aRetry();
    await connect().authorize(retry, FIRST);
    const txid = txidOf(first.reference);
    const endToEndId = payMoved(txid, '2026-06-25') ?? '';
    const paid = { reference: first.reference, id: endToEndId, state: { status: 'paid' } };
    const told = [
      await newsOf(first.reference),
      await connect().notificationsIn(delivery(institution.callbackAbout(endToEndId))),
      await connect().newsSince?.(new Date('2026-06-25T00:00:00Z')),
    ];
    for (const news of told) expect(news).toMatchObject([paid]);
    expect(await connect().describePayment(first)).toMatchObject({ status: 'paid', pspRefId: endToEndId });
    expect(await connect().describePayment(retry)).toBeNull();
  });

  it('has the money of a retry that was asked for at the institution itself', async () => {
    const { first } = await aRetry();
    const call = ['cobr', txidOf(first.reference), 'retentativa', '2026-06-24'] as const;
    expect(await client()('POST', call)).toMatchObject({ status: 'done' });
    expect(await connect().describePayment(first)).toMatchObject({ status: 'pending' });
    const endToEndId = at('2026-06-24T15:00:00Z', () => institution.settle(txidOf(first.reference)));
    expect(await newsOf(first.reference)).toMatchObject([
      { reference: first.reference, id: endToEndId, state: { status: 'paid' } },
    ]);
  });

  it('is not tried again where that is withdrawn before it is asked for', async () => {
    const { mandate } = await anApproved();
    const first = charge(plan(mandate));
    await connect().authorize(first, FIRST);
    at(`${DUE}T15:00:00Z`, () => institution.settle(txidOf(first.reference), false));
    const retry: PaymentOrder & ReturnType<typeof charge> = charge(
      plan(mandate, { on: '2026-06-24', retryOf: first.reference }),
    );
    const off = { status: 'failed', failureReason: 'cancelled' };
    clock.now = new Date('2026-06-23T12:00:00Z');
    expect(await connect().cancel(retry)).toMatchObject(off);
    expect(await connect().authorize(retry, FIRST)).toMatchObject(off);
    expect(await connect().describePayment(retry)).toMatchObject(off);
    expect(institution.cobrs.get(txidOf(first.reference))?.tentativas).toHaveLength(1);
  });

  it('fails where the payer cancels the mandate in the middle of a retry', async () => {
    const { mandate } = await anApproved();
    const first = charge(plan(mandate));
    await connect().authorize(first, FIRST);
    at(`${DUE}T15:00:00Z`, () => institution.settle(txidOf(first.reference), false));
    const retry = charge(plan(mandate, { on: '2026-06-24', retryOf: first.reference }));
    clock.now = new Date('2026-06-23T12:00:00Z');
    await connect().authorize(retry, FIRST);
    institution.decide(mandate, 'cancel');
    expect(await connect().describePayment(retry)).toMatchObject({
      ...{ status: 'failed', failureReason: 'cancelled_by_payer' },
    });
  });
});
