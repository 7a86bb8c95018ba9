/** Handles the mouse and keys on a light table. */
import { fields, keyTarget } from '../common/key-target.ts';
import { cellByKey, scrollToSee, type TableLayout } from './layout.ts';
import { allOrNone, noSelection, toggled, withRange } from './selection.ts';
import type { TableState } from './table-state.ts';

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
export function selectAllByKey(keys: TableKeys, event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey } = event;
  if (event.defaultPrevented || isInField(event) || !(ctrlKey || metaKey) || key.toLowerCase() !== 'a') return;
  if (handleKey(keys, event)) event.preventDefault();
}

export const tableKeys = (keys: TableKeys) => ({
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
