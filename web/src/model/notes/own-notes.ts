/** A reader's notes on one image: compared and merged with those of an address, and read from the browser's storage. */

import { formatMarks, formatRectangles } from '../address/view-query.ts';
import { definedIn, isFiniteNumber, isObject, listOf, memberOf, textOf } from '../json-value.ts';
import {
  type ImageScale,
  isComplete,
  type Measure,
  type MeasureKind,
  measureKinds,
  type SetPoint,
} from '../measure/measure.ts';
import type { Mark, MarkedRegion, NoteContent, Point, TextQuote } from '../view-state.ts';
import type { Annotations } from './annotation-page.ts';
import { parseCssColor } from './mark-edits.ts';

/** A scale that the reader has set by a reference length. */
export interface ReferenceScale extends ImageScale {
  /** The reference length as the reader typed it, and the key of its unit. Earlier versions stored neither. */
  readonly length?: number;
  readonly unit?: string;
}

export interface Notes extends Annotations {
  readonly scale?: ReferenceScale;
}

/** The notes that an address can contain. */
export type AddressNotes = Pick<Notes, 'marks' | 'rectangles'>;

export const noNotes: Notes = { marks: [], rectangles: [], measures: [] };

export const noteCount = ({ marks, rectangles, measures }: Annotations): number =>
  marks.length + rectangles.length + measures.length;

export const isEmpty = (notes: Notes): boolean => noteCount(notes) === 0 && notes.scale === undefined;

/** Whether an address would be the same for both. */
export const haveSameAddress = (one: AddressNotes, other: AddressNotes): boolean =>
  formatMarks(one.marks) === formatMarks(other.marks) &&
  formatRectangles(one.rectangles) === formatRectangles(other.rectangles);

/** The items of an address with the equal own ones, and the own items that are not in the address. */
function compare<Item extends Mark>(items: readonly Item[], own: readonly Item[], keyOf: (item: Item) => string) {
  const ownByKey = new Map(own.map((item) => [keyOf(item), item]));
  const addressed = new Set(items.map(keyOf));
  const textOfItem = ({ text }: Item): { readonly text?: string } => definedIn({ text });
  return {
    /** A text of the address precedes the reader's own. */
    described: items.map((item) => ({ ...(ownByKey.get(keyOf(item)) ?? item), ...textOfItem(item) })),
    /** No text of the reader is lost. */
    joined: items.map((item) => ({ ...textOfItem(item), ...(ownByKey.get(keyOf(item)) ?? item) })),
    others: own.filter((item) => !addressed.has(keyOf(item))),
  };
}

const compareMarks = (addressed: AddressNotes, own: AddressNotes) =>
  compare(addressed.marks, own.marks, (mark) => formatMarks([mark]));

const compareRectangles = (addressed: AddressNotes, own: AddressNotes) =>
  compare(addressed.rectangles, own.rectangles, (rectangle) => formatRectangles([rectangle]));

/** Whether the notes of an address tell nothing but what the reader's own do. */
export function tellsNothingNew(addressed: AddressNotes, own: AddressNotes): boolean {
  const isKnown = ({ text }: Mark, at: number, list: readonly Mark[]): boolean =>
    text === undefined || text === list[at]?.text;
  return (
    haveSameAddress(addressed, own) &&
    addressed.marks.every((mark, at) => isKnown(mark, at, own.marks)) &&
    addressed.rectangles.every((rectangle, at) => isKnown(rectangle, at, own.rectangles))
  );
}

/** The notes of an address; those without a text have that of the reader's own note at the same position. */
export const describedBy = (addressed: AddressNotes, own: AddressNotes): AddressNotes => ({
  marks: compareMarks(addressed, own).described,
  rectangles: compareRectangles(addressed, own).described,
});

/** The notes of an address with their numbers, followed by the reader's own. */
export function joinNotes(addressed: AddressNotes, own: Notes): Notes {
  const marks = compareMarks(addressed, own);
  const rectangles = compareRectangles(addressed, own);
  return {
    ...own,
    marks: [...marks.joined, ...marks.others],
    rectangles: [...rectangles.joined, ...rectangles.others],
  };
}

/** Notes at the same place, as exactly as addresses have it, with the same text are the same note. */
const contentKey = (place: string, { text = '' }: NoteContent): string => `${place} ${text}`;

/** The items that neither the list nor an item before has, by their ids or by place and text. */
function unknownOf<Item extends NoteContent>(
  items: readonly Item[],
  own: readonly Item[],
  placeOf: (item: Item) => string,
): readonly Item[] {
  const ids = new Set(own.flatMap(({ id }) => id ?? []));
  const contents = new Set(own.map((item) => contentKey(placeOf(item), item)));
  return items.filter((item) => {
    const key = contentKey(placeOf(item), item);
    if ((item.id !== undefined && ids.has(item.id)) || contents.has(key)) return false;
    if (item.id !== undefined) ids.add(item.id);
    contents.add(key);
    return true;
  });
}

