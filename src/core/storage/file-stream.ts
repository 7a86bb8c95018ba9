/** A part of a file as a stream, which reads it as it is consumed. */
import { Readable } from 'node:stream';

interface StreamedPart {
  /** What is read at a time, in bytes. */
  readonly chunkBytes: number;
  readonly first: number;
  readonly last: number;
  read(position: number, length: number): Promise<Buffer>;
  close(): void;
}

export class FileStream extends Readable {
  readonly #part: StreamedPart;
  #position: number;

  constructor(part: StreamedPart) {
    super({ highWaterMark: part.chunkBytes });
    this.#part = part;
    this.#position = part.first;
  }

  override _read(): void {
    const { last, read, chunkBytes } = this.#part;
    if (this.#position > last) {
      this.push(null);
      return;
    }
    read(this.#position, Math.min(chunkBytes, last + 1 - this.#position)).then(
      (bytes) => {
        this.#position += bytes.length;
        this.push(bytes);
      },
      (error: Error) => this.destroy(error),
    );
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#part.close();
    callback(error);
  }
}
