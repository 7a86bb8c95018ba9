/** A ZIP archive of the pictures of some pages, written while it is sent. */
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import yazl from 'yazl';
import { ImageError } from '../../core/image/model/errors.ts';
import { outputFormats, stemOf } from '../../core/image/model/formats.ts';
import { joinPage } from '../../core/image/model/identifier.ts';
import { highest } from '../../core/image/model/image-set.ts';
import {
  isFaultOfPage,
  type PagePictureParts,
  type PictureOptions,
  type PictureSize,
  pictureOf,
} from './page-image.ts';
import type { SelectedPage } from './selection.ts';

/** `signal` is aborted when nobody reads the archive any more. */
export interface ArchiveOptions extends PictureOptions {
  readonly size: PictureSize;
  /** The sentence for a page whose picture can't be made. */
  readonly words: { readonly missingPage: string };
  /** A text about the rights of the pictures. */
  readonly rights?: string | undefined;
}

export interface ArchiveParts extends PagePictureParts {
  /** Called where the picture of a page could not be made, so that the archive names it as missing. */
  readonly onMissingPage: (path: string, error: unknown) => void;
}

/** The entry that names the pages without a picture; no picture has this extension. */
const missingName = 'missing.txt';

/** The entry with the rights; it is the first, so that also what was cut off has it. */
const rightsEntryName = 'rights.txt';

interface Picture {
  readonly page: SelectedPage;
  readonly jpeg: Buffer;
}

/** The pictures one after the other; `missing` is given the pages that have none. */
async function* picturesOf(
  pages: readonly SelectedPage[],
  options: ArchiveOptions,
  parts: ArchiveParts,
  missing: (page: SelectedPage, error: unknown) => void,
): AsyncGenerator<Picture, undefined> {
  for (const page of pages) {
    try {
      const { jpeg } = await pictureOf(page.image, options.size, options, parts);
      yield { page, jpeg };
    } catch (error) {
      if (!isFaultOfPage(error)) throw error;
      parts.onMissingPage(page.image.name, error);
      missing(page, error);
    }
  }
}

/** The name of a page: that of its file, with the number of the page in it. */
const pageName = ({ image }: SelectedPage): string => joinPage(image.name, image.page);

/** The name of a picture: that of its page, with the extension of JPEG. */
export function nameOf({ image }: SelectedPage, taken: Set<string>): string {
  const stem = joinPage(stemOf(image.name), image.page);
  let name = `${stem}.${outputFormats.jpeg.extension}`;
  for (let copy = 2; taken.has(name); copy++) name = `${stem} (${copy}).${outputFormats.jpeg.extension}`;
  taken.add(name);
  return name;
}

/** Adds an entry; resolves when its bytes are on their way, so that one at a time is in memory. */
export async function addEntry(
  archive: yazl.ZipFile,
  name: string,
  content: Buffer,
  options: { readonly compress: boolean; readonly mtime: Date },
): Promise<void> {
  const bytes = Readable.from([content], { objectMode: false });
  archive.addReadStream(bytes, name, options);
  await finished(bytes);
}

const modifiedMsOf = ({ image }: SelectedPage): number => highest(image).file.modifiedMs;

/** Adds a picture as it is, since JPEG files do not become shorter. */
const addPicture = (archive: yazl.ZipFile, name: string, { page, jpeg }: Picture): Promise<void> =>
  addEntry(archive, name, jpeg, { compress: false, mtime: new Date(modifiedMsOf(page)) });

/**
 * The bytes of the archive, once its first picture is made. Pages without a picture are named in an entry of text at its end.
 * Throws the ImageError of the first page where no page has a picture, and `abandoned` when the signal is aborted.
 */
export async function archiveOf(
  pages: readonly SelectedPage[],
  options: ArchiveOptions,
  parts: ArchiveParts,
): Promise<Readable> {
  const missing: string[] = [];
  let fault: unknown;
  const pictures = picturesOf(pages, options, parts, (page, error) => {
    fault ??= error;
    missing.push(`${pageName(page)}: ${options.words.missingPage}\n`);
  });
  const first = await pictures.next();
  if (first.done) throw fault ?? new ImageError('not-found', 'There is no picture for the archive.');

  const archive = new yazl.ZipFile();
  const output = archive.outputStream as Readable;
  archive.on('error', (error: Error) => output.destroy(error));
  const taken = new Set<string>();
  // A text has the date of the newest image, so that the same archive has the same bytes at any time and from any server.
  const newestMs = pages.reduce((newest, page) => Math.max(newest, modifiedMsOf(page)), 0);
  const text = { compress: false, mtime: new Date(newestMs) };
  if (options.rights !== undefined) {
    archive.addBuffer(Buffer.from(options.rights), rightsEntryName, text);
  }
  const fill = async (): Promise<void> => {
    await addPicture(archive, nameOf(first.value.page, taken), first.value);
    for await (const picture of pictures) await addPicture(archive, nameOf(picture.page, taken), picture);
    if (missing.length > 0) archive.addBuffer(Buffer.from(missing.join('')), missingName, text);
    archive.end();
  };
  fill().catch((error: Error) => output.destroy(error));
  return output;
}
