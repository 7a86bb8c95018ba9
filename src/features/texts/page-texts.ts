/** The words of scanned pages: of one image, and which images of a folder have any. */
import { createHash } from 'node:crypto';
import type { Admission, TextNames } from '../../core/access/admit.ts';
import type { Reading } from '../../core/access/long-reads.ts';
import type { Caller } from '../../core/access/policy.ts';
import { ImageError } from '../../core/image/model/errors.ts';
import { isTransposed, type Orientation, transpose } from '../../core/image/model/geometry.ts';
import { formatIdentifier, type Identifier, joinPage, splitLast } from '../../core/image/model/identifier.ts';
import { type Admitted, highest, type ImageSet, isCovered } from '../../core/image/model/image-set.ts';
import { coveredFingerprint, isSurelyPlaced, withoutCovered } from '../../core/image/page-text/covered-text.ts';
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

/** A page by the name that it has in manifests, the name of its image file, and the file with its text. */
interface NamedText {
  readonly page: string;
  readonly name: string;
  readonly file: TextFile | undefined;
}

/** The texts of an image by their keys, as `TextChoice` has them. */
function byKey(files: readonly TextFile[]): ReadonlyMap<string, TextFile> {
  const named = new Map<string, TextFile>();
  for (const file of files) {
    const name = file.language?.toLowerCase() ?? file.format;
    let [key, number] = [name, 1];
    while (named.has(key)) {
      number += 1;
      key = `${name}-${number}`;
    }
    named.set(key, file);
  }
  return named;
}

const folderOf = ({ identifier }: ImageSet): Identifier | undefined => splitLast(identifier).parent;

