/** What is searched, in the query language of OpenSearch. */
import type { PageQuery, Phrase } from '../query.ts';
import type { FindRequest } from '../search-engine.ts';

/**
 * A phrase whose last word is begun finds that many words that begin so, of all such phrases of a query together: OpenSearch
 * refuses queries of more than 1024 terms (`indices.query.bool.max_clause_count`), and takes 50 where it is told nothing.
 */
const mostExpansions = 600;

function clauseOf({ tokens, isPrefix }: Phrase, expansions: number): object {
  const query = tokens.join(' ');
  if (isPrefix)
    return tokens.length === 1
      ? { prefix: { words: { value: query } } }
      : { match_phrase_prefix: { words: { query, max_expansions: expansions } } };
  return tokens.length === 1 ? { term: { words: { value: query } } } : { match_phrase: { words: { query } } };
}

function clausesOf(query: PageQuery): readonly object[] {
  const begun = query.filter(({ tokens, isPrefix }) => isPrefix && tokens.length > 1).length;
  const expansions = Math.floor(mostExpansions / Math.max(1, begun));
  return query.map((phrase) => clauseOf(phrase, expansions));
}

/** The pages of a folder alone, or with those of all folders below it. */
function filterOf({ within, isShallow = false }: FindRequest): object {
  if (isShallow) return { filter: [{ term: { folder: within } }] };
  return within === '' ? {} : { filter: [{ term: { within } }] };
}

/** The query of a search for pages. */
export const queryOf = (asked: FindRequest): object => ({
  bool: { must: clausesOf(asked.query), ...filterOf(asked) },
});
