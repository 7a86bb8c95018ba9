/** Writes manifests and collections of Presentation 3.0. */
import type { ImageServices, ManifestAddresses } from '../../../core/image/addresses/iiif-addresses.ts';
import { probedPicture } from '../../../core/image/addresses/iiif-addresses.ts';
import type { FolderMetadata } from '../../../core/image/folder/folder-metadata.ts';
import { type Chapter, hasText } from '../../../core/image/folder/page-labels.ts';
import type { Size } from '../../../core/image/model/geometry.ts';
import type { AccessServices } from '../../../core/ports.ts';
import { annotationsMember } from './annotation-pages.ts';
import {
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
import { textMembers3 } from './text-members.ts';

const context = 'http://iiif.io/api/presentation/3/context.json';

const service3 = ({ version3 }: ImageServices, access?: AccessServices): object => ({
  id: version3,
  type: 'ImageService3',
  profile: 'level2',
  ...(access && { service: [access.probe(probedPicture(version3, 3), 'referring')] }),
});

/** Older services are described in their own version (Presentation 3.0, "service"). */
const service2 = ({ version2 }: ImageServices, access?: AccessServices): object => ({
  '@id': version2,
  '@type': 'ImageService2',
  profile: 'http://iiif.io/api/image/2/level2.json',
  ...(access && { service: access.typedLogins }),
});

const pictureOf = ({ version3 }: ImageServices, size: string, { width, height }: Size, service: object[]): object => ({
  id: `${version3}/full/${size}/0/default.jpg`,
  type: 'Image',
  format: 'image/jpeg',
  width,
  height,
  service,
});

function thumbnailOf({ page, services }: LabeledPage): object {
  const size = thumbnailSize(page);
  const name = size.width === page.width ? 'max' : `${size.width},${size.height}`;
  return pictureOf(services, name, size, [service3(services)]);
}

function paintedOf({ page, services, closed }: LabeledLayer): object {
  // Of an image in a tier the picture is that of the tier; its services lead there, or to the whole (Authorization Flow 2.0, 7.1).
  const [asked, access] = closed ? [closed.services, closed.access] : [services];
  return pictureOf(services, 'max', page, [service3(asked, access), service2(asked, access)]);
}

/** One of the images to choose from (Cookbook, recipe 33). */
const choiceOf = (layer: LabeledLayer): object => ({ ...paintedOf(layer), label: layer.label });

function canvasOf(labeled: LabeledPage, addresses: ManifestAddresses): object {
  const { page, key, label, services, closed, behavior, layers } = labeled;
  const { width, height } = page;
  const id = addresses.part('canvas', key);
  const annotation = {
    id: addresses.part('annotation', key),
    type: 'Annotation',
    motivation: 'painting',
    body: layers.length === 0 ? paintedOf(labeled) : { type: 'Choice', items: layers.map(choiceOf) },
    target: id,
  };
  return {
    id,
    type: 'Canvas',
    label,
    ...(page.truncated && { summary: truncatedSummary }),
    width,
    height,
    ...(behavior === undefined ? {} : { behavior: [behavior] }),
    thumbnail: [thumbnailOf(labeled)],
    ...textMembers3(page, services, closed?.access),
    ...annotationsMember(page.annotationLists, key, addresses),
    items: [{ id: addresses.part('page', key), type: 'AnnotationPage', items: [annotation] }],
  };
}

function rangeOf(chapter: Chapter<string>, addresses: ManifestAddresses): object {
  return {
    id: addresses.part('range', chapter.key),
    type: 'Range',
    label: chapter.label,
    items: [
      ...canvasesOf(chapter, addresses).map((id) => ({ id, type: 'Canvas' })),
      ...chapter.chapters.map((inner) => rangeOf(inner, addresses)),
    ],
  };
}

/** The members from the folder's metadata; those that it lacks are omitted. */
function described(metadata: FolderMetadata): object {
  const { summary, metadata: pairs, rights, requiredStatement, homepage, viewingDirection, behavior } = metadata;
  return {
    ...(hasText(summary) ? { summary } : {}),
    ...(pairs?.length ? { metadata: pairs } : {}),
    ...(rights === undefined ? {} : { rights: rightsAddress(rights) }),
    ...(requiredStatement === undefined ? {} : { requiredStatement }),
    ...(homepage?.length
      ? { homepage: homepage.map(({ id, label, format }) => ({ id, type: 'Text', label, format })) }
      : {}),
    ...(viewingDirection === undefined ? {} : { viewingDirection }),
    ...(behavior?.length ? { behavior } : {}),
  };
}

/** A form of the whole for people (Presentation 3.0, section 3.3.2). */
const pdfOf = (id: string, access?: AccessServices): object => ({
  id,
  type: 'Text',
  label: { none: ['PDF'] },
  format: 'application/pdf',
  ...(access && { service: [access.probe(id, 'referring')] }),
});

/** The same for programs. */
const dataSetOf = (id: string, access?: AccessServices): object => ({
  id,
  type: 'Dataset',
  label: { en: ['Data set: manifest, metadata, texts and pictures'] },
  format: 'application/zip',
  ...(access && { service: [access.probe(id, 'referring')] }),
});

const manifestOf: Serializer['manifest'] = ({ label, metadata, addresses, first, chapters, access }, canvases) => {
  const { collection, pdf, dataSet } = addresses;
  const rendering = [
    ...(pdf === undefined ? [] : [pdfOf(pdf, access)]),
    ...(dataSet === undefined ? [] : [dataSetOf(dataSet, access)]),
  ];
  const structures = chapters.map((chapter) => rangeOf(chapter, addresses));
  return {
    '@context': access === undefined ? context : [access.context, context],
    id: addresses.manifest,
    type: 'Manifest',
    label,
    ...described(metadata),
    ...(first === undefined ? {} : { thumbnail: [thumbnailOf(first)] }),
    ...(rendering.length === 0 ? {} : { rendering }),
    ...(collection === undefined ? {} : { partOf: [{ id: collection, type: 'Collection' }] }),
    ...(access && { services: access.shared }),
    items: canvases,
    ...(structures.length > 0 ? { structures } : {}),
  };
};

const types = { manifest: 'Manifest', collection: 'Collection' } as const;

/** Collections have no pages in 3.0: those with very many members have parts, which are collections themselves. */
function partOf3(part: DescribedPart, items: readonly object[]): object {
  const { number, parts, addressOf } = part;
  const collection = (at: number): object => ({ id: addressOf(at), type: 'Collection', label: labelOfPart(part, at) });
  return number > 0 ? items : Array.from({ length: parts }, (_, index) => collection(index + 1));
}

const collectionOf: Serializer['collection'] = ({ id, label, metadata, parent, members, part }) => {
  const items = members.map((member) => ({ id: member.id, type: types[member.kind], label: member.label }));
  const around = part !== undefined && part.number > 0 ? id : parent;
  const own = part?.number
    ? { id: part.addressOf(part.number), type: 'Collection', label: labelOfPart(part, part.number) }
    : { id, type: 'Collection', label, ...described(metadata) };
  return {
    '@context': context,
    ...own,
    ...(around === undefined ? {} : { partOf: [{ id: around, type: 'Collection' }] }),
    items: part === undefined ? items : partOf3(part, items),
  };
};

export const presentation3: Serializer = {
  listPath: ['items'],
  canvas: canvasOf,
  manifest: manifestOf,
  collection: collectionOf,
};
