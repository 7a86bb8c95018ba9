/** Steps between the chapters of a book; loaded with the first of them. */
import type { Rect } from '../view-state.ts';
import { compare, type Entry, type Nested, type Page, type PlacedChapter, partAround } from './chapters.ts';

/** The parts of the chapter that a part belongs to, in their order: a chapter of a part of a page with such chapters inside of it. */
function partsWith<Of extends Entry & Nested<Of>>(
  chapters: readonly PlacedChapter<Of>[],
  part: PlacedChapter<Of>,
): readonly PlacedChapter<Of>[] {
  for (const { entry } of chapters) {
    const parts = [entry, ...entry.contents].filter(({ region }) => region !== undefined);
    if (entry.region === undefined || parts.length < 2 || !parts.includes(part.entry)) continue;
    return parts.flatMap((one) => chapters.filter((chapter) => chapter.entry === one));
  }
  return [part];
}

/**
 * The chapter that begins next after the shown pages (1); or the last one that begins before them (-1): in the middle of a chapter,
 * that is its own beginning. Of several that begin at one page, the outermost. Chapters that are parts of one page follow each other;
 * those inside of such a one follow it, on whatever pages they are.
 */
export function chapterAfter<Of extends Entry & Nested<Of>>(
  chapters: readonly PlacedChapter<Of>[],
  shown: readonly Page[],
  by: 1 | -1,
  seen?: Rect,
): PlacedChapter<Of> | undefined {
  const last = shown.at(-1);
  const part = last && partAround(chapters, last, seen);
  if (part === undefined) return chapterBeside(chapters, shown, by, undefined);
  const parts = partsWith(chapters, part);
  const within = parts[parts.indexOf(part) + by];
  if (within !== undefined) return within;
  const start = parts[0] ?? part;
  const others = chapters.filter((chapter) => chapter === start || !parts.includes(chapter));
  return chapterBeside(others, parts.length > 1 ? [start] : shown, by, start);
}

/** The chapter before or after the pages, or before or after the part that is seen of them. */
function chapterBeside<Of extends Entry>(
  chapters: readonly PlacedChapter<Of>[],
  shown: readonly Page[],
  by: 1 | -1,
  part: PlacedChapter<Of> | undefined,
): PlacedChapter<Of> | undefined {
  const [first, last] = [shown[0], shown.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const from = part === undefined ? -1 : chapters.indexOf(part);
  const isPart = (chapter: PlacedChapter<Of>, at: number): boolean =>
    chapter.entry.region !== undefined && compare(chapter, last) === 0 && (at - from) * by > 0;
  if (by > 0) return chapters.find((chapter, at) => compare(chapter, last) > 0 || isPart(chapter, at));
  const before = chapters.findLast(
    (chapter, at) => compare(chapter, first) < 0 || (part !== undefined && isPart(chapter, at)),
  );
  if (before?.entry.region !== undefined) return before;
  return before && chapters.find((chapter) => compare(chapter, before) === 0);
}
