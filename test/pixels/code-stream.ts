/** Encodes JPEG 2000 code-streams of 8 bits, by OpenJPEG. */
import { createRequire } from 'node:module';

interface Encoder {
  getDecodedBuffer(frame: object): Uint8Array;
  setQuality(lossless: boolean, rate: number): void;
  setDecompositions(count: number): void;
  encode(): void;
  getEncodedBuffer(): Uint8Array;
  delete(): void;
}

interface Frame {
  readonly width: number;
  readonly height: number;
  readonly componentCount: 1 | 3;
}

/** A code-stream of interleaved samples, whose reductions are rounded up; `lossless` by the 5-3 wavelet, otherwise by the 9-7 one. */
export async function encodeCodeStream(samples: ArrayLike<number>, frame: Frame, lossless: boolean): Promise<Buffer> {
  const require = createRequire(import.meta.url);
  const create: () => Promise<{ J2KEncoder: new () => Encoder }> = require('@cornerstonejs/codec-openjpeg/wasmjs');
  const encoder = new (await create()).J2KEncoder();
  encoder.getDecodedBuffer({ ...frame, bitsPerSample: 8, isSigned: false }).set(samples);
  encoder.setQuality(lossless, 2);
  // The encoder refuses to halve a side of one pixel.
  encoder.setDecompositions(Math.min(5, Math.floor(Math.log2(Math.min(frame.width, frame.height)))));
  encoder.encode();
  const bytes = Buffer.from(encoder.getEncodedBuffer());
  encoder.delete();
  return bytes;
}
