/** Measurements as points on an image: their kinds, and how many points each has. */
import type { NoteContent, Point } from '../view-state.ts';

/** The number of points of each kind of measurement. */
export const measureKinds = {
  /** From one point to another. */
  line: { least: 2, most: 2 },
  /** Through all points. */
  path: { least: 2, most: Number.POSITIVE_INFINITY },
  /** An arm, the vertex, the other arm. */
  angle: { least: 3, most: 3 },
  /** Closed: the last point leads to the first. */
  polygon: { least: 3, most: Number.POSITIVE_INFINITY },
  /** Two opposite corners, upright on the image. */
  rectangle: { least: 2, most: 2 },
  /** The center and a point of the circle as it is drawn on the image. */
  circle: { least: 2, most: 2 },
  /** The center, the end of an axis, and a point that determines the other half axis by its distance. */
  ellipse: { least: 3, most: 3 },
  /** Two lines; the length of the first is divided by that of the second. */
  proportion: { least: 4, most: 4 },
  /** Two ends of a side of the rectangle around it, a point of the opposite side, and where a small arc's circle ends. */
  oval: { least: 4, most: 4 },
  /** A side of one of its square cells. */
  grid: { least: 2, most: 2 },
  /** The edges of two columns that face each other, and the far edge of the second column. */
  intercolumniation: { least: 3, most: 3 },
} as const;

export type MeasureKind = keyof typeof measureKinds;

/** A point that the reader has set. */
export interface SetPoint extends Point {
  /** The precision: pixels of the image per screen pixel when it was set. */
  readonly grain?: number;
}

/** A measurement is stored as points; its values are computed. */
export interface Measure extends NoteContent {
  readonly kind: MeasureKind;
  /** In fractions of the image. */
  readonly points: readonly SetPoint[];
}

/** Pixels of the image per meter of the object, along both sides of the image. */
export interface ImageScale {
  readonly x: number;
  readonly y: number;
}

/** The precision of a measurement in pixels of the image: that of its coarsest point, at least half a pixel. */
export const grainOf = ({ points }: Measure): number => Math.max(0.5, ...points.map(({ grain = 0 }) => grain));

export function isComplete({ kind, points }: Measure): boolean {
  const { least, most } = measureKinds[kind];
  return points.length >= least && points.length <= most;
}
