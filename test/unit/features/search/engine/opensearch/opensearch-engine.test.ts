import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OpenSearchOptions } from '../../../../../../src/features/search/engine/opensearch/client.ts';
import { createOpenSearchEngine } from '../../../../../../src/features/search/engine/opensearch/opensearch-engine.ts';
import { parseQuery } from '../../../../../../src/features/search/engine/query.ts';
import type { SearchEngine } from '../../../../../../src/features/search/engine/search-engine.ts';
import { describeEngine, indexedPage } from '../engine-contract.ts';
import { type FakeOpenSearch, startFakeOpenSearch } from './fake-opensearch.ts';
import { recorded, refusedItem, unfitItem } from './recorded-answers.ts';

describeEngine('OpenSearch', async () => {
  const server = await startFakeOpenSearch();
  const engine = createOpenSearchEngine({ address: server.address, index: 'pages' });
  return { engine, close: () => server.close() };
});

const request = { query: parseQuery('wasser'), within: '', limit: 10 };
const page = (name: string, text = 'Wasser') => indexedPage('herbal', name, text);

let server: FakeOpenSearch;
let engine: SearchEngine;
const open = (more: Partial<OpenSearchOptions> = {}): SearchEngine =>
  createOpenSearchEngine({ address: server.address, index: 'pages', pausesMs: [1, 1], ...more });
const namesFound = async (): Promise<readonly string[]> =>
  (await engine.find(request)).pages.map(({ name }) => name).toSorted();
const requestsOf = (method: string): readonly string[] => server.requests.filter((line) => line.startsWith(method));

beforeEach(async () => {
  server = await startFakeOpenSearch();
  engine = open();
});
afterEach(() => server.close());

describe('its index', () => {
  it('is made once', async () => {
    await Promise.all([engine.find(request), engine.find(request), engine.folders()]);
    expect(requestsOf('PUT')).toHaveLength(1);
  });
  it('is left as it is where it is there, so that a server needs no right to make one', async () => {
    await engine.find(request);
    await open().find(request);
    expect(requestsOf('PUT')).toHaveLength(1);
  });
  it.each(['alreadyExists', 'alreadyExistsAsConflict'] as const)(
    'may be made by another server meanwhile (%s)',
    async (name) => {
      server.answerNext('_mapping', recorded.noSuchIndex);
      server.answerNext('pages', recorded[name]);
      await engine.put([page('p1.jpg')]);
      expect(server.bulks).toHaveLength(1);
    },
  );
  it('is not taken for made where the server refuses it', async () => {
    server.answerNext('_mapping', recorded.noSuchIndex);
    server.answerNext('pages', recorded.refusedMapping);
    await expect(engine.put([page('p1.jpg')])).rejects.toThrow(
      /^The search engine answers with status 400 \(illegal_argument_exception\)\.$/,
    );
    expect(server.bulks).toEqual([]);
    await engine.put([page('p1.jpg')]);
    expect(await namesFound()).toEqual(['p1.jpg']);
  });
  it('is refused where another program made it', async () => {
    const mappings = { properties: { words: { type: 'text' }, folder: { type: 'text' } } };
    server.answerNext('_mapping', { status: 200, body: { pages: { mappings } } });
    await expect(engine.find(request)).rejects.toThrow(/other fields than Lectern’s/);
  });
  it('is made anew with its fields where somebody deletes it', async () => {
    await engine.put([page('p1.jpg')]);
    server.deleteIndex();
    expect(await namesFound()).toEqual([]);
    server.deleteIndex();
    await engine.put([page('p2.jpg')]);
    expect(await namesFound()).toEqual(['p2.jpg']);
    expect(requestsOf('PUT')).toHaveLength(3);
  });
});

