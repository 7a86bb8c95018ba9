/** The server's derived pyramids: finds them for images, and builds them for images whose tiles are requested and slow. */

import path from 'node:path';
import { LRUCache } from 'lru-cache';
import PQueue from 'p-queue';
import type { Resolution, SourceFile } from '../image/model/image-set.ts';
import { pyramidTile, slownessOf } from '../image/plan/slow-sources.ts';
import { traceparent } from '../tracing/tracing.ts';
import { type BuildOptions, buildPyramid } from './build.ts';
import { canMake, headerFault } from './maker.ts';
import { readChecksums } from './pyramid-checksums.ts';
import { buildId, contentKey, nameFor, type PyramidStore } from './pyramid-store.ts';
import type { Build, BuildQueue, BuildRequest, QueueLoad } from './queue/build-queue.ts';
import { LocalBuildQueue, type LocalQueueOptions } from './queue/local-queue.ts';

/** `build`, of which at most `jobs` run at the same time. */
export function oneAtATime(build: Build, jobs = 1): Build {
  const turns = new PQueue({ concurrency: jobs });
  return (source, onStage) => turns.add(() => build(source, onStage));
}

interface PyramidsOptions extends Omit<BuildOptions, 'signal' | 'store' | 'onStage'> {
  /** Undefined where the settings allow no pyramids. */
  readonly store: PyramidStore | undefined;
  /** Whether pyramids are built without a command. */
  readonly automatic: boolean;
  /** Called when pyramids can't be built or read; `path` is that of the file on the host. */
  readonly onFault: (message: string, path?: string) => void;
  /** The queue, where it is not one of this process alone. */
  readonly openQueue?:
    | ((options: LocalQueueOptions & { readonly onBuiltByOthers: () => void }) => BuildQueue)
    | undefined;
}

interface PyramidsLoad extends QueueLoad {
  /** Number of pyramids in the store. */
  readonly count: number;
  readonly bytes: number;
  /** Number of pyramids that this process has built. */
  readonly made: number;
  /** Number of pyramids since the start that were deleted because they were damaged. */
  readonly damaged: number;
}

/** Derived pyramids, as the server uses them. */
export interface Pyramids {
  /** The pyramid of a source; undefined, without a disk access, where there is none. */
  find(source: Resolution): Promise<Resolution | undefined> | undefined;
  /** Changes whenever a pyramid is added or deleted. */
  state(): number;
  /**
   * A region of a source was rendered from it, which takes `ms` of processor time: once regions have taken a part of the time that its
   * pyramid takes, this is built in the background, by whoever can pay for it in ms.
   */
  recordSlowRegion(source: Resolution, ms: number, pays?: (ms: number) => boolean): void;
  /** Deletes a pyramid that is damaged, and builds it again from its source. */
  replace(pyramid: SourceFile, source: Resolution): Promise<void>;
  /** The store of a pyramid failed while it was read: for a while images are read instead. */
  leaveOut(error: unknown): void;
  load(): PyramidsLoad;
  /** Ends the present build. */
  close(): Promise<void>;
}

/**
 * A pyramid is built after regions of its source have taken this part of its processor time: of an image that few look at it would
 * never pay for itself, and readers of an image whose regions are slow have it after the first of them.
 */
const shareBeforeBuild = 1 / 4;

/** About how long it takes to decode a megapixel and to write it with its smaller levels, in ms of processor time. */
const buildMsPerMegapixel = { jp2: 100, others: 30 } as const;

const buildMs = ({ format, width, height }: Resolution): number =>
  ((width * height) / 1e6) * buildMsPerMegapixel[format === 'jp2' ? 'jp2' : 'others'];

/** Bounds the sources whose regions or rebuilds are counted. */
const maxCounted = 10_000;

/** A disk that damages the same pyramid more often does so always: after this, only regions that are requested count. */
const maxRebuilds = 3;

