/** Settings of the list of changes. */
import { z } from 'zod';
import { path } from '../../config/groups/path-setting.ts';
import type { SettingsWith } from '../../core/feature.ts';

const mebibyte = 2 ** 20;

export const discoverySettings = {
  changes: z
    .strictObject({
      directory: path
        .optional()
        .describe(
          'where the list is kept, of one library and one server; by default a folder in lectern/changes in $XDG_CACHE_HOME, or in .cache of the home folder',
        ),
      refreshMinutes: z
        .int()
        .min(1)
        .max(10_080)
        .default(30)
        .describe(
          'minutes between two walks of the library, by which changes are found, as long as somebody asks for the list',
        ),
      maxBytes: z
        .int()
        .min(mebibyte)
        .default(1024 * mebibyte)
        .describe('bytes of the list; a manifest takes about 200. One that is full takes no new manifests'),
    })
    .prefault({})
    .describe('the list of manifests and their changes (IIIF Change Discovery)'),
};

export type DiscoverySettings = SettingsWith<typeof discoverySettings>;
