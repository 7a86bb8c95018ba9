/** How many render processes there are where the settings don't say it. */

/** What an idle render process with its cache of decoded tiles takes, and about as much to render with, in bytes. */
const bytesEach = 192 * 2 ** 20;

/** One for each processor, but no more than fit into half of the memory, in bytes, and at least one. */
export const defaultProcesses = (processors: number, memoryBytes: number): number =>
  Math.max(1, Math.min(processors, Math.floor(memoryBytes / 2 / bytesEach)));
