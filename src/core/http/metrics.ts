/** What the HTTP server measures of its requests, and the page on which Prometheus reads all metrics. */
import type { AnswerCounts } from './answer-counts.ts';

/**
 * The parts of a request's time. `admission`: the image is found and its access checked; `queue`: the rendering waits for its
 * turn; `render`: the picture is made; `send`: from the first byte of the answer to its last; `total`: from the arrival of
 * the request to the end of its answer.
 */
export const stages = ['admission', 'queue', 'render', 'send', 'total'] as const;

export type Stage = (typeof stages)[number];

export interface Metrics {
  readonly counts: AnswerCounts;
  /** Records how long a stage took, in ms. Answers that need no waiting are counted alone. */
  observe(stage: Stage, ms: number): void;
  /** All metrics in the text form of Prometheus. */
  text(): Promise<string>;
  readonly mediaType: string;
}
