/** What a search found, before either version writes it. */
import type { Rect, Size } from '../../../core/image/model/geometry.ts';

export interface FoundManifest {
  readonly id: string;
  readonly label: string;
}

/** A place where the words stand. */
export interface FoundOnCanvas {
  readonly canvas: string;
  /** The manifest of the canvas, where the search is not in that alone. */
  readonly manifest?: FoundManifest;
  readonly before: string;
  readonly match: string;
  readonly after: string;
  /** A box for each line, in pixels of the canvas; none for the whole of it. */
  readonly boxes: readonly Rect[];
  /** The size of the canvas in pixels, where there are no boxes. */
  readonly size?: Size;
}

/** A page of results. */
export interface SearchResult {
  /** The address that was requested. */
  readonly id: string;
  /** The address of the search without the page. */
  readonly whole: string;
  readonly found: readonly FoundOnCanvas[];
  /** Names of parameters that have no effect. */
  readonly ignored: readonly string[];
  readonly first: string;
  readonly last: string;
  /** How many annotations all pages of results have together; only on the first one, unless they are too many to be counted. */
  readonly total?: number;
  readonly next?: string;
  readonly previous?: string;
}

export interface Term {
  readonly text: string;
  readonly count: number;
  /** The search for it. */
  readonly search: string;
}

export interface TermResult {
  readonly id: string;
  readonly ignored: readonly string[];
  readonly terms: readonly Term[];
}

/** An annotation for each box of a place, with an address that no other annotation of the answer has. */
export interface NumberedBox {
  readonly id: string;
  /** The canvas with the box. */
  readonly target: string;
}

/** How many places of the same canvas stand before each place. */
function positionsOnCanvas(found: readonly FoundOnCanvas[]): readonly number[] {
  const counts = new Map<string, number>();
  return found.map(({ canvas }) => {
    const position = counts.get(canvas) ?? 0;
    counts.set(canvas, position + 1);
    return position;
  });
}

/**
 * The boxes of each place; a place without boxes has the whole canvas. All places of a canvas are on the same page of results,
 * so that the addresses are the same whichever page is requested.
 */
export function numberedBoxes({
  whole,
  found,
}: SearchResult): readonly (readonly [FoundOnCanvas, readonly NumberedBox[]])[] {
  const positions = positionsOnCanvas(found);
  return found.map((place, index) => {
    const { canvas, boxes } = place;
    const targets = boxes.map(({ x, y, width, height }) => `${canvas}#xywh=${x},${y},${width},${height}`);
    const name = `${whole}#${encodeURIComponent(canvas)},${(positions[index] ?? 0) + 1}`;
    const numbered = (targets.length > 0 ? targets : [canvas]).map((target, line) => ({
      id: line === 0 ? name : `${name},${line + 1}`,
      target,
    }));
    return [place, numbered] as const;
  });
}
