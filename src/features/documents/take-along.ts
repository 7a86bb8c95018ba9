/** The use cases of archives of pictures and of plain texts of some pages. */
import { Readable } from 'node:stream';
import { ImageError } from '../../core/image/model/errors.ts';
import { plainText } from '../../core/image/page-text/page-text.ts';
import type { PageTexts } from '../../core/ports.ts';
import type { ArchiveOptions, ArchiveParts } from './archive.ts';
import { type PictureSize, pictureBytes } from './page-image.ts';
import type { SelectedPage, SelectPages } from './selection.ts';
import { workOf } from './work-estimate.ts';

export interface TakeAlongParts extends ArchiveParts {
  readonly selectPages: SelectPages;
  /** No archive is longer, as far as that can be estimated, in bytes. */
  readonly maxBytes: number;
  /** The words of a page; undefined where it has none. */
  readonly pageText: PageTexts['pageText'];
}

export interface TakeAlong {
  readonly select: SelectPages;
  /** The largest of the pictures of an archive, in bytes. Throws ImageError `too-large` where the archive would be too long. */
  largestPicture(pages: readonly SelectedPage[], size: PictureSize): number;
  /** About how much processor time an archive takes, in ms. */
  work(pages: readonly SelectedPage[], size: PictureSize): number;
  /**
   * The bytes of a ZIP archive with a JPEG file for each page, and the names of those that have none, once the first of them
   * is made. Throws the ImageError of the first page where no picture can be made.
   */
  archive(pages: readonly SelectedPage[], options: ArchiveOptions): Promise<Readable>;
  /** The texts of the pages, each below its label, as UTF-8; undefined where none has a text. */
  text(pages: readonly SelectedPage[], signal: AbortSignal): Promise<Readable | undefined>;
}

const tooLong = (maxBytes: number): ImageError =>
  new ImageError(
    'too-large',
    `The archive would have more than ${Math.floor(maxBytes / 2 ** 20)} MiB; ask for fewer pages or a smaller size.`,
  );

export function createTakeAlong(parts: TakeAlongParts): TakeAlong {
  async function* textsOf(pages: readonly SelectedPage[], signal: AbortSignal): AsyncGenerator<string> {
    for (const { image, label } of pages) {
      if (signal.aborted) throw new ImageError('abandoned', 'The request was given up.');
      const text = await parts.pageText(image);
      if (text !== undefined) yield `[${label}]\n\n${plainText(text)}\n\n`;
    }
  }

  return {
    select: parts.selectPages,
    largestPicture(pages, size) {
      const bytes = pages.map(({ image }) => pictureBytes(image, size, parts.images));
      const whole = bytes.reduce((sum, length) => sum + length, 0);
      if (whole > parts.maxBytes) throw tooLong(parts.maxBytes);
      return Math.max(...bytes);
    },
    work: (pages, size) => workOf(pages, size, parts),
    async archive(pages, options) {
      const { archiveOf } = await import('./archive.ts');
      return archiveOf(pages, options, parts);
    },
    async text(pages, signal) {
      const texts = textsOf(pages, signal);
      const first = await texts.next();
      if (first.done) return undefined;
      async function* all(): AsyncGenerator<string> {
        if (typeof first.value === 'string') yield first.value;
        yield* texts;
      }
      return Readable.from(all(), { objectMode: false });
    },
  };
}
