// Measures the memory and the durations of operations of a stored folder's usage index with many entries.
// Usage: npm run build && node --expose-gc scripts/measure-usage-index.mjs [COUNT]
import { randomBytes } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { CompactUsageIndex } from '../dist/core/storage/compact-usage-index.js';

const count = Number(process.argv[2] ?? 1_000_000);
const fileBytes = 20_000;

/** Names that are computed from numbers, so that they take no memory. */
const seed = randomBytes(4).readUInt32LE();
const nameOf = (number) =>
  [1, 2, 3, 4]
    .map((part) => (Math.imul(number + seed, 0x9e3779b1 * part) >>> 0).toString(16).padStart(8, '0'))
    .join('');

function memoryBytes() {
  // Buffers are released some time after a collection, so it is requested twice.
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

async function timed(label, work) {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  const startedMs = performance.now();
  delays.enable();
  const working = work();
  const result = await working;
  const elapsedMs = performance.now() - startedMs;
  await setTimeout(5);
  const longest = working instanceof Promise ? `, at most ${(delays.max / 1e6).toFixed(0)} ms at a time` : '';
  console.log(`${label}: ${elapsedMs.toFixed(0)} ms${longest}`);
  return result;
}

if (globalThis.gc === undefined) console.log('Without --expose-gc the memory includes garbage.');
const before = memoryBytes();
const index = new CompactUsageIndex();
let slowestMs = 0;
await timed(`${count} entries found by a walk`, () => {
  const nowMs = Date.now();
  for (let number = 0; number < count; number++) {
    const startedMs = performance.now();
    index.find(nameOf(number), fileBytes, nowMs - ((number * 7919) % 2_592_000) * 1000);
    slowestMs = Math.max(slowestMs, performance.now() - startedMs);
  }
});
const { entries, bytes } = index.totals();
console.log(`the slowest of them, with the table’s growth: ${slowestMs.toFixed(1)} ms`);
console.log(`memory: ${((memoryBytes() - before) / entries).toFixed(1)} bytes an entry for ${entries} entries`);
await timed('10,000 uses', () => {
  for (let number = 0; number < 10_000; number++) index.use(nameOf(number), fileBytes);
});
const candidates = await timed('choosing the least used 5 %', () => index.leastUsed(bytes * 0.05));
await timed(`removing these ${candidates.length}`, () => {
  for (const { name } of candidates) index.delete(name);
});
await timed('the end of another walk', async () => {
  index.beginWalk();
  index.use(nameOf(1), fileBytes);
  await index.endWalk();
});
