/** Settings of PDF documents, and of other things of a folder to take along. */
import { z } from 'zod';
import { path } from '../../config/groups/path-setting.ts';
import type { SettingsWith } from '../../core/feature.ts';

const mebibyte = 2 ** 20;
const gibibyte = 2 ** 30;

const line = z.string().trim().max(300, 'must have at most 300 characters');

/** Of each store of made documents. */
const bytesOfAll = z
  .int()
  .min(mebibyte)
  .default(4 * gibibyte)
  .describe('bytes that all of them together may take; those unused for the longest time are deleted first');
const bytesOfOne = z
  .int()
  .min(mebibyte)
  .default(2 * gibibyte);
const workers = z.int().min(1).max(64).default(1);
const waiting = z.int().min(0).default(20);

export const documentSettings = {
  pdf: z
    .strictObject({
      directory: path
        .optional()
        .describe(
          'where made documents are kept; by default lectern in $XDG_CACHE_HOME, or in .cache of the home folder',
        ),
      maxBytes: bytesOfAll,
      maxDocumentBytes: bytesOfOne.describe('bytes that one document may have'),
      maxPages: z
        .int()
        .min(1)
        .max(50_000)
        .default(5000)
        .describe('pages that a document, an archive or a text may have'),
      workers: workers.describe('documents that are made at the same time for readers, and as many for strangers'),
      maxWaiting: waiting.describe(
        'documents of readers, and as many of strangers, that may wait for it, half of them of one network; further ones are answered 503',
      ),
      logo: path
        .optional()
        .describe('a picture on covers, PNG or JPEG; by default that of readingRoom.logo, if it is such'),
      headerTitle: line.optional().describe('the line beside the logo; by default the name of the library'),
      headerSubtitle: line.optional().describe('a line below it'),
      fonts: z
        .array(path)
        .default([])
        .describe(
          'font files (TrueType, OpenType) for covers in scripts other than Latin, Greek, Cyrillic, Arabic and Hebrew; Droid Sans Fallback is found by itself where the system has it',
        ),
    })
    .prefault({})
    .describe('PDF documents of folders'),
  dataSets: z
    .strictObject({
      enabled: z.boolean().default(true).describe('whether folders have data sets, which their manifests name'),
      pictureSize: z
        .int()
        .min(0)
        .max(20_000)
        .default(1000)
        .describe('the largest width and height of the pictures in them, in pixels; 0 for none'),
      directory: path
        .optional()
        .describe('where they are kept; by default lectern in $XDG_CACHE_HOME, or in .cache of the home folder'),
      maxBytes: bytesOfAll,
      maxDocumentBytes: bytesOfOne.describe('bytes that one of them may have'),
      workers: workers.describe('data sets that are made at the same time for readers, and as many for strangers'),
      maxWaiting: waiting.describe(
        'data sets of readers, and as many of strangers, that may wait for it, half of them of one network; further ones are answered 503',
      ),
    })
    .prefault({})
    .describe('data sets of folders: manifest, metadata, texts and pictures in a ZIP file'),
};

export type DocumentSettings = SettingsWith<typeof documentSettings>;
