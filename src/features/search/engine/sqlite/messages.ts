/** What the server and the process that holds the index of texts send each other. */
import type { IndexFile } from './index-file.ts';

export type Method = 'find' | 'read' | 'put' | 'remove' | 'fingerprints' | 'folders' | 'state' | 'optimize';

export interface Call {
  readonly id: number;
  readonly method: Method;
  readonly values: readonly unknown[];
}

export type Reply =
  | { readonly id: number; readonly result: unknown }
  /** A sentence. */
  | { readonly id: number; readonly fault: string };

export type Values<M extends Method> = Parameters<IndexFile[M]>;
export type Result<M extends Method> = ReturnType<IndexFile[M]>;
