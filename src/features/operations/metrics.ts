/** The metrics page for Prometheus: read from the parts when they are asked for, so that they cost nothing before. */
import type { Counter, Gauge, Registry } from 'prom-client';
import { about } from '../../core/http/about.ts';
import {
  type AnswerCounts,
  abandonedStatus,
  type HistogramRow,
  histogramText,
  type Measures,
  type MetricRow,
  type NumberRow,
} from '../../core/http/request-metrics.ts';

/** All metrics in the text form of Prometheus. */
export interface MetricsPage {
  readonly mediaType: string;
  text(): Promise<string>;
}

const prefix = 'lectern_';

type Prometheus = typeof import('prom-client');

const isHistogram = (row: MetricRow): row is HistogramRow => 'durations' in row;
const isNumber = (row: MetricRow): row is NumberRow => !isHistogram(row);

/** Forgets all values. A metric without labels would be 0 then, and a server without Redis would say that it is lost. */
function clear(metric: Counter | Gauge, { labels = [] }: NumberRow): void {
  metric.reset();
  if (labels.length === 0) metric.remove();
}

function register(row: NumberRow, registry: Registry, { Counter, Gauge }: Prometheus): void {
  const { name, help, labels: labelNames = [], read } = row;
  const options = { name: prefix + name, help, labelNames: [...labelNames], registers: [registry] };
  if (name.endsWith('_total')) {
    const counter = new Counter({
      ...options,
      collect() {
        clear(counter, row);
        for (const [value, labels = {}] of read()) counter.inc(labels, value);
      },
    });
    return;
  }
  const gauge = new Gauge({
    ...options,
    collect() {
      clear(gauge, row);
      for (const [value, labels = {}] of read()) gauge.set(labels, value);
    },
  });
}

const answerRow = (counts: AnswerCounts): NumberRow => ({
  name: 'answers_total',
  help: `Answers by kind of request and status; ${abandonedStatus}: the client went away before the end.`,
  labels: ['kind', 'status'],
  read: () => counts.entries().map(({ kind, status, count }) => [count, { kind, status: String(status) }]),
});

const versionRow: NumberRow = {
  name: 'build_info',
  help: 'Always 1; the label says which version runs.',
  labels: ['version'],
  read: () => [[1, { version: about.version }]],
};

/** A registry of these rows and of the process's own metrics, which are measured from then on. */
async function openRegistry(rows: readonly NumberRow[]): Promise<Registry> {
  const prometheus = await import('prom-client');
  const registry = new prometheus.Registry();
  for (const row of rows) register(row, registry, prometheus);
  prometheus.collectDefaultMetrics({ register: registry });
  return registry;
}

/** The metrics, to which `rows` add those of the parts. The process's own are measured from the first scrape on. */
export function createMetricsPage(measures: Measures, rows: () => readonly MetricRow[]): MetricsPage {
  let registry: Promise<Registry> | undefined;
  return {
    mediaType: 'text/plain; version=0.0.4; charset=utf-8',
    async text() {
      const all = [versionRow, answerRow(measures.counts), measures.stageRow, ...rows()];
      registry ??= openRegistry(all.filter(isNumber));
      return `${await (await registry).metrics()}\n${all.filter(isHistogram).map(histogramText).join('')}`;
    },
  };
}
