/**
 * Encodes small pictures to the same bytes as libvips does with the settings of derivatives, without its threads and pipelines, which
 * take 0.4 ms of processor time for any picture.
 */

import { zigzag } from '@lectern/jpeg';
import { outputFormats } from '../image/model/formats.ts';
import type { Size } from '../image/model/geometry.ts';
import { program } from './jpeg-encoder-wasm.ts';
import { coefficientCodes, differenceCodes, quantizationOf, type StandardCodes } from './standard-tables.ts';
import { growTo, maxKeptWasmBytes, type WasmGlobal, type WasmMemory, wasmProgram } from './web-assembly.ts';

/** Samples of 8 bits, gray or RGB. */
export interface PlainPicture extends Size {
  readonly data: Uint8Array;
  readonly channels: 1 | 3;
}

/** Larger pictures, in pixels, are left to libvips, which encodes them on another thread. */
export const maxEncodedPixels = 1_500_000;

const quality = Number(outputFormats.jpeg.encoder['quality']);

const kinds = ['luma', 'chroma'] as const;
type Kind = (typeof kinds)[number];

/** The functions and addresses of `assembly/jpeg-encoder.ts`. */
interface Encoder {
  readonly memory: WasmMemory;
  readonly factors: WasmGlobal;
  readonly differenceCodes: WasmGlobal;
  readonly coefficientCodes: WasmGlobal;
  readonly zigzag: WasmGlobal;
  readonly free: WasmGlobal;
  prepare(): void;
  begin(address: number): void;
  grayUnits(from: number, width: number, rows: number, plane: number): void;
  colorUnits(from: number, width: number, rows: number, planes: number): void;
  getOutput(): number;
  finish(): number;
}

/** By symbol: its code times 32, plus the code's length; 0 where there is none (section C.2). */
function codesBySymbol({ counts, symbols }: StandardCodes, length: number): Uint32Array {
  const codes = new Uint32Array(length);
  let code = 0;
  let index = 0;
  for (const [bitsLess1, count] of counts.entries()) {
    for (const symbol of symbols.subarray(index, index + count)) codes[symbol] = (code++ << 5) | (bitsLess1 + 1);
    index += count;
    code <<= 1;
  }
  return codes;
}

/**
 * What coefficients are multiplied by, in rows: the DCT leaves them 8 times too large. The last part makes halves round away from 0 in spite of
 * 24 bits of precision, and is too small to do so with other fractions.
 */
function factorsOf(kind: Kind): Float32Array {
  const factors = new Float32Array(64);
  const numbers = quantizationOf(kind, quality);
  for (const [index, place] of zigzag.entries()) factors[place] = (1 + 2 ** -18) / (8 * (numbers[index] ?? 1));
  return factors;
}

const instantiate = wasmProgram(program);

function openEncoder(): Encoder {
  const encoder = instantiate() as unknown as Encoder;
  const { buffer } = encoder.memory;
  for (const [table, kind] of kinds.entries()) {
    new Float32Array(buffer, encoder.factors.value + 256 * table).set(factorsOf(kind));
    new Uint32Array(buffer, encoder.differenceCodes.value + 64 * table).set(codesBySymbol(differenceCodes[kind], 16));
    new Uint32Array(buffer, encoder.coefficientCodes.value + 1024 * table).set(
      codesBySymbol(coefficientCodes[kind], 256),
    );
  }
  new Uint8Array(buffer, encoder.zigzag.value).set(zigzag);
  encoder.prepare();
  return encoder;
}

/** Kept for the next picture, unless its memory, which never shrinks, became too large. */
let kept: Encoder | undefined;

/** Bytes that may be read beyond the last pixel. */
const slack = 32;

const alignedTo = (unit: number, length: number): number => Math.ceil(length / unit) * unit;

/** The most bytes of a coded block: 64 codes of 16 bits, with values of 11 bits at most, all of whose bytes are 255. */
const blockBytes = 432;

