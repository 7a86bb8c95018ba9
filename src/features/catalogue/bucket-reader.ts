/** Reads objects of buckets, whichever they are: for fillings and for the metadata of folders. */
import { ifFound } from '../../core/storage/file-errors.ts';
import { BucketRequests, type StoredObject } from '../../core/storage/s3/bucket-requests.ts';
import type { StoreAccess } from '../../core/storage/storage.ts';

/** Methods reject as those of `BucketRequests`. */
export class BucketReader {
  readonly #access: StoreAccess;
  readonly #requests = new Map<string, BucketRequests>();

  constructor(access: StoreAccess) {
    this.#access = access;
  }

  requests(bucket: string): BucketRequests {
    const requests = this.#requests.get(bucket) ?? new BucketRequests({ ...this.#access, bucket });
    this.#requests.set(bucket, requests);
    return requests;
  }

  head(bucket: string, key: string): Promise<StoredObject> {
    return this.requests(bucket).head(key);
  }

  readPart(bucket: string, key: string, object: StoredObject, at: number, length: number): Promise<Buffer> {
    return this.requests(bucket).read(key, object, at, length);
  }

  /** Undefined where there is none, or where it is longer. */
  readWhole(bucket: string, key: string, maxBytes: number): Promise<Buffer | undefined> {
    return ifFound(this.requests(bucket).readWhole(key, maxBytes));
  }

  async close(): Promise<void> {
    for (const requests of this.#requests.values()) await requests.close();
  }
}
