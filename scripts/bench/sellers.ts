import { elapsed } from './measure.ts';
import { processorTime } from './processor-time.ts';
import type { Bench } from './setting.ts';

/** Merchants that charge stored cards, for the parts that compare kinds of charges. */
export const SELLERS = 20;
const AT_ONCE = 64;

export const CARD = {
  number: '4242424242424242',
  holderName: 'ANA SOUZA',
  expirationMonth: '12',
  expirationYear: String(new Date().getUTCFullYear() + 3),
  cvv: '123',
};

export type Seller = {
  readonly authorization: string;
  readonly customerId: string;
  readonly paymentMethodId: string;
};

export const NAMES = ['gateway', 'write store', 'Elasticsearch'] as const;

/** Milliseconds that work takes, and the processor time that each process spends on it. */
export const costOf = async (bench: Bench, work: () => Promise<void>) => {
  const spent = () => NAMES.map((name) => processorTime(bench.processes[name]) ?? 0);
  const before = spent();
  const ms = await elapsed(work);
  const after = spent();
  const [gateway, store, search] = after.map((time, index) => time - (before[index] ?? 0));
  return {
    ms,
    spent: { gateway: gateway ?? 0, 'write store': store ?? 0, Elasticsearch: search ?? 0 },
  };
};

export const send = async (
  bench: Bench,
  authorization: string,
  path: string,
  body: object,
): Promise<{ id: string }> => {
  const answer = await bench.call('POST', path, authorization, body);
  if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${answer.body}`);
  return JSON.parse(answer.body) as { id: string };
};

export const post = async (
  bench: Bench,
  seller: Seller | undefined,
  path: string,
  bodyOf: (seller: Seller) => object,
): Promise<void> => {
  if (seller) await send(bench, seller.authorization, path, bodyOf(seller));
};

export const prepareSeller = async (bench: Bench, authorization: string): Promise<Seller> => {
  const customer = { name: 'Ana Souza', email: 'ana@example.test' };
  const { id: customerId } = await send(bench, authorization, '/v1/customers', customer);
  const { id: token } = await send(bench, authorization, '/v1/card-tokens', CARD);
  const path = `/v1/customers/${customerId}/payment-methods`;
  const stored = { token, consentAt: new Date().toISOString() };
  const { id: paymentMethodId } = await send(bench, authorization, path, stored);
  return { authorization, customerId, paymentMethodId };
};

/** A charge of the stored card without the payer. */
export const chargeOf = ({ customerId, paymentMethodId }: Seller): object => ({
  amount: 49.9,
  currency: 'BRL',
  customerId,
  initiator: 'merchant',
  paymentMethod: { type: 'credit_card', installments: 1, id: paymentMethodId },
});

/** Does work this often, a part of it concurrently. */
export const inAll = async (count: number, work: (number: number) => Promise<void>): Promise<void> => {
  let next = 0;
  const client = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      await work(next);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
};
