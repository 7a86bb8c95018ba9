/** What is marked of the text on the image: the line that the panel and the pointer share, uncertain words, and what was found. */
import { useSignalEffect } from '@preact/signals';
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { isUncertain } from '../../model/text/page-text.ts';
import { selectionBoxes } from '../../model/text/word-boxes.ts';
import { cssOf } from '../../model/view/geometry.ts';
import type { Rect } from '../../model/view-state.ts';
import { bookHits, hitIndex } from '../../state/text/book-hits.ts';
import {
  chosenLine,
  type LineOfPage,
  litLine,
  matrixOfPage,
  pageTexts,
  selectedParts,
  showsUncertain,
  type TextPage,
} from '../../state/text/page-texts.ts';

const Box = ({ box, name }: { readonly box: Rect | undefined; readonly name: string }): VNode | null =>
  box === undefined ? null : <rect class={name} {...box} />;

/** The margin of a frame around words, as a fraction of their height. */
const frameMargin = 0.18;

const boxOfLine = (page: TextPage, line: LineOfPage | undefined): Rect | undefined =>
  line?.path === page.path ? page.text.lines[line.line]?.box : undefined;

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

/** The words that are selected with the pointer. */
function Selected({ page }: { readonly page: TextPage }): VNode | null {
  const now = selectedParts.value;
  if (now?.page !== page) return null;
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

export const TextShapes = (): VNode => (
  <svg class="text-shapes" aria-hidden="true">
    {pageTexts.value.pages.map((page) => (
      <ShapesOfPage key={page.path} page={page} />
    ))}
  </svg>
);
