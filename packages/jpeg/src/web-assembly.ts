/** Runs programs of the folders `assembly`: the part of WebAssembly that is used, of which the types of Node have none. */

export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  /** Adds pages of 64 KiB; memory never shrinks. */
  grow(pages: number): number;
}

export interface WasmGlobal {
  readonly value: number;
}

interface WasmInterface {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: Readonly<Record<string, unknown>> };
}

const { WebAssembly: wasm } = globalThis as unknown as { readonly WebAssembly: WasmInterface };

const pageBytes = 64 * 1024;

/** An instance that has more memory than this, in bytes, is not kept. */
export const maxKeptWasmBytes = 16 * 1024 * 1024;

/** Instantiates a program that is given in base64; it is compiled once, at the first call. */
export function wasmProgram(base64: string): () => Readonly<Record<string, unknown>> {
  let compiled: object | undefined;
  return () => {
    compiled ??= new wasm.Module(Buffer.from(base64, 'base64'));
    return new wasm.Instance(compiled, {}).exports;
  };
}

/** Makes a memory at least this large, in bytes; its buffer becomes another one where it grows. Throws RangeError where there is no memory. */
export function growTo(memory: WasmMemory, bytes: number): void {
  const more = bytes - memory.buffer.byteLength;
  if (more > 0) memory.grow(Math.ceil(more / pageBytes));
}
