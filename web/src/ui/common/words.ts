/** Numbers, keys, color operators and notes as the reader’s language names them. */
import type { FolderCard, FolderListing } from '../../../../src/core/image/folder/folder-listing.ts';
import type { ColorOperator } from '../../../../src/core/image/model/color.ts';
import { countedMessage, language, type MessageKey, message } from '../../messages/messages.ts';
import type { AnnotationFault } from '../../model/notes/annotation-reader.ts';

/** With the minus sign of typography, which `Intl` has in few languages; never as -0. */
const formatWith =
  (maximumFractionDigits: number) =>
  (value: number): string =>
    value.toLocaleString(language.value, { maximumFractionDigits, signDisplay: 'negative' }).replace('-', '−');

export const formatCount = formatWith(0);

export const formatDecimal = formatWith(1);

/** A fraction of a side of the image, as precise as in addresses. */
export const formatFraction = formatWith(4);

export const formatPercent = (fraction: number): string =>
  fraction.toLocaleString(language.value, { style: 'percent', maximumFractionDigits: 0 });

/** Pixels per inch; two numbers if they differ. */
export function formatDensity(dpiX: number, dpiY: number): string {
  const [x, y] = [formatDecimal(dpiX), formatDecimal(dpiY)];
  return x === y ? x : `${x} × ${y}`;
}

const both = (folders: number, images: number): string =>
  [folders > 0 ? countedMessage('folder-count', folders) : '', images > 0 ? countedMessage('image-count', images) : '']
    .filter((text) => text !== '')
    .join(' · ');

export const countsOfCard = ({ folders, images }: FolderCard): string => both(folders, images);

export const countsOfPage = ({ totalFolders, totalImages }: FolderListing): string => both(totalFolders, totalImages);

const signs: Readonly<Record<string, string>> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Backspace: '⌫',
  Enter: '↵',
};

const named: Readonly<Record<string, MessageKey>> = {
  PageDown: 'key-page-down',
  PageUp: 'key-page-up',
  Home: 'key-home',
  End: 'key-end',
  Shift: 'key-shift',
  Ctrl: 'key-control',
  Delete: 'key-delete',
  Escape: 'key-escape',
  ' ': 'key-space',
};

function partName(part: string): string {
  const key = named[part];
  if (key !== undefined) return message(key);
  return signs[part] ?? (part.length === 1 ? part.toUpperCase() : part);
}

/** Keys are joined by a plus; the plus key itself has no modifiers. */
const partsOf = (shortcut: string): readonly string[] => (shortcut.length === 1 ? [shortcut] : shortcut.split('+'));

/** The labels of the keys of a shortcut such as `Shift+R`. */
export const keyName = (shortcut: string): string => partsOf(shortcut).map(partName).join('+');

/** The shortcut for `aria-keyshortcuts`, where a plus joins keys. */
export const ariaKeys = (shortcut: string): string => (shortcut === '+' ? 'Plus' : shortcut);

/** Whether the shortcut is a character key, which readers can turn off. */
export const isSingleKey = (shortcut: string): boolean => partsOf(shortcut).at(-1)?.length === 1;

export const operatorNames: Readonly<Record<ColorOperator, MessageKey>> = {
  GRAYSCALE: 'colop-grayscale',
  NTSC_GRAY: 'colop-ntsc',
  BITONAL: 'colop-bitonal',
  INVERT: 'colop-invert',
  MAP_GRAY_BGR: 'colop-map',
};

/** The name of a numbered note, with its text where it has one. */
export const nameOfNote = (key: 'mark-name' | 'region-name', at: number, text = ''): string =>
  `${message(key, { number: at + 1 })}${text === '' ? '' : `: ${text}`}`;

/** Errors in files of annotations as text. */
export function formatFault(fault: AnnotationFault): string {
  if (fault.reason === 'no-annotations') return message('fault-no-annotations');
  const reason = message(`fault-${fault.reason}`);
  return message(fault.approximated ? 'fault-approximated' : 'fault-left-out', { item: fault.item, reason });
}
