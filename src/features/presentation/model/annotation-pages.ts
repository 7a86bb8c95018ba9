/** Annotations of a canvas as a page of Presentation 3 and as a list of Presentation 2, and their places in manifests. */

import type { ManifestAddresses, PresentationVersion } from '../../../core/image/addresses/iiif-addresses.ts';
import type { AnnotationListName } from '../../../core/image/folder/folder-description.ts';
import type { LanguageMap } from '../../../core/image/folder/folder-metadata.ts';
import type { Size } from '../../../core/image/model/geometry.ts';
import { georeferenceContext } from './georeferences.ts';
import { type CanvasAnnotation, fragmentSelector, type JsonObject } from './web-annotations.ts';

/** What the lists of a canvas are called in viewers. */
const labels: Readonly<Record<AnnotationListName, LanguageMap>> = {
  annotations: { en: ['Annotations'], de: ['Anmerkungen'], fr: ['Annotations'] },
  tours: { en: ['Guided views'], de: ['Geführte Ansichten'], fr: ['Vues guidées'] },
  text: { en: ['Text'], de: ['Text'], fr: ['Texte'] },
  georef: { en: ['Place on the map'], de: ['Lage auf der Karte'], fr: ['Situation sur la carte'] },
};

/** A member of a canvas with what is said of each of its lists; nothing where it has none. */
const listsMember = (
  member: string,
  lists: readonly AnnotationListName[] | undefined,
  describe: (list: AnnotationListName) => object,
): object => (lists === undefined || lists.length === 0 ? {} : { [member]: lists.map(describe) });

/** What a canvas of Presentation 3 says of its lists (3.0, section 3.4, "annotations"). */
export const annotationsMember = (
  lists: readonly AnnotationListName[] | undefined,
  key: string,
  addresses: ManifestAddresses,
): object =>
  listsMember('annotations', lists, (list) => ({
    id: addresses.part(list, key),
    type: 'AnnotationPage',
    label: labels[list],
  }));

/** What a canvas of Presentation 2 says of its lists (2.1, section 5.4, "otherContent"). */
export const otherContentMember = (
  lists: readonly AnnotationListName[] | undefined,
  key: string,
  addresses: ManifestAddresses,
): object =>
  // Open Annotation has no georeferences.
  listsMember(
    'otherContent',
    lists?.filter((list) => list !== 'georef'),
    (list) => ({
      '@id': addresses.part(list, key),
      '@type': 'sc:AnnotationList',
      label: labels[list]['en']?.[0],
    }),
  );

/** A canvas with one of its lists. */
export interface AnnotatedCanvas {
  readonly list: AnnotationListName;
  /** The name of the page in addresses. */
  readonly key: string;
  readonly size: Size;
  readonly annotations: readonly CanvasAnnotation[];
}

const singly = <T>(list: readonly T[]): T | readonly T[] | undefined => (list.length === 1 ? list[0] : list);

const idOf = ({ id }: CanvasAnnotation, list: string, at: number): string =>
  /^(?:https?|urn):/i.test(id) ? id : `${list}#${at + 1}`;

/** `commenting` where the annotation does not say: viewers leave out what has no motivation. */
const motivationOf = ({ motivation }: CanvasAnnotation): readonly string[] =>
  motivation.length === 0 ? ['commenting'] : motivation;

/** The list as an AnnotationPage (3.0, section 5.5), which names its canvas and the manifest with it. */
function annotationPage3({ list, key, annotations }: AnnotatedCanvas, addresses: ManifestAddresses): object {
  const id = addresses.part(list, key);
  const canvas = addresses.part('canvas', key);
  const source = { id: canvas, type: 'Canvas', partOf: [{ id: addresses.manifest, type: 'Manifest' }] };
  const context = 'http://iiif.io/api/presentation/3/context.json';
  return {
    '@context': list === 'georef' ? [georeferenceContext, context] : context,
    id,
    type: 'AnnotationPage',
    label: labels[list],
    items: annotations.map((annotation, at) => ({
      ...annotation.more,
      id: idOf(annotation, id, at),
      type: 'Annotation',
      motivation: singly(motivationOf(annotation)),
      ...(annotation.bodies.length === 0 ? {} : { body: singly(annotation.bodies) }),
      target:
        annotation.selectors.length === 0
          ? canvas
          : { type: 'SpecificResource', source, selector: singly(annotation.selectors) },
    })),
  };
}

