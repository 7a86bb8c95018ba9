/** Walks the folders of a catalogue that everyone may see, by what is counted of them: no folder is listed. */
import { ImageError } from '../image/model/errors.ts';
import {
  childOf,
  formatIdentifier,
  type Identifier,
  isSegment,
  parseIdentifier,
  rootIdentifier,
} from '../image/model/identifier.ts';
import type { Library } from '../library/library.ts';
import type {
  CataloguedFolder,
  CataloguedImage,
  FolderCounts,
  PositionRange,
  WalkPosition,
} from '../storage/catalogue.ts';
import { answered } from './catalogued-folders.ts';
import type { Access, Caller } from './policy.ts';

/** A folder, and how many images it has. */
export interface CountedFolder {
  readonly path: string;
  readonly images: number;
  /** When the latest of its images was written, in ms since 1970; 0 where it has none, and where some may be closed. */
  readonly changedMs: number;
  /** As in `FolderCounts`. */
  readonly metadataVersion: string;
}

/** Methods throw ImageError `store-late` where the catalogue does not answer. */
export interface CountedFolders {
  /** A folder, and all that follow in the order of a walk. Throws ImageError `not-found` where everyone may see no such folder. */
  from(path: string): AsyncGenerator<CountedFolder>;
  /** The images of each of some folders, of which none has very many, without those that are closed. */
  imagesIn(folders: readonly CountedFolder[]): Promise<readonly (readonly CataloguedImage[])[]>;
  /** Some of the images of a folder; fewer where some of them are closed. */
  images(folder: CountedFolder, range: PositionRange): Promise<readonly CataloguedImage[]>;
}

/** Folders of one query. */
const foldersAtOnce = 2000;

const notFound = (): ImageError => new ImageError('not-found', 'There is no folder of this name.');

class CataloguedWalk implements CountedFolders {
  readonly #library: Library;
  readonly #access: Access;
  readonly #anyone: Caller;
  readonly #root: CataloguedFolder;

  constructor(library: Library, access: Access, anyone: Caller, root: CataloguedFolder) {
    this.#library = library;
    this.#access = access;
    this.#anyone = anyone;
    this.#root = root;
  }

  async *from(path: string): AsyncGenerator<CountedFolder> {
    const identifier = parseIdentifier(path);
    if (identifier === undefined || !(await this.#isVisible(identifier))) throw notFound();
    const own = await answered(this.#folder(identifier).counts());
    if (own === undefined) throw notFound();
    yield this.#counted(identifier, own);
    yield* this.#behind(formatIdentifier(identifier));
  }

  async imagesIn(folders: readonly CountedFolder[]): Promise<readonly (readonly CataloguedImage[])[]> {
    const found = await answered(this.#root.imagesIn(folders.map(({ path }) => path)));
    return folders.map(({ path }, index) => this.#shown(path, found[index] ?? []));
  }

  async images({ path }: CountedFolder, range: PositionRange): Promise<readonly CataloguedImage[]> {
    const identifier = parseIdentifier(path);
    if (identifier === undefined) return [];
    return this.#shown(path, await answered(this.#folder(identifier).images(range)));
  }

  async *#behind(path: string): AsyncGenerator<CountedFolder> {
    let after: WalkPosition | undefined = path === '' ? undefined : { path, isLeft: false };
    for (;;) {
      const folders = await answered(this.#root.walk(after, foldersAtOnce));
      let closed: string | undefined;
      for (const folder of folders) {
        if (closed !== undefined && folder.path.startsWith(`${closed}/`)) continue;
        closed = undefined;
        const names = folder.path.split('/');
        const identifier = names.every(isSegment) ? parseIdentifier(folder.path) : undefined;
        if (identifier !== undefined && (await this.#isVisible(identifier))) yield this.#counted(identifier, folder);
        else closed = folder.path;
      }
      const last = folders.at(-1);
      if (last === undefined || folders.length < foldersAtOnce) return;
      after = closed === undefined ? { path: last.path, isLeft: false } : { path: closed, isLeft: true };
    }
  }

  async #isVisible(identifier: Identifier): Promise<boolean> {
    const paths = (await this.#library.folderPaths(identifier)) ?? [];
    return (
      this.#access.grantAt([identifier, ...paths], this.#anyone) !== undefined &&
      (await this.#library.isShown(identifier))
    );
  }

  #shown(path: string, images: readonly CataloguedImage[]): readonly CataloguedImage[] {
    const folder = parseIdentifier(path) ?? rootIdentifier;
    const areAllOpen = !this.#access.mayHide('images', [folder], this.#anyone);
    return images.filter(
      ({ name }) =>
        isSegment(name) && (areAllOpen || this.#access.grantAt([childOf(folder, name)], this.#anyone) !== undefined),
    );
  }

  /** The latest image may be a closed one, whose date nobody learns. */
  #counted(identifier: Identifier, { images, changedMs, metadataVersion }: FolderCounts): CountedFolder {
    const isDated = !this.#access.mayHide('images', [identifier], this.#anyone);
    return { path: formatIdentifier(identifier), images, changedMs: isDated ? changedMs : 0, metadataVersion };
  }

  #folder(identifier: Identifier): CataloguedFolder {
    const part = this.#library.catalogued(identifier);
    if (part === undefined) throw notFound();
    return part.folder;
  }
}

/** Returns the folders where a catalogue has the whole library, and no image is closed by what its metadata says. */
export function createCountedFolders(
  library: Library,
  access: Access,
  anyone: Caller,
): () => CountedFolders | undefined {
  return () => {
    const root = library.catalogued(rootIdentifier);
    if (root === undefined || root.virtual.length > 0 || access.mayHide('images', [], anyone)) return undefined;
    return new CataloguedWalk(library, access, anyone, root.folder);
  };
}
