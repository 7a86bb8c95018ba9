/** The title of a folder. */
import type { FolderLink } from '../../../../src/core/image/folder/folder-listing.ts';
import { message } from '../../messages/message.ts';
import { libraryName } from './site-name.ts';

/** The root is called by the library's name, and without one by its title. */
export const titleOf = ({ path, title }: FolderLink): string =>
  (path === '' ? libraryName() : '') || title || path || message('library');
