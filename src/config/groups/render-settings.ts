/** Settings of rendering: the processes that make pictures, and how. */
import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { availableMemory } from './limits-settings.ts';

/** What an idle render process takes, and more than as much to render with, in bytes. */
const bytesEach = 192 * 2 ** 20;

/** One for each processor, but no more than fit into half of the memory, in bytes, and at least one. */
export const defaultProcesses = (processors: number, memoryBytes: number): number =>
  Math.max(1, Math.min(processors, Math.floor(memoryBytes / 2 / bytesEach)));

export const renderSettings = z.strictObject({
  processes: z
    .int()
    .min(0)
    .max(256)
    .default(defaultProcesses(availableParallelism(), availableMemory()))
    .describe(
      'processes that render pictures, a few at a time each; 0 renders in the server’s own process, where no rendering can be ended',
    ),
  maxWaiting: z.int().min(0).default(1000).describe('renderings that may wait; further ones are answered 503'),
  memoryBytes: z
    .int()
    .min(2 ** 27)
    .default(Math.max(2 ** 27, Math.floor(availableMemory() / 2)))
    .describe('bytes of memory of all render processes together; what would take more is answered 413'),
  idleMs: z
    .int()
    .min(1000)
    .max(2_147_483_647)
    .default(10 * 60_000)
    .describe(
      'milliseconds without a rendering after which the render processes end, and without a picture after which those in memory are dropped that are on disk; the next picture takes 0.2 seconds longer',
    ),
  truncated: z
    .enum(['refuse', 'show'])
    .default('refuse')
    .describe('images of which a part is missing or damaged: an error, or what can be decoded, marked and not cached'),
  profiles: z
    .enum(['convert', 'keep'])
    .default('convert')
    .describe('ICC profiles: convert pictures to sRGB, or keep stored colors and send the profile; CMYK is converted'),
});
