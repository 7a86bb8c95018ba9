/** The lines of a page in the panel, alone or beside those of another text. */
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { message } from '../../messages/messages.ts';
import { gapBetween, isUncertain, type PageText, type TextLine, type TextWord } from '../../model/text/page-text.ts';
import type { ParallelRow } from '../../model/text/parallel-lines.ts';
import {
  chosenLine,
  isLine,
  type LineOfPage,
  litLine,
  showOnPage,
  showsUncertain,
  spokenNow,
  type TextPage,
} from '../../state/text/page-texts.ts';
import { moveByArrows, useOneStop } from '../common/elements.ts';
import { formatPercent } from '../common/words.ts';

function Word({ word, at, after }: { readonly word: TextWord; readonly at: number; readonly after: string }): VNode {
  const marked = showsUncertain.value && isUncertain(word);
  return (
    <>
      <span
        data-word={at}
        lang={word.language}
        class={marked ? 'uncertain' : undefined}
        title={marked ? message('text-confidence', { percent: formatPercent(word.confidence ?? 0) }) : undefined}
      >
        {word.text}
      </span>
      {after}
    </>
  );
}

function Words({ text, line }: { readonly text: PageText; readonly line: TextLine }): VNode {
  const words = text.words.slice(line.from, line.to);
  return (
    <span class="line-text" lang={line.language} dir={line.direction === 'rtl' ? 'rtl' : 'ltr'}>
      {words.map((word, index) => {
        const next = words[index + 1];
        const after = next === undefined ? '' : gapBetween(word.text, next.text);
        return <Word key={index} word={word} at={line.from + index} after={after} />;
      })}
    </span>
  );
}

/** Lines beside each other as those of the text on the image; undefined for a row that has none of these. */
function lineOf({ path }: TextPage, { first }: ParallelRow): LineOfPage | undefined {
  const [line, to = line] = [first[0], first.at(-1)];
  if (line === undefined || to === undefined) return undefined;
  return to === line ? { path, line } : { path, line, to };
}

interface RowProps {
  readonly page: TextPage;
  readonly row: ParallelRow;
  readonly isFirstOfBlock: boolean;
}

/** The lines of one text in a row, where two stand beside each other. */
function Side({
  text,
  lines,
  isBeside,
}: {
  readonly text: PageText;
  readonly lines: readonly number[];
  readonly isBeside: boolean;
}): VNode {
  return (
    <div class={isBeside ? 'beside' : ''} data-beside={isBeside ? '' : undefined}>
      {lines.map((at) => {
        const line = text.lines[at];
        return line && <Words key={at} text={text} line={line} />;
      })}
    </div>
  );
}

function Row({ page, row, isFirstOfBlock }: RowProps): VNode {
  const { path, text, beside } = page;
  const place = lineOf(page, row);
  const element = useRef<HTMLLIElement>(null);
  const isIn = (one: LineOfPage | undefined): boolean => row.first.some((at) => isLine(one, path, at));
  const [isChosen, isLit, isSpoken] = [isIn(chosenLine.value), isIn(litLine.value), isIn(spokenNow.value)];
  useEffect(() => {
    if (isChosen || isSpoken) element.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen, isSpoken]);
  const light = (): void => {
    litLine.value = place;
  };
  const show = (): void => {
    chosenLine.value = place;
    const box = place && text.lines[place.line]?.box;
    if (box !== undefined) showOnPage(page, box);
  };
  const names = {
    first: isFirstOfBlock,
    chosen: isChosen,
    lit: isLit,
    spoken: isSpoken,
    parallel: beside !== undefined,
  };
  const set = Object.entries(names).flatMap(([name, isSet]) => (isSet ? [name] : []));
  const number = (place?.line ?? 0) + 1;
  return (
    <li ref={element} class={set.join(' ')} onPointerEnter={light} aria-current={isSpoken ? 'true' : undefined}>
      {place === undefined ? (
        <span />
      ) : (
        <button
          type="button"
          aria-label={message('text-show-line', { number })}
          aria-pressed={isChosen}
          onFocus={light}
          onClick={show}
        >
          {number}
        </button>
      )}
      <Side text={text} lines={row.first} isBeside={false} />
      {beside && <Side text={beside.text} lines={row.second} isBeside />}
    </li>
  );
}

/** A spoken line stays lit. */
const leave = (): void => {
  const spoken = spokenNow.peek();
  litLine.value = spoken && { path: spoken.path, line: spoken.line };
};

export function LinesOfPage({ page }: { readonly page: TextPage }): VNode {
  const list = useRef<HTMLOListElement>(null);
  useOneStop(list);
  const { text, beside, path } = page;
  const rows = beside?.rows ?? text.lines.map((_, at): ParallelRow => ({ first: [at], second: [] }));
  const blockOf = (row: ParallelRow | undefined): number | undefined => text.lines[row?.first[0] ?? -1]?.block;
  return (
    <ol
      class="text-lines"
      ref={list}
      data-text-of={path}
      onKeyDown={moveByArrows}
      onPointerLeave={leave}
      onFocusOut={leave}
    >
      {rows.map((row, at) => (
        <Row key={at} page={page} row={row} isFirstOfBlock={blockOf(row) !== blockOf(rows[at - 1])} />
      ))}
    </ol>
  );
}
