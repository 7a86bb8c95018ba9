/** The page of a collection of another host: what it says of itself as that of a folder does, and its members as cards. */
import '../../styles/collection.css';
import { ChevronRight } from 'lucide';
import type { ComponentChildren, VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { FolderListing } from '../../../../src/core/image/folder/folder-listing.ts';
import { collectionCount, collectionMessage } from '../../messages/collection-messages.ts';
import { message } from '../../messages/messages.ts';
import { foreignPath, parseForeignPath } from '../../model/address/address-text.ts';
import { viewRoute } from '../../model/address/routes.ts';
import { listingOfCollection } from '../../model/manifest/collection.ts';
import { plainView } from '../../model/view-state.ts';
import { listingOptions } from '../../state/foreign.ts';
import type { OpenCollection } from '../../state/open-collection.ts';
import { readerText } from '../../state/reader-languages.ts';
import { view } from '../../state/view.ts';
import { PlaceLinks } from '../about/place-links.tsx';
import { Details, Heading, Summary } from '../browse/folder-head.tsx';
import { restoreScroll } from '../browse/page-history.ts';
import { TitleLines } from '../browse/title-page.tsx';
import { Icon, RouteLink } from '../common/button.tsx';
import { useDocumentTitle } from '../common/picture.tsx';
import { SiteFooter } from '../common/site-footer.tsx';
import { SiteHeader } from '../common/site-header.tsx';
import { useForeignPicture } from './foreign-picture.ts';
import { MemberList } from './member-list.tsx';

interface CollectionProps {
  readonly collection: OpenCollection;
  readonly embedded: boolean;
}

/** The collections that it is part of. */
function Around({ collection: { about }, embedded }: CollectionProps): VNode | null {
  if (about.around.length === 0) return null;
  return (
    <nav class="breadcrumbs" aria-label={message('breadcrumbs')}>
      <ol>
        {about.around.map(({ address, label }) => (
          <li key={address}>
            <RouteLink class="clip" to={viewRoute(plainView(foreignPath({ manifest: address, canvas: '' })), embedded)}>
              {readerText(label).join(' ')}
            </RouteLink>
            <Icon of={ChevronRight} size={14} />
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** How many members of each kind there are; of a collection in parts how many all parts have, where it says so. */
function countsOf({ about, members, next }: OpenCollection): string {
  if (next.value !== undefined) return about.total === undefined ? '' : collectionCount('entries', about.total);
  const collections = members.value.filter(({ kind }) => kind === 'collection').length;
  const books = members.value.length - collections;
  return [
    collections > 0 ? collectionCount('collections', collections) : '',
    books > 0 ? collectionCount('books', books) : '',
  ]
    .filter((text) => text !== '')
    .join(' · ');
}

const coverBox = { width: 256, height: 320 };

const logoBox = { width: 240, height: 64 };

/** The document itself, and of a collection inside of it its id. */
function SourceLink({ collection }: Pick<CollectionProps, 'collection'>): VNode {
  return (
    <p class="foreign-address muted">
      {collectionMessage('address')}{' '}
      <a href={collection.document} target="_blank" rel="noopener noreferrer">
        {collection.document}
      </a>
    </p>
  );
}

interface HeadProps extends Pick<CollectionProps, 'collection'> {
  readonly page: FolderListing;
}

function CollectionHead({ collection, page }: HeadProps): VNode {
  const { about } = collection;
  const cover = useForeignPicture(about.thumbnail, coverBox);
  const logo = useForeignPicture(about.logo, logoBox);
  return (
    <header class={cover ? 'folder-head title-page' : 'folder-head'}>
      {cover && (
        <p class="cover-link">
          <img {...cover} alt="" />
        </p>
      )}
      <div class="title-text">
        <p class="muted">{collectionMessage('kind-at', { host: new URL(collection.document).host })}</p>
        <Heading page={page} />
        <TitleLines page={page} />
        <p class="counts muted">{countsOf(collection)}</p>
        <Summary page={page} />
        {about.places.length > 0 && (
          <div class="collection-places">
            <PlaceLinks places={about.places} />
          </div>
        )}
        {logo && <img {...logo} class="provider-logo" alt="" />}
        <Details page={page} />
        <SourceLink collection={collection} />
      </div>
    </header>
  );
}

/** With the header and the footer of the site, except inside of another page. */
const Frame = ({ embedded, children }: { readonly embedded: boolean; readonly children: ComponentChildren }): VNode => (
  <div class="browse collection-page">
    {!embedded && <SiteHeader />}
    {children}
    {!embedded && <SiteFooter />}
  </div>
);

/** What the address asks of the list; as it was while another page is opening. */
function useQuery({ path }: OpenCollection) {
  const query = useRef('');
  const isOpening = view.value.fn !== path;
  if (!isOpening) query.current = view.value.search;
  return { query: query.current, isOpening };
}

export function CollectionPage({ collection, embedded }: CollectionProps): VNode {
  const { query, isOpening } = useQuery(collection);
  const id = parseForeignPath(collection.path)?.canvas || collection.document;
  const page = listingOfCollection(collection.about, collection.path, listingOptions(id));
  useDocumentTitle(page.title);
  // Before painting, so that the page does not jump visibly.
  useLayoutEffect(() => restoreScroll(document.querySelector('h1')), []);
  return (
    <Frame embedded={embedded}>
      <main id="content" tabIndex={-1} aria-busy={isOpening}>
        <Around collection={collection} embedded={embedded} />
        <CollectionHead collection={collection} page={page} />
        <MemberList collection={collection} query={query} embedded={embedded} />
        {isOpening && (
          <p class="collection-opening floating" role="status">
            {message('loading')}
          </p>
        )}
      </main>
    </Frame>
  );
}
