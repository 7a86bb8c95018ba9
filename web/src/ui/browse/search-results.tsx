/** The results of a search: folders and images by their names, pages by their texts. */

import { useSignal } from '@preact/signals';
import { Bookmark, Folder, type IconNode } from 'lucide';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { FolderListing, FoundName, FoundReason } from '../../../../src/core/image/folder/folder-listing.ts';
import { type FolderWish, wishPairs } from '../../../../src/core/image/folder/folder-wish.ts';
import type {
  FoundPage,
  SearchAnswer,
  FoundTexts as TextAnswer,
} from '../../../../src/features/search/search-answer.ts';
import { type Answer, fetchSearch, type Problem } from '../../data/fetch.ts';
import { countedMessage, language, message } from '../../messages/messages.ts';
import { folderRoute, imageRoute, searchRoute, viewRoute } from '../../model/address/routes.ts';
import { plainView } from '../../model/view-state.ts';
import { replaceRoute } from '../../state/route.ts';
import { Button, Icon, RouteLink } from '../common/button.tsx';
import { FoundWords } from '../common/found-words.tsx';
import { lazilyQuiet, ProblemNotice } from '../common/loading.tsx';
import { BreakableName, Picture, titleOf } from '../common/picture.tsx';
import { formatCount } from '../common/words.ts';
import { FacetChoice } from './facet-choice.tsx';
import { partsOf } from './list-parts.ts';
import { useCachedAnswer } from './page-history.ts';

const box = { width: 96, height: 96 };

/** Where it is: the titles of the folders around it, and of a page its position. */
function locationText({ way, place }: FoundName): string {
  const titles = [titleOf({ path: '', title: '' }), ...way].join(' › ');
  if (place === null) return titles;
  return `${titles} · ${message('found-position', { at: formatCount(place.at), total: formatCount(place.total) })}`;
}

/** A text in which the parts that match the query are marked. */
const Marked = ({ text, query }: { readonly text: string; readonly query: string }): VNode => (
  <>
    {partsOf(text, query).map((part, index) =>
      part.isMarked ? <mark key={index}>{part.text}</mark> : <BreakableName key={index} name={part.text} />,
    )}
  </>
);

const labelOf = ({ kind, label }: FoundReason): string =>
  kind === 'metadata' && label !== '' ? label : message(`found-in-${kind}`);

const Reason = ({ found: { reason }, query }: FoundProps): VNode => (
  <span class="found-reason">
    <span class="found-kind muted">{labelOf(reason)}</span> <Marked text={reason.text} query={query} />
  </span>
);

const icons: Readonly<Record<FoundName['kind'], IconNode | undefined>> = {
  folder: Folder,
  chapter: Bookmark,
  image: undefined,
};

/** Titles come before the names of files. */
const titleOfFound = ({ name, label }: FoundName): string => label ?? name;

interface FoundProps {
  readonly found: FoundName;
  readonly query: string;
}

function FoundItem({ found, query }: FoundProps): VNode {
  const title = titleOfFound(found);
  const icon = icons[found.kind];
  // The title itself is the text that was found.
  const isShown = found.reason.text === title;
  return (
    <li>
      <RouteLink to={found.kind === 'folder' ? folderRoute(found.path) : imageRoute(found.path)}>
        <span class="mat">
          <Picture path={found.cover} box={box} alt="" absent="no-cover" />
        </span>
        <span class="found-text">
          <strong>
            {icon && <Icon of={icon} size={16} />}
            <span class="clamp of-three">
              <Marked text={title} query={query} />
            </span>
          </strong>
          {!isShown && <Reason found={found} query={query} />}
          <small>
            {isShown && `${labelOf(found.reason)} · `}
            {locationText(found)}
          </small>
        </span>
      </RouteLink>
    </li>
  );
}

interface SearchResultsProps {
  readonly page: FolderListing;
  readonly query: string;
  readonly wish?: FolderWish | undefined;
}

