/** The words of scanned pages: of one image, and which images of a folder have any. */
import { createHash } from 'node:crypto';
import type { Caller } from '../../core/access/access.ts';
import type { Admission } from '../../core/access/admit.ts';
import { ImageError } from '../../core/image/model/errors.ts';
import { transpose } from '../../core/image/model/geometry.ts';
import { formatIdentifier, type Identifier, joinPage, splitLast } from '../../core/image/model/identifier.ts';
import {
  type Admitted,
  highest,
  type ImageSet,
  isTransposed,
  type Orientation,
} from '../../core/image/model/image-set.ts';
import type { TextFormat } from '../../core/image/model/text-formats.ts';
import type { PageText } from '../../core/image/page-text/page-text.ts';
import { placeText } from '../../core/image/page-text/place-text.ts';
import type { PlacedOn } from '../../core/image/page-text/placement.ts';
import type { PlainBlocks } from '../../core/image/page-text/source-page.ts';
import type { Folder, Library, TextFile } from '../../core/library/library.ts';

/** The file that a text comes from. */
export interface TextSource {
  readonly format: TextFormat;
  /** What names the format and its version; absent for plain text. */
  readonly profile?: string;
  /** The file's name alone. */
  readonly name: string;
  /** Changes when the file's content does, and when another file takes its place. */
  readonly fingerprint: string;
  /** Last modification in ms since 1970. */
  readonly modifiedMs: number;
}

/** A text that was found with those of its folder. */
export interface FolderText extends TextSource {
  /** The words, for the image that the text was found for: as `pageText`, without finding its file again. */
  pageText(image: Admitted<ImageSet>): Promise<PageText | undefined>;
  /**
   * Of plain text alone: its words, for which nothing has to be known of the image. Throws ImageError `changed` where the file
   * was replaced meanwhile.
   */
  readonly plainText?: () => Promise<PlainBlocks | undefined>;
}

/** The texts of all pages of an image file. */
export interface FileTexts {
  /** Changes when that of one of them does. */
  readonly fingerprint: string;
  /** That of the first page, or of all pages; absent where later pages alone have one. */
  readonly first?: FolderText;
}

/** The text of an image, and its file. */
export interface FoundText {
  readonly text: PageText;
  readonly source: TextSource;
}

/** The file itself, as the site made it; of a file with the pages of a folder, the part of one page. */
export interface TextDocument {
  readonly source: TextSource;
  readonly bytes: Buffer;
}

export interface PageTexts {
  /** The words of an image; undefined where it has no text that can be read. */
  pageText(image: Admitted<ImageSet>): Promise<PageText | undefined>;
  /** The same, with the file that they come from. */
  textOf(image: Admitted<ImageSet>): Promise<FoundText | undefined>;
  /** The file with the words of an image, unread; undefined where there is none. */
  sourceOf(image: Admitted<ImageSet>): Promise<TextSource | undefined>;
  /** That file's bytes; undefined where there is none or it can't be read. */
  documentOf(image: Admitted<ImageSet>): Promise<TextDocument | undefined>;
  /**
   * The files with texts of those images (by their names) of a folder that the caller may see, by the names of the images; of
   * files with several pages, that of the first page. Nothing is parsed: a file that is faulty is among them.
   */
  textsOf(
    folder: Admitted<Folder>,
    images: readonly string[],
    caller: Caller,
  ): Promise<ReadonlyMap<string, FolderText>>;
  /** The same with files that are of one page alone, behind the first. */
  textsOfFiles(
    folder: Admitted<Folder>,
    images: readonly string[],
    caller: Caller,
  ): Promise<ReadonlyMap<string, FileTexts>>;
  /**
   * The files with texts of those pages of a folder that the caller may see, by the names of the pages (`scan.tif`,
   * `scan.tif;2`). Of files with several pages, the pages are counted, but their words are not read.
   */
  textsOfPages(
    folder: Admitted<Folder>,
    pages: readonly PageInFile[],
    caller: Caller,
  ): Promise<ReadonlyMap<string, TextSource>>;
}

/** A page by the name of its image file, and its number inside of it, from 1. */
export interface PageInFile {
  readonly file: string;
  readonly pageInFile?: number;
}

export type TextLibrary = Pick<
  Library,
  'findText' | 'findTexts' | 'findTextsInside' | 'findOwnPageTexts' | 'readPageText' | 'readPlainText' | 'textBytes'
>;

function placedOn(image: ImageSet): PlacedOn {
  const full = highest(image);
  const { orientation, dpi } = full;
  const stored = storedSize(full, orientation);
  return { stored, orientation, ...(dpi && { dpi }) };
}

const storedSize = (
  { width, height }: { readonly width: number; readonly height: number },
  orientation: Orientation,
) => (isTransposed(orientation) ? transpose({ width, height }) : { width, height });

