/** What the HTTP server counts and measures of its requests, and the form in which every part tells its own metrics. */

/**
 * The parts of a request's time. `admission`: the image is found and its access checked; `queue`: the rendering waits for its
 * turn; `render`: the picture is made; `send`: from the first byte of the answer to its last; `total`: from the arrival of
 * the request to the end of its answer.
 */
export const stages = ['admission', 'queue', 'render', 'send', 'total'] as const;

export type Stage = (typeof stages)[number];

export interface Measures {
  readonly counts: AnswerCounts;
  /** Records how long a stage took, in ms. Answers that need no waiting are counted alone. */
  observe(stage: Stage, ms: number): void;
  /** The times of stages; a stage that no request had is left out. */
  readonly stageRow: HistogramRow;
}

type Labels = Readonly<Record<string, string>>;

/** A number of one part, read at each scrape. */
export interface NumberRow {
  /** Without the prefix `lectern_`; the names of counters end with `_total`. */
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
  /** The values as they are now. */
  readonly read: () => readonly (readonly [value: number, labels?: Labels])[];
}

/** How often something took how long. */
export interface Durations {
  readonly labels: Labels;
  /** In seconds, ascending. */
  readonly bounds: readonly number[];
  /** How many took at most the bound of the same index, and more than the one before; the last: more than all bounds. */
  readonly counts: readonly number[];
  readonly sumSeconds: number;
}

/** Durations that a part measures itself, read at each scrape. */
export interface HistogramRow {
  /** Without the prefix `lectern_`. */
  readonly name: string;
  readonly help: string;
  readonly durations: () => readonly Durations[];
}

export type MetricRow = NumberRow | HistogramRow;

/** What a request is for; the kinds are labels of metrics, so that there are few. */
const requestKinds = [
  'picture',
  'info-json',
  'info-object',
  'information',
  'manifest',
  'document',
  'folder',
  'page',
  'server',
  'other',
] as const;

export type RequestKind = (typeof requestKinds)[number];

/** A function of each kind that returns it: one for all requests, since most are answered at once. */
export const kinds = Object.fromEntries(requestKinds.map((kind) => [kind, () => kind])) as Readonly<
  Record<RequestKind, () => RequestKind>
>;

/** The status of an answer that its client did not wait for. */
export const abandonedStatus = 499;

const statuses = 600;

/** Counts answers by kind and status: plain numbers, since the fast path counts every answer. */
export class AnswerCounts {
  readonly #counts = Object.fromEntries(requestKinds.map((kind) => [kind, new Float64Array(statuses)])) as Readonly<
    Record<RequestKind, Float64Array>
  >;

  /** Counts one answer. */
  add(kind: RequestKind, status: number): void {
    const counts = this.#counts[kind];
    counts[status] = (counts[status] ?? 0) + 1;
  }

  /** All kinds and statuses that were answered. */
  entries(): readonly { readonly kind: RequestKind; readonly status: number; readonly count: number }[] {
    return requestKinds.flatMap((kind) =>
      [...this.#counts[kind]].flatMap((count, status) => (count > 0 ? [{ kind, status, count }] : [])),
    );
  }
}

/** In seconds: from a tile out of a stored one to a picture at the deadline. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30] as const;

const prefix = 'lectern_';

const labelText = (labels: Labels): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(',');

function samplesOf(name: string, { labels, bounds, counts, sumSeconds }: Durations): readonly string[] {
  let total = 0;
  const text = labelText(labels);
  const buckets = counts.map((count, index) => {
    total += count;
    return `${name}_bucket{le="${bounds[index] ?? '+Inf'}",${text}} ${total}`;
  });
  return [...buckets, `${name}_sum{${text}} ${sumSeconds}`, `${name}_count{${text}} ${total}`];
}

/** A histogram in the text form of Prometheus. */
export function histogramText({ name, help, durations }: HistogramRow): string {
  const full = prefix + name;
  const samples = durations().flatMap((one) => samplesOf(full, one));
  return [`# HELP ${full} ${help}`, `# TYPE ${full} histogram`, ...samples, ''].join('\n');
}

/** Nothing is measured yet. The histogram is counted here, so that no library is needed before a scrape. */
export function createMeasures(): Measures {
  const byStage = new Map<Stage, { readonly counts: number[]; sumSeconds: number }>();
  return {
    counts: new AnswerCounts(),
    observe(stage, ms) {
      const seconds = ms / 1000;
      const durations = byStage.get(stage) ?? { counts: [...bounds, 0].map(() => 0), sumSeconds: 0 };
      byStage.set(stage, durations);
      const bucket = bounds.findIndex((bound) => seconds <= bound);
      const index = bucket < 0 ? bounds.length : bucket;
      durations.counts[index] = (durations.counts[index] ?? 0) + 1;
      durations.sumSeconds += seconds;
    },
    stageRow: {
      name: 'stage_seconds',
      help: 'Time of requests by stage. Answers that need no waiting, from memory or as stored tiles, are counted in lectern_answers_total alone.',
      durations: () =>
        stages.flatMap((stage) => {
          const measured = byStage.get(stage);
          return measured === undefined ? [] : [{ labels: { stage }, bounds, ...measured }];
        }),
    },
  };
}
