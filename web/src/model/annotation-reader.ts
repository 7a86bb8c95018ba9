/** Reads annotation files of this and other programs: marks, rectangles and measurements of one image. */
import type { Size } from '../../../src/image/model/geometry.ts';
import { parseTarget, type TargetFault, type TargetShape } from './annotation-target.ts';
import { type Annotations, markTag } from './annotations.ts';
import { isObject, listOf, memberOf, parseJson, textOf } from './json-value.ts';
import { isComplete, type Measure, type MeasureKind, measureKinds } from './measure.ts';
import { withoutTags } from './plain-text.ts';

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

export interface ReadAnnotations {
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

export interface Bodies {
  readonly text: string;
  readonly tags: readonly string[];
}

const purposeOf = (body: unknown): unknown => memberOf(body, 'purpose') ?? memberOf(body, '@type');

const isTag = (body: unknown): boolean => purposeOf(body) === 'tagging' || purposeOf(body) === 'oa:Tag';

function plainText(body: unknown): string {
  const value = textOf(isObject(body) ? (body['value'] ?? body['chars']) : body);
  return memberOf(body, 'format') === 'text/html' || /^\s*<p[\s>]/.test(value) ? withoutTags(value).trim() : value;
}

/** The texts and tags of an annotation, as plain text. */
export function bodiesOf(item: unknown): Bodies {
  const bodies = listOf(memberOf(item, 'body') ?? memberOf(item, 'resource') ?? memberOf(item, 'bodyValue'));
  const texts = bodies.filter((body) => !isTag(body)).map(plainText);
  return { text: texts.filter((text) => text !== '').join('\n'), tags: bodies.filter(isTag).map(plainText) };
}

const isMeasureKind = (tag: string): tag is MeasureKind => Object.hasOwn(measureKinds, tag);

/** A line with three points can be a path or an angle: the tag decides if the number of points allows it. */
function asTagged(measure: Measure, tags: readonly string[]): Measure {
  const kind = tags.find(isMeasureKind);
  const tagged = kind === undefined ? measure : { ...measure, kind };
  const openKinds = new Set(['line', 'path', 'angle']);
  const isPossible = tagged.kind === measure.kind || (openKinds.has(tagged.kind) && openKinds.has(measure.kind));
  return isPossible && isComplete(tagged) ? tagged : measure;
}

const none: Annotations = { marks: [], rectangles: [], measures: [] };

function toAnnotations(shape: TargetShape, { text, tags }: Bodies): Annotations {
  const described = text === '' ? {} : { text };
  if (shape.kind === 'point') return { ...none, marks: [{ ...shape.point, ...described }] };
  if (shape.kind === 'rectangle') return { ...none, rectangles: [{ ...shape.rectangle, ...described }] };
  const [center] = shape.measure.points;
  if (center !== undefined && tags.includes(markTag)) return { ...none, marks: [{ ...center, ...described }] };
  if (shape.rectangle !== undefined && !tags.some(isMeasureKind)) {
    return { ...none, rectangles: [{ ...shape.rectangle, ...described }] };
  }
  return { ...none, measures: [{ ...asTagged(shape.measure, tags), ...described }] };
}

const isUsable = (shape: TargetShape): boolean => shape.kind !== 'figure' || isComplete(shape.measure);

function readItem(item: unknown, at: number, size: Size, isOurs: (source: string) => boolean): ReadAnnotations {
  const target = parseTarget(memberOf(item, 'target') ?? memberOf(item, 'on'), size);
  if (!isOurs(target.source)) {
    return { annotations: none, faults: [{ reason: 'other-image', item: at + 1, approximated: false }] };
  }
  const shape = target.shape !== undefined && isUsable(target.shape) ? target.shape : undefined;
  const reason = target.fault ?? (shape === undefined ? 'unknown' : undefined);
  return {
    annotations: shape === undefined ? none : toAnnotations(shape, bodiesOf(item)),
    faults: reason === undefined ? [] : [{ reason, item: at + 1, approximated: shape !== undefined }],
  };
}

/**
 * The annotations in a file for an image of `size` pixels, and the faults of the others. `isOurs` decides by the
 * address of the source whether an annotation is of this image; a file can contain those of a whole book.
 */
export function parseAnnotations(
  text: string,
  size: Size,
  isOurs: (source: string) => boolean = () => true,
): ReadAnnotations {
  const items = itemsOf(parseJson(text));
  const read = items.map((item, at) => readItem(item, at, size, isOurs));
  return {
    annotations: {
      marks: read.flatMap(({ annotations }) => annotations.marks),
      rectangles: read.flatMap(({ annotations }) => annotations.rectangles),
      measures: read.flatMap(({ annotations }) => annotations.measures),
    },
    faults: items.length === 0 ? [{ reason: 'no-annotations' }] : read.flatMap(({ faults }) => faults),
  };
}
