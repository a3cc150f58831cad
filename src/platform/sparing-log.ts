import type { Logger } from './logger.ts';

const SAY_AGAIN_AFTER_MS = 60_000;

/** Logs what went wrong, under a message; `fields` are those of the first time. */
type SparingLog = (error: unknown, fields: object, message: string) => void;

/**
 * A log of what may go wrong many times a second while a store is away. A thing is said at once, and then once a minute
 * with how often it happened in that minute (`times`), for as long as it goes on. Another error is another thing.
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
