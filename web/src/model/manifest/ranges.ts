/** The contents of a manifest: ranges of version 3, inside of each other, and of version 2, which name each other by id. */
import type { LanguageMap } from '../../../../src/core/image/folder/folder-metadata.ts';
import { memberOf } from '../json-value.ts';
import { behaviorsOf, firstOf, idOf, itemsOf, limits, textsOf, typeOf } from './members.ts';

export interface ManifestRange {
  readonly label: LanguageMap;
  /** The position of its first page, from 1. */
  readonly at: number;
  readonly ranges: readonly ManifestRange[];
}

const withoutFragment = (address: string): string => address.split('#', 1)[0] ?? address;

/** The canvas that an item of a range names, whole or a part of it. */
const canvasOf = (item: unknown): string => withoutFragment(idOf(firstOf(item, 'source', 'full') ?? item));

const isRange = (item: unknown): boolean => typeOf(item) === 'Range';

/** All items of a range in their order: references to canvases and ranges are ids alone in version 2. */
const membersOf = (range: unknown): readonly unknown[] =>
  ['items', 'members', 'canvases', 'ranges'].flatMap((name) => itemsOf(memberOf(range, name), limits.ranges));

/** All ranges by id; of several with one id the first that has items. */
function indexed(structures: readonly unknown[]): ReadonlyMap<string, unknown> {
  const known = new Map<string, unknown>();
  const visit = (range: unknown, depth: number): void => {
    if (depth > limits.depth || known.size >= limits.ranges) return;
    const members = membersOf(range);
    if (members.length > 0 && !known.has(idOf(range))) known.set(idOf(range), range);
    for (const member of members) if (isRange(member)) visit(member, depth + 1);
  };
  for (const range of structures) visit(range, 0);
  return known;
}

/** Ranges that readers do not navigate by: other orders of the pages, and what is not for contents. */
const isHidden = (range: unknown): boolean =>
  behaviorsOf(range).some((name) => name === 'sequence' || name === 'no-nav');

class RangeReader {
  readonly #positions: ReadonlyMap<string, number>;
  readonly #known: ReadonlyMap<string, unknown>;
  /** Ranges that have been read: each is shown once, so that loops end. */
  readonly #read = new Set<unknown>();

  constructor(structures: readonly unknown[], positions: ReadonlyMap<string, number>) {
    this.#known = indexed(structures);
    this.#positions = positions;
  }

  /** The range that an item is or names; undefined for a canvas. */
  rangeOf(item: unknown): unknown {
    const named = this.#known.get(idOf(item));
    return named ?? (isRange(item) && membersOf(item).length > 0 ? item : undefined);
  }

  read(item: unknown, depth = 0): readonly ManifestRange[] {
    const range = this.rangeOf(item);
    if (range === undefined || depth > limits.depth || this.#read.has(range) || isHidden(range)) return [];
    this.#read.add(range);
    const members = membersOf(range);
    const ranges = members.flatMap((member) => this.read(member, depth + 1));
    const pages = members.map((member) => this.#positions.get(canvasOf(member)));
    const own = pages.find((at) => at !== undefined);
    const at = Math.min(own ?? Number.POSITIVE_INFINITY, ...ranges.slice(0, 1).map((inner) => inner.at));
    return Number.isFinite(at) ? [{ label: textsOf(memberOf(range, 'label')), at, ranges }] : [];
  }
}

/** The ranges that no other contains; all of them where each is in another. */
function rootsOf(structures: readonly unknown[], reader: RangeReader): readonly unknown[] {
  const inside = new Set(structures.flatMap((range) => membersOf(range).map((member) => reader.rangeOf(member))));
  const roots = structures.filter((range) => !inside.has(reader.rangeOf(range)));
  return roots.length > 0 ? roots : structures;
}

/** The contents; `positions` are those of the pages by the ids of their canvases, from 1. */
export function rangesOf(manifest: unknown, positions: ReadonlyMap<string, number>): readonly ManifestRange[] {
  const structures = itemsOf(memberOf(manifest, 'structures'), limits.ranges);
  const reader = new RangeReader(structures, positions);
  return rootsOf(structures, reader).flatMap((range) => {
    const read = reader.read(range);
    // The root of the contents is not a chapter itself.
    const isTop = behaviorsOf(range).includes('top');
    return isTop ? read.flatMap(({ ranges }) => ranges) : read;
  });
}
