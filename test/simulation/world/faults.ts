import { connectionLost } from '../store/errors.ts';
import type { Kind, Link } from '../store/link.ts';
import type { Log } from './log.ts';
import type { Random } from './random.ts';
import type { Scheduler } from './scheduler.ts';

/** How often something goes wrong on the way to a store. */
export type Weather = {
  /** A request that never arrives. */
  lost: number;
  /** A request that is done, and whose answer gets lost. */
  unanswered: number;
  /** A request that takes so long that its caller may give up. */
  slow: number;
  /** Until then nothing arrives, and nothing that was under way is answered. */
  awayUntil: number;
};

export const CALM: Readonly<Weather> = { lost: 0, unanswered: 0, slow: 0, awayUntil: 0 };
const LONGEST_MS = 12_000;

/** Whether a message is kept back for now; whoever keeps it calls `send` later. */
export type Hold = (owner: string, what: string, send: () => void) => boolean;

/**
 * Sends something to a server and its answer back, each after a time of its own, if they arrive. `owner` is the process
 * that asks; one that has died gets no answer, and what it sent last may arrive all the same.
 */
export const createWay =
  ({
    scheduler,
    random,
    log,
    weather,
    hold,
  }: {
    readonly scheduler: Scheduler;
    readonly random: Random;
    readonly log: Log;
    readonly weather: Weather;
    readonly hold: Hold;
  }) =>
  <T>(owner: string, what: string, apply: () => T, lost: () => Error, risk = 1): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      const delay = (): number => 0.05 + random.next() ** 3 * 2;
      const isSlow = random.happens(weather.slow);
      const isLost = random.happens(weather.lost * risk);
      const isUnanswered = random.happens(weather.unanswered * risk);
      const answerAfter = isSlow && random.happens(0.5) ? random.next() * LONGEST_MS : delay();
      const arrivesAfter = isSlow && answerAfter < 3 ? random.next() * LONGEST_MS : delay();
      const isAway = (): boolean => scheduler.now < weather.awayUntil;
      const answer = (how: () => void): void =>
        void scheduler.plan(answerAfter, () => (isAway() ? reject(lost()) : how()), owner);
      const arrive = (): void => {
        if (isLost || isAway()) {
          log.note(`${owner} ${what}: lost`);
          answer(() => reject(lost()));
          return;
        }
        try {
          const result = apply();
          log.note(`${owner} ${what}: ${isUnanswered ? 'done, unanswered' : 'done'}`);
          answer(() => (isUnanswered ? reject(lost()) : resolve(result)));
        } catch (error) {
          log.note(`${owner} ${what}: ${error instanceof Error ? error.message.slice(0, 80) : 'refused'}`);
          answer(() => reject(error));
        }
      };
      const send = (): void => void scheduler.plan(arrivesAfter, arrive, 'stores');
      if (!hold(owner, what, send)) send();
    });

export type Way = ReturnType<typeof createWay>;

/** The way of one process to the write store. */
export const createStoreLink = (way: Way, owner: string, pause: () => Promise<void>): Link => ({
  send: (kind: Kind, what, apply) =>
    way(owner, `${kind} ${what}`, apply, () => connectionLost(kind), kind === 'commit' ? 4 : 1),
  held: pause,
});
