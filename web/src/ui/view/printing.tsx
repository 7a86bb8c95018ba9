/** Prepares the printed page of a view, and takes the browser's shortcut for printing. */
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { sharpImage } from '../../state/stages.ts';
import { usePrintKey } from '../common/print-key.ts';

const loadPrint = () => import('../print/print-view.tsx');

const print = (): void => void loadPrint().then(({ printView }) => printView());

export function Printing(): VNode {
  const host = useRef<HTMLElement>(null);
  // Loaded with the first sharp image, since the browser's menu prints at once.
  const isReady = sharpImage.value !== undefined;
  useEffect(() => {
    const element = host.current;
    if (!isReady || element === null) return undefined;
    let stop: (() => void) | undefined;
    let isGone = false;
    void loadPrint().then(({ renderWhilePrinting }) => {
      if (!isGone) stop = renderWhilePrinting(element);
    });
    return () => {
      isGone = true;
      stop?.();
    };
  }, [isReady]);
  usePrintKey(print);
  return <main class="print-sheet print-only" ref={host} />;
}
