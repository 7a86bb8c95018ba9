/** Writes manifests and collections of Presentation 2.1. */
import type { ImageServices, ManifestAddresses } from '../../../core/image/addresses/iiif-addresses.ts';
import type { FolderMetadata, LanguageMap } from '../../../core/image/folder/folder-metadata.ts';
import { type Chapter, hasText } from '../../../core/image/folder/page-labels.ts';
import type { Size } from '../../../core/image/model/geometry.ts';
import type { AccessServices } from '../../../core/ports.ts';
import { otherContentMember } from './annotation-pages.ts';
import {
  type ClosedPage,
  canvasesOf,
  type DescribedPart,
  type LabeledLayer,
  type LabeledPage,
  labelOfPart,
  rightsAddress,
  type Serializer,
  thumbnailSize,
  truncatedSummary,
} from './pages.ts';
import { textMembers2 } from './text-members.ts';

const context = 'http://iiif.io/api/presentation/2/context.json';

type Text = string | { readonly '@value': string; readonly '@language': string };

/** A text in the form of 2.1: strings, with their language where one is given (2.1, section 4.3). */
function textOf(map: LanguageMap): Text | readonly Text[] {
  const texts = Object.entries(map).flatMap(([language, values]) =>
    values.map((value): Text => (language === 'none' ? value : { '@value': value, '@language': language })),
  );
  const [only, ...others] = texts;
  return only !== undefined && others.length === 0 ? only : texts;
}

const serviceOf = ({ version2 }: ImageServices, access?: AccessServices): object => ({
  '@context': 'http://iiif.io/api/image/2/context.json',
  '@id': version2,
  profile: 'http://iiif.io/api/image/2/level2.json',
  ...(access && { service: access.logins.length === 1 ? access.logins[0] : access.logins }),
});

const pictureOf = (services: ImageServices, size: string, { width, height }: Size, closed?: ClosedPage): object => ({
  '@id': `${services.version2}/full/${size}/0/default.jpg`,
  '@type': 'dctypes:Image',
  format: 'image/jpeg',
  width,
  height,
  service: serviceOf(closed?.services ?? services, closed?.access),
});

function thumbnailOf({ page, services }: LabeledPage): object {
  const size = thumbnailSize(page);
  return pictureOf(services, size.width === page.width ? 'full' : `${size.width},${size.height}`, size);
}

const paintedOf = ({ page, services, closed }: LabeledLayer): object => pictureOf(services, 'full', page, closed);

/** The image of a page, or those to choose from, of which the first one is shown (Open Annotation, "oa:Choice"). */
function resourceOf(labeled: LabeledPage): object {
  const [first, ...others] = labeled.layers.map((layer) => ({ ...paintedOf(layer), label: textOf(layer.label) }));
  return first === undefined ? paintedOf(labeled) : { '@type': 'oa:Choice', default: first, item: others };
}

function canvasOf(labeled: LabeledPage, addresses: ManifestAddresses): object {
  const { page, key, label, services, behavior } = labeled;
  const { width, height } = page;
  const id = addresses.part('canvas', key);
  const annotation = {
    '@id': addresses.part('annotation', key),
    '@type': 'oa:Annotation',
    motivation: 'sc:painting',
    resource: resourceOf(labeled),
    on: id,
  };
  return {
    '@id': id,
    '@type': 'sc:Canvas',
    label: textOf(label),
    ...(page.truncated && { description: textOf(truncatedSummary) }),
    width,
    height,
    // The same words in 2.1, section 3.3, "viewingHint".
    ...(behavior === undefined ? {} : { viewingHint: behavior }),
    thumbnail: thumbnailOf(labeled),
    images: [annotation],
    ...textMembers2(page, services),
    ...otherContentMember(page.annotationLists, key, addresses),
  };
}

/** A chapter and its descendants as a flat list, in which each names its children (2.1, section 5.6). */
function rangesOf(chapter: Chapter<string>, addresses: ManifestAddresses): readonly object[] {
  const { key, label, pages, chapters } = chapter;
  const range = {
    '@id': addresses.part('range', key),
    '@type': 'sc:Range',
    label: textOf(label),
    ...(pages.length > 0 ? { canvases: canvasesOf(chapter, addresses) } : {}),
    ...(chapters.length > 0 ? { ranges: chapters.map((inner) => addresses.part('range', inner.key)) } : {}),
  };
  return [range, ...chapters.flatMap((inner) => rangesOf(inner, addresses))];
}

