/** Annotations of a canvas in Web Annotation and Open Annotation, with their texts, and their places on its image. */
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { memberOf, textOf } from '../json-value.ts';
import { firstOf, itemsOf, plainText, webAddress } from '../manifest/members.ts';
import { type Outline, outlinesOf } from '../measure/measure.ts';
import { boxAround, cornersOf, pointOnImage } from '../view/geometry.ts';
import type { Point, Rect } from '../view-state.ts';
import { itemsOf as annotationsIn, bodiesOf } from './annotation-reader.ts';
import { parseTarget, type Target, type TargetShape } from './annotation-target.ts';

export interface ShownAnnotation {
  readonly text: string;
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
  /** In its units. */
  readonly size: Size;
  /** The place of the image on it, in fractions of it. */
  readonly place: Rect;
}

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

/** The targets on the canvas; empty where all are of others. */
const targetsOn = (annotation: unknown, canvas: AnnotatedCanvas): readonly Target[] =>
  itemsOf(firstOf(annotation, 'target', 'on'), maxTargets)
    .map((one) => parseTarget(one, canvas.size))
    .filter(({ source }) => source === '' || canvas.id === undefined || sameAddress(source, canvas.id));

const outlinesIn = (targets: readonly Target[], canvas: AnnotatedCanvas): readonly Outline[] =>
  targets
    .flatMap(({ shape }) => (shape === undefined ? [] : outlinesOfShape(shape, canvas.size)))
    .map(({ points, closed }) => ({ closed, points: points.map((point) => pointOnImage(point, canvas.place)) }))
    .filter(({ points }) => points.length > 0 && points.every(isDrawable));

const motivationOf = (annotation: unknown): string =>
  textOf(itemsOf(memberOf(annotation, 'motivation'), 1)[0]).replace(/^\w+:/, '');

function shown(annotation: unknown, canvas: AnnotatedCanvas): readonly ShownAnnotation[] {
  const targets = targetsOn(annotation, canvas);
  const motivation = motivationOf(annotation);
  // A georeference is no note: the map shows it.
  if (targets.length === 0 || motivation === 'painting' || motivation === 'georeferencing') return [];
  const outlines = outlinesIn(targets, canvas);
  const { text, tags, color } = bodiesOf(annotation);
  return [
    {
      text: plainText(text),
      tags: tags.map(plainText),
      motivation,
      outlines,
      color: targets.map(({ shape }) => shape?.color).find((one) => one !== undefined) ?? color,
      bounds: boxAround(outlines.flatMap(({ points }) => points)),
    },
  ];
}

/** The annotations of a canvas in a page or list of them. */
export const readAnnotations = (json: unknown, canvas: AnnotatedCanvas): readonly ShownAnnotation[] =>
  annotationsIn(json)
    .slice(0, maxAnnotations)
    .flatMap((annotation) => shown(annotation, canvas));

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
  [...new Set(annotations.flatMap(({ tags, motivation }) => [...tags, motivation]))]
    .filter((kind) => kind !== '')
    .sort();

export function filtered(
  annotations: readonly ShownAnnotation[],
  { words, kind }: AnnotationFilter,
  matcher: (query: string) => ((text: string) => boolean) | undefined,
): readonly ShownAnnotation[] {
  const matches = matcher(words);
  return annotations.filter(
    ({ text, tags, motivation }) =>
      (kind === '' || tags.includes(kind) || motivation === kind) &&
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
