/** A loaded folder: its metadata, subfolders and images, or the results of a search in it. */
import type { VNode } from 'preact';
import type { FolderListing, ImageCard } from '../../../../src/core/image/folder/folder-listing.ts';
import { opensManifests } from '../../data/page-settings.ts';
import { message } from '../../messages/message.ts';
import { partCount } from '../../model/address/routes.ts';
import { FolderChapters } from '../common/chapters.tsx';
import { formatCount } from '../common/counts.ts';
import { titleOf } from '../common/folder-title.ts';
import type { OpenSubject } from '../open-with/addresses.ts';
import { Breadcrumbs } from './breadcrumbs.tsx';
import { FolderCards } from './folder-cards.tsx';
import { FolderHead, FolderTitle } from './folder-head.tsx';
import { ImageCards } from './image-cards.tsx';
import { ManifestField } from './manifest-field.tsx';
import { Pager } from './pager.tsx';
import { SearchResults } from './search-results.tsx';
import { StartHead } from './start-head.tsx';

interface FolderContentsProps {
  readonly page: FolderListing;
  readonly search: string;
  readonly onOpenWith: (subject: OpenSubject) => void;
}

const Empty = ({ page }: { readonly page: FolderListing }): VNode =>
  page.path === '' ? (
    <div class="empty">
      <h2>{message('empty-library')}</h2>
      <p>{message('empty-library-todo')}</p>
    </div>
  ) : (
    <p class="empty">{message('empty-folder')}</p>
  );

const ShownPart = ({ from, total }: { readonly from: number; readonly total: number }): VNode | null =>
  total <= partCount ? null : (
    <p class="note">
      {message('shown-of-total', {
        first: formatCount(from),
        last: formatCount(Math.min(total, from + partCount - 1)),
        total: formatCount(total),
      })}
    </p>
  );

function Lists({ page, onOpenWith }: Omit<FolderContentsProps, 'search'>): VNode {
  const total = Math.max(page.totalFolders, page.totalImages);
  if (total === 0) return <Empty page={page} />;
  const openImage = (card: ImageCard): void =>
    onOpenWith({
      kind: 'image',
      path: card.path,
      title: card.label,
      folder: page.path,
      at: page.from + page.images.indexOf(card),
    });
  return (
    <>
      <ShownPart from={page.from} total={total} />
      {page.folders.length > 0 && <FolderCards cards={page.folders} />}
      {page.images.length > 0 && (
        <ImageCards
          cards={page.images}
          direction={page.direction}
          isAlone={page.totalImages === 1 && page.totalFolders === 0}
          onOpenWith={openImage}
        />
      )}
      <Pager folder={page.path} from={page.from} total={total} />
    </>
  );
}

export function FolderContents({ page, search, onOpenWith }: FolderContentsProps): VNode {
  const openFolder = (): void =>
    onOpenWith({
      kind: 'folder',
      path: page.path,
      title: titleOf(page),
      hasImages: page.totalImages > 0,
      hasFolders: page.totalFolders > 0,
      firstImage: page.images[0]?.path,
    });
  return (
    <>
      {page.parents.length > 0 && <Breadcrumbs page={page} />}
      {search === '' ? (
        <>
          {page.path === '' ? (
            <StartHead page={page} onOpenWith={openFolder} />
          ) : (
            <FolderHead page={page} onOpenWith={openFolder} />
          )}
          <div class={page.contents.length > 0 ? 'with-contents' : ''}>
            <FolderChapters page={page} />
            <div>
              <Lists page={page} onOpenWith={onOpenWith} />
              {page.path === '' && opensManifests && <ManifestField />}
            </div>
          </div>
        </>
      ) : (
        <>
          <FolderTitle page={page} />
          <SearchResults page={page} query={search} />
        </>
      )}
    </>
  );
}
