/** What is in the catalogue, and what is being filled. */
import type { Database } from '../postgres/database.ts';

export interface AreaStatus {
  /** The bucket with the prefix, such as `scans/books`. */
  readonly path: string;
  /** After the last filling; undefined before the first one has ended. */
  readonly filledAt: Date | undefined;
  /** The time of which the objects were, and their number. */
  readonly asOf: Date | undefined;
  readonly objects: number;
  /** A filling that is under way or was stopped: objects that were read. */
  readonly filling: number | undefined;
}

export interface CatalogueStatus {
  readonly areas: readonly AreaStatus[];
  /** Bytes of the database on its disk. */
  readonly bytes: number;
  readonly folders: number;
  readonly images: number;
}

const areasSql = `
  select a.path, a.filled_at, a.filled_as_of, coalesce(a.objects, 0)::float8 as objects, f.objects::float8 as filling
  from areas a left join fillings f on f.area = a.id order by a.path`;

const totalsSql = `
  select pg_database_size(current_database())::float8 as bytes, count(*)::float8 as folders,
    coalesce(sum(images), 0)::float8 as images from folders`;

export async function statusOf({ patiently }: Pick<Database, 'patiently'>): Promise<CatalogueStatus> {
  const areas = await patiently.ask<{
    readonly path: string;
    readonly filled_at: Date | null;
    readonly filled_as_of: Date | null;
    readonly objects: number;
    readonly filling: number | null;
  }>(areasSql);
  const [totals] = await patiently.ask<Omit<CatalogueStatus, 'areas'>>(totalsSql);
  return {
    ...{ bytes: 0, folders: 0, images: 0, ...totals },
    areas: areas.map(({ path, filled_at, filled_as_of, objects, filling }) => ({
      ...{ path, objects, filledAt: filled_at ?? undefined, asOf: filled_as_of ?? undefined },
      filling: filling ?? undefined,
    })),
  };
}
