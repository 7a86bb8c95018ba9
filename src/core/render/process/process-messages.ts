/** The messages between the server and its render processes, as plain data. */
import type { ImageErrorCode } from '../../image/model/errors.ts';
import type { Render } from '../../image/plan/plan-types.ts';
import type { Derivative } from '../execute.ts';

/** A plan to render. */
export interface JobMessage {
  /** Unique among the jobs of a process. */
  readonly id: number;
  readonly plan: Render;
}

/** The outcome of a job; errors lose their class between processes. */
export type JobResult =
  | ({ readonly kind: 'done' } & Derivative)
  | { readonly kind: 'failed'; readonly code: ImageErrorCode; readonly message: string; readonly cause: string };

export interface ResultMessage {
  readonly id: number;
  readonly result: JobResult;
  /** Processor time of the process since its start, in ms. */
  readonly processorMs: number;
}
