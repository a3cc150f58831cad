import {
  type Attributes,
  type Context,
  context,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

/**
 * OpenTelemetry spans with the names of its semantic conventions. Without an exporter (src/main/tracing.ts) the API
 * package does nothing: it records no span, sends no header and adds nothing to rows.
 */
const tracer = () => trace.getTracer('portico');

/** The trace that work belongs to, in the format of W3C Trace Context; absent or null where the work is not traced. */
export type Traced = { readonly traceparent?: string | null };

/** The present span in the form in which rows, deliveries and outgoing requests carry it. */
export const presentTrace = (): { readonly traceparent?: string } => {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent === undefined ? {} : { traceparent: carrier.traceparent };
};

const contextOf = (traceparent: string | null | undefined): Context =>
  traceparent ? propagation.extract(ROOT_CONTEXT, { traceparent }) : ROOT_CONTEXT;

/** The id of the present trace; undefined without one. */
export const presentTraceId = (): string | undefined => trace.getActiveSpan()?.spanContext().traceId;

type SpanOptions = { readonly kind?: SpanKind; readonly attributes?: Attributes };

/**
 * Runs work in a span below the present one, or without a span where nothing is traced. A rejection becomes the error
 * of the span.
 */
export const inSpan = <T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> =>
  trace.getActiveSpan() === undefined
    ? work()
    : tracer().startActiveSpan(name, options, (span) => ending(span, work()));

/** Adds to the present span, if there is one. */
export const noteOnSpan = (attributes: Attributes): void => {
  trace.getActiveSpan()?.setAttributes(attributes);
};

/** Runs work in a span below one that another process may have begun, or without a span where there is none. */
export const inSpanBelow = <T>(
  { traceparent }: Traced,
  name: string,
  options: SpanOptions,
  work: () => Promise<T>,
): Promise<T> =>
  traceparent
    ? tracer().startActiveSpan(name, options, contextOf(traceparent), (span) => ending(span, work()))
    : work();

const ending = async <T>(span: Span, work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    const type = error instanceof Error ? error.name : 'unknown';
    span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR, message: type });
    throw error;
  } finally {
    span.end();
  }
};

/** Notes in each of these traces a piece of work that was done for all of them together, since `startTime`. */
export const noteIn = (
  traces: readonly Traced[],
  name: string,
  attributes: Attributes,
  startTime: number,
): void => {
  const distinct = new Set(traces.flatMap(({ traceparent }) => traceparent ?? []));
  for (const traceparent of distinct)
    tracer()
      .startSpan(name, { kind: SpanKind.CONSUMER, attributes, startTime }, contextOf(traceparent))
      .end();
};

/** Begins the span of an incoming request, below the caller's span where the request names one. */
export const beginServerSpan = (method: string, traceparent: string | undefined): Span =>
  tracer().startSpan(
    method,
    { kind: SpanKind.SERVER, attributes: { 'http.request.method': method } },
    contextOf(traceparent),
  );

/** Ends the span with the attributes that are known only once the request was answered. */
export const endServerSpan = (span: Span, method: string, route: string, status: number): void => {
  span.updateName(`${method} ${route}`);
  span.setAttributes({ 'http.route': route, 'http.response.status_code': status });
  if (status >= 500)
    span.setAttribute('error.type', String(status)).setStatus({ code: SpanStatusCode.ERROR });
  span.end();
};

export const isTraced = (span: Span): boolean => isSpanContextValid(span.spanContext());

/** Runs a request's work as a part of its span. */
export const inContextOf = <T>(span: Span, work: () => T): T =>
  context.with(trace.setSpan(context.active(), span), work);
