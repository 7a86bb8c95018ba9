/** The panel of the contents: the chapters with the one that is open, a way to find others, and steps between them. */
import { useSignal } from '@preact/signals';
import { ChevronDown, ChevronUp } from 'lucide';
import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ContentsEntry } from '../../../../src/core/image/folder/folder-listing.ts';
import { message } from '../../messages/messages.ts';
import { chapterAfter } from '../../model/contents/chapter-steps.ts';
import { chapters, currentChapter, goToChapter, seenPart, stepChapter } from '../../state/contents.ts';
import { openedNow } from '../../state/opened.ts';
import { pagesShown } from '../../state/pages.ts';
import { IconButton } from '../common/button.tsx';
import { ChapterLink, ChapterList } from '../common/folder-facts.tsx';
import { PageOrders } from './page-orders.tsx';

/** Number of chapters from which there is a field to find one. */
const minSearched = 12;

const open = (entry: ContentsEntry): void => {
  const chapter = chapters.peek().find((one) => one.entry === entry);
  if (chapter !== undefined) void goToChapter(chapter);
};

/** Whether there is a chapter before (-1) or after (1) the open pages. */
function hasBeyond(by: 1 | -1): boolean {
  const opened = openedNow();
  return opened !== undefined && chapterAfter(chapters.value, pagesShown(opened), by, seenPart.value) !== undefined;
}

function Steps(): VNode {
  return (
    <div class="chapter-steps row">
      <p class="soft">{currentChapter.value?.way.join(' › ')}</p>
      <IconButton
        icon={ChevronUp}
        name={message('previous-chapter')}
        shortcut="Shift+PageUp"
        disabled={!hasBeyond(-1)}
        onClick={() => stepChapter(-1)}
      />
      <IconButton
        icon={ChevronDown}
        name={message('next-chapter')}
        shortcut="Shift+PageDown"
        disabled={!hasBeyond(1)}
        onClick={() => stepChapter(1)}
      />
    </div>
  );
}

const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLocaleLowerCase();

/** The chapters whose labels contain what is typed, regardless of case and accents. */
function Found({ query }: { readonly query: string }): VNode {
  const found = chapters.value.filter(({ entry }) => plain(entry.label).includes(plain(query)));
  if (found.length === 0)
    return (
      <p class="soft" role="status">
        {message('find-chapter-none', { query })}
      </p>
    );
  return (
    <ol class="chapters">
      {found.map((chapter, index) => (
        <li key={index}>
          <ChapterLink
            entry={chapter.entry}
            isCurrent={chapter === currentChapter.value}
            onOpen={() => void goToChapter(chapter)}
          />
          {chapter.way.length > 1 && <small class="soft">{chapter.way.slice(0, -1).join(' › ')}</small>}
        </li>
      ))}
    </ol>
  );
}

/** Keeps the current chapter in sight. */
function useSight(current: ContentsEntry | undefined) {
  const list = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  return list;
}

export function ContentsPanel(): VNode {
  const query = useSignal('');
  const current = currentChapter.value?.entry;
  const list = useSight(current);
  const typed = query.value.trim();
  return (
    <>
      <PageOrders />
      {chapters.value.length > 0 && <Steps />}
      {chapters.value.length >= minSearched && (
        <input
          type="search"
          class="find-note"
          aria-label={message('find-chapter')}
          placeholder={message('find-chapter')}
          value={query.value}
          onInput={({ currentTarget }) => {
            query.value = currentTarget.value;
          }}
        />
      )}
      <nav aria-label={message('contents')} ref={list}>
        {typed === '' ? (
          <ChapterList contents={openedNow()?.folder.contents ?? []} current={current} onOpen={open} />
        ) : (
          <Found query={typed} />
        )}
      </nav>
    </>
  );
}
