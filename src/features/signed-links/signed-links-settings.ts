/** Settings of signed links: their keys, and where the links are noted that were used once. */
import { z } from 'zod';
import { path } from '../../config/groups/path-setting.ts';
import type { SettingsWith } from '../../core/feature.ts';

export const signedLinksSettings = {
  signedLinks: z
    .strictObject({
      keysFile: path.describe(
        'a file with the keys of links, read again when it changes: lines of a name and a key, as `lectern sign --new-key NAME` prints them, of which the first one signs, and lines of `revoked` and the id of a link',
      ),
      usedFolder: path
        .optional()
        .describe(
          'a folder in which servers note the links that were used once; without it and without `redis`, there are no such links',
        ),
      maxDays: z.number().positive().max(3660).default(366).describe('days after which every link has expired'),
    })
    .optional()
    .describe('links that open an image or a folder until a date; by default there are none'),
};

export type SignedLinksSettings = SettingsWith<typeof signedLinksSettings>;
