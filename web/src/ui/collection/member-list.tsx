/** The members of a collection with what filters and orders them, drawn in parts, and loaded in parts where the collection has some. */
import type { VNode } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { nameMatcher } from '../../../../src/core/image/folder/page-labels.ts';
import { collectionMessage } from '../../messages/collection-messages.ts';
import { manifestMessage } from '../../messages/manifest-messages.ts';
import { message } from '../../messages/messages.ts';
import { byDate } from '../../model/manifest/collection.ts';
import { limits } from '../../model/manifest/members.ts';
import { drawnAtOnce, type ListedMember, type OpenCollection } from '../../state/open-collection.ts';
import { readerLanguages } from '../../state/reader-languages.ts';
import { flushAddress } from '../../state/route.ts';
import { shortcutsOn } from '../../state/stored-preferences.ts';
import { changeView, view } from '../../state/view.ts';
import { useSearchKey } from '../browse/browse-page.tsx';
import { keepScroll } from '../browse/page-history.ts';
import { Button } from '../common/button.tsx';
import { SearchInput } from '../common/fields.tsx';
import { problemTitle } from '../common/loading.tsx';
import { formatCount } from '../common/words.ts';
import { MemberCards, titleOfMember } from './member-cards.tsx';

/** Fewer are found by looking. */
const filteredFrom = 21;

/** Delay after the last letter, in ms. */
const pauseMs = 150;

/** Cards of few members are larger, as those of folders. */
const fewUntil = 6;

interface ListProps {
  readonly collection: OpenCollection;
  /** Words that the titles must have; empty for all. */
  readonly query: string;
}

/** The members that the reader asks for, in their order. */
function useAsked({ collection, query }: ListProps): readonly ListedMember[] {
  const members = collection.members.value;
  const isOrdered = collection.byDate.value;
  const languages = readerLanguages().join();
  return useMemo(() => {
    const isMeant = nameMatcher(query);
    const found = isMeant === undefined ? members : members.filter((member) => isMeant(titleOfMember(member)));
    return isOrdered ? byDate(found) : found;
  }, [members, isOrdered, query, languages]);
}

/** The address keeps it. Another list begins with its first cards. */
function filterBy({ drawn }: OpenCollection, text: string): void {
  if (text.trim() === view.peek().search) return;
  drawn.value = drawnAtOnce;
  changeView({ search: text.trim() });
  flushAddress();
  keepScroll();
}

function FilterField({ collection, query }: ListProps): VNode {
  const field = useRef<HTMLInputElement>(null);
  useSearchKey(field);
  return (
    <SearchInput
      field={field}
      name={collectionMessage('filter')}
      shortcut={shortcutsOn.value ? '/' : undefined}
      searched={query}
      pauseMs={pauseMs}
      onSearch={(text) => filterBy(collection, text)}
    />
  );
}

const OrderChoice = ({ collection: { byDate: chosen, drawn } }: Pick<ListProps, 'collection'>): VNode => (
  <label class="choice row">
    <input
      type="checkbox"
      checked={chosen.value}
      onChange={({ currentTarget }) => {
        drawn.value = drawnAtOnce;
        chosen.value = currentTarget.checked;
      }}
    />
    {manifestMessage('by-date')}
  </label>
);

/** How many match, for eyes and screen readers; said from the beginning, so that changes are announced. */
function FilterStatus({
  found,
  total,
  query,
}: {
  readonly found: number;
  readonly total: number;
  readonly query: string;
}): VNode {
  const counts = { count: formatCount(found), total: formatCount(total) };
  const text = found === 0 ? collectionMessage('filter-none', { query }) : collectionMessage('filter-count', counts);
  return (
    <p class="muted" role="status">
      {query !== '' && text}
    </p>
  );
}

function Tools({ collection, query, found }: ListProps & { readonly found: number }): VNode | null {
  const members = collection.members.value;
  const isFiltered = members.length >= filteredFrom || query !== '';
  const dates = useMemo(() => new Set(members.flatMap(({ date }) => date ?? [])).size, [members]);
  if (!isFiltered && dates < 2) return null;
  const isPartly = collection.next.value !== undefined && (query !== '' || collection.byDate.value);
  return (
    <div class="collection-tools row wrap">
      {isFiltered && <FilterField collection={collection} query={query} />}
      {dates > 1 && <OrderChoice collection={collection} />}
      {isFiltered && <FilterStatus found={found} total={members.length} query={query} />}
      {isPartly && <p class="muted">{collectionMessage('loaded-only')}</p>}
    </div>
  );
}

