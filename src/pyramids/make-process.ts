/** What runs in the process that makes a pyramid: it takes a job, then compares the result with its source, then ends. */
import { compareWithSource } from './compare.ts';
import { makePyramid } from './make.ts';
import type { Order, Report } from './messages.ts';

/** Progressive JPEGs and interlaced PNGs can't be read in stripes; beyond so many bytes they are given up. */
const maxMemoryBytes = 2 * 1024 * 1024 * 1024;

const lookEveryMs = 200;

function report(message: Report): void {
  process.send?.(message);
}

// Ctrl-C reaches all processes of a terminal; who started this one ends it.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit(1));

setInterval(() => {
  if (process.memoryUsage.rss() <= maxMemoryBytes) return;
  process.send?.({ kind: 'failed', reason: 'It takes too much memory.' } satisfies Report, () => process.exit(1));
}, lookEveryMs).unref();

async function carryOut(order: Order): Promise<Report> {
  if (order.kind === 'make') {
    await makePyramid(order.job);
    return { kind: 'made' };
  }
  const difference = await compareWithSource(order.source, order.pyramid);
  if (difference !== undefined) return { kind: 'failed', reason: difference };
  return { kind: 'equal', peakBytes: process.resourceUsage().maxRSS * 1024 };
}

process.on('message', (order: Order) => {
  carryOut(order).then(report, (error: unknown) => {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    report({ kind: 'failed', reason });
  });
});
