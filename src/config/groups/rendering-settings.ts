/** Settings of rendering: the limits of a result, and the processes that make it. */
import { availableParallelism, totalmem } from 'node:os';
import { z } from 'zod';

/** In bytes. */
export const availableMemory = (): number => Math.min(totalmem(), process.constrainedMemory() || totalmem());

/** What an idle render process with its cache of decoded tiles takes, and about as much to render with, in bytes. */
const bytesEach = 192 * 2 ** 20;

/** One for each processor, but no more than fit into half of the memory, in bytes, and at least one. */
export const defaultProcesses = (processors: number, memoryBytes: number): number =>
  Math.max(1, Math.min(processors, Math.floor(memoryBytes / 2 / bytesEach)));

/** About what a page takes in memory while its manifest is made, with a reserve for everything else, in bytes. */
const manifestPageBytes = 10_000;

export const limitSettings = z.strictObject({
  maxArea: z.int().min(1).default(100_000_000).describe('largest picture that is made, in pixels'),
  maxWidth: z.int().min(1).optional().describe('widest picture that is made, in pixels; unbounded by default'),
  maxHeight: z.int().min(1).optional().describe('highest picture that is made, in pixels; as maxWidth by default'),
  maxUpscale: z
    .number()
    .positive()
    .optional()
    .describe(
      'how many times the image’s own sides the sides of a picture may have; by default 4 for IIIF, and no bound for the Scaler, as digilib has none',
    ),
  maxManifestPages: z
    .int()
    .min(1)
    .default(Math.min(250_000, Math.floor(availableMemory() / manifestPageBytes)))
    .describe('pages that the manifest of a folder may have; of a folder with more, a manifest is answered 413'),
  outgoingBytes: z
    .int()
    .min(2 ** 22)
    .default(Math.min(2 ** 30, Math.max(2 ** 25, Math.floor(availableMemory() / 8))))
    .describe(
      'bytes of answers that wait in memory to be sent; further ones wait, and are answered 503 when there is no room within 5 seconds',
    ),
  deadlineMs: z
    .int()
    .min(1)
    .max(2_147_483_647)
    .default(15_000)
    .describe(
      'milliseconds from its arrival within which a request for a picture is answered: with 503 where the work could not be started by then, with 504 where it was not done',
    ),
});

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
  decodedBytes: z
    .int()
    .min(0)
    .default(40 * 2 ** 20)
    .describe('bytes of decoded tiles that each render process caches: regions of one scan are requested together'),
  idleMs: z
    .int()
    .min(1000)
    .max(2_147_483_647)
    .default(10 * 60_000)
    .describe(
      'milliseconds without a rendering after which the render processes end, which frees their memory; the next picture takes 0.2 seconds longer',
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
