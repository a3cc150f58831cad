import type { Logger } from '../../src/platform/logger.ts';

/** A logger that keeps its lines as `level message`, and the fields of each. */
export const createFakeLogger = (): {
  readonly logger: Logger;
  readonly lines: string[];
  readonly fields: object[];
} => {
  const lines: string[] = [];
  const fields: object[] = [];
  const write =
    (level: string) =>
    (given: object, message: string): void => {
      fields.push(given);
      lines.push(`${level} ${message}`);
    };
  const logger = {
    child: () => logger,
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
  };
  return { logger: logger as unknown as Logger, lines, fields };
};
