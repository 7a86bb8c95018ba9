/** Opens the library, its index and the cache of pictures as the settings say. */
import path from 'node:path';
import type { Logger } from 'pino';
import { userCacheDirectory } from '../config/cache-directory.ts';
import { createDerivatives, type Derivatives } from '../core/cache/derivatives.ts';
import { MetadataIndex } from '../core/library/index/metadata-index.ts';
import { SharedIndex } from '../core/library/index/shared-index.ts';
import { Library } from '../core/library/library.ts';
import type { Pyramids } from '../core/pyramids/pyramids.ts';
import type { RendererOptions } from '../core/render/renderer.ts';
import type { Catalogue } from '../core/storage/catalogue.ts';
import { isOnLocalDisk } from '../core/storage/disk/mount-table.ts';
import { kindOf, type Storages, storagePathOf } from '../core/storage/storages.ts';
import type { StoreObserver } from '../core/storage/store-observer.ts';
import { openSharedObjects } from './open-storages.ts';
import type { Settings } from './settings/settings.ts';

/** Which root a file is in, and which of several roots may hang: those whose disks are not of this machine. */
export function rootRules(
  folders: readonly string[],
  library: Library,
  storages: Storages,
): Required<Pick<RendererOptions, 'rootOf' | 'limitedRoots'>> {
  const rootOf = (file: string): string => library.rootOf(file) ?? '';
  const mayHang = (folder: string): boolean => storages.of(storagePathOf(folder)).mayHang(storagePathOf(folder));
  const remote = folders.length > 1 ? folders.filter(mayHang) : [];
  return { rootOf, limitedRoots: new Set(remote.map((folder) => rootOf(path.join(folder, 'any')))) };
}

/** Logs faults of a directory. The default one is optional: that it can't be written is no fault. */
const logFaultsOf =
  (directory: string | false | undefined, logger: Logger) =>
  (message: string, err: unknown): void =>
    logger[directory === undefined ? 'info' : 'warn']({ err }, message);

/** The index of the library on disk; undefined where the settings switch it off. */
export function openIndex(
  { directory: named, maxBytes }: Settings['index'],
  logger: Logger,
): MetadataIndex | undefined {
  if (named === false) return undefined;
  const directory = named ?? path.join(userCacheDirectory(), 'index');
  return new MetadataIndex({ directory, maxBytes, onFault: logFaultsOf(named, logger) });
}

/** The folder that servers share pictures in; nothing where the settings name none. */
const sharedFolderOf = ({ shared, sharedMaxBytes: maxBytes }: Settings['cache'], isCountedLate: boolean) =>
  shared === undefined || kindOf(shared).openObjects !== undefined
    ? {}
    : { sharedFolder: { directory: shared, maxBytes, isCountedLate } };

/** The cache of pictures; a command that may make none leaves its files uncounted until then. */
export function openDerivatives(
  settings: Settings,
  logger: Logger,
  { activity, isBrief: isCountedLate }: { readonly activity: StoreObserver; readonly isBrief: boolean },
): Derivatives {
  const { memoryBytes, directory: named, maxBytes } = settings.cache;
  const shared = openSharedObjects(settings, activity);
  const directory = named ?? userCacheDirectory();
  const disk =
    directory === false ? undefined : { directory, maxBytes, isLocal: isOnLocalDisk(directory), isCountedLate };
  return createDerivatives({
    memoryBytes,
    restMs: settings.render.idleMs,
    ...(disk && { disk }),
    ...(shared && { shared }),
    ...sharedFolderOf(settings.cache, isCountedLate),
    onFault: logFaultsOf(named, logger),
  });
}

/** What a library is opened with beside the settings; see `LibraryOptions`. */
interface LibraryResources {
  readonly storages: Storages;
  readonly index: MetadataIndex | undefined;
  /** What other servers have read of objects is found in it. */
  readonly catalogue: Catalogue | undefined;
  readonly derived?: Pyramids;
}

export function openLibrary(
  settings: Settings,
  logger: Logger,
  { index, catalogue, ...resources }: LibraryResources,
): Library {
  const { folders, virtualFolders, followLinksOutside, orientation, textFolders } = settings.library;
  const [first, ...others] = folders;
  if (first === undefined) throw new TypeError('settings without a folder');
  const store = catalogue === undefined ? index : new SharedIndex(index, catalogue.facts);
  return new Library({
    roots: [first, ...others],
    virtualFolders,
    followLinksOutside,
    orientation,
    textFolders,
    onUnreadable: (file, reason) => logger.warn({ path: file, reason }, 'an image file can’t be read'),
    onUnreadableFolder: (folder) => logger.warn({ path: folder }, 'the server may not read a folder'),
    onHangingRoot: (folder) =>
      logger.warn({ path: folder }, 'a folder of the library does not answer; it is served as soon as it does'),
    onAnsweringRoot: (folder) => logger.warn({ path: folder }, 'a folder of the library answers again'),
    onMetadataFault: (file, { line, message }) => logger.warn({ file, line }, message),
    maxMemoryBytes: settings.index.memoryBytes,
    ...(store && { store }),
    ...resources,
  });
}
