/**
 * Figures that few points determine: rectangles, ellipses, and ovals of four arcs, as builders drew them with compasses: two small
 * circles at the ends of the long axis, two large ones beside.
 */
import type { Point } from '../view-state.ts';

/** All in pixels of the image. */
export interface Oval {
  readonly center: Point;
  /** Half the axis along the side that was drawn first, and half the axis across it. */
  readonly alongSide: Point;
  readonly across: Point;
  /** The longer and the shorter of the two. */
  readonly long: Point;
  readonly short: Point;
  /** Radius of the arcs at the ends of the long axis. */
  readonly small: number;
  /** Radius of the arcs at the ends of the short axis; infinite where they are straight lines. */
  readonly large: number;
}

const lengthOf = ({ x, y }: Point): number => Math.hypot(x, y);

const scaled = ({ x, y }: Point, factor: number): Point => ({ x: x * factor, y: y * factor });

/** From a center by multiples of two vectors. */
const atAxes = ({ center, long, short }: Oval, along: number, across: number): Point => ({
  x: center.x + along * long.x + across * short.x,
  y: center.y + along * long.y + across * short.y,
});

/**
 * The radius of the large arcs, which touch the small ones without a bend: the centers of both are as far apart as the
 * radii differ. `long` and `short` are half axes.
 */
function largeRadius(long: number, short: number, small: number): number {
  const rest = short - small;
  return rest <= 0 ? Number.POSITIVE_INFINITY : short + ((long - small) ** 2 - rest ** 2) / (2 * rest);
}

/**
 * The oval in a rectangle: the first two points are ends of a side, the third is on the line through the opposite side.
 * The fourth is the inner end of the small circle at that end of the long axis which is nearer to the third point, or
 * to the second. Undefined while points are missing, and without extent.
 */
export function ovalOf([one, other, opposite, inner]: readonly Point[]): Oval | undefined {
  if (!one || !other || !opposite || !inner) return undefined;
  const side = { x: other.x - one.x, y: other.y - one.y };
  const squared = side.x ** 2 + side.y ** 2;
  if (squared === 0) return undefined;
  const reach = (side.x * (opposite.y - one.y) - side.y * (opposite.x - one.x)) / squared;
  const [alongSide, across] = [scaled(side, 0.5), scaled({ x: -side.y, y: side.x }, reach / 2)];
  if (lengthOf(across) === 0) return undefined;
  const [long, short] = lengthOf(across) >= lengthOf(alongSide) ? [across, alongSide] : [alongSide, across];
  const center = { x: one.x + alongSide.x + across.x, y: one.y + alongSide.y + across.y };
  const [longest, shortest] = [lengthOf(long), lengthOf(short)];
  const position = ((inner.x - center.x) * long.x + (inner.y - center.y) * long.y) / longest;
  const small = Math.min(Math.max((longest - position) / 2, shortest / 1000), shortest);
  return { center, alongSide, across, long, short, small, large: largeRadius(longest, shortest, small) };
}

/** Points of the oval in order, in pixels, evenly by the angle of each arc; `sides` is a multiple of four. */
export function ovalPoints(oval: Oval, sides: number): readonly Point[] {
  const { small, large } = oval;
  const [long, short] = [lengthOf(oval.long), lengthOf(oval.short)];
  // The angle from the long axis at which the small arc ends.
  const bend = Number.isFinite(large) ? Math.atan2(large - short, long - small) : Math.PI / 2;
  const perQuarter = sides / 4;
  const onSmall = Math.ceil(perQuarter / 2);
  const quarter = Array.from({ length: perQuarter }, (_, at): Point => {
    if (at < onSmall || !Number.isFinite(large)) {
      const angle = (bend * Math.min(at, onSmall)) / onSmall;
      return { x: long - small + small * Math.cos(angle), y: small * Math.sin(angle) };
    }
    const angle = bend + ((Math.PI / 2 - bend) * (at - onSmall)) / (perQuarter - onSmall);
    return { x: large * Math.cos(angle), y: short - large + large * Math.sin(angle) };
  });
  const top: Point = { x: 0, y: short };
  const back = quarter.slice(1).reverse();
  const mirrored = (points: readonly Point[], x: number, y: number): readonly Point[] =>
    points.map((point) => ({ x: point.x * x, y: point.y * y }));
  const half = [...quarter, top, ...mirrored(back, -1, 1)];
  return [...half, ...mirrored(half, -1, -1)].map(({ x, y }) => atAxes(oval, x / long, y / short));
}

/** The four points at which small arcs end and large ones begin, with the centers of both: construction lines. */
export function ovalCenterLines(oval: Oval): readonly (readonly [Point, Point])[] {
  const { small, large } = oval;
  if (!Number.isFinite(large)) return [];
  const [long, short] = [lengthOf(oval.long), lengthOf(oval.short)];
  const bend = Math.atan2(large - short, long - small);
  const quarters = [
    [1, 1],
    [-1, 1],
    [-1, -1],
    [1, -1],
  ] as const;
  return quarters.map(([x, y]) => [
    atAxes(oval, 0, (y * (short - large)) / short),
    atAxes(oval, (x * (long - small + small * Math.cos(bend))) / long, (y * small * Math.sin(bend)) / short),
  ]);
}

/** Points of an ellipse with two half axes at right angles. */
export const ellipsePoints = (
  [center, first, second]: readonly [center: Point, first: Point, second: Point],
  sides: number,
): readonly Point[] =>
  Array.from({ length: sides }, (_, at) => {
    const turn = (2 * Math.PI * at) / sides;
    const [cosine, sine] = [Math.cos(turn), Math.sin(turn)];
    return {
      x: center.x + cosine * first.x + sine * second.x,
      y: center.y + cosine * first.y + sine * second.y,
    };
  });

/** The half axis at right angles to the first, as long as the distance of a point from the first. */
function secondAxis(first: Point, point: Point): Point {
  const squared = first.x ** 2 + first.y ** 2;
  if (squared === 0) return { x: 0, y: 0 };
  const reach = (first.x * point.y - first.y * point.x) / squared;
  return { x: -first.y * reach, y: first.x * reach };
}

/** Center and half axes of a circle or ellipse, all in pixels of the image. */
export function axesOf(kind: 'circle' | 'ellipse', pixels: readonly Point[]): readonly [Point, Point, Point] {
  const [center = { x: 0, y: 0 }, end = center, point = center] = pixels;
  const first = { x: end.x - center.x, y: end.y - center.y };
  const second = secondAxis(first, { x: point.x - center.x, y: point.y - center.y });
  return [center, first, kind === 'circle' ? { x: -first.y, y: first.x } : second];
}

/** The corners of a rectangle given by two opposite ones; with one point, all are the same. */
export const boxOf = ([from = { x: 0, y: 0 }, to = from]: readonly Point[]): readonly Point[] => [
  from,
  { x: to.x, y: from.y },
  to,
  { x: from.x, y: to.y },
];
