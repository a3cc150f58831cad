import { type Logger, pino } from 'pino';
import { presentTraceId } from './tracing.ts';

export type { Logger } from 'pino';

/**
 * JSON lines on standard output. Of a client's request only method, route and ids are logged. So no card number, key or
 * personal data can slip in; what is redacted here is a second net.
 */
export const createLogger = (level: string): Logger =>
  pino({
    level,
    base: null,
    mixin: traceOf,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: ['*.authorization', '*.password', '*.secretKey', '*.cvv', '*.number', 'headers'],
    serializers: {
      // A driver's error may carry the document that it was about; message and stack are enough.
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
