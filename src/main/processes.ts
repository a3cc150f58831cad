import cluster from 'node:cluster';
import { once } from 'node:events';
import type { Logger } from '../platform/logger.ts';
import { projectFolder } from '../platform/project-folder.ts';
import type { Config } from './config.ts';
import { answerMetrics } from './metrics-of-all.ts';

/** A process that ends soon after its start is restarted after a pause that grows each time. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 15_000;
const STEADY_AFTER_MS = 60_000;

/** The processes of the gateway under this one, which share its port. */
export type Processes = {
  readonly url: string;
  /** Lets each of them finish its work in flight. */
  stop(): Promise<void>;
};

/** The pause before a process is restarted; `deaths` counts the ends since it last ran steadily. */
export const pauseBefore = (deaths: number): number =>
  Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.max(0, deaths - 1));

/**
 * Starts as many processes as `PROCESSES` says, with these variables, and restarts those that end by themselves. Throws
 * where the first one ends before it listens.
 */
export const startProcesses = async (
  { processes, host, tls }: Pick<Config, 'processes' | 'host' | 'tls'>,
  variables: Readonly<Record<string, string | undefined>>,
  logger: Logger,
): Promise<Processes> => {
  cluster.setupPrimary({ exec: projectFolder('dist/src/main/main.js') });
  answerMetrics();
  let isStopping = false;
  let deaths = 0;
  const restarts = new Set<NodeJS.Timeout>();

  const start = async (): Promise<number> => {
    const child = cluster.fork(variables);
    const { pid } = child.process;
    const bornAt = Date.now();
    const ended = once(child, 'exit').then(([code, signal]) => {
      if (isStopping) return;
      deaths = Date.now() - bornAt > STEADY_AFTER_MS ? 1 : deaths + 1;
      const pause = pauseBefore(deaths);
      logger.error({ pid, code, signal, pause }, 'a process ended and is started again');
      const restart = setTimeout(() => {
        restarts.delete(restart);
        start().catch(() => undefined);
      }, pause);
      restarts.add(restart);
    });
    const listening = once(child, 'listening').then(([address]) => Number(address.port));
    const port = await Promise.race([listening, ended]);
    if (port === undefined) throw new Error('A process of the gateway ended before it listened.');
    logger.info({ pid }, 'a process listens');
    return port;
  };

  const stop = async (): Promise<void> => {
    isStopping = true;
    for (const restart of restarts) clearTimeout(restart);
    const children = Object.values(cluster.workers ?? {}).flatMap((child) => child ?? []);
    await Promise.all(
      children.map((child) => {
        const ended = once(child, 'exit');
        child.process.kill('SIGTERM');
        return ended;
      }),
    );
  };

  try {
    // The first process starts alone, because it migrates the stores.
    const port = await start();
    await Promise.all(Array.from({ length: processes - 1 }, start));
    return { url: `${tls ? 'https' : 'http'}://${host}:${port}`, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
