import { setTimeout as sleep } from 'node:timers/promises';
import { percentile, type Row } from './measure.ts';
import { type Bench, createCharge, type Merchants } from './setting.ts';

const PER_SECOND = 100;
/** The most clients. A machine that is slower gets fewer requests, instead of a queue that only grows. */
const CLIENTS = 96;
const PAGE = 100;
const LOOK_EVERY_MS = 10;
const GIVE_UP_AFTER_MS = 10_000;
const GOAL_MS = 1_000;

type Charges = { readonly data: readonly { readonly id: string; readonly status: string }[] };

/** Time from the 201 until a list, requested without a consistency token, first shows the charge as paid. */
export const measureVisible = async (bench: Bench, merchants: Merchants): Promise<Row[]> => {
  const { call } = bench;
  const [authorization = ''] = merchants;
  const answeredAt = new Map<string, number>();
  /** How many charges were answered before each charge, by its id: this many may be listed after it. */
  const placeOf = new Map<string, number>();
  const delays: number[] = [];
  let isCreating = true;

  const lookAt = async (page: number): Promise<void> => {
    const { body } = await call('GET', `/v1/charges?size=${PAGE}&page=${page}`, authorization);
    const now = performance.now();
    for (const { id, status } of (JSON.parse(body) as Charges).data) {
      const at = answeredAt.get(id);
      if (at === undefined || status !== 'paid') continue;
      answeredAt.delete(id);
      delays.push(now - at);
    }
  };
  const look = async (): Promise<void> => {
    while (isCreating || answeredAt.size > 0) {
      const [oldest = ''] = answeredAt.keys();
      const newer = placeOf.size - (placeOf.get(oldest) ?? placeOf.size);
      const pages = Math.ceil((newer + CLIENTS) / PAGE);
      for (let page = 1; page <= pages; page += 1) await lookAt(page);
      if (performance.now() - Math.min(...answeredAt.values()) > GIVE_UP_AFTER_MS) return;
      await sleep(LOOK_EVERY_MS);
    }
  };

  const looking = look();
  const count = PER_SECOND * bench.seconds;
  const startedAt = performance.now();
  let started = 0;
  const client = async (): Promise<void> => {
    while (started < count) {
      started += 1;
      await sleep(Math.max(0, startedAt + (started * 1000) / PER_SECOND - performance.now()));
      const id = await createCharge(call, authorization);
      placeOf.set(id, placeOf.size);
      answeredAt.set(id, performance.now());
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
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
