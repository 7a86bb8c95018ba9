/**
 * Spans of what the process does for a request (https://opentelemetry.io): one tracer for all parts of the process, which there is only
 * where the settings say where spans are sent. Without it nothing is done here, and nothing of OpenTelemetry is loaded.
 */

export type Attributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanFacts {
  /** Few different ones: what varies is in the attributes, named by the semantic conventions where they have a name. */
  readonly name: string;
  readonly kind?: 'server' | 'client' | 'consumer';
  readonly attributes?: Attributes;
  /**
   * The `traceparent` of another process, with whether it may decide that the trace is recorded; by default the span that
   * runs. Empty for a trace of its own.
   */
  readonly parent?: { readonly traceparent: string; readonly isTrusted: boolean };
}

export interface OpenSpan {
  /** Headers by which another process goes on with the trace. */
  readonly headers: Readonly<Record<string, string>>;
  /** What is started within becomes a part of it. */
  run<T>(work: () => T): T;
  rename(name: string): void;
  /** `failure` names why it failed, in one word. */
  end(attributes?: Attributes, failure?: string): void;
}

export interface Tracer {
  start(facts: SpanFacts): OpenSpan;
  /** The headers of the span that runs; none where none does. */
  headers(): Readonly<Record<string, string>>;
}

let current: Tracer | undefined;

/** Sets the tracer of this process; undefined for none. */
export function setTracer(tracer: Tracer | undefined): void {
  current = tracer;
}

export const hasTracer = (): boolean => current !== undefined;

/** Undefined where there is no tracer. */
export const startSpan = (facts: SpanFacts): OpenSpan | undefined => current?.start(facts);

/** The `traceparent` of the span that runs. */
export const traceparent = (): string | undefined => current?.headers()['traceparent'];

/** Codes of errors that are answers. */
const answers: ReadonlySet<unknown> = new Set(['not-found', 'denied', 'login-needed', 'changed', 'abandoned']);

const failureOf = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return 'error';
  const code = 'code' in error ? error.code : undefined;
  return answers.has(code) ? undefined : String(code ?? error.name);
};

/** The result of work, which is a span where there is a tracer. */
export async function traced<T>(facts: () => SpanFacts, work: () => Promise<T>): Promise<T> {
  const span = current?.start(facts());
  if (span === undefined) return work();
  try {
    const result = await span.run(work);
    span.end();
    return result;
  } catch (error) {
    span.end({}, failureOf(error));
    throw error;
  }
}
