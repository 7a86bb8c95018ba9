/** Opens the queue of pyramids that servers share through Redis, as the settings say. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { imageFolders } from '../config/groups/library-settings.ts';
import { isNoAnswer } from '../core/image/model/errors.ts';
import { Prober } from '../core/library/file-facts.ts';
import { createListing, noEntries } from '../core/library/listings/listing.ts';
import { containmentIn } from '../core/library/roots/containment.ts';
import { nameFor } from '../core/pyramids/pyramid-store.ts';
import type { BuildQueue } from '../core/pyramids/queue/build-queue.ts';
import type { LocalQueueOptions } from '../core/pyramids/queue/local-queue.ts';
import type { SourceProbe } from '../core/pyramids/queue/processor.ts';
import type { RedisAddress } from '../core/pyramids/queue/redis-link.ts';
import { SharedBuildQueue } from '../core/pyramids/queue/shared-queue.ts';
import { Storages, storagePathOf } from '../core/storage/storages.ts';
import type { Settings } from './settings/settings.ts';

export type RedisSettings = NonNullable<Settings['redis']>;

/** Where the queue is. */
export const redisAddressOf = ({ address, passwordFile, prefix, takeoverSeconds }: RedisSettings): RedisAddress => ({
  address,
  prefix,
  takeoverMs: takeoverSeconds * 1000,
  readPassword: async () => (passwordFile === undefined ? undefined : (await readFile(passwordFile, 'utf8')).trim()),
});

/** The name of the queue of a store of pyramids, by its identity: servers that share the store share the queue. */
export const queueNameOf = (identity: string): string => `pyramids-${identity}`;

/** The path without links, on a disk or in a bucket; undefined where nothing is there. Rejects where nobody answers. */
const realPathOf = async (file: string, storages: Storages): Promise<string | undefined> => {
  try {
    return await storages.of(file).realPath(file);
  } catch (error) {
    if (isNoAnswer(error)) throw error;
    return undefined;
  }
};

/** Reads files of the library alone: the paths come from Redis, into which others may write. Rejects where a folder does not answer. */
export function createSourceProbe({ library }: Settings, storages = new Storages()): SourceProbe {
  const { followLinksOutside, orientation } = library;
  const prober = (roots: readonly string[]): Prober =>
    new Prober({
      storages,
      isContained: containmentIn(roots, followLinksOutside),
      orientation,
      onUnreadable: () => undefined,
    });
  return async (file) => {
    const real = await realPathOf(file, storages);
    if (real === undefined) return [];
    const folders = imageFolders(library).map((folder) => storagePathOf(folder));
    const found = await Promise.allSettled(folders.map((folder) => realPathOf(folder, storages)));
    const roots = found.flatMap((result) => (result.status === 'fulfilled' ? (result.value ?? []) : []));
    if (!containmentIn(roots, followLinksOutside)(real)) {
      // It may be in the folder that did not answer.
      const failed = found.find((result) => result.status === 'rejected');
      if (failed) throw failed.reason;
      return [];
    }
    return prober(roots).probe(createListing(path.dirname(file), noEntries()), path.basename(file));
  };
}

interface SharedQueueParts extends LocalQueueOptions {
  /** The identity of the store of pyramids. */
  readonly identity: () => Promise<string>;
  readonly onBuiltByOthers?: () => void;
}

/** The shared queue. `jobs` pyramids are built at once; 0 leaves all to other processes while Redis answers. */
export function openSharedQueue(
  settings: Settings & { readonly redis: RedisSettings },
  storages: Storages,
  { identity, ...options }: SharedQueueParts,
  jobs: number,
): BuildQueue {
  const { quality } = settings.pyramids;
  const probe = createSourceProbe(settings, storages);
  return new SharedBuildQueue({
    ...options,
    redis: redisAddressOf(settings.redis),
    queueName: async () => queueNameOf(await identity()),
    nameOf: (source) => nameFor(source, quality, storages),
    building: jobs === 0 ? undefined : { build: options.build, probe, quality, jobs },
  });
}
