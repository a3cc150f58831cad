import { freePorts } from '../../scripts/engines/probe.ts';
import { dateOfDay } from '../../src/kernel/business-days.ts';
import { DAY_MS } from '../../src/kernel/durations.ts';
import { pixDayOf } from '../../src/modules/providers/pix/due-terms.ts';
import { openWriteStore } from '../../src/platform/write-store/mongo.ts';
import { aCard, aPixRequest } from '../builders.ts';
import { pollUntil } from '../support/client.ts';
import { removeData, testVariables } from '../support/gateway.ts';
import { buildProgram, endPrograms, type Program, startProgram, untilPrinted } from '../support/program.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';

type Body = Record<string, unknown> & {
  readonly id: string;
  readonly status: string;
  readonly data: readonly Body[];
};

const GOOD = '4242424242424242';
const REFUSED = '4000000000009995';
const CHALLENGED = '4000000000003220';

/** A person with `make run PROVIDERS=doubles`, the live key that it prints, and nothing else but curl. */
describe('make run PROVIDERS=doubles', () => {
  let program: Program;
  let receiver: Receiver;
  let url = '';
  let controls = '';
  let key = '';
  let variables: Readonly<Record<string, string>>;
  let stores: ReturnType<typeof openWriteStore>;

  beforeAll(async () => {
    await buildProgram();
    receiver = await startReceiver();
    const [PORT = 0] = await freePorts(1);
    variables = {
      ...testVariables(),
      NODE_ENV: 'development',
      PORT: String(PORT),
      PROVIDER_TIMEOUT_MS: '30000',
    };
    program = startProgram('dist/test/support/doubles/run.js', variables);
    [, url = ''] = await untilPrinted(program, /Portico is ready: (http\S+)[\s\S]*Ctrl-C/, 240_000);
    [, controls = ''] = await untilPrinted(program, /curl -X POST (http\S+)\/\{charge\}/);
    [, key = ''] = await untilPrinted(program, /live key +(sk_live_\S+)/);
    stores = openWriteStore(variables.MONGODB_URI ?? '', variables.MONGODB_DATABASE ?? '');
    const endpoint = { url: `${receiver.url}/hook`, events: ['*'], enabled: true };
    expect((await call('POST', '/v1/webhook-endpoints', endpoint)).status).toBe(201);
  }, 400_000);
  afterAll(async () => {
    await endPrograms();
    await receiver.close();
    await stores.client.close();
    await removeData(variables);
  }, 120_000);

  const call = async (
    method: string,
    path: string,
    body?: object,
  ): Promise<{ status: number; body: Body }> => {
    const answer = await fetch(url + path, {
      method,
      headers: {
        authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
        ...(body ? { 'content-type': 'application/json' } : { 'x-consistency-token': 'latest' }),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: answer.status, body: (await answer.json()) as Body };
  };
  /** Reads of what is behind on a busy machine are asked for again. */
  const read = async (path: string): Promise<Body> => {
    const { status, body } = await pollUntil(
      () => call('GET', path),
      (answer) => answer.status !== 503,
    );
    expect([path, status]).toEqual([path, 200]);
    return body;
  };
  const charge = async (paymentMethod: object, status: string): Promise<string> => {
    const { body } = await call('POST', '/v1/charges', { ...aPixRequest(), amount: 100, paymentMethod });
    expect(body).toMatchObject({ status, livemode: true });
    return body.id;
  };
  const byPix = (): Promise<string> => charge({ type: 'pix', installments: 1 }, 'pending');
  const byCard = (number: string, status: string): Promise<string> =>
    charge({ type: 'credit_card', installments: 1, ...aCard({ number }) }, status);
  const play = async (id: string, action: string): Promise<string> =>
    (await fetch(`${controls}/${id}/${action}`, { method: 'POST' })).text();
  const booksOf = async (id: string): Promise<unknown> => (await fetch(`${controls}/${id}`)).json();
  const refund = async (chargeId: string): Promise<void> => {
    const { status, body } = await call('POST', '/v1/refunds', { chargeId, reason: 'sent back' });
    expect([status, body.status]).toEqual([201, 'refunded']);
  };
  /** Sums of each kind of movement in cents: a debit may be taken from two balances. */
  const movementsOf = async (id: string): Promise<Readonly<Record<string, number>>> => {
    const sums: Record<string, number> = {};
    for (const line of (await read(`/v1/statement?chargeId=${id}`)).data) {
      const kind = String(line.movement_type);
      sums[kind] = (sums[kind] ?? 0) + Math.round(Number(line.amount) * 100);
    }
    return sums;
  };
  const eventsOf = (id: string): readonly string[] =>
    receiver.received
      .map(({ body }) => JSON.parse(body))
      .flatMap(({ event, data }) => (data.id === id ? [event] : []));

  /** The charge in its own answer, in the list, in the statement and in what the merchant was told. */
  const expectShown = async (
    id: string,
    status: string,
    movements: readonly string[],
    events: readonly string[],
  ): Promise<void> => {
    const shown = await read(`/v1/charges/${id}`);
    expect(shown.status).toBe(status);
    const { data } = await read(`/v1/charges?status=${status}&size=100`);
    expect(data.map((one) => one.id)).toContain(id);
    const sums = await movementsOf(id);
    expect(Object.keys(sums).sort()).toEqual([...movements].sort());
    for (const [kind, amount] of Object.entries({ charge: 100_00, refund: -100_00, chargeback: -100_00 }))
      expect([kind, sums[kind] ?? amount]).toEqual([kind, amount]);
    const told = await pollUntil(
      async () => eventsOf(id),
      (all) => all.length >= events.length,
    );
    expect([...told].sort()).toEqual([...events].sort());
  };
  const PAID = ['charge', 'charge_spread'];

  it('has a Pix paid, and refunded', async () => {
    const id = await byPix();
    expect(await booksOf(id)).toMatchObject({ status: 'ATIVA', valor: { original: '100.00' } });
    expect(await play(id, 'pay-pix')).toBe('the gateway answered 200\n');
    const waited = ['charge.created', 'charge.pending', 'charge.paid'];
    await expectShown(id, 'paid', PAID, waited);
    await refund(id);
    await expectShown(id, 'refunded', [...PAID, 'refund'], [...waited, 'charge.refunded']);
    expect(await booksOf(id)).toMatchObject({
      status: 'CONCLUIDA',
      pix: [{ valor: '100.00', devolucoes: [{ valor: '100.00', status: 'DEVOLVIDO' }] }],
    });
  });

  it('has a Pix that expires, and gives back at once what is paid too late', async () => {
    const id = await byPix();
    const past = new Date(Date.now() - 1_000).toISOString();
    await stores.db.collection('charges').updateOne({ id }, { $set: { expiresAt: past, reconcileAt: past } });
    await pollUntil(
      () => read(`/v1/charges/${id}`),
      ({ status }) => status !== 'pending',
    );
    const told = ['charge.created', 'charge.pending', 'charge.failed'];
    await expectShown(id, 'failed', [], told);
    expect(await booksOf(id)).toMatchObject({ status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' });
    expect(await play(id, 'pay-pix')).toContain('REMOVIDA');
    await play(id, 'pay-pix-late');
    await expectShown(id, 'failed', [], told);
    expect(await booksOf(id)).toMatchObject({
      pix: [{ valor: '100.00', devolucoes: [{ valor: '100.00', status: 'DEVOLVIDO' }] }],
    });
  });

  it('has a Pix that the payer’s bank takes back', async () => {
    const id = await byPix();
    await play(id, 'pay-pix');
    await play(id, 'take-pix-back');
    const told = ['charge.created', 'charge.pending', 'charge.paid', 'charge.chargeback'];
    await expectShown(id, 'chargeback', [...PAID, 'chargeback'], told);
  });

  it('has a card paid, and refunded', async () => {
    const id = await byCard(GOOD, 'paid');
    await expectShown(id, 'paid', PAID, ['charge.created', 'charge.paid']);
    await refund(id);
    const told = ['charge.created', 'charge.paid', 'charge.refunded'];
    await expectShown(id, 'refunded', [...PAID, 'refund'], told);
    expect(await booksOf(id)).toMatchObject({
      intent: { status: 'succeeded', amount_received: 100_00 },
      refunds: [{ amount: 100_00, status: 'succeeded' }],
    });
  });

  it('has a card refused', async () => {
    const id = await byCard(REFUSED, 'refused');
    await expectShown(id, 'refused', [], ['charge.created', 'charge.refused']);
    expect(await booksOf(id)).toMatchObject({
      intent: { status: 'requires_payment_method', amount_received: 0 },
    });
  });

  it('challenges a card, which is paid after proof and refused without', async () => {
    const asked = ['charge.created', 'charge.authentication_required'];
    const proven = await byCard(CHALLENGED, 'authentication_required');
    await expectShown(proven, 'authentication_required', [], asked);
    await play(proven, 'prove-holder');
    await expectShown(proven, 'paid', PAID, [...asked, 'charge.paid']);
    const failed = await byCard(CHALLENGED, 'authentication_required');
    await play(failed, 'fail-to-prove');
    await expectShown(failed, 'refused', [], [...asked, 'charge.refused']);
  });

  it('has a card disputed, and one that its bank warns of', async () => {
    const id = await byCard(GOOD, 'paid');
    await play(id, 'warn-of-fraud');
    await expectShown(id, 'paid', PAID, ['charge.created', 'charge.paid']);
    await play(id, 'dispute');
    const told = ['charge.created', 'charge.paid', 'charge.chargeback'];
    await expectShown(id, 'chargeback', [...PAID, 'chargeback'], told);
    expect(await booksOf(id)).toMatchObject({ disputes: [{ amount: 100_00 }] });
  });

  it('has a mandate approved, the charge of a cycle handed in and paid, and the mandate cancelled', async () => {
    const facts = { name: 'Ana', email: 'ana@example.test', document: { type: 'cpf', id: '52998224725' } };
    const { body: customer } = await call('POST', '/v1/customers', facts);
    const contract = 'contract-of-ana';
    const terms = {
      ...{ type: 'pix_automatic', journey: 'qr', interval: 'month', amount: 100, retries: 'none' },
      ...{ startDate: dateOfDay(pixDayOf(new Date()) + 6), contract, description: 'Gym membership' },
    };
    const path = `/v1/customers/${customer.id}/payment-methods`;
    const { body: mandate } = await call('POST', path, terms);
    expect(mandate).toMatchObject({ status: 'pending', provider: 'pix-api', livemode: true });
    expect(await booksOf(contract)).toMatchObject({
      status: 'CRIADA',
      body: { vinculo: { contrato: contract } },
    });
    expect(await play('contract-of-nobody', 'approve-mandate')).toContain('no mandate');
    expect(await play(contract, 'approve-mandate')).toBe('the gateway answered 200\n');
    expect(await read(`${path}/${mandate.id}`)).toMatchObject({ status: 'active' });
    const { body: subscription } = await call('POST', '/v1/subscriptions', {
      ...{ customerId: customer.id, paymentMethodId: mandate.id, collection: 'automatic' },
      price: { amount: 100, currency: 'BRL', interval: 'month' },
    });
    // The next day at least, which is when the charge is handed in.
    const offsetMs = 2 * DAY_MS;
    const charge = await pollUntil(
      async () => {
        await stores.db
          .collection('subscriptions')
          .updateOne({ id: subscription.id }, { $set: { offsetMs, reconcileAt: new Date().toISOString() } });
        const made = stores.db.collection('charges');
        return made.findOne({ 'cycle.subscriptionId': subscription.id, instructions: { $ne: null } });
      },
      (found) => found !== null,
    );
    const id = String(charge?.id);
    expect(await booksOf(id)).toMatchObject({ status: 'ATIVA', body: { valor: { original: '100.00' } } });
    expect(await play(id, 'pay-cycle')).toBe('the gateway answered 200\n');
    await expectShown(id, 'paid', PAID, ['charge.created', 'charge.pending', 'charge.paid']);
    expect(await read(`/v1/subscriptions/${subscription.id}`)).toMatchObject({ status: 'active', cycle: 1 });
    await play(contract, 'cancel-mandate');
    expect(await read(`${path}/${mandate.id}`)).toMatchObject({ status: 'revoked' });
  });

  it('says what it cannot play, and what it does not have', async () => {
    const id = await byPix();
    expect(await play(id, 'no-such-action')).toContain('pay-pix');
    expect(await play(id, 'dispute')).toContain('has no intent');
    const unknown = await fetch(`${controls}/chg_${'0'.repeat(32)}`);
    expect([unknown.status, await unknown.text()]).toEqual([404, expect.stringContaining('no intent')]);
  });
});
