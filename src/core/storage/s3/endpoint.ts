/** One endpoint of a store for one bucket: its client, its budget of retries and its circuits. */
import type { S3Client } from '@aws-sdk/client-s3';
import { BrokenCircuitError } from 'cockatiel';
import type { StoreAccess } from '../storage.ts';
import { observed } from './observed-client.ts';
import { Circuit, failuresToFallBack, type RequestKind, RetryBudget } from './request-attempts.ts';
import { isTimeout } from './request-errors.ts';
import { RequestProgress, type RequestTimes } from './request-progress.ts';
import { openClient } from './store-client.ts';

/** What is asked of an endpoint, by its client. */
export type SentRequest<T> = (client: S3Client, signal: AbortSignal) => Promise<T>;

interface EndpointOptions extends StoreAccess {
  readonly bucket: string;
  readonly mayList?: boolean;
  /** Whether it is asked where another one fails. */
  readonly isFallback: boolean;
}

export interface Asked {
  readonly kind: RequestKind;
  /** What fails together. */
  readonly key: string;
  readonly times: RequestTimes;
  /** On the clock of `performance.now()`. */
  readonly beganMs: number;
  readonly onProgress: () => void;
}

export class Endpoint {
  readonly #options: EndpointOptions;
  readonly #budget: RetryBudget;
  readonly #circuits: Readonly<Record<RequestKind, Circuit>>;
  #client: Promise<S3Client> | undefined;

  constructor(options: EndpointOptions) {
    this.#options = options;
    const { bucket, observer, isFallback, fallback } = options;
    // Where there is another endpoint, that is asked after a request that took all of its time.
    this.#budget = new RetryBudget((error) => fallback === undefined || isFallback || !isTimeout(error));
    const circuitOf = (kind: RequestKind): Circuit =>
      new Circuit(
        (state) => !isFallback && observer?.circuit({ bucket, kind }, state),
        fallback === undefined || isFallback ? undefined : failuresToFallBack,
      );
    this.#circuits = { list: circuitOf('list'), read: circuitOf('read'), write: circuitOf('write') };
  }

  /** Why nothing of a kind is asked of it now; undefined where it is asked. */
  refusal(kind: RequestKind): BrokenCircuitError | undefined {
    const circuit = this.#circuits[kind];
    return circuit.isClosed ? undefined : Object.assign(new BrokenCircuitError(), { cause: circuit.lastError });
  }

  /** Asks whether it answers again, where it is time for that and nobody else asks. Never rejects. */
  async probe<T>(asked: Asked, request: SentRequest<T>): Promise<void> {
    if (this.#circuits[asked.kind].isOpen) await this.run(asked, request).catch(() => undefined);
  }

  /** Rejects as the request does, or with BrokenCircuitError. */
  async run<T>({ kind, key, times, beganMs, onProgress }: Asked, request: SentRequest<T>): Promise<T> {
    let attempts = 0;
    const attempt = async (client: S3Client): Promise<T> => {
      const progress = new RequestProgress(times, beganMs, onProgress);
      try {
        const isRetry = attempts++ > 0;
        return await observed({ ...this.#options, isRetry, received: () => progress.received }, () =>
          request(client, progress.signal),
        );
      } finally {
        progress.end();
      }
    };
    this.#client ??= openClient(this.#options);
    const client = await this.#client;
    const late = AbortSignal.timeout(Math.max(0, Math.ceil(times.deadlineMs - (performance.now() - beganMs))));
    return this.#budget.run(() => this.#circuits[kind].run(key, () => attempt(client)), late);
  }

  async close(): Promise<void> {
    (await this.#client?.catch(() => undefined))?.destroy();
  }
}
