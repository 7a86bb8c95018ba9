/**
 * The words of the pages as transparent text on the image, which can be selected at every zoom and turn; what is
 * marked of them; and the same for screen readers.
 */
import { useSignalEffect } from '@preact/signals';
import type { RefObject, VNode } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import { message } from '../../messages/messages.ts';
import { around, isUncertain, type PageText, type TextLine, wholeWordsOf } from '../../model/text/page-text.ts';
import { letterSize, selectionBoxes, transformOfWord, wordBoxes } from '../../model/text/word-boxes.ts';
import { cssOf } from '../../model/view/geometry.ts';
import type { Rect } from '../../model/view-state.ts';
import { bookHits, followSearch, hitIndex } from '../../state/text/book-hits.ts';
import {
  chosenLine,
  followPageTexts,
  type LineOfPage,
  litLine,
  matrixOfPage,
  pageTexts,
  selectedParts,
  showsUncertain,
  spokenNow,
  type TextPage,
  textSelection,
} from '../../state/text/page-texts.ts';
import { stage } from '../../state/view.ts';
import { SelectionBar, SelectionStatus, useCopying, useDomSelection } from './selected-words.tsx';
import { reveal, useTextKeys, useTextPointer } from './selecting.ts';

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

/** Keeps the line in sight that is read aloud. */
function useSpokenLine(): void {
  useSignalEffect(() => {
    const spoken = spokenNow.value;
    const page = pageTexts.peek().pages.find(({ path }) => path === spoken?.path);
    const word = spoken && page?.text.lines[spoken.line]?.from;
    if (page !== undefined && word !== undefined) reveal(page, word);
  });
}

export function TextLayer(): VNode {
  useEffect(followPageTexts, []);
  useCopying();
  useTextPointer();
  useTextKeys();
  useSpokenLine();
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

interface Paragraph {
  readonly block: number;
  readonly lines: readonly TextLine[];
}

function paragraphsOf({ lines }: PageText): readonly Paragraph[] {
  const paragraphs: { block: number; lines: TextLine[] }[] = [];
  for (const line of lines) {
    const last = paragraphs.at(-1);
    if (last?.block === line.block) last.lines.push(line);
    else paragraphs.push({ block: line.block, lines: [line] });
  }
  return paragraphs;
}

function Spoken({ text, paragraph }: { readonly text: PageText; readonly paragraph: Paragraph }): VNode {
  const language = paragraph.lines[0]?.language;
  const direction = paragraph.lines[0]?.direction;
  return (
    <p lang={language} dir={direction === 'rtl' ? 'rtl' : 'ltr'}>
      {paragraph.lines.map((line) => {
        const spoken = `${wholeWordsOf(text, line)} `;
        return line.language === language ? spoken : <span lang={line.language}>{spoken}</span>;
      })}
    </p>
  );
}

/** The description and the details of the image, as long as there are texts. */
function useReference(description: string, details: string): void {
  const element = stage.value?.focusElement;
  const isThere = pageTexts.value.pages.some(({ text }) => text.words.length > 0);
  useEffect(() => {
    if (element === undefined || !isThere) return undefined;
    element.setAttribute('aria-describedby', description);
    element.setAttribute('aria-details', details);
    return () => {
      element.removeAttribute('aria-describedby');
      element.removeAttribute('aria-details');
    };
  }, [element, isThere]);
}

/** The text of the pages for screen readers: paragraphs without the hyphens of lines, which the image refers to. */
function ReadableText(): VNode | null {
  const id = useId();
  useReference(`${id}-hint`, id);
  const pages = pageTexts.value.pages.filter(({ text }) => text.words.length > 0);
  if (pages.length === 0) return null;
  return (
    <div id={id} class="readable-text">
      <p id={`${id}-hint`}>{message('text-follows')}</p>
      {pages.map(({ path, label, text }) => (
        <section key={path} aria-label={message('text-of-page', { label })}>
          {paragraphsOf(text).map((paragraph, at) => (
            <Spoken key={at} text={text} paragraph={paragraph} />
          ))}
        </section>
      ))}
    </div>
  );
}

const Box = ({ box, name }: { readonly box: Rect | undefined; readonly name: string }): VNode | null =>
  box === undefined ? null : <rect class={name} {...box} />;

/** The margin of a frame around words, as a fraction of their height. */
const frameMargin = 0.18;

const boxOfLine = (page: TextPage, line: LineOfPage | undefined): Rect | undefined =>
  line?.path === page.path
    ? around(page.text.lines.slice(line.line, (line.to ?? line.line) + 1).flatMap(({ box }) => box ?? []))
    : undefined;

const Uncertain = ({ text }: Pick<TextPage, 'text'>): VNode => (
  <>{text.words.map((word, at) => isUncertain(word) && <Box key={at} box={word.box} name="uncertain" />)}</>
);

/** Where the searched words are on the page; the current place last, above the others. */
function Hits({ page }: { readonly page: TextPage }): VNode {
  const { width, height } = page.text;
  const found = bookHits.value.hits.flatMap(({ path, boxes }, index) => (path === page.path ? [{ index, boxes }] : []));
  const current = found.find(({ index }) => index === hitIndex.value);
  const ordered = current === undefined ? found : [...found.filter((hit) => hit !== current), current];
  // With a margin, so that the frame does not cover thin letters.
  const box = ({ x, y, width: wide, height: high }: Rect): Rect => {
    const margin = frameMargin * Math.min(wide * width, high * height);
    return {
      x: x * width - margin,
      y: y * height - margin,
      width: wide * width + 2 * margin,
      height: high * height + 2 * margin,
    };
  };
  return (
    <>
      {ordered.flatMap(({ index, boxes }) =>
        boxes.map((one, at) => (
          <Box key={`${index} ${at}`} box={box(one)} name={index === hitIndex.value ? 'hit current' : 'hit'} />
        )),
      )}
    </>
  );
}

function Selected({ page }: { readonly page: TextPage }): VNode | null {
  const now = selectedParts.value.find((selected) => selected.page === page);
  if (now === undefined) return null;
  return (
    <>
      {selectionBoxes(page.text, now.parts).map((box, at) => (
        <Box key={at} box={box} name="selected" />
      ))}
    </>
  );
}

/** The shapes keep the pixels of the page: only the group is moved. */
function ShapesOfPage({ page }: { readonly page: TextPage }): VNode {
  const group = useRef<SVGGElement>(null);
  useSignalEffect(() => {
    const matrix = matrixOfPage(page);
    if (matrix !== undefined) group.current?.setAttribute('transform', cssOf(matrix));
  });
  return (
    <g ref={group}>
      <Hits page={page} />
      {showsUncertain.value && <Uncertain text={page.text} />}
      <Box box={boxOfLine(page, chosenLine.value)} name="chosen" />
      <Box box={boxOfLine(page, litLine.value)} name="lit" />
      <Selected page={page} />
    </g>
  );
}

/** What is marked of the text on the image: the line that the panel and the pointer share, uncertain words, and what was found. */
const TextShapes = (): VNode => (
  <svg class="text-shapes" aria-hidden="true">
    {pageTexts.value.pages.map((page) => (
      <ShapesOfPage key={page.path} page={page} />
    ))}
  </svg>
);

/** Searches the open book as long as its address has words to search for. */
export function BookSearch(): null {
  useEffect(followSearch, []);
  return null;
}
