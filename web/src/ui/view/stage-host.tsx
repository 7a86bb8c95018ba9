/** The element that holds the stage, with all that lies above it. */
import type { ComponentChildren, VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { MissingTiles } from './missing-tiles.tsx';
import { Placeholder } from './placeholder.tsx';
import {
  useColors,
  useMissingTiles,
  usePlacement,
  useShownImage,
  useStage,
  useStageLabel,
  useTrueSize,
} from './stage-effects.ts';
import { TruncatedNote } from './truncated-note.tsx';

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
      <div class="stage-image" ref={element} />
      {children}
      {missing.value === undefined && <TruncatedNote />}
      {missing.value && <MissingTiles reason={missing.value.reason} onRetry={() => void retry()} />}
    </div>
  );
}
