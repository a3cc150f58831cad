import { setTimeout as sleep } from 'node:timers/promises';
import type { Response, Test } from 'supertest';

const TIMES = 20;

/**
 * Asks again where a busy gateway says when (503 with `Retry-After`), or has closed a connection between two requests.
 * Throws where connections break again and again.
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
