/** What a worker does with a job of the shared queue, and how a build is stored there. */
import type { Job, Processor } from 'bullmq';
import { z } from 'zod';
import { isNoAnswer } from '../../image/model/errors.ts';
import type { Resolution } from '../../image/model/image-set.ts';
import { traced } from '../../tracing/tracing.ts';
import type { Outcome } from '../build.ts';
import { contentKey } from '../pyramid-store.ts';
import { type Build, type BuildRequest, buildSpan, noAnswerPauseMs, noSpacePauseMs } from './build-queue.ts';

const schema = z.object({
  /** The content key of the pyramid, by which the page of the file is found. */
  key: z.string().max(100),
  /** The path of the source on the host, which is the same on all machines that share the queue. */
  path: z.string().max(8192),
  /** The trace of the request that it was for. */
  traceparent: z.string().max(100).optional(),
});

export type JobData = z.infer<typeof schema>;

export const jobOf = ({ key, source, traceparent }: Omit<BuildRequest, 'id'>): JobData => ({
  key,
  path: source.file.path,
  ...(traceparent !== undefined && { traceparent }),
});

/** Throws where the data is of another form. */
const parseJob = (data: unknown): JobData => schema.parse(data);

/** What a reader waits for is built before what is made ahead. */
export type Urgency = 'reader' | 'ahead';

/** BullMQ runs lower numbers first, and equal ones in the order of requests. */
export const priorities: Readonly<Record<Urgency, number>> = { reader: 1, ahead: 10 };

/** Reads the facts of the pages of a file of the library; none where it can't be read or is outside. Rejects where nobody answers. */
export type SourceProbe = (path: string) => Promise<readonly Resolution[]>;

/** The source of a job as the file is now; undefined where it was changed meanwhile, is gone, or is not of the library. */
export async function sourceOf({ key, path }: JobData, probe: SourceProbe, quality: number) {
  const pages = await probe(path);
  return pages.find((page) => contentKey(page, quality) === key);
}

/** What builds, and what is told of it. */
export interface Building {
  readonly build: Build;
  readonly probe: SourceProbe;
  readonly quality: number;
  /** How many are built at once. */
  readonly jobs: number;
  /** Called when a build failed for good; `path` is that of its source. */
  readonly onFailed: (reason: string, path: string) => void;
  /** Called where there is no space for a build, or the store did not answer; it is tried again later. */
  readonly onPostponed: (reason: string) => void;
  /** Called with the id of a build that ended well. */
  readonly onDone: (id: string) => void;
}

/** Where another process builds the same pyramid, its result is looked for again after this time, in ms. */
const busyPauseMs = 10_000;

type BullMq = typeof import('bullmq');

/** Puts the job back for a time; BullMQ expects the error. */
async function postpone(
  { DelayedError }: BullMq,
  job: Job<JobData>,
  token: string | undefined,
  ms: number,
): Promise<never> {
  await job.moveToDelayed(Date.now() + ms, token);
  throw new DelayedError();
}

/** Builds the pyramid of a job. The result is the kind of the outcome; a failure is thrown, and BullMQ tries again. */
export function processorOf(
  bullmq: BullMq,
  { build, probe, quality, onPostponed }: Building,
): Processor<JobData, string> {
  /** Builds in a row, of any job, for which the store did not answer. */
  let failures = 0;
  async function run(job: Job<JobData>): Promise<Outcome> {
    try {
      const source = await sourceOf(parseJob(job.data), probe, quality);
      if (source === undefined) return { kind: 'changed' };
      return await build(source, (stage) => void job.updateProgress({ stage }).catch(() => undefined));
    } catch (error) {
      if (isNoAnswer(error)) return { kind: 'no-answer', reason: error.message };
      throw error;
    }
  }
  return async (job, token) => {
    const outcome = await traced(
      () => buildSpan(job.data.traceparent),
      () => run(job),
    );
    failures = outcome.kind === 'no-answer' ? failures + 1 : 0;
    switch (outcome.kind) {
      case 'failed':
        throw new Error(outcome.reason);
      case 'busy':
        return postpone(bullmq, job, token, busyPauseMs);
      case 'no-space':
        onPostponed(outcome.reason);
        return postpone(bullmq, job, token, noSpacePauseMs);
      case 'no-answer':
        onPostponed(outcome.reason);
        return postpone(bullmq, job, token, noAnswerPauseMs(failures));
      case 'given-up':
        // This process ends; another one, or this one after its start, builds it.
        await job.moveToWait(token);
        throw new bullmq.WaitingError();
      case 'made':
      case 'exists':
      case 'changed':
        return outcome.kind;
    }
  };
}
