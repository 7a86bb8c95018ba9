/** Settings of digilib’s APIs. */
import { z } from 'zod';
import { path } from '../../config/groups/path-setting.ts';
import type { SettingsWith } from '../../core/feature.ts';

const errorPictures = z.strictObject({
  notFound: path.optional().describe('for what is not there or can’t be read'),
  denied: path.optional().describe('for what the caller may not see'),
  error: path.optional().describe('for anything else'),
});

export const digilibSettings = {
  digilib: z
    .strictObject({
      sendFile: z.boolean().default(true).describe('send original files for mo=file and mo=rawfile'),
      defaultQuality: z
        .literal([0, 1, 2, 3], 'must be 0, 1, 2 or 3')
        .default(2)
        .describe('interpolation of Scaler pictures that ask for none by q0 to q3'),
      textFolder: z
        .string()
        .regex(/^(?![.])[^/\\\0\uFFFD]*$/u, 'must be the name of a folder, without slashes')
        .default('txt')
        .describe('folder inside a folder of scans in which the Texter looks for text files first'),
      errorPictures: errorPictures
        .prefault({})
        .describe(
          'files sent in place of Scaler pictures: PNG, JPEG, GIF or WebP; by default pictures of Lectern’s own',
        ),
      defaultErrorForm: z
        .enum(['image', 'text', 'code'])
        .default('image')
        .describe('form of Scaler errors that ask for none by errimg, errtxt or errcode'),
      legacyErrorStatus: z
        .boolean()
        .default(false)
        .describe('send error pictures and texts with status 200, as digilib does'),
    })
    .prefault({})
    .describe('digilib’s Scaler'),
};

export type DigilibSettings = SettingsWith<typeof digilibSettings>;
