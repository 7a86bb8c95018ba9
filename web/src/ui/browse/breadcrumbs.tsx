/** The folders on the way here, as links; the last one is where the reader is. */
import { ChevronRight } from 'lucide';
import type { VNode } from 'preact';
import type { FolderLink, FolderListing } from '../../../../src/image/folder/folder-listing.ts';
import { message } from '../../messages/message.ts';
import { Icon } from '../icon.tsx';
import { folderPlace } from './library-place.ts';
import { PlaceLink } from './place-link.tsx';

/** What a folder is called; a root that nobody has named is the library. */
export const titleOf = ({ path, title }: FolderLink): string => title || path || message('library');

export const Breadcrumbs = ({ page }: { readonly page: FolderListing }): VNode => (
  <nav class="breadcrumbs" aria-label={message('way-here')}>
    <ol>
      {[...page.parents, page].map((folder, index) => (
        <li key={folder.path}>
          {index > 0 && <Icon of={ChevronRight} size={14} />}
          <PlaceLink to={folderPlace(folder.path)} aria-current={folder === page ? 'page' : undefined}>
            {titleOf(folder)}
          </PlaceLink>
        </li>
      ))}
    </ol>
  </nav>
);
