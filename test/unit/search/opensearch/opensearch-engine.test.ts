import { expect, it } from 'vitest';
import { createOpenSearchEngine } from '../../../../src/search/opensearch/opensearch-engine.ts';
import { parseQuery } from '../../../../src/search/query.ts';
import { describeEngine } from '../engine-contract.ts';
import { startFakeOpenSearch } from './fake-opensearch.ts';

describeEngine('OpenSearch', async () => {
  const server = await startFakeOpenSearch();
  const engine = createOpenSearchEngine({ address: server.address, index: 'pages' });
  return { engine, close: () => server.close() };
});

it('sends credentials, and tells neither them nor the address where it fails', async () => {
  const server = await startFakeOpenSearch();
  const engine = createOpenSearchEngine({ address: server.address, index: 'pages', authorization: 'Basic secret' });
  const request = { query: parseQuery('a'), within: '', limit: 1 };
  await engine.find(request);
  expect(new Set(server.authorizations)).toEqual(new Set(['Basic secret']));
  server.failWith(401);
  await expect(engine.find(request)).rejects.toThrow(/^The search engine answers with status 401\.$/);
  await server.close();
  await expect(engine.find(request)).rejects.toThrow(/^The search engine does not answer\.$/);
});

it('makes its index once', async () => {
  const server = await startFakeOpenSearch();
  const engine = createOpenSearchEngine({ address: server.address, index: 'pages' });
  const request = { query: parseQuery('a'), within: '', limit: 1 };
  await Promise.all([engine.find(request), engine.find(request), engine.folders()]);
  expect(server.requests.filter((line) => line.startsWith('PUT'))).toHaveLength(1);
  await server.close();
});
