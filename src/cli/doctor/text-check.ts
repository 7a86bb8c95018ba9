/** Finds faulty texts of pages: reads all that a server would find for the images of a folder. */
import path from 'node:path';
import { librarySettings } from '../../config/groups/library.ts';
import type { MetadataFault } from '../../core/image/folder/folder-metadata.ts';
import type { Identifier } from '../../core/image/model/identifier.ts';
import { TextFolderNames } from '../../core/library/listings/text-folders.ts';
import { LibraryFileSystem } from '../../core/library/stats/library-file-system.ts';
import { TextFiles } from '../../features/texts/text-files.ts';
import { TextReader } from '../../features/texts/text-reader.ts';
import { type FolderWalk, shownIn } from '../common/folder-walk.ts';

/** A fault, and the path of its file from the folder that the command names. */
export interface LocatedFault extends MetadataFault {
  readonly shown: string;
}

export interface TextCheck {
  /** The faults in the texts of these image files of a folder. */
  faultsOf(folder: Identifier, images: readonly string[]): Promise<readonly LocatedFault[]>;
  /** The number of texts that were found. */
  count(): number;
}

/** `root` is the folder as the command names it. */
export function createTextCheck(root: string, { lists, real, isContained }: FolderWalk): TextCheck {
  const fileSystem = new LibraryFileSystem();
  let faults: LocatedFault[] = [];
  let count = 0;
  const onFault = (file: string, fault: MetadataFault): void =>
    void faults.push({ ...fault, shown: shownIn(root, path.relative(real, file)) });
  const folderNames = new TextFolderNames(librarySettings.shape.textFolders.parse(undefined));
  const files = new TextFiles({ roots: [lists], mountPoints: [], fileSystem, isContained, folderNames, onFault });
  const reader = new TextReader({ fileSystem, isContained, onFault });
  return {
    async faultsOf(folder, images) {
      faults = [];
      const found = await files.findAll(folder, images);
      count += found.size;
      await Promise.all([...found.values()].map((file) => reader.read(file)));
      return faults;
    },
    count: () => count,
  };
}
