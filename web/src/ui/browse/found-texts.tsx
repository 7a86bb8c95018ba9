/** The pages on whose texts the words of a search stand, with the text around them. */
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { FoundTexts as Found, FoundPage } from '../../../../src/features/search/found-texts.ts';
import type { SearchAnswer } from '../../../../src/features/search/search-answer.ts';
import type { Answer, Problem } from '../../data/fetch.ts';
import { countedMessage, message } from '../../messages/message.ts';
import { viewRoute } from '../../model/address/routes.ts';
import { plainView } from '../../model/view-state.ts';
import { Button, RouteLink } from '../common/button.tsx';
import { Picture } from '../common/picture.tsx';
import { ProblemNotice } from '../common/problem.tsx';
import { titleOf } from '../common/titles.tsx';
import { formatCount } from '../common/words.ts';

const box = { width: 96, height: 96 };

const Snippet = ({ hit: { before, match, after } }: { readonly hit: FoundPage['hits'][number] }): VNode => (
  <span class="found-quote">
    {before !== '' && `… ${before} `}
    <mark>{match}</mark>
    {after !== '' && ` ${after} …`}
  </span>
);

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
          <Snippet key={index} hit={hit} />
        ))}
        <small>{locationOf(page)}</small>
      </span>
    </RouteLink>
  </li>
);

const totalText = ({ total, exact }: Found): string =>
  exact ? countedMessage('found-pages', total) : message('found-pages-more', { count: formatCount(total) });

const headingId = 'found-on-pages';

/** Leads past the names to the pages, which a long list of names would hide. */
export const JumpToTexts = ({ texts }: { readonly texts: Found | null }): VNode | null =>
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

export interface FoundTextsProps {
  readonly texts: Found | null;
  readonly query: string;
  /** Requests the pages from a position on, from 1. */
  readonly askMore: (from: number) => Promise<Answer<SearchAnswer>>;
  /** Called with the pages so far and the next ones. */
  readonly onMore: (texts: Found) => void;
}

/** Goes on behind the pages that are shown. */
function MorePages({
  texts,
  askMore,
  onMore,
}: { readonly texts: Found } & Omit<FoundTextsProps, 'query'>): VNode | null {
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
export const FoundTexts = ({ texts, query, askMore, onMore }: FoundTextsProps): VNode | null =>
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
