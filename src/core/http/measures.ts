/** What the HTTP server measures of its requests, and the form in which every part tells its own metrics. */
import type { AnswerCounts } from './answer-counts.ts';

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
  /** The times of stages in the text form of Prometheus. */
  histogramText(): string;
}

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
