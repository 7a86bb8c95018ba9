/** Which files may hold the text of an image, by their names. */
import { imageExtensions, stemOf } from '../../image/model/formats.ts';
import { languageTag } from '../../image/page-text/text-languages.ts';

/** What the extension of a file promises; its content decides. */
export type TextFileKind = 'xml' | 'html' | 'plain';

/** The extensions in lower case, without the dot. Words with boxes are preferred to plain text. */
const kinds: ReadonlyMap<string, TextFileKind> = new Map([
  ['xml', 'xml'],
  ['hocr', 'html'],
  ['html', 'html'],
  ['htm', 'html'],
  ['xhtml', 'html'],
  ['txt', 'plain'],
]);

/** The kinds in the order in which they are preferred. */
export const textFileKinds: readonly TextFileKind[] = ['xml', 'html', 'plain'];

/** The kind of a text file by its name; undefined for any other name. */
export function textKindOf(name: string): TextFileKind | undefined {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? kinds.get(name.slice(dot + 1).toLowerCase()) : undefined;
}

export const isTextName = (name: string): boolean => textKindOf(name) !== undefined;

/** Words that programs add to the name of a scan: `page-001.alto.xml`, `page-001_hocr.html`. */
const suffixes = ['alto', 'page', 'hocr', 'ocr'].flatMap((word) => [`.${word}`, `_${word}`, `-${word}`]);

/** A language behind the name of a scan, with what programs add: `page-001.de.xml`, `page-001.de.alto.xml`. */
const taggedStem = /^(.+)\.([a-z]{2,3}(?:-[a-z0-9]{2,8})*)(?:[._-](?:alto|page|hocr|ocr))?$/i;

const languageNames = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

/** The language that a part of a name says; undefined for other parts, such as the extension of a scan (`page-001.jpg.txt`). */
function languageIn(part: string): string | undefined {
  const tag = imageExtensions.has(part.toLowerCase()) ? undefined : languageTag(part);
  return tag !== undefined && languageNames.of(tag) !== undefined ? tag : undefined;
}

export interface TaggedName {
  readonly name: string;
  /** BCP 47. */
  readonly language: string;
  /** The whole name without its extension, in normalization form C. */
  readonly stem: string;
}

/** The text files with a language in their names, by the rest of their stems. */
export type TaggedNames = ReadonlyMap<string, readonly TaggedName[]>;

const taggedIndexes = new WeakMap<readonly string[], TaggedNames>();

/** Made once for each listing. */
export function taggedNamesIn(textFiles: readonly string[]): TaggedNames {
  const known = taggedIndexes.get(textFiles);
  if (known !== undefined) return known;
  const names = new Map<string, TaggedName[]>();
  for (const name of textFiles) {
    const stem = stemOf(name).normalize('NFC');
    const [, base = '', tag = ''] = taggedStem.exec(stem) ?? [];
    const language = languageIn(tag);
    if (language === undefined) continue;
    const same = names.get(base);
    if (same === undefined) names.set(base, [{ name, language, stem }]);
    else same.push({ name, language, stem });
  }
  taggedIndexes.set(textFiles, names);
  return names;
}

/** The stems of a text's file that is of one page of an image with several. */
const ownStemsOf = (stem: string, page: number): readonly string[] => [`${stem};${page}`, `${stem}_${page}`];

/** Whether a text's file is of this page of an image alone, by its name, and not of all its pages. */
export const isOfPage = (name: string, image: string, page: number): boolean =>
  page > 1 && ownStemsOf(stemOf(image).normalize('NFC'), page).includes(stemOf(name).normalize('NFC'));

/** The page in the name of a text's file, as in `scan;2.xml`. */
const pageInStem = /^(.+)[;_]([2-9]|[1-9][0-9]{1,4})$/;

/** Pages of images that have files of their own by the names of these; `page_2.xml` is of `page_2.jpg` where there is one. */
export function ownPagesIn(
  textFiles: readonly string[],
  images: readonly string[],
): readonly { readonly image: string; readonly page: number }[] {
  const parts = textFiles.flatMap((name) => {
    const stem = stemOf(name).normalize('NFC');
    const [, imageStem, page] = pageInStem.exec(stem) ?? [];
    return imageStem === undefined ? [] : [{ stem, imageStem, page: Number(page) }];
  });
  if (parts.length === 0) return [];
  const byStem = new Map(images.map((image) => [stemOf(image).normalize('NFC'), image]));
  return parts.flatMap(({ stem, imageStem, page }) => {
    const image = byStem.get(imageStem);
    return image === undefined || byStem.has(stem) ? [] : [{ image, page }];
  });
}

/** The stems that the text of an image file may have, the likelier first. `page` is the page inside of the file, from 1. */
export function textStemsOf(image: string, page = 1): readonly string[] {
  const stem = stemOf(image).normalize('NFC');
  const stems = [stem, ...suffixes.map((suffix) => stem + suffix), image.normalize('NFC')];
  return page === 1 ? stems : [...ownStemsOf(stem, page), ...stems];
}

/** The text files of a folder by their stems. */
export type TextNames = ReadonlyMap<string, readonly string[]>;

const indexes = new WeakMap<readonly string[], TextNames>();

/** The names of text files by their stems in normalization form C; made once for each listing. */
export function textNamesIn(textFiles: readonly string[]): TextNames {
  const known = indexes.get(textFiles);
  if (known !== undefined) return known;
  const names = new Map<string, string[]>();
  for (const name of textFiles) {
    const stem = stemOf(name).normalize('NFC');
    const same = names.get(stem);
    if (same === undefined) names.set(stem, [name]);
    else same.push(name);
  }
  indexes.set(textFiles, names);
  return names;
}
