/** The light table that is open: what lies on it, what is chosen, what is seen; and the way back. */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { formatRoute } from '../../model/address/address.ts';
import { type Pair, parsePairs } from '../../model/address/address-text.ts';
import type { LightTableRoute } from '../../model/address/routes.ts';
import { ratioOfNote, ratioOfPart, withPlaces } from '../../model/light-table/arrangement.ts';
import {
  boundsOf,
  emptyTable,
  type Keys,
  type LightTable,
  millimetersPerPixel,
  type RatioOf,
  type TableItem,
  tidied,
  withGroups,
} from '../../model/light-table/table.ts';
import { parseTable, tablePairs } from '../../model/light-table/table-query.ts';
import { centerOf } from '../../model/view/geometry.ts';
import type { Point } from '../../model/view-state.ts';
import { changeRoute, page } from '../route.ts';
import { readStored, store } from '../stored-preferences.ts';
import { factsOf, problemAt } from './table-images.ts';

type Items = readonly TableItem[];

const current = signal<LightTable>(emptyTable);
/** What is seen while the reader drags. */
export const preview = signal<Items | undefined>(undefined);
const keys = signal<Keys>(new Set());

export const table: ReadonlySignal<LightTable> = current;
/** What lies on the table, in the order of stacking. */
export const items: ReadonlySignal<Items> = computed(() => preview.value ?? current.value.items);
/** What is chosen, always with the whole of a group. */
export const selection: ReadonlySignal<Keys> = computed(() => withGroups(items.value, keys.value));
/** The one that keys act on where nothing is chosen. */
export const activeKey = signal<number | undefined>(undefined);

export function select(next: Iterable<number>): void {
  keys.value = withGroups(current.peek().items, new Set(next));
}

/** What tools act on: what is chosen, or else the active one with its group. */
export const targets: ReadonlySignal<Keys> = computed(() => {
  if (selection.value.size > 0) return selection.value;
  const active = activeKey.value;
  return withGroups(items.value, new Set(active === undefined ? [] : [active]));
});

/** Until the size of an image is known, it is a page. */
const usualRatio = 4 / 3;

export const ratioOf: RatioOf = (item) => {
  if (item.kind === 'note') return ratioOfNote(item.text, item.width);
  const facts = factsOf(item.path);
  return facts === undefined ? usualRatio : ratioOfPart(facts, item.region);
};

/** What is seen: the center in mm, and how many mm a CSS pixel is. */
export interface Camera extends Point {
  readonly mm: number;
}

export const camera = signal<Camera>({ x: 0, y: 0, mm: 1 });
/** The size of the surface in CSS pixels. */
export const surface = signal<Size>({ width: 0, height: 0 });

const mmLimits = { min: 0.001, max: 200 } as const;

const bounded = (mm: number): number => Math.min(Math.max(mm, mmLimits.min), mmLimits.max);

/** Whether the reader has moved the view; before that, all is shown. */
let isMoved = false;

const asView = ({ x, y, mm }: Camera): LightTable['view'] => ({ x, y, width: mm * surface.peek().width });

/** Shows all that lies on the table. */
export function showAll(): void {
  isMoved = false;
  fit();
  write();
}

function fit(): void {
  const box = boundsOf(current.peek().items, ratioOf);
  const window = surface.peek();
  if (box === undefined || window.width === 0) return;
  camera.value = { ...centerOf(box), mm: bounded(millimetersPerPixel(box, window)) };
}

/** Places the view at the beginning, and when the size of the window or of images becomes known. */
export function placeCamera(): void {
  const { view } = current.peek();
  const { width } = surface.peek();
  if (width === 0) return;
  if (isMoved && view !== undefined) camera.value = { x: view.x, y: view.y, mm: bounded(view.width / width) };
  else fit();
}

let waiting: ReturnType<typeof setTimeout> | undefined;

/** After the last movement of the view, in ms. */
const pauseMs = 200;

export function moveCamera(to: Camera): void {
  isMoved = true;
  camera.value = { ...to, mm: bounded(to.mm) };
  clearTimeout(waiting);
  waiting = setTimeout(write, pauseMs);
}

/** Zooms around a point of the surface in CSS pixels; around its center by default. */
export function zoomBy(factor: number, at?: Point): void {
  const { x, y, mm } = camera.peek();
  const { width, height } = surface.peek();
  const [right, below] = at === undefined ? [0, 0] : [at.x - width / 2, at.y - height / 2];
  const next = bounded(mm / factor);
  moveCamera({ x: x + right * (mm - next), y: y + below * (mm - next), mm: next });
}

/** The point of the table at a point of the surface. */
export const pointAt = (at: Point): Point => {
  const { x, y, mm } = camera.peek();
  const { width, height } = surface.peek();
  return { x: x + (at.x - width / 2) * mm, y: y + (at.y - height / 2) * mm };
};

