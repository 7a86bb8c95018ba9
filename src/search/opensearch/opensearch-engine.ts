/** A search engine in OpenSearch (or Elasticsearch 7): the same contract by its HTTP API, for sites beyond one machine. */
import { createHash } from 'node:crypto';
import type { Phrase } from '../query.ts';
import {
  type EngineState,
  type FindRequest,
  type Found,
  type IndexedPage,
  type PageKey,
  type PagePayload,
  type SearchEngine,
  SearchEngineError,
} from '../search-engine.ts';

export interface OpenSearchOptions {
  /** The address of a node or a proxy, without a slash at its end. */
  readonly address: string;
  /** The name of the index, which is made where there is none. */
  readonly index: string;
  /** The value of `Authorization`. */
  readonly authorization?: string | undefined;
  /** After how many milliseconds a request is given up; 10 s by default. */
  readonly deadlineMs?: number;
}

/** The words come folded, so that they are parted at spaces and nothing else. */
const mappings = {
  dynamic: 'strict',
  properties: {
    folder: { type: 'keyword' },
    within: { type: 'keyword' },
    name: { type: 'keyword' },
    fingerprint: { type: 'keyword', index: false, doc_values: false },
    words: { type: 'text', analyzer: 'whitespace', norms: true },
    text: { type: 'text', index: false },
    boxes: { type: 'binary' },
  },
};

/** OpenSearch returns at most this many results at once (`index.max_result_window`). */
const window = 10_000;

const idOf = ({ folder, name }: PageKey): string =>
  createHash('sha256').update(`${folder}\n${name}`).digest('base64url');

const ancestors = (folder: string): readonly string[] => {
  const names = folder.split('/').filter((name) => name !== '');
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
};

/** A phrase in the query language of OpenSearch. */
function clauseOf({ tokens, isPrefix }: Phrase): object {
  const query = tokens.join(' ');
  if (isPrefix)
    return tokens.length === 1
      ? { prefix: { words: { value: query } } }
      : { match_phrase_prefix: { words: { query } } };
  return tokens.length === 1 ? { term: { words: { value: query } } } : { match_phrase: { words: { query } } };
}

/** The pages of a folder alone, or with those of all folders below it. */
function filterOf({ within, isShallow = false }: FindRequest): object {
  if (isShallow) return { filter: [{ term: { folder: within } }] };
  return within === '' ? {} : { filter: [{ term: { within } }] };
}

const queryOf = (asked: FindRequest): object => ({
  bool: { must: asked.query.map(clauseOf), ...filterOf(asked) },
});

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

interface Outgoing {
  readonly method: string;
  readonly path: string;
  /** Text is a list of lines of JSON. */
  readonly body: object | string | undefined;
}

async function request({ method, path, body }: Outgoing, options: OpenSearchOptions): Promise<Response> {
  const { address, authorization, deadlineMs = 10_000 } = options;
  const headers = new Headers(authorization === undefined ? {} : { authorization });
  if (body !== undefined)
    headers.set('content-type', typeof body === 'string' ? 'application/x-ndjson' : 'application/json');
  return fetch(`${address}${path}`, {
    method,
    headers,
    body: typeof body === 'object' ? JSON.stringify(body) : (body ?? null),
    signal: AbortSignal.timeout(deadlineMs),
  });
}

/** Sends requests; rejects with a sentence that names neither the address nor credentials. */
const createClient =
  (options: OpenSearchOptions) =>
  async (method: string, path: string, body?: object | string, expected: readonly number[] = []): Promise<Answer> => {
    let received: readonly [Response, string];
    try {
      const response = await request({ method, path, body }, options);
      received = [response, await response.text()];
    } catch {
      throw new SearchEngineError('The search engine does not answer.');
    }
    const [{ ok, status }, text] = received;
    if (!ok && !expected.includes(status)) {
      throw new SearchEngineError(`The search engine answers with status ${status}.`);
    }
    try {
      return { status, body: text === '' ? {} : JSON.parse(text) };
    } catch {
      throw new SearchEngineError('The search engine answers with something else than JSON.');
    }
  };

type Client = ReturnType<typeof createClient>;