/** The behaviors of 3.0 that are viewing hints of manifests and collections in 2.1. */
const viewingHints: ReadonlySet<string> = new Set(['individuals', 'paged', 'continuous', 'multi-part']);

/** The members from the folder's metadata; those that it or 2.1 lacks are omitted. */
function described(metadata: FolderMetadata): object {
  const { summary, metadata: pairs, rights, requiredStatement, homepage, behavior } = metadata;
  const viewingHint = behavior?.find((one) => viewingHints.has(one));
  return {
    ...(hasText(summary) ? { description: textOf(summary) } : {}),
    ...(pairs?.length
      ? { metadata: pairs.map(({ label, value }) => ({ label: textOf(label), value: textOf(value) })) }
      : {}),
    ...(rights === undefined ? {} : { license: rightsAddress(rights) }),
    ...(requiredStatement === undefined ? {} : { attribution: textOf(requiredStatement.value) }),
    ...(homepage?.length
      ? { related: homepage.map(({ id, label, format }) => ({ '@id': id, label: textOf(label), format })) }
      : {}),
    ...(viewingHint === undefined ? {} : { viewingHint }),
  };
}

const manifestOf: Serializer['manifest'] = ({ label, metadata, addresses, first, chapters }, canvases) => {
  const direction = metadata.viewingDirection === undefined ? {} : { viewingDirection: metadata.viewingDirection };
  const { collection, pdf, dataSet } = addresses;
  const rendering = [
    ...(pdf === undefined ? [] : [{ '@id': pdf, label: 'PDF', format: 'application/pdf' }]),
    ...(dataSet === undefined ? [] : [{ '@id': dataSet, label: 'Data set', format: 'application/zip' }]),
  ];
  const ranges = chapters.flatMap((chapter) => rangesOf(chapter, addresses));
  return {
    '@context': context,
    '@id': addresses.manifest,
    '@type': 'sc:Manifest',
    label: textOf(label),
    ...described(metadata),
    ...direction,
    ...(first === undefined ? {} : { thumbnail: thumbnailOf(first) }),
    ...(rendering.length === 0 ? {} : { rendering: rendering.length === 1 ? rendering[0] : rendering }),
    ...(collection === undefined ? {} : { within: collection }),
    sequences: [{ '@id': addresses.part('sequence', 'normal'), '@type': 'sc:Sequence', ...direction, canvases }],
    ...(ranges.length > 0 ? { structures: ranges } : {}),
  };
};

const types = { manifest: 'sc:Manifest', collection: 'sc:Collection' } as const;

/** The pages of a collection (2.1, section 5.9): its own document names the first and the last one alone. */
function pagedMembers({ number, parts, size, total, addressOf }: DescribedPart): object {
  if (number === 0) return { total, first: addressOf(1), last: addressOf(parts) };
  return {
    within: addressOf(0),
    startIndex: (number - 1) * size,
    ...(number < parts ? { next: addressOf(number + 1) } : {}),
    ...(number > 1 ? { prev: addressOf(number - 1) } : {}),
  };
}

const collectionOf: Serializer['collection'] = ({ id, label, metadata, parent, members, part }) => {
  const membersOf = (wanted: keyof typeof types): readonly object[] =>
    members
      .filter(({ kind }) => kind === wanted)
      .map((member) => ({ '@id': member.id, '@type': types[wanted], label: textOf(member.label) }));
  const collections = membersOf('collection');
  const own = part?.number
    ? { '@id': part.addressOf(part.number), '@type': 'sc:Collection', label: textOf(labelOfPart(part, part.number)) }
    : { '@id': id, '@type': 'sc:Collection', label: textOf(label), ...described(metadata) };
  return {
    '@context': context,
    ...own,
    ...(parent === undefined ? {} : { within: parent }),
    ...(part === undefined ? {} : pagedMembers(part)),
    ...(collections.length > 0 ? { collections } : {}),
    ...(part?.number === 0 ? {} : { manifests: membersOf('manifest') }),
  };
};

export const presentation2: Serializer = {
  listPath: ['sequences', 'canvases'],
  canvas: canvasOf,
  manifest: manifestOf,
  collection: collectionOf,
};
