/** The control points that the reader sets on an image: kept in the browser's own store, with what undoes their changes. */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { isFiniteNumber, isObject, listOf, memberOf } from '../../model/json-value.ts';
import type { GeoPoint } from '../../model/map/mercator.ts';
import { type ControlPoint, mostPoints } from '../../model/map/transformations.ts';
import type { Point } from '../../model/view-state.ts';
import { readStored, store } from '../stored-preferences.ts';

export interface OwnPoints {
  readonly points: readonly ControlPoint[];
  /** The outline that was taken over with the points of a map; undefined for the whole image. */
  readonly mask: readonly Point[] | undefined;
}

interface Open {
  readonly path: string;
  readonly size: Size;
  readonly now: OwnPoints;
  readonly before: readonly OwnPoints[];
  readonly after: readonly OwnPoints[];
}

const none: OwnPoints = { points: [], mask: undefined };

const state = signal<Open>({ path: '', size: { width: 1, height: 1 }, now: none, before: [], after: [] });

export const ownPoints: ReadonlySignal<OwnPoints> = computed(() => state.value.now);
export const canUndoPoint: ReadonlySignal<boolean> = computed(() => state.value.before.length > 0);
export const canRedoPoint: ReadonlySignal<boolean> = computed(() => state.value.after.length > 0);

/** A point of which one half is set: on the image, or on the map. */
export interface HalfPoint {
  readonly image?: Point;
  readonly place?: GeoPoint;
}

export const halfPoint = signal<HalfPoint>({});

/** Whether the browser refused to store the last change. */
export const isUnstored = signal(false);

/** Changes that can be undone. */
const mostUndone = 200;

const storageName = (path: string): string => `map:${path}`;

/** Points are stored in pixels, with the size of the image that has these: the reader may see it smaller another time. */
function readPoints(path: string, { width, height }: Size): OwnPoints {
  const stored = readStored(storageName(path));
  const [wide, high] = [memberOf(stored, 'width'), memberOf(stored, 'height')];
  if (!isObject(stored) || !isFiniteNumber(wide) || !isFiniteNumber(high) || wide <= 0 || high <= 0) return none;
  const [across, down] = [width / wide, height / high];
  const numbers = (name: string, count: number): readonly (readonly number[])[] =>
    listOf(stored[name]).flatMap((row) => {
      const list = listOf(row).filter(isFiniteNumber);
      return list.length === count ? [list] : [];
    });
  const points = numbers('points', 4).slice(0, mostPoints);
  const mask = numbers('mask', 2).map(([x = 0, y = 0]) => ({ x: x * across, y: y * down }));
  return {
    points: points.map(([x = 0, y = 0, lon = 0, lat = 0]) => ({ x: x * across, y: y * down, lon, lat })),
    mask: mask.length < 3 ? undefined : mask,
  };
}

function save({ path, size, now: { points, mask } }: Open): void {
  const value = {
    width: size.width,
    height: size.height,
    points: points.map(({ x, y, lon, lat }) => [x, y, lon, lat]),
    ...(mask && { mask: mask.map(({ x, y }) => [x, y]) }),
  };
  isUnstored.value = !store(storageName(path), points.length === 0 ? undefined : value);
}

/** Reads the points of an image of this size in pixels. */
export function openPoints(path: string, size: Size): void {
  halfPoint.value = {};
  state.value = { path, size, now: readPoints(path, size), before: [], after: [] };
}

function put(next: Open): void {
  state.value = next;
  save(next);
}

/** Replaces the points; all other changes go this way. */
export function setPoints(points: readonly ControlPoint[], mask = state.peek().now.mask): void {
  const open = state.peek();
  const now = { points: points.slice(0, mostPoints), mask: points.length === 0 ? undefined : mask };
  put({ ...open, now, before: [...open.before, open.now].slice(-mostUndone), after: [] });
}

export const addPoint = (point: ControlPoint): void => setPoints([...state.peek().now.points, point]);

export const changePoint = (index: number, change: Partial<ControlPoint>): void =>
  setPoints(state.peek().now.points.map((point, at) => (at === index ? { ...point, ...change } : point)));

export const deletePoint = (index: number): void => setPoints(state.peek().now.points.filter((_, at) => at !== index));

export function undoPoint(): void {
  const open = state.peek();
  const now = open.before.at(-1);
  if (now !== undefined) put({ ...open, now, before: open.before.slice(0, -1), after: [open.now, ...open.after] });
}

export function redoPoint(): void {
  const open = state.peek();
  const [now, ...after] = open.after;
  if (now !== undefined) put({ ...open, now, before: [...open.before, open.now], after });
}

/** Sets one half of a point; with the other half there is a new point. Returns its number, from 1; undefined where a half is missing. */
export function setHalf(half: HalfPoint): number | undefined {
  const { image, place } = { ...halfPoint.peek(), ...half };
  if (image === undefined || place === undefined) {
    halfPoint.value = { ...(image && { image }), ...(place && { place }) };
    return undefined;
  }
  halfPoint.value = {};
  addPoint({ ...image, ...place });
  return state.peek().now.points.length;
}
