/** The pages of a manifest: what its canvases say. */
import type { LanguageMap } from '../../../../src/core/image/folder/folder-metadata.ts';
import type { PageBehavior } from '../../../../src/core/image/folder/page-behavior.ts';
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { isFiniteNumber, isObject, memberOf, textOf } from '../json-value.ts';
import { type Rect, wholeImage } from '../view-state.ts';
import { behaviorsOf, firstOf, idOf, itemsOf, limits, textsOf, typeOf, webAddress } from './members.ts';
import { imageServiceOf, imagesOf, type PageImage, type PaintedImage, sizeOf } from './picture.ts';

/** A page of annotations: its address, or itself where the manifest contains it. */
export type AnnotationSource = string | Readonly<Record<string, unknown>>;

export interface ManifestPage {
  /** Unique among the pages: the id of the canvas, with a suffix for the images on it after the largest. */
  readonly id: string;
  /** The id of the canvas; another name where it has none, or shares one. */
  readonly canvasId: string;
  readonly label: LanguageMap;
  /** In the units of the canvas, which those of annotations are. */
  readonly canvas: Size | undefined;
  /** An image of the canvas; undefined where it has none, such as sound. */
  readonly image: PageImage | undefined;
  /** The place of the image on the canvas, in fractions of the canvas. */
  readonly place: Rect;
  /** The number of images on the canvas, each of which is a page. */
  readonly images: number;
  readonly thumbnail: PageImage | undefined;
  readonly behavior: PageBehavior | undefined;
  readonly annotations: readonly AnnotationSource[];
  /** Inches of a unit of the canvas, by the service for physical dimensions; undefined where it does not say. */
  readonly inches: number | undefined;
}

function thumbnailOf(canvas: unknown): PageImage | undefined {
  const [thumbnail] = itemsOf(memberOf(canvas, 'thumbnail'), 1);
  const [address, service] = [webAddress(thumbnail), imageServiceOf(thumbnail)];
  return address === undefined && service === undefined ? undefined : { address, service, size: sizeOf(thumbnail) };
}

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

/** Annotations in place, or by their address. */
const annotationsOf = (canvas: unknown): readonly AnnotationSource[] =>
  [...itemsOf(memberOf(canvas, 'annotations'), 100), ...itemsOf(memberOf(canvas, 'otherContent'), 100)].flatMap(
    (source): readonly AnnotationSource[] => {
      if (isObject(source) && firstOf(source, 'items', 'resources') !== undefined) return [source];
      const address = webAddress(source);
      return address === undefined || typeOf(source) === 'AnnotationCollection' ? [] : [address];
    },
  );

const area = ({ width, height }: Rect): number => width * height;

/** The images of a canvas, the largest first, then the others in their order; one that is undefined for a canvas without any. */
function shownImages(canvas: unknown): readonly (PaintedImage | undefined)[] {
  const images = imagesOf(canvas);
  const largest = images.reduce((best, one) => (best && area(best.place) >= area(one.place) ? best : one), images[0]);
  return [largest, ...images.filter((one) => one !== largest)];
}

const numbered = (label: LanguageMap, number: number): LanguageMap =>
  Object.keys(label).length === 0
    ? label
    : Object.fromEntries(
        Object.entries(label).map(([language, texts]) => [language, texts.map((text) => `${text} (${number})`)]),
      );

/**
 * The pages of a canvas of either version: one for each image on it. The largest is the page that the canvas stands for; the others
 * follow it as pages that stand alone, so that each can be reached, and openings stay as they are. `id` is unique among the canvases.
 */
export function pagesOfCanvas(canvas: unknown, id: string): readonly ManifestPage[] {
  const images = shownImages(canvas);
  const label = textsOf(memberOf(canvas, 'label'));
  const behavior = pageBehaviors.find((name) => behaviorsOf(canvas).includes(name));
  const shared = {
    canvasId: id,
    canvas: sizeOf(canvas),
    images: images.length,
    annotations: annotationsOf(canvas),
    inches: inchesOf(canvas),
  };
  return images.map((image, index) => ({
    ...shared,
    id: index === 0 ? id : `${id}#image-${index + 1}`,
    label: index === 0 ? label : numbered(label, index + 1),
    image: image?.image,
    place: image?.place ?? wholeImage,
    thumbnail: index === 0 ? thumbnailOf(canvas) : undefined,
    behavior: index === 0 ? behavior : 'non-paged',
  }));
}

/** The pages of a list of canvases, each with an id of its own; no more than a book may have. */
export function pagesOf(canvases: readonly unknown[]): readonly ManifestPage[] {
  const known = new Set<string>();
  const pages = canvases.flatMap((canvas, index) => {
    const given = idOf(canvas);
    const id = given === '' || known.has(given) ? `page-${index + 1}` : given;
    const own = pagesOfCanvas(canvas, id);
    for (const page of own) known.add(page.id);
    return own;
  });
  return pages.slice(0, limits.pages);
}
