/**
 * Options of V8 that are set while a process runs. Each is one that V8 reads anew whenever it decides, so that a change holds
 * from then on; the figures are in docs/performance.md.
 */
import { setFlagsFromString } from 'node:v8';

/**
 * The heap may grow by this percentage of what is live before garbage is collected: by default V8 takes up to four times as
 * much as is live.
 */
const heapGrowthPercent = 100;

export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${heapGrowthPercent}`);
}

/**
 * By default V8 records how a function is called only after some calls, and until then, the functions that it creates share
 * neither these records nor compiled code with those of its later calls. What is called while `work` runs records from the first call.
 */
export async function collectFeedbackFromFirstCalls<T>(work: () => Promise<T>): Promise<T> {
  setFlagsFromString('--no-lazy-feedback-allocation');
  try {
    return await work();
  } finally {
    setFlagsFromString('--lazy-feedback-allocation');
  }
}

/** Bytes of bytecode that a function runs through until V8 considers optimizing it: V8’s default, a seventh, and 15 times it. */
const [usualBudget, smallBudget, largeBudget] = [66 * 1024, 10_000, 1_000_000];

/** V8 optimizes functions after a seventh of the usual calls while `work` runs. */
export async function optimizeEarly<T>(work: () => Promise<T>): Promise<T> {
  setFlagsFromString(`--interrupt-budget=${smallBudget}`);
  try {
    return await work();
  } finally {
    setFlagsFromString(`--interrupt-budget=${usualBudget}`);
  }
}

/** For commands that mostly copy bytes and end after seconds: V8 optimizes only what is called very often. */
export function optimizeLate(): void {
  setFlagsFromString(`--interrupt-budget=${largeBudget}`);
}
