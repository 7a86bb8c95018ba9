/** The pages in an hOCR file of a whole folder, and which of them is that of an image. */
import { stemOf } from '../../../core/image/model/formats.ts';
import type { ByteSpan } from '../../../core/library/listings/folder-files.ts';

/** A page of a book, which the file names by its image, by its number, or by neither. */
export interface BookPage {
  readonly span: ByteSpan;
  /** The stem of the image's file name, in normalization form C. */
  readonly image: string | undefined;
  /** Its number in the book, from 0, as the file says it. */
  readonly number: number | undefined;
}

/**
 * The page of an image: the one that names it, else, where the file names no images, the one with its number, else the one in
 * its place. `at` is the position of the image in its folder, from 0.
 */
export function pageOfImage(pages: readonly BookPage[], image: string, at: number): BookPage | undefined {
  const stem = stemOf(image).normalize('NFC');
  if (pages.some((page) => page.image !== undefined)) return pages.find((page) => page.image === stem);
  return (
    pages.find((page) => page.number === at) ??
    (pages.every(({ number }) => number === undefined) ? pages[at] : undefined)
  );
}
