/** What is kept of single objects of a bucket, and of names without their extensions, for the next process. */
import type { BucketCatalogue } from '../catalogue.ts';
import type { StoredEntry } from '../storage.ts';
import { staleFactor } from './bucket-folders.ts';
import type { StoredObject } from './bucket-requests.ts';
import { type Kept, keptRows } from './kept-rows.ts';
import type { Named } from './named-entries.ts';
import type { Sighting } from './object-finder.ts';
import type { StoredRows } from './stored-rows.ts';

interface KeptObjectsOptions {
  readonly rows?: StoredRows | undefined;
  readonly endpoint?: string | undefined;
  readonly bucket: string;
  /** Without it, what is known does not change. */
  readonly refreshMs?: number;
  readonly catalogue?: BucketCatalogue | undefined;
}

/** Where a catalogue has a key, changes that it told nobody meanwhile may have been missed: as old as can be. */
const aged = <T extends { readonly seenMs: number }>(kept: Kept<T>, catalogue: BucketCatalogue): Kept<T> => ({
  ...kept,
  async read(key) {
    const value = await kept.read(key);
    return value && catalogue.covers(key.slice(0, key.lastIndexOf('/') + 1)) ? { ...value, seenMs: 0 } : value;
  },
});

function objectOf([size, etag, modifiedMs]: readonly unknown[]): StoredObject | undefined {
  const isObject = typeof size === 'number' && typeof etag === 'string' && typeof modifiedMs === 'number';
  return isObject ? { size, etag, modifiedMs } : undefined;
}

export function keptSightings(options: KeptObjectsOptions): Kept<Sighting> | undefined {
  const { rows, endpoint = '', bucket, catalogue, refreshMs = Number.POSITIVE_INFINITY } = options;
  if (rows === undefined) return undefined;
  const kept = keptRows<Sighting>({
    rows,
    of: [endpoint, bucket, 'object'],
    rewriteMs: refreshMs * staleFactor,
    parse(seenMs, members) {
      const object = objectOf(members);
      return object === undefined && members.length > 0 ? undefined : { object, seenMs };
    },
    format: ({ object }) => (object === undefined ? [] : [object.size, object.etag, object.modifiedMs]),
  });
  return catalogue === undefined ? kept : aged(kept, catalogue);
}

/** Too many entries are no array. */
export function keptNames(options: KeptObjectsOptions): Kept<Named> | undefined {
  const { rows, endpoint = '', bucket, catalogue, refreshMs = Number.POSITIVE_INFINITY } = options;
  if (rows === undefined) return undefined;
  const kept = keptRows<Named>({
    rows,
    of: [endpoint, bucket, 'names'],
    rewriteMs: refreshMs * staleFactor,
    parse(seenMs, [listed]) {
      if (!Array.isArray(listed)) return listed === null ? { entries: undefined, seenMs } : undefined;
      const entries = (listed as readonly (readonly [string, StoredEntry['kind']])[]).map(([name, kind]) => ({
        name,
        kind,
      }));
      return { entries, seenMs };
    },
    format: ({ entries }) => [entries?.map(({ name, kind }) => [name, kind]) ?? null],
  });
  return catalogue === undefined ? kept : aged(kept, catalogue);
}
