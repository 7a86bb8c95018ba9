/** Opens the parts of a library, as its roots lie on the disk now. */

import type { MetadataFault } from '../image/folder/folder-metadata.ts';
import { Storages, storagePathOf } from '../storage/storages.ts';
import { type FactsStore, type OrientationRule, Prober, type SidecarStore } from './file-facts.ts';
import { ImageMetadataReader } from './image-metadata-reader.ts';
import { type Derived, ImageDescriber } from './image-sets.ts';
import { createListingCache, Folders, type ListingCache, type ListingStore } from './listings/folder-cache.ts';
import { TextFolderNames } from './listings/text-folders.ts';
import { Locator } from './locate.ts';
import { MetadataReader } from './metadata/reader.ts';
import { type Containment, containmentIn } from './roots/containment.ts';
import {
  type MountPoint,
  mountsOf,
  type RealPath,
  rootMountPoint,
  type VirtualFolder,
} from './roots/virtual-folders.ts';

export interface LibraryOptions {
  /** The base directories as absolute paths; the first holds the highest resolution (digilib.md, section 3). */
  readonly roots: readonly [string, ...string[]];
  /** Paths of the library that lead to folders elsewhere; these count as roots. */
  readonly virtualFolders?: readonly VirtualFolder[];
  /** Whether symbolic links may lead out of the roots. */
  readonly followLinksOutside: boolean;
  readonly orientation: OrientationRule;
  /** Called with each image file whose header can't be read, for the log. */
  readonly onUnreadable: (path: string, reason: string) => void;
  /** Called with each folder that the server may not read, once for each version of the folder, for the log. */
  readonly onUnreadableFolder?: (path: string) => void;
  /** Called with each fault in a metadata file, once for each version of the file, for the log. */
  readonly onMetadataFault?: (path: string, fault: MetadataFault) => void;
  /** The disks alone by default. */
  readonly storages?: Storages;
  /** The names of folders that hold the texts of scans, the preferred one first. */
  readonly textFolders?: readonly string[];
  /** Called with a root, as configured, when its disk does not answer, and when it answers again, for the log. */
  readonly onHangingRoot?: (folder: string) => void;
  readonly onAnsweringRoot?: (folder: string) => void;
  /** Caches listings and facts of files for the next process. */
  readonly store?: ListingStore & FactsStore & SidecarStore;
  /** About how many bytes of memory the cached listings and facts may take. */
  readonly maxMemoryBytes?: number;
  readonly derived?: Derived;
}

/** What finds files beside images, in the same folders and in folders for texts. */
export interface SidecarParts {
  /** The folders of the base directories, the first one before the others. */
  readonly roots: readonly [Folders, ...Folders[]];
  readonly mountPoints: readonly MountPoint[];
  readonly storages: Storages;
  readonly isContained: Containment;
  readonly textFolders: TextFolderNames;
  /** What was learned of such files before. */
  readonly facts: SidecarStore | undefined;
}

export interface LibraryParts {
  readonly storages: Storages;
  readonly isContained: Containment;
  readonly listings: ListingCache;
  /** The folders of the first base directory. */
  readonly first: Folders;
  readonly prober: Prober;
  readonly locator: Locator;
  readonly describer: ImageDescriber;
  readonly metadata: MetadataReader;
  readonly imageMetadata: ImageMetadataReader;
  readonly sidecars: SidecarParts;
}

export interface RootsOnDisk {
  readonly realPathOf: RealPath;
  /** Called when a disk does not answer a request. */
  readonly onNoAnswer: () => void;
}

const defaultMemoryBytes = 64 * 1024 * 1024;

/** Throws where a root does not exist, and where a virtual folder has no usable link or does not exist. */
export function openLibraryParts(options: LibraryOptions, { realPathOf, onNoAnswer }: RootsOnDisk): LibraryParts {
  const { orientation, onUnreadable, onUnreadableFolder, store, maxMemoryBytes = defaultMemoryBytes } = options;
  const { derived = { find: () => undefined, state: () => 0 } } = options;
  const bases = options.roots.map((path) => ({ path: storagePathOf(path), real: requireFolder(path, realPathOf) }));
  const mounts = mountsOf(options.virtualFolders ?? [], realPathOf);
  const rootMountPoints = bases.map(({ real }) => rootMountPoint(real));
  const mountPoints = [...rootMountPoints, ...mounts];
  const directories = mountPoints.map(({ directory }) => directory);
  const storages = (options.storages ?? new Storages()).limited(directories, onNoAnswer);
  const listings = createListingCache(maxMemoryBytes / 2);
  const isContained = containmentIn(directories, options.followLinksOutside);
  const parts = { isContained, storages, cache: listings, onUnreadableFolder, ...(store && { store }) };
  const [first, ...others] = bases.map((base, index) => new Folders(base, parts, index === 0 ? mounts : []));
  if (first === undefined) throw new TypeError('a library without a root');
  const textFolders = new TextFolderNames(options.textFolders ?? []);
  const locator = new Locator({ first, mountPoints, storages, textFolders });
  const prober = new Prober({ ...parts, orientation, onUnreadable, maxBytes: maxMemoryBytes / 2 });
  const onFault = options.onMetadataFault ?? (() => undefined);
  const metadata = new MetadataReader(isContained, onFault, storages);
  const imageMetadata = new ImageMetadataReader({ first, locator, metadata, storages });
  const originals = [...rootMountPoints.slice(0, 1), ...mounts];
  const describer = new ImageDescriber({
    prober,
    first,
    others,
    originals,
    derived,
    metadata: imageMetadata,
    storages,
  });
  return {
    storages,
    isContained,
    listings,
    first,
    prober,
    locator,
    describer,
    metadata,
    imageMetadata,
    sidecars: { roots: [first, ...others], mountPoints, storages, isContained, textFolders, facts: store },
  };
}

function requireFolder(folder: string, realPathOf: RealPath): string {
  const real = realPathOf(folder);
  if (real === undefined) throw new Error(`There is no folder ${folder}.`);
  return real;
}
