import { setTimeout as sleep } from 'node:timers/promises';
import { percentile, type Row } from './measure.ts';
import { type Bench, createCharge, type Merchants } from './setting.ts';

const PER_SECOND = 50;
const LOOK_EVERY_MS = 10;
const GIVE_UP_AFTER_MS = 10_000;
const GOAL_MS = 1_000;

type Charges = { readonly data: readonly { readonly id: string; readonly status: string }[] };

/** Time from the 201 to the first list, asked for without a consistency token, that shows the charge as paid. */
export const measureVisible = async (bench: Bench, merchants: Merchants): Promise<Row[]> => {
  const { call } = bench;
  const [authorization = ''] = merchants;
  const answeredAt = new Map<string, number>();
  const delays: number[] = [];
  let isCreating = true;

  const look = async (): Promise<void> => {
    while (isCreating || answeredAt.size > 0) {
      const { body } = await call('GET', '/v1/charges?size=100', authorization);
      const now = performance.now();
      for (const { id, status } of (JSON.parse(body) as Charges).data) {
        if (status !== 'paid') continue;
        const at = answeredAt.get(id);
        if (at === undefined || !answeredAt.delete(id)) continue;
        delays.push(now - at);
      }
      const oldest = Math.min(...answeredAt.values());
      if (now - oldest > GIVE_UP_AFTER_MS) return;
      await sleep(LOOK_EVERY_MS);
    }
  };

  const looking = look();
  const count = PER_SECOND * bench.seconds;
  const startedAt = performance.now();
  const creating: Promise<void>[] = [];
  for (let index = 0; index < count; index += 1) {
    await sleep(Math.max(0, startedAt + (index * 1000) / PER_SECOND - performance.now()));
    creating.push(
      createCharge(call, authorization).then((id) => {
        answeredAt.set(id, performance.now());
      }),
    );
  }
  await Promise.all(creating);
  const perSecond = count / ((performance.now() - startedAt) / 1000);
  isCreating = false;
  await looking;
  const never = answeredAt.size;
  const p99 = never > 0 ? Number.POSITIVE_INFINITY : percentile(delays, 0.99);
  return [
    {
      what: `from 201 to visible in the list, at ${perSecond.toFixed(0)} creates a second`,
      gateway: `p50 ${percentile(delays, 0.5).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`,
      reference: never > 0 ? `${never} of ${count} were not seen` : '',
      result: '',
      goal: `p99 ≤ ${GOAL_MS} ms`,
      isMet: p99 <= GOAL_MS,
    },
  ];
};
