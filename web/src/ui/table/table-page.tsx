/** The light table: all images of a folder as thumbnails that can be selected. */
import '../../styles/table.css';
import { ArrowLeft } from 'lucide';
import type { VNode } from 'preact';
import { useCallback, useEffect, useMemo } from 'preact/hooks';
import { language, message } from '../../messages/message.ts';
import { folderRoute, type TableRoute, viewRoute } from '../../model/address/routes.ts';
import { parseView } from '../../model/address/view-query.ts';
import { FolderImages } from '../../state/folder-images.ts';
import { goTo, page, replaceRoute } from '../../state/route.ts';
import { storedSignal } from '../../state/stored-preferences.ts';
import { titleOf } from '../common/folder-title.ts';
import { Icon } from '../common/icon.tsx';
import { usePrintKey } from '../common/print-key.ts';
import { ProblemNotice } from '../common/problem.tsx';
import { RouteLink } from '../common/route-link.tsx';
import { SiteHeader } from '../common/site-header.tsx';
import { documentTitle } from '../common/site-name.ts';
import { SelectionBar } from './selection-bar.tsx';
import { TableCells } from './table-cells.tsx';
import { openTableState, type TableState } from './table-state.ts';

const sizes = { min: 80, max: 440, initial: 190 } as const;

const isSize = (value: unknown): value is number =>
  typeof value === 'number' && value >= sizes.min && value <= sizes.max;

/** Minimum width of cells in CSS pixels, set by the reader. */
const cellSize = storedSignal<number>('table-size', sizes.initial, isSize);

/** Delay after scrolling before the route changes, in ms. */
const pauseMs = 300;

/** The slider replaces numbers of columns and rows that the route may have. */
function SizeSlider({ route, state }: { readonly route: TableRoute; readonly state: TableState }): VNode {
  const resize = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }): void => {
    cellSize.value = currentTarget.valueAsNumber;
    if (route.columns === undefined && route.rows === undefined) return;
    replaceRoute({ ...scrolledRoute(route, state), columns: undefined, rows: undefined });
  };
  return (
    <label class="size-slider">
      <span aria-hidden="true">{message('thumbnail-size')}</span>
      <input
        type="range"
        aria-label={message('thumbnail-size')}
        min={sizes.min}
        max={sizes.max}
        step={5}
        value={cellSize.value}
        onInput={resize}
      />
    </label>
  );
}

/** The route with the first image that is visible now. */
const scrolledRoute = (route: TableRoute, { first }: TableState): TableRoute => ({ ...route, from: first.peek() + 1 });

/** Writes the scroll position into the route, for copied addresses and the back button. */
function storeScroll(route: TableRoute, state: TableState): void {
  if (page.peek() === route && route.from !== state.first.peek() + 1) replaceRoute(scrolledRoute(route, state));
}

function useScrolledRoute(route: TableRoute, state: TableState): void {
  useEffect(() => {
    const timer = setTimeout(() => storeScroll(route, state), pauseMs);
    return () => clearTimeout(timer);
  }, [state.first.value, route]);
}

interface SurfaceProps {
  readonly route: TableRoute;
  readonly images: FolderImages;
  readonly state: TableState;
  readonly title: string;
}

function Surface({ route, images, state, title }: SurfaceProps): VNode {
  const listing = images.listing.value;
  const problem = images.problem.value;
  const { total } = images;
  const open = (cell: number): void => {
    const card = images.cardAt(cell + 1);
    if (card === undefined) return;
    storeScroll(route, state);
    goTo(viewRoute(parseView(card.path, route.operations)));
  };
  if (listing === undefined && problem !== undefined)
    return <ProblemNotice problem={problem} onRetry={() => images.retry()} />;
  if (listing !== undefined && total === 0) return <p class="empty">{message('empty-folder')}</p>;
  return (
    <>
      {listing !== undefined && (
        <TableCells {...route} images={images} state={state} size={cellSize.value} name={title} onOpen={open} />
      )}
      <SelectionBar folder={route.folder} images={images} state={state} onOpen={open} />
    </>
  );
}

export function TablePage({ route }: { readonly route: TableRoute }): VNode {
  const images = useMemo(() => new FolderImages(route.folder, 'manual'), [route.folder, language.value]);
  const state = useMemo(() => openTableState(route.folder, route.from - 1), [route.folder]);
  useEffect(() => {
    images.need([route.from]);
    return () => images.close();
  }, [images]);
  useScrolledRoute(route, state);
  usePrintKey(
    useCallback(
      () => void import('../print/contact-sheet.tsx').then(({ printFolder }) => printFolder(route.folder)),
      [route.folder],
    ),
  );
  const listing = images.listing.value;
  const title = titleOf(listing ?? { path: route.folder, title: '' });
  useEffect(() => {
    document.title = documentTitle(message('table-title', { folder: title }));
  }, [title, language.value]);
  return (
    <div class="table-page dark-surface">
      <SiteHeader>
        <RouteLink class="icon-button" to={folderRoute(route.folder)} aria-label={message('table-back')}>
          <Icon of={ArrowLeft} />
        </RouteLink>
        <h1>{title}</h1>
        <SizeSlider route={route} state={state} />
      </SiteHeader>
      <main id="content" tabIndex={-1}>
        <Surface route={route} images={images} state={state} title={title} />
      </main>
    </div>
  );
}
