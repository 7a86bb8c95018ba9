/** How an image is drawn where a transformation puts it: which of its parts are in sight, how finely, and by which triangles. */
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { boxAround } from '../view/geometry.ts';
import type { Point, Rect } from '../view-state.ts';
import type { Transformation } from './transformations.ts';

/** Points of a rectangle of the image in rows, with where they lie in the square of Web Mercator. */
export interface Mesh {
  /** Cells of each side. */
  readonly cells: number;
  readonly part: Rect;
  /** (cells + 1)² points, in rows. */
  readonly world: readonly Point[];
}

export function meshOf(part: Rect, cells: number, toWorld: Transformation['toWorld']): Mesh {
  const along = Array.from({ length: cells + 1 }, (_, index) => index / cells);
  const world = along.flatMap((down) =>
    along.map((right) => toWorld({ x: part.x + right * part.width, y: part.y + down * part.height })),
  );
  return { cells, part, world };
}

/** The most cells of a side of a tile. */
const finest = 12;

/** How far the middle of a cell may be from where its corners put it, in fractions of the length of the part. */
const tolerance = 1 / 900;

/** How many cells a side of a part needs, so that triangles are near enough to the transformation. */
export function cellsFor(part: Rect, { toWorld, isAffine }: Transformation): number {
  if (isAffine) return 1;
  const { world } = meshOf(part, 4, toWorld);
  const [first, , , , across] = world;
  const [down, last] = [world[20], world[24]];
  if (!first || !across || !down || !last) return finest;
  const length = Math.max(Math.hypot(last.x - first.x, last.y - first.y), Number.MIN_VALUE);
  let far = 0;
  for (const [index, point] of world.entries()) {
    const [right, below] = [(index % 5) / 4, Math.floor(index / 5) / 4];
    const flat = (name: 'x' | 'y'): number =>
      (first[name] * (1 - right) + across[name] * right) * (1 - below) +
      (down[name] * (1 - right) + last[name] * right) * below;
    far = Math.max(far, Math.hypot(point.x - flat('x'), point.y - flat('y')));
  }
  return Math.min(finest, Math.max(1, Math.ceil(Math.sqrt(far / length / tolerance))));
}

const meets = (one: Rect, other: Rect): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;

/** The four corners of a cell, from the left, top one in rows. */
export function cornersOfCell({ cells, world }: Mesh, column: number, row: number): readonly Point[] {
  const at = row * (cells + 1) + column;
  return [world[at], world[at + 1], world[at + cells + 1], world[at + cells + 2]].filter(
    (point) => point !== undefined,
  );
}

/** Whether a mesh may be in sight of a part of the square. */
export const isInSight = ({ world }: Mesh, seen: Rect): boolean => {
  const box = boxAround(world);
  return box !== undefined && meets(box, seen);
};

export interface SeenPart {
  /** In pixels of the image: what is in sight lies in it. */
  readonly part: Rect;
  /** The length of a pixel of the image there, in fractions of the side of the square: the longest of its cells. */
  readonly pixel: number;
}

/** The part of an image in sight, by a mesh of the whole; undefined for none. */
export function seenPart(mesh: Mesh, seen: Rect): SeenPart | undefined {
  const { cells, part } = mesh;
  const cell: Size = { width: part.width / cells, height: part.height / cells };
  const corners: Point[] = [];
  let pixel = 0;
  for (let row = 0; row < cells; row += 1) {
    for (let column = 0; column < cells; column += 1) {
      const around = cornersOfCell(mesh, column, row);
      const box = boxAround(around);
      const [first, across, down] = around;
      if (box === undefined || !meets(box, seen) || !first || !across || !down) continue;
      corners.push({ x: column, y: row }, { x: column + 1, y: row + 1 });
      const [right, below] = [
        Math.hypot(across.x - first.x, across.y - first.y),
        Math.hypot(down.x - first.x, down.y - first.y),
      ];
      pixel = Math.max(pixel, right / cell.width, below / cell.height);
    }
  }
  const box = boxAround(corners);
  if (box === undefined || pixel === 0) return undefined;
  return {
    part: {
      x: part.x + box.x * cell.width,
      y: part.y + box.y * cell.height,
      width: box.width * cell.width,
      height: box.height * cell.height,
    },
    pixel,
  };
}

/** Cells of a side of the meshes by which the part in sight is found more exactly, and how often that is done. */
const [finerCells, finerRounds] = [12, 4];

/** The same as `seenPart`, nearly as exactly as the window is: of a large image, a cell of a mesh of the whole has thousands of tiles. */
export function seenExactly(whole: Mesh, seen: Rect, toWorld: Transformation['toWorld']): SeenPart | undefined {
  let found = seenPart(whole, seen);
  for (let round = 0; round < finerRounds && found !== undefined; round += 1) {
    const finer = seenPart(meshOf(found.part, finerCells, toWorld), seen);
    // A mesh of straight cells may miss what a bent one has.
    if (finer === undefined || finer.part.width * finer.part.height > 0.8 * found.part.width * found.part.height) break;
    found = finer;
  }
  return found;
}

type Triangle = readonly [Point, Point, Point];

/**
 * The affine map, as a canvas takes it, by which the corners of one triangle come to lie on those of another; undefined where the
 * first has no area.
 */
export function matrixBetween(
  [a, b, c]: Triangle,
  [u, v, w]: Triangle,
): readonly [number, number, number, number, number, number] | undefined {
  const [x1, y1, x2, y2] = [b.x - a.x, b.y - a.y, c.x - a.x, c.y - a.y];
  const area = x1 * y2 - x2 * y1;
  if (area === 0) return undefined;
  const of = (first: number, second: number): readonly [number, number] => [
    (first * y2 - second * y1) / area,
    (second * x1 - first * x2) / area,
  ];
  const [right, rightDown] = of(v.x - u.x, w.x - u.x);
  const [down, downDown] = of(v.y - u.y, w.y - u.y);
  return [right, down, rightDown, downDown, u.x - right * a.x - rightDown * a.y, u.y - down * a.x - downDown * a.y];
}

/** A triangle with its corners moved away from its middle, so that its edges lie below its neighbors. */
export function widened(corners: Triangle, by: number): Triangle {
  const middle = {
    x: (corners[0].x + corners[1].x + corners[2].x) / 3,
    y: (corners[0].y + corners[1].y + corners[2].y) / 3,
  };
  const [first, second, third] = corners.map((corner) => {
    const [x, y] = [corner.x - middle.x, corner.y - middle.y];
    const length = Math.hypot(x, y) || 1;
    return { x: corner.x + (x / length) * by, y: corner.y + (y / length) * by };
  });
  return [first ?? corners[0], second ?? corners[1], third ?? corners[2]];
}
