/** Canvases of sound and video in manifests of Presentation 3.0; version 2 has none. */
import type { ManifestAddresses, ServicesOf } from '../../../core/image/addresses/iiif-addresses.ts';
import { keyOfPage } from '../../../core/image/addresses/iiif-addresses.ts';
import type { FolderDescription, PageDescription } from '../../../core/image/folder/folder-description.ts';
import { inDisplayOrder, labelOfFile, metadataLabelOf } from '../../../core/image/folder/page-labels.ts';
import type { MediaFile, MediaTextFile } from '../../../core/ports.ts';

export interface MediaOfManifest {
  readonly files: readonly MediaFile[];
  /** The origin and the context path with a slash, below which the addresses of the files are. */
  readonly base: string;
}

const types = { sound: 'Sound', video: 'Video' } as const;

const languageOf = ({ language }: MediaTextFile): object => (language === '' ? {} : { language });

/** Names the texts of a canvas, which viewers show in lists. */
const labels = {
  captions: { en: ['Captions'], de: ['Untertitel'] },
  transcript: { en: ['Transcript'], de: ['Transkript'] },
} as const;

/** Captions as a page of annotations in place, as viewers look for them (cookbook, recipes 0219 and 0074). */
function captionsOf(texts: readonly MediaTextFile[], canvas: string, page: string, base: string): object {
  const bodies = texts.map((text) => ({
    id: base + text.address,
    type: 'Text',
    format: text.mediaType,
    label: labels.captions,
    ...languageOf(text),
  }));
  const body = bodies.length === 1 ? bodies[0] : { type: 'Choice', items: bodies };
  const annotation = { id: `${page}/captions`, type: 'Annotation', motivation: 'supplementing', body, target: canvas };
  return { annotations: [{ id: page, type: 'AnnotationPage', items: [annotation] }] };
}

/** Other forms of what is said: the captions too, for viewers that know no captions (recipe 0017). */
const renderingsOf = (texts: readonly MediaTextFile[], base: string): object => ({
  rendering: texts.map((text) => ({
    id: base + text.address,
    type: 'Text',
    format: text.mediaType,
    label: text.isCaptions ? labels.captions : labels.transcript,
    ...languageOf(text),
  })),
});

/** A canvas within another one, with the image that stands for sound, or for a video before it plays (recipes 0014 and 0013). */
function imageCanvas(id: string, { path, width, height }: PageDescription, servicesOf: ServicesOf): object {
  const service = servicesOf(path).version3;
  const body = {
    id: `${service}/full/max/0/default.jpg`,
    type: 'Image',
    format: 'image/jpeg',
    width,
    height,
    service: [{ id: service, type: 'ImageService3', profile: 'level2' }],
  };
  const annotation = { id: `${id}/annotation`, type: 'Annotation', motivation: 'painting', body, target: id };
  return {
    id,
    type: 'Canvas',
    width,
    height,
    items: [{ id: `${id}/page`, type: 'AnnotationPage', items: [annotation] }],
  };
}

function canvasOf(
  file: MediaFile,
  { metadata, pages }: FolderDescription,
  addresses: ManifestAddresses,
  servicesOf: ServicesOf,
  base: string,
): object {
  const { name, kind, mediaType, duration, size, texts } = file;
  const key = keyOfPage(name);
  const id = addresses.part('canvas', key);
  const facts = { ...(duration !== undefined && { duration }), ...size };
  const body = { id: base + file.address, type: types[kind], format: mediaType, ...facts };
  const captions = texts.filter(({ isCaptions }) => isCaptions);
  const page = pages.find((one) => one.file === file.image && one.pageInFile === undefined);
  const beside = page && imageCanvas(`${id}/image`, page, servicesOf);
  const metadataLabel = metadataLabelOf(metadata, name);
  return {
    id,
    type: 'Canvas',
    label: labelOfFile({ file: name, metadataLabel, number: 0, sharesStem: file.image !== undefined }, 'name'),
    ...facts,
    ...(beside && (kind === 'sound' ? { accompanyingCanvas: beside } : { placeholderCanvas: beside })),
    ...(texts.length > 0 && renderingsOf(texts, base)),
    ...(captions.length > 0 && captionsOf(captions, id, addresses.part('page', `${key}-captions`), base)),
    items: [
      {
        id: addresses.part('page', key),
        type: 'AnnotationPage',
        items: [
          { id: addresses.part('annotation', key), type: 'Annotation', motivation: 'painting', body, target: id },
        ],
      },
    ],
  };
}

/** The canvases, in the order of the metadata, or of their names. */
export const mediaCanvases = (
  { files, base }: MediaOfManifest,
  folder: FolderDescription,
  addresses: ManifestAddresses,
  servicesOf: ServicesOf,
): readonly object[] =>
  inDisplayOrder(files, folder.metadata.pageOrder, ({ name }) => [name]).map((file) =>
    canvasOf(file, folder, addresses, servicesOf, base),
  );
