/** The images that are painted on a canvas of a manifest: their places on it, what is seen of them, and which can be chosen. */

import type { LanguageMap } from '../../../../src/core/image/folder/folder-metadata.ts';
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { memberOf, textOf } from '../json-value.ts';
import { boxInFractions } from '../view/geometry.ts';
import { type Rect, wholeImage } from '../view-state.ts';
import { type AnnotationSource, annotationsOf } from './annotation-sources.ts';
import { rotationOfClass } from './css-rules.ts';
import { firstOf, idOf, itemsOf, limits, textsOf, typeOf } from './members.ts';
import { bodiesOf, imageOf, type PageImage, resourceOf, sizeOf } from './page-image.ts';

/** An image with its place on the canvas. */
interface PaintedImage {
  readonly image: PageImage;
  /** Of the whole image, in fractions of the canvas. */
  readonly place: Rect;
  /** The part of the image that is painted, in fractions of it; absent for the whole. */
  readonly part?: Rect;
  /** Degrees clockwise by which it is to be turned; absent for none. */
  readonly turn?: number;
}

/** One of the images that lie over each other on a canvas, from the lowest. */
export interface PageLayer extends PaintedImage {
  /** Unique among the pages and layers. */
  readonly id: string;
  readonly label: LanguageMap;
  /** Whether it is seen before the reader chooses: of a choice, only the first image is. */
  readonly isShownAtFirst: boolean;
  /** Annotations of this image alone. */
  readonly annotations: readonly AnnotationSource[];
}

const placeForm = /xywh=(?:(pixel|percent):)?([\d.]+),([\d.]+),([\d.]+),([\d.]+)/;

/** The place on the canvas that a fragment names, in fractions; the whole for none. */
export function placeIn(target: string, canvas: Size): Rect | undefined {
  const [, unit, ...numbers] = placeForm.exec(target) ?? [];
  const full = unit === 'percent' ? { width: 100, height: 100 } : canvas;
  const [x = 0, y = 0, width = 0, height = 0] = numbers.map(Number);
  const place = boxInFractions({ x, y, width, height }, full);
  return Object.values(place).every(Number.isFinite) && place.width > 0 && place.height > 0 ? place : undefined;
}

/** The target of an annotation as an address with its fragment. */
export function targetText(annotation: unknown): string {
  const [target] = itemsOf(firstOf(annotation, 'target', 'on'), 1);
  const source = firstOf(target, 'source', 'full');
  const selector = itemsOf(memberOf(target, 'selector'), 1).map((one) => textOf(memberOf(one, 'value')));
  return source === undefined ? idOf(target) : `${idOf(source)}#${selector}`;
}

const isPainting = (annotation: unknown): boolean => {
  const motivations = itemsOf(memberOf(annotation, 'motivation')).map(textOf);
  return motivations.length === 0 || motivations.some((name) => /(?:^|:)painting$/.test(name));
};

interface Selected {
  readonly part: Rect | undefined;
  readonly turn: number | undefined;
}

const regionForm = /^(pct:)?([\d.]+),([\d.]+),([\d.]+),([\d.]+)$/;

/** The degrees by which the style sheet of an annotation turns a body (Web Annotation Data Model, section 3.2.5). */
function styledTurn(annotation: unknown, body: unknown): number | undefined {
  const styleClass = textOf(memberOf(body, 'styleClass'));
  const sheet = textOf(memberOf(memberOf(annotation, 'stylesheet'), 'value'));
  return styleClass === '' || sheet === '' ? undefined : rotationOfClass(sheet, styleClass);
}

/** The part and the rotation that a specific resource takes of an image, by parameters of the Image API or a style. */
function selectedOf(annotation: unknown, body: unknown, size: Size | undefined): Selected {
  const selector = itemsOf(memberOf(body, 'selector'), 5).find((one) => typeOf(one) === 'ImageApiSelector');
  const [, percent, ...numbers] = regionForm.exec(textOf(memberOf(selector, 'region'))) ?? [];
  const [x = 0, y = 0, width = 0, height = 0] = numbers.map(Number);
  const full = percent === undefined ? size : { width: 100, height: 100 };
  const part = full && boxInFractions({ x, y, width, height }, full);
  const isPart = part !== undefined && part.width > 0 && part.height > 0;
  const rotation = textOf(memberOf(selector, 'rotation'));
  const turn = rotation === '' ? (styledTurn(annotation, body) ?? 0) : Number(rotation);
  return {
    part: isPart && Object.values(part).every(Number.isFinite) ? part : undefined,
    turn: Number.isFinite(turn) && turn % 360 !== 0 ? turn % 360 : undefined,
  };
}

/** Where the whole of an image lies of which a part covers a place. */
const wholePlace = (place: Rect, part: Rect): Rect => ({
  x: place.x - (part.x / part.width) * place.width,
  y: place.y - (part.y / part.height) * place.height,
  width: place.width / part.width,
  height: place.height / part.height,
});

export type Layer = Omit<PageLayer, 'id'>;

function layerOf(annotation: unknown, body: unknown, place: Rect): Layer | undefined {
  const image = imageOf(body);
  if (image === undefined) return undefined;
  const { part, turn } = selectedOf(annotation, body, image.size);
  const label = textsOf(memberOf(body, 'label'));
  return {
    image,
    place: part === undefined ? place : wholePlace(place, part),
    label: Object.keys(label).length > 0 ? label : textsOf(memberOf(resourceOf(body), 'label')),
    isShownAtFirst: false,
    annotations: annotationsOf(resourceOf(body)),
    ...(part !== undefined && { part }),
    ...(turn !== undefined && { turn }),
  };
}

/** The images that an annotation paints: one, or those to choose from, of which the first is shown. */
function painted(annotation: unknown, canvas: Size | undefined): readonly Layer[] {
  const place = (canvas && placeIn(targetText(annotation), canvas)) ?? wholeImage;
  const layers = bodiesOf(firstOf(annotation, 'body', 'resource')).flatMap(
    (body) => layerOf(annotation, body, place) ?? [],
  );
  return layers.map((layer, index) => ({ ...layer, isShownAtFirst: index === 0 }));
}

/** The annotations that are painted on a canvas of either version, in their order. */
export const paintingsOf = (canvas: unknown): readonly unknown[] =>
  [
    ...itemsOf(memberOf(canvas, 'items'), 20).flatMap((page) => itemsOf(memberOf(page, 'items'), 100)),
    ...itemsOf(memberOf(canvas, 'images'), 100),
  ].filter(isPainting);

/** The images among them. */
export const layersOf = (canvas: unknown): readonly Layer[] =>
  paintingsOf(canvas)
    .flatMap((annotation) => painted(annotation, sizeOf(canvas)))
    .slice(0, limits.layers);

const area = ({ width, height }: Rect): number => width * height;

/** The image that the page stands for, which gives it its coordinates: the largest of those that are shown at first. */
export const mainOf = (layers: readonly Layer[]): Layer | undefined =>
  layers
    .filter(({ isShownAtFirst }) => isShownAtFirst)
    .reduce<Layer | undefined>((best, one) => (best && area(best.place) >= area(one.place) ? best : one), undefined);
