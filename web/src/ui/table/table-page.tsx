/** The light table: the images of a folder in cells, and what can be done with the selected ones. */
import { ArrowLeft, Columns2, Download, Ellipsis, ExternalLink, LayoutPanelTop, ListChecks, X } from 'lucide';
import type { VNode } from 'preact';
import { useCallback, useEffect, useMemo } from 'preact/hooks';
import type { ImageCard } from '../../../../src/core/image/folder/folder-listing.ts';
import { language, message } from '../../messages/messages.ts';
import { maxCompared } from '../../model/address/comparison.ts';
import {
  compareViewsRoute,
  folderRoute,
  imageRoute,
  type LightTableRoute,
  lightTableRoute,
  type TableRoute,
  viewRoute,
} from '../../model/address/routes.ts';
import { parseView } from '../../model/address/view-query.ts';
import { maxItems } from '../../model/light-table/table.ts';
import { tableOf, tablePairs } from '../../model/light-table/table-query.ts';
import { csvText } from '../../model/measure/csv-tables.ts';
import { plainView } from '../../model/view-state.ts';
import { FolderImages } from '../../state/folder-images.ts';
import { addressOfRoute, goTo, page, replaceRoute } from '../../state/route.ts';
import { storedSignal } from '../../state/stored-preferences.ts';
import { Button, Icon, RouteLink } from '../common/button.tsx';
import { DropDown } from '../common/dialog.tsx';
import { saveFile, useAfterPause, usePrintKey } from '../common/elements.ts';
import { ProblemNotice } from '../common/loading.tsx';
import { titleOf, useDocumentTitle } from '../common/picture.tsx';
import { SiteHeader } from '../common/site-header.tsx';
import { CopyButton, TakeLink } from '../common/take-along.tsx';
import { formatCount } from '../common/words.ts';
import { infoAddress } from '../open-with/addresses.ts';
import { allOrNone, inOrder, noSelection, openTableState, type TableState } from './layout.ts';
import { TableCells } from './table-cells.tsx';

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
    <label class="size-slider row muted">
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
  if (listing !== undefined && total === 0) return <p class="empty muted">{message('empty-folder')}</p>;
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
  useAfterPause(() => storeScroll(route, state), pauseMs, [state.first.value, route]);
  usePrintKey(
    useCallback(
      () => void import('../print/contact-sheet.tsx').then(({ printFolder }) => printFolder(route.folder)),
      [route.folder],
    ),
  );
  const listing = images.listing.value;
  const title = titleOf(listing ?? { path: route.folder, title: '' });
  useDocumentTitle(message('table-title', { folder: title }));
  return (
    <div class="table-page dark-surface">
      <SiteHeader>
        <RouteLink class="icon-button" to={folderRoute(route.folder)} aria-label={message('table-back')}>
          <Icon of={ArrowLeft} />
        </RouteLink>
        <h1 class="clip">{title}</h1>
        <SizeSlider route={route} state={state} />
      </SiteHeader>
      <main id="content" tabIndex={-1}>
        <Surface route={route} images={images} state={state} title={title} />
      </main>
    </div>
  );
}

interface SelectionBarProps {
  readonly folder: string;
  readonly images: FolderImages;
  readonly state: TableState;
  readonly onOpen: (cell: number) => void;
}

const layOutRoute = (cards: readonly ImageCard[]): LightTableRoute =>
  lightTableRoute(tablePairs(tableOf(cards.map(({ path }) => ({ path, region: null })))));

interface ToolsProps extends SelectionBarProps {
  readonly cells: readonly number[];
}

