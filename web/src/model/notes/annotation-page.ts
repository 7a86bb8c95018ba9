/** Formats marks, rectangles and measurements of an image as an `AnnotationPage` (W3C Web Annotation) about its canvas. */
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { type Measure, outlinesOf } from '../measure/measure.ts';
import { boxAround, boxInPixels, cornersOf, inPixels, partOnCanvas, pointOnCanvas } from '../view/geometry.ts';
import type { Mark, MarkedRegion, NoteContent, Rect, TextQuote } from '../view-state.ts';
import { formatRegion, formatRing, formatShape } from './svg-shape.ts';

/** The number of each in the reading room is its position in its list. */
export interface Annotations {
  readonly marks: readonly Mark[];
  readonly rectangles: readonly MarkedRegion[];
  readonly measures: readonly Measure[];
}

export interface AnnotatedCanvas {
  /** Its id, or the address of the image where it is on no canvas. */
  readonly id: string;
  /** In its units, which are pixels of the image in manifests of this library. */
  readonly size: Size;
  /** The manifest with the canvas; undefined where there is none. */
  readonly manifest: string | undefined;
  /** The image on it: the address of a small picture and of its IIIF service, as far as it has them. */
  readonly picture: string | undefined;
  readonly service: string | undefined;
}

interface TextualBody {
  readonly type: 'TextualBody';
  readonly value: string;
  readonly format: 'text/plain';
  readonly purpose: 'commenting' | 'tagging' | 'editing';
}

type Selector =
  | { readonly type: 'FragmentSelector'; readonly conformsTo: string; readonly value: string }
  | { readonly type: 'SvgSelector'; readonly value: string }
  | { readonly type: 'PointSelector'; readonly x: number; readonly y: number }
  | ({ readonly type: 'TextQuoteSelector' } & TextQuote);

interface Annotation {
  readonly id: string;
  readonly type: 'Annotation';
  /** Not `highlighting`: Mirador shows only annotations that comment or tag, unless it is configured otherwise. */
  readonly motivation: 'commenting' | 'tagging' | 'editing';
  readonly body: readonly TextualBody[];
  readonly target: {
    readonly type: 'SpecificResource';
    readonly source: object;
    readonly selector: readonly Selector[];
  };
}

interface AnnotationPage {
  readonly '@context': readonly string[];
  readonly id: string;
  readonly type: 'AnnotationPage';
  readonly items: readonly Annotation[];
}

const contexts = ['http://www.w3.org/ns/anno.jsonld', 'http://iiif.io/api/presentation/3/context.json'];

const fragmentSyntax = 'http://www.w3.org/TR/media-frags/';

const body = (value: string, purpose: TextualBody['purpose']): TextualBody => ({
  type: 'TextualBody',
  value,
  format: 'text/plain',
  purpose,
});

/** A canvas with the manifest that it is part of (IIIF Cookbook 0306), and with the image that it shows. */
function sourceOf({ id, manifest, picture, service, size }: AnnotatedCanvas): object {
  if (manifest === undefined) return { id, type: 'Image', ...size };
  const services =
    service === undefined ? {} : { service: [{ id: service, type: 'ImageService3', profile: 'level2' }] };
  return {
    id,
    type: 'Canvas',
    ...size,
    partOf: [{ id: manifest, type: 'Manifest' }],
    ...(picture === undefined ? {} : { thumbnail: [{ id: picture, type: 'Image', ...services }] }),
  };
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000 + 0;

/** In pixels without naming them: Mirador reads no unit (Media Fragments 1.0, section 4.2.2: pixels are the default). */
function fragment({ x, y, width, height }: Rect): Selector {
  const value = `xywh=${[x, y, width, height].map(rounded).join(',')}`;
  return { type: 'FragmentSelector', conformsTo: fragmentSyntax, value };
}

/** The ring of a mark: its radius is a hundredth of the image, and no smaller than can be seen; in pixels of the image. */
const ringRadius = ({ width, height }: Size): number => Math.max(10, Math.max(width, height) / 100);

function markSelectors(mark: Mark, size: Size): readonly Selector[] {
  const center = inPixels(mark, size);
  return [
    { type: 'SvgSelector', value: formatRing(center, ringRadius(size), mark.color) },
    { type: 'PointSelector', x: rounded(center.x), y: rounded(center.y) },
  ];
}

function measureSelectors(measure: Measure, size: Size): readonly Selector[] {
  const points = measure.points.map((point) => inPixels(point, size));
  const outlines = outlinesOf(measure.kind, measure.points, size).flatMap((outline) => outline.points);
  const box = boxAround(outlines.map((point) => inPixels(point, size)));
  return [
    { type: 'SvgSelector', value: formatShape({ ...measure, points }) },
    ...(box === undefined ? [] : [fragment(box)]),
  ];
}

/** A fragment has no color: a colored rectangle is drawn too. */
function rectangleSelectors({ color, ...rectangle }: MarkedRegion, size: Size): readonly Selector[] {
  const box = boxInPixels(rectangle, size);
  if (color === undefined) return [fragment(box)];
  return [{ type: 'SvgSelector', value: formatRegion(cornersOf(box), color) }, fragment(box)];
}

/** A correction edits the words that it quotes; other notes comment, or tag where they have tags alone. */
function motivationOf({ text, tags = [], corrects }: NoteContent): Annotation['motivation'] {
  if (corrects !== undefined) return 'editing';
  return text === undefined && tags.length > 0 ? 'tagging' : 'commenting';
}

/** The page of annotations of one image; `parseAnnotations` reads it back. Notes without an id get one by their position. */
export function formatAnnotations(annotations: Annotations, canvas: AnnotatedCanvas): AnnotationPage {
  const { id: canvasId, size } = canvas;
  const source = sourceOf(canvas);
  const written = (name: string, content: NoteContent, place: readonly Selector[]): Annotation => {
    const { id, text, tags = [], corrects } = content;
    const purpose = corrects === undefined ? 'commenting' : 'editing';
    const quote: readonly Selector[] = corrects === undefined ? [] : [{ type: 'TextQuoteSelector', ...corrects }];
    return {
      id: id ?? `${canvasId}#${name}`,
      type: 'Annotation',
      motivation: motivationOf(content),
      body: [...(text === undefined ? [] : [body(text, purpose)]), ...tags.map((tag) => body(tag, 'tagging'))],
      target: { type: 'SpecificResource', source, selector: [...place, ...quote] },
    };
  };
  return {
    '@context': contexts,
    id: `${canvasId}#annotations`,
    type: 'AnnotationPage',
    items: [
      ...annotations.marks.map((mark, at) => written(`mark-${at + 1}`, mark, markSelectors(mark, size))),
      ...annotations.rectangles.map((one, at) => written(`rectangle-${at + 1}`, one, rectangleSelectors(one, size))),
      ...annotations.measures.map((one, at) => written(`measure-${at + 1}`, one, measureSelectors(one, size))),
    ],
  };
}

/** Notes on an image as notes on its canvas, both in fractions. */
export const notesOnCanvas = ({ marks, rectangles, measures }: Annotations, place: Rect): Annotations => ({
  marks: marks.map((mark) => ({ ...mark, ...pointOnCanvas(mark, place) })),
  rectangles: rectangles.map((rectangle) => ({ ...rectangle, ...partOnCanvas(rectangle, place) })),
  measures: measures.map((measure) => ({
    ...measure,
    points: measure.points.map((point) => ({ ...point, ...pointOnCanvas(point, place) })),
  })),
});