const none: Pyramids = {
  find: () => undefined,
  state: () => 0,
  recordSlowRegion: () => undefined,
  replace: async () => undefined,
  leaveOut: () => undefined,
  load: () => ({ count: 0, bytes: 0, waiting: 0, building: 0, failed: 0, made: 0, damaged: 0 }),
  close: async () => undefined,
};

/** Builds one pyramid at a time, whoever asks, and counts those that were made. */
function createBuilder(options: BuildOptions): { readonly build: Build; readonly made: () => number } {
  let made = 0;
  const build = oneAtATime(async (source, onStage) => {
    const outcome = await buildPyramid(source, { ...options, onStage });
    if (outcome.kind === 'made') made++;
    return outcome;
  });
  return { build, made: () => made };
}

export function createPyramids({ store, automatic, openQueue, ...options }: PyramidsOptions): Pyramids {
  if (store === undefined) return none;
  const { quality, onFault } = options;
  const ending = new AbortController();
  // In the background; the store reports disk errors itself.
  const sweeping = store.sweep().catch(() => undefined);
  const { build, made } = createBuilder({ ...options, store, signal: ending.signal });
  const queueOptions = { build, signal: ending.signal, onFault };
  const queue =
    openQueue?.({ ...queueOptions, onBuiltByOthers: () => void store.refresh().catch(() => undefined) }) ??
    new LocalBuildQueue(queueOptions);
  const spentMs = new LRUCache<string, number>({ max: maxCounted });
  const isBuilding = automatic && canMake();
  const rebuildCounts = new LRUCache<string, number>({ max: maxCounted });
  let damaged = 0;
  function requestFor(source: Resolution): BuildRequest {
    const key = contentKey(source, quality);
    return { id: buildId(key, source), key, source, traceparent: traceparent() };
  }
  /** Builds the pyramid of a source whose own was damaged. */
  function rebuild(source: Resolution): void {
    damaged++;
    const request = requestFor(source);
    const count = (rebuildCounts.get(request.id) ?? 0) + 1;
    rebuildCounts.set(request.id, count);
    if (isBuilding && count <= maxRebuilds) queue.add(request);
  }
  return {
    find: createFinder({ ...options, store, onDropped: rebuild }),
    state: () => store.state,
    recordSlowRegion(source, ms, pays) {
      if (!isBuilding || slownessOf(source).kind !== 'slow') return;
      const request = requestFor(source);
      const price = buildMs(source);
      const spent = (spentMs.get(request.id) ?? 0) + ms;
      const isBegun = spent >= price * shareBeforeBuild && (pays?.(price) ?? true);
      spentMs.set(request.id, isBegun ? 0 : spent);
      if (isBegun) queue.add(request);
    },
    async replace(pyramid, source) {
      onFault('a derived pyramid is damaged and was deleted', pyramid.path);
      await store.drop(path.basename(pyramid.path));
      rebuild(source);
    },
    leaveOut: (error) => store.readFailed(error),
    load: () => ({ ...store.load(), ...queue.load(), made: made(), damaged }),
    async close() {
      ending.abort();
      await sweeping;
      await queue.close();
    },
  };
}

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

  async function check(source: Resolution, name: string, pyramid: Resolution): Promise<Resolution | 'damaged'> {
    const cached = checked.get(pyramid);
    if (cached !== undefined) return cached;
    const isSound = headerFault(pyramid, source, pyramidTile(source)) === undefined;
    const verified = isSound ? await readChecksums(pyramid, storages) : undefined;
    // A pyramid shows its source, so it has the time of its source.
    const { modifiedMs } = source.file;
    const content = `${name} ${pyramid.file.bytes}`;
    const result = verified ? { ...verified, file: { ...pyramid.file, modifiedMs, content } } : 'damaged';
    checked.set(pyramid, result);
    return result;
  }

  async function open(source: Resolution): Promise<Resolution | undefined> {
    const name = await nameOf(source);
    if (name === undefined || !(await store.has(name))) return undefined;
    const path = store.pathOf(name);
    const [pyramid] = await probe(path);
    const found = pyramid ? await check(source, name, pyramid) : 'damaged';
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
