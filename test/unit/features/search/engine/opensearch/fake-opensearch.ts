/**
 * A server that answers as OpenSearch's documentation says, for exactly those requests that the engine makes: anything else
 * is a 400, so that a request of another form fails a test. Tests make it answer some of them as real servers did.
 */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Of a search in which all shards took part. */
const whole = { took: 1, timed_out: false, _shards: { total: 1, successful: 1, skipped: 0, failed: 0 } };

const missing = [404, { error: { type: 'index_not_found_exception' }, status: 404 }] as const;

interface Document {
  readonly folder: string;
  readonly within: readonly string[];
  readonly name: string;
  readonly fingerprint: string;
  readonly words: string;
  readonly text: string;
  readonly boxes: string;
}

type Json = Readonly<Record<string, never>> & { readonly [name: string]: unknown };

/** How often a clause is met by words; 0 where it is not. */
function countOf(clause: Json, words: readonly string[]): number {
  const starts = words.map((_, at) => at);
  const phraseAt = (at: number, tokens: readonly string[], isPrefix: boolean): boolean =>
    tokens.every((token, index) =>
      isPrefix && index === tokens.length - 1 ? words[at + index]?.startsWith(token) : words[at + index] === token,
    );
  const [[kind = '', of] = []] = Object.entries(clause) as [string, { words: { value?: string; query?: string } }][];
  const text = of?.words.value ?? of?.words.query ?? '';
  if (!['term', 'prefix', 'match_phrase', 'match_phrase_prefix'].includes(kind)) throw new Error(`no clause ${kind}`);
  return starts.filter((at) => phraseAt(at, text.split(' '), kind.endsWith('prefix'))).length;
}

interface Search {
  readonly size: number;
  readonly query?: { readonly term?: { readonly folder: string }; readonly bool?: Json };
  readonly search_after?: readonly string[];
  readonly aggs?: object;
}

type Filter = { readonly within: string } | { readonly folder: string };

const passes = (document: Document, term: Filter): boolean =>
  'folder' in term ? document.folder === term.folder : document.within.includes(term.within);

function scoreOf({ bool, term }: NonNullable<Search['query']>, document: Document): number {
  if (term !== undefined) return document.folder === term.folder ? 1 : 0;
  const { must, filter = [] } = bool as unknown as { must: Json[]; filter?: { term: Filter }[] };
  if (filter.some(({ term }) => !passes(document, term))) return 0;
  const counts = must.map((clause) => countOf(clause, document.words.split(' ')));
  return counts.includes(0) ? 0 : counts.reduce((sum, count) => sum + count, 0);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}

/** An answer, or a function of the request's body that makes the body of one with status 200. */
export type StubAnswer =
  | { readonly status: number; readonly body: object | string; readonly headers?: Readonly<Record<string, string>> }
  | ((text: string) => object);

export interface FakeOpenSearch {
  readonly address: string;
  /** Every request as `METHOD /path`. */
  readonly requests: readonly string[];
  readonly authorizations: readonly (string | undefined)[];
  /** The bodies of the bulk requests. */
  readonly bulks: readonly string[];
  /** What it answers to the next requests of a path's last part (`_bulk`, `_search`, `_mapping`, or the index’s name). */
  answerNext(part: string, ...answers: readonly StubAnswer[]): void;
  /** As an administrator deletes the index. */
  deleteIndex(): void;
  close(): Promise<void>;
}

export async function startFakeOpenSearch(): Promise<FakeOpenSearch> {
  const documents = new Map<string, Document>();
  const requests: string[] = [];
  const authorizations: (string | undefined)[] = [];
  const bulks: string[] = [];
  const stubs = new Map<string, StubAnswer[]>();
  let mappings: object | undefined;

  function bulk(text: string): object {
    const lines = text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
    const items: object[] = [];
    while (lines.length > 0) {
      const action = lines.shift();
      if (action.index !== undefined) {
        documents.set(action.index._id, lines.shift());
        items.push({ index: { status: 201 } });
      } else items.push({ delete: { status: documents.delete(action.delete._id) ? 200 : 404 } });
    }
    return { took: 1, errors: false, items };
  }

  function search({ size, query, search_after: after, aggs }: Search): object {
    if (aggs !== undefined) {
      const folders = [...new Set([...documents.values()].map(({ folder }) => folder))];
      const buckets = folders.map((folder) => ({ key: { folder }, doc_count: 1 }));
      return { ...whole, aggregations: { folders: { after_key: buckets.at(-1)?.key, buckets } } };
    }
    const scored = [...documents.values()]
      .map((document) => ({ document, score: scoreOf(query ?? {}, document) }))
      .filter(({ score, document }) => score > 0 && (after === undefined || document.name > (after[0] ?? '')))
      .sort((a, b) => b.score - a.score);
    const hits = scored.slice(0, size).map(({ document }) => ({ _source: document, sort: [document.name] }));
    return { ...whole, hits: { total: { value: scored.length, relation: 'eq' }, hits } };
  }

  function answer(method: string, url: string, text: string): readonly [status: number, body: object] {
    switch (`${method} ${url}`) {
      case 'GET /pages/_mapping':
        return mappings === undefined ? missing : [200, { 'pages-000001': { mappings } }];
      case 'PUT /pages': {
        if (mappings !== undefined) return [400, { error: { type: 'resource_already_exists_exception' } }];
        mappings = JSON.parse(text).mappings;
        return [200, { acknowledged: true, shards_acknowledged: true, index: 'pages' }];
      }
      case 'POST /pages/_bulk?refresh=true':
        return [200, bulk(text)];
      case 'POST /pages/_search?allow_partial_search_results=false':
        if (mappings === undefined) return missing;
        return [200, search(JSON.parse(text))];
      case 'POST /pages/_mget?_source=text,boxes':
        return [
          200,
          {
            docs: JSON.parse(text).ids.map((id: string) => ({
              _index: 'pages',
              _id: id,
              found: documents.has(id),
              _source: documents.get(id),
            })),
          },
        ];
      case 'GET /pages/_stats/docs,store':
        return [200, { _all: { primaries: { docs: { count: documents.size }, store: { size_in_bytes: 4096 } } } }];
      default:
        return [400, { error: { type: 'illegal_argument_exception' } }];
    }
  }

  const server = createServer(async (request, response) => {
    const text = await bodyOf(request);
    requests.push(`${request.method} ${request.url}`);
    authorizations.push(request.headers.authorization);
    const part = (request.url ?? '').replace(/\?.*/, '').split('/').at(-1) ?? '';
    if (part === '_bulk') bulks.push(text);
    const stub = stubs.get(part)?.shift();
    if (stub !== undefined && typeof stub !== 'function') {
      const isText = typeof stub.body === 'string';
      response
        .writeHead(stub.status, { 'content-type': isText ? 'text/html' : 'application/json', ...stub.headers })
        .end(isText ? stub.body : JSON.stringify(stub.body));
      return;
    }
    const [status, body] =
      stub === undefined ? answer(request.method ?? '', request.url ?? '', text) : [200, stub(text)];
    response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    requests,
    authorizations,
    bulks,
    answerNext: (part, ...answers) => {
      stubs.set(part, [...(stubs.get(part) ?? []), ...answers]);
    },
    deleteIndex: () => {
      mappings = undefined;
      documents.clear();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
