/** The cells of a light table as a list box with multiple selection, in which only the visible cells are rendered. */
import { type Signal, useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { Operations } from '../../data/images.ts';
import { message } from '../../messages/message.ts';
import type { FolderImages } from '../../state/folder-images.ts';
import { Cell } from './cell.tsx';
import { layoutTable, renderedCells, scrollOf, type TableLayout } from './layout.ts';
import { selectAllByKey, tableKeys } from './table-keys.ts';
import type { TableState } from './table-state.ts';

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

const unmeasured = { width: 0, height: 0 };

/** The size of an element without its scroll bar. */
function useClientSize(element: { readonly current: HTMLElement | null }) {
  const size = useSignal(unmeasured);
  useLayoutEffect(() => {
    const list = element.current;
    if (list === null) return undefined;
    const measure = (): void => {
      const { clientWidth: width, clientHeight: height } = list;
      if (width !== size.peek().width || height !== size.peek().height) size.value = { width, height };
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(list);
    return () => observer.disconnect();
  }, []);
  return size;
}

/** Keeps the same images in the first row when the size of cells changes; `scrolled` gets the new position in CSS pixels. */
function useStableFirstRow(
  list: { readonly current: HTMLElement | null },
  scrolled: Signal<number>,
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
  const scrolled = useSignal(0);
  const id = useId();
  const { width, height } = useClientSize(list).value;
  const layout = layoutTable({ ...props, total, width, height });
  useStableFirstRow(list, scrolled, layout, state, width > 0);
  const { first, end } = renderedCells(layout, scrolled.value, height, width === 0 ? 0 : total);
  const rendered = Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index);
  // `aria-activedescendant` needs the active cell, also if it is not visible.
  const cells = rendered.includes(state.active.value) || width === 0 ? rendered : [...rendered, state.active.value];
  useEffect(() => {
    const timer = setTimeout(() => images.need(rendered.map((cell) => cell + 1)), 60);
    return () => clearTimeout(timer);
  }, [first, end, images]);
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
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => selectAllByKey(table, event);
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  });
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
