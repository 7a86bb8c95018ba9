/** What both versions of a manifest say of a folder: its pages in order, their labels, and the pages of each chapter. */
import {
  type ImageServices,
  keyOfPage,
  type ManifestAddresses,
  type ServicesOf,
} from '../../../core/image/addresses/iiif-addresses.ts';
import type {
  CollectionPart,
  FolderDescription,
  FolderMember,
  PageDescription,
} from '../../../core/image/folder/folder-description.ts';
import type { FolderMetadata, LanguageMap } from '../../../core/image/folder/folder-metadata.ts';
import { labelOfLayer, layersIn } from '../../../core/image/folder/layers.ts';
import {
  type Chapter,
  chaptersIn,
  fragmentOfPart,
  hasText,
  inDisplayOrder,
  labelOfFile,
  type PageBehavior,
  type PageLabels,
  pageBehaviorsIn,
  plainText,
  sharedStems,
} from '../../../core/image/folder/page-labels.ts';
import { stemOf } from '../../../core/image/model/formats.ts';
import type { Size } from '../../../core/image/model/geometry.ts';
import type { AccessServices } from '../../../core/ports.ts';

/** An image of a page that has several, with its label. */
export interface LabeledLayer {
  readonly page: PageDescription;
  readonly label: LanguageMap;
  readonly services: ImageServices;
  readonly closed?: ClosedPage;
}

/** A page with its label, its name in the addresses of its parts, and its image services. */
export interface LabeledPage {
  readonly page: PageDescription;
  /** Unique in its folder, and the same as long as the file keeps its name. */
  readonly key: string;
  readonly label: LanguageMap;
  readonly services: ImageServices;
  /** Present where not everyone sees the image whole, and there is a way to see it. */
  readonly closed?: ClosedPage;
  readonly behavior: PageBehavior | undefined;
  /** The images to choose from, the first one first, itself among them; none for a page that is one image. */
  readonly layers: readonly LabeledLayer[];
}

/** The services of the whole image, and how one gets access to it. */
export interface ClosedPage {
  readonly services: ImageServices;
  readonly access: AccessServices;
}

/** What both versions say of a folder, each in its own words. */
export interface DescribedFolder {
  readonly label: LanguageMap;
  readonly metadata: FolderMetadata;
}

/** The same of a folder with pages; the members that are undefined are omitted. */
export interface DescribedManifest extends DescribedFolder {
  readonly addresses: ManifestAddresses;
  readonly first: LabeledPage | undefined;
  /** Present where not everyone sees all images whole, and there is a way to see them. */
  readonly access?: AccessServices | undefined;
  readonly chapters: readonly Chapter<string>[];
}

/** The same of a folder of folders. */
export interface DescribedCollection extends DescribedFolder {
  readonly id: string;
  /** The address of the collection around it. */
  readonly parent: string | undefined;
  readonly members: readonly {
    readonly kind: FolderMember['kind'];
    readonly id: string;
    readonly label: LanguageMap;
  }[];
  /** Absent where all members are in one document. */
  readonly part?: DescribedPart;
}

/** As `CollectionPart`, with the addresses of all parts by their numbers, and of the collection as a whole for 0. */
export interface DescribedPart extends CollectionPart {
  addressOf(number: number): string;
}

/** The numbers of the first and last folder of a part, as its label. */
export const labelOfPart = ({ size, total }: CollectionPart, number: number): LanguageMap =>
  plainText(`${(number - 1) * size + 1}–${Math.min(total, number * size)}`);

/** How a version writes these. */
export interface Serializer {
  /** The names of the members that lead to the list of canvases; lists among them have one entry. */
  readonly listPath: readonly string[];
  canvas(page: LabeledPage, addresses: ManifestAddresses): object;
  manifest(described: DescribedManifest, canvases: readonly object[]): object;
  collection(described: DescribedCollection): object;
}

/** The name of a page in metadata; a file with several pages has its own name too. */
const nameOf = ({ file, pageInFile }: PageDescription): string =>
  pageInFile === undefined ? file : `${file};${pageInFile}`;

const numbered = (text: LanguageMap, number: number): LanguageMap =>
  Object.fromEntries(
    Object.entries(text).map(([language, values]) => [language, values.map((value) => `${value} (${number})`)]),
  );

/** Whether a page is the first one of its file. */
const isFirst = ({ pageInFile = 1 }: PageDescription): boolean => pageInFile === 1;

/** The pages in a manifest, which are labeled one by one. */
export interface LabeledPages {
  readonly length: number;
  /** The page at a position in display order, from 0, which has to exist. */
  at(index: number): LabeledPage;
}

/** The stems that more than one of the files has; most folders have none. */
function repeatedStems(files: ReadonlySet<string>): ReadonlySet<string> {
  const stems = new Set([...files].map(stemOf));
  return stems.size === files.size ? new Set() : sharedStems(files, stems);
}

