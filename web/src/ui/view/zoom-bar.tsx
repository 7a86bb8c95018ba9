/** The bar below the image, with its scale. */
import { Minus, Plus } from 'lucide';
import type { VNode } from 'preact';
import { message } from '../../messages/message.ts';
import { displayDensity } from '../../state/stored-preferences.ts';
import { openDialog } from '../../state/tools.ts';
import { view } from '../../state/view.ts';
import {
  currentPercent,
  resolution,
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
  <fieldset class="zoom-bar" aria-label={message('zoom')}>
    <IconButton icon={Minus} name={message('zoom-out')} shortcut="-" onClick={zoomOut} />
    <span class="zoom-percent" title={message('zoom-now')}>
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
