/** Annotations of a canvas in Web Annotation and Open Annotation, with their texts, and their places on its image. */
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { memberOf, textOf } from '../json-value.ts';
import { colorOfClass } from '../manifest/css-rules.ts';
import { firstOf, idOf, itemsOf, plainText, webAddress } from '../manifest/members.ts';
import { type Outline, outlinesOf } from '../measure/measure.ts';
import { boxAround, cornersOf, pointOnImage } from '../view/geometry.ts';
import type { Point, Rect } from '../view-state.ts';
import { type BodyLink, linkedBodies } from './annotation-bodies.ts';
import { itemsOf as annotationsIn, bodiesOf } from './annotation-reader.ts';
import { parseTarget, type Target, type TargetShape } from './annotation-target.ts';

export interface ShownAnnotation {
  readonly text: string;
  readonly links: readonly BodyLink[];
  /** The addresses of pictures that belong to the text. */
  readonly pictures: readonly string[];
  /** The color that a style sheet gives the text, as CSS writes colors; undefined for none. */
  readonly textColor: string | undefined;
  /** The label of the collection that it belongs to; empty for none. */
  readonly group: string;
  /** The number of the layer that it is about, from 1; undefined for all. */
  readonly layer: number | undefined;
  readonly tags: readonly string[];
  /** The purpose, such as `commenting` or `supplementing`; empty for none. */
  readonly motivation: string;
  /** Lines in fractions of the image; a single point for a point. Empty for one of the whole page. */
  readonly outlines: readonly Outline[];
  /** The color of the lines as CSS writes colors; undefined where the annotation has none. */
  readonly color: string | undefined;
  /** What surrounds the lines, in fractions of the image; undefined for the whole page. */
  readonly bounds: Rect | undefined;
}

export interface AnnotatedCanvas {
  /** Undefined where all annotations of the list are about it. */
  readonly id: string | undefined;
  /** Whether an address is that of another canvas of the book; absent where that is not known. */
  readonly isOther?: (address: string) => boolean;
  /** In its units. */
  readonly size: Size;
  /** The place of the image on it, in fractions of it. */
  readonly place: Rect;
}

/** What is known of the annotations of a page of them beside what they say. */
export interface AnnotationContext {
  /** The reader’s languages, in lower case. */
  readonly languages: readonly string[];
  readonly group: string;
  readonly layer: number | undefined;
  /** The texts of style sheets by their addresses. */
  readonly styles: ReadonlyMap<string, string>;
}

const noContext: AnnotationContext = { languages: [], group: '', layer: undefined, styles: new Map() };

/** The most annotations that are read of a page of them. */
export const maxAnnotations = 5000;

const maxTargets = 20;

function outlinesOfShape(shape: TargetShape, size: Size): readonly Outline[] {
  if (shape.kind === 'point') return [{ points: [shape.point], closed: false }];
  if (shape.kind === 'rectangle') return [{ points: cornersOf(shape.rectangle), closed: true }];
  return outlinesOf(shape.measure.kind, shape.measure.points, size);
}

const isDrawable = ({ x, y }: Point): boolean => Math.abs(x) < 1000 && Math.abs(y) < 1000;

const sameAddress = (one: string, other: string): boolean =>
  one.replace(/^https?:/, '') === other.replace(/^https?:/, '');

/** What is about the whole of a canvas that the book does not have is about the one that names the annotation. */
const isOn = ({ source, shape }: Target, { id, isOther }: AnnotatedCanvas): boolean =>
  source === '' ||
  id === undefined ||
  sameAddress(source, id) ||
  (shape === undefined && isOther !== undefined && !isOther(source));

/** The targets on the canvas; empty where all are of others. */
const targetsOn = (annotation: unknown, canvas: AnnotatedCanvas): readonly Target[] =>
  itemsOf(firstOf(annotation, 'target', 'on'), maxTargets)
    .map((one) => parseTarget(one, canvas.size))
    .filter((target) => isOn(target, canvas));

const outlinesIn = (targets: readonly Target[], canvas: AnnotatedCanvas): readonly Outline[] =>
  targets
    .flatMap(({ shape }) => (shape === undefined ? [] : outlinesOfShape(shape, canvas.size)))
    .map(({ points, closed }) => ({ closed, points: points.map((point) => pointOnImage(point, canvas.place)) }))
    .filter(({ points }) => points.length > 0 && points.every(isDrawable));

