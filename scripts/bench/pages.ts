import { drained, spread } from './creates.ts';
import { alternate, percentile, type Row, rate } from './measure.ts';
import { send } from './sellers.ts';
import { type Bench, createCharge, type Merchants } from './setting.ts';

const SESSIONS = 100;
/** Clients that create charges all the time, and clients that read. */
const CREATING = 16;
const READING = 4;
const GOAL = 2;

/** Payers' pages against charges by id, both beside the same creates. */
export const measurePages = async (bench: Bench, merchants: Merchants): Promise<Row[]> => {
  const { call, seconds, rounds } = bench;
  const authorizationOf = spread(merchants);
  const charges: { readonly path: string; readonly authorization: string }[] = [];
  const pages: { readonly path: string; readonly authorization: string }[] = [];
  while (pages.length < SESSIONS) {
    const authorization = authorizationOf();
    charges.push({ path: `/v1/charges/${await createCharge(call, authorization)}`, authorization });
    const body = { amount: 129.9, currency: 'BRL' };
    const { id } = await send(bench, authorization, '/v1/checkout-sessions', body);
    const session = await call('GET', `/v1/checkout-sessions/${id}`, authorization);
    const { url } = JSON.parse(session.body) as { url: string };
    pages.push({ path: new URL(url).pathname, authorization });
  }
  await drained(bench);
  let asked = 0;
  const slowest = async (all: typeof pages): Promise<number> => {
    const times: number[] = [];
    const read = async (): Promise<void> => {
      asked += 1;
      const { path, authorization } = all[asked % all.length] ?? { path: '', authorization: '' };
      const { status, body } = await call('GET', path, authorization);
      if (status !== 200) throw new Error(`GET ${path}: ${status} ${body}`);
    };
    await Promise.all([
      rate(CREATING, seconds, async () => {
        await createCharge(call, authorizationOf());
      }),
      rate(READING, seconds, read, (ms) => times.push(ms)),
    ]);
    await drained(bench);
    return percentile(times, 0.99);
  };
  // The first turn only warms up.
  await slowest(pages);
  const { a, b, ratio } = await alternate(
    rounds,
    () => slowest(pages),
    () => slowest(charges),
  );
  return [
    {
      what: `time of a checkout page beside ${CREATING} clients that create, p99`,
      gateway: `${a.toFixed(0)} ms`,
      reference: `a charge by id: ${b.toFixed(0)} ms`,
      result: `${ratio.toFixed(2)} ×`,
      goal: `≤ ${GOAL} ×`,
      isMet: ratio <= GOAL,
    },
  ];
};
