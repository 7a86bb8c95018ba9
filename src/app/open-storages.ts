/** Opens the storages of all addresses in the settings, once, for all who read files. */
import path from 'node:path';
import type { Logger } from 'pino';
import { userCacheDirectory } from '../config/cache-directory.ts';
import { imageFolders } from '../config/groups/library-settings.ts';
import { SettingsError } from '../config/settings-error.ts';
import { accessOf } from '../config/store-access.ts';
import type { Catalogue } from '../core/storage/catalogue.ts';
import type { SmallObjects, UsedAddress } from '../core/storage/storage.ts';
import { kindOf, openStorages, type Storages } from '../core/storage/storages.ts';
import { StoreActivity } from '../core/storage/store-activity.ts';
import type { StoreObserver } from '../core/storage/store-observer.ts';
import { withStoreTime } from '../core/storage/store-time.ts';
import type { Settings } from './settings/settings.ts';

/** The storages of the settings; those that hold pyramids are closed with them too. */
export interface OpenedStorages {
  readonly storages: Storages;
  /** What is in the buckets; closed with the storages. */
  readonly catalogue: Catalogue | undefined;
  /** What is asked of object stores. */
  readonly activity: StoreActivity;
  /** Runs the work for a request, which waits for the storages for a bounded time; undefined where there are only disks. */
  readonly forRequest: typeof withStoreTime | undefined;
}

/** The catalogue of the settings, whose code is loaded where they name one. */
async function catalogueOf(settings: Settings, logger: Logger): Promise<Catalogue | undefined> {
  if (settings.catalogue.postgres === undefined || settings.withoutFeatures.includes('catalogue')) return undefined;
  const { openCatalogue } = await import('../features/catalogue/open-catalogue.ts');
  const catalogue = openCatalogue(settings, logger);
  await catalogue?.start();
  return catalogue;
}

/** Rejects with SettingsError where a storage can’t be used; one that does not answer is waited for later. */
export async function openStoragesOf(settings: Settings, logger: Logger): Promise<OpenedStorages> {
  const { refreshSeconds, list: mayList, extensions, metaFiles: hasMetaFiles, maxListedNames } = settings.objectStorage;
  const { spoolDirectory, spoolMaxBytes } = settings.objectStorage;
  const { shared } = settings.pyramids;
  const addresses: UsedAddress[] = imageFolders(settings.library).map((address) => ({ address, use: 'library' }));
  if (shared !== undefined) addresses.push({ address: shared, use: 'own-files' });
  const activity = new StoreActivity(logger);
  const catalogue = await catalogueOf(settings, logger);
  const { storages, faults } = await openStorages(addresses, {
    ...accessOf(settings),
    ...{ observer: activity, catalogue },
    refreshMs: refreshSeconds * 1000,
    ...{ mayList, extensions, hasMetaFiles, maxListedNames },
    metaFilesClose: (settings.access?.types ?? []).length > 0,
    directory: spoolDirectory ?? path.resolve(userCacheDirectory()),
    maxCopyBytes: spoolMaxBytes,
    onFault: (message, err) => logger.warn({ err }, message),
  });
  for (const { name: bucket, error: err, problem } of faults)
    if (problem === undefined)
      logger.warn({ err, bucket }, 'a bucket does not answer; it is served as soon as it does');
  const problems = faults.flatMap(({ problem }) => problem ?? []);
  if (problems.length === 0)
    return { storages, catalogue, activity, forRequest: storages.areAwaited ? withStoreTime : undefined };
  await storages.close();
  throw new SettingsError(problems);
}

/** The same for a command that names folders, whose pyramids stay where the settings say. */
export async function withStorages<T>(
  settings: Settings,
  folders: readonly string[],
  logger: Logger,
  use: (storages: Storages) => Promise<T>,
): Promise<T> {
  const library = { ...settings.library, folders: [...folders], virtualFolders: [] };
  const { storages } = await openStoragesOf({ ...settings, library }, logger);
  try {
    return await use(storages);
  } finally {
    await storages.close();
  }
}

/**
 * The objects that servers share their pictures in, whose code is loaded with the first of them; undefined where the settings
 * name none, or a folder.
 */
export function openSharedObjects(settings: Settings, observer: StoreObserver): SmallObjects | undefined {
  const { shared } = settings.cache;
  const openObjects = shared === undefined ? undefined : kindOf(shared).openObjects;
  if (shared === undefined || openObjects === undefined) return undefined;
  let opened: Promise<SmallObjects> | undefined;
  const objects = (): Promise<SmallObjects> => {
    opened ??= openObjects(shared, { ...accessOf(settings), observer });
    return opened;
  };
  return {
    get: async (name, maxBytes) => (await objects()).get(name, maxBytes),
    put: async (name, bytes) => (await objects()).put(name, bytes),
    close: async () => (await opened)?.close(),
  };
}
