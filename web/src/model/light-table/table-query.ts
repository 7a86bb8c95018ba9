/** The parameters of a light table in its address: one for each thing on it, from the lowest to the one on top. */

import {
  cleanPath,
  formatNumbers,
  isForeign,
  type Pair,
  parseForeignPath,
  parseNumbers,
  rounded,
} from '../address/address-text.ts';
import { normalizedDegrees } from '../address/view-query.ts';
import type { Rect } from '../view-state.ts';
import {
  emptyTable,
  farthest,
  type LightTable,
  maxItems,
  type Place,
  type Source,
  type TableItem,
  type TableView,
  tidied,
  widths,
} from './table.ts';

/** In characters; longer notes are cut. */
export const maxNote = 1000;

/** Of regions: a pixel of an image of 10 gigapixels. */
const decimals = 5;

/** `x/y/width`, and `/rotation` and `/group` unless they are 0. */
const formatPlace = ({ x, y, width, rotation, group }: Place): string =>
  formatNumbers(
    [x, y, width, ...(rotation !== 0 || group !== 0 ? [rotation] : []), ...(group === 0 ? [] : [group])],
    1,
  );

function parsePlace(text: string): Place | undefined {
  const count = text.split('/').length;
  const numbers = count < 3 || count > 5 ? undefined : parseNumbers(text, count, 'refused');
  if (numbers === undefined) return undefined;
  const [x = 0, y = 0, width = 0, rotation = 0, group = 0] = numbers;
  if (Math.abs(x) > farthest || Math.abs(y) > farthest || width < widths.min || width > widths.max) return undefined;
  const isGroup = Number.isInteger(group) && group > 0 && group <= maxItems;
  return tidied({ x, y, width, rotation: normalizedDegrees(rotation), group: isGroup ? group : 0 });
}

const formatRegion = (region: Rect | null): string =>
  region === null ? '' : formatNumbers([region.x, region.y, region.width, region.height], decimals);

function parseRegion(text: string): Rect | null {
  const [x = 0, y = 0, width = 0, height = 0] = parseNumbers(text, 4, 'refused') ?? [];
  const isInside = x >= 0 && y >= 0 && x + width <= 1.0001 && y + height <= 1.0001;
  return width > 0 && height > 0 && isInside ? { x, y, width, height } : null;
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

/** A path of the folder, or of the manifest, of the image before begins with its slash. */
const formatPath = (path: string, before: string): string => {
  const folder = folderOf(before);
  return folder !== '' && folder === folderOf(path) ? `/${path.slice(folder.length)}` : path;
};

function parsePath(text: string, before: string): string {
  const path = text.startsWith('/') && !text.startsWith('//') ? folderOf(before) + text.slice(1) : text;
  if (!isForeign(path)) return cleanPath(path);
  return parseForeignPath(path) === undefined ? '' : path;
}

const splitAt = (text: string, count: number): readonly string[] => {
  const parts = text.split(',');
  return [...parts.slice(0, count), parts.slice(count).join(',')];
};

const named = /^([1-9]\d{0,2})(n?)$/;

function parseView(text: string): TableView | undefined {
  const [x = 0, y = 0, width = 0] = parseNumbers(text, 3, 'refused') ?? [];
  return width > 0 && [x, y, width].every((value) => Math.abs(value) <= 10 * farthest) ? { x, y, width } : undefined;
}

/** Malformed parameters count as absent. */
export function parseTable(pairs: readonly Pair[]): LightTable {
  const items: TableItem[] = [];
  const waiting: Source[] = [];
  let before = '';
  for (const [name, value] of pairs) {
    const [, number, note] = named.exec(name) ?? [];
    if (number === undefined || items.length + waiting.length >= maxItems) continue;
    const key = items.length + 1;
    if (note !== '') {
      const [place = '', text = ''] = splitAt(value, 1);
      const at = parsePlace(place);
      if (at !== undefined) items.push({ kind: 'note', key, ...at, rotation: 0, text: text.slice(0, maxNote) });
      continue;
    }
    const [place = '', region = '', written = ''] = splitAt(value, 2);
    const path = parsePath(written, before);
    if (path === '') continue;
    before = path;
    const source = { path, region: parseRegion(region) };
    const at = parsePlace(place);
    if (at === undefined) waiting.push(source);
    else items.push({ kind: 'image', key, ...at, ...source });
  }
  const view = parseView(new Map(pairs).get('view') ?? '');
  return items.length + waiting.length === 0 ? emptyTable : { items, waiting, view };
}

/** `parseTable` reads them back. */
export function tablePairs({ items, waiting, view }: LightTable): readonly Pair[] {
  let before = '';
  const imageText = (place: string, { path, region }: Source): string => {
    const text = `${place},${formatRegion(region)},${formatPath(path, before)}`;
    before = path;
    return text;
  };
  const pairs: Pair[] = items.map((item, at) =>
    item.kind === 'note'
      ? [`${at + 1}n`, `${formatPlace(item)},${item.text}`]
      : [`${at + 1}`, imageText(formatPlace(item), item)],
  );
  waiting.forEach((source, at) => {
    pairs.push([`${items.length + at + 1}`, imageText('', source)]);
  });
  const seen = view && formatNumbers([rounded(view.x, 1), rounded(view.y, 1), rounded(view.width, 1)], 1);
  return seen === undefined ? pairs : [...pairs, ['view', seen]];
}

/** A table with images and details that are laid beside each other when it is opened. */
export const tableOf = (sources: readonly Source[]): LightTable => ({
  ...emptyTable,
  waiting: sources.slice(0, maxItems),
});

/** A table with more images and details; those for which there is no room are left out. */
export const withSources = (table: LightTable, sources: readonly Source[]): LightTable => ({
  ...table,
  waiting: [...table.waiting, ...sources].slice(0, Math.max(0, maxItems - table.items.length)),
});
