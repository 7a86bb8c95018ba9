/** Derivatives that several servers share, in a bucket: read before one is made, written behind, and verified. */
import { setTimeout as pause } from 'node:timers/promises';
import PQueue from 'p-queue';
import { FaultReporter, type OnFault } from '../storage/fault-reporter.ts';
import type { SmallObjects } from '../storage/storage.ts';
import { waitForStore } from '../storage/store-time.ts';
import { addressOf, entryBytes, maxFileBytes, payloadOf } from './entry-file.ts';

/** A store that takes longer than this, in ms, is not waited for: the picture is made. */
const readWithinMs = 1000;

const concurrentWrites = 4;

/** No more bytes wait to be written. */
const maxWaitingBytes = 32 * 1024 * 1024;

/** What is being written when the server ends is waited for, at most this long, in ms. */
const endWithinMs = 5000;

const nameOf = (hash: string): string => `${hash.slice(0, 2)}/${hash}.derivative`;

export class SharedCache {
  readonly #objects: SmallObjects;
  readonly #faults: FaultReporter<'reading' | 'writing' | 'damage'>;
  readonly #writes = new PQueue({ concurrency: concurrentWrites });
  #waitingBytes = 0;

  constructor(objects: SmallObjects, onFault: OnFault) {
    this.#objects = objects;
    this.#faults = new FaultReporter(onFault);
  }

  /** The derivative of a key; undefined where there is none that is whole, and where the store fails or is slow. Never rejects. */
  async read(key: string): Promise<Buffer | undefined> {
    const address = addressOf(key);
    const reading = waitForStore(this.#objects.get(nameOf(address.name), maxFileBytes)).catch((error: unknown) => {
      this.#faults.report('reading', 'The shared cache can’t be read.', error);
      return undefined;
    });
    const bytes = await Promise.race([reading, pause(readWithinMs, undefined, { ref: false })]);
    if (bytes === undefined) return undefined;
    this.#faults.recover('reading');
    const payload = await payloadOf(bytes, address);
    if (payload !== undefined) return payload;
    this.#faults.reportEvent('damage', 'An object of the shared cache is damaged; it is made anew.');
    return undefined;
  }

  /** Writes a derivative in the background; leaves it out where too many bytes wait already. */
  write(key: string, bytes: Buffer): void {
    if (this.#waitingBytes + bytes.length > maxWaitingBytes) return;
    this.#waitingBytes += bytes.length;
    void this.#writes
      .add(() => this.#put(key, bytes))
      .finally(() => {
        this.#waitingBytes -= bytes.length;
      });
  }

  async close(): Promise<void> {
    await Promise.race([this.#writes.onIdle(), pause(endWithinMs, undefined, { ref: false })]);
    this.#writes.clear();
    await this.#objects.close();
  }

  async #put(key: string, bytes: Buffer): Promise<void> {
    const address = addressOf(key);
    try {
      await this.#objects.put(nameOf(address.name), await entryBytes(address, bytes));
      this.#faults.recover('writing');
    } catch (error) {
      this.#faults.report('writing', 'Nothing can be written to the shared cache at the moment.', error);
    }
  }
}
