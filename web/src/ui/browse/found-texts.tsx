/** The pages on whose texts the words of a search stand, with the text around them. */
import type { VNode } from 'preact';
import type { FoundTexts as Found, FoundPage } from '../../../../src/image/folder/found-texts.ts';
import { countedMessage, message } from '../../messages/message.ts';
import { viewRoute } from '../../model/routes.ts';
import { plainView } from '../../model/view-state.ts';
import { formatCount } from '../common/counts.ts';
import { titleOf } from '../common/folder-title.ts';
import { Picture } from '../common/picture.tsx';
import { RouteLink } from '../common/route-link.tsx';

const box = { width: 96, height: 96 };

const Snippet = ({ hit: { before, match, after } }: { readonly hit: FoundPage['hits'][number] }): VNode => (
  <span class="found-reason">
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

/** Nothing where no words were found on pages. */
export const FoundTexts = ({ texts, query }: { readonly texts: Found | null; readonly query: string }): VNode | null =>
  texts === null || texts.pages.length === 0 ? null : (
    <section class="found-on-pages">
      <h3>{message('found-texts')}</h3>
      <p class="note">{totalText(texts)}</p>
      <ul class="found">
        {texts.pages.map((page) => (
          <FoundOnPage key={page.path} page={page} query={query} />
        ))}
      </ul>
    </section>
  );
