/** What layers need on the image: the edge between two of them, and the switch of those that blink. */
import { useSignal } from '@preact/signals';
import { ChevronsLeftRight, Pause, Play } from 'lucide';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { message } from '../../messages/messages.ts';
import { changeLayers, isBlinkedOff, pageLayers, shownLayers } from '../../state/layers.ts';
import { view } from '../../state/view.ts';
import { Button, Icon, IconButton } from '../common/button.tsx';
import '../../messages/image-messages.ts';

export { PaintedTexts } from './painted-texts.tsx';

function moveTo(event: PointerEvent & { readonly currentTarget: HTMLElement }): void {
  const box = event.currentTarget.parentElement?.getBoundingClientRect();
  if (event.buttons === 0 || box === undefined || box.width === 0) return;
  changeLayers({ edge: Math.min(Math.max((event.clientX - box.x) / box.width, 0), 1) });
}

/** Dragged by the pointer; the slider in the panel is for the keyboard. */
const Edge = (): VNode => (
  <div class="layer-edge through" aria-hidden="true">
    <div
      class="edge-handle"
      style={{ left: `${view.value.layers.edge * 100}%` }}
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={moveTo}
    >
      <span>
        <Icon of={ChevronsLeftRight} />
      </span>
    </div>
  </div>
);

/** Slower than three flashes a second, which can be dangerous (WCAG 2.3.1). */
const blinkMs = 900;

const switchOver = (): void => {
  isBlinkedOff.value = !isBlinkedOff.peek();
};

/** The label of the upper layer, or of the one below it while that is out of sight. */
function seenLabel(): string {
  const shown = shownLayers.value;
  const seen = shown.at(isBlinkedOff.value ? -2 : -1);
  return pageLayers.value[(seen?.number ?? 0) - 1]?.label ?? '';
}

function Blinking(): VNode {
  // Nothing moves by itself for readers who want no motion.
  const isPaused = useSignal(matchMedia('(prefers-reduced-motion: reduce)').matches);
  const paused = isPaused.value;
  useEffect(() => {
    const timer = paused ? undefined : setInterval(switchOver, blinkMs);
    return () => clearInterval(timer);
  }, [paused]);
  useEffect(
    () => () => {
      isBlinkedOff.value = false;
    },
    [],
  );
  return (
    <fieldset class="blink-control floating row" aria-label={message('layer-mix-blink')}>
      <span class="clip">{message('layer-seen', { label: seenLabel() })}</span>
      <IconButton
        icon={paused ? Play : Pause}
        name={message(paused ? 'blink-go-on' : 'blink-pause')}
        onClick={() => {
          isPaused.value = !paused;
        }}
      />
      {paused && <Button onClick={switchOver}>{message('blink-switch')}</Button>}
    </fieldset>
  );
}

export function LayersOnStage(): VNode | null {
  const { mix } = view.value.layers;
  if (shownLayers.value.length < 2) return null;
  if (mix === 'slider') return <Edge />;
  return mix === 'blink' ? <Blinking /> : null;
}