const Scopes = ({ page, query }: SearchResultsProps): VNode | null =>
  page.path === '' ? null : (
    <nav class="scopes wrap" aria-label={message('search-scope')}>
      <RouteLink to={searchRoute(page.path, query)} aria-current="true" class="button">
        {message('scope-folder', { folder: titleOf(page) })}
      </RouteLink>
      <RouteLink to={searchRoute('', query)} class="button">
        {message('scope-library')}
      </RouteLink>
    </nav>
  );

function countText({ found, query, texts }: SearchAnswer): string {
  if (found.length === 0 && (texts?.pages.length ?? 0) > 0) return '';
  if (found.length === 0) return message('found-none', { query });
  return countedMessage('found-count', found.length);
}

const isEmpty = ({ found, texts }: SearchAnswer): boolean =>
  found.length === 0 && (texts === null || texts.pages.length === 0);

/** What to try where nothing was found. */
const NothingFound = ({ page, query }: SearchResultsProps): VNode => (
  <div class="no-results">
    <p>{message('found-none-todo')}</p>
    <p class="suggested-links">
      {page.path !== '' && (
        <RouteLink to={searchRoute('', query)} class="button">
          {message('scope-library')}
        </RouteLink>
      )}
      <RouteLink to={folderRoute(page.path)} class="button">
        {message('found-none-browse', { folder: titleOf(page) })}
      </RouteLink>
    </p>
  </div>
);

interface AnsweredProps {
  readonly answer: SearchAnswer;
  readonly askMore: FoundTextsProps['askMore'];
  readonly onMore: FoundTextsProps['onMore'];
}

const Answered = ({ answer, askMore, onMore }: AnsweredProps): VNode => (
  <>
    {answer.found.length > 0 && <JumpToTexts texts={answer.texts} />}
    <ul class="found">
      {answer.found.map((found) => (
        <FoundItem key={`${found.kind} ${found.path}`} found={found} query={answer.query} />
      ))}
    </ul>
    {!answer.complete && <p class="note">{message('found-incomplete')}</p>}
    <FoundTexts texts={answer.texts} query={answer.query} askMore={askMore} onMore={onMore} />
  </>
);

const AlikeChoice = lazilyQuiet(async () => (await import('../common/alike-choice.tsx')).AlikeChoice);

export function SearchResults({ page, query, wish }: SearchResultsProps): VNode {
  const key = JSON.stringify(['search', page.path, query, language.value, wishPairs(wish)]);
  const { now, retry, replace } = useCachedAnswer<SearchAnswer>(
    key,
    (signal) => fetchSearch(query, page.path, language.value, signal, { wish }),
    () => true,
  );
  return (
    <section class="search-results" aria-busy={now.state === 'loading'}>
      <h2>{message('search-results', { query })}</h2>
      <Scopes page={page} query={query} />
      <AlikeChoice query={query} onQuery={(to) => replaceRoute(searchRoute(page.path, to, wish))} />
      {(wish !== undefined || (now.state === 'loaded' && now.value.found.length > 1)) && (
        <FacetChoice
          place={`${page.path} ${query}`}
          wish={wish}
          facets={now.state === 'loaded' ? now.value.facets : undefined}
          fetchFacets={async (signal) => {
            const answer = await fetchSearch(query, page.path, language.peek(), signal, { facets: true });
            return answer.ok ? (answer.value.facets ?? null) : null;
          }}
          onWish={(wished) => replaceRoute(searchRoute(page.path, query, wished))}
        />
      )}
      <p class="note" role="status">
        {now.state === 'loading' && message('searching')}
        {now.state === 'loaded' && countText(now.value)}
      </p>
      {now.state === 'loaded' && isEmpty(now.value) && <NothingFound page={page} query={query} />}
      {now.state === 'loaded' && (
        <Answered
          key={key}
          answer={now.value}
          askMore={(from) => fetchSearch(query, page.path, language.value, undefined, { from, wish })}
          onMore={(texts) => replace({ ...now.value, texts })}
        />
      )}
      {now.state === 'failed' && <ProblemNotice problem={now.problem} onRetry={retry} />}
    </section>
  );
}