/** A row of units: its rows of pixels, the bytes of its planes, and its blocks at most. */
interface UnitRow {
  readonly rows: number;
  readonly planeBytes: number;
  readonly blocks: number;
}

function unitRowOf({ width, channels }: PlainPicture): UnitRow {
  if (channels === 1) return { rows: 8, planeBytes: alignedTo(8, width) * 8, blocks: Math.ceil(width / 8) };
  return { rows: 16, planeBytes: alignedTo(16, width) * 24, blocks: Math.ceil(width / 16) * 6 };
}

/** The coded data of the scan, in the encoder's memory until it encodes the next one. */
function encodeScan(encoder: Encoder, picture: PlainPicture): Uint8Array {
  const { data, width, height, channels } = picture;
  const { memory, free } = encoder;
  const { rows, planeBytes, blocks } = unitRowOf(picture);
  const rowBytes = width * channels;
  const planes = alignedTo(16, free.value + rows * rowBytes + slack);
  const output = planes + planeBytes;
  const encodeRow = channels === 1 ? encoder.grayUnits : encoder.colorUnits;
  encoder.begin(output);
  for (let top = 0; top < height; top += rows) {
    const bottom = Math.min(top + rows, height);
    growTo(memory, encoder.getOutput() + blocks * blockBytes);
    new Uint8Array(memory.buffer, free.value).set(data.subarray(top * rowBytes, bottom * rowBytes));
    encodeRow(free.value, width, bottom - top, planes);
  }
  return new Uint8Array(memory.buffer, output, encoder.finish() - output);
}

const [startOfImage, endOfImage] = [Buffer.from([0xff, 0xd8]), Buffer.from([0xff, 0xd9])];

/** A marker segment (section B.1.1.4). */
function segment(marker: number, ...content: readonly Uint8Array[]): Buffer {
  const start = Buffer.from([0xff, marker, 0, 0]);
  start.writeUInt16BE(2 + content.reduce((sum, { length }) => sum + length, 0), 2);
  return Buffer.concat([start, ...content]);
}

/** The segments before and behind that of the frame, which has the size, of pictures with this number of channels. */
interface Header {
  readonly before: Buffer;
  readonly behind: Buffer;
}

function headerOf(channels: 1 | 3): Header {
  const used = channels === 1 ? kinds.slice(0, 1) : kinds;
  const tables = used.flatMap((kind, id) => [
    segment(0xc4, Buffer.from([id]), differenceCodes[kind].counts, differenceCodes[kind].symbols),
    segment(0xc4, Buffer.from([0x10 | id]), coefficientCodes[kind].counts, coefficientCodes[kind].symbols),
  ]);
  const components = channels === 1 ? [1, 0] : [1, 0, 2, 0x11, 3, 0x11];
  const quantization = used.map((kind, id) => segment(0xdb, Buffer.from([id]), quantizationOf(kind, quality)));
  return {
    before: Buffer.concat([startOfImage, ...quantization]),
    behind: Buffer.concat([...tables, segment(0xda, Buffer.from([channels, ...components, 0, 63, 0]))]),
  };
}

const headers = { 1: headerOf(1), 3: headerOf(3) } as const;

/** The frame header (section B.2.2): chroma has half of both sides. */
function frameOf({ width, height, channels }: PlainPicture): Buffer {
  const components = channels === 1 ? [1, 0x11, 0] : [1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1];
  const size = [height >> 8, height & 255, width >> 8, width & 255];
  return segment(0xc0, Buffer.from([8, ...size, channels, ...components]));
}

/** A JPEG of a picture. */
export function encodeJpeg(picture: PlainPicture): Buffer {
  const encoder = kept ?? openEncoder();
  kept = undefined;
  const scan = encodeScan(encoder, picture);
  const { before, behind } = headers[picture.channels];
  const file = Buffer.concat([before, frameOf(picture), behind, scan, endOfImage]);
  if (encoder.memory.buffer.byteLength <= maxKeptWasmBytes) kept = encoder;
  return file;
}
