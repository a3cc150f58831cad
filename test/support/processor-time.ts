import { callAt } from './call.ts';

/** The most processor time that any request may take, in milliseconds. */
export const MOST_MS = 250;

/** Processor time that the program has used so far, in milliseconds, according to its own metrics. */
const timeUntilNow = async (url: string): Promise<number> => {
  const { text } = await callAt(url, 'get', '/metrics').expect(200);
  const [, seconds] = /^process_cpu_seconds_total (\S+)/m.exec(text) ?? [];
  return Number(seconds) * 1_000;
};

const REFERENCE = JSON.stringify(
  Array.from({ length: 2_000 }, (_, index) => ({ index, words: 'Ana Souza' })),
);
const REFERENCE_TURNS = 15;
/** Processor time of the reference work on two idle cores, for which MOST_MS was chosen. */
const REFERENCE_MS = 10;

/**
 * How many times slower the processor is than two idle cores, at least 1. Busy cores share caches and units, so the
 * same work takes more processor time.
 */
const slownessNow = (): number => {
  const before = process.cpuUsage();
  for (let turn = 0; turn < REFERENCE_TURNS; turn += 1) JSON.stringify(JSON.parse(REFERENCE));
  const { user, system } = process.cpuUsage(before);
  return Math.max(1, (user + system) / 1_000 / REFERENCE_MS);
};

/** A request that takes too long does so each time; one that only seemed to was disturbed by chance. */
const MEASUREMENTS = 6;

/**
 * Processor time of a request in milliseconds; the least of six measurements where the first seems too high. A time
 * that seems too high is converted to two idle cores, which makes it no longer; the reference work for that costs more
 * than most requests.
 */
export const processorTimeOf = async (
  url: string,
  ask: () => PromiseLike<{ readonly status: number }>,
  most: number,
): Promise<number> => {
  let least = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < MEASUREMENTS && least > most; turn += 1) {
    const before = await timeUntilNow(url);
    const { status } = await ask();
    expect(status).toBeLessThan(500);
    const time = (await timeUntilNow(url)) - before;
    least = Math.min(least, time > most ? time / slownessNow() : time);
  }
  return least;
};
