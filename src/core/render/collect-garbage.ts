/** Collects garbage earlier than V8, which lets 64 MB of pixels outside of its heap wait. */
import { getHeapStatistics } from 'node:v8';
import { dropWhenIdle } from './drop-when-idle.ts';

/** Bytes that are allocated outside of the heap until garbage is collected: V8 counts most buffers twice. */
const allocatedBytes = 40 * 2 ** 20;

/** What was outside of the heap when it was least since the last collection, in bytes: buffers are freed after it, by other threads. */
let leastBytes = Number.POSITIVE_INFINITY;

/** Without work, nothing else would collect it. */
const collectAtRest = dropWhenIdle(() => undefined);

/**
 * Collects garbage at rest, and at once where much was allocated since the last time: the time that this takes grows with the heap, and
 * so does what may wait. Without effect where the process does not expose its garbage collector.
 */
export function collectGarbage(): void {
  collectAtRest();
  const { external_memory: bytes, used_heap_size: heapBytes } = getHeapStatistics();
  leastBytes = Math.min(leastBytes, bytes);
  if (bytes <= leastBytes + Math.max(allocatedBytes, heapBytes)) return;
  globalThis.gc?.();
  leastBytes = bytes;
}
