/** Counts the requests to remote stores by bucket and operation, and logs a bucket that fails: once when it begins, once when it is over. */

import { type Attributes, type SpanFacts, startSpan } from '../tracing/tracing.ts';
import { FaultReporter } from './fault-reporter.ts';
import { hexDigest } from './layout.ts';
import type {
  CircuitState,
  CopyStats,
  ObservedRequest,
  StoreFailure,
  StoreObserver,
  StoreOperation,
  StoreRequest,
  StoreResult,
} from './store-observer.ts';

/** In seconds: from a store in the same room to the deadline of an upload. */
export const requestBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60] as const;

/** The requests of one operation in one bucket. */
export interface OperationCounts {
  readonly bucket: string;
  readonly operation: StoreOperation;
  readonly requests: number;
  readonly retries: number;
  readonly bytes: number;
  readonly failures: ReadonlyMap<StoreFailure, number>;
  /** How many took at most the bound of the same index, and more than the one before; the last: more than all bounds. */
  readonly durations: readonly number[];
  readonly sumSeconds: number;
}

export interface BucketState {
  readonly bucket: string;
  /** The states of its circuits, by the kind of request. */
  readonly circuits: ReadonlyMap<string, CircuitState>;
  /** Requests that were not sent, since the circuit was open. */
  readonly refused: number;
  /** Whether it fails now: the last requests all did. */
  readonly isFailing: boolean;
  /** Requests that the fallback endpoint answered. */
  readonly fallbacks: number;
  /** Whether it fails and its fallback endpoint answers. */
  readonly isFallenBack: boolean;
}

interface Log {
  warn(facts: object, message: string): void;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

interface Operation extends Mutable<OperationCounts> {
  readonly failures: Map<StoreFailure, number>;
  readonly durations: number[];
}

interface Bucket extends Mutable<Omit<BucketState, 'isFailing'>> {
  fallbackFailuresInARow: number;
  readonly circuits: Map<string, CircuitState>;
  readonly operations: Map<StoreOperation, Operation>;
  /** Failures since the last success, and when the first of them was, in ms since 1970. */
  failuresInARow: number;
  failingSinceMs: number;
}

/** After this many failures in a row a bucket fails; fewer are those of single keys, or pass by a retry. */
const failuresOfBucket = 3;

/** Digits of the hash that stands for a key in the log: a key may say what the log shall not. */
const keyDigits = 16;

/** The hash that stands for a key in the log; `printf %s KEY | sha256sum` begins with it. */
export const keyHash = (key: string): string => hexDigest(key, keyDigits);

/** The names of the S3 API. */
const methods: Readonly<Record<StoreOperation, string>> = {
  list: 'ListObjectsV2',
  head: 'HeadObject',
  get: 'GetObject',
  put: 'PutObject',
  delete: 'DeleteObject',
  upload: 'UploadPart',
};

const spanOf = ({ bucket, operation, key, isRetry }: StoreRequest): SpanFacts => ({
  name: `S3.${methods[operation]}`,
  kind: 'client',
  attributes: {
    ...{ 'rpc.system': 'aws-api', 'rpc.service': 'S3', 'rpc.method': methods[operation], 'aws.s3.bucket': bucket },
    ...(key !== undefined && { 'lectern.key_hash': keyHash(key) }),
    ...(isRetry && { 'lectern.is_retry': true }),
  },
});

const attributesOf = ({ status, requestId, bytes }: StoreResult): Attributes => ({
  'lectern.bytes': bytes,
  ...(status !== undefined && { 'http.response.status_code': status }),
  ...(requestId !== undefined && { 'aws.request_id': requestId }),
});

const reasonOf = (error: unknown): string | undefined =>
  error instanceof Error ? `${error.name}: ${error.message}` : undefined;

export class StoreActivity implements StoreObserver {
  readonly #log: Log;
  readonly #buckets = new Map<string, Bucket>();
  readonly #faults: FaultReporter<string>;
  #copies: (() => CopyStats) | undefined;

  constructor(log: Log) {
    this.#log = log;
    this.#faults = new FaultReporter((message, facts) => log.warn(facts ?? {}, message));
  }

  begin(request: StoreRequest): ObservedRequest {
    const counts = this.#countsOf(request);
    counts.requests++;
    if (request.isRetry) counts.retries++;
    const begunMs = performance.now();
    const span = startSpan(spanOf(request));
    return {
      headers: span?.headers ?? {},
      end: (result) => {
        span?.end(attributesOf(result), result.failure);
        const seconds = (performance.now() - begunMs) / 1000;
        const index = requestBounds.findIndex((bound) => seconds <= bound);
        const slot = index < 0 ? requestBounds.length : index;
        counts.durations[slot] = (counts.durations[slot] ?? 0) + 1;
        counts.sumSeconds += seconds;
        counts.bytes += result.bytes;
        if (request.isFallback) this.#endFallback(request, result);
        else if (result.failure === undefined) this.#succeed(request.bucket);
        else this.#fail(request, result, result.failure);
      },
    };
  }

