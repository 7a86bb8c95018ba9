/** The text of the pages beside the image: its lines, which the image lights up and which light it up. */
import { Download, ScanText } from 'lucide';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { textAddress } from '../../data/fetch.ts';
import { message } from '../../messages/messages.ts';
import {
  certainFrom,
  gapBetween,
  isUncertain,
  type PageText,
  type TextLine,
  type TextWord,
  wholeText,
} from '../../model/text/page-text.ts';
import {
  chosenLine,
  isLine,
  litLine,
  pageTexts,
  retryTexts,
  showOnPage,
  showsUncertain,
  type TextPage,
} from '../../state/text/page-texts.ts';
import { hasText, selectsText, toggleSelectsText } from '../../state/tools.ts';
import { Button, Icon } from '../common/button.tsx';
import { moveByArrows, useOneStop } from '../common/elements.ts';
import { CheckBox } from '../common/fields.tsx';
import { ProblemNotice } from '../common/loading.tsx';
import { CopyButton } from '../common/take-along.tsx';
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

function Line({ page, at }: { readonly page: TextPage; readonly at: number }): VNode | null {
  const { path, text } = page;
  const line = text.lines[at];
  const row = useRef<HTMLLIElement>(null);
  const isChosen = isLine(chosenLine.value, path, at);
  const isLit = isLine(litLine.value, path, at);
  useEffect(() => {
    if (isChosen) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  if (line === undefined) return null;
  const light = (): void => {
    litLine.value = { path, line: at };
  };
  const show = (): void => {
    chosenLine.value = { path, line: at };
    if (line.box !== undefined) showOnPage(page, line.box);
  };
  const isFirst = text.lines[at - 1]?.block !== line.block;
  const names = [isFirst ? 'first' : '', isChosen ? 'chosen' : '', isLit ? 'lit' : ''];
  return (
    <li ref={row} class={names.filter((name) => name !== '').join(' ')} onPointerEnter={light}>
      <button
        type="button"
        aria-label={message('text-show-line', { number: at + 1 })}
        aria-pressed={isChosen}
        onFocus={light}
        onClick={show}
      >
        {at + 1}
      </button>
      <Words text={text} line={line} />
    </li>
  );
}

const leave = (): void => {
  litLine.value = undefined;
};

function LinesOfPage({ page }: { readonly page: TextPage }): VNode {
  const list = useRef<HTMLOListElement>(null);
  useOneStop(list);
  return (
    <ol
      class="text-lines"
      ref={list}
      data-text-of={page.path}
      onKeyDown={moveByArrows}
      onPointerLeave={leave}
      onFocusOut={leave}
    >
      {page.text.lines.map((line, at) => (
        <Line key={line.from} page={page} at={at} />
      ))}
    </ol>
  );
}

function PageSection({ page, isOnly }: { readonly page: TextPage; readonly isOnly: boolean }): VNode {
  const { path, label, text } = page;
  const name = `${label || path}.txt`;
  return (
    <section class="panel-section">
      {!isOnly && <h3>{label}</h3>}
      {text.words.length === 0 ? (
        <p class="soft">{message('text-empty')}</p>
      ) : (
        <>
          <div class="button-row row wrap">
            <CopyButton text={() => wholeText(text)} name={message('text-copy-all')} label={message('text-copy-all')} />
            <a class="button" href={textAddress(path, 'txt')} download={name}>
              <Icon of={Download} size={16} />
              {message('text-download')}
            </a>
          </div>
          <LinesOfPage page={page} />
        </>
      )}
    </section>
  );
}

/** Selecting on the image, and marking the words of which the recognition was not sure, where there are any. */
function Choices(): VNode {
  const { pages } = pageTexts.value;
  const hasPlaces = pages.some(({ text }) => text.words.some(({ box }) => box !== undefined));
  const uncertain = pages.reduce((sum, { text }) => sum + text.words.filter(isUncertain).length, 0);
  return (
    <div class="text-choices">
      {hasPlaces && (
        <Button icon={ScanText} tool pressed={selectsText.value} onClick={toggleSelectsText}>
          {message('tool-text')}
        </Button>
      )}
      {uncertain > 0 && (
        <CheckBox
          chosen={showsUncertain}
          text={message('text-uncertain', { count: uncertain, percent: formatPercent(certainFrom) })}
        />
      )}
      {selectsText.value && <p class="tool-hint">{message('hint-text')}</p>}
    </div>
  );
}

export function TextPanel(): VNode {
  const { pages, isLoading, problem } = pageTexts.value;
  if (!hasText.value) return <p class="soft">{message('text-none')}</p>;
  return (
    <div class="text-panel">
      <div role="status">{isLoading && <p class="soft">{message('loading')}</p>}</div>
      {problem !== undefined && problem !== 'aborted' && <ProblemNotice problem={problem} onRetry={retryTexts} />}
      {pages.length > 0 && <Choices />}
      {pages.map((page) => (
        <PageSection key={page.path} page={page} isOnly={pages.length === 1} />
      ))}
    </div>
  );
}
