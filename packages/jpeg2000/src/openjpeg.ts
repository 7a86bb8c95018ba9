/** Decodes small code-streams with OpenJPEG, compiled to WebAssembly: in a sandbox, and within bounded memory. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { CutCodeStream } from './cut.ts';
import { damaged, isDamage, Jpeg2000Error } from './error.ts';
import type { Box } from './geometry.ts';
import { wrapComponent } from './write.ts';

/** The part of WebAssembly that is used: the types of Node have none of it. */
interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

interface WasmModule {
  readonly brand?: 'compiled';
}

interface WasmInstance {
  readonly exports: Readonly<Record<string, unknown>>;
}

interface Wasm {
  readonly Memory: new (options: { readonly initial: number }) => WasmMemory;
  readonly Instance: new (module: WasmModule, imports: object) => WasmInstance;
  compile(bytes: Uint8Array): Promise<WasmModule>;
}

const { WebAssembly: wasm } = globalThis as unknown as { readonly WebAssembly: Wasm };

const wasmPageBytes = 64 * 1024;

const isWasmMemory = (value: unknown): value is WasmMemory => value instanceof wasm.Memory;

/** The part of the decoder that is used; it has no types of its own. */
interface OpenJpegModule {
  readonly J2KDecoder: new () => Decoder;
}

interface Decoder {
  getEncodedBuffer(bytes: number): Uint8Array;
  decode(): void;
  getDecodedBuffer(): Uint8ClampedArray;
  getFrameInfo(): FrameInfo;
  delete(): void;
}

interface FrameInfo {
  readonly width: number;
  readonly height: number;
  readonly bitsPerSample: number;
  readonly componentCount: number;
}

interface ModuleOptions {
  readonly print: (line: string) => void;
  readonly printErr: (line: string) => void;
  readonly instantiateWasm: (imports: object, receive: (instance: WasmInstance, module: WasmModule) => void) => object;
}

type ModuleFactory = (options: ModuleOptions) => Promise<OpenJpegModule>;

/** WebAssembly’s memory never shrinks: an instance that has more than this is dropped after the decode. */
const keptBytes = 192 * 1024 * 1024;

const require = createRequire(import.meta.url);

let compiled: Promise<WasmModule> | undefined;

/** The compiled decoder; all instances share it. */
async function compile(): Promise<WasmModule> {
  compiled ??= readFile(require.resolve('@cornerstonejs/codec-openjpeg/decodewasm')).then((bytes) =>
    wasm.compile(bytes),
  );
  return compiled;
}

/** An instance of the decoder. */
interface Instance {
  readonly module: OpenJpegModule;
  readonly memory: WasmMemory;
  /** What the decoder said since the last decode began. */
  readonly lines: string[];
  /** Bytes that the memory may have; a decode that needs more fails. */
  maxBytes: number;
  outgrown: boolean;
}

async function createInstance(): Promise<Instance> {
  const program = await compile();
  const factory = require('@cornerstonejs/codec-openjpeg/decodewasmjs') as ModuleFactory;
  const lines: string[] = [];
  let memory: WasmMemory | undefined;
  const module = await factory({
    print: (line) => lines.push(line),
    printErr: (line) => lines.push(line),
    instantiateWasm: (imports, receive) => {
      const created = new wasm.Instance(program, imports);
      memory = Object.values(created.exports).find(isWasmMemory);
      receive(created, program);
      return created.exports;
    },
  });
  if (memory === undefined) throw new TypeError('the decoder has no memory');
  return boundMemory({ module, memory, lines, maxBytes: 0, outgrown: false });
}

/** Refuses to let the memory of an instance grow beyond its bound; the allocation that needs more then fails. */
function boundMemory(instance: Instance): Instance {
  const { memory } = instance;
  const grow = memory.grow.bind(memory);
  memory.grow = (pages) => {
    try {
      if (memory.buffer.byteLength + pages * wasmPageBytes <= instance.maxBytes) return grow(pages);
      throw new RangeError('the decoder may not have more memory');
    } catch (error) {
      instance.outgrown = true;
      throw error;
    }
  };
  return instance;
}

/** An instance, unless the system has no memory for it. */
async function openInstance(): Promise<Instance> {
  try {
    return await createInstance();
  } catch (error) {
    if (error instanceof RangeError)
      throw new Jpeg2000Error('memory', 'there is no memory for a decoder', { cause: error });
    throw error;
  }
}

let current: Instance | undefined;

