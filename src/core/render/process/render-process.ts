/** The program of a render process: receives plans, sends bytes. */
import { getHeapStatistics } from 'node:v8';
import { ImageError, renderingFailed } from '../../image/model/errors.ts';
import type { Render } from '../../image/plan/plan-types.ts';
import { dropWhenIdle } from '../../storage/drop-when-idle.ts';
import { execute } from '../execute.ts';
import type { JobMessage, JobResult, ResultMessage } from './process-messages.ts';

// Ctrl-C reaches all processes of a terminal; the server ends this one after the responses in flight are sent.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit(0));

async function render(plan: Render): Promise<JobResult> {
  try {
    return { kind: 'done', ...(await execute(plan)) };
  } catch (error) {
    const { code, message, cause } = error instanceof ImageError ? error : renderingFailed(error);
    const { stack, message: reason } = cause instanceof Error ? cause : { stack: '', message: '' };
    // The stack matters only for errors that are not caused by the data.
    return { kind: 'failed', code, message, cause: (code === 'failed' && stack) || reason };
  }
}

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Bytes that are allocated outside of the heap until garbage is collected: V8 counts most buffers twice, and lets 64 MB wait. */
const allocatedBytes = 20 * 2 ** 20;

/** What was outside of the heap when it was least since the last collection, in bytes: buffers are freed after it, by other threads. */
let leastBytes = Number.POSITIVE_INFINITY;

/** Without work, nothing else would collect it. */
const collectAtRest = dropWhenIdle(() => undefined);

/**
 * Collects garbage at rest, and at once where much was allocated since the last time: the time that this takes grows with the heap, and
 * so does what may wait. Without effect where the process does not expose its garbage collector.
 */
function collectGarbage(): void {
  collectAtRest();
  const { external_memory: bytes, used_heap_size: heapBytes } = getHeapStatistics();
  leastBytes = Math.min(leastBytes, bytes);
  if (bytes <= leastBytes + Math.max(allocatedBytes, heapBytes)) return;
  globalThis.gc?.();
  leastBytes = bytes;
}

process.on('message', async ({ id, plan }: JobMessage) => {
  const result = await render(plan);
  process.send?.({ id, result, processorMs: processorMs() } satisfies ResultMessage);
  collectGarbage();
});