const motivationOf = (annotation: unknown): string =>
  textOf(itemsOf(memberOf(annotation, 'motivation'), 1)[0]).replace(/^\w+:/, '');

/** The color that the style sheet of an annotation gives a class. */
function colorOf(annotation: unknown, styleClass: string, styles: AnnotationContext['styles']): string | undefined {
  if (styleClass === '') return undefined;
  const sheet = memberOf(annotation, 'stylesheet');
  return colorOfClass(textOf(memberOf(sheet, 'value')) || (styles.get(idOf(sheet)) ?? ''), styleClass);
}

function shown(
  annotation: unknown,
  canvas: AnnotatedCanvas,
  { languages, group, layer, styles }: AnnotationContext,
): readonly ShownAnnotation[] {
  const targets = targetsOn(annotation, canvas);
  const motivation = motivationOf(annotation);
  // A georeference is no note: the map shows it.
  if (targets.length === 0 || motivation === 'painting' || motivation === 'georeferencing') return [];
  const outlines = outlinesIn(targets, canvas);
  const { texts, links, pictures, styleClass } = linkedBodies(annotation, languages);
  const { text, tags, color } = bodiesOf({ body: texts });
  return [
    {
      text: plainText(text),
      ...{ links, pictures, group, layer },
      textColor: colorOf(annotation, styleClass, styles),
      tags: tags.map(plainText),
      motivation,
      outlines,
      color: targets.map(({ shape }) => shape?.color).find((one) => one !== undefined) ?? color,
      bounds: boxAround(outlines.flatMap(({ points }) => points)),
    },
  ];
}

/** The annotations of a canvas in a page or list of them. */
export const readAnnotations = (
  json: unknown,
  canvas: AnnotatedCanvas,
  context: AnnotationContext = noContext,
): readonly ShownAnnotation[] =>
  annotationsIn(json)
    .slice(0, maxAnnotations)
    .flatMap((annotation) => shown(annotation, canvas, context));

/** The addresses of the style sheets that the annotations of a page have outside of it. */
export const stylesOf = (json: unknown): readonly string[] => [
  ...new Set(annotationsIn(json).flatMap((annotation) => webAddress(memberOf(annotation, 'stylesheet')) ?? [])),
];

/** The address of the page after a page of annotations. */
export const nextPageOf = (json: unknown): string | undefined => webAddress(memberOf(json, 'next'));

export interface AnnotationFilter {
  /** Words that the text or the tags contain, in any case. */
  readonly words: string;
  /** A tag or a motivation; empty for all. */
  readonly kind: string;
}

/** The tags and motivations that tell the annotations apart, in alphabetical order. */
export const kindsOf = (annotations: readonly ShownAnnotation[]): readonly string[] =>
  [...new Set(annotations.flatMap(({ tags, motivation, group }) => [...tags, motivation, group]))]
    .filter((kind) => kind !== '')
    .sort();

export function filtered(
  annotations: readonly ShownAnnotation[],
  { words, kind }: AnnotationFilter,
  matcher: (query: string) => ((text: string) => boolean) | undefined,
): readonly ShownAnnotation[] {
  const matches = matcher(words);
  return annotations.filter(
    ({ text, tags, motivation, group }) =>
      (kind === '' || [...tags, motivation, group].includes(kind)) &&
      (matches === undefined || matches([text, ...tags].join(' '))),
  );
}

/** The smallest of the annotations that surround a point of the image. */
export function annotationAt(annotations: readonly ShownAnnotation[], { x, y }: Point): ShownAnnotation | undefined {
  const margin = 0.005;
  const area = ({ bounds }: ShownAnnotation): number => (bounds?.width ?? 1) * (bounds?.height ?? 1);
  return annotations
    .filter(
      ({ bounds: box }) =>
        box &&
        x >= box.x - margin &&
        x <= box.x + box.width + margin &&
        y >= box.y - margin &&
        y <= box.y + box.height + margin,
    )
    .reduce<ShownAnnotation | undefined>((best, one) => (best && area(best) <= area(one) ? best : one), undefined);
}
