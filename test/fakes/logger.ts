import type { Logger } from '../../src/platform/logger.ts';

/** A logger that keeps its lines as `level message`. */
export const createFakeLogger = (): { readonly logger: Logger; readonly lines: string[] } => {
  const lines: string[] = [];
  const write =
    (level: string) =>
    (_fields: object, message: string): void => {
      lines.push(`${level} ${message}`);
    };
  const logger = {
    child: () => logger,
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
  };
  return { logger: logger as unknown as Logger, lines };
};
