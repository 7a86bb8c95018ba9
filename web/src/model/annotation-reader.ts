/** Reads files of annotations, ours and those of other tools, as far as they speak of places on one image. */
import type { Size } from '../../../src/image/model/geometry.ts';
import { type TargetShape, type TargetFault, parseTarget } from './annotation-target.ts';
import { type Annotations, markTag } from './annotations.ts';
import { isObject, listOf, memberOf, parseJson, textOf } from './json-value.ts';
import { isComplete, type Measure, type MeasureKind, measureKinds } from './measure.ts';

/** What could not be read, or not as it was meant. */
export type AnnotationFault =
  | { readonly reason: 'no-annotations' }
  | {
      readonly reason: TargetFault | 'other-image';
      /** The place of the annotation in its file, from 1. */
      readonly item: number;
      /** Whether it is there all the same, as the rectangle that the file gives beside the figure. */
      readonly approximated: boolean;
    };

export interface ReadAnnotations {
  readonly annotations: Annotations;
  readonly faults: readonly AnnotationFault[];
}

/** A collection holds pages, which hold lists: what lies deeper than a few of them is no file of annotations. */
const maxDepth = 8;

/** The annotations of a page, a collection, a list of Open Annotation, a plain list, or one alone. */
function itemsOf(value: unknown, depth = 0): readonly unknown[] {
  if (depth > maxDepth) return [];
  if (Array.isArray(value)) return value.flatMap((item) => itemsOf(item, depth + 1));
  if (!isObject(value)) return [];
  for (const name of ['items', 'resources', 'annotations', 'first']) {
    if (value[name] !== undefined) return listOf(value[name]).flatMap((item) => itemsOf(item, depth + 1));
  }
  return 'target' in value || 'on' in value ? [value] : [];
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' };

/** The text of a piece of HTML; it is never shown as HTML. */
const withoutTags = (html: string): string =>
  html
    .replace(/<br\s*\/?>|<\/p>\s*(?=<p)/gi, '\n')
    .replace(/<[^<>]*>/g, '')
    .replace(/&(#39|\w+);/g, (whole, name: string) => entities[name] ?? whole);

interface Bodies {
  readonly text: string;
  readonly tags: readonly string[];
}

const purposeOf = (body: unknown): unknown => memberOf(body, 'purpose') ?? memberOf(body, '@type');

const isTag = (body: unknown): boolean => purposeOf(body) === 'tagging' || purposeOf(body) === 'oa:Tag';

function plainText(body: unknown): string {
  const value = textOf(isObject(body) ? (body['value'] ?? body['chars']) : body);
  return memberOf(body, 'format') === 'text/html' || /^\s*<p[\s>]/.test(value) ? withoutTags(value).trim() : value;
}

function bodiesOf(item: unknown): Bodies {
  const bodies = listOf(memberOf(item, 'body') ?? memberOf(item, 'resource') ?? memberOf(item, 'bodyValue'));
  const texts = bodies.filter((body) => !isTag(body)).map(plainText);
  return { text: texts.filter((text) => text !== '').join('\n'), tags: bodies.filter(isTag).map(plainText) };
}

const isMeasureKind = (tag: string): tag is MeasureKind => Object.hasOwn(measureKinds, tag);

/** A line with one bend can be a path or an angle: the tag decides, where the points allow it. */
function asTagged(measure: Measure, tags: readonly string[]): Measure {
  const kind = tags.find(isMeasureKind);
  const tagged = kind === undefined ? measure : { ...measure, kind };
  const sameForm = new Set(['line', 'path', 'angle']);
  const mayBe = tagged.kind === measure.kind || (sameForm.has(tagged.kind) && sameForm.has(measure.kind));
  return mayBe && isComplete(tagged) ? tagged : measure;
}

const none: Annotations = { marks: [], rectangles: [], measures: [] };

/** A list of one thing, for the annotation that it is read from. */
function toAnnotations(place: TargetShape, { text, tags }: Bodies): Annotations {
  const said = text === '' ? {} : { text };
  if (place.kind === 'point') return { ...none, marks: [{ ...place.point, ...said }] };
  if (place.kind === 'rectangle') return { ...none, rectangles: [{ ...place.rectangle, ...said }] };
  const [center] = place.measure.points;
  if (center !== undefined && tags.includes(markTag)) return { ...none, marks: [{ ...center, ...said }] };
  if (place.rectangle !== undefined && !tags.some(isMeasureKind)) {
    return { ...none, rectangles: [{ ...place.rectangle, ...said }] };
  }
  return { ...none, measures: [{ ...asTagged(place.measure, tags), ...said }] };
}

const isUsable = (place: TargetShape): boolean => place.kind !== 'figure' || isComplete(place.measure);

function readItem(item: unknown, at: number, size: Size, isOurs: (source: string) => boolean): ReadAnnotations {
  const target = parseTarget(memberOf(item, 'target') ?? memberOf(item, 'on'), size);
  if (!isOurs(target.source)) {
    return { annotations: none, faults: [{ reason: 'other-image', item: at + 1, approximated: false }] };
  }
  const place = target.shape !== undefined && isUsable(target.shape) ? target.shape : undefined;
  const reason = target.fault ?? (place === undefined ? 'unknown' : undefined);
  return {
    annotations: place === undefined ? none : toAnnotations(place, bodiesOf(item)),
    faults: reason === undefined ? [] : [{ reason, item: at + 1, approximated: place !== undefined }],
  };
}

/**
 * The annotations of a file for an image of `size` pixels, and what of the file could not be read. `isOurs` tells by its
 * address whether an annotation is about this image; a file can hold those of a whole book.
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
