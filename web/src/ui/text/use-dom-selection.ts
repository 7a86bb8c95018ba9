/** Makes the selected words the browser's own selection, so that its keys and menus copy them. */
import { useSignalEffect } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Caret } from '../../model/text/carets.ts';
import { textSelection } from '../../state/text/page-texts.ts';

/** The letters of a word on the image. */
function lettersOf(layer: HTMLElement, path: string, { word }: Caret): ChildNode | null | undefined {
  const page = [...layer.querySelectorAll<HTMLElement>('[data-text-of]')].find(
    ({ dataset }) => dataset['textOf'] === path,
  );
  return page?.querySelector(`[data-word="${word}"]`)?.firstChild;
}

const isInside = (layer: HTMLElement | null, selection: Selection | null): boolean =>
  selection?.anchorNode != null && layer?.contains(selection.anchorNode) === true;

export function useDomSelection(layer: RefObject<HTMLElement | null>): void {
  useSignalEffect(() => {
    const selected = textSelection.value;
    const selection = getSelection();
    if (layer.current === null) return;
    if (selected === undefined) {
      if (isInside(layer.current, selection)) selection?.removeAllRanges();
      return;
    }
    const from = lettersOf(layer.current, selected.path, selected.from);
    const to = lettersOf(layer.current, selected.path, selected.to);
    if (from && to) selection?.setBaseAndExtent(from, selected.from.offset, to, selected.to.offset);
  });
  useEffect(() => {
    // What is selected elsewhere ends the selection on the image.
    const forget = (): void => {
      if (textSelection.peek() !== undefined && !isInside(layer.current, getSelection())) {
        textSelection.value = undefined;
      }
    };
    document.addEventListener('selectionchange', forget);
    return () => {
      document.removeEventListener('selectionchange', forget);
      textSelection.value = undefined;
    };
  }, []);
}
