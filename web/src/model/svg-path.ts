/** Parses SVG paths of straight lines into points. */
import type { Point } from './view-state.ts';

/** A subpath. */
export interface PathPart {
  readonly points: readonly Point[];
  readonly closed: boolean;
}

const commandForm = /([a-z])([^a-z]*(?:e[+-]?\d+[^a-z]*)*)/gi;
export const numberForm = /[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/gi;

/** Numbers per point of each command; curves are not supported. */
const counts: Readonly<Record<string, number>> = { m: 2, l: 2, h: 1, v: 1 };

/** The end point of a command; `pen` is the current point. */
function pointOf(command: string, [first = 0, second = 0]: readonly number[], pen: Point): Point {
  const isRelative = command === command.toLowerCase();
  const from = isRelative ? pen : { x: 0, y: 0 };
  switch (command.toLowerCase()) {
    case 'h':
      return { x: from.x + first, y: pen.y };
    case 'v':
      return { x: pen.x, y: from.y + first };
    default:
      return { x: from.x + first, y: from.y + second };
  }
}

/** The end points of a command with its repetitions. */
function pointsOf(command: string, text: string, start: Point): readonly Point[] | undefined {
  const count = Object.hasOwn(counts, command.toLowerCase()) ? counts[command.toLowerCase()] : undefined;
  const numbers = (text.match(numberForm) ?? []).map(Number);
  if (count === undefined || numbers.length === 0 || numbers.length % count !== 0) return undefined;
  const points: Point[] = [];
  for (let at = 0; at < numbers.length; at += count) {
    points.push(pointOf(command, numbers.slice(at, at + count), points.at(-1) ?? start));
  }
  return points;
}

const isSame = (one: Point | undefined, other: Point | undefined): boolean =>
  one !== undefined && other !== undefined && Math.hypot(one.x - other.x, one.y - other.y) < 0.01;

/** Removes repeated points, and closes a path that ends at its first point. */
function tidied({ points, closed }: PathPart): PathPart {
  const distinct = points.filter((point, at) => !isSame(point, points[at - 1]));
  const returns = distinct.length > 2 && isSame(distinct[0], distinct.at(-1));
  return { points: returns ? distinct.slice(0, -1) : distinct, closed: closed || returns };
}

/** The subpaths; undefined if the path has curves or is malformed. */
export function parsePath(text: string): readonly PathPart[] | undefined {
  const parts: { readonly points: Point[]; closed: boolean }[] = [];
  let pen: Point = { x: 0, y: 0 };
  for (const [, command = '', numbers = ''] of text.matchAll(commandForm)) {
    const part = parts.at(-1);
    if (command.toLowerCase() === 'z') {
      if (part === undefined) return undefined;
      part.closed = true;
      pen = part.points[0] ?? pen;
      continue;
    }
    const points = pointsOf(command, numbers, pen);
    if (points === undefined) return undefined;
    if (command.toLowerCase() === 'm') parts.push({ points: [...points], closed: false });
    else if (part === undefined) return undefined;
    // After a closed subpath, the next one begins at its first point.
    else if (part.closed) parts.push({ points: [pen, ...points], closed: false });
    else for (const point of points) part.points.push(point);
    pen = points.at(-1) ?? pen;
  }
  return parts.map(tidied);
}
