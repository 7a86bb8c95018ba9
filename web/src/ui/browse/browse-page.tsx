/** The page of a folder of the library. */
import '../../styles/browse.css';
import '../../styles/cards.css';
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import type { FolderListing } from '../../../../src/core/image/folder/folder-listing.ts';
import { fetchFolder } from '../../data/fetch.ts';
import { language } from '../../messages/message.ts';
import { type BrowseRoute, partCount } from '../../model/address/routes.ts';
import { titleOf } from '../common/folder-title.ts';
import { lazily } from '../common/lazy.tsx';
import { ProblemNotice } from '../common/problem.tsx';
import { SiteHeader } from '../common/site-header.tsx';
import { documentTitle } from '../common/site-name.ts';
import { SuggestedLinks } from '../common/suggested-links.tsx';
import type { OpenSubject } from '../open-with/addresses.ts';
import { FolderContents } from './folder-contents.tsx';
import { markLastOpened } from './last-opened.ts';
import { restoreScroll, useCachedAnswer, watchHistory } from './page-history.ts';
import { SearchField } from './search-field.tsx';
import { FolderSkeleton } from './skeleton.tsx';

const OpenWith = lazily(async () => (await import('../open-with/open-with.tsx')).OpenWith);

watchHistory();

/** The listing of a route: from the cache after the back button, else from the server. */
function useFolder(route: BrowseRoute) {
  const key = JSON.stringify([route.folder, route.from, language.value]);
  // Without `from`, the server answers with the part that contains the image of the route.
  const part = { from: route.from === 1 ? undefined : route.from, count: partCount };
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
  useEffect(() => {
    document.title = documentTitle(title);
  }, [title]);
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
            onOpenWith={(subject) => {
              opened.value = subject;
            }}
          />
        )}
      </main>
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
