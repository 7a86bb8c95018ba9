/** A page with sound or video: the stage, the controls, and its chapters, texts, annotations and files beside them. */
import '../../styles/media.css';
import { useSignalEffect } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { type ForeignImage, foreignImage } from '../../data/images.ts';
import { mediaMessage } from '../../messages/media.ts';
import { isTimed } from '../../model/media/timeline.ts';
import { type OpenMedia, openMedia } from '../../state/media/open-media.ts';
import { isMuted } from '../../state/media/playback.ts';
import { hasNavigated } from '../../state/route.ts';
import { shortcutsOn } from '../../state/stored-preferences.ts';
import { view } from '../../state/view.ts';
import { fields, keyTarget, useKeys } from '../common/elements.ts';
import { Controls } from './controls.tsx';
import { MediaSide } from './media-side.tsx';
import { MediaStage } from './media-stage.tsx';
import { UnshownNotices } from './unshown.tsx';

/** How far an arrow key and a letter move, in seconds. */
const [arrowSeconds, letterSeconds] = [5, 10];

type Actions = Readonly<Record<string, () => void>>;

const actionsOf = ({ playback }: OpenMedia): Actions => {
  const by = (seconds: number) => (): void => playback.seek(playback.time.peek() + seconds);
  return {
    ' ': () => playback.toggle(),
    k: () => playback.toggle(),
    ArrowLeft: by(-arrowSeconds),
    ArrowRight: by(arrowSeconds),
    j: by(-letterSeconds),
    l: by(letterSeconds),
    m: () => {
      isMuted.value = !isMuted.peek();
    },
  };
};

/** Whether the element with the focus uses the key itself. */
function isUsed(target: Element, key: string): boolean {
  if (target.closest('dialog')) return true;
  if (target.matches('.media-position')) return false;
  if (target.closest(fields)) return true;
  if (key === ' ') return target.closest('button, a, summary') !== null;
  return key.startsWith('Arrow') && target.closest('.media-side, .side-panel, .filmstrip, .tool-rail') !== null;
}

/** Before the keys of images, of which some are the same. */
function useMediaKeys(now: OpenMedia): void {
  const actions = actionsOf(now);
  useKeys((event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const act = actions[event.key];
    const isAllowed = event.key.length > 1 || event.key === ' ' || shortcutsOn.peek();
    if (act === undefined || !isAllowed || isUsed(keyTarget(event), event.key)) return;
    event.preventDefault();
    act();
  }, true);
}

/** Follows the time of the address: by the browser's buttons, and by chapters of other pages. */
function useAddress({ playback }: OpenMedia): void {
  const known = useRef(view.peek().time);
  useSignalEffect(() => {
    const { time } = view.value;
    if (time === known.current) return;
    known.current = time;
    if (time !== undefined && Math.abs(time - playback.time.peek()) > 1) playback.seek(time);
  });
}

function Player({ foreign }: { readonly foreign: ForeignImage }): VNode {
  const now = useMemo(() => openMedia(foreign), [foreign]);
  const player = useRef<HTMLElement>(null);
  useEffect(() => () => now.close(), [now]);
  useMediaKeys(now);
  useAddress(now);
  useLayoutEffect(() => {
    if (hasNavigated() && document.activeElement === document.body) player.current?.focus({ preventScroll: true });
  }, [now]);
  const { media } = now;
  const plays = media.items.some(isTimed) || media.duration !== undefined;
  return (
    <section class="media-player" aria-label={mediaMessage('player')} tabIndex={-1} ref={player}>
      <div class="media-main">
        <UnshownNotices media={media} />
        {media.items.length > 0 && <MediaStage now={now} />}
        {plays && media.items.length > 0 && <Controls now={now} />}
      </div>
      <MediaSide now={now} />
    </section>
  );
}

/** Each page has a player of its own. */
export function MediaPage({ path }: { readonly path: string }): VNode | null {
  const foreign = foreignImage(path);
  return foreign === undefined ? null : <Player key={path} foreign={foreign} />;
}
