/** What both versions of a manifest show of a folder's pages: their order, their labels, and the pages of each chapter. */

import { type Chapter, chaptersIn } from '../../image/folder/chapters.ts';
import type { FolderDescription, PageDescription } from '../../image/folder/folder-description.ts';
import type { LanguageMap } from '../../image/folder/folder-metadata.ts';
import { hasText, inDisplayOrder, labelOfFile, type PageLabels, sharedStems } from '../../image/folder/page-labels.ts';
import { stemOf } from '../../image/model/formats.ts';
import type { Size } from '../../image/model/geometry.ts';
import { type ImageServices, keyOfPage, type ServicesOf } from './addresses.ts';

/** A page with the name that its parts' addresses have, and what it is called, and where its images come from. */
export interface LabeledPage {
  readonly page: PageDescription;
  /** Unique in its folder, and the same as long as the file keeps its name. */
  readonly key: string;
  readonly label: LanguageMap;
  readonly services: ImageServices;
}

/** How metadata names a page; a file that has several pages is named by its own name. */
const nameOf = ({ file, pageInFile }: PageDescription): string =>
  pageInFile === undefined ? file : `${file};${pageInFile}`;

const numbered = (text: LanguageMap, number: number): LanguageMap =>
  Object.fromEntries(
    Object.entries(text).map(([language, values]) => [language, values.map((value) => `${value} (${number})`)]),
  );

/** The pages as a manifest shows them; those of one file are told apart by their numbers in it. */
export function labeledPages(
  { pages, metadata }: FolderDescription,
  servicesOf: ServicesOf,
  usual: PageLabels = 'name',
): readonly LabeledPage[] {
  const { pageLabels, pageOrder } = metadata;
  const files = new Set(pages.map((page) => page.file));
  const shared = sharedStems(files, new Set([...files].map(stemOf)));
  const labelOf = (page: PageDescription, index: number): LanguageMap => {
    const { file, pageInFile } = page;
    const own = pageLabels?.get(nameOf(page));
    if (hasText(own)) return own;
    const given = pageLabels?.get(file);
    const label = labelOfFile(
      { file, metadataLabel: given, number: index + 1, sharesStem: shared.has(stemOf(file)) },
      usual,
    );
    const isNumber = usual === 'number' && !hasText(given);
    return pageInFile === undefined || isNumber ? label : numbered(label, pageInFile);
  };
  return inDisplayOrder(pages, pageOrder, (page) => [nameOf(page), page.file]).map((page, index) => ({
    page,
    key: keyOfPage(page.file, page.pageInFile),
    label: labelOf(page, index),
    services: servicesOf(page.path),
  }));
}

/** The chapters that hold pages of this manifest, with the keys of their pages. */
export function chaptersOf({ pages, metadata }: FolderDescription): readonly Chapter<string>[] {
  const keys = new Map<string, string[]>();
  const add = (name: string, key: string): void => {
    const known = keys.get(name);
    if (known === undefined) keys.set(name, [key]);
    else if (!known.includes(key)) known.push(key);
  };
  if (metadata.structures === undefined) return [];
  for (const page of pages) {
    const key = keyOfPage(page.file, page.pageInFile);
    add(page.file, key);
    add(nameOf(page), key);
  }
  return chaptersIn(metadata.structures, (name) => keys.get(name) ?? []);
}

/** The longest side of a thumbnail. */
const thumbnailSide = 400;

/** A size for thumbnails: the full one halved until it fits, so that a stored level or a prescaled version can serve it. */
export function thumbnailSize({ width, height }: Size): Size {
  let factor = 1;
  while (Math.max(width, height) / factor > thumbnailSide) factor *= 2;
  return { width: Math.ceil(width / factor), height: Math.ceil(height / factor) };
}

/** Rights are named by the addresses that their makers define, which begin with `http:` (Presentation 3.0, "rights"). */
export const rightsAddress = (rights: string): string =>
  rights.replace(/^https:\/\/(?:www\.)?(creativecommons|rightsstatements)\.org\//, 'http://$1.org/');
