/** Reads the pages of a folder's files for the index of texts. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import pMap from 'p-map';
import { type Admission, ifAdmitted } from '../../../core/access/admit.ts';
import { bounded } from '../../../core/access/if-answering.ts';
import type { Caller } from '../../../core/access/policy.ts';
import { ImageError } from '../../../core/image/model/errors.ts';
import { childOf, formatIdentifier, joinPage } from '../../../core/image/model/identifier.ts';
import type { Admitted } from '../../../core/image/model/image-set.ts';
import type { PlainBlocks } from '../../../core/image/page-text/page-text.ts';
import { directionOfWords, isContinued, printed } from '../../../core/image/page-text/place-text.ts';
import type { Folder } from '../../../core/library/library.ts';
import type { FileTexts, PageTexts } from '../../../core/ports.ts';
import { foldedWordsOf } from '../engine/fold.ts';
import { encodePage, encodeText, joint, lineEnd, plain, searchedWords, storedPageOf } from '../engine/page-payload.ts';
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

/** Most lines have nothing that is stored otherwise than it is read. */
const special = /[\u00ad\u0000\u0001]/;

const storedWord = (word: string): string => plain(printed(word));

function* wordsIn(blocks: PlainBlocks): Generator<string> {
  for (const lines of blocks) for (const words of lines) yield* words;
}

/** The lines as they are stored, and the words that are searched. */
interface Collected {
  readonly lines: string[];
  readonly searched: string[];
}

/** Of each line, the whole word of which its last word is the first part. */
function wholeWords(lines: PlainBlocks[number]): readonly (string | undefined)[] {
  const wholes: (string | undefined)[] = [];
  for (const [index, line] of lines.entries()) {
    const [last = '', next] = [line.at(-1), lines[index + 1]?.[0]];
    // A word of three lines is joined with its first two only.
    const isSecond = line.length === 1 && wholes[index - 1] !== undefined;
    const isParted = next !== undefined && !isSecond && isContinued(last, next);
    wholes.push(isParted ? storedWord(last.slice(0, -1) + next) : undefined);
  }
  return wholes;
}

function collectBlock(lines: PlainBlocks[number], { lines: stored, searched }: Collected): void {
  const wholes = wholeWords(lines);
  for (const [index, line] of lines.entries()) {
    const text = line.join(' ');
    const words = special.test(text) ? line.map(storedWord) : line;
    const [before, whole] = [wholes[index - 1], wholes[index]];
    const end = words.length - 1;
    const isWhole = before === undefined && whole === undefined;
    const withParts = (word: string, at: number): string =>
      (at === 0 && before !== undefined ? word + joint : word) +
      (at === end && whole !== undefined ? joint + whole : '');
    stored.push(isWhole ? words.join(' ') : words.map(withParts).join(' '));
    for (let at = before === undefined ? 0 : 1; at < end; at++) searched.push(words[at] ?? '');
    if (end > 0 || before === undefined) searched.push(whole ?? words[end] ?? '');
  }
}

/** The same as of the page of these words: `encodePage(storedPageOf(…))`, and its folded words. */
export function plainPageOf(blocks: PlainBlocks): Pick<IndexedPage, 'words' | 'payload'> {
  const collected: Collected = { lines: [], searched: [] };
  for (const lines of blocks) collectBlock(lines, collected);
  const count = blocks.reduce((sum, lines) => lines.reduce((more, { length }) => more + length, sum), 0);
  const page = { direction: directionOfWords(wordsIn(blocks)), count, step: 0 };
  return {
    words: foldedWordsOf(collected.searched),
    payload: { text: encodeText(page, collected.lines.join(lineEnd)), boxes: new Uint8Array() },
  };
}
