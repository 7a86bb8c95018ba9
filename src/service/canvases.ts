/** The pages of a folder with their sizes: found once, and known as long as the folder and the files stay the same. */
import type { Caller } from '../access/access.ts';
import type { PageDescription } from '../image/folder/folder-description.ts';
import { ImageError } from '../image/model/errors.ts';
import { childOf, formatIdentifier, type Identifier, joinPage } from '../image/model/identifier.ts';
import { type Admitted, highest, type ImageSet, type SourceFile } from '../image/model/image-set.ts';
import type { Folder } from '../library/library.ts';
import { type Admission, ifAdmitted } from './admit.ts';
import { mapBounded } from './map-bounded.ts';

export interface CanvasesParts {
  readonly admission: Admission;
  /** Throws ImageError `changed` where the file is no longer the one that was described. */
  readonly requireCurrent: (file: SourceFile) => Promise<void>;
}

/** What is known of one file of a folder. */
interface KnownFile {
  /** The path that the file was asked by: two paths can lead to one folder, whose listing they share. */
  readonly path: string;
  readonly source: SourceFile;
  readonly pages: readonly PageDescription[];
}

/** What is known of a folder, by the names of its files. */
interface KnownFolder {
  readonly files: Map<string, KnownFile>;
  /** Settled when the last who asked has been answered: many at once do the work once. */
  turn: Promise<unknown>;
}

function pageOf(path: string, file: string, image: Admitted<ImageSet>): PageDescription {
  const { width, height } = highest(image);
  return { path, file, width, height };
}

/** Whether a file is still the one that was described; a file that is written over leaves its folder's listing as it is. */
async function isCurrent(source: SourceFile, requireCurrent: CanvasesParts['requireCurrent']): Promise<boolean> {
  try {
    await requireCurrent(source);
    return true;
  } catch (error) {
    if (error instanceof ImageError && error.code === 'changed') return false;
    throw error;
  }
}

/** The pages of an admitted folder that the caller may see, in the order of `pn`; a file that can't be read has none. */
export function createCanvases({
  admission,
  requireCurrent,
}: CanvasesParts): (folder: Admitted<Folder>, caller: Caller) => Promise<readonly PageDescription[]> {
  // A listing is one list of names as long as the folder stays the same, so that what is known of it goes with it.
  const knownFolders = new WeakMap<readonly string[], KnownFolder>();

  const knownOf = (images: readonly string[]): KnownFolder => {
    const known = knownFolders.get(images) ?? { files: new Map(), turn: Promise.resolve() };
    knownFolders.set(images, known);
    return known;
  };

  async function pagesInside(path: string, file: string, count: number, caller: Caller): Promise<PageDescription[]> {
    const numbers = Array.from({ length: count }, (_, index) => index + 1);
    const pages = await mapBounded(numbers, async (pageInFile) => {
      const pagePath = joinPage(path, pageInFile);
      const inside = await ifAdmitted(admission.admit(pagePath, 1, caller));
      return inside && { ...pageOf(pagePath, file, inside), pageInFile };
    });
    return pages.filter((page) => page !== undefined);
  }

  async function describe(folder: Identifier, file: string, caller: Caller): Promise<KnownFile | undefined> {
    const path = formatIdentifier(childOf(folder, file));
    const image = await ifAdmitted(admission.admit(path, 1, caller));
    if (image === undefined) return undefined;
    const { pageCount } = image;
    const pages = pageCount > 1 ? await pagesInside(path, file, pageCount, caller) : [pageOf(path, file, image)];
    return { path, source: highest(image).file, pages };
  }

  async function pagesOfFile(
    known: Map<string, KnownFile>,
    folder: Identifier,
    file: string,
    caller: Caller,
  ): Promise<readonly PageDescription[]> {
    const path = formatIdentifier(childOf(folder, file));
    const last = known.get(file);
    const before = last?.path === path ? last : undefined;
    if (before !== undefined && (await isCurrent(before.source, requireCurrent))) return before.pages;
    const described = await describe(folder, file, caller);
    if (described === undefined) known.delete(file);
    else known.set(file, described);
    return described?.pages ?? [];
  }

  return async (folder, caller) => {
    const { identifier, images } = folder;
    const known = knownOf(images);
    const ask = async (): Promise<readonly PageDescription[]> => {
      const seen = await admission.entriesOf(folder, caller);
      return (await mapBounded(seen, ({ name }) => pagesOfFile(known.files, identifier, name, caller))).flat();
    };
    const answer = known.turn.then(ask, ask);
    known.turn = answer.catch(() => undefined);
    return answer;
  };
}
