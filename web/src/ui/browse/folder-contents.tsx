/** A loaded folder: the way to it, its subfolders and images with their pager, or the results of a search in it. */

import { ChevronLeft, ChevronRight } from 'lucide';
import type { VNode } from 'preact';
import type { FolderListing, ImageCard } from '../../../../src/core/image/folder/folder-listing.ts';
import type { FolderWish } from '../../../../src/core/image/folder/folder-wish.ts';
import { fetchFolder } from '../../data/fetch.ts';
import { opensManifests } from '../../data/page-settings.ts';
import { language, message } from '../../messages/messages.ts';
import { pathInAddress } from '../../model/address/address.ts';
import { isForeign, pathOfIiif } from '../../model/address/address-text.ts';
import { folderRoute, imageRoute, partCount } from '../../model/address/routes.ts';
import { goTo } from '../../state/route.ts';
import { Icon, RouteLink } from '../common/button.tsx';
import { AddressField } from '../common/fields.tsx';
import { FolderChapters } from '../common/folder-facts.tsx';
import { lazilyQuiet } from '../common/loading.tsx';
import { titleOf } from '../common/picture.tsx';
import { formatCount } from '../common/words.ts';
import type { OpenSubject } from '../open-with/addresses.ts';
import { FolderCards, ImageCards } from './cards.tsx';
import { FacetChoice } from './facet-choice.tsx';
import { FolderHead, FolderTitle } from './folder-head.tsx';
import { numbersAround } from './list-parts.ts';
import { SearchResults } from './search-results.tsx';

const TourList = lazilyQuiet(async () => (await import('./tour-list.tsx')).TourList);
const MediaList = lazilyQuiet(async () => (await import('./media-list.tsx')).MediaList);

interface FolderContentsProps {
  readonly page: FolderListing;
  readonly search: string;
  readonly wish?: FolderWish | undefined;
  readonly onOpenWith: (subject: OpenSubject) => void;
}

const Empty = ({ page }: { readonly page: FolderListing }): VNode =>
  page.path === '' ? (
    <div class="empty muted">
      <h2>{message('empty-library')}</h2>
      <p>{message('empty-library-todo')}</p>
    </div>
  ) : (
    <div class="empty muted">
      <p>{message('empty-folder')}</p>
      <p class="suggested-links">
        {page.parents.slice(-1).map((parent) => (
          <RouteLink key={parent.path} class="button" to={folderRoute(parent.path)}>
            {message('found-none-browse', { folder: titleOf(parent) })}
          </RouteLink>
        ))}
      </p>
    </div>
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

function Lists({ page, wish, onOpenWith }: Omit<FolderContentsProps, 'search'>): VNode {
  const total = Math.max(page.totalFolders, page.totalImages);
  if (total === 0 && wish === undefined) {
    return page.media ? <MediaList cards={page.media} /> : <Empty page={page} />;
  }
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
      {(page.totalFolders > 1 || wish !== undefined) && (
        <FacetChoice
          place={page.path}
          wish={wish}
          facets={page.facets}
          fetchFacets={async (signal) => {
            const answer = await fetchFolder(page.path, language.peek(), { count: 1, facets: true }, signal);
            return answer.ok ? (answer.value.facets ?? null) : null;
          }}
          onWish={(wished) => goTo(folderRoute(page.path, 1, wished))}
        />
      )}
      {total === 0 && <p class="empty muted">{message('facets-none')}</p>}
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
      <Pager folder={page.path} from={page.from} total={total} wish={wish} />
      {page.media && <MediaList cards={page.media} />}
    </>
  );
}

export function FolderContents({ page, search, wish, onOpenWith }: FolderContentsProps): VNode {
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
          <FolderHead page={page} onOpenWith={openFolder} />
          <div class={page.contents.length > 0 ? 'with-contents' : ''}>
            <FolderChapters page={page} />
            <div>
              {page.tours && <TourList tours={page.tours} />}
              <Lists page={page} wish={wish} onOpenWith={onOpenWith} />
              {page.path === '' && opensManifests && <ManifestField />}
            </div>
          </div>
        </>
      ) : (
        <>
          <FolderTitle page={page} />
          <SearchResults page={page} query={search} wish={wish} />
        </>
      )}
    </>
  );
}

const Breadcrumbs = ({ page }: { readonly page: FolderListing }): VNode => (
  <nav class="breadcrumbs" aria-label={message('breadcrumbs')}>
    <ol>
      {[...page.parents, page].map((folder) => (
        <li key={folder.path}>
          <RouteLink class="clip" to={folderRoute(folder.path)} aria-current={folder === page ? 'page' : undefined}>
            {titleOf(folder)}
          </RouteLink>
          {folder !== page && <Icon of={ChevronRight} size={14} />}
        </li>
      ))}
    </ol>
  </nav>
);

interface PagerProps {
  readonly folder: string;
  readonly from: number;
  /** The number of images or of folders, whichever is larger. */
  readonly total: number;
  readonly wish: FolderWish | undefined;
}

function Pager({ folder, from, total, wish }: PagerProps): VNode | null {
  const last = Math.ceil(total / partCount);
  if (last < 2) return null;
  const current = Math.min(last, Math.ceil(from / partCount));
  const routeOf = (number: number) => folderRoute(folder, (number - 1) * partCount + 1, wish);
  return (
    <nav class="pager row wrap" aria-label={message('pages-of-folder')}>
      {current > 1 && (
        <RouteLink to={routeOf(current - 1)} rel="prev" class="button">
          <Icon of={ChevronLeft} size={16} />
          {message('page-before')}
        </RouteLink>
      )}
      <ol>
        {numbersAround(current, last).map((number, index) => (
          <li key={number ?? `gap-${index}`}>
            {number === undefined ? (
              <span aria-hidden="true">…</span>
            ) : (
              <RouteLink
                to={routeOf(number)}
                aria-label={message('page-number', { number: formatCount(number) })}
                aria-current={number === current ? 'page' : undefined}
              >
                {formatCount(number)}
              </RouteLink>
            )}
          </li>
        ))}
      </ol>
      {current < last && (
        <RouteLink to={routeOf(current + 1)} rel="next" class="button">
          {message('page-after')}
          <Icon of={ChevronRight} size={16} />
        </RouteLink>
      )}
    </nav>
  );
}

/** The path behind a typed address; one of this reading room may name a manifest too. */
function pathOf(typed: string): string | undefined {
  const own = /^https?:/i.test(typed.trim()) ? pathInAddress(typed, document.baseURI) : undefined;
  return own !== undefined && isForeign(own) ? own : pathOfIiif(typed);
}

/** A field for what another library gives out: a manifest, an image or a content state. */
const ManifestField = (): VNode => (
  <div class="manifest-field">
    <AddressField
      label={message('manifest-field')}
      button={message('manifest-open')}
      isUrl
      pathOf={pathOf}
      fault={message('manifest-no-address')}
      onPath={(path) => goTo(imageRoute(path))}
    />
  </div>
);
