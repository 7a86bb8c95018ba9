/** The page of a folder of the library, with the field that searches it. */
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { FolderListing } from '../../../../src/core/image/folder/folder-listing.ts';
import { wishPairs } from '../../../../src/core/image/folder/folder-wish.ts';
import { fetchFolder } from '../../data/fetch.ts';
import { language, message } from '../../messages/messages.ts';
import { type BrowseRoute, partCount, searchRoute } from '../../model/address/routes.ts';
import { goTo, replaceRoute } from '../../state/route.ts';
import { shortcutsOn } from '../../state/stored-preferences.ts';
import { fields, keyTarget, useKeys } from '../common/elements.ts';
import { SearchInput } from '../common/fields.tsx';
import { lazily, ProblemNotice, SuggestedLinks } from '../common/loading.tsx';
import { titleOf, useDocumentTitle } from '../common/picture.tsx';
import { SiteFooter } from '../common/site-footer.tsx';
import { SiteHeader } from '../common/site-header.tsx';
import type { OpenSubject } from '../open-with/addresses.ts';
import { FolderContents } from './folder-contents.tsx';
import { markLastOpened, restoreScroll, useCachedAnswer, watchHistory } from './page-history.ts';

const OpenWith = lazily(async () => (await import('../open-with/open-with.tsx')).OpenWith);

watchHistory();

/** The listing of a route: from the cache after the back button, else from the server. */
function useFolder(route: BrowseRoute) {
  const key = JSON.stringify([route.folder, route.from, language.value, wishPairs(route.wish)]);
  // Without `from`, the server answers with the part that contains the image of the route.
  const part = { from: route.from === 1 ? undefined : route.from, count: partCount, wish: route.wish };
  const { now, retry } = useCachedAnswer<FolderListing>(
    key,
    (signal) => fetchFolder(route.folder, language.value, part, signal),
    (shown) => shown.path === route.folder,
  );
  const isHere = now.state === 'loaded' && now.key === key;
  // Before painting, so that the page does not jump visibly.
  useLayoutEffect(() => {
    if (!isHere) return;
    restoreScroll(document.querySelector('h1'));
    markLastOpened(route.folder);
  }, [isHere, route.folder, route.from]);
  return { now, retry };
}

export function BrowsePage({ route }: { readonly route: BrowseRoute }): VNode {
  const opened = useSignal<OpenSubject | undefined>(undefined);
  const { now, retry } = useFolder(route);
  const title = now.state === 'loaded' ? titleOf(now.value) : titleOf({ path: route.folder, title: '' });
  useDocumentTitle(title);
  return (
    <div class="browse">
      <SiteHeader>
        <SearchField route={route} />
      </SiteHeader>
      <main id="content" tabIndex={-1} aria-busy={now.state === 'loading'}>
        {now.state === 'loading' && <FolderSkeleton />}
        {now.state === 'failed' && (
          <ProblemNotice problem={now.problem} onRetry={retry} isWhole>
            {now.problem === 'not-found' && <SuggestedLinks path={route.folder} />}
          </ProblemNotice>
        )}
        {now.state === 'loaded' && (
          <FolderContents
            page={now.value}
            search={route.search}
            wish={route.wish}
            onOpenWith={(subject) => {
              opened.value = subject;
            }}
          />
        )}
      </main>
      <SiteFooter />
      {opened.value && (
        <OpenWith
          subject={opened.value}
          onClose={() => {
            opened.value = undefined;
          }}
        />
      )}
    </div>
  );
}

/** Delay after the last letter before a search, in ms. */
const pauseMs = 250;

/** Only the beginning of a search adds an entry to the history of the browser. */
function searchFor(route: BrowseRoute, text: string): void {
  const search = text.trim();
  if (search === route.search) return;
  // The choice among the folders on the page is none among what is found.
  if (route.search === '') goTo(searchRoute(route.folder, search));
  else replaceRoute(searchRoute(route.folder, search, route.wish));
}

/** `/` puts the keyboard into the field. */
export const useSearchKey = (field: { readonly current: HTMLInputElement | null }): void =>
  useKeys((event) => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (event.key !== '/' || !isPlain || !shortcutsOn.value || keyTarget(event).closest(fields)) return;
    if (document.querySelector('dialog[open]') !== null) return;
    event.preventDefault();
    field.current?.focus();
  });

function SearchField({ route }: { readonly route: BrowseRoute }): VNode {
  const field = useRef<HTMLInputElement>(null);
  useSearchKey(field);
  return (
    <SearchInput
      field={field}
      name={message('search-names')}
      shortcut={shortcutsOn.value ? '/' : undefined}
      searched={route.search}
      pauseMs={pauseMs}
      onSearch={(text) => searchFor(route, text)}
    />
  );
}

/** Enough to fill a window. */
const cards = Array.from({ length: 12 }, (_, index) => index);

const FolderSkeleton = (): VNode => (
  <div class="skeleton">
    <p class="off-screen" role="status">
      {message('loading')}
    </p>
    <div class="skeleton-title" aria-hidden="true" />
    <ul class="image-cards" aria-hidden="true">
      {cards.map((card) => (
        <li key={card} class="image-card">
          <span class="mat" />
        </li>
      ))}
    </ul>
  </div>
);
