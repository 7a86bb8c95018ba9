/** Links to the parent folders and the current folder. */
import { ChevronRight } from 'lucide';
import type { VNode } from 'preact';
import type { FolderListing } from '../../../../src/core/image/folder/folder-listing.ts';
import { message } from '../../messages/message.ts';
import { folderRoute } from '../../model/address/routes.ts';
import { titleOf } from '../common/folder-title.ts';
import { Icon } from '../common/icon.tsx';
import { RouteLink } from '../common/route-link.tsx';

export const Breadcrumbs = ({ page }: { readonly page: FolderListing }): VNode => (
  <nav class="breadcrumbs" aria-label={message('breadcrumbs')}>
    <ol>
      {[...page.parents, page].map((folder) => (
        <li key={folder.path}>
          <RouteLink to={folderRoute(folder.path)} aria-current={folder === page ? 'page' : undefined}>
            {titleOf(folder)}
          </RouteLink>
          {folder !== page && <Icon of={ChevronRight} size={14} />}
        </li>
      ))}
    </ol>
  </nav>
);
