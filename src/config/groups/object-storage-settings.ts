/** Settings of buckets of object stores, which folders of the library may be. */
import { z } from 'zod';
import { path } from './path-setting.ts';

const gibibyte = 2 ** 30;

const endpoint = z.url({ protocol: /^https?$/, error: 'must be an address that begins with http:// or https://' });

const hasWholeKey = ({ accessKeyId, secretAccessKeyFile }: { accessKeyId?: unknown; secretAccessKeyFile?: unknown }) =>
  (accessKeyId === undefined) === (secretAccessKeyFile === undefined);
const needsWholeKey = 'needs accessKeyId and secretAccessKeyFile, or neither';

const fallback = z
  .strictObject({
    endpoint: endpoint.describe(
      'the address of another endpoint with the same buckets, which is read where the first one fails',
    ),
    region: z.string().min(1).optional().describe('its region; by default that of the first one'),
    accessKeyId: z
      .string()
      .min(1)
      .optional()
      .describe('the name of a key for it; by default the key for the first one'),
    secretAccessKeyFile: path.optional().describe('a file with the secret of this key'),
  })
  .refine(hasWholeKey, needsWholeKey);

export const objectStorageSettings = z
  .strictObject({
    endpoint: endpoint.optional().describe('the address of the object store; by default that of AWS for the region'),
    region: z
      .string()
      .min(1)
      .optional()
      .describe('the region; by default the one of the environment, or us-east-1 where an endpoint is set'),
    pathStyle: z
      .boolean()
      .default(false)
      .describe('name the bucket in the path of addresses instead of their host, as most stores but AWS need it'),
    accessKeyId: z
      .string()
      .min(1)
      .optional()
      .describe('the name of the key; by default the AWS SDK finds the key: in the environment, its files, or a role'),
    secretAccessKeyFile: path.optional().describe('a file with the secret of the key'),
    fallback: fallback.optional(),
    refreshSeconds: z
      .int()
      .min(1)
      .max(86_400)
      .default(60)
      .describe('seconds after which the list of a folder is read again, in the background, when it is asked for'),
    list: z
      .boolean()
      .default(true)
      .describe(
        'list folders; false for a key that may not: then images are found by their names, and there are no lists of folders, pages by pn, or manifests',
      ),
    extensions: z
      .array(z.string().regex(/^[A-Za-z0-9]+$/, 'must be an extension without its dot, such as tif'))
      .min(1)
      .optional()
      .describe(
        'the extensions with which names without one are tried, in this order, by a request each; by default one list of the few keys that begin with the name tells, or, without lists, all extensions are tried',
      ),
    metaFiles: z
      .boolean()
      .default(true)
      .describe('whether images have .meta files beside them, which can restrict access; false saves asking for them'),
    maxListedNames: z
      .int()
      .min(1000)
      .max(10_000_000)
      .default(1_000_000)
      .describe('names of a folder above which it is not listed as a whole; its images are found by their names'),
    spoolDirectory: path
      .optional()
      .describe(
        'copies of whole files are kept in lectern-copies in this folder; by default in lectern in the user’s cache directory',
      ),
    spoolMaxBytes: z
      .int()
      .min(1)
      .default(10 * gibibyte)
      .describe('bytes of these copies; those unused for the longest time are deleted first'),
  })
  .refine(hasWholeKey, needsWholeKey);
