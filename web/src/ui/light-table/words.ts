/** What the items of a light table are called, and how their sizes are said. */

import { tableMessage } from '../../messages/light-table-messages.ts';
import { language } from '../../messages/messages.ts';
import { trueWidth } from '../../model/light-table/arrangement.ts';
import type { TableImage, TableItem } from '../../model/light-table/table.ts';
import { ratioOf } from '../../state/light-table/table.ts';
import { factsOf, problemAt } from '../../state/light-table/table-images.ts';

const number = (value: number, digits = 0): string =>
  value.toLocaleString(language.value, { maximumFractionDigits: digits });

/** The label of a page, with the title of its book; the path until they are known. */
export function nameOf({ path, region }: TableImage): string {
  const facts = factsOf(path);
  const label = facts?.label ?? path.split('/').at(-1) ?? path;
  return region === null ? label : tableMessage('detail', { label });
}

/** How large something is compared with its original, as 1 for the true size; undefined where that is not known. */
export function shareOfSize(item: TableItem): number | undefined {
  const facts = item.kind === 'image' ? factsOf(item.path) : undefined;
  const known = facts && item.kind === 'image' ? trueWidth(facts, item.region) : undefined;
  return known && item.width / known;
}

/** Sizes are in tenths of a mm. */
const isTrue = (item: TableItem, share: number): boolean => Math.abs(item.width - item.width / share) <= 0.06;

export function sizeWords(item: TableItem): string {
  const share = shareOfSize(item);
  if (share === undefined) return tableMessage('unknown-size');
  if (isTrue(item, share)) return tableMessage('is-true-size');
  const percent = share.toLocaleString(language.value, { style: 'percent', maximumFractionDigits: 1 });
  return tableMessage('share-of-size', { percent });
}

/** The name of an item for screen readers: what it is, its size, how it is turned, and its group. */
export function spokenName(item: TableItem): string {
  const what =
    item.kind === 'image'
      ? [nameOf(item), factsOf(item.path)?.title ?? '', problemAt(item.path) ? tableMessage('unshown') : '']
      : [`${tableMessage('note')}: ${item.text.trim() || tableMessage('empty-note')}`];
  const size = tableMessage('size-in-mm', { width: number(item.width), height: number(item.width * ratioOf(item)) });
  return [
    ...what,
    size,
    item.rotation === 0 ? '' : tableMessage('is-turned', { degrees: `${number(item.rotation, 1)}°` }),
    item.group === 0 ? '' : tableMessage('in-group', { number: item.group }),
  ]
    .filter((part) => part !== '')
    .join(', ');
}

/** A length in the unit in which it has few digits. */
export function lengthWords(millimeters: number): string {
  const [unit, factor] = (
    [
      ['meter', 1000],
      ['centimeter', 10],
      ['millimeter', 1],
      ['micrometer', 0.001],
    ] as const
  ).find(([, size]) => millimeters >= size) ?? ['micrometer', 0.001];
  return (millimeters / factor).toLocaleString(language.value, { style: 'unit', unit, maximumFractionDigits: 2 });
}
