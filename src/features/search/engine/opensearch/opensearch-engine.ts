/** A search engine in OpenSearch (or Elasticsearch 7): the same contract by its HTTP API, for sites beyond one machine. */
import { createHash } from 'node:crypto';
import type { PageQuery } from '../query.ts';
import {
  ancestors,
  type EngineState,
  type FindRequest,
  type Found,
  type IndexedPage,
  type PageKey,
  type PagePayload,
  type SearchEngine,
  SearchEngineError,
} from '../search-engine.ts';
import { type Action, createBulkWriter } from './bulk.ts';
import {
  type Answer,
  createClient,
  ensureIndexExists,
  faultOf,
  isFault,
  type OpenSearchOptions,
  wholeAnswer,
} from './client.ts';

/** OpenSearch returns at most this many results at once (`index.max_result_window`). */
const window = 10_000;

const idOf = ({ folder, name }: PageKey): string =>
  createHash('sha256').update(`${folder}\n${name}`).digest('base64url');

/** Searches with a JSON body. */
type Search = (body: object) => Promise<Answer>;

interface Hit {
  readonly _source: PageKey & { readonly fingerprint: string };
  readonly sort?: readonly unknown[];
}

interface HitList {
  readonly total?: { readonly value: number; readonly relation: 'eq' | 'gte' };
  readonly hits: readonly Hit[];
}

const hitsIn = ({ body }: Answer): HitList => (body['hits'] as HitList | undefined) ?? { hits: [] };

/** All pages of a folder, one window after the other. */
async function* pagesOfFolder(search: Search, folder: string): AsyncGenerator<Hit> {
  let after: readonly unknown[] | undefined;
  do {
    const answer = await search({
      size: window,
      query: { term: { folder } },
      _source: ['folder', 'name', 'fingerprint'],
      sort: [{ name: 'asc' }],
      ...(after === undefined ? {} : { search_after: after }),
    });
    const { hits } = hitsIn(answer);
    yield* hits;
    after = hits.length < window ? undefined : hits.at(-1)?.sort;
  } while (after !== undefined);
}

/** The names of folders come in parts of this many. */
const foldersAtOnce = 1000;

async function foldersOf(search: Search): Promise<readonly string[]> {
  const found: string[] = [];
  let after: object | undefined;
  do {
    const { body } = await search({
      size: 0,
      aggs: {
        folders: {
          composite: {
            size: foldersAtOnce,
            sources: [{ folder: { terms: { field: 'folder' } } }],
            ...(after === undefined ? {} : { after }),
          },
        },
      },
    });
    const { folders } = body['aggregations'] as {
      readonly folders: {
        readonly buckets: readonly { readonly key: { readonly folder: string } }[];
        readonly after_key?: object;
      };
    };
    for (const { key } of folders.buckets) found.push(key.folder);
    after = folders.buckets.length < foldersAtOnce ? undefined : folders.after_key;
  } while (after !== undefined);
  return found;
}

const documentOf = ({ folder, name, fingerprint, words, payload }: IndexedPage): object => ({
  folder,
  within: ancestors(folder),
  name,
  fingerprint,
  words,
  text: payload.text,
  boxes: Buffer.from(payload.boxes).toString('base64'),
});

