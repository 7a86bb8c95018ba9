/** The program of the process that makes one pyramid, compares it with its source, and adds checksums. */

import { compareWithSource } from './compare-pixels.ts';
import { makePyramid } from './make.ts';
import type { Made, Order } from './maker.ts';
import { appendChecksums } from './pyramid-checksums.ts';

/** Progressive JPEGs and interlaced PNGs can't be read in stripes; above this many bytes of memory the job fails. */
const maxMemoryBytes = Number(process.argv[2]);

const memoryCheckIntervalMs = 200;

// Ctrl-C reaches all processes of a terminal; the parent process ends this one.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit(1));

setInterval(() => {
  if (process.memoryUsage.rss() <= maxMemoryBytes) return;
  process.send?.({ kind: 'failed', reason: 'It takes too much memory.' } satisfies Made, () => process.exit(1));
}, memoryCheckIntervalMs).unref();

async function run(order: Order): Promise<Made> {
  if (order.kind === 'make') await makePyramid(order.job, maxMemoryBytes);
  else {
    const difference = await compareWithSource(order.source, order.pyramid);
    if (difference !== undefined) return { kind: 'failed', reason: difference };
    await appendChecksums(order.pyramid.file.path, order.pyramid.levels);
  }
  return { kind: 'made', peakBytes: process.resourceUsage().maxRSS * 1024 };
}

process.on('message', (order: Order) => {
  run(order)
    .catch((error: unknown): Made => {
      const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
      return { kind: 'failed', reason };
    })
    .then((made) => process.send?.(made));
});
