/** Opens the derived pyramids as the settings say, for the server and for the commands that make them ahead. */
import path from 'node:path';
import type { Logger } from 'pino';
import { userCacheDirectory } from '../config/cache-directory.ts';
import { availableMemory } from '../config/groups/limits-settings.ts';
import { createFileProbe } from '../core/library/file-facts.ts';
import { BucketPyramidStore, isWritable } from '../core/pyramids/bucket-store.ts';
import type { BuildOptions } from '../core/pyramids/build.ts';
import { type PyramidStore, storeIdentity } from '../core/pyramids/pyramid-store.ts';
import { createPyramids, type Pyramids } from '../core/pyramids/pyramids.ts';
import { LocalPyramidStore } from '../core/pyramids/store.ts';
import type { OnFault } from '../core/storage/fault-reporter.ts';
import { hexDigest } from '../core/storage/layout.ts';
import { type Storages, storagePathOf } from '../core/storage/storages.ts';
import { openSharedQueue } from './open-build-queue.ts';
import type { Settings } from './settings/settings.ts';

/** A pyramid of a gigapixel takes minutes. */
const deadlineMs = 30 * 60_000;

/** The memory of a process that makes a pyramid is at most this, and this part of the machine's: it runs beside the server. */
const mostMakerBytes = 2 * 2 ** 30;
const makerShare = 1 / 4;

/** In bytes. */
export const maxMakerBytes = (): number => Math.min(mostMakerBytes, Math.floor(availableMemory() * makerShare));

/** The folder of the settings, or by default one in the user's cache directory. */
export function pyramidFolder({ pyramids }: Settings, environment: NodeJS.ProcessEnv = process.env): string {
  if (pyramids.directory !== undefined) return pyramids.directory;
  return path.join(userCacheDirectory(environment), 'pyramids');
}

/** Where pyramids are kept, for messages. */
export const pyramidPlace = (settings: Settings): string => settings.pyramids.shared ?? pyramidFolder(settings);

/** The store; undefined where the settings allow no pyramids. */
export function openStore(settings: Settings, storages: Storages, onFault?: OnFault): PyramidStore | undefined {
  const { maxBytes, shared } = settings.pyramids;
  if (maxBytes === 0) return undefined;
  const options = { directory: pyramidFolder(settings), maxBytes, ...(onFault && { onFault }) };
  if (shared === undefined) return new LocalPyramidStore(options);
  const rootPath = storagePathOf(shared, 'own-files');
  const storage = storages.of(rootPath);
  if (!isWritable(storage)) throw new TypeError(`nothing can be written to ${shared}`);
  return new BucketPyramidStore({ ...options, storage, rootPath });
}

/** The same for all servers that find the same pyramids. */
export async function pyramidsIdentity(settings: Settings): Promise<string> {
  const { shared } = settings.pyramids;
  if (shared === undefined) return storeIdentity(pyramidFolder(settings));
  return hexDigest(JSON.stringify([settings.objectStorage.endpoint, storagePathOf(shared)]), 16);
}

/** The options with which pyramids are built. */
export const buildOptionsOf = ({ pyramids }: Settings, storages: Storages): Omit<BuildOptions, 'store' | 'signal'> => ({
  quality: pyramids.quality,
  probe: createFileProbe(storages),
  storages,
  deadlineMs,
  maxMemoryBytes: maxMakerBytes(),
});

/** How many pyramids of a shared queue the server builds at once; 0 where it leaves them to workers. */
export const buildJobsOf = ({ redis }: Settings): number => (redis?.builds ? 1 : 0);

/** The server's pyramids. */
export function openPyramids(settings: Settings, storages: Storages, logger: Logger): Pyramids {
  const { redis } = settings;
  return createPyramids({
    ...buildOptionsOf(settings, storages),
    store: openStore(settings, storages, (message, err) => logger.warn({ err }, message)),
    // Pictures with their stored profile are never made from a pyramid.
    automatic: settings.pyramids.automatic && settings.render.profiles === 'convert',
    onFault: (message, file) => logger.warn(file === undefined ? {} : { path: file }, message),
    openQueue:
      redis &&
      ((options) =>
        openSharedQueue(
          { ...settings, redis },
          storages,
          { ...options, identity: () => pyramidsIdentity(settings) },
          buildJobsOf(settings),
        )),
  });
}
