/** A page of a manifest: what one canvas says. */
import type { LanguageMap } from '../../../../src/image/folder/folder-metadata.ts';
import type { PageBehavior } from '../../../../src/image/folder/page-behavior.ts';
import type { Size } from '../../../../src/image/model/geometry.ts';
import { isFiniteNumber, isObject, memberOf, textOf } from '../json-value.ts';
import { type Rect, wholeImage } from '../view-state.ts';
import { behaviorsOf, firstOf, idOf, itemsOf, textsOf, typeOf, webAddress } from './members.ts';
import { imageServiceOf, imagesOf, type PageImage, sizeOf } from './picture.ts';

/** A page of annotations: its address, or itself where the manifest contains it. */
export type AnnotationSource = string | Readonly<Record<string, unknown>>;

export interface ManifestPage {
  /** The id of the canvas; another name where it has none, or shares one. */
  readonly id: string;
  readonly label: LanguageMap;
  /** In the units of the canvas, which those of annotations are. */
  readonly canvas: Size | undefined;
  /** The largest image of the canvas; undefined where it has none, such as sound. */
  readonly image: PageImage | undefined;
  /** The place of the image on the canvas, in fractions of the canvas. */
  readonly place: Rect;
  /** The number of images on the canvas, of which one is shown. */
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

/** A canvas of either version; `id` is unique among the pages. */
export function pageOf(canvas: unknown, id: string): ManifestPage {
  const images = imagesOf(canvas);
  const largest = images.reduce((best, one) => (best && area(best.place) >= area(one.place) ? best : one), images[0]);
  return {
    id,
    label: textsOf(memberOf(canvas, 'label')),
    canvas: sizeOf(canvas),
    image: largest?.image,
    place: largest?.place ?? wholeImage,
    images: images.length,
    thumbnail: thumbnailOf(canvas),
    behavior: pageBehaviors.find((name) => behaviorsOf(canvas).includes(name)),
    annotations: annotationsOf(canvas),
    inches: inchesOf(canvas),
  };
}

/** The pages of a list of canvases, each with an id of its own. */
export function pagesOf(canvases: readonly unknown[]): readonly ManifestPage[] {
  const known = new Set<string>();
  return canvases.map((canvas, index) => {
    const given = idOf(canvas);
    const id = given === '' || known.has(given) ? `page-${index + 1}` : given;
    known.add(id);
    return pageOf(canvas, id);
  });
}
