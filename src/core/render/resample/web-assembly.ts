/** The part of WebAssembly that is used: the types of Node have none of it. */

export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  /** Adds pages of 64 KiB; memory never shrinks. */
  grow(pages: number): number;
}

export interface WasmModule {
  readonly brand?: 'compiled';
}

export interface WasmInstance {
  readonly exports: Readonly<Record<string, unknown>>;
}

export interface WasmGlobal {
  readonly value: number;
}

interface WasmInterface {
  readonly Memory: new (options: { readonly initial: number }) => WasmMemory;
  readonly Module: new (bytes: Uint8Array) => WasmModule;
  readonly Instance: new (module: WasmModule, imports: object) => WasmInstance;
  compile(bytes: Uint8Array): Promise<WasmModule>;
}

export const { WebAssembly: wasm } = globalThis as unknown as { readonly WebAssembly: WasmInterface };

export const wasmPageBytes = 64 * 1024;

/** An instance of a program of the folder `assembly` that has more memory than this, in bytes, is not kept. */
export const maxKeptWasmBytes = 16 * 1024 * 1024;

/** Instantiates a program that is given in base64; it is compiled once, at the first call. */
export function wasmProgram(base64: string): () => WasmInstance['exports'] {
  let compiled: WasmModule | undefined;
  return () => {
    compiled ??= new wasm.Module(Buffer.from(base64, 'base64'));
    return new wasm.Instance(compiled, {}).exports;
  };
}

/** Makes a memory at least this large, in bytes; its buffer becomes another one where it grows. Throws RangeError where there is no memory. */
export function growTo(memory: WasmMemory, bytes: number): void {
  const more = bytes - memory.buffer.byteLength;
  if (more > 0) memory.grow(Math.ceil(more / wasmPageBytes));
}

export const isWasmMemory = (value: unknown): value is WasmMemory => value instanceof wasm.Memory;
