/** The texts of a library: finds the files with the words of pages, and reads them. */
import type { Reading } from '../../core/access/long-reads.ts';
import type { MetadataFault } from '../../core/image/folder/folder-metadata.ts';
import type { Identifier } from '../../core/image/model/identifier.ts';
import type { PlainBlocks, SourcePage } from '../../core/image/page-text/page-text.ts';
import type { Library, SidecarParts } from '../../core/library/library.ts';
import type { TextFilesByName } from '../../core/ports.ts';
import { type ImageOfText, TextFiles } from './find-texts.ts';
import type { TextFault } from './formats/text-fault.ts';
import { TextReader } from './read-texts.ts';
import type { TextFile } from './recognize-text.ts';

/** Methods without a description are those of `TextFiles` and `TextReader`. */
export interface TextLibrary {
  findText(image: ImageOfText): Promise<TextFile | undefined>;
  findEachText(image: ImageOfText): Promise<readonly TextFile[]>;
  findTexts(
    folder: Identifier,
    images: readonly string[],
    reading?: Pick<Reading, 'step'>,
  ): Promise<ReadonlyMap<string, TextFile>>;
  /** Of pages behind the first one of images with several, the files that have a text of them; undefined for the others. */
  findTextsInside(
    folder: Identifier,
    pages: readonly Omit<ImageOfText, 'folder'>[],
    reading?: Pick<Reading, 'step'>,
  ): Promise<readonly (TextFile | undefined)[]>;
  findOwnPageTexts(folder: Identifier, images: readonly string[]): Promise<ReadonlyMap<string, readonly TextFile[]>>;
  textNamesIn(folder: Identifier): Promise<readonly string[]>;
  textFileIn(folder: Identifier, name: string): Promise<TextFile | undefined>;
  isTextFolder(name: string): boolean;
  readPageText(file: TextFile): Promise<SourcePage | undefined>;
  readPlainText(file: TextFile): Promise<PlainBlocks | undefined>;
  textBytes(file: TextFile): Promise<Buffer | TextFault>;
}

export interface TextLibraryOptions {
  /** Called with each fault in the text of a page, once for each version of the file, for the log. */
  readonly onFault?: (path: string, fault: MetadataFault) => void;
  /** How much memory the cached texts of pages may take, in bytes: 16 MiB by default; 0 where each is read once. */
  readonly cacheBytes?: number;
}

interface Opened {
  readonly parts: SidecarParts;
  readonly files: TextFiles;
  readonly reader: TextReader;
}

export function createTextLibrary(
  library: Pick<Library, 'sidecars'>,
  { onFault = () => undefined, ...options }: TextLibraryOptions = {},
): TextLibrary {
  let opened: Opened | undefined;
  /** The files and the reader, opened again where the roots have moved. */
  function now(): Opened {
    const parts = library.sidecars();
    if (opened?.parts !== parts) {
      const { textFolders: folderNames, ...others } = parts;
      opened = {
        parts,
        files: new TextFiles({ ...others, folderNames, onFault }),
        reader: new TextReader({ ...others, ...options, onFault }),
      };
    }
    return opened;
  }
  return {
    findText: (image) => now().files.find(image),
    findEachText: (image) => now().files.findEach(image),
    findTexts: (folder, images, reading) => now().files.findAll(folder, images, reading),
    async findTextsInside(folder, pages, reading) {
      const { files, reader } = now();
      const found = await files.findInside(folder, pages, reading);
      return Promise.all(
        found.map(async (file) =>
          file === undefined || file.page === 1 || file.page <= (await reader.pagesIn(file)) ? file : undefined,
        ),
      );
    },
    findOwnPageTexts: (folder, images) => now().files.findOwnPages(folder, images),
    textNamesIn: (folder) => now().files.namesIn(folder),
    textFileIn: (folder, name) => now().files.named(folder, name),
    isTextFolder: (name) => now().files.isTextFolder(name),
    readPageText: (file) => now().reader.read(file),
    readPlainText: (file) => now().reader.readPlain(file),
    textBytes: (file) => now().reader.bytesOf(file),
  };
}

/** The text files of folders as other features read them. */
export const textFilesOf = (library: TextLibrary): TextFilesByName => ({
  namesIn: (folder) => library.textNamesIn(folder),
  async named(folder, name) {
    const file = await library.textFileIn(folder, name);
    if (file === undefined) return undefined;
    const bytes = async () => {
      const read = await library.textBytes(file);
      return Buffer.isBuffer(read) ? read : undefined;
    };
    return { paths: file.paths, modifiedMs: file.modifiedMs, bytes };
  },
  isTextFolder: (name) => library.isTextFolder(name),
});

/** Logs faults of texts. */
export const logTextFaults =
  (warn: (facts: object, message: string) => void) =>
  (file: string, { line, message }: MetadataFault): void =>
    warn({ file, line }, `a page’s text can’t be read: ${message}`);
