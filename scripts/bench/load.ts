import { drained, spread, withRaw } from './creates.ts';
import { measureGroups } from './groups.ts';
import { alternate, median, percentile, type Row, rate, ratioRow } from './measure.ts';
import { processorTime } from './processor-time.ts';
import { type Bench, createCharge, type Merchants } from './setting.ts';

const CLIENTS = 64;
const MANY_CLIENTS = 256;
const WARM_UP_SECONDS = 5;
const GOALS = { alone: 1.5, together: 0.5, manyClients: 0.9, p99: 3, refunds: 0.8 };
/** Goals for the processor time of one charge in milliseconds, including all work that follows from it. */
const PROCESSOR_GOALS = { gateway: 4, 'write store': 9, Elasticsearch: 2 } as const;
type Process = keyof typeof PROCESSOR_GOALS;

/** Charges and refunds of many clients at once, against bare transactions, one by one and in groups. */
export const measureLoad = async (bench: Bench, merchants: Merchants): Promise<Row[]> => {
  const { call, rounds, seconds } = bench;
  const authorizationOf = spread(merchants);
  const created: { readonly id: string; readonly authorization: string }[] = [];
  const create = async (): Promise<void> => {
    const authorization = authorizationOf();
    created.push({ id: await createCharge(call, authorization), authorization });
  };
  const run = (clients: number): Promise<number> => rate(clients, seconds, create);
  await rate(CLIENTS, WARM_UP_SECONDS, create);

  const bare = await withRaw(bench, merchants, async ({ alone, together }) => {
    const against = async (raw: () => Promise<void>) => {
      const beside = async (): Promise<number> => {
        await drained(bench);
        return rate(CLIENTS, seconds, raw);
      };
      return alternate(rounds, () => run(CLIENTS), beside);
    };
    const what = `charges created per second, ${CLIENTS} clients`;
    return [
      ratioRow(what, await against(alone), 'bare transactions one by one', GOALS.alone),
      ratioRow(what, await against(together), 'bare transactions in groups', GOALS.together),
    ];
  });
  const many = await alternate(
    rounds,
    () => run(MANY_CLIENTS),
    () => run(CLIENTS),
  );
  const refund = async (): Promise<void> => {
    const next = created.pop();
    if (!next) throw new Error('there are no charges left to refund');
    const body = { chargeId: next.id, reason: 'sent back' };
    const { status, body: answer } = await call('POST', '/v1/refunds', next.authorization, body);
    if (status !== 201) throw new Error(`POST /v1/refunds: ${status} ${answer}`);
  };
  const refunds = await alternate(
    rounds,
    () => rate(CLIENTS, seconds, refund),
    () => run(CLIENTS),
  );
  return [
    ...bare,
    ratioRow(
      `charges created per second, ${MANY_CLIENTS} clients`,
      many,
      `${CLIENTS} clients`,
      GOALS.manyClients,
    ),
    ratioRow(`refunds per second, ${CLIENTS} clients`, refunds, 'creates', GOALS.refunds),
    ...(await measureCost(bench, create)),
    ...(await measureGroups(bench)),
  ];
};

/** Latency of creating charges under load, and the processor time that each process spends on one. */
const measureCost = async (bench: Bench, create: () => Promise<void>): Promise<Row[]> => {
  await drained(bench);
  const times: number[] = [];
  const names = Object.keys(PROCESSOR_GOALS) as Process[];
  const spent = () => names.map((name) => processorTime(bench.processes[name]));
  const before = spent();
  await rate(CLIENTS, bench.seconds, create, (ms) => times.push(ms));
  await drained(bench);
  const after = spent();
  const [p50, p99] = [median(times), percentile(times, 0.99)];
  const latency: Row = {
    what: `time of a create, ${CLIENTS} clients, p99`,
    gateway: `${p99.toFixed(0)} ms`,
    reference: `p50: ${p50.toFixed(0)} ms`,
    result: `${(p99 / p50).toFixed(1)} ×`,
    goal: `≤ ${GOALS.p99} ×`,
    isMet: p99 / p50 <= GOALS.p99,
  };
  return [
    latency,
    ...names.flatMap((name, index): Row[] => {
      const [from, to] = [before[index], after[index]];
      if (typeof from !== 'number' || typeof to !== 'number') return [];
      const each = (to - from) / times.length;
      return [
        {
          what: `processor time of a charge, ${name}`,
          gateway: `${each.toFixed(1)} ms`,
          reference: '',
          result: '',
          goal: `≤ ${PROCESSOR_GOALS[name]} ms`,
          isMet: each <= PROCESSOR_GOALS[name],
        },
      ];
    }),
  ];
};
