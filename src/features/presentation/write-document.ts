/** Writes manifests, collections and annotation pages for the origin of a request. */
import { linkedJsonOf, plainJson, prefersLinkedJson } from '../../core/http/negotiation.ts';
import { encodePath } from '../../core/image/addresses/folder-address.ts';
import {
  foldersBelow,
  imageServicesBelow,
  type ManifestAddresses,
  manifesterAddresses,
  type PresentationVersion,
  presentationAddresses,
} from '../../core/image/addresses/iiif-addresses.ts';
import type { FolderDescription } from '../../core/image/folder/folder-description.ts';
import type { PageLabels } from '../../core/image/folder/page-labels.ts';
import { ImageError } from '../../core/image/model/errors.ts';
import type { AccessServices, AccessServicesOf, Ports, SearchMember, TourCard } from '../../core/ports.ts';
import { annotationsByVersion } from './model/annotation-pages.ts';
import { collectionOf, manifestOf, manifestPieces, wholeManifest, withAdditions } from './model/manifest.ts';
import type { AnnotationsAnswer, CollectionAnswer, ManifestAnswer } from './presented-folders.ts';

/** A path prefix of manifests of one version. */
export interface PresentationMount {
  readonly dialect: 'presentation' | 'manifester';
  /** The path between the context path and the folder, without a slash at its end. */
  readonly prefix: string;
  readonly version: PresentationVersion;
}

export interface WritingParts {
  readonly contextPath: string;
  readonly iiifSlash: string;
  /** The member that names where texts are searched; undefined where they are not. */
  readonly searchMember?: SearchMember | undefined;
  /** Whether folders have PDF documents. */
  readonly hasDocuments: boolean;
  readonly dataSetAddress: Ports['dataSetAddress'];
  /** Where changes of manifests are listed, below the context path and its slash; undefined where they are not. */
  readonly changesPath: () => string | undefined;
  readonly pageLabels: PageLabels;
  readonly accessServices?: AccessServicesOf | undefined;
}

/** How one gets access to the images of a manifest that not everyone sees whole; undefined where there is none. */
export async function accessTo(
  answer: { readonly kind: string } | ManifestAnswer,
  origin: string,
  { contextPath, accessServices }: Pick<WritingParts, 'contextPath' | 'accessServices'>,
): Promise<AccessServices | undefined> {
  const isClosed = 'hasTexts' in answer && answer.folder.pages.some(({ closedPath }) => closedPath !== undefined);
  return isClosed ? accessServices?.(`${origin}${contextPath}`) : undefined;
}

export const contexts: Readonly<Record<PresentationVersion, string>> = {
  2: 'http://iiif.io/api/presentation/2/context.json',
  3: 'http://iiif.io/api/presentation/3/context.json',
};

interface Document {
  readonly body: Buffer;
  readonly mediaType: string;
}

/** A document that is written while it is sent. */
interface LongDocument {
  readonly pieces: Iterable<string>;
  readonly mediaType: string;
}

export type WrittenAnswer = Document | LongDocument | { readonly redirect: string };

/** A manifest of more canvases is written while it is sent: it takes much memory as a whole, and long to write at once. */
const mostCanvasesAtOnce = 2000;

/**
 * The canvas at which a manifest begins (Presentation 3.0, section 3.2, `start`), where the parameter of this name has a
 * canvas of it: viewers that take a manifest alone open it at a page by this.
 */
function startOf(query: string, addresses: ManifestAddresses): object | undefined {
  const id = new URLSearchParams(query).get('start') ?? '';
  return id.startsWith(addresses.part('canvas', '')) ? { id, type: 'Canvas' } : undefined;
}

/** What of a request its answer depends on. */
export interface AskedDocument {
  readonly origin: string;
  readonly accept: string | undefined;
  readonly query: string;
}

/** Where the changes of all manifests are listed: of the whole library, for programs (Change Discovery 1.0, section 2.4). */
const changesLabel = 'Changes of all manifests';
const changesProfile = 'http://iiif.io/api/discovery/1/context.json';

function seeAlsoOf(version: PresentationVersion, address: string): object {
  const about = { format: 'application/ld+json', profile: changesProfile };
  if (version === 2) return { seeAlso: { '@id': address, label: changesLabel, ...about } };
  return { seeAlso: [{ id: address, type: 'Dataset', label: { en: [changesLabel] }, ...about }] };
}