interface Hit {
  readonly _source: PageKey & { readonly fingerprint: string };
  readonly sort?: readonly unknown[];
}

interface HitList {
  readonly total?: { readonly value: number };
  readonly hits: readonly Hit[];
}

const hitsIn = ({ body }: Answer): HitList => (body['hits'] as HitList | undefined) ?? { hits: [] };

/** All pages of a folder, one window after the other. */
async function* pagesOfFolder(send: Client, path: string, folder: string): AsyncGenerator<Hit> {
  let after: readonly unknown[] | undefined;
  do {
    const answer = await send('POST', `${path}/_search`, {
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

async function foldersOf(send: Client, path: string): Promise<readonly string[]> {
  const found: string[] = [];
  let after: object | undefined;
  do {
    const { body } = await send('POST', `${path}/_search`, {
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

/** Opens the engine; its index is made with the first page that is written. */
export function createOpenSearchEngine(options: OpenSearchOptions): SearchEngine {
  const send = createClient(options);
  const path = `/${encodeURIComponent(options.index)}`;
  let made: Promise<unknown> | undefined;
  const ensureIndex = async (): Promise<void> => {
    // 400: there is one already.
    made ??= send('PUT', path, { mappings }, [400]);
    await made.catch((error: unknown) => {
      made = undefined;
      throw error;
    });
  };

  /** All lines of a bulk request; rejects where one of them failed. */
  async function bulk(lines: readonly object[]): Promise<void> {
    if (lines.length === 0) return;
    await ensureIndex();
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    const { body } = await send('POST', `${path}/_bulk?refresh=true`, text);
    if (body['errors'] !== true) return;
    const items = (body['items'] ?? []) as readonly Record<string, { readonly status: number }>[];
    const failed = items.flatMap(Object.values).some(({ status }) => status >= 400 && status !== 404);
    if (failed) throw new SearchEngineError('The search engine could not store all pages.');
  }

  async function find(asked: FindRequest): Promise<Found> {
    const { query, limit } = asked;
    if (query.length === 0) return { pages: [], isAll: true, total: 0 };
    await ensureIndex();
    const answer = await send('POST', `${path}/_search`, {
      size: Math.min(limit, window),
      query: queryOf(asked),
      _source: ['folder', 'name'],
      sort: ['_score', { folder: 'asc' }, { name: 'asc' }],
      track_total_hits: window,
    });
    const { hits, total } = hitsIn(answer);
    const count = total?.value ?? hits.length;
    return {
      pages: hits.map(({ _source: { folder, name } }) => ({ folder, name })),
      isAll: hits.length === count,
      total: count,
    };
  }

  async function read(pages: readonly PageKey[]): Promise<readonly (PagePayload | undefined)[]> {
    if (pages.length === 0) return [];
    const { body } = await send('POST', `${path}/_mget?_source=text,boxes`, { ids: pages.map(idOf) });
    const docs = (body['docs'] ?? []) as readonly {
      readonly _source?: { readonly text: string; readonly boxes: string };
    }[];
    return docs.map(({ _source }) => _source && { text: _source.text, boxes: Buffer.from(_source.boxes, 'base64') });
  }

  return {
    find,
    read,
    put: (pages) => bulk(pages.flatMap((page) => [{ index: { _id: idOf(page) } }, documentOf(page)])),
    remove: (pages) => bulk(pages.map((page) => ({ delete: { _id: idOf(page) } }))),
    async fingerprints(folder) {
      await ensureIndex();
      const found = new Map<string, string>();
      for await (const { _source } of pagesOfFolder(send, path, folder)) found.set(_source.name, _source.fingerprint);
      return found;
    },
    async folders() {
      await ensureIndex();
      return foldersOf(send, path);
    },
    async state(): Promise<EngineState> {
      await ensureIndex();
      const { body } = await send('GET', `${path}/_stats/docs,store`);
      const { primaries } = body['_all'] as {
        readonly primaries: {
          readonly docs: { readonly count: number };
          readonly store: { readonly size_in_bytes: number };
        };
      };
      return { pages: primaries.docs.count, bytes: primaries.store.size_in_bytes };
    },
    close: async () => undefined,
  };
}
