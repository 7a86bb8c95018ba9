/** What the panes of compared images do beside drawing: linked views, overlaid images. */
import { useComputed, useSignalEffect } from '@preact/signals';
import type { RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import type { Arrangement } from '../../model/address/comparison.ts';
import { shownWith } from '../../state/book-pages.ts';
import { moveOthers, placeAll, settle } from '../../state/linked-stages.ts';
import { shownArrangement } from '../../state/notes/sketch.ts';
import { allFacts } from '../../state/opened.ts';
import { bookAt } from '../../state/pages.ts';
import { companionIn, stageImage } from '../../state/stage-images.ts';
import { active, emitPointer, views } from '../../state/view.ts';
import {
  type MissingTilesState,
  type Showing,
  stackOf,
  useColors,
  useShownImage,
  useStage,
  useStageLabel,
} from '../view/stage-host.tsx';

/** The stage of the image at an index, alone, with its colors and its name for screen readers. */
export function usePane(element: RefObject<HTMLElement | null>, index: number, tiles: MissingTilesState): void {
  useStage(element, index, {
    onRest: (placement) => settle(index, placement),
    onMove: (placement) => moveOthers(index, placement),
    onResize: () => placeAll('at-once'),
    onPointer: (pointer) => {
      if (active.peek() === index) emitPointer(pointer);
    },
    onTileFailed: tiles.onTileFailed,
  });
  useShownImage(index, tiles, single(index));
  useColors(index);
  useStageLabel(index, `${index + 1}: `);
}

const single = (index: number): Showing => ({
  keyOf: ({ path }) => {
    const book = bookAt(index);
    return [path, views.value[index]?.layers, book && shownWith(book, book.opened), book?.direction];
  },
  show: async (on, opened, isWanted) => {
    const book = bookAt(index);
    const [image, companion, stack] = await Promise.all([
      stageImage(opened.path),
      book && companionIn(book),
      stackOf(opened, index),
    ]);
    return image !== undefined && isWanted() && on.show(image, companion, isWanted, stack);
  },
  place: () => placeAll('at-once'),
  next: async () => [],
});

/** Places all images whenever a view, the points, or how they are moved changes. */
export function usePlacements(): void {
  const before = useRef({ views: views.peek(), arrangement: shownArrangement.peek() });
  const hasTrueSize = useComputed(() => views.value.some(({ mode }) => mode === 'true-size'));
  useSignalEffect(() => {
    const now = { views: views.value, arrangement: shownArrangement.value };
    const was = before.current;
    before.current = now;
    // The resolution of a file is known later than its pixels.
    const isLate = hasTrueSize.value && allFacts.value.length > 0;
    const isTurned = now.views.some(
      (state, at) => state.rotation !== was.views[at]?.rotation || state.mirror !== was.views[at]?.mirror,
    );
    const isMoved = now.views.some(
      (state, at) => state.region !== was.views[at]?.region || state.mode !== was.views[at]?.mode,
    );
    const isRelated =
      now.arrangement.together !== was.arrangement.together || now.arrangement.points !== was.arrangement.points;
    if (isTurned || isLate) placeAll('at-once');
    else if (isMoved || isRelated) placeAll('moving');
  });
}

type Styles = Readonly<Record<string, string>>;

/** How an image lies over another one. */
export interface Overlaying {
  readonly role: 'lower' | 'upper' | 'hidden';
  /** Styles of the image alone, without its notes. */
  readonly image: Styles;
  readonly notes: Styles;
  /** Whether the pointer goes through the image to the one below. */
  readonly isPassed: boolean;
}

const percent = (fraction: number): string => `${Math.round(fraction * 10_000) / 100}%`;

/** Cuts off what is on the other side of the edge. */
const cut = (role: 'lower' | 'upper', position: number): Styles => ({
  clipPath: role === 'upper' ? `inset(0 0 0 ${percent(position)})` : `inset(0 ${percent(1 - position)} 0 0)`,
});

function upperStyles({ layout, position }: Arrangement): Styles {
  if (layout === 'slider') return cut('upper', position);
  return layout === 'blend' ? { opacity: String(position) } : { mixBlendMode: 'difference' };
}

/** Undefined where the images are side by side. */
export function overlayingOf(arrangement: Arrangement, index: number, active: number): Overlaying | undefined {
  const { layout, pair, position } = arrangement;
  if (layout === 'beside') return undefined;
  if (!pair.includes(index)) return { role: 'hidden', image: {}, notes: {}, isPassed: true };
  const role = pair[1] === index ? 'upper' : 'lower';
  return {
    role,
    image: role === 'upper' ? upperStyles(arrangement) : {},
    notes: layout === 'slider' ? cut(role, position) : {},
    isPassed: layout !== 'slider' && active !== index,
  };
}

/** The height of the head of a pane, in CSS pixels. */
const headHeight = 40;

/** How much larger images beside each other must be, in a window that is higher than wide, than above each other. */
const upright = 1.15;

/** More panes than these have a least size, so that a small window scrolls through them: their width, in CSS pixels; the height is in compare.css. */
export const fewPanes = 4;
const leastWidth = 170;

/**
 * The number of columns in which the images are largest in a window. `shapes` are widths divided by heights, one for
 * each cell.
 */
export function columnsFor(shapes: readonly number[], window: Size): number {
  const scoreOf = (columns: number): number => {
    const cellWidth = window.width / columns;
    const cellHeight = Math.max(1, window.height / Math.ceil(shapes.length / columns) - headHeight);
    const areas = shapes.map((shape) => Math.min(cellWidth, cellHeight * shape) ** 2 / shape);
    const bias = columns === 1 && window.height > window.width ? upright ** 2 : 1;
    return areas.reduce((sum, area) => sum + area, 0) * bias;
  };
  const most = shapes.length > fewPanes ? Math.max(1, Math.floor(window.width / leastWidth)) : shapes.length;
  const counts = shapes.slice(0, most).map((_, at) => at + 1);
  return counts.reduce((best, columns) => (scoreOf(columns) > scoreOf(best) ? columns : best), 1);
}

export const areaOf = (index: number, columns: number): string =>
  `${Math.floor(index / columns) + 1} / ${(index % columns) + 1}`;
