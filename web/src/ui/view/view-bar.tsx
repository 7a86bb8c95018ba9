/** The bar above the image: its folder, its page, and the buttons that lead to other pages. */
import {
  ArrowRightFromLine,
  Bookmark,
  BookOpen,
  BookOpenText,
  ChevronFirst,
  ChevronLast,
  ChevronLeft,
  ChevronRight,
  Columns2,
  Ellipsis,
  ExternalLink,
  GalleryHorizontal,
  Keyboard,
  LampDesk,
  LayoutGrid,
  LayoutPanelTop,
  LibraryBig,
  Map as MapIcon,
  Maximize,
  PilcrowLeft,
  Rows3,
  TextInitial,
} from 'lucide';
import type { VNode } from 'preact';
import { message } from '../../messages/messages.ts';
import { isForeign } from '../../model/address/address-text.ts';
import { compareViewsRoute, deskRoute, folderRoute, partFrom, viewRoute } from '../../model/address/routes.ts';
import { openedNow } from '../../state/opened.ts';
import {
  goToEnd,
  goToNeighbor,
  neighbors,
  readingDirection,
  shownLabel,
  toggleLayout,
  toggleShift,
  toggleTwoPages,
  turnReadingDirection,
} from '../../state/pages.ts';
import { addressOfRoute } from '../../state/route.ts';
import { filmstripOn, toggleFilmstrip } from '../../state/stored-preferences.ts';
import { hasText, isPlayed, openDialog, togglePanel } from '../../state/tools.ts';
import { view } from '../../state/view.ts';
import { namedView, pictured, showsWhole } from '../../state/viewport.ts';
import { Account } from '../common/account.tsx';
import { Button, Icon, IconButton, RouteLink } from '../common/button.tsx';
import { DropDown } from '../common/dialog.tsx';
import { ChapterNow } from '../contents/chapter-now.tsx';
import { KeepButton } from '../desk/keep-button.tsx';
import { keep, toggleFullScreen, toggleTextAlone } from './keyboard.ts';
import { PageField } from './page-turning.tsx';

/** Puts another image beside this one. */
const CompareLink = (): VNode => (
  <RouteLink
    class="icon-button"
    to={compareViewsRoute([namedView.value])}
    aria-label={message('compare-beside')}
    title={message('compare-beside')}
  >
    <Icon of={Columns2} />
  </RouteLink>
);

/** The title of a book of another host, which has no folder here: a button for what is said about it. */
const ForeignTitle = ({ title }: { readonly title: string }): VNode => (
  <button type="button" class="folder-link muted clip" title={title} onClick={() => togglePanel('about')}>
    <Icon of={BookOpenText} />
    <span class="clip">{title}</span>
  </button>
);

export function FolderLink(): VNode | null {
  const opened = openedNow();
  if (opened && isForeign(opened.path)) return <ForeignTitle title={opened.folder.title} />;
  const folder = folderRoute(opened?.folder.path ?? '', partFrom(opened?.at ?? 1));
  const title = opened?.folder.title || message('library');
  return (
    <RouteLink class="folder-link muted clip" to={folder} title={title}>
      <Icon of={LibraryBig} />
      <span class="clip">{title}</span>
    </RouteLink>
  );
}

/** Whether there is another page to turn to. */
function hasPages(): boolean {
  const { previous, next } = neighbors();
  return (openedNow()?.images.total ?? 0) > 1 || previous !== undefined || next !== undefined;
}

/** Nothing where there is no other page. */
function PageButtons(): VNode | null {
  const { previous, next } = neighbors();
  if (!hasPages()) return null;
  const rightToLeft = readingDirection.value === 'right-to-left';
  const [toStart, back, on, toEnd] = rightToLeft
    ? [ChevronLast, ChevronRight, ChevronLeft, ChevronFirst]
    : [ChevronFirst, ChevronLeft, ChevronRight, ChevronLast];
  const isFirst = previous === undefined;
  const isLast = next === undefined;
  return (
    <nav class={rightToLeft ? 'page-buttons right-to-left' : 'page-buttons'} aria-label={message('pages')}>
      <IconButton
        class="end"
        icon={toStart}
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
      <PageField />
      <IconButton
        icon={on}
        name={message('next-page')}
        shortcut="PageDown"
        disabled={isLast}
        onClick={() => goToNeighbor('next')}
      />
      <IconButton
        class="end"
        icon={toEnd}
        name={message('last-page')}
        shortcut="End"
        disabled={isLast}
        onClick={() => goToEnd('last')}
      />
    </nav>
  );
}

const Filmstrip = (): VNode => (
  <IconButton
    icon={GalleryHorizontal}
    name={message('thumbnails')}
    shortcut="T"
    pressed={filmstripOn.value}
    onClick={toggleFilmstrip}
  />
);

const layouts = [
  ['gallery', LayoutGrid],
  ['scroll', Rows3],
] as const;

