/** Settings of the catalogue of buckets. */
import { z } from 'zod';
import { path } from '../../config/groups/path-setting.ts';
import type { SettingsWith } from '../../core/feature.ts';

export const catalogueSettings = {
  catalogue: z
    .strictObject({
      postgres: z
        .url({ protocol: /^postgres(?:ql)?$/, error: 'must be an address that begins with postgres://' })
        .refine(
          (address) => new URL(address).password === '',
          'must not have a password; name its file in passwordFile',
        )
        .optional()
        .describe(
          'the address of a database of PostgreSQL with the catalogue of the buckets, such as postgres://lectern@db.example.org/lectern; without it there is none',
        ),
      passwordFile: path.optional().describe('a file with the password of the database'),
      connections: z.int().min(1).max(100).default(8).describe('connections to the database, of each server'),
      notifications: z
        .boolean()
        .default(false)
        .describe(
          'whether the store tells each change of the buckets to catalogue/events; then the catalogue alone says what is in them, and nothing is asked of the store for that',
        ),
      eventsTokenFile: path
        .optional()
        .describe('a file with the bearer token of catalogue/events; without it, changes are not taken'),
    })
    .refine(
      ({ postgres, ...others }) => postgres !== undefined || (!others.passwordFile && !others.eventsTokenFile),
      'needs postgres, the address of a database',
    )
    .refine(
      ({ notifications, eventsTokenFile }) => !notifications || eventsTokenFile !== undefined,
      'needs eventsTokenFile where notifications is true',
    )
    .prefault({})
    .describe('the catalogue of the objects of buckets'),
};

export type CatalogueSettings = SettingsWith<typeof catalogueSettings>;
