import { findProblems } from './checks.ts';
import { createReceivers } from './receivers.ts';
import { createWorkload } from './workload.ts';
import { CALM } from './world/faults.ts';
import { untilDone } from './world/until-done.ts';
import { createWorld, type World } from './world/world.ts';

/** A run of one seed. */
export type Run = {
  readonly seed: number;
  /** Hash of everything that happened: one seed and one program have one hash, on every machine. */
  readonly hash: string;
  readonly hours: number;
  readonly problems: readonly string[];
  /** The last lines of what happened. */
  readonly tail: readonly string[];
};

const HOUR_MS = 3_600_000;
/** Once nothing goes wrong any more, everything has to end within this time. */
const QUIET_WITHIN_MS = 1_200_000;
const LOOK_EVERY_MS = 20_000;

/** Longer and longer rounds leave less and less room for the same; shrinking tries fewer of them. */
export const ROUNDS = 8;

/** Days go by while no request comes: parts are settled, retries and reconcilers come to their end. */
const letTimePass = async ({ scheduler, random }: World): Promise<void> => {
  const leaps = random.below(4);
  for (let leap = 0; leap < leaps; leap += 1) {
    scheduler.leap(random.oneOf([0.01, 0.2, 1, 12, 30]) * HOUR_MS * (0.5 + random.next()));
    await scheduler.pass(1_000 + random.next() * 3_000);
  }
};

/** Has something happen to the processes or to the read store while requests are under way. */
const disturb = (world: World): void => {
  const { scheduler, random, indexes, log } = world;
  if (random.happens(0.5))
    scheduler.plan(
      random.next() * 3_000,
      () => {
        const one = random.oneOf(world.processes);
        if (one) world.crash(one);
      },
      'world',
    );
  if (random.happens(0.3))
    scheduler.plan(
      random.next() * 3_000,
      () => {
        world.weather.awayUntil = scheduler.now + random.next() * 14_000;
        if (random.happens(0.7)) world.failOver();
      },
      'world',
    );
  if (random.happens(0.3)) scheduler.plan(random.next() * 3_000, world.failOver, 'world');
  if (random.happens(0.15))
    scheduler.plan(
      random.next() * 3_000,
      () => {
        const name = random.oneOf([...indexes.keys()]);
        log.note(`index ${name} is lost`);
        if (name !== undefined) indexes.delete(name);
      },
      'world',
    );
};

const live = async (world: World, rounds: number) => {
  const { random, weather, scheduler } = world;
  const received = createReceivers(world);
  const count = 1 + random.below(3);
  for (let place = 0; place < count; place += 1) await world.start();
  const workload = await untilDone(world, () => createWorkload(world));
  for (let round = 0; round < rounds; round += 1) {
    Object.assign(weather, {
      lost: random.oneOf([0, 0.005, 0.03]),
      unanswered: random.oneOf([0, 0.005, 0.03]),
      slow: random.oneOf([0, 0.001, 0.01]),
    });
    disturb(world);
    // Work that fell due meanwhile is done while requests come.
    if (random.happens(0.5)) scheduler.leap(random.oneOf([0.01, 12, 30]) * HOUR_MS);
    if (random.happens(0.5)) await untilDone(world, workload.endAsCharged);
    await untilDone(world, () => workload.burst(4 + random.below(14)));
    await scheduler.pass(random.next() * 4_000);
    Object.assign(weather, CALM);
    while (world.processes.length < count) await world.start();
    await letTimePass(world);
  }
  // A process may have died after the work of the last round, and somebody has to do what is left.
  while (world.processes.length < count) await world.start();
  await untilDone(world, workload.end);
  return { workload, received };
};

/** Waits until nothing is wrong any more; answers what still is when the time is over. */
const settle = async (world: World, look: () => Promise<readonly string[]>): Promise<readonly string[]> => {
  const { scheduler } = world;
  // Longer than any retry, any expiry and any settlement takes.
  for (const days of [1, 3, 40]) {
    scheduler.leap(days * 24 * HOUR_MS);
    await scheduler.pass(5_000);
  }
  const until = scheduler.now + QUIET_WITHIN_MS;
  for (;;) {
    const problems = await untilDone(world, look);
    if (problems.length === 0 || scheduler.now > until) return problems;
    scheduler.leap(HOUR_MS);
    await scheduler.pass(LOOK_EVERY_MS);
  }
};

/** Plays a seed: `rounds` of work in bad weather, and then a calm in which everything has to come right. */
export const runSeed = async (seed: number, rounds = ROUNDS): Promise<Run> => {
  const world = await createWorld(seed);
  const began = world.scheduler.now;
  const failures: string[] = [];
  const noteFailure = (error: unknown): void => {
    failures.push(`nobody has caught: ${error instanceof Error ? error.stack : error}`);
  };
  process.on('unhandledRejection', noteFailure);
  const play = async (): Promise<readonly string[]> => {
    const { workload, received } = await live(world, rounds);
    return settle(world, () => findProblems(world, workload.promised, received));
  };
  try {
    // A run that cannot go on is a failure of its seed like any other.
    const problems = await play().catch((error: unknown) => {
      noteFailure(error);
      return [];
    });
    for (const problem of problems) world.log.note(problem);
    return {
      seed,
      hash: world.log.hash(),
      hours: (world.scheduler.now - began) / HOUR_MS,
      problems: [...problems, ...failures],
      tail: world.log.tail(),
    };
  } finally {
    process.off('unhandledRejection', noteFailure);
    world.end();
  }
};
