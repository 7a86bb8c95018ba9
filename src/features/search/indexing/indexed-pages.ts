/** Reads the pages of a folder's files for the index of texts. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import pMap from 'p-map';
import { type Admission, ifAdmitted } from '../../../core/access/admit.ts';
import { bounded } from '../../../core/access/if-answering.ts';
import type { Caller } from '../../../core/access/policy.ts';
import { ImageError } from '../../../core/image/model/errors.ts';
import { childOf, formatIdentifier, joinPage } from '../../../core/image/model/identifier.ts';
import type { Admitted } from '../../../core/image/model/image-set.ts';
import type { Folder } from '../../../core/library/library.ts';
import type { FileTexts, PageTexts } from '../../../core/ports.ts';
import { foldedWordsOf } from '../engine/fold.ts';
import { encodePage, searchedWords, storedPageOf } from '../engine/page-payload.ts';
import { plainPageOf } from '../engine/plain-page.ts';
import type { IndexedPage } from '../engine/search-engine.ts';
import { pathOfFolder } from '../search-texts.ts';

export interface PageReadingParts {
  /** Without rules of access: the index has all pages, and each search asks what its caller may see. */
  readonly admission: Admission;
  readonly texts: Pick<PageTexts, 'pageText'>;
  /** Sees everything, since there are no rules. */
  readonly caller: Caller;
}

/** An image file with the texts that were found for its pages. */
export interface TextOfFile {
  /** The image file's name. */
  readonly file: string;
  readonly source: FileTexts;
}

/** The pages of one file; one of several pages has the others as `name;2`. */
async function pagesOfFile(
  folder: Admitted<Folder>,
  { file, source }: TextOfFile,
  { admission, texts, caller }: PageReadingParts,
): Promise<readonly IndexedPage[]> {
  const path = formatIdentifier(childOf(folder.identifier, file));
  const key = pathOfFolder(folder);
  const first = await ifAdmitted(admission.admit(path, 1, caller));
  const { fingerprint } = source;
  const pages: IndexedPage[] = [];
  // Then `page_2.xml` is no text of `page.jpg`.
  if (source.first === undefined && first?.pageCount === 1) return pages;
  for (let page = 1; page <= (first?.pageCount ?? 0); page++) {
    const image = page === 1 ? first : await ifAdmitted(admission.admit(joinPage(path, page), 1, caller));
    const text = image && (await (page === 1 ? source.first?.pageText(image) : texts.pageText(image)));
    // The first page stands for the file: without a text that can be read it is stored as an empty one, so that the file is not read
    // again until one of its texts changes.
    if (text === undefined && page > 1) continue;
    const stored = storedPageOf(text ?? { blocks: [], direction: 'ltr' });
    const words = foldedWordsOf(searchedWords(stored));
    pages.push({ folder: key, name: joinPage(file, page), fingerprint, words, payload: encodePage(stored) });
  }
  return pages;
}

/** The page of a file that has one page of plain text; undefined where the file was replaced meanwhile. */
async function plainPage(folder: string, { file, source }: TextOfFile): Promise<IndexedPage | undefined> {
  try {
    const blocks = (await source.first?.plainText?.()) ?? [];
    return { folder, name: file, fingerprint: source.fingerprint, ...plainPageOf(blocks) };
  } catch (error) {
    if (error instanceof ImageError && error.code === 'changed') return undefined;
    throw error;
  }
}

/** The files of plain text that have one page, for which less is read; none where the folder changes meanwhile. */
async function plainFiles(
  folder: Admitted<Folder>,
  files: readonly TextOfFile[],
  { admission, caller }: PageReadingParts,
): Promise<ReadonlySet<string>> {
  const names = files.filter(({ source }) => source.first?.plainText !== undefined).map(({ file }) => file);
  try {
    const counts = await admission.pageCountsOf(folder, names, caller);
    return new Set([...counts].filter(([, pages]) => pages === 1).map(([name]) => name));
  } catch (error) {
    if (error instanceof ImageError && error.code === 'changed') return new Set();
    throw error;
  }
}

/**
 * This many files are begun in each turn of the event loop. Reading local files takes no turn, and without one the pages before would not be sent
 * to the process that writes: both processes would work by turns.
 */
const filesOfTurn = 4;

/** The pages of some files with their words, in the order of the files. */
export async function pagesOfFiles(
  folder: Admitted<Folder>,
  files: readonly TextOfFile[],
  parts: PageReadingParts,
): Promise<readonly IndexedPage[]> {
  const key = pathOfFolder(folder);
  const plain = await plainFiles(folder, files, parts);
  let turn: Promise<unknown> = Promise.resolve();
  const read = async (file: TextOfFile, index: number): Promise<readonly IndexedPage[]> => {
    if (index % filesOfTurn === 0) turn = turn.then(() => nextTurn());
    await turn;
    const page = plain.has(file.file) ? await plainPage(key, file) : undefined;
    return page === undefined ? pagesOfFile(folder, file, parts) : [page];
  };
  return (await pMap(files, read, bounded)).flat();
}
