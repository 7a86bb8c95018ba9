/**
 * The element that holds the stage, with all that lies above it: the thumbnail until tiles have loaded, and notices.
 */

import { useSignal, useSignalEffect } from '@preact/signals';
import type { ComponentChildren, VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { fetchTruncation } from '../../data/image-info.ts';
import { onScreen, pictureAddress } from '../../data/images.ts';
import { pageSettings } from '../../data/page-settings.ts';
import { message } from '../../messages/message.ts';
import { matrixOf } from '../../model/view/geometry.ts';
import { openedNow } from '../../state/opened.ts';
import { stageImage } from '../../state/stage-images.ts';
import { frame, sharpImage, stage } from '../../state/stages.ts';
import { view } from '../../state/view.ts';
import { placementOf } from '../../state/viewport.ts';
import { thumbnailBox } from './filmstrip.tsx';
import {
  MissingTiles,
  useColors,
  useMissingTiles,
  usePlacement,
  useShownImage,
  useStage,
  useStageLabel,
  useTrueSize,
} from './stage-effects.tsx';

export function StageHost({ children }: { readonly children?: ComponentChildren }): VNode {
  const element = useRef<HTMLDivElement>(null);
  const { missing, attempt, onTileFailed, retry } = useMissingTiles();
  usePlacement();
  useStage(element, { onTileFailed });
  useShownImage(attempt, missing);
  useTrueSize();
  useColors();
  useStageLabel();
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

/** The notice that a part of the open image is missing from its file. */
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
    <div class="truncated-note through" role="status">
      <p>{message('image-truncated')}</p>
    </div>
  );
}

/** Width and height in CSS pixels before the transformation; the value has no effect. */
const side = 100;

/** The colors of the view are not applied to it. */
function Placeholder(): VNode | null {
  const opened = openedNow();
  const on = stage.value;
  if (opened === undefined || on === undefined || sharpImage.value === opened.path) return null;
  const { width, height, path } = opened.card;
  if (width === null || height === null || opened.inner > 1 || view.value.color.operation !== '') return null;
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
      style={{ transform: `matrix(${matrix})` }}
    />
  );
}
