/** What a reader has put onto one image, as it is kept, compared and joined. */
import type { Annotations } from './annotations.ts';
import { isObject, listOf, memberOf, textOf } from './json-value.ts';
import { type ImageScale, isComplete, type Measure, type MeasureKind, measureKinds, type SetPoint } from './measure.ts';
import { formatMarks, formatRectangles } from './mark-lists.ts';
import type { Mark, MarkedRegion, Point } from './view-state.ts';

/** A scale that the reader has set by a length that is known. */
export interface ReferenceScale extends ImageScale {
  /** The length that it came from, as the reader typed it: `12 cm`. */
  readonly from: string;
}

export interface Notes extends Annotations {
  readonly scale?: ReferenceScale;
}

/** What an address can say of notes. */
export type AddressNotes = Pick<Notes, 'marks' | 'rectangles'>;

export const noNotes: Notes = { marks: [], rectangles: [], measures: [] };

export const isEmpty = ({ marks, rectangles, measures, scale }: Notes): boolean =>
  marks.length + rectangles.length + measures.length === 0 && scale === undefined;

/** Whether an address would say the same of both. */
export const haveSameAddress = (one: AddressNotes, other: AddressNotes): boolean =>
  formatMarks(one.marks) === formatMarks(other.marks) &&
  formatRectangles(one.rectangles) === formatRectangles(other.rectangles);

/** The first list with the texts of the second where both have the same place, and what of the second is elsewhere. */
function compare<Item extends Mark>(items: readonly Item[], own: readonly Item[], keyOf: (item: Item) => string) {
  const mine = new Map(own.map((item) => [keyOf(item), item]));
  const here = new Set(items.map(keyOf));
  return {
    described: items.map((item) => mine.get(keyOf(item)) ?? item),
    others: own.filter((item) => !here.has(keyOf(item))),
  };
}

const compareMarks = (places: AddressNotes, own: AddressNotes) =>
  compare(places.marks, own.marks, (mark) => formatMarks([mark]));

const compareRectangles = (places: AddressNotes, own: AddressNotes) =>
  compare(places.rectangles, own.rectangles, (rectangle) => formatRectangles([rectangle]));

/** The places of an address with the reader's own texts where the reader has marked the same. */
export const describedBy = (places: AddressNotes, own: AddressNotes): AddressNotes => ({
  marks: compareMarks(places, own).described,
  rectangles: compareRectangles(places, own).described,
});

/** The reader's notes with those of an address, which keep their numbers: the reader's own come after them. */
export function joinNotes(places: AddressNotes, own: Notes): Notes {
  const marks = compareMarks(places, own);
  const rectangles = compareRectangles(places, own);
  return {
    ...own,
    marks: [...marks.described, ...marks.others],
    rectangles: [...rectangles.described, ...rectangles.others],
  };
}

/** All of both, one after the other. */
export const addNotes = (own: Notes, more: Annotations): Notes => ({
  ...own,
  marks: [...own.marks, ...more.marks],
  rectangles: [...own.rectangles, ...more.rectangles],
  measures: [...own.measures, ...more.measures],
});

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

function numbersOf<Name extends string>(value: unknown, names: readonly Name[]): Record<Name, number> | undefined {
  const entries = names.map((name) => [name, memberOf(value, name)] as const);
  return entries.every(([, number]) => isNumber(number))
    ? (Object.fromEntries(entries) as Record<Name, number>)
    : undefined;
}

const said = (value: unknown): { readonly text?: string } => {
  const text = textOf(memberOf(value, 'text'));
  return text === '' ? {} : { text };
};

const readPoint = (value: unknown): Point | undefined => numbersOf(value, ['x', 'y']);

const readSetPoint = (value: unknown): SetPoint | undefined => {
  const grain = memberOf(value, 'grain');
  const point = readPoint(value);
  return point && isNumber(grain) ? { ...point, grain } : point;
};

function readMark(value: unknown): readonly Mark[] {
  const point = readPoint(value);
  return point ? [{ ...point, ...said(value) }] : [];
}

function readRectangle(value: unknown): readonly MarkedRegion[] {
  const rectangle = numbersOf(value, ['x', 'y', 'width', 'height']);
  return rectangle ? [{ ...rectangle, ...said(value) }] : [];
}

function readMeasure(value: unknown): readonly Measure[] {
  const kind = textOf(memberOf(value, 'kind'));
  if (!Object.hasOwn(measureKinds, kind)) return [];
  const points = listOf(memberOf(value, 'points')).map(readSetPoint);
  if (!points.every((point) => point !== undefined)) return [];
  const measure = { kind: kind as MeasureKind, points, ...said(value) };
  return isComplete(measure) ? [measure] : [];
}

function readScale(value: unknown): { readonly scale?: ReferenceScale } {
  const scale = numbersOf(value, ['x', 'y']);
  const isUsable = scale !== undefined && scale.x > 0 && scale.y > 0;
  return isUsable ? { scale: { ...scale, from: textOf(memberOf(value, 'from')) } } : {};
}

/** Notes as the browser has kept them; what can't be read of them is left out. */
export function readNotes(value: unknown): Notes {
  if (!isObject(value)) return noNotes;
  return {
    marks: listOf(value['marks']).flatMap(readMark),
    rectangles: listOf(value['rectangles']).flatMap(readRectangle),
    measures: listOf(value['measures']).flatMap(readMeasure),
    ...readScale(value['scale']),
  };
}
