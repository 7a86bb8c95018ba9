/** What keys and buttons do to the things on the light table. */
import { signal } from '@preact/signals';
import { tableMessage } from '../../messages/light-table-messages.ts';
import { viewRoute } from '../../model/address/routes.ts';
import { noteStyle, trueWidth } from '../../model/light-table/arrangement.ts';
import {
  atWidths,
  chosen,
  type Direction,
  grouped,
  type Keys,
  maxItems,
  moved,
  nearest,
  nextKey,
  pivotOf,
  scaled,
  stacked,
  stepTo,
  type TableItem,
  turned,
  ungrouped,
  without,
} from '../../model/light-table/table.ts';
import { plainView } from '../../model/view-state.ts';
import {
  activeKey,
  camera,
  change,
  items,
  moveCamera,
  ratioOf,
  select,
  selection,
  surface,
  targets,
} from '../../state/light-table/table.ts';
import { factsOf } from '../../state/light-table/table-images.ts';
import { goTo } from '../../state/route.ts';
import { density } from '../../state/viewport.ts';

/** What the last command has done, for the line of status. */
export const said = signal('');

/** Whether a click adds to what is selected. */
export const selectsSeveral = signal(false);

/** Whether the dialog for adding images is open. */
export const isAdding = signal(false);
/** Whether the list of keys is open. */
export const showsKeys = signal(false);
/** Counts the times that the reader wanted to write in the field for notes. */
export const writesNote = signal(0);

export function turnBy(degrees: number): void {
  const keys = targets.peek();
  change(turned(items.peek(), keys, degrees, pivotOf(items.peek(), keys, ratioOf)));
}

export function scaleBy(factor: number): void {
  const keys = targets.peek();
  if (keys.size > 0) change(scaled(items.peek(), keys, factor, pivotOf(items.peek(), keys, ratioOf)));
}

/** Turns to a number of degrees, or scales to a width in mm, a single item. */
export const turnTo = (item: TableItem, degrees: number): void =>
  change(turned(items.peek(), new Set([item.key]), degrees - item.rotation, item));

export const widen = (item: TableItem, width: number): void =>
  change(scaled(items.peek(), new Set([item.key]), width / item.width, item));

const knownWidth = (item: TableItem): number | undefined => {
  const facts = item.kind === 'image' ? factsOf(item.path) : undefined;
  return facts && item.kind === 'image' ? trueWidth(facts, item.region) : undefined;
};

/** Gives what is chosen, or else all images, their true size, and says of how many it is known. */
export function toTrueSize(): void {
  const keys: Keys = targets.peek().size > 0 ? targets.peek() : new Set(items.peek().map(({ key }) => key));
  const images = chosen(items.peek(), keys).filter(({ kind }) => kind === 'image');
  const known = images.filter((item) => knownWidth(item) !== undefined).length;
  const unknown = images.length - known;
  change(atWidths(items.peek(), keys, knownWidth));
  said.value = [
    ...(known > 0 ? [tableMessage('sized-known', { count: known })] : []),
    ...(unknown > 0 ? [tableMessage('sized-unknown', { count: unknown })] : []),
  ].join(' ');
}

export const groupChosen = (): void => change(grouped(items.peek(), selection.peek()));
export const ungroupChosen = (): void => change(ungrouped(items.peek(), targets.peek()));
export const stack = (where: 'front' | 'back'): void => change(stacked(items.peek(), targets.peek(), where));
export const removeChosen = (): void => change(without(items.peek(), targets.peek()));
export const selectAll = (): void => select(items.peek().map(({ key }) => key));

const activeItem = (): TableItem | undefined =>
  items.peek().find(({ key }) => key === activeKey.peek()) ?? items.peek()[0];

export function toggleActive(): void {
  const active = activeItem();
  if (active === undefined) return;
  toggle(active.key);
}

export function toggle(key: number): void {
  const all = selection.peek();
  const group = items.peek().find((item) => item.key === key)?.group ?? 0;
  // The whole group is put down with it.
  const isOf = (item: TableItem): boolean => item.key === key || (group !== 0 && item.group === group);
  if (all.has(key)) select(items.peek().flatMap((item) => (all.has(item.key) && !isOf(item) ? [item.key] : [])));
  else select([...all, key]);
  activeKey.value = key;
}

/** Moves the view just so far that something is in the window. */
function reveal({ x, y }: TableItem): void {
  const { mm, ...center } = camera.peek();
  const { width, height } = surface.peek();
  const [right, below] = [width * mm * 0.4, height * mm * 0.4];
  const to = {
    x: Math.min(Math.max(center.x, x - right), x + right),
    y: Math.min(Math.max(center.y, y - below), y + below),
    mm,
  };
  if (to.x !== center.x || to.y !== center.y) moveCamera(to);
}

function activate(item: TableItem | undefined): void {
  if (item === undefined) return;
  activeKey.value = item.key;
  reveal(item);
}

/** A movement of about ten pixels, in round mm. */
function stepLength(): number {
  const wanted = 10 * camera.peek().mm;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const round = [5, 2, 1].find((factor) => factor * power <= wanted * 1.001) ?? 1;
  return Math.max(0.1, round * power);
}

/** How far a key moves the view, as a fraction of the window. */
const panStep = 0.12;

/** Moves what is selected; goes to the next item, or moves the view, where nothing is. */
export function step(direction: Direction, isFine: boolean): void {
  if (selection.peek().size > 0) {
    const length = isFine ? Math.max(0.1, stepLength() / 10) : stepLength();
    change(moved(items.peek(), selection.peek(), stepTo(direction, length)));
    const active = activeItem();
    if (active !== undefined && selection.peek().has(active.key)) reveal(active);
    return;
  }
  if (isFine) {
    const { x, y, mm } = camera.peek();
    const by = stepTo(direction, surface.peek().width * mm * panStep);
    moveCamera({ x: x + by.x, y: y + by.y, mm });
    return;
  }
  const active = activeItem();
  // The first key only shows where the keyboard is.
  if (activeKey.peek() === undefined) activate(active);
  else if (active !== undefined) activate(nearest(items.peek(), active, direction));
}

export const goToEnd = (which: 'first' | 'last'): void => activate(items.peek().at(which === 'first' ? 0 : -1));

/** Lays an empty note into the middle of the window, on top, to be written. */
export function addNote(): void {
  const before = items.peek();
  if (before.length >= maxItems) {
    said.value = tableMessage('full', { count: maxItems });
    return;
  }
  const { x, y, mm } = camera.peek();
  const key = nextKey(before);
  // As wide as can be read now, whatever is seen of the table.
  const width = before.length === 0 ? noteStyle.width : Math.max(1, mm * 220);
  change([...before, { kind: 'note', key, x, y, width, rotation: 0, group: 0, text: '' }]);
  select([key]);
  activeKey.value = key;
  writesNote.value += 1;
}

/** Opens an image at the page of the viewer, with its detail; a note in its field. */
export function openItem(item: TableItem | undefined = activeItem()): void {
  if (item === undefined) return;
  activeKey.value = item.key;
  if (item.kind === 'note') {
    select([item.key]);
    writesNote.value += 1;
    return;
  }
  const plain = plainView(item.path);
  goTo(viewRoute(item.region === null ? plain : { ...plain, region: item.region }));
}

const millimetersPerInch = 25.4;

/** Shows a mm of the table as a mm on the screen, as far as the display is calibrated. */
export const showTrueSize = (): void => moveCamera({ ...camera.peek(), mm: millimetersPerInch / density.peek() });