/** Gives the decoder's memory back; the next decode makes another. */
export function dropDecoder(): void {
  current = undefined;
}

/** What a code-stream decodes to: all samples of its components, interleaved. */
export interface DecodedStream {
  /** Those of the code-stream come first; the decoder appends others where the image does not begin at its grid’s origin. */
  readonly samples: Uint8ClampedArray;
  readonly bitsPerSample: number;
  readonly componentCount: number;
}

const errorLine = /^\[ERROR\] /;

/**
 * Decodes a code-stream of one component with up to 16 bits, or of three with up to 8. The instance has at most `maxBytes` of
 * memory. Rejects with Jpeg2000Error `damaged` for what OpenJPEG finds wrong, and `memory`.
 */
export async function decodeStream(stream: Uint8Array, maxBytes: number): Promise<DecodedStream> {
  const instance = current ?? (await openInstance());
  current = undefined;
  const { lines, module } = instance;
  lines.length = 0;
  instance.outgrown = false;
  instance.maxBytes = maxBytes;
  let decoded: DecodedStream;
  try {
    decoded = runDecoder(module, stream, lines);
  } catch (error) {
    if (instance.outgrown)
      throw new Jpeg2000Error('memory', 'decoding takes more memory than it may', { cause: error });
    // What the decoder allocated is lost, and its state is unknown: the instance is not used again.
    if (isDamage(error) && error.cause === undefined) keep(instance);
    throw error;
  }
  keep(instance);
  return decoded;
}

function keep(instance: Instance): void {
  if (instance.memory.buffer.byteLength <= keptBytes) current = instance;
}

function runDecoder(module: OpenJpegModule, stream: Uint8Array, lines: readonly string[]): DecodedStream {
  try {
    const decoder = new module.J2KDecoder();
    try {
      decoder.getEncodedBuffer(stream.length).set(stream);
      decoder.decode();
      const error = lines.find((line) => errorLine.test(line));
      if (error !== undefined) throw damaged(error.replace(errorLine, 'OpenJPEG: '));
      const { bitsPerSample, componentCount } = decoder.getFrameInfo();
      return { samples: decoder.getDecodedBuffer(), bitsPerSample, componentCount };
    } finally {
      decoder.delete();
    }
  } catch (error) {
    if (isDamage(error)) throw error;
    throw damaged('the decoder crashed', { cause: error });
  }
}

/** Samples among others: every `step`th from `first` on, row by row. */
export interface SpacedSamples {
  readonly box: Box;
  readonly samples: Uint8Array | Uint8ClampedArray | Uint16Array;
  readonly first: number;
  readonly step: number;
}

function samplesOf(bytes: Uint8ClampedArray, bits: number): Uint8ClampedArray | Uint16Array {
  return bits > 8 ? new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 1) : bytes;
}

/** Decodes the components of a part of a tile, in their order. Rejects as `decodeStream`. */
export async function decodePlanes(cut: CutCodeStream, maxBytes: number): Promise<readonly SpacedSamples[]> {
  const { box, bits } = cut;
  const [only = 0] = bits;
  if (bits.length === 1) {
    const samples = samplesOf(await decodeChecked(cut.bytes, cut, 1, maxBytes), only);
    return [{ box, samples, first: 0, step: 1 }];
  }
  if (bits.every((each) => each <= 8)) {
    const samples = await decodeChecked(cut.bytes, cut, 3, maxBytes);
    return bits.map((_, first) => ({ box, samples, first, step: 3 }));
  }
  // The decoder's interface has no three components of more than 8 bits, but each of them in turn.
  const planes: SpacedSamples[] = [];
  for (const [component, each] of bits.entries()) {
    const { right: width, bottom: height } = cut.placed;
    const file = wrapComponent(cut.bytes, { component, components: bits.length, bits: each, width, height });
    const samples = samplesOf(await decodeChecked(file, cut, 1, maxBytes), each);
    planes.push({ box, samples, first: 0, step: 1 });
  }
  return planes;
}

/** The decoded bytes, of which there are at least as many as the part has samples. */
async function decodeChecked(stream: Uint8Array, { box, bits }: CutCodeStream, components: number, maxBytes: number) {
  const { samples, componentCount } = await decodeStream(stream, maxBytes);
  const sampleBytes = components === 1 && Math.max(...bits) > 8 ? 2 : 1;
  const count = (box.right - box.left) * (box.bottom - box.top) * components * sampleBytes;
  if (componentCount !== components || samples.length < count) throw damaged('the decoder yields other samples');
  return samples;
}
