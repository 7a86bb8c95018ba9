/** Holds the stage: brings the open image onto it, and keeps it and the view telling the same. */
import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { askInfoJson, type InfoJson } from '../../data/info-json.ts';
import { message } from '../../messages/message.ts';
import { colorSteps } from '../../model/color.ts';
import type { ViewState } from '../../model/view-state.ts';
import { type Companion, Stage, type StageImage } from '../../stage/stage.ts';
import { neighborPaths, type Opened, openedNow, openState, reportProblem } from '../../state/opened.ts';
import { emitPointer } from '../../state/pointer.ts';
import { fixedScale, placementOf, sharpImage, stage, takePlacement } from '../../state/stage.ts';
import { readingDirection } from '../../state/two-pages.ts';
import { color, onFlush, view } from '../../state/view.ts';
import { type MissingReason, MissingTiles } from './missing-tiles.tsx';
import { Placeholder } from './placeholder.tsx';

/** Facts for tiles are asked once for each image. */
const infos = new Map<string, Promise<InfoJson | undefined>>();

/** How many images' facts are kept. */
const maxInfos = 200;

/** Undefined where the image can't be had, which is told for the main one. */
function infoOf(path: string, isMain: boolean): Promise<InfoJson | undefined> {
  const known = infos.get(path);
  if (known !== undefined) return known;
  if (infos.size >= maxInfos) infos.clear();
  const asked = askInfoJson(path).then((answer) => {
    if (answer.ok) return answer.value;
    if (infos.get(path) === asked) infos.delete(path);
    if (isMain && openedNow()?.path === path) reportProblem(answer.problem);
    return undefined;
  });
  infos.set(path, asked);
  return asked;
}

async function stageImage(path: string | undefined, isMain = false): Promise<StageImage | undefined> {
  if (path === undefined) return undefined;
  const info = await infoOf(path, isMain);
  return info && { path, info };
}

async function companionOf(opened: Opened): Promise<Companion | undefined> {
  if (!view.peek().twoPages) return undefined;
  const card = await opened.pages.find(opened.at + 1);
  const image = await stageImage(card?.path);
  return image && { ...image, side: readingDirection.peek() === 'right-to-left' ? 'left' : 'right' };
}

/** The entry of the browser's performance timeline that says when an image was sharp; its detail is the image's path. */
const sharpMark = 'lectern:sharp';

/** What must be on the stage for the view to hold. */
const shownKey = ({ twoPages }: ViewState, path: string, direction: string, attempt: number): string =>
  JSON.stringify([path, twoPages, direction, attempt]);

interface Missing {
  /** Of the image whose tiles they are. */
  readonly path: string;
  readonly reason: MissingReason;
}

/** Why tiles of an image may be missing: the server is asked for the image itself. */
async function missingOf(path: string): Promise<Missing> {
  const answer = await askInfoJson(path);
  return { path, reason: answer.ok || answer.problem === 'aborted' ? 'unknown' : answer.problem };
}

export function StageHost({ children }: { readonly children?: ComponentChildren }): VNode {
  const element = useRef<HTMLDivElement>(null);
  /** The image that is on the stage; its pixels say what placements mean. */
  const shown = useSignal<{ readonly key: string; readonly info: InfoJson } | undefined>(undefined);
  /** What is to be on the stage: what comes later than what was asked for after it must not replace it. */
  const wanted = useRef('');
  const missing = useSignal<Missing | undefined>(undefined);
  const attempt = useSignal(0);
  const own = useRef<ViewState['region'] | undefined>(undefined);

  const putInPlace = (how: 'at-once' | 'moving'): void => {
    const on = stage.peek();
    const image = shown.peek()?.info;
    if (on !== undefined && image !== undefined) on.place(placementOf(view.peek(), on, image), how);
  };

  useEffect(() => {
    if (element.current === null) return undefined;
    const made = new Stage(element.current, {
      onRest: (placement) => {
        const image = shown.peek()?.info;
        if (image === undefined) return;
        takePlacement(placement, made, image);
        own.current = view.peek().region;
      },
      onResize: () => putInPlace('at-once'),
      onPointer: emitPointer,
      onTileFailed: (path) => {
        if (missing.peek()?.path === path) return;
        missing.value = { path, reason: 'unknown' };
        void missingOf(path).then((known) => {
          if (missing.peek()?.path === path) missing.value = known;
        });
      },
    });
    made.focusElement.setAttribute('role', 'application');
    stage.value = made;
    onFlush(() => made.endMovement());
    return () => {
      stage.value = undefined;
      onFlush(() => undefined);
      made.close();
    };
  }, []);

  // The image itself.
  useSignalEffect(() => {
    const on = stage.value;
    const now = openState.value;
    if (on === undefined || now.kind !== 'open') return;
    const { opened } = now;
    const key = shownKey(view.value, opened.path, readingDirection.value, attempt.value);
    wanted.current = key;
    if (shown.peek()?.key === key) return;
    const isWanted = (): boolean => wanted.current === key;
    void (async () => {
      const [main, companion] = await Promise.all([stageImage(opened.path, true), companionOf(opened)]);
      if (main === undefined || !isWanted()) return;
      if (!(await on.show(main, companion, isWanted))) return;
      missing.value = undefined;
      shown.value = { key, info: main.info };
      on.place(placementOf(view.peek(), on, main.info), 'at-once');
      await on.becomesSharp();
      if (!isWanted()) return;
      sharpImage.value = opened.path;
      // For those who measure: how long a reader waits.
      performance.mark(sharpMark, { detail: opened.path });
      const ready = await Promise.all((await neighborPaths()).map((path) => stageImage(path)));
      if (isWanted()) await on.keepReady(ready.filter((image) => image !== undefined));
    })();
  });

  // Where it lies: at once where it is turned, as a movement where only the region changes.
  const before = useRef<ViewState>(view.peek());
  useSignalEffect(() => {
    const now = view.value;
    const was = before.current;
    before.current = now;
    if (
      now.region === own.current &&
      now.rotation === was.rotation &&
      now.mirror === was.mirror &&
      now.mode === was.mode
    )
      return;
    const turned = now.rotation !== was.rotation || now.mirror !== was.mirror || now.fn !== was.fn;
    const changed = turned || now.region !== was.region || now.mode !== was.mode;
    if (changed) putInPlace(turned ? 'at-once' : 'moving');
  });

  // What a true size is follows from facts of the image, which may come late, and from the display.
  const trueScale = useComputed(() => (view.value.mode === 'true-size' ? fixedScale('true-size') : undefined));
  useSignalEffect(() => {
    if (trueScale.value !== undefined) putInPlace('at-once');
  });

  useSignalEffect(() => stage.value?.setColors(colorSteps(color.value)));

  useSignalEffect(() => {
    const label = openState.value.kind === 'open' ? openState.value.opened.card.label : '';
    stage.value?.focusElement.setAttribute('aria-label', message('stage-of', { label }));
  });

  const loadAnew = async (path: string): Promise<void> => {
    missing.value = undefined;
    // The image may have been replaced by another one of its name.
    infos.delete(path);
    await stage.peek()?.forget(path);
    attempt.value += 1;
  };

  return (
    <div class="stage">
      <Placeholder />
      <div class="stage-image" ref={element} />
      {children}
      {missing.value && (
        <MissingTiles reason={missing.value.reason} onRetry={() => void loadAnew(missing.peek()?.path ?? '')} />
      )}
    </div>
  );
}
