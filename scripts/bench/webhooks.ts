import { setTimeout as sleep } from 'node:timers/promises';
import * as platform from '../../src/platform/platform.module.ts';
import { drained } from './creates.ts';
import { alternate, percentile, type Row } from './measure.ts';
import { arrived, type Receiver, register, sendBacklog, startReceiver } from './receiver.ts';
import { type Bench, createCharge, type Merchants } from './setting.ts';

const HEALTHY = 50;
/** Bad endpoints beside the healthy ones: one never answers and one always fails. */
const BAD = ['/hanging', '/failing'];
/**
 * Far below what the machine can do, so that the figure shows waiting for other receivers and not for the processor.
 */
const CHARGES_PER_SECOND = 10;
const P99_GOAL = 1.5;
const BACKLOG = 3_000;
const BACKLOG_GOAL = 300;

/** Healthy endpoints with and without two bad ones beside them, then the speed of sending a backlog. */
export const measureWebhooks = async (bench: Bench, merchants: Merchants): Promise<Row[]> => {
  const receiver = await startReceiver();
  try {
    const chosen = merchants.slice(0, HEALTHY + BAD.length);
    for (const [index, authorization] of chosen.entries()) {
      const path = BAD[index - HEALTHY] ?? `/healthy/${index}`;
      await register(bench.call, authorization, `${receiver.url}${path}`);
    }
    await p99(bench, chosen, receiver);
    const { a, b, ratio } = await alternate(
      bench.rounds,
      () => {
        receiver.isBad = true;
        return p99(bench, chosen, receiver);
      },
      () => {
        receiver.isBad = false;
        return p99(bench, chosen, receiver);
      },
    );
    receiver.isBad = false;
    const perSecond = await sendBacklog(bench.container.get(platform.services).db, receiver, {
      path: '/healthy/',
      count: BACKLOG,
    });
    return [
      {
        what: `webhook after a charge, p99 of ${HEALTHY} healthy endpoints beside ${BAD.length} bad ones`,
        gateway: `${a.toFixed(0)} ms`,
        reference: `without bad ones: ${b.toFixed(0)} ms`,
        result: `${ratio.toFixed(2)} ×`,
        goal: `≤ ${P99_GOAL} ×`,
        isMet: ratio <= P99_GOAL,
      },
      {
        what: `webhooks delivered per second, backlog at ${HEALTHY} endpoints`,
        gateway: perSecond.toFixed(0),
        reference: '',
        result: '',
        goal: `≥ ${BACKLOG_GOAL}`,
        isMet: perSecond >= BACKLOG_GOAL,
      },
    ];
  } finally {
    await receiver.close();
  }
};

/** Milliseconds from the answer to a charge until its event is received, for charges at a steady pace. */
const p99 = async (bench: Bench, merchants: Merchants, receiver: Receiver): Promise<number> => {
  const answered = new Map<string, number>();
  const creating: Promise<void>[] = [];
  const total = CHARGES_PER_SECOND * bench.seconds;
  for (let n = 0; n < total; n += 1) {
    const index = n % merchants.length;
    const create = async (): Promise<void> => {
      const id = await createCharge(bench.call, merchants[index] ?? '');
      if (index < HEALTHY) answered.set(id, performance.now());
    };
    creating.push(create());
    await sleep(1_000 / CHARGES_PER_SECOND);
  }
  await Promise.all(creating);
  await arrived('the events of charges', () => [...answered.keys()].every((id) => receiver.at.has(id)));
  await drained(bench);
  const waits = [...answered].map(([id, at]) => Math.max(0, (receiver.at.get(id) ?? 0) - at));
  return percentile(waits, 0.99);
};
