// The official SDK of OpenTelemetry behind our own two kinds of spans; loaded only where a collector is named (OTEL_EXPORTER_OTLP_ENDPOINT).
import type { Context, Span } from '@opentelemetry/api';
import type { Sampler } from '@opentelemetry/sdk-trace-base';
import type { Config } from '../subgraphs/shared/config';
import type { OperationSpan, Tracing } from '../subgraphs/shared/log/tracing';

/** How long one batch may take, and how long a process that ends waits for its last ones. */
const exportMsMax = 5_000;
const stopMsMax = 2_000;

type TracingConfig = Pick<
  Config,
  'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_SERVICE_NAME' | 'OTEL_TRACES_SAMPLER' | 'OTEL_TRACES_SAMPLER_ARG' | 'ROLE_NAME'
>;

/** Null when nobody collects; then nothing of the SDK is loaded. */
export async function openTracing(config: TracingConfig): Promise<Tracing | null> {
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT === '') return null;
  const [api, core, resources, sdk, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/core'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ]);
  const exporter = new OTLPTraceExporter({
    url: `${config.OTEL_EXPORTER_OTLP_ENDPOINT.replace(/\/$/, '')}/v1/traces`,
    timeoutMillis: exportMsMax,
  });
  const provider = new sdk.BasicTracerProvider({
    resource: new resources.Resource({
      'service.name': config.OTEL_SERVICE_NAME,
      'service.instance.id': config.ROLE_NAME,
    }),
    sampler: new sdk.ParentBasedSampler({ root: rootSampler(sdk, config) }),
    // A full queue drops spans; it never makes a request wait.
    spanProcessors: [new sdk.BatchSpanProcessor(exporter, { exportTimeoutMillis: exportMsMax })],
  });
  const tracer = provider.getTracer('graph');
  const propagator = new core.W3CTraceContextPropagator();
  const { SpanKind, SpanStatusCode, ROOT_CONTEXT, trace } = api;

  const below = (traceparent: string | undefined): Context =>
    traceparent ? propagator.extract(ROOT_CONTEXT, { traceparent }, api.defaultTextMapGetter) : ROOT_CONTEXT;

  function traceparentOf(context: Context): string {
    const carrier: Record<string, string> = {};
    propagator.inject(context, carrier, api.defaultTextMapSetter);
    return carrier['traceparent'] ?? '';
  }

  function fail(span: Span, type: string): void {
    span.setAttribute('error.type', type);
    span.setStatus({ code: SpanStatusCode.ERROR });
  }

  /** Ends the span when `run` has ended, and tells when it failed. */
  function around<Value>(span: Span, run: () => Value): Value {
    const failed = (error: unknown): never => {
      fail(span, error instanceof Error ? error.name : 'unknown');
      span.end();
      throw error;
    };
    try {
      const value = run();
      if (!(value instanceof Promise)) {
        span.end();
        return value;
      }
      const ended = value.then((result: unknown) => {
        span.end();
        return result;
      }, failed);
      return ended as Value;
    } catch (error) {
      return failed(error);
    }
  }

  return {
    operation({ kind, name, requestId, traceparent }): OperationSpan {
      const attributes = { 'graphql.operation.type': kind, 'request.id': requestId };
      const parent = below(traceparent);
      const span = tracer.startSpan(kind, { kind: SpanKind.SERVER, attributes }, parent);
      if (name) span.setAttribute('graphql.operation.name', name);
      const inside = trace.setSpan(parent, span);
      return {
        fetch(subgraph, run) {
          const options = { kind: SpanKind.CLIENT, attributes: { 'peer.service': `subgraph:${subgraph}` } };
          const fetch = tracer.startSpan(`fetch ${subgraph}`, options, inside);
          return around(fetch, () => run(traceparentOf(trace.setSpan(inside, fetch))));
        },
        end(code) {
          if (code !== undefined) span.setAttribute('error.type', code);
          // What was refused is the caller's; what failed is ours.
          if (code === 'internal' || code === 'unavailable') span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    served(subgraph, traceparent, run) {
      const span = tracer.startSpan(`serve ${subgraph}`, { kind: SpanKind.SERVER }, below(traceparent));
      return around(span, run);
    },
    async stop() {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, stopMsMax);
      });
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
      clearTimeout(timer);
    },
  };
}

function rootSampler(
  sdk: typeof import('@opentelemetry/sdk-trace-base'),
  { OTEL_TRACES_SAMPLER: named, OTEL_TRACES_SAMPLER_ARG: ratio }: TracingConfig,
): Sampler {
  if (named === 'parentbased_traceidratio') return new sdk.TraceIdRatioBasedSampler(ratio);
  return named === 'parentbased_always_off' ? new sdk.AlwaysOffSampler() : new sdk.AlwaysOnSampler();
}
