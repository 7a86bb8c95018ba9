/** A folder's images on a light table: all at a glance, to choose from. */
import '../../styles/table.css';
import { ArrowLeft } from 'lucide';
import type { VNode } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { language, message } from '../../messages/message.ts';
import { folderRoute, type TableRoute, viewRoute } from '../../model/routes.ts';
import { parseView } from '../../model/view-query.ts';
import { goTo, goToInstead, rewriteAddress } from '../../state/route.ts';
import { storedSignal } from '../../state/stored.ts';
import { titleOf } from '../common/folder-title.ts';
import { Icon } from '../common/icon.tsx';
import { ProblemNotice } from '../common/problem.tsx';
import { RouteLink } from '../common/route-link.tsx';
import { SiteHeader } from '../common/site-header.tsx';
import { type FolderParts, openFolderParts } from './folder-parts.ts';
import { SelectionBar } from './selection-bar.tsx';
import { TableCells } from './table-cells.tsx';
import { openTableState, type TableState } from './table-state.ts';

const sizes = { least: 80, most: 440, usual: 190 } as const;

const isSize = (value: unknown): value is number =>
  typeof value === 'number' && value >= sizes.least && value <= sizes.most;

/** How wide the reader likes cells to be, in CSS pixels. */
const cellSize = storedSignal<number>('table-size', sizes.usual, isSize);

/** How long the reader pauses before the address says what is seen, in ms. */
const pauseMs = 300;

/** The slider; from then on the address says no number of columns any more. */
function SizeSlider({ place, state }: { readonly place: TableRoute; readonly state: TableState }): VNode {
  const resize = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }): void => {
    cellSize.value = currentTarget.valueAsNumber;
    if (place.columns === undefined && place.rows === undefined) return;
    goToInstead({ ...placeSeen(place, state), columns: undefined, rows: undefined });
  };
  return (
    <label class="size-slider">
      <span aria-hidden="true">{message('thumbnail-size')}</span>
      <input
        type="range"
        aria-label={message('thumbnail-size')}
        min={sizes.least}
        max={sizes.most}
        step={5}
        value={cellSize.value}
        onInput={resize}
      />
    </label>
  );
}

/** The place with what is seen of it now. */
const placeSeen = (place: TableRoute, { first }: TableState): TableRoute => ({ ...place, from: first.peek() + 1 });

/** The address follows what is seen, so that it can be copied, and the way back leads to it. */
function useFollowingAddress(place: TableRoute, state: TableState): void {
  useEffect(() => {
    const timer = setTimeout(() => rewriteAddress(placeSeen(place, state)), pauseMs);
    return () => clearTimeout(timer);
  }, [state.first.value, place]);
}

interface SurfaceProps {
  readonly place: TableRoute;
  readonly parts: FolderParts;
  readonly state: TableState;
  readonly title: string;
}

function Surface({ place, parts, state, title }: SurfaceProps): VNode {
  const page = parts.about.value;
  const problem = parts.problem.value;
  const open = (cell: number): void => {
    const card = parts.cardAt(cell);
    if (card === undefined) return;
    // The way back leads to what is seen now, however short the pause was.
    rewriteAddress(placeSeen(place, state));
    goTo(viewRoute(parseView(card.path, place.operations)));
  };
  if (page === undefined && problem !== undefined) return <ProblemNotice problem={problem} onRetry={parts.retry} />;
  const total = page?.totalImages ?? 0;
  if (page !== undefined && total === 0) return <p class="empty">{message('empty-folder')}</p>;
  return (
    <>
      {page !== undefined && (
        <TableCells
          {...place}
          parts={parts}
          state={state}
          total={total}
          size={cellSize.value}
          name={title}
          onOpen={open}
        />
      )}
      <SelectionBar folder={place.folder} parts={parts} state={state} total={total} onOpen={open} />
    </>
  );
}

export function TablePage({ place }: { readonly place: TableRoute }): VNode {
  const parts = useMemo(() => openFolderParts(place.folder, language.value), [place.folder, language.value]);
  const state = useMemo(() => openTableState(place.folder, place.from - 1), [place.folder]);
  useEffect(() => {
    parts.want([place.from - 1]);
    return parts.close;
  }, [parts]);
  useFollowingAddress(place, state);
  const page = parts.about.value;
  const title = page === undefined ? place.folder : titleOf(page);
  useEffect(() => {
    document.title = `${message('table-title', { folder: title })} – Lectern`;
  }, [title, language.value]);
  return (
    <div class="table-page dark-surface">
      <SiteHeader>
        <RouteLink class="icon-button" to={folderRoute(place.folder)} aria-label={message('table-back')}>
          <Icon of={ArrowLeft} />
        </RouteLink>
        <h1>{title}</h1>
        <SizeSlider place={place} state={state} />
      </SiteHeader>
      <main id="content" tabIndex={-1}>
        <Surface place={place} parts={parts} state={state} title={title} />
      </main>
    </div>
  );
}
