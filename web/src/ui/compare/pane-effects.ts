/** The effects that keep the stage of a compared image as the state says. */
import { type ReadonlySignal, type Signal, useComputed, useSignalEffect } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { message } from '../../messages/message.ts';
import { colorSteps } from '../../model/view/color.ts';
import { plainColor } from '../../model/view-state.ts';
import { Stage } from '../../stage/stage.ts';
import { moveOthers, placeAll, settle } from '../../state/linked-stages.ts';
import { shownArrangement } from '../../state/notes/sketch.ts';
import { allFacts, openStates } from '../../state/opened.ts';
import { stageImage } from '../../state/stage-images.ts';
import { addStage, emitPointer, stages } from '../../state/stages.ts';
import { active, views } from '../../state/view.ts';
import { moveAsWaited } from '../../state/viewport.ts';
import { type Missing, sharpMark } from '../view/stage-effects.tsx';

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

/** Applies the colors of the image at an index. */
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
