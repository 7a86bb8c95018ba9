/** Formats numbers in the reader's language. */
import type { FolderCard, FolderListing } from '../../../../src/core/image/folder/folder-listing.ts';
import { countedMessage, language } from '../../messages/message.ts';

/** With the minus sign of typography, which `Intl` has in few languages; never as -0. */
const formatWith =
  (maximumFractionDigits: number) =>
  (value: number): string =>
    value.toLocaleString(language.value, { maximumFractionDigits, signDisplay: 'negative' }).replace('-', '−');

export const formatCount = formatWith(0);

export const formatDecimal = formatWith(1);

/** A fraction of a side of the image, as precise as in addresses. */
export const formatFraction = formatWith(4);

/** A fraction in percent. */
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
