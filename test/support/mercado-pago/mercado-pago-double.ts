import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import type { Delivery } from '../../../src/modules/providers/provider.ts';
import { exchange, listenAsDouble, type Trouble } from '../doubles/exchange.ts';
import { type Chargeback, createBooks, type Payment } from './mercado-pago-books.ts';
import { invalid, isUuid, MercadoPagoProblem, missing } from './mercado-pago-rules.ts';

type Answer = { readonly status: number; readonly body: unknown };
type Operation = {
  readonly method: string;
  readonly path: RegExp;
  readonly status: number;
  /** Whether it takes an idempotency key, and needs one. */
  readonly isKeyed?: true;
  readonly work: (ids: readonly string[], body: unknown, query: object) => unknown;
};

export type MercadoPagoDouble = Awaited<ReturnType<typeof startMercadoPagoDouble>>;

/**
 * Mercado Pago over a real socket, strict and stateful. It has idempotency keys that answer as the first request was
 * answered, known members, amounts of two decimals, and signed notifications.
 */
export const startMercadoPagoDouble = async (clock: () => Date = () => new Date(), givenPort = 0) => {
  const accessToken = `TEST-${randomBytes(16).toString('hex')}`;
  const webhookSecret = randomBytes(32).toString('hex');
  const books = createBooks(clock);
  const keys = new Map<string, Answer | null>();
  const callsMade: string[] = [];
  const transcript: string[] = [];
  let trouble: (call: string) => Trouble | null = () => null;

  const operations: readonly Operation[] = [
    { method: 'POST', path: /^\/v1\/card_tokens$/, status: 201, work: (_, body) => books.createToken(body) },
    {
      ...{ method: 'POST', path: /^\/v1\/payments$/, status: 201, isKeyed: true },
      work: (_, body) => books.createPayment(body),
    },
    {
      method: 'GET',
      path: /^\/v1\/payments\/search$/,
      status: 200,
      work: (_, __, query) => books.search(query),
    },
    {
      method: 'GET',
      path: /^\/v1\/payments\/(\d+)$/,
      status: 200,
      work: ([id = '']) => books.readPayment(id),
    },
    {
      ...{ method: 'PUT', path: /^\/v1\/payments\/(\d+)$/, status: 200 },
      work: ([id = ''], body) => books.updatePayment(id, body),
    },
    {
      ...{ method: 'POST', path: /^\/v1\/payments\/(\d+)\/refunds$/, status: 201, isKeyed: true },
      work: ([id = ''], body) => books.createRefund(id, body),
    },
    {
      ...{ method: 'GET', path: /^\/v1\/payments\/(\d+)\/refunds$/, status: 200 },
      work: ([id = '']) => books.listRefunds(id),
    },
    {
      ...{ method: 'GET', path: /^\/v1\/payments\/(\d+)\/refunds\/(\d+)$/, status: 200 },
      work: ([id = '', refundId = '']) => books.readRefund(id, refundId),
    },
    {
      ...{ method: 'GET', path: /^\/v1\/chargebacks\/(\d+)$/, status: 200 },
      work: ([id = '']) => books.readChargeback(id),
    },
  ];

  const run = (
    { status, work }: Operation,
    ids: readonly string[],
    body: unknown,
    query: object,
  ): Answer => ({
    status,
    body: structuredClone(work(ids, body, query)),
  });

  /** A key that was used answers as it did; one that is in use is refused. Refusals are not remembered. */
  const underKey = async (key: unknown, work: () => Answer): Promise<Answer> => {
    if (typeof key !== 'string' || !isUuid(key)) throw invalid('X-Idempotency-Key has to be a UUID');
    const kept = keys.get(key);
    if (kept === null)
      throw new MercadoPagoProblem(409, 'conflict', 'a request with this key is in progress');
    if (kept) return kept;
    keys.set(key, null);
    await turn();
    try {
      const answer = work();
      keys.set(key, answer);
      return answer;
    } catch (error) {
      keys.delete(key);
      throw error;
    }
  };

  const answerTo = async ({ method, url = '', headers }: IncomingMessage, sent: string): Promise<Answer> => {
    try {
      if (headers.authorization !== `Bearer ${accessToken}`)
        throw new MercadoPagoProblem(401, 'unauthorized', 'Invalid access token');
      const { pathname, searchParams } = new URL(url, 'http://double');
      const operation = operations.find((one) => one.method === method && one.path.test(pathname));
      if (!operation) throw missing('Resource');
      const ids = operation.path.exec(pathname)?.slice(1) ?? [];
      const query = Object.fromEntries(searchParams);
      if (method !== 'GET' && headers['content-type'] !== 'application/json') throw invalid('no JSON');
      const body: unknown = sent === '' ? undefined : JSON.parse(sent);
      const work = (): Answer => {
        const answer = run(operation, ids, body, query);
        return headers['x-render-in-process-refunds'] === 'true' ? answer : withoutInProcess(answer);
      };
      return operation.isKeyed ? await underKey(headers['x-idempotency-key'], work) : work();
    } catch (error) {
      if (error instanceof SyntaxError) return { status: 400, body: invalid('no JSON').body };
      if (!(error instanceof MercadoPagoProblem)) throw error;
      return { status: error.status, body: error.body };
    }
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const sent = await text(request);
    const call = `${request.method} ${request.url}`;
    callsMade.push(call);
    await exchange({ request, response }, trouble(call), {
      async work() {
        const answer = await answerTo(request, sent);
        transcript.push(`${call} -> ${answer.status} ${JSON.stringify(answer.body)}`);
        return answer;
      },
      errorBody: ({ status }) => ({ status, error: 'internal_error', message: '' }),
    });
  };
  const { port, stop } = await listenAsDouble(createServer(), {
    port: givenPort,
    serve,
    note: (fault) => void transcript.push(fault),
  });

  /** A signed notification, as Mercado Pago sends it. */
  const notification = (
    type: string,
    dataId: string | number,
    { at = clock(), secret = webhookSecret, id = books.newId() }: Partial<Signing> = {},
  ): Delivery => {
    const ts = Math.floor(at.getTime() / 1_000);
    const requestId = randomUUID();
    const manifest = `id:${dataId};request-id:${requestId};ts:${ts};`;
    const v1 = createHmac('sha256', secret).update(manifest).digest('hex');
    const body = {
      ...{ id, live_mode: false, type, date_created: at.toISOString(), user_id: 44_444, api_version: 'v1' },
      ...{ action: `${type}.updated`, data: { id: String(dataId) } },
    };
    return {
      headers: { 'x-signature': `ts=${ts},v1=${v1}`, 'x-request-id': requestId },
      secret: null,
      body: Buffer.from(JSON.stringify(body)),
    };
  };

  return {
    url: `http://127.0.0.1:${port}`,
    accessToken,
    webhookSecret,
    books,
    /** Requests, as `POST /v1/payments`. */
    callsMade,
    /** Requests with the bodies of their answers. */
    transcript,
    notification,
    paymentOf: (reference: string): Payment => books.paymentOfCharge(reference),

    /** All that Mercado Pago has of a charge; null where it has nothing. */
    bookOf(reference: string): object | null {
      const payment = [...books.payments.values()].find(({ external_reference: of }) => of === reference);
      if (!payment) return null;
      const chargebacks = [...books.chargebacks.values()].filter(({ payments }) =>
        payments.includes(payment.id),
      );
      return { payment, refunds: books.listRefunds(String(payment.id)), chargebacks };
    },

    /** Decides on the bad luck of each request from now on. */
    troubleWith(decide: (call: string) => Trouble | null): void {
      trouble = decide;
    },
    /** Mercado Pago forgets the keys of requests, as it may after a while. */
    forgetKeys: (): void => keys.clear(),
    /** The payer of a Pix or a boleto pays it, or an analyst lets a card pass; throws where nothing waits. */
    pay(reference: string): Payment {
      const payment = books.paymentOfCharge(reference);
      if (!books.isWaiting(payment)) throw new Error(`the payment is ${payment.status}`);
      return books.endAs(payment, 'approved', 'accredited');
    },
    /** Nobody pays within the time. */
    expire: (reference: string): Payment =>
      books.endAs(books.paymentOfCharge(reference), 'cancelled', 'expired'),
    /** The bank of the payer takes the money back. */
    chargeBack(reference: string): Chargeback {
      const payment = books.endAs(books.paymentOfCharge(reference), 'charged_back', 'in_process');
      const chargeback: Chargeback = {
        ...{ id: `217${books.newId()}`, payments: [payment.id], currency: payment.currency_id },
        ...{ amount: payment.transaction_amount, coverage_applied: null },
      };
      books.chargebacks.set(chargeback.id, chargeback);
      return chargeback;
    },
    /** Mercado Pago decides on a chargeback: for the merchant, who has the money again, or for the payer. */
    decide(chargeback: Chargeback, isWon: boolean): void {
      chargeback.coverage_applied = isWon;
      for (const id of chargeback.payments)
        books.endAs(books.readPayment(String(id)), 'charged_back', isWon ? 'reimbursed' : 'settled');
    },

    stop,
  };
};

/** Refunds in process are not shown, and the request for one is answered as an error, unless they are asked for. */
const withoutInProcess = (answer: Answer): Answer => {
  const isInProcess = (one: unknown): boolean =>
    typeof one === 'object' &&
    one !== null &&
    'payment_id' in one &&
    'status' in one &&
    one.status === 'in_process';
  if (isInProcess(answer.body)) throw invalid('the refund is in process');
  return Array.isArray(answer.body)
    ? { ...answer, body: answer.body.filter((one) => !isInProcess(one)) }
    : answer;
};

type Signing = { readonly at: Date; readonly secret: string; readonly id: number };