export function createPageTexts(admission: Admission, library: TextLibrary): PageTexts {
  async function fileOf(image: Admitted<ImageSet>): Promise<TextFile | undefined> {
    const folder = folderOf(image);
    if (folder === undefined) return undefined;
    const file = await library.findText({ folder, name: image.name, page: image.page });
    return file !== undefined && admission.isVisibleWith(image, file.paths) ? file : undefined;
  }

  /** The files with texts that the caller of an image may see, by their keys. */
  async function filesOf(image: Admitted<ImageSet>): Promise<ReadonlyMap<string, TextFile>> {
    const folder = folderOf(image);
    if (folder === undefined) return new Map();
    const files = await library.findEachText({ folder, name: image.name, page: image.page });
    const isShown = ({ format, paths }: TextFile): boolean =>
      !(isCovered(image) && format === 'plain') && admission.isVisibleWith(image, paths);
    return new Map([...byKey(files)].filter(([, file]) => isShown(file)));
  }

  const fileNamed = async (image: Admitted<ImageSet>, key: string | undefined): Promise<TextFile | undefined> =>
    key === undefined ? fileOf(image) : (await filesOf(image)).get(key);

  /** The words that the caller of an image may see; undefined where it can’t be told which these are. */
  async function wordsOf(file: TextFile, image: Admitted<ImageSet>): Promise<PageText | undefined> {
    if (isCovered(image) && file.format === 'plain') return undefined;
    const page = await library.readPageText(file);
    if (page === undefined) return undefined;
    const place = placedOn(image);
    const placed = placeText(page, place);
    const language = placed.language ?? file.language;
    const text = language === undefined ? placed : { ...placed, language };
    if (!isCovered(image)) return text;
    return isSurelyPlaced(page, place) ? withoutCovered(text, image) : undefined;
  }

  async function textOf(image: Admitted<ImageSet>, key?: string): Promise<FoundText | undefined> {
    const file = await fileNamed(image, key);
    const text = file && (await wordsOf(file, image));
    return file && text && { text, source: sourceOfFile(file) };
  }

  /** The text in a file that was found before; where it was replaced meanwhile, of the file that is there now. */
  async function textIn(file: TextFile, image: Admitted<ImageSet>): Promise<PageText | undefined> {
    if (!admission.isVisibleWith(image, file.paths)) return undefined;
    try {
      return await wordsOf(file, image);
    } catch (error) {
      if (!(error instanceof ImageError) || error.code !== 'changed') throw error;
      return (await textOf(image))?.text;
    }
  }

  const visibleSources = (
    files: readonly NamedText[],
    images: TextNames,
    caller: Caller,
  ): ReadonlyMap<string, TextSource> => {
    const sources = new Map<string, TextSource>();
    for (const { page, name, file } of files) {
      if (file === undefined || (file.format === 'plain' && images.get(name) !== '')) continue;
      if (admission.arePathsVisible(file.paths, caller)) sources.set(page, sourceOfFile(file));
    }
    return sources;
  };

  /** The texts of some images of a folder, without plain ones of those that are covered. */
  async function textsAmong(
    folder: Identifier,
    images: TextNames,
    caller: Caller,
    reading?: Pick<Reading, 'step'>,
  ): Promise<ReadonlyMap<string, FolderText>> {
    const files = await library.findTexts(folder, [...images.keys()], reading);
    const visible = [...files].filter(
      ([image, { format, paths }]) =>
        (format !== 'plain' || images.get(image) === '') && admission.arePathsVisible(paths, caller),
    );
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
  }

  return {
    textOf,
    pageText: async (image) => (await textOf(image))?.text,
    async sourceOf(image) {
      const file = await fileOf(image);
      return file && !(isCovered(image) && file.format === 'plain') ? sourceOfFile(file) : undefined;
    },
    async choicesOf(image) {
      return [...(await filesOf(image))].map(([key, file]) => ({
        key,
        source: sourceOfFile(file),
        ...(file.language === undefined ? {} : { language: file.language }),
      }));
    },
    async documentOf(image, key) {
      if (isCovered(image)) return undefined;
      const file = await fileNamed(image, key);
      const bytes = file && (await library.textBytes(file));
      return file && Buffer.isBuffer(bytes) ? { source: sourceOfFile(file), bytes } : undefined;
    },
    textsOf: async (folder, all, caller, reading) =>
      textsAmong(folder.identifier, await admission.withTexts(folder, all, caller), caller, reading),
    async textsOfFiles(folder, all, caller) {
      const images = await admission.withTexts(folder, all, caller);
      const [firsts, own] = await Promise.all([
        textsAmong(folder.identifier, images, caller),
        library.findOwnPageTexts(folder.identifier, [...images.keys()]),
      ]);
      const files = new Map<string, FileTexts>(
        [...firsts].map(([name, first]) => [name, { fingerprint: first.fingerprint, first }]),
      );
      for (const [name, pages] of own) {
        const visible = pages.filter(({ paths }) => admission.arePathsVisible(paths, caller));
        if (visible.length > 0) files.set(name, withOwnPages(firsts.get(name), visible));
      }
      for (const [name, texts] of files) {
        const covered = images.get(name) ?? '';
        if (covered !== '') files.set(name, { ...texts, fingerprint: coveredFingerprint(texts.fingerprint, covered) });
      }
      return files;
    },
    async textsOfPages({ identifier }, all, caller, reading) {
      const files = all.map(({ file }) => file);
      const shown = await admission.withTexts({ identifier }, files, caller);
      const pages = shown.size === 0 ? [] : all.filter(({ file }) => shown.has(file));
      const names = new Set(pages.flatMap(({ file, pageInFile = 1 }) => (pageInFile === 1 ? [file] : [])));
      const inside = pages.flatMap(({ file, pageInFile = 1 }) =>
        pageInFile === 1 ? [] : [{ name: file, page: pageInFile }],
      );
      const firsts = await library.findTexts(identifier, [...names], reading);
      const others = inside.length === 0 ? [] : await library.findTextsInside(identifier, inside, reading);
      const found: readonly NamedText[] = [
        ...[...firsts].map(([name, file]) => ({ page: name, name, file })),
        ...inside.map(({ name, page }, index) => ({ page: joinPage(name, page), name, file: others[index] })),
      ];
      return visibleSources(found, shown, caller);
    },
  };
}
