import { drained, spread } from './creates.ts';
import { type Row, rate } from './measure.ts';
import { processorTime } from './processor-time.ts';
import { type Bench, createCharge, type Merchants } from './setting.ts';

const CLIENTS = 16;
const CHARGES = 200;
const WARM_UP_SECONDS = 2;
const GOALS = { charge: 1_200, balance: 1_000, list: 450 };

/** The most frequent reads of a merchant's system: a charge by its id, the balance, the first page of charges. */
export const measureReads = async (bench: Bench, merchants: Merchants): Promise<Row[]> => {
  const { call, seconds, processes } = bench;
  const next = spread(merchants);
  const charges: { readonly id: string; readonly authorization: string }[] = [];
  while (charges.length < CHARGES) {
    const authorization = next();
    charges.push({ id: await createCharge(call, authorization), authorization });
  }
  await drained(bench);
  let asked = 0;
  const read = async (pathOf: (id: string) => string): Promise<void> => {
    asked += 1;
    const { id, authorization } = charges[asked % charges.length] ?? { id: '', authorization: '' };
    const { status, body } = await call('GET', pathOf(id), authorization);
    if (status !== 200) throw new Error(`GET ${pathOf(id)}: ${status} ${body}`);
  };
  const measure = async (what: string, goal: number, pathOf: (id: string) => string): Promise<Row> => {
    await rate(CLIENTS, WARM_UP_SECONDS, () => read(pathOf));
    const before = processorTime(processes.gateway) ?? 0;
    const perSecond = await rate(CLIENTS, seconds, () => read(pathOf));
    const each = ((processorTime(processes.gateway) ?? 0) - before) / (perSecond * seconds);
    return {
      what: `${what} per second, ${CLIENTS} clients`,
      gateway: perSecond.toFixed(0),
      reference: `${each.toFixed(1)} ms of the gateway each`,
      result: '',
      goal: `≥ ${goal}`,
      isMet: perSecond >= goal,
    };
  };
  return [
    await measure('charges by id', GOALS.charge, (id) => `/v1/charges/${id}`),
    await measure('balances', GOALS.balance, () => '/v1/balance'),
    await measure('list pages of ten', GOALS.list, () => '/v1/charges?size=10'),
  ];
};
