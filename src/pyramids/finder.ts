/** Finds the pyramid of a source: by one look into memory where there is none, by one at the disk where there is one. */
import { realpath } from 'node:fs/promises';
import type { Resolution } from '../image/model/image-set.ts';
import { pyramidTile } from '../image/plan/slow-sources.ts';
import { headerFault } from './header-fault.ts';
import { contentKey, pyramidName } from './names.ts';
import type { PyramidStore } from './store.ts';

export interface FinderOptions {
  readonly store: PyramidStore;
  readonly quality: number;
  /** The facts of each page of an image file; none where it can't be read. */
  readonly probe: (path: string) => Promise<readonly Resolution[]>;
  /** Told of a pyramid that is damaged. */
  readonly onFault: (message: string, path: string) => void;
}

/** The pyramid of a source, as its resolution; undefined where there is none. */
export type Finder = (source: Resolution) => Promise<Resolution | undefined> | undefined;

/** Finds the pyramids that are there; what is known of a source is kept as long as its facts are. */
export function createFinder({ store, quality, probe, onFault }: FinderOptions): Finder {
  const contents = new WeakMap<Resolution, string>();
  const names = new WeakMap<Resolution, Promise<string | undefined>>();
  /** What was read of a pyramid, as the resolution of its source. */
  const checked = new WeakMap<Resolution, Resolution | 'faulty'>();

  const contentOf = (source: Resolution): string => {
    const known = contents.get(source) ?? contentKey(source, quality);
    contents.set(source, known);
    return known;
  };

  const nameOf = (source: Resolution): Promise<string | undefined> => {
    const real = () => realpath(source.file.path).catch(() => undefined);
    const known = names.get(source) ?? real().then((place) => place && pyramidName(contentOf(source), place));
    names.set(source, known);
    return known;
  };

  function check(source: Resolution, pyramid: Resolution): Resolution | 'faulty' {
    const known = checked.get(pyramid);
    if (known !== undefined) return known;
    const isFaulty = headerFault(pyramid, source, pyramidTile(source)) !== undefined;
    // A pyramid shows its source, so that is what it is as old as.
    const { modifiedMs } = source.file;
    const result = isFaulty ? 'faulty' : { ...pyramid, file: { ...pyramid.file, modifiedMs } };
    checked.set(pyramid, result);
    return result;
  }

  async function open(source: Resolution): Promise<Resolution | undefined> {
    const name = await nameOf(source);
    if (name === undefined || !store.has(name)) return undefined;
    const [pyramid] = await probe(store.pathOf(name)).catch(() => []);
    const found = pyramid ? check(source, pyramid) : 'faulty';
    if (found === 'faulty') {
      // One that is gone was deleted, by whom it may: that is no fault.
      if (await store.isOnDisk(name)) onFault('a derived pyramid is damaged and was deleted', store.pathOf(name));
      await store.drop(name);
      return undefined;
    }
    store.use(name);
    return found;
  }

  return (source) => {
    store.refreshIfOld();
    return !store.isEmpty && store.mayHave(contentOf(source)) ? open(source) : undefined;
  };
}
