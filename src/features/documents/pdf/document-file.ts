/** A document that is being written to a file: those who wait for it read what is there already, and the rest as it comes. */
import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { ImageError } from '../../../core/image/model/errors.ts';

const chunkBytes = 64 * 1024;

/** A file that grows. Its handle stays open while it is written or read, so that a file that is moved meanwhile is read on. */
export class GrowingFile {
  readonly path: string;
  readonly #handle: FileHandle;
  /** The writer, and those who read. */
  #users = 1;
  #bytes = 0;
  #state: 'growing' | 'whole' | { readonly error: unknown } = 'growing';
  #changed: (() => void)[] = [];

  private constructor(path: string, handle: FileHandle) {
    this.path = path;
    this.#handle = handle;
  }

  /** Creates the file, which only the server's own user may read. */
  static async create(path: string): Promise<GrowingFile> {
    return new GrowingFile(path, await open(path, 'wx+', 0o600));
  }

  get bytes(): number {
    return this.#bytes;
  }

  async append(bytes: Buffer): Promise<void> {
    for (let written = 0; written < bytes.length; ) {
      const { bytesWritten } = await this.#handle.write(bytes, written, bytes.length - written, this.#bytes + written);
      written += bytesWritten;
    }
    this.#bytes += bytes.length;
    this.#announce();
  }

  /** Nothing is appended any more; with an error, the file is not whole. */
  end(error?: unknown): void {
    this.#state = error === undefined ? 'whole' : { error };
    this.#announce();
  }

  /** The writer is done with the file: nobody begins to read it any more, and it is closed after the last one who reads. */
  async release(): Promise<void> {
    this.#users -= 1;
    if (this.#users === 0) await this.#handle.close().catch(() => undefined);
  }

  #announce(): void {
    const waiting = this.#changed;
    this.#changed = [];
    for (const wake of waiting) wake();
  }

  #nextChange(): Promise<void> {
    return new Promise((resolve) => this.#changed.push(resolve));
  }

  async *#read(signal: AbortSignal): AsyncGenerator<Buffer> {
    const wake = (): void => this.#announce();
    signal.addEventListener('abort', wake);
    try {
      for (let at = 0; ; ) {
        if (signal.aborted) throw new ImageError('abandoned', 'The request was given up.');
        if (at < this.#bytes) {
          const buffer = Buffer.allocUnsafeSlow(Math.min(chunkBytes, this.#bytes - at));
          const { bytesRead } = await this.#handle.read(buffer, 0, buffer.length, at);
          at += bytesRead;
          yield buffer.subarray(0, bytesRead);
        } else if (this.#state === 'whole') return;
        else if (this.#state !== 'growing') throw this.#state.error;
        else await this.#nextChange();
      }
    } finally {
      signal.removeEventListener('abort', wake);
    }
  }

  /**
   * The bytes from the first on, until the file is whole. Fails where it can't be finished, and when the signal is aborted; undefined
   * where the file is whole and closed. Throws where it could not be finished.
   */
  stream(signal: AbortSignal): Readable | undefined {
    if (this.#users === 0) {
      if (typeof this.#state === 'object') throw this.#state.error;
      return undefined;
    }
    this.#users += 1;
    const stream = Readable.from(this.#read(signal), { objectMode: false, highWaterMark: chunkBytes });
    return stream.once('close', () => void this.release());
  }
}
