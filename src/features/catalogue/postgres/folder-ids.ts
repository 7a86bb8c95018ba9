/** The numbers of folders by their paths; folders that are not in the table are added to it. */
import { LRUCache } from 'lru-cache';
import type { PoolClient } from 'pg';
import { foldedText } from '../../../core/image/folder/page-labels.ts';
import { nameOfPath, pathsDownTo } from './stored-forms.ts';

/** Numbers in memory: some 40 MB. */
const maxKnown = 200_000;

type Row = { readonly id: number; readonly path: string };

/** `$1` are paths, `$2` those of the folders around them, `$3` their words. */
const insertion = `
  with added as (
    insert into folders (path, parent, words)
    select q.path, around.id, q.words from unnest($1::text[], $2::text[], $3::text[]) q (path, around, words)
    left join folders around on around.path = q.around
    on conflict (path) do nothing returning id, path, parent
  ), counted as (
    update folders set folders = folders + n from (select parent, count(*) n from added group by parent) a where id = a.parent
  )
  select id, path from added`;

const selection = 'select f.id, f.path from unnest($1::text[]) q (path) join folders f on f.path = q.path';

export class FolderIds {
  readonly #known = new LRUCache<string, number>({ max: maxKnown });

  /** The numbers of folders, of which those that are missing are made, with all around them. */
  async of(paths: Iterable<string>, client: Pick<PoolClient, 'query'>): Promise<ReadonlyMap<string, number>> {
    const wanted = new Set(paths);
    const found = await this.#find(wanted, client);
    const missing = [...wanted].filter((path) => !found.has(path));
    if (missing.length > 0) await this.#make(missing, client);
    const rest = await this.#find(missing, client);
    return new Map([...found, ...rest]);
  }

  /** Forgets all numbers, since folders may have been deleted. */
  forget(): void {
    this.#known.clear();
  }

  async #find(paths: Iterable<string>, client: Pick<PoolClient, 'query'>): Promise<Map<string, number>> {
    const ids = new Map<string, number>();
    const unknown: string[] = [];
    for (const path of paths) {
      const id = this.#known.get(path);
      if (id === undefined) unknown.push(path);
      else ids.set(path, id);
    }
    if (unknown.length === 0) return ids;
    const { rows } = await client.query<Row>(selection, [unknown]);
    for (const { id, path } of rows) {
      this.#known.set(path, id);
      ids.set(path, id);
    }
    return ids;
  }

  /** Level by level, since a folder names the one around it. */
  async #make(paths: readonly string[], client: Pick<PoolClient, 'query'>): Promise<void> {
    const levels: Set<string>[] = [];
    for (const path of paths)
      for (const [depth, one] of pathsDownTo(path).entries()) {
        levels[depth] ??= new Set();
        levels[depth].add(one);
      }
    for (const level of levels) {
      const known = await this.#find(level, client);
      const added = [...level].filter((path) => !known.has(path));
      if (added.length === 0) continue;
      const around = added.map((path) => path.slice(0, Math.max(0, path.lastIndexOf('/'))));
      const words = added.map((path) => foldedText(nameOfPath(path)));
      await client.query(insertion, [added, around, words]);
    }
  }
}
