/** Reads annotation files of this and other programs: marks, rectangles and measurements of one image. */
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { definedIn, isObject, listOf, memberOf, parseJson, textOf } from '../json-value.ts';
import { withoutTags } from '../manifest/members.ts';
import { isComplete, type MeasureKind, measureKinds } from '../measure/measure.ts';
import { partOnImage, pointOnImage } from '../view/geometry.ts';
import type { NoteContent, Rect, TextQuote } from '../view-state.ts';
import type { Annotations } from './annotation-page.ts';
import {
  addressIn,
  parseTarget,
  type Target,
  type TargetAddress,
  type TargetFault,
  type TargetShape,
} from './annotation-target.ts';
import { maxTags, parseCssColor } from './mark-edits.ts';
import { readQuote } from './own-notes.ts';
import { asNamed } from './svg-shape.ts';

/** An annotation that could not be read, or only approximately. */
export type AnnotationFault =
  | { readonly reason: 'no-annotations' }
  | {
      readonly reason: TargetFault | 'other-image';
      /** The position of the annotation in its file, from 1. */
      readonly item: number;
      /** Whether it was read as the rectangle that the file gives besides the shape; otherwise it was left out. */
      readonly approximated: boolean;
    };

interface ReadAnnotations {
  readonly annotations: Annotations;
  readonly faults: readonly AnnotationFault[];
}

/** Collections contain pages, and pages contain lists; the limit stops malicious nesting. */
const maxDepth = 8;

/** The annotations of a page, a collection, a list of Open Annotation, a plain array, or a single one. */
export function itemsOf(value: unknown, depth = 0): readonly unknown[] {
  if (depth > maxDepth) return [];
  if (Array.isArray(value)) return value.flatMap((item) => itemsOf(item, depth + 1));
  if (!isObject(value)) return [];
  for (const name of ['items', 'resources', 'annotations', 'first']) {
    if (value[name] !== undefined) return listOf(value[name]).flatMap((item) => itemsOf(item, depth + 1));
  }
  return 'target' in value || 'on' in value ? [value] : [];
}

interface Bodies {
  readonly text: string;
  readonly tags: readonly string[];
  /** A color that a body names, as CSS writes colors. */
  readonly color: string | undefined;
}

const purposeOf = (body: unknown): unknown => memberOf(body, 'purpose') ?? memberOf(body, '@type');

const isTag = (body: unknown): boolean => purposeOf(body) === 'tagging' || purposeOf(body) === 'oa:Tag';

/** Annotorious and others write colors as bodies. */
const isColor = (body: unknown): boolean =>
  purposeOf(body) === 'highlighting' && parseCssColor(textOf(memberOf(body, 'value'))) !== undefined;

function plainText(body: unknown): string {
  const value = textOf(isObject(body) ? (body['value'] ?? body['chars']) : body);
  return memberOf(body, 'format') === 'text/html' || /^\s*<p[\s>]/.test(value) ? withoutTags(value).trim() : value;
}

/** The texts, tags and colors of an annotation, as plain text. */
export function bodiesOf(item: unknown): Bodies {
  const bodies = listOf(memberOf(item, 'body') ?? memberOf(item, 'resource') ?? memberOf(item, 'bodyValue'));
  const tags = bodies.filter(isTag).map(plainText);
  const texts = bodies.filter((body) => !isTag(body) && !isColor(body)).map(plainText);
  return {
    text: texts.filter((text) => text !== '').join('\n'),
    tags: [...new Set(tags.filter((tag) => tag !== ''))].slice(0, maxTags),
    color: parseCssColor(textOf(memberOf(bodies.find(isColor), 'value'))),
  };
}

const isMeasureKind = (tag: string): tag is MeasureKind => Object.hasOwn(measureKinds, tag);

/** Earlier exports named the kinds of notes by tags. */
const markTag = 'mark';

const none: Annotations = { marks: [], rectangles: [], measures: [] };

/** Longer ones are made for machines. */
const maxIdLength = 2000;

/** The words that an annotation edits; undefined for one of another motivation. */
function correctionIn(item: unknown): TextQuote | undefined {
  if (!listOf(memberOf(item, 'motivation')).includes('editing')) return undefined;
  const selectors = listOf(memberOf(item, 'target')).flatMap((target) => listOf(memberOf(target, 'selector')));
  return readQuote(selectors.find((selector) => memberOf(selector, 'type') === 'TextQuoteSelector'));
}

