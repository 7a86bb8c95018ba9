/** Finds the pyramid of a source: a source without one takes a lookup in memory only, one with a pyramid a stat of it. */
import type { Resolution } from '../image/model/image-set.ts';
import { pyramidTile, slownessOf } from '../image/plan/slow-sources.ts';
import type { BuildOptions } from './build.ts';
import { headerFault } from './maker.ts';
import { readChecksums } from './pyramid-checksums.ts';
import { contentKey, nameFor } from './pyramid-store.ts';

interface FinderOptions extends Pick<BuildOptions, 'store' | 'quality' | 'probe' | 'storages'> {
  /** Called when a pyramid is damaged. */
  readonly onFault: (message: string, path: string) => void;
  /** Called with the source of a damaged pyramid after it was deleted. */
  readonly onDropped: (source: Resolution) => void;
}

/** The pyramid of a source, as its resolution; undefined where there is none. */
export type Finder = (source: Resolution) => Promise<Resolution | undefined> | undefined;

/** Finds the pyramids in a store; names are cached as long as the facts of their source. */
export function createFinder({ store, quality, probe, storages, onFault, onDropped }: FinderOptions): Finder {
  const names = new WeakMap<Resolution, string>();
  /** The pyramid of a source, by what its file says. */
  const checked = new WeakMap<Resolution, Resolution | 'damaged'>();

  async function nameOf(source: Resolution): Promise<string | undefined> {
    const name = names.get(source) ?? (await nameFor(source, quality, storages));
    if (name !== undefined) names.set(source, name);
    return name;
  }

  async function check(source: Resolution, pyramid: Resolution): Promise<Resolution | 'damaged'> {
    const cached = checked.get(pyramid);
    if (cached !== undefined) return cached;
    const isSound = headerFault(pyramid, source, pyramidTile(source)) === undefined;
    const verified = isSound ? await readChecksums(pyramid, storages) : undefined;
    // A pyramid shows its source, so it has the time of its source.
    const { modifiedMs } = source.file;
    const result = verified ? { ...verified, file: { ...pyramid.file, modifiedMs } } : 'damaged';
    checked.set(pyramid, result);
    return result;
  }

  async function open(source: Resolution): Promise<Resolution | undefined> {
    const name = await nameOf(source);
    if (name === undefined || !(await store.has(name))) return undefined;
    const path = store.pathOf(name);
    const [pyramid] = await probe(path);
    const found = pyramid ? await check(source, pyramid) : 'damaged';
    if (found !== 'damaged') {
      store.use(name);
      return found;
    }
    // A file that is gone, or that can't be opened, is not damaged.
    if (await store.canOpen(name)) {
      onFault('a derived pyramid is damaged and was deleted', path);
      await store.drop(name);
      onDropped(source);
    }
    return undefined;
  }

  return (source) => {
    store.refreshIfOld();
    if (store.isEmpty || !store.mayHave(contentKey(source, quality), slownessOf(source).kind === 'slow'))
      return undefined;
    return open(source).catch((error: unknown) => {
      // The store failed, which says nothing about the pyramid: the source is read instead.
      store.readFailed(error);
      return undefined;
    });
  };
}
