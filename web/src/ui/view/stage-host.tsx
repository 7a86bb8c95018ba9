/** The element of the stage, and what follows the view and the preferences on it. */
import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import type { ComponentChildren, RefObject, VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Problem } from '../../data/fetch.ts';
import { fetchInfoJson, fetchSmallPicture, fetchTruncation } from '../../data/image-info.ts';
import { onScreen, pictureAddress } from '../../data/images.ts';
import { pageSettings } from '../../data/page-settings.ts';
import { message } from '../../messages/messages.ts';
import { isForeign } from '../../model/address/address-text.ts';
import { colorSteps } from '../../model/view/color.ts';
import { matrixOf } from '../../model/view/geometry.ts';
import { plainColor, plainLayers, type ViewEffect } from '../../model/view-state.ts';
import type { LayerStack, StageImage } from '../../stage/layer-drawing.ts';
import { Stage, type StageEvents } from '../../stage/stage.ts';
import { isBlinkedOff, layerStack, pageLayers } from '../../state/layers.ts';
import { type Opened, openedNow, openState, openStates, reportProblem } from '../../state/opened.ts';
import { pagesShown, readingDirection } from '../../state/pages.ts';
import { companionOf, forgetInfo, neighborImages, stageImage } from '../../state/stage-images.ts';
import { addStage, emitPointer, frame, sharpImage, stage, stages, view, views } from '../../state/view.ts';
import { fixedScale, followView, moveAsWaited, placeImage, placementOf, takePlacement } from '../../state/viewport.ts';
import { Button } from '../common/button.tsx';
import { problemTitle } from '../common/loading.tsx';
import { useBroken } from '../common/picture.tsx';
import { thumbnailBox } from './filmstrip.tsx';

export function StageHost({ children }: { readonly children?: ComponentChildren }): VNode {
  const element = useRef<HTMLDivElement>(null);
  const tiles = useMissingTiles();
  const { missing, retry } = tiles;
  usePlacement();
  useLayers();
  useStage(element, 0, {
    onRest: takePlacement,
    onResize: () => placeImage('at-once'),
    onPointer: emitPointer,
    onTileFailed: tiles.onTileFailed,
  });
  useShownImage(0, tiles, pages);
  useTrueSize();
  useColors(0);
  useStageLabel(0);
  return (
    <div class="stage">
      <Placeholder />
      <div class="stage-image cover" ref={element} />
      {children}
      {missing.value === undefined && <TruncatedNote />}
      {missing.value && <MissingTiles reason={missing.value.reason} onRetry={() => void retry()} />}
    </div>
  );
}

/** Once the pixels were decoded, the server knows of more files. */
const isTruncated = async (path: string, isSharp: boolean): Promise<boolean> =>
  (await stageImage(path))?.info.truncated === true ||
  (isSharp && pageSettings.showsTruncated && fetchTruncation(path));

function TruncatedNote(): VNode | null {
  /** The path of the image that is truncated. */
  const truncated = useSignal<string | undefined>(undefined);
  const path = openedNow()?.path;
  useSignalEffect(() => {
    const asked = openedNow()?.path;
    const isSharp = asked === sharpImage.value;
    if (asked === undefined) return;
    void isTruncated(asked, isSharp).then((is) => {
      if (is) truncated.value = asked;
      else if (truncated.peek() === asked) truncated.value = undefined;
    });
  });
  if (path === undefined || truncated.value !== path) return null;
  return (
    <div class="truncated-note through floating row" role="status">
      <p>{message('image-truncated')}</p>
    </div>
  );
}

/** Width and height in CSS pixels before the transformation; the value has no effect. */
const side = 100;

/** Neither the colors of the view are applied to it, nor its layers. */
function Placeholder(): VNode | null {
  const opened = openedNow();
  const { isBroken, onError } = useBroken(opened?.path);
  const on = stage.value;
  if (opened === undefined || on === undefined || sharpImage.value === opened.path) return null;
  if (isBroken) return null;
  const { width, height, path } = opened.card;
  if (width === null || height === null || opened.inner > 1 || view.value.color.operation !== '') return null;
  if (view.value.effects.length > 0) return null;
  if (view.value.layers.shown !== undefined && pageLayers.value.length > 0) return null;
  const image = { width, height };
  const now = on.image?.path === opened.path ? frame.value : undefined;
  const [a, b, c, d, e, f] = now?.matrix ?? matrixOf(placementOf(view.value, on, image), image, on.window);
  const matrix = [a / side, b / side, c / side, d / side, e, f].join(', ');
  return (
    <img
      class="placeholder through"
      src={pictureAddress(path, onScreen(thumbnailBox))}
      alt=""
      width={side}
      height={side}
      onError={onError}
      style={{ transform: `matrix(${matrix})` }}
    />
  );
}

/** Creates the stage of the image at an index inside of an element. */
export function useStage(element: RefObject<HTMLElement | null>, index: number, events: StageEvents): void {
  useEffect(() => {
    if (element.current === null) return undefined;
    const created = new Stage(element.current, events);
    created.focusElement.setAttribute('role', 'application');
    const remove = addStage(created, index);
    return () => {
      remove();
      created.close();
    };
  }, [index]);
}

