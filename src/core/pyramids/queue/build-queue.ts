/** The contract of the queues that build pyramids in the background: one of this process, and one that servers share. */
import type { Resolution } from '../../image/model/image-set.ts';
import type { SpanFacts } from '../../tracing/tracing.ts';
import type { Outcome } from '../build.ts';
import type { BuildStage } from '../maker.ts';

export interface BuildRequest {
  /** Identifies the build within this process, by the path of the file: copies of a file have the same `key`. */
  readonly id: string;
  /** The content key of the pyramid. */
  readonly key: string;
  readonly source: Resolution;
  /** The trace of the request that it was for. */
  readonly traceparent?: string | undefined;
}

/** The span of a build, in the trace of the request that it was for. */
export const buildSpan = (traceparent: string | undefined): SpanFacts => ({
  name: 'build pyramid',
  kind: 'consumer',
  parent: { traceparent: traceparent ?? '', isTrusted: true },
});

/** The numbers of a queue in Redis, which are the same for all that share it. */
export interface SharedQueueLoad {
  /** Which queue it is. */
  readonly queue: string;
  /** Sources that wait, without those whose pyramid is being built. */
  readonly waiting: number;
  readonly building: number;
  readonly failed: number;
}

export interface QueueLoad {
  /** Sources that wait, and those whose pyramid is being built, of all servers that share the queue. */
  readonly waiting: number;
  /** Those of them whose pyramid is being built. */
  readonly building: number;
  /** Builds that failed and are not tried again. */
  readonly failed: number;
  /** Whether the queue is shared with other servers now; undefined for a queue of this process alone. */
  readonly isShared?: boolean;
  /** What of these numbers is of the queue that is shared; undefined while there is none. */
  readonly shared?: SharedQueueLoad | undefined;
}

/** Builds the pyramids that are requested, each once. */
export interface BuildQueue {
  /** Requests a pyramid. Never blocks or throws: what can't be built is reported and counted. */
  add(request: BuildRequest): void;
  /** The numbers as they were last known; asks nobody. */
  load(): QueueLoad;
  /** Ends when the present builds have ended, which the signal of the builder ends early. */
  close(): Promise<void>;
}

/** Builds the pyramid of a source where there is none. Rejects only with errors of the program. */
export type Build = (source: Resolution, onStage?: (stage: BuildStage) => void) => Promise<Outcome>;

/** Where there was no space, in ms. */
export const noSpacePauseMs = 5 * 60_000;

const firstPauseMs = 2000;

/** Where a store did not answer, after a number of failures in a row, in ms: doubled with each one, so that a single failure costs little. */
export const noAnswerPauseMs = (failures: number): number =>
  Math.min(firstPauseMs * 2 ** (failures - 1), noSpacePauseMs);
