/** A folder of the library: what lies in it, and what is said of it. */
import '../../styles/browse.css';
import '../../styles/cards.css';
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import type { FolderListing } from '../../../../src/image/folder/folder-listing.ts';
import { askFolder } from '../../data/folder.ts';
import { language, message } from '../../messages/message.ts';
import { type BrowseRoute, partCount } from '../../model/routes.ts';
import { titleOf } from '../common/folder-title.ts';
import { lazily } from '../common/lazy.tsx';
import { ProblemNotice } from '../common/problem.tsx';
import { SiteHeader } from '../common/site-header.tsx';
import { SuggestedLinks } from '../common/suggested-links.tsx';
import { useAnswer } from '../common/use-answer.ts';
import type { OpenSubject } from '../open-with/subject.ts';
import { FolderContents } from './folder-contents.tsx';
import { markLastOpened } from './last-opened.ts';
import { arrive, cachedPage, cachePage, watchHistory } from './page-history.ts';
import { SearchField } from './search-field.tsx';
import { FolderSkeleton } from './skeleton.tsx';

const OpenWith = lazily(async () => (await import('../open-with/open-with.tsx')).OpenWith);

watchHistory();

/** The folder of a place, as it was left where the reader came back. */
function useFolder(place: BrowseRoute) {
  const key = JSON.stringify([place.folder, place.from, language.value]);
  // The part that holds an image is found where the address names the image and no part.
  const part = { from: place.from === 1 ? undefined : place.from, count: partCount };
  const { awaited, retry } = useAnswer<FolderListing>(
    key,
    (signal) => askFolder(place.folder, language.value, part, signal),
    cachedPage(key),
    (shown) => shown.path === place.folder,
  );
  const now = awaited.value;
  const isHere = now.state === 'here' && now.key === key;
  useEffect(() => {
    if (now.state === 'here') cachePage(now.key, now.value);
  }, [now]);
  // Before it is painted, so that nobody sees the page jump.
  useLayoutEffect(() => {
    if (!isHere) return;
    arrive(document.querySelector('h1'));
    markLastOpened(place.folder);
  }, [isHere, place.folder, place.from]);
  return { now, retry };
}

export function BrowsePage({ place }: { readonly place: BrowseRoute }): VNode {
  const opened = useSignal<OpenSubject | undefined>(undefined);
  const { now, retry } = useFolder(place);
  const title = now.state === 'here' ? titleOf(now.value) : place.folder || message('library');
  useEffect(() => {
    document.title = `${title} – Lectern`;
  }, [title]);
  return (
    <div class="browse">
      <SiteHeader>
        <SearchField place={place} />
      </SiteHeader>
      <main id="content" tabIndex={-1} aria-busy={now.state === 'loading'}>
        {now.state === 'loading' && <FolderSkeleton />}
        {now.state === 'failed' && (
          <ProblemNotice problem={now.problem} onRetry={retry} isWhole>
            {now.problem === 'not-found' && <SuggestedLinks path={place.folder} />}
          </ProblemNotice>
        )}
        {now.state === 'here' && (
          <FolderContents
            page={now.value}
            search={place.search}
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
