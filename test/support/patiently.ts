import { setTimeout as sleep } from 'node:timers/promises';
import type { Response, Test } from 'supertest';

const TIMES = 20;

/**
 * Repeats a request where a busy gateway says when to (503 with `Retry-After`), or has closed the connection between
 * two requests. Throws where connections break repeatedly.
 */
export const patiently = async (ask: () => Test): Promise<Response> => {
  for (let time = 1; ; time += 1) {
    const answer = await ask().catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' || time === TIMES) throw error;
      return null;
    });
    if (answer !== null && (answer.status !== 503 || time === TIMES)) return answer;
    await sleep(Number(answer?.headers['retry-after'] ?? 1) * 1_000);
  }
};
