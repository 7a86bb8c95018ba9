/** The buttons that zoom, and a small picture of the whole image with the visible part marked. */
import { Minus, Plus } from 'lucide';
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { onScreen, pictureAddress } from '../../data/images.ts';
import { message } from '../../messages/message.ts';
import { cornersOf, toImage } from '../../model/view/geometry.ts';
import type { Frame } from '../../stage/stage.ts';
import { openedNow } from '../../state/opened.ts';
import { frame } from '../../state/stages.ts';
import { displayDensity } from '../../state/stored-preferences.ts';
import { openDialog } from '../../state/tools.ts';
import { view } from '../../state/view.ts';
import {
  currentPercent,
  resolution,
  showAround,
  showMode,
  showPageWidth,
  showWhole,
  zoomIn,
  zoomOut,
} from '../../state/viewport.ts';
import { Button, IconButton } from '../common/button.tsx';

function TrueSize(): VNode | null {
  if (resolution.value === undefined) return null;
  const choose = (): void => {
    // The true size needs a calibrated display.
    if (displayDensity.peek() === 0) openDialog('calibration');
    else showMode('true-size');
  };
  return (
    <Button pressed={view.value.mode === 'true-size'} onClick={choose}>
      {message('true-size')}
    </Button>
  );
}

export const ZoomBar = (): VNode => (
  <fieldset class="zoom-bar row wrap" aria-label={message('zoom')}>
    <IconButton icon={Minus} name={message('zoom-out')} shortcut="-" onClick={zoomOut} />
    <span class="zoom-percent muted tabular" title={message('zoom-now')}>
      {currentPercent.value}
    </span>
    <IconButton icon={Plus} name={message('zoom-in')} shortcut="+" onClick={zoomIn} />
    <Button onClick={showWhole}>{message('whole')}</Button>
    <Button onClick={showPageWidth}>{message('page-width')}</Button>
    <Button pressed={view.value.mode === 'pixels'} onClick={() => showMode('pixels')}>
      {message('one-to-one')}
    </Button>
    <TrueSize />
  </fieldset>
);

/** The longer side in CSS pixels. */
const longerSide = 168;

/** The corners of the window in fractions of the image. */
function visibleCorners({ matrix, window: { width, height } }: Frame): string {
  return cornersOf({ x: 0, y: 0, width, height })
    .map((corner) => toImage(matrix, corner))
    .map(({ x, y }) => `${x},${y}`)
    .join(' ');
}

/** A small picture of the whole image with the visible part marked, which a drag or a click moves. */
export function Navigator(): VNode | null {
  const element = useRef<SVGSVGElement>(null);
  const opened = openedNow();
  const now = frame.value;
  if (opened === undefined || now === undefined) return null;
  const { width, height } = now.image;
  const scale = longerSide / Math.max(width, height);
  const size = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
  const isAll = view.value.region.width >= 1 && view.value.region.height >= 1 && view.value.mode === 'fit';
  if (isAll) return null;
  const go = (event: PointerEvent): void => {
    if (event.buttons === 0 || element.current === null) return;
    const box = element.current.getBoundingClientRect();
    showAround({ x: (event.clientX - box.x) / box.width, y: (event.clientY - box.y) / box.height });
  };
  return (
    <div class="navigator" aria-hidden="true" title={message('navigator')}>
      <img src={pictureAddress(opened.path, onScreen(size))} alt="" width={size.width} height={size.height} />
      <svg
        ref={element}
        viewBox="0 0 1 1"
        preserveAspectRatio="none"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          go(event);
        }}
        onPointerMove={go}
      >
        <title>{message('navigator')}</title>
        <polygon points={visibleCorners(now)} />
      </svg>
    </div>
  );
}
