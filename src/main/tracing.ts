import type { Config } from './config.ts';

/** Exports the last spans and ends the export. */
type StopTracing = () => Promise<void>;

/**
 * Sends spans to a collector by OTLP over HTTP if one is configured; the SDK is loaded only then. It reads the other
 * `OTEL_…` variables itself, such as `OTEL_TRACES_SAMPLER` and `OTEL_EXPORTER_OTLP_HEADERS`.
 */
export const startTracing = async ({ otlpEndpoint, serviceName }: Config): Promise<StopTracing> => {
  if (otlpEndpoint === null) return async () => undefined;
  const [api, { AsyncLocalStorageContextManager }, { OTLPTraceExporter }, sdk, resources, core] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/sdk-trace-base'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/core'),
    ]);
  const exporter = new OTLPTraceExporter({ url: `${otlpEndpoint.replace(/\/+$/, '')}/v1/traces` });
  const provider = new sdk.BasicTracerProvider({
    resource: resources
      .defaultResource()
      .merge(resources.resourceFromAttributes({ 'service.name': serviceName })),
    spanProcessors: [new sdk.BatchSpanProcessor(exporter)],
  });
  api.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  api.propagation.setGlobalPropagator(new core.W3CTraceContextPropagator());
  api.trace.setGlobalTracerProvider(provider);
  return async () => {
    await provider.shutdown().catch(() => undefined);
    api.trace.disable();
    api.propagation.disable();
    api.context.disable();
  };
};
