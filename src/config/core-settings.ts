/** The settings that are of no single feature, grouped by the part of the server that uses them. */
import { z } from 'zod';
import { accessSettings } from './groups/access-settings.ts';
import { cacheSettings, indexSettings, pyramidSettings, redisSettings } from './groups/caches-settings.ts';
import { httpSettings } from './groups/http-settings.ts';
import { iiifSettings } from './groups/iiif-settings.ts';
import { librarySettings } from './groups/library-settings.ts';
import { limitSettings } from './groups/limits-settings.ts';
import { accessLogSettings } from './groups/logs-settings.ts';
import { objectStorageSettings } from './groups/object-storage-settings.ts';
import { renderSettings } from './groups/render-settings.ts';
import { robotsSettings } from './groups/robots-settings.ts';
import { tracingSettings } from './groups/tracing-settings.ts';

/** Each group, and each setting without one, by its name. */
export const coreSettings = {
  library: librarySettings.describe('the folders that are served, and how image files in them are read'),
  objectStorage: objectStorageSettings
    .prefault({})
    .describe('buckets of object stores (S3), which folders of the library may name as s3://bucket/prefix'),
  http: httpSettings.prefault({}).describe('the HTTP server'),
  robots: robotsSettings.prefault({}).describe('what the server tells crawlers, which those keep who are polite'),
  iiif: iiifSettings.prefault({}).describe('the IIIF APIs'),
  access: accessSettings.optional().describe('who may see what; by default everything is open to everyone'),
  limits: limitSettings.prefault({}).describe('the largest pictures that are made, and the time for it'),
  render: renderSettings.prefault({}).describe('how pictures are rendered'),
  cache: cacheSettings.prefault({}).describe('pictures that were made'),
  pyramids: pyramidSettings.prefault({}).describe('tiled copies of images that are slow to cut, made once and stored'),
  redis: redisSettings
    .optional()
    .describe('a Redis through which several servers share the building of pyramids; by default each builds its own'),
  index: indexSettings
    .prefault({})
    .describe('folder lists and image headers; they are read again only where the files changed'),
  accessLog: accessLogSettings.prefault({}).describe('a line for each request, without tokens'),
  tracing: tracingSettings.prefault({}).describe('spans of requests for OpenTelemetry, off by default'),
  logLevel: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
    .default('warn')
    .describe('least severity that is logged'),
};

export type CoreSettings = z.infer<z.ZodObject<typeof coreSettings>>;
