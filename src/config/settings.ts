/** The schema of all settings, grouped by the part of the server that uses them. */
import { z } from 'zod';
import { accessSettings } from './groups/access-settings.ts';
import { cacheSettings, indexSettings, pyramidSettings, redisSettings } from './groups/caches-settings.ts';
import { digilibSettings, iiifSettings } from './groups/digilib-settings.ts';
import { documentSettings } from './groups/documents-settings.ts';
import { httpSettings } from './groups/http-settings.ts';
import { librarySettings } from './groups/library-settings.ts';
import { accessLogSettings } from './groups/logs-settings.ts';
import { objectStorageSettings } from './groups/object-storage-settings.ts';
import { readingRoomSettings } from './groups/reading-room-settings.ts';
import { limitSettings, renderSettings } from './groups/rendering-settings.ts';
import { searchSettings } from './groups/search-settings.ts';

/** The features that a server can do without. */
export const featureNames = [
  'iiif-image',
  'texts',
  'digilib',
  'search',
  'documents',
  'presentation',
  'reading-room',
  'operations',
] as const;

/** Every setting with its default. */
export const settingsSchema = z.strictObject({
  library: librarySettings.describe('the folders that are served, and how image files in them are read'),
  objectStorage: objectStorageSettings
    .prefault({})
    .describe('buckets of object stores (S3), which folders of the library may name as s3://bucket/prefix'),
  http: httpSettings.prefault({}).describe('the HTTP server'),
  iiif: iiifSettings.prefault({}).describe('the IIIF APIs'),
  digilib: digilibSettings.prefault({}).describe('digilib’s Scaler'),
  readingRoom: readingRoomSettings.prefault({}).describe('the reading room'),
  access: accessSettings.optional().describe('who may see what; by default everything is open to everyone'),
  limits: limitSettings.prefault({}).describe('the largest pictures that are made, and the time for it'),
  render: renderSettings.prefault({}).describe('how pictures are rendered'),
  cache: cacheSettings.prefault({}).describe('pictures that were made'),
  pyramids: pyramidSettings.prefault({}).describe('tiled copies of images that are slow to cut, made once and stored'),
  redis: redisSettings
    .optional()
    .describe('a Redis through which several servers share the building of pyramids; by default each builds its own'),
  pdf: documentSettings.prefault({}).describe('PDF documents of folders'),
  index: indexSettings
    .prefault({})
    .describe('folder lists and image headers; they are read again only where the files changed'),
  search: searchSettings.prefault({}).describe('the search in texts of pages'),
  accessLog: accessLogSettings.prefault({}).describe('a line for each request, without tokens'),
  withoutFeatures: z
    .array(z.enum(featureNames))
    .default([])
    .describe('features that are left out: the server has none of their addresses, and does not load what they need'),
  logLevel: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
    .default('warn')
    .describe('least severity that is logged'),
});

export type Settings = z.infer<typeof settingsSchema>;

/** The schema of one source of settings: folders may be named by another one. */
export const sourceSchema = settingsSchema.extend({ library: librarySettings.partial().prefault({}) });

export type SettingsInput = z.input<typeof sourceSchema>;