function sourceOfFile({ format, profile, name, fingerprint, modifiedMs, paths }: TextFile): TextSource {
  const [path] = paths;
  return {
    format,
    ...(profile === undefined ? {} : { profile }),
    name,
    fingerprint: `${fingerprint}-${path === undefined ? name : formatIdentifier(path)}`,
    modifiedMs,
  };
}

function withOwnPages(first: FolderText | undefined, pages: readonly TextFile[]): FileTexts {
  const all = [first?.fingerprint ?? '', ...pages.map((page) => sourceOfFile(page).fingerprint)];
  const fingerprint = createHash('sha256').update(all.join('\n')).digest('base64url');
  return { fingerprint, ...(first && { first }) };
}

const folderOf = ({ identifier }: ImageSet): Identifier | undefined => splitLast(identifier).parent;

export function createPageTexts(admission: Admission, library: TextLibrary): PageTexts {
  async function fileOf(image: Admitted<ImageSet>): Promise<TextFile | undefined> {
    const folder = folderOf(image);
    if (folder === undefined) return undefined;
    const file = await library.findText({ folder, name: image.name, page: image.page });
    return file !== undefined && admission.isVisibleWith(image, file.paths) ? file : undefined;
  }

  async function textOf(image: Admitted<ImageSet>): Promise<FoundText | undefined> {
    const file = await fileOf(image);
    const page = file && (await library.readPageText(file));
    return file && page && { text: placeText(page, placedOn(image)), source: sourceOfFile(file) };
  }

  /** The text in a file that was found before; where it was replaced meanwhile, of the file that is there now. */
  async function textIn(file: TextFile, image: Admitted<ImageSet>): Promise<PageText | undefined> {
    if (!admission.isVisibleWith(image, file.paths)) return undefined;
    try {
      const page = await library.readPageText(file);
      return page && placeText(page, placedOn(image));
    } catch (error) {
      if (!(error instanceof ImageError) || error.code !== 'changed') throw error;
      return (await textOf(image))?.text;
    }
  }

  const visibleSources = (
    files: Iterable<readonly [string, TextFile | undefined]>,
    caller: Caller,
  ): ReadonlyMap<string, TextSource> => {
    const sources = new Map<string, TextSource>();
    for (const [name, file] of files) {
      if (file !== undefined && admission.arePathsVisible(file.paths, caller)) sources.set(name, sourceOfFile(file));
    }
    return sources;
  };

  const textsOf: PageTexts['textsOf'] = async ({ identifier }, images, caller) => {
    const files = await library.findTexts(identifier, images);
    const visible = [...files].filter(([, { paths }]) => admission.arePathsVisible(paths, caller));
    return new Map(
      visible.map(([image, file]): readonly [string, FolderText] => [
        image,
        {
          ...sourceOfFile(file),
          pageText: (asked) => textIn(file, asked),
          ...(file.format === 'plain' ? { plainText: () => library.readPlainText(file) } : {}),
        },
      ]),
    );
  };

  return {
    textOf,
    pageText: async (image) => (await textOf(image))?.text,
    async sourceOf(image) {
      const file = await fileOf(image);
      return file && sourceOfFile(file);
    },
    async documentOf(image) {
      const file = await fileOf(image);
      const bytes = file && (await library.textBytes(file));
      return file && Buffer.isBuffer(bytes) ? { source: sourceOfFile(file), bytes } : undefined;
    },
    textsOf,
    async textsOfFiles(folder, images, caller) {
      const [firsts, own] = await Promise.all([
        textsOf(folder, images, caller),
        library.findOwnPageTexts(folder.identifier, images),
      ]);
      const files = new Map<string, FileTexts>(
        [...firsts].map(([name, first]) => [name, { fingerprint: first.fingerprint, first }]),
      );
      for (const [name, pages] of own) {
        const visible = pages.filter(({ paths }) => admission.arePathsVisible(paths, caller));
        if (visible.length > 0) files.set(name, withOwnPages(firsts.get(name), visible));
      }
      return files;
    },
    async textsOfPages({ identifier }, pages, caller) {
      const names = new Set(pages.flatMap(({ file, pageInFile = 1 }) => (pageInFile === 1 ? [file] : [])));
      const inside = pages.flatMap(({ file, pageInFile = 1 }) =>
        pageInFile === 1 ? [] : [{ name: file, page: pageInFile }],
      );
      const firsts = await library.findTexts(identifier, [...names]);
      if (inside.length === 0) return visibleSources(firsts, caller);
      const others = await library.findTextsInside(identifier, inside);
      const named = inside.map(({ name, page }, index) => [joinPage(name, page), others[index]] as const);
      return visibleSources([...firsts, ...named], caller);
    },
  };
}
