/** The fast path in front of Fastify: what it answers itself, what it stores, and what it passes on. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import {
  type CachedResponse,
  type ResponseMaker,
  type SeesRequest,
  throwRecordedFailure,
  withFastPath,
} from '../../../../src/core/http/fast-path/fast-path.ts';
import { AnswerCounts } from '../../../../src/core/http/request-metrics.ts';
import { ImageError } from '../../../../src/core/image/model/errors.ts';

const requestFor = (url: string, method = 'GET') =>
  ({
    method,
    url,
    headers: { host: 'library.example' },
    rawHeaders: ['Host', 'library.example'],
    socket: { destroyed: false },
  }) as unknown as IncomingMessage;

const rawResponse = { once: () => undefined } as unknown as ServerResponse;

/** A fast path with one maker, and the sequence of its calls. */
function createPath(make: (log: string[]) => ResponseMaker, hooksSee: readonly SeesRequest[] = []) {
  const log: string[] = [];
  const counted: ResponseMaker = (request, address) => {
    log.push(`make ${address}`);
    return make(log)(request, address);
  };
  const rules = {
    trusted: () => false,
    publicAddress: undefined,
    hooksSee,
    measures: {
      counts: new AnswerCounts(),
      observe: () => undefined,
      stageRow: { name: 'none', help: '', durations: () => [] },
    },
  };
  const handler = withFastPath([counted], rules, ({ url }) => void log.push(`Fastify ${url}`));
  const run = async (url: string, method?: string): Promise<IncomingMessage> => {
    const request = requestFor(url, method);
    handler(request, rawResponse);
    await new Promise(setImmediate);
    return request;
  };
  return { log, run };
}

const responseOf = (log: string[], changes: Partial<CachedResponse> = {}): CachedResponse => {
  const response: CachedResponse = {
    kind: 'picture',
    isShared: true,
    fits: () => true,
    isFresh: () => true,
    refresh: async () => response,
    write: (_request, _response, origin) => void log.push(`write ${origin}`),
    ...changes,
  };
  return response;
};

const written = 'write http://library.example';

describe('the fast path', () => {
  const madeTwice = ['make /a', written, 'make /a', written];

  it('stores a response by its address at the second request, and writes it again', async () => {
    const { log, run } = createPath((log) => () => responseOf(log));
    for (const url of ['/a', '/a', '/a', '/b']) await run(url);
    expect(log).toEqual([...madeTwice, written, 'make /b', written]);
  });

  it('stores a response that had to be waited for', async () => {
    const { log, run } = createPath((log) => async () => responseOf(log));
    for (const url of ['/a', '/a', '/a']) await run(url);
    expect(log).toEqual([...madeTwice, written]);
  });

  it('stores nothing that is not for everyone, and no long addresses', async () => {
    const own = createPath((log) => () => responseOf(log, { isShared: false }));
    for (const url of ['/a', '/a', '/a']) await own.run(url);
    expect(own.log).toEqual([...madeTwice, 'make /a', written]);
    const long = createPath((log) => () => responseOf(log));
    const url = `/${'a'.repeat(3000)}`;
    for (let repetition = 0; repetition < 3; repetition++) await long.run(url);
    expect(long.log).toEqual([1, 2, 3].flatMap(() => [`make ${url}`, written]));
  });

  it('refreshes a response whose files have changed, and stores the new one', async () => {
    const { log, run } = createPath(
      (log) => () => responseOf(log, { isFresh: () => false, refresh: async () => responseOf(log) }),
    );
    for (const url of ['/a', '/a', '/a', '/a']) await run(url);
    expect(log).toEqual([...madeTwice, written, written]);
  });

  it.each<[string, ResponseMaker | ((log: string[]) => ResponseMaker)]>([
    ['an address that no maker knows', () => () => undefined],
    ['an address for which a maker finds no response', () => async () => undefined],
    ['headers that the response does not fit', (log: string[]) => () => responseOf(log, { fits: () => false })],
    [
      'a response that is gone when it is refreshed',
      (log: string[]) => () => responseOf(log, { isFresh: () => false, refresh: async () => undefined }),
    ],
  ])('passes on %s', async (_case, make) => {
    const { log, run } = createPath(make as (log: string[]) => ResponseMaker);
    for (const url of ['/a', '/a']) await run(url);
    expect(log).toEqual(['make /a', 'Fastify /a', 'make /a', 'Fastify /a']);
  });

  it.each([
    ['another method', '/a', 'HEAD'],
    ['a target in absolute form', 'http://library.example/a', 'GET'],
    ['an address that is too long', `/${'a'.repeat(9000)}`, 'GET'],
  ])('passes on %s without making a response', async (_case, url, method) => {
    const { log, run } = createPath((log) => () => responseOf(log));
    await run(url, method);
    expect(log).toEqual([`Fastify ${url}`]);
  });

  it('passes on an error with the request, so that Fastify reports it without a second attempt', async () => {
    const error = new ImageError('not-found', 'There is no image of this name.');
    const { log, run } = createPath(() => async () => Promise.reject(error));
    const request = await run('/a');
    expect(log).toEqual(['make /a', 'Fastify /a']);
    expect(() => throwRecordedFailure(request)).toThrow(error);
  });

  it('leaves another attempt to Fastify where the file was replaced meanwhile', async () => {
    const changed = new ImageError('changed', 'The image’s file is being replaced; ask again.');
    const { log, run } = createPath((log) => () => responseOf(log, { write: () => Promise.reject(changed) }));
    const request = await run('/a');
    expect(log).toEqual(['make /a', 'Fastify /a']);
    expect(() => throwRecordedFailure(request)).not.toThrow();
  });

  it('leaves to Fastify what hooks have to see', async () => {
    const seen: SeesRequest = ({ url }) => url === '/seen';
    const { log, run } = createPath((log) => () => responseOf(log), [seen]);
    await run('/seen');
    await run('/other');
    expect(log).toEqual(['Fastify /seen', 'make /other', expect.stringMatching(/^write /)]);
  });
});
