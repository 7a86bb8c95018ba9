/** The canvases of a manifest as pages: their images, and what else they say. */

import type { LanguageMap } from '../../../../src/core/image/folder/folder-metadata.ts';
import type { PageBehavior } from '../../../../src/core/image/folder/page-labels.ts';
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { isFiniteNumber, memberOf, textOf } from '../json-value.ts';
import { partOnImage } from '../view/geometry.ts';
import { type Rect, wholeImage } from '../view-state.ts';
import { type AnnotationSource, annotationsOf, groupsOf, type ImageAnnotations } from './annotation-sources.ts';
import { type Description, descriptionOf } from './descriptions.ts';
import { behaviorsOf, firstOf, idOf, itemsOf, limits, textsOf, typeOf } from './members.ts';
import { type PageImage, resourceOf, sizeOf, thumbnailOf } from './page-image.ts';
import { type Layer, layersOf, mainOf, type PageLayer, paintingsOf } from './painted-images.ts';
import { type PaintedText, paintedTextsOf } from './painted-texts.ts';
import { type PageTextFile, textFilesOf } from './text-sources.ts';

export interface ManifestPage {
  /** Unique among the pages and their layers. */
  readonly id: string;
  /** The id of the canvas; another name where it has none, or shares one. */
  readonly canvasId: string;
  readonly label: LanguageMap;
  /** In the units of the canvas, which those of annotations are. */
  readonly canvas: Size | undefined;
  /** An image of the canvas; undefined where it has none, such as sound. */
  readonly image: PageImage | undefined;
  /** The place of the image on the canvas, in fractions of the canvas; beyond it where a part of the image is painted. */
  readonly place: Rect;
  readonly part?: Rect | undefined;
  readonly turn?: number | undefined;
  /** All images of the canvas, where there are several; the one that the page stands for has the id of the page. */
  readonly layers: readonly PageLayer[];
  /** Texts that are painted on the image. */
  readonly paintedTexts: readonly PaintedText[];
  readonly thumbnail: PageImage | undefined;
  readonly behavior: PageBehavior | undefined;
  readonly annotations: readonly AnnotationSource[];
  /** Files with its text. */
  readonly texts: readonly PageTextFile[];
  /** The labels of the collections that these are part of, by their addresses. */
  readonly groups: ReadonlyMap<string, LanguageMap>;
  /** Annotations of single images of the canvas. */
  readonly imageAnnotations: readonly ImageAnnotations[];
  /** What the canvas says of itself; undefined where it says nothing but its label. */
  readonly description: Description | undefined;
  /** The canvas as it is in the manifest, where it is more than images; what plays it reads it. */
  readonly played: unknown;
  /** Inches of a unit of the canvas, by the service for physical dimensions; undefined where it does not say. */
  readonly inches: number | undefined;
}

const playedTypes: ReadonlySet<string> = new Set(['Sound', 'Audio', 'Video', 'Model']);

/** Whether a canvas has a time, sound, video or a model, so that it is more than images. */
function isPlayed(canvas: unknown): boolean {
  if (isFiniteNumber(memberOf(canvas, 'duration')) || ['Scene', 'Timeline'].includes(typeOf(canvas))) return true;
  return paintingsOf(canvas).some((annotation) => {
    const resource = resourceOf(firstOf(annotation, 'body', 'resource'));
    return playedTypes.has(typeOf(resource)) || /^(?:audio|video|model)\//.test(textOf(memberOf(resource, 'format')));
  });
}

/** The image that stands for sound, or for a video before it plays. */
const beside = (canvas: unknown): PageImage | undefined =>
  layersOf(firstOf(canvas, 'accompanyingCanvas', 'placeholderCanvas'))[0]?.image;

const pageBehaviors: readonly PageBehavior[] = ['non-paged', 'facing-pages'];

const inchesIn: Readonly<Record<string, number>> = { in: 1, cm: 1 / 2.54, mm: 1 / 25.4 };

/** The service for physical dimensions (IIIF Annex, "Physical Dimensions"). */
function inchesOf(canvas: unknown): number | undefined {
  for (const service of itemsOf(memberOf(canvas, 'service'), 20)) {
    const [scale, unit] = [memberOf(service, 'physicalScale'), textOf(memberOf(service, 'physicalUnits'))];
    const inches = Object.hasOwn(inchesIn, unit) ? inchesIn[unit] : undefined;
    if (isFiniteNumber(scale) && scale > 0 && inches !== undefined) return scale * inches;
  }
  return undefined;
}

/** The annotations of the images of a canvas, of which `main` is the one that the page stands for. */
const imageAnnotationsOf = (layers: readonly Layer[], main: Layer | undefined): readonly ImageAnnotations[] =>
  layers.flatMap(({ annotations: sources, image: { size }, place: own }, index) => {
    if (sources.length === 0 || size === undefined) return [];
    const place = partOnImage(main?.place ?? wholeImage, own);
    return [{ sources, size, place, layer: layers.length > 1 ? index + 1 : undefined }];
  });

/** The id of a layer that is not the page itself; its number counts from 1. */
export const layerId = (page: string, number: number): string => `${page}#image-${number}`;

/** The page of a canvas of either version. `id` is unique among the canvases. */
function pageOfCanvas(canvas: unknown, id: string): ManifestPage {
  const played = isPlayed(canvas) ? canvas : undefined;
  const layers = layersOf(canvas);
  const main = mainOf(layers);
  return {
    canvasId: id,
    id,
    label: textsOf(memberOf(canvas, 'label')),
    canvas: sizeOf(canvas),
    image: main?.image,
    place: main?.place ?? wholeImage,
    part: main?.part,
    turn: main?.turn,
    layers:
      // What is on a canvas at certain times is no set of layers.
      layers.length < 2 || played !== undefined
        ? []
        : layers.map((layer, index) => ({ ...layer, id: layer === main ? id : layerId(id, index + 1) })),
    // Those with a time are read by what plays it.
    paintedTexts: played === undefined ? paintedTextsOf(canvas, sizeOf(canvas), main?.place ?? wholeImage) : [],
    thumbnail: thumbnailOf(canvas) ?? beside(canvas),
    played,
    // Sound and video face no other page.
    behavior: played === undefined ? pageBehaviors.find((name) => behaviorsOf(canvas).includes(name)) : 'non-paged',
    annotations: annotationsOf(canvas),
    texts: textFilesOf(canvas),
    groups: groupsOf(canvas),
    imageAnnotations: imageAnnotationsOf(layers, main),
    description: descriptionOf(canvas),
    inches: inchesOf(canvas),
  };
}

/** The pages of a list of canvases, each with an id of its own; no more than a book may have. */
export function pagesOf(canvases: readonly unknown[]): readonly ManifestPage[] {
  const known = new Set<string>();
  return canvases.slice(0, limits.pages).map((canvas, index) => {
    const given = idOf(canvas);
    const id = given === '' || known.has(given) ? `page-${index + 1}` : given;
    known.add(id);
    return pageOfCanvas(canvas, id);
  });
}