  refused(bucket: string): void {
    this.#bucketOf(bucket).refused++;
  }

  circuit({ bucket, kind }: { readonly bucket: string; readonly kind: string }, state: CircuitState): void {
    this.#bucketOf(bucket).circuits.set(kind, state);
  }

  copies(stats: () => CopyStats): void {
    this.#copies = stats;
  }

  /** Undefined where there is no folder of copies. */
  copyStats(): CopyStats | undefined {
    return this.#copies?.();
  }

  operations(): readonly OperationCounts[] {
    return [...this.#buckets.values()].flatMap(({ operations }) => [...operations.values()]);
  }

  buckets(): readonly BucketState[] {
    return [...this.#buckets.values()].map((bucket) => ({ ...bucket, isFailing: isFailing(bucket) }));
  }

  #succeed(name: string): void {
    const bucket = this.#bucketOf(name);
    const { failuresInARow: failures, failingSinceMs } = bucket;
    if (failures === 0) return;
    bucket.failuresInARow = 0;
    bucket.isFallenBack = false;
    const seconds = Math.round((Date.now() - failingSinceMs) / 1000);
    if (this.#faults.recover(name) && failures >= failuresOfBucket)
      this.#log.warn({ bucket: name, failures, seconds }, 'the object store answers again');
  }

  /** A line says that the fallback endpoint answers, and one of it that it fails too. */
  #endFallback(request: StoreRequest, result: StoreResult): void {
    const { bucket: name } = request;
    const bucket = this.#bucketOf(name);
    if (result.failure !== undefined) {
      if (++bucket.fallbackFailuresInARow >= failuresOfBucket) bucket.isFallenBack = false;
      this.#report(`${name} fallback`, 'a request to the fallback endpoint failed too', request, result);
      return;
    }
    bucket.fallbacks++;
    bucket.fallbackFailuresInARow = 0;
    this.#faults.recover(`${name} fallback`);
    if (bucket.isFallenBack || !isFailing(bucket)) return;
    bucket.isFallenBack = true;
    this.#log.warn({ bucket: name }, 'the object store fails, and its fallback endpoint answers for it');
  }

  #fail(request: StoreRequest, result: StoreResult, kind: StoreFailure) {
    const bucket = this.#bucketOf(request.bucket);
    if (bucket.failuresInARow++ === 0) bucket.failingSinceMs = Date.now();
    const message = 'a request to the object store failed; further failures are counted until it answers';
    this.#report(request.bucket, message, request, { ...result, failure: kind });
  }

  #report(
    what: string,
    message: string,
    { bucket: name, operation, key }: StoreRequest,
    { status, requestId, error, failure: kind }: StoreResult,
  ): void {
    const { failures } = this.#countsOf({ bucket: name, operation });
    if (kind !== undefined) failures.set(kind, (failures.get(kind) ?? 0) + 1);
    this.#faults.report(what, message, {
      ...{ bucket: name, operation, failure: kind },
      ...(key !== undefined && { keyHash: keyHash(key) }),
      ...(status !== undefined && { status }),
      ...(requestId !== undefined && { storeRequestId: requestId }),
      reason: reasonOf(error),
    });
  }

  #bucketOf(name: string): Bucket {
    const known = this.#buckets.get(name);
    if (known !== undefined) return known;
    const bucket: Bucket = {
      ...{ bucket: name, circuits: new Map(), refused: 0, fallbacks: 0, isFallenBack: false },
      ...{ operations: new Map(), failuresInARow: 0, failingSinceMs: 0, fallbackFailuresInARow: 0 },
    };
    this.#buckets.set(name, bucket);
    return bucket;
  }

  #countsOf({ bucket, operation }: Pick<StoreRequest, 'bucket' | 'operation'>): Operation {
    const { operations } = this.#bucketOf(bucket);
    const known = operations.get(operation);
    if (known !== undefined) return known;
    const counts: Operation = {
      ...{ bucket, operation, requests: 0, retries: 0, bytes: 0, failures: new Map() },
      ...{ durations: [...requestBounds, 0].map(() => 0), sumSeconds: 0 },
    };
    operations.set(operation, counts);
    return counts;
  }
}

const isFailing = ({ failuresInARow, circuits }: Bucket): boolean =>
  failuresInARow >= failuresOfBucket || [...circuits.values()].includes('open');
