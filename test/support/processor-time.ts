import { callAt } from './call.ts';

/** The most that any request may take of a processor, in milliseconds. */
export const MOST_MS = 250;

/** Processor time that the program has taken until now, in milliseconds, by its own metrics. */
const timeUntilNow = async (url: string): Promise<number> => {
  const { text } = await callAt(url, 'get', '/metrics').expect(200);
  const [, seconds] = /^process_cpu_seconds_total (\S+)/m.exec(text) ?? [];
  return Number(seconds) * 1_000;
};

/** Processor time of a request in milliseconds; the least of three where it seems too much. */
export const processorTimeOf = async (
  url: string,
  ask: () => PromiseLike<{ readonly status: number }>,
  most: number,
): Promise<number> => {
  let least = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < 3 && least > most; turn += 1) {
    const before = await timeUntilNow(url);
    const { status } = await ask();
    expect(status).toBeLessThan(500);
    least = Math.min(least, (await timeUntilNow(url)) - before);
  }
  return least;
};