const storedName = 'light-table';

/** What was written last: any other route comes from a navigation. */
let written: readonly Pair[] | undefined;

const routeOf = (pairs: readonly Pair[]): LightTableRoute => ({ kind: 'light-table', pairs });

/** Takes the table into the address, and into the browser's storage, which has room for all of it. */
function write(): void {
  clearTimeout(waiting);
  if (page.peek().kind !== 'light-table') return;
  const view = isMoved ? asView(camera.peek()) : undefined;
  current.value = { ...current.peek(), view };
  written = tablePairs(current.peek());
  store(storedName, written.length === 0 ? undefined : written);
  changeRoute(routeOf(written));
}

const isPair = (value: unknown): value is Pair =>
  Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string');

/** The table that was open last in this browser; empty where there was none. */
export function lastTable(): readonly Pair[] {
  const stored = readStored(storedName);
  return Array.isArray(stored) ? stored.filter(isPair) : [];
}

const past = signal<readonly Items[]>([]);
const future = signal<readonly Items[]>([]);
export const canUndo = computed(() => past.value.length > 0);
export const canRedo = computed(() => future.value.length > 0);

const maxSteps = 100;

/** Opens the table of an address; one that was too long for it is in the browser's storage. */
export function openTable(route: LightTableRoute): void {
  if (route.pairs === written) return;
  const stored = lastTable();
  const isStored = stored.length > 0 && formatRoute(routeOf(stored)) === formatRoute(route);
  written = route.pairs;
  current.value = parseTable(isStored ? stored : route.pairs);
  isMoved = current.peek().view !== undefined;
  [past.value, future.value, preview.value, activeKey.value] = [[], [], undefined, undefined];
  keys.value = new Set();
  placeCamera();
}

/** How many things the address is too short for. */
export const beyondAddress: ReadonlySignal<number> = computed(() => {
  const { items: all, waiting: others } = current.value;
  const inAddress = parseTable(parsePairs(formatRoute(routeOf(tablePairs(current.value))).split('?')[1] ?? ''));
  return all.length + others.length - inAddress.items.length - inAddress.waiting.length;
});

function put(next: Items): void {
  const all = new Set(next.map(({ key }) => key));
  current.value = { ...current.peek(), items: next };
  preview.value = undefined;
  keys.value = new Set([...keys.peek()].filter((key) => all.has(key)));
  if (activeKey.peek() !== undefined && !all.has(activeKey.peek() ?? 0)) activeKey.value = next.at(-1)?.key;
  write();
}

/** What the last change was about, so that a text is one step and not one for each letter. */
let lastAbout: string | undefined;

/** Takes a change that can be undone, together with those before it about the same. */
export function change(next: Items, about?: string): void {
  const before = current.peek().items;
  if (next === before) return;
  if (about === undefined || about !== lastAbout) past.value = [...past.peek(), before].slice(-maxSteps);
  lastAbout = about;
  future.value = [];
  put(next.map(tidied));
}

export function undo(): void {
  const last = past.peek().at(-1);
  if (last === undefined) return;
  lastAbout = undefined;
  past.value = past.peek().slice(0, -1);
  future.value = [...future.peek(), current.peek().items];
  put(last);
}

export function redo(): void {
  const next = future.peek().at(-1);
  if (next === undefined) return;
  future.value = future.peek().slice(0, -1);
  past.value = [...past.peek(), current.peek().items];
  put(next);
}

/** Replaces the table, as by a file. */
export function replaceTable(next: LightTable): void {
  isMoved = next.view !== undefined;
  current.value = next;
  [past.value, future.value, activeKey.value] = [[], [], undefined];
  put(next.items);
  placeCamera();
}

/** Lays down what waits, as far as its size is known; what can't be found is left out. */
export function layWaiting(): void {
  const { items: before, waiting: sources } = current.peek();
  if (sources.length === 0) return;
  if (sources.some(({ path }) => factsOf(path) === undefined && problemAt(path) === undefined)) return;
  const known = sources.flatMap((source) => {
    const facts = factsOf(source.path);
    return facts === undefined ? [] : [[source, facts] as const];
  });
  const next = withPlaces(before, known, boundsOf(before, ratioOf));
  const added = next.slice(before.length).map(({ key }) => key);
  current.value = { ...current.peek(), waiting: [] };
  isMoved = false;
  if (before.length === 0) put(next);
  else {
    change(next);
    select(added);
  }
  activeKey.value = added[0] ?? activeKey.peek();
  fit();
}

/** Adds images and details, which are laid down as soon as their size is known. */
export function addWaiting(next: LightTable): void {
  current.value = next;
  write();
}
