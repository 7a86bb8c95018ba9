/** What the panes of compared images do beside drawing: linked views, overlaid images. */
import { type ReadonlySignal, type Signal, useComputed, useSignalEffect } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { message } from '../../messages/messages.ts';
import type { Arrangement } from '../../model/address/comparison.ts';
import { colorSteps } from '../../model/view/color.ts';
import { plainColor } from '../../model/view-state.ts';
import { Stage } from '../../stage/stage.ts';
import { moveOthers, placeAll, settle } from '../../state/linked-stages.ts';
import { shownArrangement } from '../../state/notes/sketch.ts';
import { allFacts, openStates } from '../../state/opened.ts';
import { stageImage } from '../../state/stage-images.ts';
import { active, addStage, emitPointer, stages, views } from '../../state/view.ts';
import { moveAsWaited } from '../../state/viewport.ts';
import { type Missing, sharpMark } from '../view/stage-host.tsx';

/** Creates the stage of the image at an index inside of an element. */
export function usePaneStage(
  element: RefObject<HTMLElement | null>,
  index: number,
  onTileFailed: (path: string) => void,
): void {
  useEffect(() => {
    if (element.current === null) return undefined;
    const created = new Stage(element.current, {
      onRest: (placement) => settle(index, placement),
      onMove: (placement) => moveOthers(index, placement),
      onResize: () => placeAll('at-once'),
      onPointer: (pointer) => {
        if (active.peek() === index) emitPointer(pointer);
      },
      onTileFailed,
    });
    created.focusElement.setAttribute('role', 'application');
    const remove = addStage(created, index);
    return () => {
      remove();
      created.close();
    };
  }, [index]);
}

/** Shows the image that is open at an index, and places it. */
export function usePaneImage(
  index: number,
  attempt: ReadonlySignal<number>,
  missing: Signal<Missing | undefined>,
): void {
  const shown = useRef('');
  const wanted = useRef('');
  useSignalEffect(() => {
    const on = stages.value[index];
    const now = openStates.value[index];
    if (on === undefined || now?.kind !== 'open') return;
    const { path } = now.opened;
    const key = JSON.stringify([path, attempt.value]);
    wanted.current = key;
    if (shown.current === key) return;
    const isWanted = (): boolean => wanted.current === key;
    void (async () => {
      const image = await stageImage(path);
      if (image === undefined || !isWanted() || !(await on.show(image, undefined, isWanted))) return;
      missing.value = undefined;
      shown.current = key;
      placeAll('at-once');
      moveAsWaited(on);
      await on.becomesSharp();
      if (!isWanted()) return;
      performance.mark(sharpMark, { detail: path });
      await on.keepReady([]);
    })();
  });
}

export function usePaneColors(index: number): void {
  const color = useComputed(() => views.value[index]?.color ?? plainColor);
  useSignalEffect(() => stages.value[index]?.setColors(colorSteps(color.value)));
}

/** Names the stage by the number and the label of its image, for screen readers. */
export function usePaneLabel(index: number): void {
  useSignalEffect(() => {
    const now = openStates.value[index];
    const label = now?.kind === 'open' ? now.opened.card.label : '';
    const name = message('stage-of', { label: `${index + 1}: ${label}` });
    stages.value[index]?.focusElement.setAttribute('aria-label', name);
  });
}

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
  const counts = shapes.map((_, at) => at + 1);
  return counts.reduce((best, columns) => (scoreOf(columns) > scoreOf(best) ? columns : best), 1);
}

export const areaOf = (index: number, columns: number): string =>
  `${Math.floor(index / columns) + 1} / ${(index % columns) + 1}`;
