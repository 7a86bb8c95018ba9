/** Formats marks, rectangles and measurements of an image as an `AnnotationPage` (W3C Web Annotation). */
import type { Size } from '../../../src/image/model/geometry.ts';
import type { Measure } from './measure.ts';
import { formatShape } from './svg-shape.ts';
import type { Mark, MarkedRegion, Point } from './view-state.ts';

/** The number of each in the reading room is its position in its list. */
export interface Annotations {
  readonly marks: readonly Mark[];
  readonly rectangles: readonly MarkedRegion[];
  readonly measures: readonly Measure[];
}

export interface AnnotatedImage {
  /** The address of its IIIF canvas or of the image. */
  readonly source: string;
  /** In pixels. */
  readonly size: Size;
}

export interface TextualBody {
  readonly type: 'TextualBody';
  readonly value: string;
  readonly format: 'text/plain';
  readonly purpose: 'commenting' | 'tagging';
}

export type Selector =
  | { readonly type: 'FragmentSelector'; readonly conformsTo: string; readonly value: string }
  | { readonly type: 'SvgSelector'; readonly value: string };

export interface Annotation {
  readonly id: string;
  readonly type: 'Annotation';
  readonly motivation: 'commenting' | 'highlighting';
  readonly body: readonly TextualBody[];
  readonly target: { readonly source: string; readonly selector: Selector };
}

export interface AnnotationPage {
  readonly '@context': 'http://www.w3.org/ns/anno.jsonld';
  readonly id: string;
  readonly type: 'AnnotationPage';
  readonly items: readonly Annotation[];
}

/** The tag that distinguishes a mark from a measured circle. */
export const markTag = 'mark';

/** Other viewers show circles, but no points; in pixels of the image. */
const markRadius = 8;

const fragmentSyntax = 'http://www.w3.org/TR/media-frags/';

const body = (value: string, purpose: TextualBody['purpose']): TextualBody => ({
  type: 'TextualBody',
  value,
  format: 'text/plain',
  purpose,
});

interface Described {
  readonly name: string;
  readonly tag: string | undefined;
  readonly text: string | undefined;
  readonly selector: Selector;
}

const toAnnotation = ({ name, tag, text, selector }: Described, source: string): Annotation => ({
  id: `${source}#${name}`,
  type: 'Annotation',
  motivation: text === undefined ? 'highlighting' : 'commenting',
  body: [
    ...(text === undefined ? [] : [body(text, 'commenting')]),
    ...(tag === undefined ? [] : [body(tag, 'tagging')]),
  ],
  target: { source, selector },
});

const inPixels = ({ x, y }: Point, { width, height }: Size): Point => ({ x: x * width, y: y * height });

const svg = (kind: Measure['kind'], points: readonly Point[]): Selector => ({
  type: 'SvgSelector',
  value: formatShape({ kind, points }),
});

function describeMark(mark: Mark, at: number, size: Size): Described {
  const center = inPixels(mark, size);
  const selector = svg('circle', [center, { x: center.x + markRadius, y: center.y }]);
  return { name: `mark-${at + 1}`, tag: markTag, text: mark.text, selector };
}

function describeMeasure({ kind, points, text }: Measure, at: number, size: Size): Described {
  const pixels = points.map((point) => inPixels(point, size));
  return { name: `measure-${at + 1}`, tag: kind, text, selector: svg(kind, pixels) };
}

const percent = (fraction: number): string => String(Math.round(fraction * 1e8) / 1e6 + 0);

function describeRectangle({ x, y, width, height, text }: MarkedRegion, at: number): Described {
  const value = `xywh=percent:${[x, y, width, height].map(percent).join(',')}`;
  const selector: Selector = { type: 'FragmentSelector', conformsTo: fragmentSyntax, value };
  return { name: `rectangle-${at + 1}`, tag: undefined, text, selector };
}

/** The page of annotations of one image; `parseAnnotations` reads it back. */
export function formatAnnotations(annotations: Annotations, { source, size }: AnnotatedImage): AnnotationPage {
  const descriptions = [
    ...annotations.marks.map((mark, at) => describeMark(mark, at, size)),
    ...annotations.rectangles.map(describeRectangle),
    ...annotations.measures.map((measure, at) => describeMeasure(measure, at, size)),
  ];
  return {
    '@context': 'http://www.w3.org/ns/anno.jsonld',
    id: `${source}#annotations`,
    type: 'AnnotationPage',
    items: descriptions.map((description) => toAnnotation(description, source)),
  };
}