describe('writing', () => {
  /** Refuses the pages of some names, and stores nothing else either. */
  const refusing =
    (refused: (id: string) => object | undefined) =>
    (text: string): object => ({
      took: 1,
      errors: true,
      items: text
        .split('\n')
        .filter((line) => line.startsWith('{"index"'))
        .map((line, at) => {
          const id = JSON.parse(line).index._id;
          return (at === 1 ? refused(id) : undefined) ?? { index: { _index: 'pages', _id: id, status: 201 } };
        }),
    });
  const linesOf = (bulk: string | undefined): number => bulk?.trimEnd().split('\n').length ?? 0;

  it('sends again what a full queue refused, and nothing else', async () => {
    server.answerNext(
      '_bulk',
      refusing((id) => refusedItem('index', id)),
    );
    await engine.put([page('p1.jpg'), page('p2.jpg'), page('p3.jpg')]);
    expect(server.bulks.map(linesOf)).toEqual([6, 2]);
    expect(server.bulks[1]).toContain('"p2.jpg"');
  });
  it.each(['bulkRefused', 'diskFull'] as const)('sends all again where all were refused (%s)', async (name) => {
    server.answerNext('_bulk', recorded[name]);
    await engine.put([page('p1.jpg'), page('p2.jpg')]);
    expect(await namesFound()).toEqual(['p1.jpg', 'p2.jpg']);
  });
  it('ends after some attempts', async () => {
    server.answerNext('_bulk', recorded.diskFull, recorded.diskFull, recorded.diskFull);
    await expect(engine.put([page('p1.jpg')])).rejects.toThrow(
      /^The search engine answers with status 429 \(cluster_block_exception\)\.$/,
    );
    expect(server.bulks).toHaveLength(3);
  });
  it('tells of a page that does not fit, though the answer has status 200', async () => {
    server.answerNext(
      '_bulk',
      refusing((id) => unfitItem(id)),
    );
    await expect(engine.put([page('p1.jpg'), page('p2.jpg')])).rejects.toThrow(/strict_dynamic_mapping_exception/);
  });
  it('tells where an answer leaves out items', async () => {
    server.answerNext('_bulk', { status: 200, body: { took: 1, errors: false, items: [] } });
    await expect(engine.put([page('p1.jpg')])).rejects.toThrow(/does not say what it stored/);
  });
  it('halves what a proxy finds too large', async () => {
    const tooLarge = { status: 413, body: '<html><h1>413 Request Entity Too Large</h1></html>' };
    server.answerNext('_bulk', tooLarge, tooLarge);
    await engine.put([page('p1.jpg'), page('p2.jpg'), page('p3.jpg'), page('p4.jpg')]);
    expect(server.bulks.map(linesOf)).toEqual([8, 4, 2, 2, 4]);
    expect(await namesFound()).toEqual(['p1.jpg', 'p2.jpg', 'p3.jpg', 'p4.jpg']);
  });
  it('tells of a single page that is too large', async () => {
    server.answerNext('_bulk', { status: 413, body: '' });
    await expect(engine.put([page('p1.jpg')])).rejects.toThrow(/status 413/);
  });
  it('sends at most 4 MB at once', async () => {
    const long = Array.from({ length: 100_000 }, (_, index) => `word${index}`).join(' ');
    await engine.put([1, 2, 3, 4].map((number) => page(`p${number}.jpg`, long)));
    expect(server.bulks.length).toBeGreaterThan(1);
    for (const bulk of server.bulks) expect(bulk.length).toBeLessThan(4 * 2 ** 20);
    expect((await engine.state()).pages).toBe(4);
  });
  it('writes the first page of a file behind the others, so that a file is complete where its first page is there', async () => {
    await engine.put([page('a.tif'), page('a.tif;2'), page('a.tif;3')]);
    expect(server.bulks.map((bulk) => bulk.includes('"a.tif"'))).toEqual([false, true]);
    server.answerNext('_bulk', recorded.forbidden);
    await expect(engine.put([page('b.tif'), page('b.tif;2')])).rejects.toThrow(/status 403 \(security_exception\)/);
    expect([...(await engine.fingerprints('herbal')).keys()]).not.toContain('b.tif');
  });
  it('takes a page that is not there for deleted', async () => {
    server.answerNext('_bulk', {
      status: 200,
      body: { errors: true, items: [{ delete: { _id: 'x', result: 'not_found', status: 404 } }] },
    });
    await engine.remove([{ folder: 'herbal', name: 'none' }]);
  });
});

