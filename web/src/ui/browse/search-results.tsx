/** The results of a search in names, labels and metadata. */
import { Bookmark, Folder, type IconNode } from 'lucide';
import type { VNode } from 'preact';
import type { FolderListing, FoundName, FoundReason } from '../../../../src/core/image/folder/folder-listing.ts';
import type { SearchAnswer } from '../../../../src/features/search/search-answer.ts';
import { fetchSearch } from '../../data/fetch.ts';
import { countedMessage, language, message } from '../../messages/message.ts';
import { folderRoute, imageRoute, searchRoute } from '../../model/address/routes.ts';
import { Icon, RouteLink } from '../common/button.tsx';
import { Picture } from '../common/picture.tsx';
import { ProblemNotice } from '../common/problem.tsx';
import { BreakableName, titleOf } from '../common/titles.tsx';
import { formatCount } from '../common/words.ts';
import { FoundTexts, type FoundTextsProps, JumpToTexts } from './found-texts.tsx';
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

/** Why it was found. */
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

function Found({ found, query }: FoundProps): VNode {
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
            <span>
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
        <Found key={`${found.kind} ${found.path}`} found={found} query={answer.query} />
      ))}
    </ul>
    {!answer.complete && <p class="note">{message('found-incomplete')}</p>}
    <FoundTexts texts={answer.texts} query={answer.query} askMore={askMore} onMore={onMore} />
  </>
);

export function SearchResults({ page, query }: SearchResultsProps): VNode {
  const key = JSON.stringify(['search', page.path, query, language.value]);
  const { now, retry, replace } = useCachedAnswer<SearchAnswer>(
    key,
    (signal) => fetchSearch(query, page.path, language.value, signal),
    () => true,
  );
  return (
    <section class="search-results" aria-busy={now.state === 'loading'}>
      <h2>{message('search-results', { query })}</h2>
      <Scopes page={page} query={query} />
      <p class="note" role="status">
        {now.state === 'loading' && message('searching')}
        {now.state === 'loaded' && countText(now.value)}
      </p>
      {now.state === 'loaded' && (
        <Answered
          key={key}
          answer={now.value}
          askMore={(from) => fetchSearch(query, page.path, language.value, undefined, from)}
          onMore={(texts) => replace({ ...now.value, texts })}
        />
      )}
      {now.state === 'failed' && <ProblemNotice problem={now.problem} onRetry={retry} />}
    </section>
  );
}
