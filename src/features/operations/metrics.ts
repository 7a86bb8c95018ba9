/** The metrics of the server for Prometheus: read from the parts when they are asked for, so that they cost nothing before. */
import type { Registry } from 'prom-client';
import { about } from '../../app/about.ts';
import { AnswerCounts, abandonedStatus } from '../../core/http/answer-counts.ts';
import type { Metrics } from '../../core/http/metrics.ts';
import { createStageHistogram } from './stage-histogram.ts';

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

type Prometheus = typeof import('prom-client');

function register(
  { name, help, labels: labelNames = [], read }: MetricRow,
  registry: Registry,
  { Counter, Gauge }: Prometheus,
): void {
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

/** A registry of these rows and of the process's own metrics, which are measured from then on. */
async function openRegistry(rows: readonly MetricRow[]): Promise<Registry> {
  const prometheus = await import('prom-client');
  const registry = new prometheus.Registry();
  for (const row of rows) register(row, registry, prometheus);
  prometheus.collectDefaultMetrics({ register: registry });
  return registry;
}

/** The metrics, to which `rows` add those of the parts. The process's own are measured from the first scrape on. */
export function createMetrics(rows: readonly MetricRow[]): Metrics {
  const counts = new AnswerCounts();
  const histogram = createStageHistogram(
    `${prefix}stage_seconds`,
    'Time of requests by stage. Answers that need no waiting, from memory or as stored tiles, are counted in lectern_answers_total alone.',
  );
  let registry: Promise<Registry> | undefined;
  return {
    counts,
    mediaType: 'text/plain; version=0.0.4; charset=utf-8',
    observe: (stage, ms) => histogram.observe(stage, ms / 1000),
    async text() {
      registry ??= openRegistry([versionRow, answerRow(counts), ...rows]);
      return `${await (await registry).metrics()}\n${histogram.text()}`;
    },
  };
}
