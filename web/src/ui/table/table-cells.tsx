/**
 * The cells of a light table as a list box with multiple selection and keys, in which only the visible cells are
 * rendered.
 */
import { type Signal, useSignal } from '@preact/signals';
import { Check } from 'lucide';
import type { VNode } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { ImageCard } from '../../../../src/core/image/folder/folder-listing.ts';
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { type Operations, pixelsOf } from '../../data/images.ts';
import { message } from '../../messages/messages.ts';
import type { FolderImages } from '../../state/folder-images.ts';
import { Icon } from '../common/button.tsx';
import { fields, keyTarget, useAfterPause, useKeys, useSize } from '../common/elements.ts';
import { Picture } from '../common/picture.tsx';
import { formatCount } from '../common/words.ts';
import {
  allOrNone,
  cellByKey,
  layoutTable,
  noSelection,
  renderedCells,
  scrollOf,
  scrollToSee,
  type TableLayout,
  type TableState,
  toggled,
  withRange,
} from './layout.ts';

interface TableCellsProps {
  readonly images: FolderImages;
  readonly state: TableState;
  readonly size: number;
  readonly columns: number | undefined;
  readonly rows: number | undefined;
  readonly operations: Operations;
  readonly name: string;
  readonly onOpen: (cell: number) => void;
}

/** Keeps the same images in the first row when the size of cells changes; `scrolled` gets the new position in CSS pixels. */
function useStableFirstRow(
  list: { readonly current: HTMLElement | null },
  scrolled: Signal<number | undefined>,
  layout: TableLayout,
  state: TableState,
  isMeasured: boolean,
): void {
  useLayoutEffect(() => {
    if (!isMeasured || list.current === null) return;
    list.current.scrollTop = scrollOf(state.first.peek(), layout);
    // The browser's event comes later, when images at the former position would have been fetched.
    scrolled.value = list.current.scrollTop;
  }, [layout.columns, layout.cellHeight, state, isMeasured]);
}

export function TableCells(props: TableCellsProps): VNode {
  const { images, state, operations } = props;
  const { total } = images;
  const list = useRef<HTMLDivElement>(null);
  // Undefined until the list has been scrolled to the first row, which the first measured cells are already at.
  const scrolled = useSignal<number | undefined>(undefined);
  const id = useId();
  const { width, height } = useSize(list).value;
  const layout = layoutTable({ ...props, total, width, height });
  useStableFirstRow(list, scrolled, layout, state, width > 0);
  const position = scrolled.value ?? scrollOf(state.first.peek(), layout);
  const { first, end } = renderedCells(layout, position, height, width === 0 ? 0 : total);
  const rendered = Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index);
  // `aria-activedescendant` needs the active cell, also if it is not visible.
  const cells = rendered.includes(state.active.value) || width === 0 ? rendered : [...rendered, state.active.value];
  useAfterPause(() => images.need(rendered.map((cell) => cell + 1)), 60, [first, end, images]);
  const follow = (): void => {
    if (list.current === null) return;
    const { scrollTop } = list.current;
    scrolled.value = scrollTop;
    const row = Math.round(scrollTop / layout.cellHeight);
    // A new layout scrolls to the same row, in which the first image must not change.
    if (Math.floor(state.first.peek() / layout.columns) !== row) state.first.value = row * layout.columns;
  };
  const table = { list, layout, height, state, total, onScrolled: follow, onOpen: props.onOpen };
  const keys = tableKeys(table);
  useKeys((event) => selectAllByKey(table, event));
  return (
    <div
      ref={list}
      class="cells"
      role="listbox"
      aria-multiselectable="true"
      aria-label={props.name}
      aria-activedescendant={width === 0 ? undefined : `${id}-${state.active.value}`}
      aria-describedby={`${id}-hint`}
      tabIndex={0}
      onScroll={follow}
      {...keys}
    >
      <div role="presentation" class="cells-content" style={{ height: `${layout.rows * layout.cellHeight}px` }}>
        {cells.map((cell) => (
          <Cell
            key={cell}
            id={`${id}-${cell}`}
            cell={cell}
            total={total}
            layout={layout}
            card={images.cardAt(cell + 1)}
            isMissing={images.isMissing(cell + 1)}
            isSelected={state.selection.value.has(cell)}
            isActive={cell === state.active.value}
            operations={operations}
          />
        ))}
      </div>
      <span id={`${id}-hint`} hidden>
        {message('table-hint')}
      </span>
    </div>
  );
}

/** Horizontal and vertical margin of the picture in a cell, in CSS pixels. */
const [marginX, marginY] = [28, 56];

/** Pictures are requested in few sizes, so that not every step of the slider requests them again. */
const pictureSteps = [96, 160, 256, 400, 640];

const roundUp = (length: number): number => pictureSteps.find((step) => step >= length) ?? 960;

interface PictureSizes {
  /** The size on the screen, in CSS pixels. */
  readonly shown: Size;
  /** The size of the requested picture. */
  readonly requested: Size;
}

function pictureSizes({ cellWidth, cellHeight }: TableLayout): PictureSizes {
  const shown = { width: Math.max(16, cellWidth - marginX), height: Math.max(16, cellHeight - marginY) };
  return { shown, requested: { width: roundUp(shown.width), height: roundUp(shown.height) } };
}

