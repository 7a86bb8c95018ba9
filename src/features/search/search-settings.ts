/** Settings of the search in texts of pages. */
import { z } from 'zod';
import { path } from '../../config/groups/path-setting.ts';
import type { SettingsWith } from '../../core/feature.ts';

const gibibyte = 2 ** 30;

const openSearch = z.strictObject({
  address: z
    .url({ protocol: /^https?$/, error: 'must be an address that begins with http:// or https://' })
    .transform((address) => address.replace(/\/+$/, ''))
    .describe('the address of a node or a proxy'),
  index: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_.-]{0,199}$/, 'must be a name of lower-case letters, digits, and - _ .')
    .default('lectern')
    .describe('the name of its index, which is made where there is none, or of an alias'),
  authorizationFile: path
    .optional()
    .describe(
      'a file with the value of the header Authorization, such as Basic and a name with its password in Base64',
    ),
});

export const searchSettings = {
  search: z
    .strictObject({
      enabled: z.boolean().default(true).describe('search the texts of pages'),
      directory: path
        .optional()
        .describe(
          'a folder on a disk of this machine for the index of texts; by default lectern/search in the user’s cache directory, with a folder for each library',
        ),
      maxBytes: z
        .int()
        .min(1)
        .default(20 * gibibyte)
        .describe('bytes of the index of texts; no pages are added beyond'),
      refreshMinutes: z
        .int()
        .min(0)
        .max(100_000)
        .default(60)
        .describe(
          'minutes after which a server looks for texts that are new or changed; 0 leaves all indexing to lectern index',
        ),
      openSearch: openSearch
        .optional()
        .describe('an OpenSearch that holds the index instead of a file, so that servers on several machines share it'),
    })
    .prefault({})
    .describe('the search in texts of pages'),
};

export type SearchSettings = SettingsWith<typeof searchSettings>;