/** The pages in a manifest; those of one file are distinguished by their numbers in it. */
export function labeledPages(
  { pages, metadata }: FolderDescription,
  servicesOf: ServicesOf,
  defaultLabels: PageLabels = 'name',
  access?: AccessServices,
): LabeledPages {
  const { pageLabels, pageOrder } = metadata;
  const shared = repeatedStems(new Set(pages.map((page) => page.file)));
  const labelOf = (page: PageDescription, index: number): LanguageMap => {
    const { file, pageInFile } = page;
    const own = pageLabels?.get(nameOf(page));
    if (hasText(own)) return own;
    const given = pageLabels?.get(file);
    const label = labelOfFile(
      { file, metadataLabel: given, number: index + 1, sharesStem: shared.has(stemOf(file)) },
      defaultLabels,
    );
    const isNumber = defaultLabels === 'number' && !hasText(given);
    return pageInFile === undefined || isNumber ? label : numbered(label, pageInFile);
  };
  const behaviorOf = pageBehaviorsIn(metadata);
  const { pageOf, layersOf } = layersIn(metadata, () => pages.map(({ file }) => file));
  const shown = metadata.layers === undefined ? pages : pages.filter(({ file }) => pageOf(file) === undefined);
  const ordered = inDisplayOrder(shown, pageOrder, (page) => [nameOf(page), page.file]);
  const servedOf = ({ path, closedPath }: PageDescription) => ({
    services: servicesOf(path),
    ...(access && closedPath !== undefined && { closed: { services: servicesOf(closedPath), access } }),
  });
  const byFile = metadata.layers && new Map(pages.filter(isFirst).map((page) => [page.file, page]));
  const layersAt = (page: PageDescription): readonly LabeledLayer[] =>
    byFile === undefined || !isFirst(page)
      ? []
      : layersOf(page.file).flatMap((layer) => {
          const image = byFile.get(layer.file);
          return image === undefined ? [] : [{ page: image, label: labelOfLayer(layer), ...servedOf(image) }];
        });
  return {
    length: ordered.length,
    at(index) {
      const page = ordered[index];
      if (page === undefined) throw new RangeError(`there is no page at ${index}`);
      const key = keyOfPage(page.file, page.pageInFile);
      const behavior = behaviorOf([nameOf(page), page.file]);
      return { page, key, label: labelOf(page, index), ...servedOf(page), behavior, layers: layersAt(page) };
    },
  };
}

/** The chapters that have pages of this manifest, with the keys of their pages. */
export function chaptersOf(
  { pages, metadata }: FolderDescription,
  media: readonly { readonly name: string }[] = [],
): readonly Chapter<string>[] {
  if (metadata.structures === undefined) return [];
  const keys = new Map<string, Set<string>>();
  const { pageOf } = layersIn(metadata, () => pages.map(({ file }) => file));
  for (const page of pages) {
    const around = pageOf(page.file);
    const key = around === undefined ? keyOfPage(page.file, page.pageInFile) : keyOfPage(around);
    for (const name of [page.file, nameOf(page)]) keys.set(name, (keys.get(name) ?? new Set()).add(key));
  }
  for (const { name } of media) keys.set(name, new Set([keyOfPage(name)]));
  return chaptersIn(metadata.structures, (name) => [...(keys.get(name) ?? [])]);
}

/** The canvases of a chapter; the first with the part of it that the chapter is. */
export const canvasesOf = ({ pages, region }: Chapter<string>, addresses: ManifestAddresses): readonly string[] =>
  pages.map((key, index) => {
    const canvas = addresses.part('canvas', key);
    return index === 0 && region !== undefined ? canvas + fragmentOfPart(region) : canvas;
  });

/** What a canvas says of a file of which a part is missing; a reader may see only what there is. */
export const truncatedSummary: LanguageMap = {
  en: ['A part of this image is missing: its file is cut short.'],
  de: ['Ein Teil dieses Bildes fehlt: Die Datei ist unvollständig.'],
};

const thumbnailSide = 400;

/** The size of a thumbnail: the full size halved until it fits, which is likely that of a stored level or a prescaled version. */
export function thumbnailSize({ width, height }: Size): Size {
  let factor = 1;
  while (Math.max(width, height) / factor > thumbnailSide) factor *= 2;
  return { width: Math.ceil(width / factor), height: Math.ceil(height / factor) };
}

/** The address of rights as its publisher defines it, which begins with `http:` (Presentation 3.0, "rights"). */
export const rightsAddress = (rights: string): string =>
  rights.replace(/^https:\/\/(?:www\.)?(creativecommons|rightsstatements)\.org\//, 'http://$1.org/');
