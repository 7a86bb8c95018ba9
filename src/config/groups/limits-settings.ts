/** Settings of the limits of answers: sizes, memory, time. */
import { totalmem } from 'node:os';
import { z } from 'zod';

/** In bytes. */
export const availableMemory = (): number => Math.min(totalmem(), process.constrainedMemory() || totalmem());

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
      'milliseconds from its arrival within which a request for a picture is answered: with 503 where the work could not be started by then, with 504 where it was not done; and within which a manifest or PDF of a long folder in a bucket has been read, or is answered 503 with how far that is',
    ),
});