interface Missing {
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
const sharpMark = 'lectern:sharp';

export type MissingTilesState = ReturnType<typeof useMissingTiles>;

export interface Showing {
  /** What the stage is to show; where it changes, it is shown anew. */
  readonly keyOf: (opened: Opened) => unknown;
  /** False where it can't be shown, or is no longer wanted. */
  readonly show: (on: Stage, opened: Opened, isWanted: () => boolean) => Promise<boolean>;
  readonly place: () => void;
  /** Called when the image is sharp: the images to load in advance. */
  readonly next: (opened: Opened) => Promise<readonly StageImage[]>;
}

/** Shows the image that is open at an index, and loads others in advance. */
export function useShownImage(
  index: number,
  { missing, attempt }: MissingTilesState,
  { keyOf, show, place, next }: Showing,
): void {
  /** What the stage shows, and what it is to show: a late answer must not replace what was wanted after it. */
  const shown = useRef('');
  const wanted = useRef('');
  useSignalEffect(() => {
    const on = stages.value[index];
    const now = openStates.value[index];
    if (on === undefined || now?.kind !== 'open') return;
    const { opened } = now;
    const key = JSON.stringify([keyOf(opened), attempt.value]);
    wanted.current = key;
    if (shown.current === key) return;
    const isWanted = (): boolean => wanted.current === key;
    void (async () => {
      if (!(await show(on, opened, isWanted))) return;
      missing.value = undefined;
      shown.current = key;
      place();
      moveAsWaited(on);
      await on.becomesSharp();
      if (!isWanted()) return;
      performance.mark(sharpMark, { detail: opened.path });
      const ready = await next(opened);
      if (isWanted()) await on.keepReady(ready);
    })();
  });
}

/** The layers that are shown of the image at an index; undefined for a page that is one image. */
export const stackOf = ({ card, inner }: Opened, index: number): Promise<LayerStack | undefined> | undefined =>
  inner > 1 ? undefined : layerStack(card, views.peek()[index]?.layers ?? plainLayers, isBlinkedOff.peek());

/** Shows other layers of the open page as the reader chooses them. */
function useLayers(): void {
  const layers = useComputed(() => view.value.layers);
  useSignalEffect(() => {
    const [on, now, chosen, isOff] = [stage.value, openState.value, layers.value, isBlinkedOff.value];
    if (on === undefined || now.kind !== 'open' || pageLayers.value.length === 0) return;
    const { card, path } = now.opened;
    void layerStack(card, chosen, isOff).then((stack) => {
      const isCurrent = layers.peek() === chosen && isBlinkedOff.peek() === isOff;
      if (stack !== undefined && isCurrent) void on.setLayers(path, stack);
    });
  });
}

/** The open image and the one beside it. */
const pages: Showing = {
  keyOf: (opened) => [opened.path, pagesShown(opened), readingDirection.value],
  show: async (on, opened, isWanted) => {
    const [main, companion, stack] = await Promise.all([
      stageImage(opened.path),
      companionOf(opened),
      stackOf(opened, 0),
    ]);
    return main !== undefined && isWanted() && on.show(main, companion, isWanted, stack);
  },
  place: () => placeImage('at-once'),
  next: (opened) => {
    sharpImage.value = opened.path;
    return neighborImages();
  },
};

const usePlacement = (): void => useSignalEffect(followView);

/** Places the image again when its true size changes: by facts that load late, or by a calibration. */
function useTrueSize(): void {
  const scale = useComputed(() => (view.value.mode === 'true-size' ? fixedScale('true-size') : undefined));
  useSignalEffect(() => {
    if (scale.value !== undefined) placeImage('at-once');
  });
}

const noEffects: readonly ViewEffect[] = [];

/** Applies the colors and effects of the view at an index. */
export function useColors(index: number): void {
  const color = useComputed(() => views.value[index]?.color ?? plainColor);
  const effects = useComputed(() => views.value[index]?.effects ?? noEffects);
  useSignalEffect(() => stages.value[index]?.setLook({ steps: colorSteps(color.value), effects: effects.value }));
}

/** Names the stage by the label of its page, for screen readers. */
export function useStageLabel(index: number, prefix = ''): void {
  useSignalEffect(() => {
    const now = openStates.value[index];
    const label = prefix + (now?.kind === 'open' ? now.opened.card.label : '');
    stages.value[index]?.focusElement.setAttribute('aria-label', message('stage-of', { label }));
  });
}

/** `unknown` where the server answers other requests for the image. */
type MissingReason = Exclude<Problem, 'aborted'> | 'unknown';

interface MissingTilesProps {
  readonly reason: MissingReason;
  readonly onRetry: () => void;
}

export const MissingTiles = ({ reason, onRetry }: MissingTilesProps): VNode => (
  <div class="missing-tiles floating row" role="alert">
    <p>
      {message('tiles-missing')} {reason !== 'unknown' && `${problemTitle(reason)}.`}
    </p>
    <Button onClick={onRetry}>{message('try-again')}</Button>
  </div>
);
