/** Tells an observer of every request that a client of the SDK sends: when it begins, and what became of it and of its body. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { S3Client } from '@aws-sdk/client-s3';
import type { ObservedRequest, StoreObserver, StoreOperation } from '../store-observer.ts';
import { failureOf, requestIdOf, statusOf } from './request-errors.ts';

/** What an attempt is observed with. */
interface Observation {
  readonly observer: StoreObserver;
  readonly bucket: string;
  readonly isRetry: boolean;
  /** Whether the request is sent to the fallback endpoint. */
  readonly isFallback: boolean;
  /** Whether the key may list the bucket: a store does not tell another one which objects are missing. */
  readonly mayList: boolean;
  /** Bytes of answers that the attempt has got so far. */
  readonly received: () => number;
}

interface PossibleObservation extends Pick<Observation, 'bucket' | 'isRetry' | 'received'> {
  readonly isFallback?: boolean;
  readonly observer?: StoreObserver | undefined;
  readonly mayList?: boolean;
}

const operations: Readonly<Record<string, StoreOperation>> = {
  ListObjectsV2Command: 'list',
  HeadObjectCommand: 'head',
  GetObjectCommand: 'get',
  PutObjectCommand: 'put',
  DeleteObjectCommand: 'delete',
};

/** An attempt sends one request after the other, mostly one alone. */
class Attempt {
  readonly #observation: Observation;
  #request: ObservedRequest | undefined;
  #sent = 0;
  /** What was received before the request. */
  #before = 0;
  #status: number | undefined;
  #requestId: string | undefined;

  constructor(observation: Observation) {
    this.#observation = observation;
  }

  begin(command: string | undefined, key: string | undefined): Readonly<Record<string, string>> {
    this.end();
    const { observer, bucket, isRetry, isFallback } = this.#observation;
    const operation = operations[command ?? ''] ?? 'upload';
    this.#request = observer.begin({ bucket, operation, key, isRetry, isFallback });
    return this.#request.headers;
  }

  answered(status: number | undefined, requestId: string | undefined): void {
    this.#status = status;
    this.#requestId = requestId;
  }

  sends(bytes: number): void {
    this.#sent = bytes;
  }

  end(error?: unknown): void {
    const received = this.#observation.received();
    const result = {
      bytes: this.#sent + received - this.#before,
      status: this.#status ?? statusOf(error),
      requestId: this.#requestId ?? requestIdOf(error),
      failure: error === undefined ? undefined : failureOf(error, this.#observation.mayList),
      error,
    };
    this.#request?.end(result);
    this.#request = undefined;
    this.#sent = 0;
    this.#before = received;
    this.#status = undefined;
    this.#requestId = undefined;
  }
}

const current = new AsyncLocalStorage<Attempt>();

/** Runs an attempt, of which an observer is told, where there is one. */
export async function observed<T>(
  { observer, bucket, isRetry, received, isFallback = false, mayList = true }: PossibleObservation,
  run: () => Promise<T>,
): Promise<T> {
  if (observer === undefined) return run();
  const attempt = new Attempt({ observer, bucket, isRetry, isFallback, received, mayList });
  try {
    const result = await current.run(attempt, run);
    attempt.end();
    return result;
  } catch (error) {
    attempt.end(error);
    throw error;
  }
}

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The member of a value that may be none of the expected form. */
const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && name in value ? value[name as keyof typeof value] : undefined;

/** Lets a client tell of its requests. Headers are added behind the signature, which proxies must not break by changing them. */
export function observeClient(client: S3Client): void {
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const attempt = current.getStore();
      if (attempt === undefined) return next(args);
      const headers = attempt.begin(textOf(context['commandName']), textOf(member(args.input, 'Key')));
      const sent = member(args.request, 'headers');
      if (typeof sent === 'object' && sent !== null) Object.assign(sent, headers);
      const body = member(args.input, 'Body');
      if (Buffer.isBuffer(body)) attempt.sends(body.length);
      const result = await next(args);
      const metadata = member(result.output, '$metadata');
      attempt.answered(numberOf(member(metadata, 'httpStatusCode')), textOf(member(metadata, 'requestId')));
      return result;
    },
    { step: 'finalizeRequest', priority: 'low', name: 'lecternObserver' },
  );
}
