/** One connection to the queue in Redis, which is not mended when it breaks: another one is opened instead. */
import type { Job, Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { BuildRequest, QueueLoad } from './build-queue.ts';
import { type Building, type JobData, jobOf, priorities, processorOf, type Urgency } from './processor.ts';

/** Where the queue is in Redis. */
export interface RedisAddress {
  /** `redis://` or `rediss://`, with a name of a user and the number of a database if they are not the defaults. */
  readonly address: string;
  /** Read for each connection, so that it can be changed while servers run; undefined where none is needed. */
  readonly readPassword: () => Promise<string | undefined>;
  /** What the names of all keys begin with. */
  readonly prefix: string;
  /** A build of a process that died is begun again by another after this time, in ms. */
  readonly takeoverMs: number;
  /** The pause before a failed build is tried again, in ms; the next one is twice as long. By default 30 s. */
  readonly retryPauseMs?: number;
}

interface RedisLinkOptions extends RedisAddress {
  /** The name of the queue. */
  readonly queue: string;
  /** Undefined for a connection that only adds and lists. */
  readonly building: Building | undefined;
}

/** Redis answers within this time, in ms, or is taken for lost; a machine that is busy may take seconds. */
export const answerWithinMs = 5000;

/** A connection that is closed is waited for no longer than this, in ms. */
const closeWithinMs = 1000;

/** A build that fails is tried this often, with pauses of about 30 s and a minute, for what may pass: memory, a disk. */
const attempts = 3;
const firstPauseMs = 30_000;

/** Failed builds that are stored, and for how long, in s. */
const maxFailed = 10_000;
const failedForSeconds = 30 * 24 * 3600;

/** The jobs that wait in Redis are bounded: at about 1,300 bytes each, these take 130 MB. */
export const maxQueued = 100_000;

/** Rejects where an operation does not end in time. */
export async function within<T>(ms: number, operation: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Redis did not answer within ${ms / 1000} s`)), ms);
  });
  try {
    return await Promise.race([operation, late]);
  } finally {
    clearTimeout(timer);
    operation.catch(() => undefined);
  }
}

const connectionOptions = (password: string | undefined) => ({
  ...(password !== undefined && { password }),
  connectTimeout: answerWithinMs,
  // The worker waits for jobs, which BullMQ bounds itself.
  maxRetriesPerRequest: null,
  retryStrategy: () => null,
  lazyConnect: true,
});

/** A build that is not tried again without being asked for (a dead letter). */
export interface FailedBuild {
  readonly id: string;
  /** The path of the source on the host. */
  readonly path: string;
  /** A sentence. */
  readonly reason: string;
  /** In ms since 1970. */
  readonly failedMs: number;
}

const failedOf = (job: Job<JobData>): FailedBuild => ({
  id: job.id ?? '',
  path: job.data.path,
  reason: job.failedReason ?? '',
  failedMs: job.finishedOn ?? job.timestamp,
});

/** A build that runs, as it is listed. */
export interface RunningBuild {
  readonly id: string;
  readonly path: string;
  /** `writing` or `comparing`; empty before the first. */
  readonly stage: string;
  /** In ms since 1970. */
  readonly sinceMs: number;
}

const stageOf = ({ progress }: Job<JobData>): string =>
  typeof progress === 'object' && 'stage' in progress ? String(progress.stage) : '';

/** The numbers of a queue in Redis. */
export interface SharedLoad extends QueueLoad {
  /** Number of builds of all processes that have ended well since the queue is in this Redis. */
  readonly completed: number;
}

export class RedisLink {
  readonly #connection: Redis;
  readonly #queue: Queue<JobData>;
  readonly #worker: Worker<JobData> | undefined;
  readonly #retryPauseMs: number;
  #broken: Error | undefined;

  private constructor(
    connection: Redis,
    queue: Queue<JobData>,
    worker: Worker<JobData> | undefined,
    { retryPauseMs = firstPauseMs }: RedisAddress,
  ) {
    this.#retryPauseMs = retryPauseMs;
    this.#connection = connection;
    this.#queue = queue;
    this.#worker = worker;
    const lost = (): void => this.#break(new Error('the connection was closed'));
    queue.on('error', (error) => this.#break(error));
    connection.on('end', lost);
    worker?.on('ioredis:close', lost);
  }

  /** Rejects where Redis can't be reached in time, refuses the password, or is too old. BullMQ is loaded here, and not before. */
  static async open(options: RedisLinkOptions): Promise<RedisLink> {
    const [bullmq, { Redis }] = await Promise.all([import('bullmq'), import('ioredis')]);
    const { address, prefix, queue: name, building } = options;
    const connection = new Redis(address, connectionOptions(await options.readPassword()));
    let error: Error | undefined;
    connection.on('error', (cause) => {
      error = cause;
    });
    try {
      await within(
        answerWithinMs,
        connection.connect().then(() => connection.ping()),
      );
      const queue = new bullmq.Queue<JobData>(name, { connection, prefix });
      queue.on('error', () => undefined);
      await within(answerWithinMs, queue.waitUntilReady());
      const worker = building && openWorker(bullmq, connection, options, building);
      return new RedisLink(connection, queue, worker, options);
    } catch (cause) {
      connection.disconnect();
      throw error ?? cause;
    }
  }

  #break(error: Error): void {
    this.#broken ??= error;
  }

  /** Asks Redis whether it answers, and for the numbers. Rejects where it does not, or the connection was lost meanwhile. */
  async check(): Promise<SharedLoad> {
    if (this.#broken) throw this.#broken;
    const asked = Promise.all([
      this.#queue.getJobCounts('wait', 'prioritized', 'delayed', 'active', 'failed'),
      this.#queue.getMetrics('completed', 0, 0),
    ]);
    const [{ active = 0, failed = 0, ...waiting }, { meta }] = await within(answerWithinMs, asked);
    const sum = Object.values(waiting).reduce((total, count) => total + count, 0);
    const shared = { queue: this.#queue.name, waiting: sum, building: active, failed };
    return { waiting: sum + active, building: active, failed, isShared: true, shared, completed: meta.count };
  }

  /** Adds a job, or moves the same one forward if a reader waits for it now. Rejects where Redis does not answer. */
  add(id: string, request: Omit<BuildRequest, 'id'>, urgency: Urgency): Promise<void> {
    return within(answerWithinMs, this.#add(id, jobOf(request), priorities[urgency]));
  }

  async #add(id: string, data: JobData, priority: number): Promise<void> {
    const present = await this.#queue.getJob(id);
    if (present === undefined) {
      await this.#queue.add('build', data, {
        jobId: id,
        priority,
        attempts,
        backoff: { type: 'exponential', delay: this.#retryPauseMs, jitter: 0.5 },
        removeOnComplete: true,
        removeOnFail: { count: maxFailed, age: failedForSeconds },
        stackTraceLimit: 1,
      });
    } else if (present.priority > priority && (await present.getState()) === 'prioritized') {
      await present.changePriority({ priority });
    }
  }

  async failed(max: number): Promise<readonly FailedBuild[]> {
    return (await within(answerWithinMs, this.#queue.getFailed(0, max - 1))).map(failedOf);
  }

  async running(): Promise<readonly RunningBuild[]> {
    const jobs = await within(answerWithinMs, this.#queue.getActive(0, 999));
    return jobs.map((job) => ({
      id: job.id ?? '',
      path: job.data.path,
      stage: stageOf(job),
      sinceMs: job.processedOn ?? job.timestamp,
    }));
  }

  async #failedJob(id: string): Promise<Job<JobData> | undefined> {
    const job = await within(answerWithinMs, this.#queue.getJob(id));
    return job && (await within(answerWithinMs, job.isFailed())) ? job : undefined;
  }

  async retry(id: string): Promise<boolean> {
    const job = await this.#failedJob(id);
    if (job) await within(answerWithinMs, job.retry('failed', { resetAttemptsMade: true }));
    return job !== undefined;
  }

  async remove(id: string): Promise<boolean> {
    const job = await this.#failedJob(id);
    if (job) await within(answerWithinMs, job.remove());
    return job !== undefined;
  }

  /** Lets the present jobs be given back where `isGraceful`, and closes the connections; also where Redis hangs. Never rejects. */
  async close(isGraceful: boolean): Promise<void> {
    if (this.#worker) await closeWorker(this.#worker, isGraceful);
    await within(closeWithinMs, this.#queue.close()).catch(() => undefined);
    this.#connection.disconnect();
  }
}

/** A worker that waits for an answer of Redis is not waited for. */
async function closeWorker(worker: Worker, isGraceful: boolean): Promise<void> {
  const closing = isGraceful ? within(closeWithinMs, worker.close()) : Promise.reject(new Error('lost'));
  await closing.catch(async () => {
    const ended = Promise.all([worker.close(true), worker.disconnect()]);
    await within(closeWithinMs, ended).catch(() => undefined);
  });
}

function openWorker(
  bullmq: typeof import('bullmq'),
  connection: Redis,
  { queue, prefix, takeoverMs }: RedisLinkOptions,
  building: Building,
): Worker<JobData> {
  const worker = new bullmq.Worker<JobData>(queue, processorOf(bullmq, building), {
    connection,
    prefix,
    concurrency: building.jobs,
    lockDuration: takeoverMs,
    stalledInterval: takeoverMs,
    // A source that ends the processes which build it is not tried forever.
    maxStalledCount: attempts,
    // Counts the builds that ended well, by which other processes learn of them.
    metrics: { maxDataPoints: 1 },
  });
  // A job that another process has taken over, or that is gone with the content of Redis, is theirs.
  worker.on('error', () => undefined);
  worker.on('completed', (job) => building.onDone(job.id ?? ''));
  worker.on('failed', (job, error) => {
    if (job && job.attemptsMade >= attempts) building.onFailed(error.message, job.data.path);
  });
  return worker;
}
