/** Settings of the audit: what is recorded of who saw what, for how long, and under which names. */
import { z } from 'zod';
import { path } from '../../config/groups/path-setting.ts';
import type { SettingsWith } from '../../core/feature.ts';

export const auditKinds = ['descriptions', 'pictures', 'originals', 'documents', 'texts'] as const;

export type AuditKind = (typeof auditKinds)[number];

export const auditSettings = {
  audit: z
    .strictObject({
      folder: path.describe('a folder of this server alone, with a file for each day: audit-2026-11-26.jsonl'),
      record: z
        .array(z.enum(auditKinds))
        .default([...auditKinds])
        .describe(
          'what is recorded: descriptions (pages, lists, manifests, info.json), pictures, originals, documents (PDF, ZIP), texts',
        ),
      pictureMinutes: z
        .number()
        .positive()
        .max(1440)
        .default(10)
        .describe('minutes in which the pictures of an image, such as its tiles, are one line for each caller'),
      days: z.int().positive().max(3660).default(90).describe('days after which a file is deleted'),
      pseudonyms: z
        .enum(['day', 'month', 'none'])
        .default('day')
        .describe(
          'names and addresses of callers are replaced by pseudonyms, which are the same for a day or a month by UTC, and can’t be told from then on; none for names as they are',
        ),
    })
    .optional()
    .describe('records who saw what and when; by default nothing is recorded'),
};

export type AuditSettings = SettingsWith<typeof auditSettings>;
export type Audit = NonNullable<AuditSettings['audit']>;
