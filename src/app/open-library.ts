/** Opens the library and its index as the settings say. */
import path from 'node:path';
import type { Logger } from 'pino';
import { userCacheDirectory } from '../config/cache-directory.ts';
import type { Settings } from '../config/settings.ts';
import { MetadataIndex } from '../library/index/metadata-index.ts';
import { Library } from '../library/library.ts';
import type { Pyramids } from '../pyramids/pyramids.ts';

/** The folders that hold images: the base directories and the virtual folders. */
export const imageFolders = ({ folders, virtualFolders }: Settings['library']): readonly string[] => [
  ...folders,
  ...virtualFolders.map(({ folder }) => folder),
];

/** The index of the library on disk; undefined where the settings switch it off. */
export function openIndex({ directory, maxBytes }: Settings['index'], logger: Logger): MetadataIndex | undefined {
  if (directory === false) return undefined;
  // The default directory is optional: that it can't be written is no fault.
  const level = directory === undefined ? 'info' : 'warn';
  return new MetadataIndex({
    directory: directory ?? path.join(userCacheDirectory(), 'index'),
    maxBytes,
    onFault: (message, err) => logger[level]({ err }, message),
  });
}

interface LibraryParts {
  readonly index: MetadataIndex | undefined;
  readonly pyramids: Pyramids;
}

export function openLibrary(settings: Settings, { index, pyramids }: LibraryParts, logger: Logger): Library {
  const { folders, virtualFolders, followLinksOutside, orientation } = settings.library;
  const [first, ...others] = folders;
  if (first === undefined) throw new TypeError('settings without a folder');
  return new Library({
    roots: [first, ...others],
    virtualFolders,
    followLinksOutside,
    orientation,
    onUnreadable: (file, reason) => logger.warn({ path: file, reason }, 'an image file can’t be read'),
    onUnreadableFolder: (folder) => logger.warn({ path: folder }, 'the server may not read a folder'),
    onMetadataFault: (file, { line, message }) => logger.warn({ file, line }, message),
    maxMemoryBytes: settings.index.memoryBytes,
    ...(index && { store: index }),
    derived: pyramids,
  });
}