function contentOf(item: unknown, shape: TargetShape, bodies: Bodies, kindTag: string | undefined): NoteContent {
  const id = textOf(memberOf(item, 'id') ?? memberOf(item, '@id'));
  const tags = bodies.tags.filter((tag) => tag !== kindTag);
  return definedIn({
    text: bodies.text || undefined,
    id: id === '' || id.length > maxIdLength ? undefined : id,
    tags: tags.length === 0 ? undefined : tags,
    color: shape.color ?? bodies.color,
    corrects: correctionIn(item),
  });
}

function toAnnotations(item: unknown, shape: TargetShape): Annotations {
  const bodies = bodiesOf(item);
  const content = (kindTag?: string): NoteContent => contentOf(item, shape, bodies, kindTag);
  if (shape.kind === 'point') return { ...none, marks: [{ ...shape.point, ...content() }] };
  if (shape.kind === 'rectangle') return { ...none, rectangles: [{ ...shape.rectangle, ...content() }] };
  const { measure, rectangle, isNamed } = shape;
  const [center] = measure.points;
  if (!isNamed && center !== undefined && measure.kind === 'circle' && bodies.tags.includes(markTag)) {
    return { ...none, marks: [{ ...center, ...content(markTag) }] };
  }
  const kind = isNamed ? undefined : bodies.tags.find(isMeasureKind);
  if (rectangle !== undefined && kind === undefined) {
    return { ...none, rectangles: [{ ...rectangle, ...content() }] };
  }
  const named = asNamed(measure, kind);
  return { ...none, measures: [{ ...named, ...content(named.kind === kind ? kind : undefined) }] };
}

/** What the coordinates of an annotation are of. */
export interface TargetFrame {
  /** Of the canvas or image, in its units. */
  readonly size: Size;
  /** The place of the image on it, in fractions. */
  readonly place: Rect;
}

/** The frame of annotations about a source; undefined for those of other images. */
export type FrameOf = (address: TargetAddress) => TargetFrame | undefined;

const maxTargets = 20;

/** An annotation without a target is one that names no place. */
function targetsIn(item: unknown): readonly unknown[] {
  const targets = listOf(memberOf(item, 'target') ?? memberOf(item, 'on')).slice(0, maxTargets);
  return targets.length === 0 ? [undefined] : targets;
}

/** A shape on a canvas as one on the image that lies there. */
function onImage(shape: TargetShape, place: Rect): TargetShape {
  switch (shape.kind) {
    case 'point':
      return { ...shape, point: pointOnImage(shape.point, place) };
    case 'rectangle':
      return { ...shape, rectangle: partOnImage(shape.rectangle, place) };
    case 'figure': {
      const { measure, rectangle } = shape;
      const points = measure.points.map((point) => pointOnImage(point, place));
      return { ...shape, measure: { ...measure, points }, rectangle: rectangle && partOnImage(rectangle, place) };
    }
  }
}

/** The first target of an annotation that is on our image. */
function targetOf(item: unknown, frameOf: FrameOf): Omit<Target, 'source'> | undefined {
  for (const one of targetsIn(item)) {
    const frame = frameOf(addressIn(one));
    if (frame === undefined) continue;
    const { shape, fault } = parseTarget(one, frame.size);
    return { shape: shape && onImage(shape, frame.place), fault };
  }
  return undefined;
}

const isUsable = (shape: TargetShape): boolean => shape.kind !== 'figure' || isComplete(shape.measure);

function readItem(item: unknown, at: number, frameOf: FrameOf): ReadAnnotations {
  const target = targetOf(item, frameOf);
  if (target === undefined) {
    return { annotations: none, faults: [{ reason: 'other-image', item: at + 1, approximated: false }] };
  }
  const shape = target.shape !== undefined && isUsable(target.shape) ? target.shape : undefined;
  const reason = target.fault ?? (shape === undefined ? 'unknown' : undefined);
  return {
    annotations: shape === undefined ? none : toAnnotations(item, shape),
    faults: reason === undefined ? [] : [{ reason, item: at + 1, approximated: shape !== undefined }],
  };
}

/**
 * The annotations in a file that are of one image, in fractions of it, and the faults of the others. `frameOf` decides by the
 * addresses in an annotation; a file can contain those of a whole book.
 */
export function parseAnnotations(text: string, frameOf: FrameOf): ReadAnnotations {
  const items = itemsOf(parseJson(text));
  const read = items.map((item, at) => readItem(item, at, frameOf));
  return {
    annotations: {
      marks: read.flatMap(({ annotations }) => annotations.marks),
      rectangles: read.flatMap(({ annotations }) => annotations.rectangles),
      measures: read.flatMap(({ annotations }) => annotations.measures),
    },
    faults: items.length === 0 ? [{ reason: 'no-annotations' }] : read.flatMap(({ faults }) => faults),
  };
}
