import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { createWorkQueue, type WorkQueue } from '../../src/platform/work-queue.ts';
import { createFakeLogger } from '../fakes/logger.ts';
import { createOwnEngines } from '../support/own-engines.ts';
import { eventually } from '../support/program.ts';

jest.setTimeout(300_000);

/** A Redis of this file alone, which it takes down. */
const engines = createOwnEngines({
  mongodbUri: process.env.MONGODB_URI ?? '',
  elasticsearchNode: process.env.ELASTICSEARCH_NODE ?? '',
});
beforeAll(() => engines.start(), 120_000);
afterAll(() => engines.stop(), 120_000);

describe('the work queue', () => {
  const open: WorkQueue[] = [];
  const queueOf = (
    run: (key: string) => Promise<{ againInMs: number | null }>,
    { prefix = `t-${randomUUID()}`, redisUrl = engines.variables().REDIS_URL, concurrency = 20 } = {},
  ) => {
    const { logger, lines, fields } = createFakeLogger();
    /** The error of each line; within a minute no line may say what another has said. */
    const errors = (): readonly string[] =>
      fields.map((line) => String((line as { readonly err?: unknown }).err));
    const queue = createWorkQueue({ redisUrl, prefix, name: 'keys', concurrency, logger });
    open.push(queue);
    return { queue: { ...queue, start: () => queue.start(run) }, lines, errors };
  };
  /** Wakes until something has come of it: a queue is no place to keep what has to be done. */
  const wakeUntil = (
    queue: Pick<WorkQueue, 'wake'>,
    keys: readonly string[],
    done: () => boolean,
  ): Promise<void> =>
    eventually(
      `a run of ${keys.length} keys`,
      async () => {
        if (done()) return true;
        await queue.wake(keys);
        return false;
      },
      120_000,
    );
  const sweep = async (): Promise<void> => {
    await Promise.all(open.splice(0).map((queue) => queue.stop()));
  };
  afterEach(async () => {
    await engines.startAll();
    await sweep();
  });

  it('runs one run of a key at a time, in whichever process, and once more after a wake in between', async () => {
    const prefix = `t-${randomUUID()}`;
    let runs = 0;
    let atOnce = 0;
    let most = 0;
    const ends: (() => void)[] = [];
    const run = async (): Promise<{ againInMs: null }> => {
      runs += 1;
      atOnce += 1;
      most = Math.max(most, atOnce);
      await new Promise<void>((end) => ends.push(end));
      atOnce -= 1;
      return { againInMs: null };
    };
    const first = queueOf(run, { prefix }).queue;
    const second = queueOf(run, { prefix }).queue;
    first.start();
    second.start();
    await wakeUntil(first, ['whe_1'], () => runs === 1);
    for (let wakes = 0; wakes < 20; wakes += 1) await (wakes % 2 ? first : second).wake(['whe_1']);
    expect(runs).toBe(1);
    ends.shift()?.();
    await eventually('the second run', () => runs === 2);
    ends.shift()?.();
    await eventually('the end of the second run', () => atOnce === 0);
    expect(most).toBe(1);
  });

  it('runs many keys, each of them', async () => {
    const run = new Set<string>();
    const { queue } = queueOf(async (key) => {
      run.add(key);
      return { againInMs: null };
    });
    const keys = Array.from({ length: 1_200 }, (_, n) => `whe_${n}`);
    queue.start();
    await wakeUntil(queue, keys, () => run.size === keys.length);
  });

  it('runs a key again when the run said so, or sooner where it is woken', async () => {
    const again = [0, 50, 3_600_000];
    let runs = 0;
    const { queue } = queueOf(async () => {
      runs += 1;
      return { againInMs: again[runs - 1] ?? null };
    });
    queue.start();
    await wakeUntil(queue, ['whe_1'], () => runs >= 1);
    await eventually('the runs that were asked for', () => runs >= 3);
    await wakeUntil(queue, ['whe_1'], () => runs >= 4);
  });

  it('tries a key again whose run failed, and logs it', async () => {
    let runs = 0;
    const { queue, lines } = queueOf(async () => {
      runs += 1;
      if (runs === 1) throw new Error('broken');
      return { againInMs: null };
    });
    queue.start();
    await wakeUntil(queue, ['whe_1'], () => runs >= 1);
    await eventually('the run after the one that failed', () => runs >= 2);
    expect(lines).toEqual(['error queued work failed']);
  });

  it('goes on after Redis has lost everything, in a run and between runs', async () => {
    const redis = new Redis(engines.variables().REDIS_URL);
    let runs = 0;
    let flush = true;
    const { queue } = queueOf(async () => {
      runs += 1;
      if (flush) await redis.flushall();
      return { againInMs: 3_600_000 };
    });
    queue.start();
    await wakeUntil(queue, ['whe_1'], () => runs >= 1);
    flush = false;
    await wakeUntil(queue, ['whe_1'], () => runs >= 2);
    await redis.flushall();
    await wakeUntil(queue, ['whe_1'], () => runs >= 3);
    redis.disconnect();
  });

  it('starts, wakes and stops without Redis, with one line of log, and works once Redis is there', async () => {
    let runs = 0;
    const run = async (): Promise<{ againInMs: null }> => {
      runs += 1;
      return { againInMs: null };
    };
    await engines.server('redis').stop();
    const never = queueOf(run);
    never.queue.start();
    await never.queue.wake(['whe_1']);
    await never.queue.stop();
    expect(new Set(never.errors()).size).toBe(never.errors().length);
    const { queue, errors } = queueOf(run);
    queue.start();
    await queue.wake(['whe_1']);
    await engines.server('redis').start();
    await wakeUntil(queue, ['whe_1'], () => runs >= 1);
    expect(new Set(errors()).size).toBe(errors().length);
  });

  it('outlives Redis being killed under it, and stops while Redis is away after what is in flight', async () => {
    let runs = 0;
    let end: () => void = () => undefined;
    let hold: Promise<void> = Promise.resolve();
    const { queue, errors } = queueOf(async () => {
      runs += 1;
      await hold;
      return { againInMs: null };
    });
    queue.start();
    await wakeUntil(queue, ['whe_1'], () => runs >= 1);
    await engines.server('redis').kill();
    await queue.wake(['whe_1']);
    await engines.server('redis').start();
    hold = new Promise((resolve) => {
      end = resolve;
    });
    const before = runs;
    await wakeUntil(queue, ['whe_2'], () => runs > before);
    await engines.server('redis').kill();
    let stopped = false;
    const stopping = queue.stop().then(() => {
      stopped = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(stopped).toBe(false);
    end();
    await stopping;
    expect(new Set(errors()).size).toBe(errors().length);
  });
});
