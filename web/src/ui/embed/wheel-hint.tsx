/** Lets the wheel scroll the page around the frame, and tells that it zooms with Ctrl. */
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { message } from '../../messages/message.ts';
import { embedOptions } from '../../state/tools.ts';
import { keyName } from '../common/key-names.ts';

/** How long the hint stays after the last turn of the wheel, in ms. */
const hintMs = 1500;

/** Whether a page around the frame takes the turn of the wheel. */
const isForPage = ({ ctrlKey, metaKey, target }: WheelEvent): boolean =>
  embedOptions.peek().wheel === 'scroll' &&
  !(ctrlKey || metaKey) &&
  window.parent !== window &&
  document.fullscreenElement === null &&
  target instanceof Element &&
  target.closest('.stage-area') !== null;

export function WheelHint(): VNode {
  const isShown = useSignal(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    // Before the stage sees it, which would prevent the scrolling. Without a listener that prevents it, the browser scrolls.
    const turn = (event: WheelEvent): void => {
      if (!isForPage(event)) return;
      event.stopImmediatePropagation();
      isShown.value = true;
      clearTimeout(timer);
      timer = setTimeout(() => {
        isShown.value = false;
      }, hintMs);
    };
    addEventListener('wheel', turn, { capture: true, passive: true });
    return () => {
      clearTimeout(timer);
      removeEventListener('wheel', turn, { capture: true });
    };
  }, []);
  return (
    <p class={isShown.value ? 'wheel-hint shown' : 'wheel-hint'} aria-hidden={!isShown.value}>
      {message('wheel-zooms', { key: keyName('Ctrl') })}
    </p>
  );
}
