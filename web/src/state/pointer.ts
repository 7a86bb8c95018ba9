/** Passes pointer events of the stage on to the tools. */
import type { StagePointer } from '../stage/stage-pointer.ts';

type PointerListener = (pointer: StagePointer) => void;

const listeners = new Set<PointerListener>();

/** Adds a listener; the returned function removes it. */
export function onPointer(listener: PointerListener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function emitPointer(pointer: StagePointer): void {
  for (const listener of listeners) listener(pointer);
}