interface CellPictureProps {
  readonly card: ImageCard;
  readonly sizes: PictureSizes;
  readonly operations: Operations;
}

function CellPicture({ card, sizes, operations }: CellPictureProps): VNode {
  // Operations can change the aspect ratio of the picture.
  const image = operations.length === 0 ? pixelsOf(card) : undefined;
  return (
    <Picture
      path={card.width === null ? null : card.path}
      image={image}
      box={sizes.requested}
      shownIn={sizes.shown}
      alt=""
      absent="unreadable"
      operations={operations}
    />
  );
}

interface CellProps {
  readonly id: string;
  readonly cell: number;
  readonly total: number;
  readonly layout: TableLayout;
  readonly card: ImageCard | undefined;
  readonly isMissing: boolean;
  readonly isSelected: boolean;
  readonly isActive: boolean;
  readonly operations: Operations;
}

/** One image of a light table. */
function Cell({ id, cell, total, layout, card, isMissing, isSelected, isActive, operations }: CellProps): VNode {
  const { columns, cellWidth, cellHeight } = layout;
  const label = card?.label ?? (isMissing ? message('part-missing') : formatCount(cell + 1));
  const position = { left: (cell % columns) * cellWidth, top: Math.floor(cell / columns) * cellHeight };
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus, and refers to the active option.
    <div
      role="option"
      id={id}
      class={isActive ? 'cell active' : 'cell'}
      aria-selected={isSelected}
      aria-posinset={cell + 1}
      aria-setsize={total}
      data-cell={cell}
      style={{
        transform: `translate(${position.left}px, ${position.top}px)`,
        width: `${cellWidth}px`,
        height: `${cellHeight}px`,
      }}
    >
      <span class="cell-picture muted">
        {card && <CellPicture card={card} sizes={pictureSizes(layout)} operations={operations} />}
      </span>
      <span class="cell-label clip muted">{label}</span>
      <span class="cell-check">
        <Icon of={Check} size={15} />
      </span>
    </div>
  );
}

interface TableKeys {
  readonly list: { readonly current: HTMLElement | null };
  readonly layout: TableLayout;
  readonly height: number;
  readonly state: TableState;
  readonly total: number;
  /** Called as soon as a key has scrolled the list: its `scroll` event comes later, maybe after the next key. */
  readonly onScrolled: () => void;
  readonly onOpen: (cell: number) => void;
}

/** The cell of a mouse event. */
function cellOf({ target }: Event): number | undefined {
  const element = target instanceof Element ? target.closest<HTMLElement>('[data-cell]') : null;
  return element === null ? undefined : Number(element.dataset['cell']);
}

function toggle({ selection, active, anchor }: TableState, cell: number): void {
  selection.value = toggled(selection.value, cell);
  active.value = cell;
  anchor.value = cell;
}

function selectTo({ selection, active, anchor }: TableState, cell: number): void {
  selection.value = withRange(selection.value, anchor.value, cell);
  active.value = cell;
}

function moveTo({ list, layout, height, state, onScrolled }: TableKeys, cell: number, extend: boolean): void {
  if (extend) selectTo(state, cell);
  else {
    state.active.value = cell;
    state.anchor.value = cell;
  }
  if (list.current === null) return;
  list.current.scrollTop = scrollToSee(cell, layout, list.current.scrollTop, height);
  onScrolled();
}

/** Handles a key; false if it has no meaning here. */
function handleKey(keys: TableKeys, { key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean {
  const { state, total } = keys;
  const withCommand = ctrlKey || metaKey;
  if (altKey) return false;
  if (withCommand && key.toLowerCase() === 'a') state.selection.value = allOrNone(state.selection.value, total);
  else if (withCommand) return false;
  else if (key === ' ' && shiftKey) selectTo(state, state.active.value);
  else if (key === ' ') toggle(state, state.active.value);
  else if (key === 'Enter') keys.onOpen(state.active.value);
  else if (key === 'Escape') state.selection.value = noSelection;
  else {
    const cell = cellByKey(key, state.active.value, keys.layout, keys.height, total);
    if (cell === undefined) return false;
    moveTo(keys, cell, shiftKey);
  }
  return true;
}

const isInField = (event: KeyboardEvent): boolean => keyTarget(event).closest(`${fields}, dialog`) !== null;

/** Ctrl+A on the page of the table selects its images, as in any list of files, wherever the focus is outside of fields. */
function selectAllByKey(keys: TableKeys, event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey } = event;
  if (event.defaultPrevented || isInField(event) || !(ctrlKey || metaKey) || key.toLowerCase() !== 'a') return;
  if (handleKey(keys, event)) event.preventDefault();
}

/** Handles the mouse and keys on a light table. */
const tableKeys = (keys: TableKeys) => ({
  onKeyDown: (event: KeyboardEvent): void => {
    if (handleKey(keys, event)) event.preventDefault();
  },
  onClick: (event: MouseEvent): void => {
    const cell = cellOf(event);
    if (cell === undefined) return;
    if (event.shiftKey) selectTo(keys.state, cell);
    else toggle(keys.state, cell);
  },
  onDblClick: (event: MouseEvent): void => {
    const cell = cellOf(event);
    if (cell !== undefined) keys.onOpen(cell);
  },
});
