/** The schema of all settings: those of the core and of all features, in the order in which they are documented. */
import { z } from 'zod';
import { coreSettings } from '../../config/core-settings.ts';
import { librarySettings } from '../../config/groups/library-settings.ts';
import { auditSettings } from '../../features/audit/audit-settings.ts';
import { catalogueSettings } from '../../features/catalogue/catalogue-settings.ts';
import { digilibSettings } from '../../features/digilib/digilib-settings.ts';
import { discoverySettings } from '../../features/discovery/discovery-settings.ts';
import { documentSettings } from '../../features/documents/documents-settings.ts';
import { iiifAuthSettings } from '../../features/iiif-auth/iiif-auth-settings.ts';
import { purgeSettings } from '../../features/purge/purge-settings.ts';
import { readingRoomSettings } from '../../features/reading-room/reading-room-settings.ts';
import { searchSettings } from '../../features/search/search-settings.ts';
import { shieldSettings } from '../../features/shield/shield-settings.ts';
import { signInSettings } from '../../features/sign-in/sign-in-settings.ts';
import { signedLinksSettings } from '../../features/signed-links/signed-links-settings.ts';

/** The features that a server can do without. */
export const featureNames = [
  'catalogue',
  'sign-in',
  'iiif-auth',
  'audit',
  'signed-links',
  'shield',
  'iiif-image',
  'texts',
  'media',
  'tours',
  'digilib',
  'search',
  'documents',
  'presentation',
  'discovery',
  'purge',
  'reading-room',
  'duty',
  'operations',
] as const;

/** Every setting with its default. */
export const settingsSchema = z.strictObject({
  library: coreSettings.library,
  objectStorage: coreSettings.objectStorage,
  ...catalogueSettings,
  http: coreSettings.http,
  robots: coreSettings.robots,
  iiif: coreSettings.iiif,
  ...digilibSettings,
  ...readingRoomSettings,
  access: coreSettings.access,
  ...signInSettings,
  ...iiifAuthSettings,
  ...auditSettings,
  ...signedLinksSettings,
  ...shieldSettings,
  limits: coreSettings.limits,
  render: coreSettings.render,
  cache: coreSettings.cache,
  pyramids: coreSettings.pyramids,
  redis: coreSettings.redis,
  ...documentSettings,
  ...discoverySettings,
  ...purgeSettings,
  index: coreSettings.index,
  ...searchSettings,
  accessLog: coreSettings.accessLog,
  tracing: coreSettings.tracing,
  withoutFeatures: z
    .array(z.enum(featureNames))
    .default([])
    .describe('features that are left out: the server has none of their addresses, and does not load what they need'),
  logLevel: coreSettings.logLevel,
});

export type Settings = z.infer<typeof settingsSchema>;

/** The schema of one source of settings: folders may be named by another one. */
export const sourceSchema = settingsSchema.extend({ library: librarySettings.partial().prefault({}) });

export type SettingsInput = z.input<typeof sourceSchema>;
