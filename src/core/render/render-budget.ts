/** How the memory of all render processes is shared: what each takes idle, what renderings take, and what one of them may. */

export interface RenderMemory {
  /** Number of render processes that have slots for small renderings. */
  readonly processes: number;
  /** Number of further ones. */
  readonly more?: number;
  /** Bytes of memory of all of them together. */
  readonly memoryBytes: number;
}

export interface RenderBudget {
  /** Bytes for all renderings that run. */
  readonly bytes: number;
  /** Those of these bytes that only small renderings take. */
  readonly smallBytes: number;
  /** Bytes that one rendering may take. */
  readonly largestBytes: number;
  /** Bytes that one process may have, and all of them together. */
  readonly processBytes: number;
  readonly totalBytes: number;
}

/** The memory of a render process that renders nothing, in bytes. */
const idleProcessBytes = 70 * 2 ** 20;

/** However little memory the settings give, something is rendered. */
const leastBytes = 64 * 2 ** 20;

/** The part of the memory for renderings that is reserved for small ones, and the bytes that one of these takes at most. */
const smallShare = 1 / 4;
const maxSmallBytes = 32 * 2 ** 20;

/** The budget of renderings; each process has a slot for a small one. */
export function renderBudget({ processes, more = 0, memoryBytes }: RenderMemory): RenderBudget {
  const all = processes + more;
  const bytes = Math.max(leastBytes, memoryBytes - all * idleProcessBytes);
  const smallBytes = Math.min(bytes * smallShare, processes * maxSmallBytes);
  return {
    bytes,
    smallBytes,
    largestBytes: bytes - smallBytes,
    processBytes: idleProcessBytes + bytes,
    totalBytes: all * idleProcessBytes + bytes,
  };
}