function Tools({ folder, images, cells, onOpen }: ToolsProps): VNode {
  const cards = cells.map((cell) => images.cardAt(cell + 1)).filter((card) => card !== undefined);
  const [only] = cells;
  const positions = cells.map((cell) => cell + 1);
  const isTaken = cards.some(({ tier }) => tier?.documents !== false);
  if (cards.length < cells.length) {
    return (
      <span class="note">{message('selection-loading', { count: formatCount(cells.length - cards.length) })}</span>
    );
  }
  return (
    <>
      {cells.length === 1 && only !== undefined && (
        <Button primary icon={ExternalLink} onClick={() => onOpen(only)}>
          {message('open-selected')}
        </Button>
      )}
      {cells.length > maxCompared && (
        <span class="note">{message('compare-most', { count: formatCount(maxCompared) })}</span>
      )}
      {cells.length > 1 && cells.length <= maxCompared && (
        <RouteLink class="button primary" to={compareViewsRoute(cards.map(({ path }) => plainView(path)))}>
          <Icon of={Columns2} size={16} />
          {message('compare-selected')}
        </RouteLink>
      )}
      {cells.length <= maxItems && (
        <RouteLink class="button" to={layOutRoute(cards)} title={message('lay-out')}>
          <Icon of={LayoutPanelTop} size={16} />
          {message('lay-out')}
        </RouteLink>
      )}
      {isTaken && (
        <>
          <TakeLink form="pdf" folder={folder} at={positions} name="PDF" title={message('pdf-selected')} />
          <TakeLink form="zip" folder={folder} at={positions} name={message('zip-selected')} />
        </>
      )}
      <DropDown icon={Ellipsis} name={message('lists-of-selected')}>
        <CopyButton
          text={() => addressLines(cards)}
          name={message('copy-addresses')}
          label={message('copy-addresses')}
        />
        <CopyButton
          text={() => infoLines(cards)}
          name={message('copy-info-addresses')}
          label={message('copy-info-addresses')}
        />
        <Button icon={Download} onClick={() => downloadList(cards, folder, 'json')}>
          {message('download-list')}
        </Button>
        <Button icon={Download} onClick={() => downloadList(cards, folder, 'csv')}>
          {message('download-csv')}
        </Button>
      </DropDown>
    </>
  );
}

/** The number of selected images, and actions on them. */
function SelectionBar(props: SelectionBarProps): VNode {
  const { images, state } = props;
  const { total } = images;
  const cells = inOrder(state.selection.value);
  const someMissing = cells.some((cell) => images.cardAt(cell + 1) === undefined);
  useEffect(() => {
    if (someMissing) images.need(cells.map((cell) => cell + 1));
  }, [someMissing, state.selection.value, images]);
  const clear = (): void => {
    state.selection.value = noSelection;
  };
  const selectAll = (): void => {
    state.selection.value = allOrNone(noSelection, total);
  };
  return (
    <section class="selection-bar table-tools row wrap" aria-label={message('selection-tools')}>
      <p role="status">
        {cells.length === 0 ? message('table-hint') : message('selected-count', { count: formatCount(cells.length) })}
      </p>
      {cells.length > 0 && <Tools {...props} cells={cells} />}
      {cells.length < total && (
        <Button icon={ListChecks} onClick={selectAll}>
          {message('select-all')}
        </Button>
      )}
      {cells.length > 0 && (
        <Button icon={X} onClick={clear}>
          {message('clear-selection')}
        </Button>
      )}
    </section>
  );
}

const viewAddress = ({ path }: ImageCard): string => addressOfRoute(imageRoute(path));

/** Exports the selected images: addresses for the clipboard, and a list as a file. */
const addressLines = (images: readonly ImageCard[]): string => images.map(viewAddress).join('\n');

const infoLines = (images: readonly ImageCard[]): string => images.map(({ path }) => infoAddress(path)).join('\n');

const rowOf = (image: ImageCard) => ({
  path: image.path,
  label: image.label,
  width: image.width,
  height: image.height,
  address: viewAddress(image),
  info: infoAddress(image.path),
});

type Row = ReturnType<typeof rowOf>;

const columns: readonly (keyof Row)[] = ['path', 'label', 'width', 'height', 'address', 'info'];

type ListFormat = 'json' | 'csv';

const mediaTypes: Readonly<Record<ListFormat, string>> = { json: 'application/json', csv: 'text/csv;charset=utf-8' };

function listText(images: readonly ImageCard[], format: ListFormat): string {
  const rows = images.map(rowOf);
  if (format === 'json') return `${JSON.stringify(rows, undefined, 2)}\n`;
  return csvText([columns, ...rows.map((row) => columns.map((column) => row[column]))]);
}

function downloadList(images: readonly ImageCard[], folder: string, format: ListFormat): void {
  const name = folder.split('/').at(-1) || 'library';
  saveFile(new Blob([listText(images, format)], { type: mediaTypes[format] }), `${name}-images.${format}`);
}
