/** How the memory of all render processes is shared: what each takes idle, what renderings take, and what one of them may. */

export interface RenderMemory {
  /** Number of render processes that have slots for small renderings. */
  readonly processes: number;
  /** Number of further ones. */
  readonly more?: number;
  /** Bytes of memory of all of them together. */
  readonly memoryBytes: number;
  /** Bytes of decoded tiles that each of them caches at most. */
  readonly decodedBytes: number;
}

export interface RenderBudget {
  /** Bytes for all renderings that run. */
  readonly bytes: number;
  /** Those of these bytes that only small renderings take. */
  readonly smallBytes: number;
  /** Bytes that one rendering may take. */
  readonly largestBytes: number;
  /** Bytes of decoded tiles that each process caches. */
  readonly decodedBytes: number;
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

/** The part of the memory that decoded tiles take at most. */
const decodedShare = 1 / 16;

/** The budget of renderings; each process has a slot for a small one. */
export function renderBudget(memory: RenderMemory): RenderBudget {
  const { processes, more = 0, memoryBytes } = memory;
  const all = processes + more;
  const decodedBytes = Math.min(memory.decodedBytes, Math.floor((memoryBytes * decodedShare) / all));
  const idleBytes = idleProcessBytes + decodedBytes;
  const bytes = Math.max(leastBytes, memoryBytes - all * idleBytes);
  const smallBytes = Math.min(bytes * smallShare, processes * maxSmallBytes);
  return {
    bytes,
    smallBytes,
    largestBytes: bytes - smallBytes,
    decodedBytes,
    processBytes: idleBytes + bytes,
    totalBytes: all * idleBytes + bytes,
  };
}
