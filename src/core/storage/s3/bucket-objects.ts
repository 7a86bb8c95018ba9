/** Small objects below a prefix of a bucket, which are read and written whole. */
import { ifFound } from '../file-errors.ts';
import { type BucketOptions, BucketRequests } from './bucket-requests.ts';

export class BucketObjects {
  readonly #requests: BucketRequests;
  readonly #prefix: string;

  /** The prefix ends with a slash, or is empty. */
  constructor(options: BucketOptions, prefix: string) {
    this.#requests = new BucketRequests(options);
    this.#prefix = prefix;
  }

  /** Undefined where there is none, or a longer one. Rejects where the store fails. */
  get(name: string, maxBytes: number): Promise<Buffer | undefined> {
    return ifFound(this.#requests.readWhole(this.#prefix + name, maxBytes));
  }

  put(name: string, bytes: Buffer): Promise<void> {
    return this.#requests.write(this.#prefix + name, bytes);
  }

  close(): Promise<void> {
    return this.#requests.close();
  }
}