function locationOf({ way, place, count }: FoundPage): string {
  const titles = [titleOf({ path: '', title: '' }), ...way].join(' › ');
  const position =
    place === null ? [] : [message('found-position', { at: formatCount(place.at), total: formatCount(place.total) })];
  return [titles, ...position, countedMessage('found-matches', count)].join(' · ');
}

/** The view of the page marks the words: its address has them. */
const FoundOnPage = ({ page, query }: { readonly page: FoundPage; readonly query: string }): VNode => (
  <li>
    <RouteLink to={viewRoute({ ...plainView(page.path), search: query })}>
      <span class="mat">
        <Picture path={page.path} box={box} alt="" absent="no-cover" />
      </span>
      <span class="found-text">
        <strong>{page.label ?? page.name}</strong>
        {page.hits.map((hit, index) => (
          <span key={index} class="found-quote">
            <FoundWords hit={hit} />
          </span>
        ))}
        <small>{locationOf(page)}</small>
      </span>
    </RouteLink>
  </li>
);

const totalText = ({ total, exact }: TextAnswer): string =>
  exact ? countedMessage('found-pages', total) : message('found-pages-more', { count: formatCount(total) });

const headingId = 'found-on-pages';

/** Leads past the names to the pages, which a long list of names would hide. */
const JumpToTexts = ({ texts }: { readonly texts: TextAnswer | null }): VNode | null =>
  texts === null || texts.pages.length === 0 ? null : (
    <p class="jump-to-texts">
      <Button
        onClick={() => {
          const heading = document.getElementById(headingId);
          heading?.scrollIntoView();
          heading?.focus({ preventScroll: true });
        }}
      >
        {message('found-texts-count', { pages: totalText(texts) })}
      </Button>
    </p>
  );

interface FoundTextsProps {
  readonly texts: TextAnswer | null;
  readonly query: string;
  /** Requests the pages from a position on, from 1. */
  readonly askMore: (from: number) => Promise<Answer<SearchAnswer>>;
  /** Called with the pages so far and the next ones. */
  readonly onMore: (texts: TextAnswer) => void;
}

/** Goes on behind the pages that are shown. */
function MorePages({
  texts,
  askMore,
  onMore,
}: { readonly texts: TextAnswer } & Omit<FoundTextsProps, 'query'>): VNode | null {
  const isAsking = useSignal(false);
  const problem = useSignal<Problem | undefined>(undefined);
  const isGone = useRef(false);
  useEffect(
    () => () => {
      isGone.current = true;
    },
    [],
  );
  const { next } = texts;
  if (next === null) return null;
  const ask = async (): Promise<void> => {
    if (isAsking.value) return;
    isAsking.value = true;
    problem.value = undefined;
    const answer = await askMore(next);
    if (isGone.current) return;
    isAsking.value = false;
    if (!answer.ok) problem.value = answer.problem;
    else if (answer.value.texts !== null) {
      onMore({ ...answer.value.texts, pages: [...texts.pages, ...answer.value.texts.pages] });
    }
  };
  if (problem.value !== undefined) return <ProblemNotice problem={problem.value} onRetry={ask} />;
  return <Button onClick={ask}>{message(isAsking.value ? 'searching' : 'found-more-pages')}</Button>;
}

/** Nothing where no words were found on pages. */
const FoundTexts = ({ texts, query, askMore, onMore }: FoundTextsProps): VNode | null =>
  texts === null || texts.pages.length === 0 ? null : (
    <section class="found-on-pages" aria-labelledby={headingId}>
      <h3 id={headingId} tabIndex={-1}>
        {message('found-texts')}
      </h3>
      <p class="note">{totalText(texts)}</p>
      <ul class="found">
        {texts.pages.map((page) => (
          <FoundOnPage key={page.path} page={page} query={query} />
        ))}
      </ul>
      <MorePages texts={texts} askMore={askMore} onMore={onMore} />
    </section>
  );
