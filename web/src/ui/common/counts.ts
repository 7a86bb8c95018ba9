/** Counts as text in the reader's language. */
import type { FolderCard, FolderListing } from '../../../../src/image/folder/folder-listing.ts';
import { language, message } from '../../messages/message.ts';

/** A number with the separators of the language. */
export const formatCount = (count: number): string => count.toLocaleString(language.value);

const counted = (kind: 'image' | 'folder', count: number): string =>
  count === 1 ? message(`${kind}-count-one`) : message(`${kind}-count`, { count: formatCount(count) });

const both = (folders: number, images: number): string =>
  [folders > 0 ? counted('folder', folders) : '', images > 0 ? counted('image', images) : '']
    .filter((text) => text !== '')
    .join(' · ');

export const countsOfCard = ({ folders, images }: FolderCard): string => both(folders, images);

export const countsOfPage = ({ totalFolders, totalImages }: FolderListing): string => both(totalFolders, totalImages);