describe('searching', () => {
  it('is not exact where OpenSearch stopped to count', async () => {
    const hit = { _source: { folder: 'herbal', name: 'p1.jpg' }, sort: [1, 'herbal', 'p1.jpg'] };
    const shards = { total: 1, successful: 1, skipped: 0, failed: 0 };
    server.answerNext('_search', {
      status: 200,
      body: {
        took: 9,
        timed_out: false,
        _shards: shards,
        hits: { total: { value: 1, relation: 'gte' }, max_score: null, hits: [hit] },
      },
    });
    expect(await engine.find(request)).toEqual({
      pages: [{ folder: 'herbal', name: 'p1.jpg' }],
      isAll: false,
      total: 1,
    });
  });
  it.each(['timedOut', 'someShardsFailed'] as const)('takes no part for the whole (%s)', async (name) => {
    server.answerNext('_search', recorded[name], recorded[name], recorded[name]);
    const message = /^The search engine searched only a part of its index\.$/;
    await expect(engine.find(request)).rejects.toThrow(message);
    await expect(engine.folders()).rejects.toThrow(message);
    await expect(engine.fingerprints('herbal')).rejects.toThrow(message);
  });
  it('asks for more than the 50 words that a begun word of a phrase stands for by default', async () => {
    let asked = '';
    server.answerNext('_search', (text) => {
      asked = text;
      return { hits: { total: { value: 0, relation: 'eq' }, hits: [] } };
    });
    await engine.find({ ...request, query: parseQuery('"kalte was*" "das br*" kraut*') });
    expect(JSON.parse(asked).query.bool.must).toEqual([
      { match_phrase_prefix: { words: { query: 'kalte was', max_expansions: 300 } } },
      { match_phrase_prefix: { words: { query: 'das br', max_expansions: 300 } } },
      { prefix: { words: { value: 'kraut' } } },
    ]);
  });
  it('tells a page that can’t be read from one that is not there', async () => {
    const error = { root_cause: [], type: 'no_shard_available_action_exception', reason: 'No shard available' };
    server.answerNext('_mget', { status: 200, body: { docs: [{ _index: 'pages', _id: 'x', error }] } });
    await expect(engine.read([{ folder: 'herbal', name: 'p1.jpg' }])).rejects.toThrow(/can’t read some of its pages/);
  });
});

describe('faults', () => {
  it('sends credentials, and tells neither them nor the address where they are refused', async () => {
    engine = open({ authorization: 'Basic secret' });
    await engine.find(request);
    expect(new Set(server.authorizations)).toEqual(new Set(['Basic secret']));
    // The security plugin's answer is a plain text.
    server.answerNext('_search', { status: 401, body: 'Unauthorized' });
    await expect(engine.find(request)).rejects.toThrow(/^The search engine refuses the credentials \(status 401\)\.$/);
  });
  it.each([
    ['forbidden', 'The search engine answers with status 403 (security_exception).'],
    ['allShardsFailed', 'The search engine answers with status 503 (search_phase_execution_exception).'],
    ['htmlPage', 'The search engine answers with something else than JSON.'],
  ] as const)('tells of %s in a sentence', async (name, sentence) => {
    await engine.find(request);
    server.answerNext('_search', recorded[name]);
    await expect(engine.find(request)).rejects.toThrow(sentence);
  });
  it('tells of a proxy’s page of HTML by its status', async () => {
    server.answerNext('_mapping', { status: 502, body: '<html><h1>502 Bad Gateway</h1></html>' });
    await expect(engine.find(request)).rejects.toThrow(/^The search engine answers with status 502\.$/);
  });
  it('does not follow redirections', async () => {
    server.answerNext('_mapping', { status: 301, body: '', headers: { location: `${server.address}/elsewhere` } });
    await expect(engine.find(request)).rejects.toThrow(/^The search engine answers with status 301\.$/);
    expect(server.requests).toHaveLength(1);
  });
  it('tells where nothing answers', async () => {
    await server.close();
    await expect(engine.find(request)).rejects.toThrow(/^The search engine does not answer\.$/);
  });
});

/** The sentence of a search in another server. */
async function faultOf(listener: RequestListener): Promise<string> {
  const other = createServer(listener);
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  try {
    await createOpenSearchEngine({ address: `http://127.0.0.1:${port}`, index: 'pages', deadlineMs: 200 }).find(
      request,
    );
    return 'no fault';
  } catch (error) {
    return (error as Error).message;
  } finally {
    other.closeAllConnections();
    other.close();
  }
}

it('gives up an answer that does not end', async () => {
  const sentence = 'The search engine does not answer within 0.2 seconds.';
  expect(await faultOf((_, response) => response.writeHead(200).write('{"pages":'))).toBe(sentence);
  expect(await faultOf(() => undefined)).toBe(sentence);
});

it('tells of an answer that breaks off', async () => {
  const breaking: RequestListener = (_, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{"pages":');
    setTimeout(() => response.destroy(), 20);
  };
  expect(await faultOf(breaking)).toBe('The search engine does not answer.');
});

it('says that a certificate is not trusted', { tags: 'openssl' }, async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'certificate-'));
  const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  execFileSync('openssl', [...made, '-subj', '/CN=localhost', '-keyout', key, '-out', cert], { stdio: 'ignore' });
  const secure = createSecureServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_, response) => {
    response.end('{}');
  });
  await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
  const { port } = secure.address() as AddressInfo;
  engine = open({ address: `https://127.0.0.1:${port}` });
  await expect(engine.find(request)).rejects.toThrow(
    /^The search engine’s certificate is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)\.$/,
  );
  secure.closeAllConnections();
  secure.close();
  rmSync(folder, { recursive: true });
});
