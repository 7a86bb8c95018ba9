/** Settings of digilib's Scaler and of the IIIF APIs. */
import { z } from 'zod';
import { path } from './path.ts';

const errorPictures = z.strictObject({
  notFound: path.optional().describe('for what is not there or can’t be read'),
  denied: path.optional().describe('for what the caller may not see'),
  error: path.optional().describe('for anything else'),
});

export const digilibSettings = z.strictObject({
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
    .describe('files sent in place of Scaler pictures: PNG, JPEG, GIF or WebP; by default pictures of Lectern’s own'),
  defaultErrorForm: z
    .enum(['image', 'text', 'code'])
    .default('image')
    .describe('form of Scaler errors that ask for none by errimg, errtxt or errcode'),
  legacyErrorStatus: z
    .boolean()
    .default(false)
    .describe('send error pictures and texts with status 200, as digilib does'),
});

export const iiifSettings = z.strictObject({
  prefix: z
    .string()
    .regex(/^[A-Za-z0-9._~-]+$/, 'must be a name such as IIIF')
    .default('IIIF')
    .describe('name behind Scaler and Manifester that leads to IIIF'),
  slash: z
    .string()
    .regex(/^[A-Za-z0-9!$&'()*+,;=:@_~-]{1,16}$/, 'must be characters that addresses may hold, such as ! or ~')
    .default('!')
    .describe('what stands for a slash in the identifiers of IIIF addresses'),
  rawSlashes: z.boolean().default(false).describe('allow raw slashes in the identifiers of IIIF addresses'),
  defaultVersion: z
    .union([z.literal(1), z.literal(2), z.literal(3)], { error: 'must be 1, 2 or 3' })
    .default(2)
    .describe('IIIF version behind /Scaler/IIIF/ where the address names none'),
  pageLabels: z
    .enum(['name', 'number'])
    .default('name')
    .describe('labels of pages in manifests that metadata does not label: the file’s name, or the page’s number'),
});
