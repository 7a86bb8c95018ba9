/** The metrics of the server for Prometheus: read from the parts when they are asked for, so that they cost nothing before. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { AnswerCounts, abandonedStatus } from '../http/answer-counts.ts';
import { type Metrics, type Stage, stages } from '../http/metrics.ts';
import { about } from './about.ts';

type Labels = Readonly<Record<string, string>>;

/** A number of one part, read at each scrape. */
export interface MetricRow {
  /** Without the prefix `lectern_`; the names of counters end with `_total`. */
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
  /** The values as they are now. */
  readonly read: () => readonly (readonly [value: number, labels?: Labels])[];
}

const prefix = 'lectern_';

/** In seconds: from a tile out of a stored one to a picture at the deadline. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30];

function register({ name, help, labels: labelNames = [], read }: MetricRow, registry: Registry): void {
  const options = { name: prefix + name, help, labelNames: [...labelNames], registers: [registry] };
  if (name.endsWith('_total')) {
    const counter = new Counter({
      ...options,
      collect() {
        counter.reset();
        for (const [value, labels = {}] of read()) counter.inc(labels, value);
      },
    });
    return;
  }
  const gauge = new Gauge({
    ...options,
    collect() {
      gauge.reset();
      for (const [value, labels = {}] of read()) gauge.set(labels, value);
    },
  });
}

const answerRow = (counts: AnswerCounts): MetricRow => ({
  name: 'answers_total',
  help: `Answers by kind of request and status; ${abandonedStatus}: the client went away before the end.`,
  labels: ['kind', 'status'],
  read: () => counts.entries().map(({ kind, status, count }) => [count, { kind, status: String(status) }]),
});

const versionRow: MetricRow = {
  name: 'build_info',
  help: 'Always 1; the label says which version runs.',
  labels: ['version'],
  read: () => [[1, { version: about.version }]],
};

/** The metrics, to which `rows` add those of the parts. The process's own are measured from the first scrape on. */
export function createMetrics(rows: readonly MetricRow[]): Metrics {
  const registry = new Registry();
  const counts = new AnswerCounts();
  for (const row of [versionRow, answerRow(counts), ...rows]) register(row, registry);
  const seconds = new Histogram({
    name: `${prefix}stage_seconds`,
    help: 'Time of requests by stage. Answers that need no waiting, from memory or as stored tiles, are counted in lectern_answers_total alone.',
    labelNames: ['stage'],
    buckets,
    registers: [registry],
  });
  const byStage = new Map<Stage, { observe(value: number): void }>(
    stages.map((stage) => [stage, seconds.labels(stage)]),
  );
  let measuresProcess = false;
  return {
    counts,
    mediaType: registry.contentType,
    observe: (stage, ms) => byStage.get(stage)?.observe(ms / 1000),
    text() {
      if (!measuresProcess) collectDefaultMetrics({ register: registry });
      measuresProcess = true;
      return registry.metrics();
    },
  };
}
