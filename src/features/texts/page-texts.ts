/** The words of scanned pages: of one image, and which images of a folder have any. */
import { createHash } from 'node:crypto';
import type { Admission } from '../../core/access/admit.ts';
import type { Caller } from '../../core/access/policy.ts';
import { ImageError } from '../../core/image/model/errors.ts';
import { isTransposed, type Orientation, transpose } from '../../core/image/model/geometry.ts';
import { formatIdentifier, type Identifier, joinPage, splitLast } from '../../core/image/model/identifier.ts';
import { type Admitted, highest, type ImageSet } from '../../core/image/model/image-set.ts';
import type { PageText } from '../../core/image/page-text/page-text.ts';
import { type PlacedOn, placeText } from '../../core/image/page-text/place-text.ts';
import type { FileTexts, FolderText, FoundText, PageTexts, TextSource } from '../../core/ports.ts';
import type { TextFile } from './recognize-text.ts';
import type { TextLibrary } from './text-library.ts';

function placedOn(image: ImageSet): PlacedOn {
  const full = highest(image);
  const { orientation, dpi, reducedFrom } = full;
  const stored = storedSize(full, orientation);
  return {
    stored,
    orientation,
    ...(dpi && { dpi }),
    ...(reducedFrom && { scanned: storedSize(reducedFrom, orientation) }),
  };
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

  const textsOf: PageTexts['textsOf'] = async ({ identifier }, all, caller, reading) => {
    const images = await admission.withTexts({ identifier }, all, caller);
    const files = await library.findTexts(identifier, images, reading);
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
    async textsOfFiles(folder, all, caller) {
      const images = await admission.withTexts(folder, all, caller);
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
    async textsOfPages({ identifier }, all, caller, reading) {
      const files = all.map(({ file }) => file);
      const shown = new Set(await admission.withTexts({ identifier }, files, caller));
      const pages = shown.size === 0 ? [] : all.filter(({ file }) => shown.has(file));
      const names = new Set(pages.flatMap(({ file, pageInFile = 1 }) => (pageInFile === 1 ? [file] : [])));
      const inside = pages.flatMap(({ file, pageInFile = 1 }) =>
        pageInFile === 1 ? [] : [{ name: file, page: pageInFile }],
      );
      const firsts = await library.findTexts(identifier, [...names], reading);
      if (inside.length === 0) return visibleSources(firsts, caller);
      const others = await library.findTextsInside(identifier, inside, reading);
      const named = inside.map(({ name, page }, index) => [joinPage(name, page), others[index]] as const);
      return visibleSources([...firsts, ...named], caller);
    },
  };
}
