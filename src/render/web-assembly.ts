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

export const isWasmMemory = (value: unknown): value is WasmMemory => value instanceof wasm.Memory;
