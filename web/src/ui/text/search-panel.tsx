/** The search in the book: a field, the steps from place to place, and what was found on each page. */
import { ChevronDown, ChevronUp } from 'lucide';
import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { countedMessage, message } from '../../messages/messages.ts';
import { viewRoute } from '../../model/address/routes.ts';
import { openedNow } from '../../state/opened.ts';
import { goTo, page } from '../../state/route.ts';
import {
  bookHits,
  focusSearch,
  goToHit,
  hitIndex,
  type PlacedHit,
  retrySearch,
  stepHit,
} from '../../state/text/book-hits.ts';
import { changeView, flushViewport, view } from '../../state/view.ts';
import { IconButton } from '../common/button.tsx';
import { SearchInput } from '../common/fields.tsx';
import { FoundWords } from '../common/found-words.tsx';
import { lazilyQuiet, ProblemNotice } from '../common/loading.tsx';
import { formatCount } from '../common/words.ts';

/** Delay after the last letter before a search, in ms. */
const pauseMs = 300;

/** The number of places in the list; the keys and buttons reach all. */
const maxListed = 500;

/** The beginning and the end of a search are entries of the browser's history, its changes are not. */
function searchFor(text: string): void {
  const search = text.trim();
  const now = view.peek();
  const here = page.peek();
  if (search === now.search || here.kind !== 'view') return;
  const isChange = search !== '' && now.search !== '';
  if (isChange || here.embedded) changeView({ search });
  else {
    flushViewport();
    goTo(viewRoute({ ...view.peek(), search }, false));
  }
}

/** Enter goes from place to place once the words have been searched for. */
function searchOrStep(text: string): void {
  if (text.trim() === view.peek().search) stepHit(1);
  else searchFor(text);
}

function Field(): VNode {
  const field = useRef<HTMLInputElement>(null);
  // Within the task of the key or the click, so that the next key is the field's.
  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, [focusSearch.value]);
  return (
    <SearchInput
      field={field}
      name={message('search-book')}
      searched={view.value.search}
      pauseMs={pauseMs}
      onSearch={searchFor}
      onEnter={searchOrStep}
    />
  );
}

/** Words are found whole, which those who are still typing may not expect. */
function nothingFound(query: string): string {
  const nothing = message('hits-none', { query });
  return /[*"”“«»]$/.test(query) ? nothing : `${nothing} ${message('hits-prefix-hint', { query })}`;
}

/** What was found, in a sentence. */
function summary(): string {
  const { query, hits, complete, isIndexed, isLoading, problem } = bookHits.value;
  if (query === '' || problem !== undefined) return '';
  if (isLoading) return message('searching-book');
  if (!isIndexed) return message('hits-no-index');
  if (hits.length === 0) return nothingFound(query);
  const index = hitIndex.value;
  const total = formatCount(hits.length);
  const count = complete ? total : message('hits-more', { count: total });
  if (index !== undefined) return message('hit-of', { at: formatCount(index + 1), count });
  return complete ? countedMessage('hit-count', hits.length) : message('hit-count', { count });
}

function Steps(): VNode {
  const isEmpty = bookHits.value.hits.length === 0;
  return (
    <div class="hit-steps row">
      <p role="status">{summary()}</p>
      <IconButton
        icon={ChevronUp}
        name={message('previous-hit')}
        shortcut="K"
        disabled={isEmpty}
        onClick={() => stepHit(-1)}
      />
      <IconButton
        icon={ChevronDown}
        name={message('next-hit')}
        shortcut="J"
        disabled={isEmpty}
        onClick={() => stepHit(1)}
      />
    </div>
  );
}

function Hit({ hit, index }: { readonly hit: PlacedHit; readonly index: number }): VNode {
  const isCurrent = hitIndex.value === index;
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isCurrent) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);
  return (
    <li ref={row}>
      <button type="button" aria-current={isCurrent ? 'true' : undefined} onClick={() => goToHit(index)}>
        <FoundWords hit={hit} />
      </button>
    </li>
  );
}

interface PageOfHits {
  readonly at: number;
  readonly hits: readonly (readonly [index: number, hit: PlacedHit])[];
}

function byPage(hits: readonly PlacedHit[]): readonly PageOfHits[] {
  const pages = new Map<number, (readonly [number, PlacedHit])[]>();
  for (const [index, hit] of hits.slice(0, maxListed).entries()) {
    const found = pages.get(hit.at);
    if (found === undefined) pages.set(hit.at, [[index, hit]]);
    else found.push([index, hit]);
  }
  return [...pages].map(([at, found]) => ({ at, hits: found }));
}

function Hits(): VNode {
  const images = openedNow()?.images;
  const { hits } = bookHits.value;
  const pages = byPage(hits);
  useEffect(() => {
    images?.need(pages.map(({ at }) => at));
  }, [images, hits]);
  return (
    <>
      {pages.map(({ at, hits: found }) => (
        <section key={at} class="hits-of-page">
          <h3>{message('page-named', { at: formatCount(at), label: images?.cardAt(at)?.label ?? '' })}</h3>
          <ol>
            {found.map(([index, hit]) => (
              <Hit key={index} hit={hit} index={index} />
            ))}
          </ol>
        </section>
      ))}
      {hits.length > maxListed && <p class="soft">{message('hits-listed', { count: formatCount(maxListed) })}</p>}
    </>
  );
}

const AlikeChoice = lazilyQuiet(async () => (await import('../common/alike-choice.tsx')).AlikeChoice);

export function SearchPanel(): VNode {
  const { problem } = bookHits.value;
  return (
    <div class="book-search">
      <div class="book-search-head">
        <Field />
        {view.value.search !== '' && <AlikeChoice query={view.value.search} onQuery={searchFor} />}
        <Steps />
      </div>
      {problem !== undefined && problem !== 'aborted' ? (
        <ProblemNotice problem={problem} onRetry={retrySearch} />
      ) : (
        <Hits />
      )}
    </div>
  );
}
