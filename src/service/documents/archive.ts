/** A ZIP archive of the pictures of some pages, written while it is sent. */
import { Readable } from 'node:stream';
import yazl from 'yazl';
import { outputFormats, stemOf } from '../../image/model/formats.ts';
import { joinPage } from '../../image/model/identifier.ts';
import { highest } from '../../image/model/image-set.ts';
import { type PagePictureParts, type PictureSize, pictureOf } from './page-image.ts';
import type { SelectedPage } from './selection.ts';

interface ArchiveOptions {
  readonly size: PictureSize;
  readonly client: string;
  /** Aborted when nobody reads the archive any more. */
  readonly signal: AbortSignal;
}

/** The name of a picture: that of its file, with the number of the page in it, and with the extension of JPEG. */
function nameOf({ image }: SelectedPage, taken: Set<string>): string {
  const stem = joinPage(stemOf(image.name), image.page);
  let name = `${stem}.${outputFormats.jpeg.extension}`;
  for (let copy = 2; taken.has(name); copy++) name = `${stem} (${copy}).${outputFormats.jpeg.extension}`;
  taken.add(name);
  return name;
}

/** The bytes of the archive. Pictures are stored as they are: JPEG files do not become shorter. */
export function archiveOf(pages: readonly SelectedPage[], options: ArchiveOptions, parts: PagePictureParts): Readable {
  const archive = new yazl.ZipFile();
  const taken = new Set<string>();
  for (const page of pages) {
    const mtime = new Date(highest(page.image).file.modifiedMs);
    archive.addReadStreamLazy(nameOf(page, taken), { compress: false, mtime }, (callback) => {
      pictureOf(page.image, options.size, options, parts).then(
        ({ jpeg }) => callback(null, Readable.from([jpeg], { objectMode: false })),
        (error: Error) => callback(error, Readable.from([])),
      );
    });
  }
  archive.end();
  const output = archive.outputStream as Readable;
  archive.on('error', (error: Error) => output.destroy(error));
  return output;
}