/** Also of a book of one page. */
const TextAlone = (): VNode | null =>
  hasText.value || view.value.layout === 'text' ? (
    <Button icon={TextInitial} pressed={view.value.layout === 'text'} onClick={toggleTextAlone}>
      {message('layout-text')}
    </Button>
  ) : null;

const LayoutButtons = (): VNode => (
  <>
    {layouts.map(([layout, icon]) => (
      <Button key={layout} icon={icon} pressed={view.value.layout === layout} onClick={() => toggleLayout(layout)}>
        {message(`layout-${layout}`)}
      </Button>
    ))}
  </>
);

const openKeyboard = (): void => openDialog('keyboard');

/** Lays the page, or the detail that is seen, on the light table. */
function putOnTable(): void {
  const { fn: path, region } = pictured.peek();
  const source = { path, region: showsWhole(view.peek()) ? null : region };
  void import('../../state/light-table/add-to-table.ts').then(({ addToTable }) => addToTable([source]));
}

const More = ({ embedded }: { readonly embedded: boolean }): VNode => (
  <DropDown icon={Ellipsis} name={message('more-tools')}>
    <div class="narrow-only">
      {hasPages() && <TwoPagesButton />}
      {!embedded && hasPages() && (
        <Button icon={GalleryHorizontal} pressed={filmstripOn.value} onClick={toggleFilmstrip}>
          {message('thumbnails')}
        </Button>
      )}
      {!embedded && (
        <RouteLink class="button" to={compareViewsRoute([namedView.value])}>
          <Icon of={Columns2} size={16} />
          {message('compare')}
        </RouteLink>
      )}
    </div>
    {hasPages() && <PairingButtons />}
    {!embedded && hasPages() && <LayoutButtons />}
    {!embedded && <TextAlone />}
    {!isPlayed.value && (
      <Button icon={MapIcon} pressed={view.value.layout === 'map'} onClick={() => toggleLayout('map')}>
        {message('layout-map')}
      </Button>
    )}
    {!embedded && (
      <Button icon={Bookmark} onClick={keep}>
        {message('keep')}
      </Button>
    )}
    {!embedded && (
      <Button icon={LayoutPanelTop} onClick={putOnTable}>
        {message('to-free-table')}
      </Button>
    )}
    {!embedded && (
      <RouteLink class="button" to={deskRoute()}>
        <Icon of={LampDesk} size={16} />
        {message('desk')}
      </RouteLink>
    )}
    <Button icon={Keyboard} onClick={openKeyboard}>
      {message('keyboard')}
    </Button>
  </DropDown>
);

export function ViewBar({ embedded }: { readonly embedded: boolean }): VNode {
  const opened = openedNow();
  return (
    <header class="view-bar">
      {!embedded && <FolderLink />}
      <div class="page-now row">
        <ChapterNow />
        <p class="page-label clip" title={opened?.card.name}>
          {shownLabel()}
        </p>
        {!embedded && opened && <KeepButton />}
      </div>
      <PageButtons />
      <div class="bar-end row">
        <div class="wide-only row">
          {hasPages() && (
            <IconButton
              icon={BookOpen}
              name={message('two-pages')}
              shortcut="B"
              pressed={view.value.twoPages}
              onClick={toggleTwoPages}
            />
          )}
          {!embedded && hasPages() && <Filmstrip />}
          {opened?.card.mapped?.includes(opened.inner) && (
            <IconButton
              icon={MapIcon}
              name={message('layout-map')}
              shortcut="Shift+M"
              pressed={view.value.layout === 'map'}
              onClick={() => toggleLayout('map')}
            />
          )}
          {!embedded && <CompareLink />}
        </div>
        <More embedded={embedded} />
        {!embedded && <Account />}
        <IconButton icon={Maximize} name={message('full-screen')} shortcut="F" onClick={toggleFullScreen} />
        {embedded && (
          <a
            class="icon-button"
            href={addressOfRoute(viewRoute(view.value))}
            target="_blank"
            rel="noopener"
            aria-label={message('open-in-reading-room')}
            title={message('open-in-reading-room')}
          >
            <Icon of={ExternalLink} />
          </a>
        )}
      </div>
    </header>
  );
}

const TwoPagesButton = (): VNode => (
  <Button icon={BookOpen} pressed={view.value.twoPages === true} onClick={toggleTwoPages}>
    {message('two-pages')}
  </Button>
);

/** How openings are put together, where two pages are shown. */
function PairingButtons(): VNode | null {
  const { twoPages = false, shifted } = view.value;
  if (!twoPages) return null;
  return (
    <>
      <Button icon={ArrowRightFromLine} pressed={shifted} onClick={toggleShift}>
        {message('shift-pages')}
      </Button>
      <Button icon={PilcrowLeft} pressed={readingDirection.value === 'right-to-left'} onClick={turnReadingDirection}>
        {message('right-to-left')}
      </Button>
    </>
  );
}
