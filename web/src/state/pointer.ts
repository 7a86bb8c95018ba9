/** Hands what the pointer does on the stage to the tool that wants it. */
import type { StagePointer } from '../stage/stage-pointer.ts';

/** A tool's interest in the pointer. */
export type PointerListener = (pointer: StagePointer) => void;

const listeners = new Set<PointerListener>();

/** Listens until the function that is given back is called. */
export function listenToPointer(listener: PointerListener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function emitPointer(pointer: StagePointer): void {
  for (const listener of listeners) listener(pointer);
}
