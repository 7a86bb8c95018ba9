/** Folders and images whose names, labels or metadata hold what was searched for. */
import { Folder } from 'lucide';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import type { FolderListing, FoundName, SearchAnswer } from '../../../../src/image/folder/folder-listing.ts';
import { askSearch } from '../../data/folder.ts';
import { language, message } from '../../messages/message.ts';
import { folderPlace, imagePlace, searchPlace } from '../../model/routes.ts';
import { shownNumber } from '../common/counts.ts';
import { titleOf } from '../common/folder-title.ts';
import { Icon } from '../common/icon.tsx';
import { Picture } from '../common/picture.tsx';
import { ProblemNotice } from '../common/problem.tsx';
import { PlaceLink } from '../common/route-link.tsx';
import { useAnswer } from '../common/use-answer.ts';
import { MarkedName } from './marked-name.tsx';
import { keepPage, pageLeft } from './page-history.ts';

const box = { width: 96, height: 96 };

const pathText = (folder: string): string => [message('library'), ...folder.split('/').filter(Boolean)].join(' › ');

function whereText({ folder, place }: FoundName): string {
  if (place === null) return pathText(folder);
  const values = { at: shownNumber(place.at), total: shownNumber(place.total) };
  return `${pathText(folder)} · ${message('found-place', values)}`;
}

const Found = ({ found, query }: { readonly found: FoundName; readonly query: string }): VNode => (
  <li>
    <PlaceLink to={found.kind === 'folder' ? folderPlace(found.path) : imagePlace(found.path)}>
      <span class="mat">
        <Picture path={found.cover} box={box} alt="" absent="no-cover" />
      </span>
      <span class="found-text">
        <strong>
          {found.kind === 'folder' && <Icon of={Folder} size={16} />}
          <span>
            <MarkedName name={found.label ?? found.name} query={query} />
          </span>
        </strong>
        {found.label !== null && (
          <span class="found-name">
            <MarkedName name={found.name} query={query} />
          </span>
        )}
        <small>{whereText(found)}</small>
      </span>
    </PlaceLink>
  </li>
);

interface SearchResultsProps {
  readonly page: FolderListing;
  readonly query: string;
}

const Scopes = ({ page, query }: SearchResultsProps): VNode | null =>
  page.path === '' ? null : (
    <nav class="scopes" aria-label={message('search-scope')}>
      <PlaceLink to={searchPlace(page.path, query)} aria-current="true" class="button">
        {message('scope-folder', { folder: titleOf(page) })}
      </PlaceLink>
      <PlaceLink to={searchPlace('', query)} class="button">
        {message('scope-library')}
      </PlaceLink>
    </nav>
  );

function countText({ found, query }: SearchAnswer): string {
  if (found.length === 0) return message('found-none', { query });
  return found.length === 1 ? message('found-one') : message('found-count', { count: shownNumber(found.length) });
}

const Answered = ({ answer }: { readonly answer: SearchAnswer }): VNode => (
  <>
    <ul class="found">
      {answer.found.map((found) => (
        <Found key={`${found.kind} ${found.path}`} found={found} query={answer.query} />
      ))}
    </ul>
    {!answer.complete && <p class="note">{message('found-incomplete')}</p>}
  </>
);

export function SearchResults({ page, query }: SearchResultsProps): VNode {
  const key = JSON.stringify(['search', page.path, query, language.value]);
  const { awaited, retry } = useAnswer<SearchAnswer>(
    key,
    (signal) => askSearch(query, page.path, language.value, signal),
    pageLeft(key),
    () => true,
  );
  const now = awaited.value;
  useEffect(() => {
    if (now.state === 'here') keepPage(now.key, now.value);
  }, [now]);
  return (
    <section class="search-results" aria-busy={now.state === 'loading'}>
      <h2>{message('search-results', { query })}</h2>
      <Scopes page={page} query={query} />
      <p class="note" role="status">
        {now.state === 'loading' && message('searching')}
        {now.state === 'here' && countText(now.value)}
      </p>
      {now.state === 'here' && <Answered answer={now.value} />}
      {now.state === 'failed' && <ProblemNotice problem={now.problem} onRetry={retry} />}
    </section>
  );
}
