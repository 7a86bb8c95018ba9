/** What a search found, before either version writes it. */
import type { Rect } from '../../image/model/geometry.ts';

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

/** An annotation for each box of a place, with a number that is unique in the answer. */
export interface NumberedBox {
  readonly id: string;
  /** The canvas with the box. */
  readonly target: string;
}

/** The boxes of each place; a place without boxes has the whole canvas. */
export function numberedBoxes({
  whole,
  found,
}: SearchResult): readonly (readonly [FoundOnCanvas, readonly NumberedBox[]])[] {
  return found.map((place) => {
    const { canvas, boxes } = place;
    const targets = boxes.map(({ x, y, width, height }) => `${canvas}#xywh=${x},${y},${width},${height}`);
    const name = encodeURIComponent(canvas);
    // The same place has the same address on every page of results.
    const numbered = (targets.length > 0 ? targets : [canvas]).map((target, index) => ({
      id: `${whole}#${name},${place.boxes[index]?.x ?? 0},${place.boxes[index]?.y ?? 0}`,
      target,
    }));
    return [place, numbered] as const;
  });
}
