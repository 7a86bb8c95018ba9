/** The title of a folder. */
import type { FolderLink } from '../../../../src/image/folder/folder-listing.ts';
import { message } from '../../messages/message.ts';

/** A root folder without a title is called the library. */
export const titleOf = ({ path, title }: FolderLink): string => title || path || message('library');
