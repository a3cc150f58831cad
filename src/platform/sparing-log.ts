import type { Logger } from './logger.ts';

const SAY_AGAIN_AFTER_MS = 60_000;

/** Logs a failure under a message, with the `fields` of its first occurrence. */
type SparingLog = (error: unknown, fields: object, message: string) => void;

/**
 * A log for failures that may happen many times a second while a store is away. The first one is logged at once, and
 * then one line a minute says how often it happened (`times`), for as long as it goes on. Each kind of error is counted
 * separately.
 */
export const createSparingLog = (logger: Logger, level: 'warn' | 'error'): SparingLog => {
  const silenced = new Map<string, number>();

  return (error, fields, message) => {
    const thing = `${message}: ${error instanceof Error ? `${error.name} ${error.message}` : error}`;
    const again = silenced.get(thing);
    if (again !== undefined) {
      silenced.set(thing, again + 1);
      return;
    }
    const sayAgainLater = (): void => {
      silenced.set(thing, 0);
      setTimeout(() => {
        const times = silenced.get(thing) ?? 0;
        silenced.delete(thing);
        if (times === 0) return;
        logger[level]({ err: error, ...fields, times }, message);
        sayAgainLater();
      }, SAY_AGAIN_AFTER_MS).unref();
    };
    logger[level]({ err: error, ...fields }, message);
    sayAgainLater();
  };
};
