import { type Logger, pino } from 'pino';
import { presentTraceId } from './tracing.ts';

export type { Logger } from 'pino';

/**
 * Writes JSON lines to standard output. Only method, route and ids of a client's request are logged, so that no card
 * number, key or personal data can slip in; redaction here is a second safeguard.
 */
export const createLogger = (level: string): Logger =>
  pino({
    level,
    base: null,
    mixin: traceOf,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: ['*.authorization', '*.password', '*.secretKey', '*.cvv', '*.number', 'headers'],
    serializers: {
      // The error of a driver may contain the document that it is about; message and stack are enough.
      err: describe,
    },
  });

/** The member by which OpenTelemetry finds the lines of a trace. */
const traceOf = (): object => {
  const traceId = presentTraceId();
  return traceId === undefined ? {} : { trace_id: traceId };
};

const describe = (error: unknown): object =>
  error instanceof Error
    ? {
        type: error.name,
        message: error.message,
        stack: error.stack,
        ...(error.cause === undefined ? {} : { cause: describe(error.cause) }),
      }
    : { type: typeof error, message: String(error) };
