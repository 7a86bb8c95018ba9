/** The ranges of a manifest with the times at which they begin, and where the manifest begins. */
import type { LanguageMap } from '../../../../src/core/image/folder/folder-metadata.ts';
import { memberOf } from '../json-value.ts';
import { behaviorsOf, firstOf, idOf, itemsOf, limits, textsOf, typeOf } from '../manifest/members.ts';
import { type PageImage, thumbnailOf } from '../manifest/page-image.ts';
import { spanOf } from './time.ts';

export interface Chapter {
  readonly label: LanguageMap;
  /** The id of the canvas on which it begins. */
  readonly canvas: string;
  readonly from: number;
  /** Undefined where it ends with the canvas, or goes on to another one. */
  readonly to: number | undefined;
  readonly thumbnail: PageImage | undefined;
  readonly chapters: readonly Chapter[];
}

interface Place {
  readonly canvas: string;
  readonly from: number;
  readonly to: number | undefined;
}

const withoutFragment = (id: string): string => id.split('#', 1)[0] ?? id;

const placeOf = (item: unknown): Place => {
  const span = spanOf(item);
  return {
    canvas: withoutFragment(idOf(firstOf(item, 'source', 'full') ?? item)),
    from: span?.from ?? 0,
    to: span?.to,
  };
};

/** Orders of the pages, and what is not for contents. */
const isHidden = (range: unknown): boolean =>
  behaviorsOf(range).some((name) => name === 'sequence' || name === 'no-nav');

const itemsOfRange = (range: unknown): readonly unknown[] =>
  ['items', 'members', 'canvases', 'ranges'].flatMap((name) => itemsOf(memberOf(range, name), limits.ranges));

function endOf(places: readonly Place[]): number | undefined {
  const [first] = places;
  if (places.some(({ canvas }) => canvas !== first?.canvas)) return undefined;
  const ends = places.map(({ to }) => to ?? Number.POSITIVE_INFINITY);
  const last = Math.max(...ends);
  return Number.isFinite(last) ? last : undefined;
}

interface Read {
  readonly chapters: readonly Chapter[];
  readonly places: readonly Place[];
}

/** `budget` counts the ranges that may still be read, so that loops end. */
function read(item: unknown, budget: { left: number }, depth: number): Read {
  if (typeOf(item) !== 'Range') return { chapters: [], places: [placeOf(item)] };
  budget.left -= 1;
  if (depth > limits.depth || budget.left < 0) return { chapters: [], places: [] };
  const members = itemsOfRange(item).map((member) => read(member, budget, depth + 1));
  const places = members.flatMap((member) => member.places);
  const [first] = places;
  if (first === undefined || isHidden(item)) return { chapters: [], places };
  const chapters = members.flatMap((member) => member.chapters);
  const thumbnail = thumbnailOf(item);
  const own = { label: textsOf(memberOf(item, 'label')), ...first, to: endOf(places), thumbnail, chapters };
  return { chapters: [own], places };
}

/** The contents of a manifest by time; the root of a single tree is not a chapter itself. */
export function readChapters(manifest: unknown): readonly Chapter[] {
  const budget = { left: limits.ranges };
  const roots = itemsOf(memberOf(manifest, 'structures'), limits.ranges).flatMap(
    (range) => read(range, budget, 0).chapters,
  );
  const [root, ...others] = roots;
  return root !== undefined && others.length === 0 && root.chapters.length > 0 ? root.chapters : roots;
}

/** All chapters in one list, with how deep each is. */
export const flat = (chapters: readonly Chapter[], depth = 0): readonly (Chapter & { readonly depth: number })[] =>
  chapters.flatMap((chapter) => [{ ...chapter, depth }, ...flat(chapter.chapters, depth + 1)]);

/** The innermost chapter at a time of a canvas: the last that has begun and has not ended. */
export function chapterAt(list: readonly Chapter[], canvas: string, time: number): Chapter | undefined {
  return list.findLast((one) => one.canvas === canvas && one.from <= time && (one.to === undefined || time < one.to));
}

/** The time at which the manifest begins on a canvas, if it begins there (Presentation 3.0, `start`). */
export function startOn(manifest: unknown, canvas: string): number | undefined {
  const start = memberOf(manifest, 'start');
  return placeOf(start).canvas === canvas ? spanOf(start)?.from : undefined;
}

/** The behavior of a canvas, which it takes from the manifest where it says nothing itself. */
export function behaviorIn(
  manifest: unknown,
  canvas: unknown,
): { readonly goesOn: boolean; readonly repeats: boolean } {
  const [own, all] = [behaviorsOf(canvas), behaviorsOf(manifest)];
  const goesOn = own.includes('auto-advance') || (all.includes('auto-advance') && !own.includes('no-auto-advance'));
  return { goesOn, repeats: all.includes('repeat') };
}
