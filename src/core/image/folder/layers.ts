/** The images of a folder that are layers of one page, such as photographs in several kinds of light. */
import { stemOf } from '../model/formats.ts';
import type { FileLayer, FolderMetadata, LanguageMap } from './folder-metadata.ts';
import { hasText, plainText } from './page-labels.ts';

/** Which of some files are pages, and which are layers of one. */
export interface FolderLayers {
  /** The file of the page that a file is a layer of; undefined for pages. */
  pageOf(file: string): string | undefined;
  /** The layers of a page, itself among them; none for a page that is one image. */
  layersOf(file: string): readonly FileLayer[];
}

const none: FolderLayers = { pageOf: () => undefined, layersOf: () => [] };

/** The layers among some files. Where the file of a page is not among them, its layers are pages themselves. */
export function layersIn({ layers }: FolderMetadata, files: () => Iterable<string>): FolderLayers {
  if (layers === undefined) return none;
  const there = new Set(files());
  const [pages, byPage] = [new Map<string, string>(), new Map<string, readonly FileLayer[]>()];
  for (const [page, all] of layers) {
    const visible = all.filter(({ file }) => there.has(file));
    if (!there.has(page) || visible.length < 2) continue;
    byPage.set(page, visible);
    for (const { file } of visible) if (file !== page) pages.set(file, page);
  }
  return { pageOf: (file) => pages.get(file), layersOf: (file) => byPage.get(file) ?? [] };
}

/** The label of a layer: from the metadata, or else the name of its file. */
export const labelOfLayer = ({ file, label }: FileLayer): LanguageMap =>
  hasText(label) ? label : plainText(stemOf(file));
