/** Above the image: where it belongs, which page it is, and the ways through its folder. */
import {
  BookOpen,
  ChevronFirst,
  ChevronLast,
  ChevronLeft,
  ChevronRight,
  ExternalLink,
  GalleryHorizontal,
  Keyboard,
  LibraryBig,
  Maximize,
} from 'lucide';
import type { VNode } from 'preact';
import { message } from '../../messages/message.ts';
import { goToEnd, goToNeighbor, goToPage, neighbors, openedNow } from '../../state/opened.ts';
import { addressOfPlace, followLink } from '../../state/place.ts';
import { filmstripOn } from '../../state/preferences.ts';
import { openDialog } from '../../state/tools.ts';
import { readingDirection, turnReadingDirection } from '../../state/two-pages.ts';
import { changeView, view } from '../../state/view.ts';
import { Button, IconButton } from '../button.tsx';
import { Icon } from '../icon.tsx';
import { useOwnText } from '../own-text.ts';
import { toggleFullScreen } from './full-screen.ts';

function FolderLink(): VNode | null {
  const opened = openedNow();
  const folder = { kind: 'browse', folder: opened?.folder.path ?? '', from: 1, search: '' } as const;
  const title = opened?.folder.title || message('library');
  return (
    <a class="folder-link" href={addressOfPlace(folder)} onClick={followLink(folder)} title={title}>
      <Icon of={LibraryBig} />
      <span>{title}</span>
    </a>
  );
}

/** The page's number, typed to go to another. */
function PageNumber(): VNode | null {
  const opened = openedNow();
  const own = useOwnText<HTMLInputElement>(String(opened?.at ?? ''));
  if (opened === undefined) return null;
  const { at, pages } = opened;
  const go = (event: { readonly currentTarget: HTMLInputElement }): void => {
    const typed = Math.round(event.currentTarget.valueAsNumber);
    const wanted = Math.min(Math.max(typed, 1), pages.total);
    if (Number.isFinite(wanted) && wanted !== at) void goToPage({ at: wanted, inner: 1 });
    event.currentTarget.value = String(Number.isFinite(wanted) ? wanted : at);
  };
  return (
    <span class="page-number">
      <input
        {...own}
        id="page-number"
        type="number"
        min={1}
        max={pages.total}
        aria-label={message('go-to-page')}
        title={`${message('go-to-page')} (G)`}
        onChange={go}
      />
      <span>{message('of-pages', { total: pages.total })}</span>
    </span>
  );
}

function PageButtons(): VNode {
  const opened = openedNow();
  const { previous, next } = neighbors();
  const isFirst = opened === undefined || previous === undefined;
  const isLast = opened === undefined || next === undefined;
  const rightToLeft = readingDirection.value === 'right-to-left';
  const back = rightToLeft ? ChevronRight : ChevronLeft;
  const on = rightToLeft ? ChevronLeft : ChevronRight;
  return (
    <nav class={rightToLeft ? 'page-buttons right-to-left' : 'page-buttons'} aria-label={message('pages')}>
      <IconButton
        class="end"
        icon={rightToLeft ? ChevronLast : ChevronFirst}
        name={message('first-page')}
        shortcut="Home"
        disabled={isFirst}
        onClick={() => goToEnd('first')}
      />
      <IconButton
        icon={back}
        name={message('previous-page')}
        shortcut="PageUp"
        disabled={isFirst}
        onClick={() => goToNeighbor('previous')}
      />
      <PageNumber />
      <IconButton
        icon={on}
        name={message('next-page')}
        shortcut="PageDown"
        disabled={isLast}
        onClick={() => goToNeighbor('next')}
      />
      <IconButton
        class="end"
        icon={rightToLeft ? ChevronFirst : ChevronLast}
        name={message('last-page')}
        shortcut="End"
        disabled={isLast}
        onClick={() => goToEnd('last')}
      />
    </nav>
  );
}

function TwoPages(): VNode {
  const { twoPages } = view.value;
  return (
    <>
      <IconButton
        class="wide-only"
        icon={BookOpen}
        name={message('two-pages')}
        shortcut="B"
        pressed={twoPages}
        onClick={() => changeView({ twoPages: !twoPages })}
      />
      {twoPages && (
        <Button pressed={readingDirection.value === 'right-to-left'} onClick={turnReadingDirection}>
          {message('right-to-left')}
        </Button>
      )}
    </>
  );
}

export function ViewBar({ embedded }: { readonly embedded: boolean }): VNode {
  const opened = openedNow();
  const whole = { kind: 'view', state: view.value, embedded: false } as const;
  return (
    <header class="view-bar">
      {!embedded && <FolderLink />}
      <p class="page-label" title={opened?.card.name}>
        {opened?.card.label}
      </p>
      <PageButtons />
      <div class="bar-end">
        <TwoPages />
        {!embedded && (
          <IconButton
            class="wide-only"
            icon={GalleryHorizontal}
            name={message('thumbnails')}
            shortcut="T"
            pressed={filmstripOn.value}
            onClick={() => {
              filmstripOn.value = !filmstripOn.value;
            }}
          />
        )}
        <IconButton
          class="wide-only"
          icon={Keyboard}
          name={message('keyboard')}
          shortcut="?"
          onClick={() => openDialog('keyboard')}
        />
        <IconButton icon={Maximize} name={message('full-screen')} shortcut="F" onClick={toggleFullScreen} />
        {embedded && (
          <a
            class="icon-button"
            href={addressOfPlace(whole)}
            target="_blank"
            rel="noopener"
            aria-label={message('open-in-room')}
            title={message('open-in-room')}
          >
            <Icon of={ExternalLink} />
          </a>
        )}
      </div>
    </header>
  );
}
