/** Who is told of the requests to remote stores, for metrics, the log and traces: types alone. */

/** What a request does in a bucket; `upload` is a part of a file that is put in several. */
export type StoreOperation = 'list' | 'head' | 'get' | 'put' | 'delete' | 'upload';

/** Why a request failed. That an object is missing or changed is an answer, and no failure. */
export type StoreFailure =
  | 'timeout'
  | 'connection'
  | 'throttled'
  | 'server-error'
  | 'denied'
  | 'wrong-answer'
  | 'other';

/** One request that is sent to a store. */
export interface StoreRequest {
  readonly bucket: string;
  readonly operation: StoreOperation;
  /** Undefined where it is for no single object. */
  readonly key: string | undefined;
  /** Whether one for the same failed before. */
  readonly isRetry: boolean;
  /** Whether it is sent to the fallback endpoint, since the first one failed. */
  readonly isFallback: boolean;
}

/** What became of a request. */
export interface StoreResult {
  /** Bytes of bodies, read or written. */
  readonly bytes: number;
  /** Undefined where there was no answer. */
  readonly status: number | undefined;
  /** The store’s own name of the request, by which its operators find it. */
  readonly requestId: string | undefined;
  /** Undefined where it did not fail. */
  readonly failure: StoreFailure | undefined;
  readonly error: unknown;
}

export interface ObservedRequest {
  /** Headers that are sent with it. */
  readonly headers: Readonly<Record<string, string>>;
  /** Called once, when its body has been read or it failed. */
  end(result: StoreResult): void;
}

/** Whether requests of a kind are sent to a bucket: not while its circuit is open, and one on trial while it is half open. */
export type CircuitState = 'closed' | 'half-open' | 'open';

/** Copies of remote files on a local disk. */
export interface CopyStats {
  readonly files: number;
  readonly bytes: number;
  readonly maxBytes: number;
  readonly evictions: number;
  /** Copies that failed because the disk was full, or could not be written for another reason. */
  readonly faults: { readonly full: number; readonly other: number };
  /** Why the last copy could not be written; undefined where it could, or where there is space for it again. */
  readonly lack: 'full' | 'fails' | undefined;
}

export interface StoreObserver {
  /** A request is sent. */
  begin(request: StoreRequest): ObservedRequest;
  /** A request was not sent, since the circuit of the bucket is open. */
  refused(bucket: string): void;
  circuit(circuit: { readonly bucket: string; readonly kind: string }, state: CircuitState): void;
  /** Where the numbers of copies are read from. */
  copies(stats: () => CopyStats): void;
}