/** Far enough below the window that readers who scroll see no end, in CSS pixels. */
const aheadPx = 1200;

/** Draws more where the end of the list comes near. */
function useDrawing(collection: OpenCollection, isDrawn: boolean) {
  const end = useRef<HTMLDivElement>(null);
  const drawn = collection.drawn.value;
  useEffect(() => {
    if (isDrawn || end.current === null) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) collection.drawn.value = drawn + drawnAtOnce;
      },
      { rootMargin: `${aheadPx}px` },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [collection, drawn, isDrawn]);
  return end;
}

/** What is said of the parts that are still to come. */
function PartStatus({ collection }: Pick<ListProps, 'collection'>): VNode {
  const loading = collection.loading.value;
  const count = collection.members.value.length;
  const { total } = collection.about;
  const isFailed = loading !== 'idle' && loading !== 'loading';
  return (
    <p class="muted" role="status">
      {isFailed && collectionMessage('part-failed', { problem: problemTitle(loading) })}
      {loading === 'loading' && message('loading')}
      {loading === 'idle' &&
        total !== undefined &&
        total > count &&
        collectionMessage('loaded-of', { count: formatCount(count), total: formatCount(total) })}
      {count >= limits.pages && collectionMessage('too-many', { count: formatCount(limits.pages) })}
    </p>
  );
}

interface EndProps extends Pick<ListProps, 'collection'> {
  /** How many cards there are to draw. */
  readonly found: number;
  /** Moves the keyboard to the card of a member. */
  readonly focusCard: (key: number) => void;
}

/** The end of the list: the next cards are drawn by themselves, the next part is loaded where the reader asks for it. */
function ListEnd({ collection, found, focusCard }: EndProps): VNode | null {
  const drawn = collection.drawn.value;
  const isDrawn = drawn >= found;
  const end = useDrawing(collection, isDrawn);
  const loading = collection.loading.value;
  const hasNext = collection.next.value !== undefined;
  const isFailed = loading !== 'idle' && loading !== 'loading';
  const showMore = async (): Promise<void> => {
    if (!isDrawn) {
      collection.drawn.value = drawn + drawnAtOnce;
      return;
    }
    const before = collection.members.peek().length;
    await collection.loadNext();
    if (collection.members.peek().length === before) return;
    collection.drawn.value = Math.max(drawn, found + drawnAtOnce);
    focusCard(before);
  };
  return (
    <div class="collection-end" ref={end}>
      {(isDrawn || loading === 'loading') && <PartStatus collection={collection} />}
      {(!isDrawn || hasNext) && (
        <Button disabled={loading === 'loading'} onClick={() => void showMore()}>
          {isFailed && isDrawn ? message('try-again') : collectionMessage('more')}
        </Button>
      )}
    </div>
  );
}

interface MemberListProps extends ListProps {
  readonly embedded: boolean;
}

export function MemberList({ collection, query, embedded }: MemberListProps): VNode {
  const section = useRef<HTMLElement>(null);
  const found = useAsked({ collection, query });
  const members = collection.members.value;
  const pictured = useMemo(() => members.some(({ thumbnail }) => thumbnail !== undefined), [members]);
  const isEmpty = members.length === 0 && collection.next.value === undefined;
  const focusCard = (key: number): void => {
    // After the new cards have been rendered.
    requestAnimationFrame(() => {
      const card = section.current?.querySelector<HTMLElement>(`[data-key="${key}"] .folder-card`);
      card?.focus({ preventScroll: true });
    });
  };
  return (
    <section ref={section} aria-label={collectionMessage('inside')}>
      <Tools collection={collection} query={query} found={found.length} />
      {isEmpty && <p class="empty muted">{collectionMessage('empty')}</p>}
      {found.length > 0 && (
        <MemberCards
          members={found}
          drawn={collection.drawn.value}
          size={members.length <= fewUntil && pictured ? 'few' : 'many'}
          pictured={pictured}
          embedded={embedded}
        />
      )}
      <ListEnd collection={collection} found={found.length} focusCard={focusCard} />
    </section>
  );
}
