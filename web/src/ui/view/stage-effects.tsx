/**
 * The effects that keep the stage as the state says, and the state as the reader moves the image; and the notice of
 * missing tiles.
 */
import { type ReadonlySignal, type Signal, useComputed, useSignal, useSignalEffect } from '@preact/signals';
import type { RefObject, VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Problem } from '../../data/fetch.ts';
import { fetchInfoJson, fetchSmallPicture } from '../../data/image-info.ts';
import { message } from '../../messages/message.ts';
import { isForeign } from '../../model/address/foreign-path.ts';
import { colorSteps } from '../../model/view/color.ts';
import { Stage, type StageEvents } from '../../stage/stage.ts';
import { type Opened, openState, reportProblem } from '../../state/opened.ts';
import { pagesShown, readingDirection } from '../../state/pages.ts';
import { companionOf, forgetInfo, neighborImages, stageImage } from '../../state/stage-images.ts';
import { addStage, emitPointer, sharpImage, stage, stages } from '../../state/stages.ts';
import { color, view } from '../../state/view.ts';
import { fixedScale, followView, moveAsWaited, placeImage, takePlacement } from '../../state/viewport.ts';
import { Button } from '../common/button.tsx';
import { problemTitle } from '../common/problem.tsx';

/** Creates the stage inside of an element. */
export function useStage(
  element: RefObject<HTMLElement | null>,
  { onTileFailed }: Required<Pick<StageEvents, 'onTileFailed'>>,
): void {
  useEffect(() => {
    if (element.current === null) return undefined;
    const created = new Stage(element.current, {
      onRest: takePlacement,
      onResize: () => placeImage('at-once'),
      onPointer: emitPointer,
      onTileFailed,
    });
    created.focusElement.setAttribute('role', 'application');
    const remove = addStage(created);
    return () => {
      remove();
      created.close();
    };
  }, []);
}

export interface Missing {
  /** The path of the image whose tiles are missing. */
  readonly path: string;
  readonly reason: MissingReason;
}

/** Why tiles of an image may be missing: the server is asked for the image itself, and for a small picture of it. */
async function missingOf(path: string): Promise<Missing> {
  const info = await fetchInfoJson(path);
  const answer = info.ok && !isForeign(path) ? await fetchSmallPicture(path) : info;
  return { path, reason: answer.ok || answer.problem === 'aborted' ? 'unknown' : answer.problem };
}

/** Whether tiles of the image at an index failed to load, and a way to load it again. */
export function useMissingTiles(index = 0) {
  const missing = useSignal<Missing | undefined>(undefined);
  /** Counts the times that an image was loaded again. */
  const attempt = useSignal(0);
  const onTileFailed = (path: string): void => {
    if (missing.peek()?.path === path) return;
    missing.value = { path, reason: 'unknown' };
    void missingOf(path).then((found) => {
      if (missing.peek()?.path !== path) return;
      // No part of the image can be shown: the page says so in place of the stage.
      if (found.reason === 'not-found') reportProblem(path, 'not-found');
      else missing.value = found;
    });
  };
  const retry = async (): Promise<void> => {
    const path = missing.peek()?.path ?? '';
    missing.value = undefined;
    // Another image may have replaced the file.
    forgetInfo(path);
    await stages.peek()[index]?.forget(path);
    attempt.value += 1;
  };
  return { missing, attempt, onTileFailed, retry };
}

/** The name of the entry in the browser's performance timeline for a sharp image; its detail is the image's path. */
export const sharpMark = 'lectern:sharp';

/** Shows the open image; false where it can't be shown, or is no longer wanted. */
async function showImage(on: Stage, opened: Opened, isWanted: () => boolean): Promise<boolean> {
  const [main, companion] = await Promise.all([stageImage(opened.path), companionOf(opened)]);
  return main !== undefined && isWanted() && on.show(main, companion, isWanted);
}

/** Shows the open image, and the one beside it, and then loads the neighbors in advance. */
export function useShownImage(attempt: ReadonlySignal<number>, missing: Signal<Missing | undefined>): void {
  /** What the stage shows, and what it is to show: a late answer must not replace what was wanted after it. */
  const shown = useRef('');
  const wanted = useRef('');
  useSignalEffect(() => {
    const on = stage.value;
    const now = openState.value;
    if (on === undefined || now.kind !== 'open') return;
    const { opened } = now;
    const key = JSON.stringify([opened.path, pagesShown(opened), readingDirection.value, attempt.value]);
    wanted.current = key;
    if (shown.current === key) return;
    const isWanted = (): boolean => wanted.current === key;
    void (async () => {
      if (!(await showImage(on, opened, isWanted))) return;
      missing.value = undefined;
      shown.current = key;
      placeImage('at-once');
      moveAsWaited(on);
      await on.becomesSharp();
      if (!isWanted()) return;
      sharpImage.value = opened.path;
      performance.mark(sharpMark, { detail: opened.path });
      const ready = await neighborImages();
      if (isWanted()) await on.keepReady(ready);
    })();
  });
}

/** Places the image where the view says. */
export const usePlacement = (): void => useSignalEffect(followView);

/** Places the image again when its true size changes: by facts that load late, or by a calibration. */
export function useTrueSize(): void {
  const scale = useComputed(() => (view.value.mode === 'true-size' ? fixedScale('true-size') : undefined));
  useSignalEffect(() => {
    if (scale.value !== undefined) placeImage('at-once');
  });
}

/** Applies the colors of the view. */
export const useColors = (): void => useSignalEffect(() => stage.value?.setColors(colorSteps(color.value)));

/** Names the stage by the label of the page, for screen readers. */
export const useStageLabel = (): void =>
  useSignalEffect(() => {
    const label = openState.value.kind === 'open' ? openState.value.opened.card.label : '';
    stage.value?.focusElement.setAttribute('aria-label', message('stage-of', { label }));
  });

/** `unknown` where the server answers other requests for the image. */
type MissingReason = Exclude<Problem, 'aborted'> | 'unknown';

interface MissingTilesProps {
  readonly reason: MissingReason;
  readonly onRetry: () => void;
}

/** The notice that tiles of an image failed to load. */
export const MissingTiles = ({ reason, onRetry }: MissingTilesProps): VNode => (
  <div class="missing-tiles" role="alert">
    <p>
      {message('tiles-missing')} {reason !== 'unknown' && `${problemTitle(reason)}.`}
    </p>
    <Button onClick={onRetry}>{message('try-again')}</Button>
  </div>
);