/** What a manifest says of guided views beside its scans: their files, and in version 3 their steps as one page of annotations. */
function toursMembers(version: PresentationVersion, tours: readonly TourCard[], base: string): object {
  if (tours.length === 0) return {};
  const idOf = ({ path }: TourCard): string => `${base}/tours/${encodePath(path)}`;
  const label = ({ title, name }: TourCard) => (Object.keys(title).length === 0 ? { none: [name] } : title);
  const format = 'application/json';
  if (version === 2) {
    const words = (one: TourCard) => Object.values(label(one))[0]?.[0];
    return { seeAlso: tours.map((one) => ({ '@id': idOf(one), label: words(one), format })) };
  }
  return {
    seeAlso: tours.map((one) => ({ id: idOf(one), type: 'Dataset', label: label(one), format })),
    annotations: tours.map((one) => ({
      id: idOf(one).replace(/\.tour\.json$/, '.annotations.json'),
      type: 'AnnotationPage',
      label: label(one),
    })),
  };
}

/** Version 2 has neither sound nor video. */
function requireImages(version: PresentationVersion, { pages }: FolderDescription): void {
  if (version === 3 || pages.length > 0) return;
  throw new ImageError(
    'not-found',
    'This folder has sound or video alone, which only manifests of version 3 can have.',
  );
}

/** Open Annotation has no georeferences. */
function requireWritable(version: PresentationVersion, { canvas }: AnnotationsAnswer): void {
  if (version === 3 || canvas.list !== 'georef') return;
  throw new ImageError('not-found', 'Only documents of version 3 can have the place of an image on a map.');
}

/** Writes the document of a mount for a request, whose origin its addresses have. */
export function writeDocument(
  answer: ManifestAnswer | CollectionAnswer | AnnotationsAnswer,
  { dialect, prefix, version }: PresentationMount,
  { origin, accept, query }: AskedDocument,
  { contextPath, iiifSlash, pageLabels, searchMember, hasDocuments, dataSetAddress, changesPath }: WritingParts,
  access: AccessServices | undefined,
): WrittenAnswer {
  const base = `${origin}${contextPath}${prefix}`;
  const folders = foldersBelow(base, iiifSlash);
  const addressesBelow = dialect === 'presentation' ? presentationAddresses : manifesterAddresses;
  const mediaType = prefersLinkedJson(accept) ? linkedJsonOf(contexts[version]) : plainJson;
  const written = (document: object): Document => ({ body: Buffer.from(JSON.stringify(document)), mediaType });
  // digilib's addresses name canvases of their own, which no search returns.
  const searchOf = (searched: 'manifest' | 'collection', path: string): object =>
    dialect === 'presentation' && searchMember !== undefined
      ? searchMember({ base: `${origin}${contextPath}`, presentation: version, searched, path, slash: iiifSlash })
      : {};
  switch (answer.kind) {
    case 'file':
      return { body: Buffer.from(answer.text), mediaType: plainJson };
    case 'pages': {
      const pdf = `${origin}${contextPath}/pdf/${encodePath(answer.folder.path)}.pdf`;
      const isTakenAlong = hasDocuments && !answer.isWithoutDocuments;
      const dataSet = isTakenAlong ? dataSetAddress?.(`${origin}${contextPath}/`, answer.folder.path) : undefined;
      const addresses = {
        ...addressesBelow(base, answer.folder.path, iiifSlash),
        ...(isTakenAlong && { pdf }),
        ...(dataSet !== undefined && { dataSet }),
      };
      const services = imageServicesBelow(`${origin}${contextPath}`, iiifSlash);
      const media = { files: answer.media, base: `${origin}${contextPath}/` };
      requireImages(version, answer.folder);
      const manifest = manifestOf(version, answer.folder, addresses, services, pageLabels, access, media);
      const start = version === 3 ? startOf(query, addresses) : undefined;
      const service = answer.hasTexts ? searchOf('manifest', answer.folder.path) : {};
      const tours = toursMembers(version, answer.tours, `${origin}${contextPath}`);
      const additions = { ...service, ...tours, ...answer.additions, ...(start && { start }) };
      if (manifest.length > mostCanvasesAtOnce) return { pieces: manifestPieces(manifest, additions), mediaType };
      return written(withAdditions(wholeManifest(manifest), additions));
    }
    case 'annotations': {
      requireWritable(version, answer);
      const addresses = addressesBelow(base, answer.folder, iiifSlash);
      return written(annotationsByVersion[version](answer.canvas, addresses));
    }
    case 'members': {
      const { path } = answer.folder;
      const changes = path === '' ? changesPath() : undefined;
      return written({
        ...collectionOf(version, answer.folder, folders),
        ...searchOf('collection', path),
        ...(changes !== undefined && seeAlsoOf(version, `${origin}${contextPath}/${changes}`)),
      });
    }
    case 'see-collection':
      return { redirect: folders.collection(answer.path) };
    case 'see-manifest':
      return { redirect: folders.manifest(answer.path) };
  }
}
