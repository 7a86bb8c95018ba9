/** The words of the pages as transparent text on the image, which can be selected, found and copied at every zoom and turn. */
import '../../styles/text.css';
import { useSignalEffect } from '@preact/signals';
import type { RefObject, VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { letterSize, transformOfWord, wordBoxes } from '../../model/text/word-boxes.ts';
import { cssOf } from '../../model/view/geometry.ts';
import { followPageTexts, matrixOfPage, pageTexts, type TextPage, textSelection } from '../../state/text/page-texts.ts';
import { ReadableText } from './readable-text.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { SelectionStatus } from './selection-status.tsx';
import { TextShapes } from './text-shapes.tsx';
import { useCopying } from './use-copying.ts';
import { useDomSelection } from './use-dom-selection.ts';
import { useTextKeys } from './use-text-keys.ts';
import { useTextPointer } from './use-text-pointer.ts';

/** The elements of the words, by their indices. */
const wordElements = (page: HTMLElement): readonly HTMLElement[] => [
  ...page.querySelectorAll<HTMLElement>('[data-word]'),
];

/** The length of a space beside the letters of the layer, in CSS pixels. */
function lengthOfSpace(page: HTMLElement): number {
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) return 0;
  context.font = `${letterSize}px ${getComputedStyle(page).fontFamily}`;
  return context.measureText(' ').width;
}

/** Lays each word over its picture: all are measured first, and moved then, so that the browser lays out once. */
function placeWords(page: HTMLElement, { text }: TextPage): void {
  const elements = wordElements(page);
  const space = lengthOfSpace(page);
  const lengths = elements.map((element, at) => {
    const line = text.lines[text.words[at]?.line ?? 0];
    return (line?.direction === 'ttb' ? element.offsetHeight : element.offsetWidth) - space;
  });
  for (const line of text.lines) {
    for (const [index, box] of wordBoxes(text, line).entries()) {
      const [element, length] = [elements[line.from + index], lengths[line.from + index]];
      if (element === undefined || length === undefined) continue;
      if (box === undefined) element.hidden = true;
      else element.style.transform = transformOfWord(box, line.direction, length, space);
    }
  }
}

function Lines({ text }: Pick<TextPage, 'text'>): VNode {
  return (
    <>
      {text.lines.map((line) => (
        <div
          key={line.from}
          class={line.direction === 'ttb' ? 'vertical' : ''}
          dir={line.direction === 'rtl' ? 'rtl' : 'ltr'}
          lang={line.language}
        >
          {text.words.slice(line.from, line.to).map((word, index) => (
            <span key={index} data-word={line.from + index}>
              {`${word.text} `}
            </span>
          ))}
        </div>
      ))}
    </>
  );
}

/** Delay after the last movement until the letters follow the image, in ms. */
const restMs = 100;

/**
 * The letters, which nobody sees, follow the image when it has come to rest: moving thousands of them with every frame would
 * cost most of its time. What is seen of them, and where the pointer finds them, does not depend on them.
 */
function usePlaceAtRest(element: RefObject<HTMLElement | null>, page: TextPage): void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useSignalEffect(() => {
    const matrix = matrixOfPage(page);
    const place = (): void => {
      if (element.current !== null && matrix !== undefined) element.current.style.transform = cssOf(matrix);
    };
    if (timer.current === undefined) place();
    clearTimeout(timer.current);
    timer.current = setTimeout(place, restMs);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
}

function LayerOfPage({ page }: { readonly page: TextPage }): VNode {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (element.current !== null) placeWords(element.current, page);
  }, [page]);
  usePlaceAtRest(element, page);
  return (
    <div class="text-of-page" ref={element} data-text-of={page.path}>
      <Lines text={page.text} />
    </div>
  );
}

export function TextLayer(): VNode {
  useEffect(followPageTexts, []);
  useCopying();
  useTextPointer();
  useTextKeys();
  const layer = useRef<HTMLDivElement>(null);
  useDomSelection(layer);
  const { pages } = pageTexts.value;
  return (
    <>
      <TextShapes />
      <div class="text-layer" aria-hidden="true" ref={layer}>
        {pages.map((page) => (
          <LayerOfPage key={`${page.path} ${page.part.x}`} page={page} />
        ))}
      </div>
      <ReadableText />
      <SelectionStatus />
      {textSelection.value !== undefined && <SelectionBar />}
    </>
  );
}
