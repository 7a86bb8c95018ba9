/** The keys of the light table, while the focus is on its surface. */
import type { LightTableKey } from '../../messages/light-table-messages.ts';
import type { MessageKey } from '../../messages/messages.ts';
import type { Direction } from '../../model/light-table/table.ts';
import { redo, select, showAll, undo, zoomBy } from '../../state/light-table/table.ts';
import {
  addNote,
  goToEnd,
  groupChosen,
  isAdding,
  openItem,
  removeChosen,
  scaleBy,
  selectAll,
  showsKeys,
  showTrueSize,
  stack,
  step,
  toggleActive,
  toTrueSize,
  turnBy,
  ungroupChosen,
} from './commands.ts';

const arrows: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

const zoomStep = 1.4;
const sizeStep = 1.1;

const openPicker = (): void => {
  isAdding.value = true;
};

const plainKeys: Readonly<Record<string, () => void>> = {
  ' ': toggleActive,
  Enter: () => openItem(),
  Escape: () => select([]),
  ']': () => turnBy(5),
  '[': () => turnBy(-5),
  r: () => turnBy(90),
  R: () => turnBy(-90),
  '.': () => scaleBy(sizeStep),
  ',': () => scaleBy(1 / sizeStep),
  t: toTrueSize,
  g: groupChosen,
  G: ungroupChosen,
  n: addNote,
  a: openPicker,
  PageUp: () => stack('front'),
  PageDown: () => stack('back'),
  Home: () => goToEnd('first'),
  End: () => goToEnd('last'),
  Delete: removeChosen,
  Backspace: removeChosen,
  '+': () => zoomBy(zoomStep),
  '=': () => zoomBy(zoomStep),
  '-': () => zoomBy(1 / zoomStep),
  '0': showAll,
  '1': showTrueSize,
  '?': () => {
    showsKeys.value = true;
  },
};

const commandKeys: Readonly<Record<string, () => void>> = { a: selectAll, z: undo, y: redo };

function actionOf({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): (() => void) | undefined {
  if (altKey) return undefined;
  const direction = Object.hasOwn(arrows, key) ? arrows[key] : undefined;
  if (ctrlKey || metaKey) {
    const letter = key.toLowerCase();
    if (letter === 'z' && shiftKey) return redo;
    return Object.hasOwn(commandKeys, letter) ? commandKeys[letter] : undefined;
  }
  if (direction !== undefined) return () => step(direction, shiftKey);
  return Object.hasOwn(plainKeys, key) ? plainKeys[key] : undefined;
}

/** For the `onKeyDown` of the surface. */
export function pressKey(event: KeyboardEvent): void {
  const act = actionOf(event);
  if (act === undefined) return;
  event.preventDefault();
  act();
}

/** In the order of the help. */
export const keyRows: readonly (readonly [keys: readonly string[], name: LightTableKey | MessageKey])[] = [
  [['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'], 'key-go'],
  [['Home', 'End'], 'key-ends'],
  [[' '], 'key-pick'],
  [['Ctrl+A'], 'select-all'],
  [['Escape'], 'key-clear'],
  [['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'], 'key-move'],
  [['Shift+ArrowLeft', 'Shift+ArrowRight'], 'key-move-fine'],
  [['[', ']'], 'key-turn'],
  [['r', 'Shift+R'], 'key-turn-quarter'],
  [[',', '.'], 'key-size'],
  [['t'], 'true-size'],
  [['PageUp', 'PageDown'], 'key-stack'],
  [['g', 'Shift+G'], 'key-group'],
  [['n'], 'add-note'],
  [['a'], 'add'],
  [['Enter'], 'key-open'],
  [['Delete'], 'remove'],
  [['Ctrl+Z'], 'undo'],
  [['Ctrl+Shift+Z'], 'redo'],
  [['+', '-'], 'key-zoom'],
  [['0'], 'all'],
  [['1'], 'at-true-size'],
];
