/** Settings of the IIIF APIs, which several features read. */
import { z } from 'zod';

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