const linesOf = (...lines: readonly object[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

const storing = (page: IndexedPage): Action => ({
  lines: linesOf({ index: { _id: idOf(page) } }, documentOf(page)),
  isDeletion: false,
});

const deleting = (page: PageKey): Action => ({ lines: linesOf({ delete: { _id: idOf(page) } }), isDeletion: true });

/** Whether a page is one of several in its file, and not the first (`scan.tif;2`). */
const isInside = ({ name }: PageKey): boolean => /;[0-9]+$/.test(name);

interface StoredDocument {
  readonly found?: boolean;
  readonly error?: unknown;
  readonly _source?: { readonly text: string; readonly boxes: string };
}

function payloadOf({ _source, error }: StoredDocument): PagePayload | undefined {
  if (error !== undefined) throw new SearchEngineError('The search engine can’t read some of its pages.');
  return _source && { text: _source.text, boxes: Buffer.from(_source.boxes, 'base64') };
}

function stateOf({ body }: Answer): EngineState {
  const { primaries } = body['_all'] as {
    readonly primaries: {
      readonly docs: { readonly count: number };
      readonly store: { readonly size_in_bytes: number };
    };
  };
  return { pages: primaries.docs.count, bytes: primaries.store.size_in_bytes };
}

/** Opens the engine; its index is made with the first request. */
export function createOpenSearchEngine(options: OpenSearchOptions): SearchEngine {
  const client = createClient(options);
  const path = `/${encodeURIComponent(options.index)}`;
  const write = createBulkWriter(client, `${path}/_bulk?refresh=true`, options.pausesMs);
  let made: Promise<void> | undefined;

  function ensureIndex(): Promise<void> {
    made ??= ensureIndexExists(client, path).catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  }

  /** Asks the index, which may have been deleted since it was made. */
  async function ask(sendOnce: () => Promise<Answer>): Promise<Answer> {
    await ensureIndex();
    const answer = await sendOnce();
    if (answer.errorType !== 'index_not_found_exception') return answer;
    made = undefined;
    await ensureIndex();
    return sendOnce();
  }

  const search: Search = async (body) =>
    wholeAnswer(
      await ask(() => client({ method: 'POST', path: `${path}/_search?allow_partial_search_results=false`, body })),
    );

  async function send(actions: readonly Action[]): Promise<void> {
    if (actions.length === 0) return;
    // OpenSearch would make an index that was deleted by itself, with other fields.
    made = undefined;
    await ensureIndex();
    await write(actions);
  }

  async function find(asked: FindRequest): Promise<Found> {
    const { query, limit } = asked;
    if (query.length === 0) return { pages: [], isAll: true, total: 0 };
    const answer = await search({
      size: Math.min(limit, window),
      query: queryOf(asked),
      _source: ['folder', 'name'],
      sort: ['_score', { folder: 'asc' }, { name: 'asc' }],
      track_total_hits: window,
    });
    const { hits, total = { value: hits.length, relation: 'eq' } } = hitsIn(answer);
    return {
      pages: hits.map(({ _source: { folder, name } }) => ({ folder, name })),
      isAll: total.relation === 'eq' && hits.length >= total.value,
      total: total.value,
    };
  }

  async function read(pages: readonly PageKey[]): Promise<readonly (PagePayload | undefined)[]> {
    if (pages.length === 0) return [];
    const body = { ids: pages.map(idOf) };
    const answer = await ask(() => client({ method: 'POST', path: `${path}/_mget?_source=text,boxes`, body }));
    if (isFault(answer)) throw faultOf(answer);
    return ((answer.body['docs'] ?? []) as readonly StoredDocument[]).map(payloadOf);
  }

  return {
    find,
    read,
    async put(pages) {
      // OpenSearch stores some where it refuses others. A file is read again until its first page is stored, so that comes last.
      await send(pages.filter(isInside).map(storing));
      await send(pages.filter((page) => !isInside(page)).map(storing));
    },
    remove: (pages) => send(pages.map(deleting)),
    async fingerprints(folder) {
      const found = new Map<string, string>();
      for await (const { _source } of pagesOfFolder(search, folder)) found.set(_source.name, _source.fingerprint);
      return found;
    },
    folders: () => foldersOf(search),
    async state() {
      const answer = await ask(() => client({ method: 'GET', path: `${path}/_stats/docs,store` }));
      if (isFault(answer)) throw faultOf(answer);
      return stateOf(answer);
    },
    close: async () => undefined,
  };
}

/**
 * A phrase whose last word is begun finds that many words that begin so, of all such phrases of a query together: OpenSearch
 * refuses queries of more than 1024 terms (`indices.query.bool.max_clause_count`), and takes 50 where it is told nothing.
 */
const mostExpansions = 600;

function clauseOf(tokens: readonly string[], isPrefix: boolean, expansions: number): object {
  const query = tokens.join(' ');
  if (isPrefix)
    return tokens.length === 1
      ? { prefix: { words: { value: query } } }
      : { match_phrase_prefix: { words: { query, max_expansions: expansions } } };
  return tokens.length === 1 ? { term: { words: { value: query } } } : { match_phrase: { words: { query } } };
}

function clausesOf(query: PageQuery): readonly object[] {
  const begun = query
    .flatMap(({ spellings, isPrefix }) => (isPrefix ? spellings : []))
    .filter(({ length }) => length > 1);
  const expansions = Math.floor(mostExpansions / Math.max(1, begun.length));
  return query.map(({ spellings, isPrefix }) => {
    const clauses = spellings.map((tokens) => clauseOf(tokens, isPrefix, expansions));
    return clauses.length === 1 ? (clauses[0] ?? {}) : { bool: { should: clauses, minimum_should_match: 1 } };
  });
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
