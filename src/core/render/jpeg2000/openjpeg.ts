/** Decodes small code-streams with OpenJPEG, compiled to WebAssembly: in a sandbox, and within bounded memory. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dropWhenIdle } from '../drop-when-idle.ts';
import {
  isWasmMemory,
  type WasmInstance,
  type WasmMemory,
  type WasmModule,
  wasm,
  wasmPageBytes,
} from '../web-assembly.ts';
import { CodeStreamDamage } from './damage.ts';

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

/** An error of the decoder where memory can't be allocated within the bound. */
export class DecoderMemoryError extends Error {
  override readonly name = 'DecoderMemoryError';
}

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
    if (error instanceof RangeError) throw new DecoderMemoryError('there is no memory for a decoder', { cause: error });
    throw error;
  }
}

let current: Instance | undefined;

const noteUse = dropWhenIdle(() => {
  current = undefined;
});

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
 * memory. Rejects with CodeStreamDamage for what OpenJPEG finds wrong, and with DecoderMemoryError.
 */
export async function decodeStream(stream: Uint8Array, maxBytes: number): Promise<DecodedStream> {
  noteUse();
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
    if (instance.outgrown) throw new DecoderMemoryError('decoding takes more memory than it may', { cause: error });
    // What the decoder allocated is lost, and its state is unknown: the instance is not used again.
    if (error instanceof CodeStreamDamage && error.cause === undefined) keep(instance);
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
      if (error !== undefined) throw new CodeStreamDamage(error.replace(errorLine, 'OpenJPEG: '));
      const { bitsPerSample, componentCount } = decoder.getFrameInfo();
      return { samples: decoder.getDecodedBuffer(), bitsPerSample, componentCount };
    } finally {
      decoder.delete();
    }
  } catch (error) {
    if (error instanceof CodeStreamDamage) throw error;
    throw new CodeStreamDamage('the decoder crashed', { cause: error });
  }
}
