import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { newId } from '../../src/kernel/ids.ts';
import type { PaymentProvider } from '../../src/modules/providers/provider.ts';
import { createRest } from '../../src/modules/providers/rest.ts';
import { createStripe } from '../../src/modules/providers/stripe/stripe.ts';
import { createStripeClient } from '../../src/modules/providers/stripe/stripe-client.ts';
import { createHttpClient, type SendHttp } from '../../src/platform/outbound/http-client.ts';
import { aPayer } from '../builders.ts';
import { byCard, CARDS, eventAbout } from '../support/sandboxes/stripe.ts';
import { OPERATIONS } from '../support/stripe/stripe-rules.ts';

const WEBHOOK_SECRET = 'whsec_of_the_judge_0001';

let judge: ChildProcess;
/** Requests with the status of their answers, as `GET /v1/refunds 200`. */
const requests: string[] = [];
let provider: PaymentProvider;
jest.setTimeout(60_000);
beforeAll(async () => {
  const anywhere = ['-http-addr', '127.0.0.1:0', '-https-addr', '127.0.0.1:0'];
  judge = spawn('stripe-mock', anywhere, { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  judge.stdout?.on('data', (text: Buffer) => {
    printed += text.toString('utf8');
  });
  const address = async (): Promise<string> => {
    for (;;) {
      const [, found] = /HTTP at address: (\S+)/.exec(printed) ?? [];
      if (found) return found;
      await once(judge.stdout ?? judge, 'data');
    }
  };
  const send = createHttpClient({ timeoutMs: 20_000 });
  const judged: SendHttp = async (request) => {
    const answer = await send(request);
    const { pathname } = request.url;
    requests.push(`${request.method} ${pathname} ${answer.status} ${answer.status < 300 ? '' : answer.text}`);
    // The example of a new PaymentIntent has failed, so that no card would be sent.
    return request.method === 'POST' && pathname === '/v1/payment_intents'
      ? { ...answer, text: JSON.stringify({ ...JSON.parse(answer.text), last_payment_error: null }) }
      : answer;
  };
  const clock = () => new Date();
  provider = createStripe({
    call: createStripeClient({
      send: judged,
      rest: createRest(clock),
      url: `http://${await address()}`,
      filesUrl: `http://${await address()}`,
      secretKey: `sk_test_${'0'.repeat(24)}`,
    }),
    clock,
    isLiveKey: false,
    webhookSecrets: [WEBHOOK_SECRET],
    returnUrl: () => 'https://pay.example.test/pay/return',
  });
});
afterAll(() => {
  judge?.kill();
});

/** A charge of long ago: its idempotency key is over, so that it is looked for. */
const OLD = 'chg_0190163d8ea77b1d9c9a7c1d3c1a0000';
const order = (reference: string) => ({ reference, amount: 10_00, currency: 'USD' });
const aPayment = (reference = newId('chg') as string) => ({
  ...order(reference),
  merchantName: 'Loja da Ana',
  merchantTimeZone: 'America/Sao_Paulo',
  payer: aPayer(),
  returnUrl: null,
  instrument: byCard(CARDS.paid),
});
const aRefund = () => ({
  ...order(newId('ref')),
  paymentReference: newId('chg'),
  paymentPspRefId: 'pi_1',
  openedAt: '2026-06-15T12:00:00.000Z',
});
const EVENTS = {
  'payment_intent.succeeded': 'pi_1',
  'refund.updated': 're_1',
  'charge.dispute.created': 'du_1',
  'radar.early_fraud_warning.created': 'issfr_1',
};

/** The document has raw cards only for a payment method of its own; accounts that may send them name them here. */
const RAW_CARD = expect.stringMatching(/confirm 400 .*'payment_method_data' .*'type' .*not in enumeration/);

// It keeps nothing and answers examples of Stripe's, so that its answers decide on nothing.
it('stripe-mock takes each request of the connector as Stripe’s own OpenAPI document has it', async () => {
  const calls = [
    () => provider.authorize(aPayment()),
    () => provider.describePayment(order(OLD)),
    () => provider.cancel(order(newId('chg'))),
    () => provider.refund(aRefund()),
    () => provider.describeRefund(aRefund()),
    ...Object.entries(EVENTS).map(
      ([type, id]) =>
        () =>
          provider.notificationsIn(eventAbout({ id }, type, WEBHOOK_SECRET)),
    ),
  ];
  for (const call of calls) await call().catch(() => null);
  expect(requests.filter((request) => !/ 200 $/.test(request))).toEqual([RAW_CARD]);
  const made = OPERATIONS.filter(({ method, path }) =>
    requests.some((request) => {
      const [verb = '', name = ''] = request.split(' ');
      return verb === method && path.test(name);
    }),
  );
  expect(made.map(({ name }) => name)).toEqual(OPERATIONS.map(({ name }) => name));
});
