/**
 * The selected words as the browser’s own selection, and as lines with the parted words whole when they are copied.
 */
import { useSignalEffect } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import { type Caret, copiedText, partsBetween } from '../../model/text/carets.ts';
import { pageTexts, type TextPage, textSelection } from '../../state/text/page-texts.ts';

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

/** The position of an end of a selection in the words of a page. */
function caretOf(elements: readonly HTMLElement[], range: Range, end: 'start' | 'end', page: TextPage) {
  const touched = elements.filter((element) => range.intersectsNode(element));
  const element = end === 'start' ? touched[0] : touched.at(-1);
  if (element === undefined) return undefined;
  const word = Number(element.dataset['word']);
  const length = page.text.words[word]?.text.length ?? 0;
  const container = end === 'start' ? range.startContainer : range.endContainer;
  const offset = end === 'start' ? range.startOffset : range.endOffset;
  const isInWord = container.nodeType === Node.TEXT_NODE && element.contains(container);
  const byDefault = end === 'start' ? 0 : length;
  return { word, offset: isInWord ? Math.min(offset, length) : byDefault } satisfies Caret;
}

function copiedFrom(element: HTMLElement, range: Range): string {
  const page = pageTexts.peek().pages.find(({ path }) => path === element.dataset['textOf']);
  if (page === undefined || !range.intersectsNode(element)) return '';
  const words = [...element.querySelectorAll<HTMLElement>('[data-word]')];
  const [from, to] = [caretOf(words, range, 'start', page), caretOf(words, range, 'end', page)];
  return from && to ? copiedText(page.text, partsBetween(page.text, from, to)) : '';
}

/** Where the pages of a text stand: on the image, or in the panel. */
function rootOf(range: Range): Element | null {
  const common = range.commonAncestorContainer;
  const element = common instanceof Element ? common : common.parentElement;
  return element?.closest('.text-layer, .text-panel') ?? null;
}

/** Copies selected words, of the image and of the panel, as lines with the parted words whole. */
export function useCopying(): void {
  useEffect(() => {
    const copy = (event: ClipboardEvent): void => {
      const selection = getSelection();
      if (selection === null || selection.rangeCount === 0 || selection.isCollapsed) return;
      const range = selection.getRangeAt(0);
      const pages = [...(rootOf(range)?.querySelectorAll<HTMLElement>('[data-text-of]') ?? [])];
      const text = pages
        .map((page) => copiedFrom(page, range))
        .filter((copied) => copied !== '')
        .join('\n\n');
      if (text === '') return;
      event.clipboardData?.setData('text/plain', text);
      event.preventDefault();
    };
    document.addEventListener('copy', copy);
    return () => document.removeEventListener('copy', copy);
  }, []);
}