/** A text of Open Annotation (2.1, section 3.5); other bodies by their ids. */
function resourceOf({ id, type, value, purpose, ...rest }: JsonObject): object {
  const named = typeof id === 'string' ? { '@id': id } : {};
  if (typeof value !== 'string') return { ...named, ...(typeof type === 'string' ? { '@type': type } : {}), ...rest };
  return {
    ...named,
    '@type': purpose === 'tagging' ? 'oa:Tag' : 'dctypes:Text',
    format: 'text/plain',
    ...rest,
    chars: value,
  };
}

const isOfType = (type: string) => (selector: JsonObject) => selector['type'] === type;

/** A point as the smallest part that 2.1 can name. */
function boxOfPoint(point: JsonObject | undefined, size: Size): JsonObject | undefined {
  const { x, y } = point ?? {};
  return typeof x === 'number' && typeof y === 'number' ? fragmentSelector(`xywh=${x},${y},1,1`, size) : undefined;
}

/** What an annotation of 2.1 is on: the canvas, a part of it, or an outline with the part around it. */
function targetOf({ selectors }: CanvasAnnotation, canvas: string, { size }: AnnotatedCanvas): unknown {
  const box =
    selectors.find(isOfType('FragmentSelector')) ?? boxOfPoint(selectors.find(isOfType('PointSelector')), size);
  const outline = selectors.find(isOfType('SvgSelector'));
  const value = box?.['value'];
  if (outline === undefined) return typeof value === 'string' ? `${canvas}#${value}` : canvas;
  return {
    '@type': 'oa:SpecificResource',
    full: canvas,
    selector: {
      '@type': 'oa:Choice',
      ...(typeof value === 'string' ? { default: { '@type': 'oa:FragmentSelector', value } } : {}),
      item: { '@type': 'oa:SvgSelector', value: outline['value'] },
    },
  };
}

const isPrinted = (annotation: CanvasAnnotation): boolean => annotation.motivation.includes('supplementing');

/** 2.1 has no motivation for the text that an image shows: it is painted, as content of the canvas (2.1, section 3.4). */
const motivation2 = (motivation: string): string =>
  motivation === 'supplementing' ? 'sc:painting' : `oa:${motivation}`;

/** A printed text is content as text (2.1, section 5.4); all others are as Open Annotation has them. */
const resourceFor =
  (annotation: CanvasAnnotation) =>
  (body: JsonObject): object =>
    isPrinted(annotation) ? { ...resourceOf(body), '@type': 'cnt:ContentAsText' } : resourceOf(body);

/** The list as an AnnotationList of Open Annotation (2.1, section 5.5). */
function annotationList2(canvas: AnnotatedCanvas, addresses: ManifestAddresses): object {
  const { list, key, annotations } = canvas;
  const id = addresses.part(list, key);
  return {
    '@context': 'http://iiif.io/api/presentation/2/context.json',
    '@id': id,
    '@type': 'sc:AnnotationList',
    label: labels[list]['en']?.[0],
    resources: annotations.map((annotation, at) => ({
      '@id': idOf(annotation, id, at),
      '@type': 'oa:Annotation',
      motivation: singly(motivationOf(annotation).map(motivation2)),
      ...(annotation.bodies.length === 0 ? {} : { resource: singly(annotation.bodies.map(resourceFor(annotation))) }),
      on: targetOf(annotation, addresses.part('canvas', key), canvas),
    })),
  };
}

/** The list in the form of a version. */
export const annotationsByVersion: Readonly<Record<PresentationVersion, typeof annotationPage3>> = {
  2: annotationList2,
  3: annotationPage3,
};