/** The notes with those of a file behind them that they do not have yet. */
export function addNotes(own: Notes, more: Annotations): Notes {
  const placeOfMeasure = ({ kind, points }: Measure): string => `${kind} ${formatMarks(points)}`;
  return {
    ...own,
    marks: [...own.marks, ...unknownOf(more.marks, own.marks, (mark) => formatMarks([mark]))],
    rectangles: [...own.rectangles, ...unknownOf(more.rectangles, own.rectangles, (one) => formatRectangles([one]))],
    measures: [...own.measures, ...unknownOf(more.measures, own.measures, placeOfMeasure)],
  };
}

/** The notes with an id each; `newId` gives those that have none a new one. The same notes where all have one. */
export function withIds(own: Notes, newId: () => string): Notes {
  const named = <Item extends NoteContent>(items: readonly Item[]): readonly Item[] =>
    items.map((item) => (item.id === undefined ? { ...item, id: newId() } : item));
  const all = [...own.marks, ...own.rectangles, ...own.measures];
  if (all.every(({ id }) => id !== undefined)) return own;
  return { ...own, marks: named(own.marks), rectangles: named(own.rectangles), measures: named(own.measures) };
}

function numbersOf<Name extends string>(value: unknown, names: readonly Name[]): Record<Name, number> | undefined {
  const entries = names.map((name) => [name, memberOf(value, name)] as const);
  return entries.every(([, number]) => isFiniteNumber(number))
    ? (Object.fromEntries(entries) as Record<Name, number>)
    : undefined;
}

/** The words that a note corrects; undefined for none. */
export function readQuote(value: unknown): TextQuote | undefined {
  const exact = textOf(memberOf(value, 'exact'));
  const [prefix, suffix] = [textOf(memberOf(value, 'prefix')), textOf(memberOf(value, 'suffix'))];
  return exact === '' ? undefined : { exact, ...(prefix && { prefix }), ...(suffix && { suffix }) };
}

/** What a note says besides its place. */
function readContent(value: unknown): NoteContent {
  const tags = listOf(memberOf(value, 'tags'))
    .map(textOf)
    .filter((tag) => tag !== '');
  return definedIn({
    text: textOf(memberOf(value, 'text')) || undefined,
    id: textOf(memberOf(value, 'id')) || undefined,
    tags: tags.length === 0 ? undefined : tags,
    color: parseCssColor(textOf(memberOf(value, 'color'))),
    corrects: readQuote(memberOf(value, 'corrects')),
  });
}

const readPoint = (value: unknown): Point | undefined => numbersOf(value, ['x', 'y']);

const readSetPoint = (value: unknown): SetPoint | undefined => {
  const grain = memberOf(value, 'grain');
  const point = readPoint(value);
  return point && isFiniteNumber(grain) ? { ...point, grain } : point;
};

function readMark(value: unknown): readonly Mark[] {
  const point = readPoint(value);
  return point ? [{ ...point, ...readContent(value) }] : [];
}

function readRectangle(value: unknown): readonly MarkedRegion[] {
  const rectangle = numbersOf(value, ['x', 'y', 'width', 'height']);
  return rectangle ? [{ ...rectangle, ...readContent(value) }] : [];
}

function readMeasure(value: unknown): readonly Measure[] {
  const kind = textOf(memberOf(value, 'kind'));
  if (!Object.hasOwn(measureKinds, kind)) return [];
  const points = listOf(memberOf(value, 'points')).map(readSetPoint);
  if (!points.every((point) => point !== undefined)) return [];
  const measure = { kind: kind as MeasureKind, points, ...readContent(value) };
  return isComplete(measure) ? [measure] : [];
}

function readScale(value: unknown): { readonly scale?: ReferenceScale } {
  const scale = numbersOf(value, ['x', 'y']);
  const isUsable = scale !== undefined && scale.x > 0 && scale.y > 0;
  if (!isUsable) return {};
  const [length, unit] = [memberOf(value, 'length'), textOf(memberOf(value, 'unit'))];
  return { scale: isFiniteNumber(length) && unit !== '' ? { ...scale, length, unit } : scale };
}

/** Parses stored notes; malformed items are left out. */
export function readNotes(value: unknown): Notes {
  if (!isObject(value)) return noNotes;
  return {
    marks: listOf(value['marks']).flatMap(readMark),
    rectangles: listOf(value['rectangles']).flatMap(readRectangle),
    measures: listOf(value['measures']).flatMap(readMeasure),
    ...readScale(value['scale']),
  };
}
