/** The tracer of OpenTelemetry: spans are sent in batches by OTLP over HTTP, in the background. Loaded only where it is switched on. */
import {
  type Context,
  context,
  createContextKey,
  DiagLogLevel,
  diag,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-node';
import type { OpenSpan, SpanFacts, Tracer } from './tracing.ts';

export interface OpenTelemetryOptions {
  /** The collector, to which `/v1/traces` is added; by default as the variables of OpenTelemetry say. */
  readonly endpoint: string | undefined;
  /** The part of the traces that begin here which is recorded; undefined where the variables say it. */
  readonly ratio: number | undefined;
  readonly service: { readonly name: string; readonly version: string };
  /** Called where spans can’t be sent, at any rate. */
  readonly onFault: (message: string) => void;
}

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER } as const;

const untrusted = createContextKey('a parent that may not decide what is recorded');

/** A parent that was sent by anyone is gone on with, but it does not make the server record more than its part. */
function samplerOf(ratio: number): Sampler {
  const own = new TraceIdRatioBasedSampler(ratio);
  const asParent = new ParentBasedSampler({ root: own });
  return {
    shouldSample: (parent, ...facts) =>
      (parent.getValue(untrusted) === true ? own : asParent).shouldSample(parent, ...facts),
    toString: () => `Lectern{${ratio}}`,
  };
}

function contextOf(parent: SpanFacts['parent']): Context {
  if (parent === undefined) return context.active();
  const sent = propagation.extract(ROOT_CONTEXT, { traceparent: parent.traceparent });
  return parent.isTrusted ? sent : sent.setValue(untrusted, true);
}

/** Sends what is recorded; `close` sends the rest. */
export function openTelemetry({ endpoint, ratio, service, onFault }: OpenTelemetryOptions) {
  diag.setLogger(
    { error: (message) => onFault(message), warn: () => {}, info: () => {}, debug: () => {}, verbose: () => {} },
    { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true },
  );
  const url = endpoint === undefined ? {} : { url: `${endpoint.replace(/\/+$/, '')}/v1/traces` };
  const provider = new NodeTracerProvider({
    resource: defaultResource().merge(
      resourceFromAttributes({ 'service.name': service.name, 'service.version': service.version }),
    ),
    ...(ratio !== undefined && { sampler: samplerOf(ratio) }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter(url))],
  });
  provider.register();
  const own = provider.getTracer(service.name, service.version);

  function headersOf(of: Context): Readonly<Record<string, string>> {
    const headers: Record<string, string> = {};
    propagation.inject(of, headers);
    return headers;
  }

  function start({ name, kind, attributes = {}, parent }: SpanFacts): OpenSpan {
    const around = contextOf(parent);
    const span = own.startSpan(name, { attributes, ...(kind && { kind: kinds[kind] }) }, around);
    const within = trace.setSpan(around, span).deleteValue(untrusted);
    return {
      headers: headersOf(within),
      run: (work) => context.with(within, work),
      rename: (other) => void span.updateName(other),
      end(further = {}, failure) {
        span.setAttributes(further);
        if (failure !== undefined) {
          span.setAttribute('error.type', failure);
          span.setStatus({ code: SpanStatusCode.ERROR });
        }
        span.end();
      },
    };
  }

  const tracer: Tracer = { start, headers: () => headersOf(context.active()) };
  return {
    tracer,
    async close(): Promise<void> {
      await provider.shutdown().catch((error: unknown) => onFault(String(error)));
      trace.disable();
      context.disable();
      propagation.disable();
      diag.disable();
    },
  };
}
