/** Answers of stores that are unusual or wrong, one by one. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { BucketFolders } from '../../../../../src/core/storage/s3/bucket-folders.ts';
import { type BucketOptions, BucketRequests } from '../../../../../src/core/storage/s3/bucket-requests.ts';

type Answer = (request: IncomingMessage, url: URL, response: ServerResponse) => void;

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Requests to a store that answers so, and the requests that it got. */
async function openStore(answer: Answer, options: Partial<BucketOptions> = {}) {
  const received: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    received.push(request);
    answer(request, new URL(request.url ?? '/', 'http://store'), response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const credentials = { accessKeyId: 'key', secretAccessKey: 'secret' };
  const requests = new BucketRequests({ bucket: 'scans', endpoint, pathStyle: true, credentials, ...options });
  closing.push(async () => {
    await requests.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { requests, received };
}

const contents = (key: string, etag = '&quot;aa&quot;'): string =>
  `<Contents><Key>${key}</Key><LastModified>2026-01-02T03:04:05.000Z</LastModified><ETag>${etag}</ETag><Size>10</Size></Contents>`;

/** A page of a listing; it goes on where there is a token. */
const page = (body: string, token?: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">` +
  `<IsTruncated>${token !== undefined}</IsTruncated>${token === undefined ? '' : `<NextContinuationToken>${token}</NextContinuationToken>`}${body}</ListBucketResult>`;

const failure = (code: string): string =>
  `<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`;

describe('a listing', () => {
  it('that repeats keys and folders on its pages has each once', async () => {
    const { requests } = await openStore((_, { searchParams }, response) => {
      const isFirst = searchParams.get('continuation-token') === null;
      const folder = '<CommonPrefixes><Prefix>book/one/</Prefix></CommonPrefixes>';
      const body = isFirst ? contents('book/a.jpg') + contents('book/b.jpg') : contents('book/b.jpg', '&quot;bb&quot;');
      response.end(page(body + folder, isFirst ? 'next' : undefined));
    });
    const { files, folders } = await new BucketFolders(requests, { refreshMs: 1000 }).folder('book/');
    expect([...files.keys()]).toEqual(['a.jpg', 'b.jpg']);
    expect(files.get('b.jpg')?.etag).toBe('"bb"');
    expect([...folders]).toEqual(['one']);
  });

  it('whose token is that of the page before is refused, and not read for ever', async () => {
    const { requests, received } = await openStore((_request, _url, response) =>
      response.end(page(contents('book/a.jpg'), 'again')),
    );
    await expect(new BucketFolders(requests, { refreshMs: 1000 }).folder('book/')).rejects.toMatchObject({
      code: 'store-failed',
    });
    expect(received.length).toBeLessThan(6);
  });

  it('has the names as they are, where the store encodes keys as it was asked to, and where it does not', async () => {
    const { requests } = await openStore((_, { searchParams }, response) => {
      expect(searchParams.get('encoding-type')).toBe('url');
      const isEncoding = searchParams.get('prefix') === 'encoded/';
      const name = isEncoding ? 'encoded/a%252F+b%0A%C3%BC%2B.jpg' : 'plain/a%2F+b &amp; ü.jpg';
      response.end(page(`${isEncoding ? '<EncodingType>url</EncodingType>' : ''}${contents(name)}`));
    });
    expect((await requests.list('encoded/')).objects[0]?.[0]).toBe('a%2F b\nü+.jpg');
    expect((await requests.list('plain/')).objects[0]?.[0]).toBe('a%2F+b & ü.jpg');
  });

  it('with keys that are not encoded as it says is refused', async () => {
    const { requests } = await openStore((_request, _url, response) =>
      response.end(page(`<EncodingType>url</EncodingType>${contents('a%2')}`)),
    );
    await expect(requests.list('')).rejects.toMatchObject({ code: 'store-failed' });
  });
});

it('another document in the place of a listing is refused, and not taken for an empty folder', async () => {
  const { requests } = await openStore((_request, _url, response) =>
    response.setHeader('content-type', 'text/html').end('<html><body>Please sign in</body></html>'),
  );
  await expect(requests.list('book/')).rejects.toMatchObject({ code: 'store-failed' });
});

it('a bucket that is gone is a failure of the store, so that images of the last listing stay', async () => {
  let isGone = false;
  const { requests } = await openStore((_request, _url, response) =>
    isGone ? response.writeHead(404).end(failure('NoSuchBucket')) : response.end(page(contents('book/a.jpg'))),
  );
  const folders = new BucketFolders(requests, { refreshMs: 0 });
  await folders.folder('book/');
  isGone = true;
  expect([...(await folders.folder('book/')).files.keys()]).toEqual(['a.jpg']);
  await expect(requests.list('book/')).rejects.toMatchObject({ code: 'store-failed' });
});

it('an answer without ETag is none for an object', async () => {
  const { requests } = await openStore((_request, _url, response) => response.end('0123456789'));
  await expect(requests.head('a.jpg')).rejects.toMatchObject({ code: 'store-failed' });
  await expect(requests.read('a.jpg', { size: 10, etag: '"aa"', modifiedMs: 0 }, 0, 10)).rejects.toMatchObject({
    code: 'store-failed',
  });
});

describe('a store whose clock differs from that of the server', () => {
  const hourMs = 3_600_000;

  it('is asked again by its own clock, also for what has no body', async () => {
    const { requests, received } = await openStore(({ method, headers }, _url, response) => {
      const signed = String(headers['x-amz-date']).replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z');
      response.setHeader('date', new Date(Date.now() + hourMs).toUTCString());
      if (Math.abs(Date.parse(signed) - Date.now() - hourMs) > 60_000) {
        response.writeHead(403).end(method === 'HEAD' ? undefined : failure('RequestTimeTooSkewed'));
      } else if (method === 'HEAD') response.writeHead(200, { etag: '"aa"', 'content-length': 10 }).end();
      else response.end(page(contents('a.jpg')));
    });
    expect(await requests.head('a.jpg')).toMatchObject({ size: 10 });
    expect(received).toHaveLength(2);
    expect((await requests.list('')).objects).toHaveLength(1);
    expect(received).toHaveLength(3);
  });

  it('is named where that does not help', async () => {
    const { requests } = await openStore((_request, _url, response) => {
      response.sendDate = false;
      response.writeHead(403).end(failure('RequestTimeTooSkewed'));
    });
    await expect(requests.list('')).rejects.toThrow('The object store’s clock and that of the server differ.');
  });
});

describe('bytes', () => {
  const send =
    (etag: string, body: string): Answer =>
    ({ headers }, _url, response) => {
      const [, from = '0', to = '0'] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
      const part = body.slice(Number(from), Number(to) + 1);
      response.writeHead(206, {
        etag,
        'content-range': `bytes ${from}-${to}/${body.length}`,
        'content-length': part.length,
      });
      response.end(part);
    };

  it('are read where the list has the entity tag without quotation marks, with which it is sent', async () => {
    const { requests, received } = await openStore((request, url, response) => {
      if (url.searchParams.has('list-type')) response.end(page(contents('a.jpg', 'aa')));
      else send('"aa"', '0123456789')(request, url, response);
    });
    const [[, object] = []] = (await requests.list('')).objects;
    if (object === undefined) throw new Error('there is no object');
    expect(String(await requests.read('a.jpg', object, 2, 3))).toBe('234');
    expect(received[1]?.headers['if-match']).toBe('"aa"');
  });

  it('of another version between two reads are refused, also by a store that ignores If-Match', async () => {
    let reads = 0;
    const { requests } = await openStore((request, url, response) =>
      send(reads++ === 0 ? '"aa"' : '"bb"', '0123456789')(request, url, response),
    );
    const object = { size: 10, etag: '"aa"', modifiedMs: 0 };
    expect(String(await requests.read('a.jpg', object, 0, 5))).toBe('01234');
    await expect(requests.read('a.jpg', object, 5, 5)).rejects.toMatchObject({ code: 'changed' });
  });

  it('of the whole object with status 200 in the place of a range are refused, after a few attempts', async () => {
    const { requests, received } = await openStore((_request, _url, response) => {
      response.writeHead(200, { etag: '"aa"', 'content-length': 10 });
      response.end('0123456789');
    });
    const object = { size: 10, etag: '"aa"', modifiedMs: 0 };
    await expect(requests.read('a.jpg', object, 2, 3)).rejects.toMatchObject({ code: 'store-failed' });
    expect(received).toHaveLength(3);
    // Where all of it was asked for, that is right.
    expect(String(await requests.read('a.jpg', object, 0, 10))).toBe('0123456789');
  });
});

describe('a key', () => {
  it.each([
    [400, 'ExpiredToken'],
    [403, 'InvalidAccessKeyId'],
  ])('that the store refuses with status %i, %s, is named as the cause, and not tried again', async (status, code) => {
    const { requests, received } = await openStore((_request, _url, response) =>
      response.writeHead(status, { 'content-type': 'application/xml' }).end(failure(code)),
    );
    await expect(requests.list('')).rejects.toMatchObject({
      code: 'store-failed',
      message: 'The object store refuses the server’s key.',
    });
    expect(received).toHaveLength(1);
  });

  it('is asked for again before it expires', async () => {
    let asked = 0;
    const credentials = async () => ({
      accessKeyId: `key-${++asked}`,
      secretAccessKey: 'secret',
      expiration: new Date(Date.now() + 5 * 60_000 + 500),
    });
    const { requests, received } = await openStore((_request, _url, response) => response.end(page('')), {
      credentials,
    });
    await requests.list('');
    await requests.list('');
    expect(asked).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 600));
    await requests.list('');
    expect(received.map(({ headers }) => /key-\d/.exec(headers.authorization ?? '')?.[0])).toEqual([
      'key-1',
      'key-1',
      'key-2',
    ]);
  });
});

/** Answers a range of an object of zeros, piece by piece. */
const sendSlowly =
  (pieceBytes: number, pauseMs: number, pieces = Number.POSITIVE_INFINITY): Answer =>
  ({ headers }, _url, response) => {
    const [, from = '0', to = '0'] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
    const length = Number(to) + 1 - Number(from);
    response.writeHead(206, { etag: '"aa"', 'content-range': `bytes ${from}-${to}/${size}`, 'content-length': length });
    let sent = 0;
    let left = pieces;
    const timer = setInterval(() => {
      if (left-- <= 0) return clearInterval(timer);
      response.write(Buffer.alloc(Math.min(pieceBytes, length - sent)));
      sent += pieceBytes;
      if (sent >= length) response.end();
    }, pauseMs);
    response.on('close', () => clearInterval(timer));
  };
const size = 2 ** 20;
const slowObject = { size, etag: '"aa"', modifiedMs: 0 };
const impatient = { deadlineMs: 400, pauseMs: 200 };

describe('a body', () => {
  it('that takes longer than a request may, and keeps arriving, is read to its end', async () => {
    const { requests, received } = await openStore(sendSlowly(64 * 1024, 50), { times: impatient });
    const arrivals: number[] = [];
    const bytes = await requests.read('a.tif', slowObject, 0, size, () => arrivals.push(performance.now()));
    expect(bytes).toHaveLength(size);
    expect([received.length, arrivals.length >= 16]).toEqual([1, true]);
  });

  it('that stops in its middle, or comes by single bytes, is given up in time', async () => {
    for (const answer of [sendSlowly(64 * 1024, 20, 8), sendSlowly(1, 20)]) {
      const { requests } = await openStore(answer, { times: impatient });
      const startMs = performance.now();
      await expect(requests.read('a.tif', slowObject, 0, size)).rejects.toMatchObject({ code: 'store-late' });
      expect(performance.now() - startMs).toBeLessThan(2000);
    }
  });

  it('of a list that keeps arriving is read to its end', async () => {
    const keys = [...Array(12).keys()].map((key) => contents(`${key}${'a'.repeat(20_000)}.jpg`));
    const { requests } = await openStore(
      (_request, _url, response) => {
        const left = page(keys.join('')).match(/.{1,20000}/gs) ?? [];
        const timer = setInterval(() => {
          if (left.length > 0) return response.write(left.shift());
          clearInterval(timer);
          return response.end();
        }, 50);
      },
      { times: impatient },
    );
    expect((await requests.list('')).objects).toHaveLength(12);
  });

  it('that keeps arriving is given up where all of it has a bound', async () => {
    const { requests } = await openStore(sendSlowly(64 * 1024, 50), { times: { ...impatient, totalMs: 400 } });
    await expect(requests.read('a.tif', slowObject, 0, size)).rejects.toMatchObject({ code: 'store-late' });
  });
});

describe('a store that', () => {
  const refuse = (response: ServerResponse, status: number): unknown => response.writeHead(status).end(failure('No'));
  const found = (response: ServerResponse): unknown =>
    response.writeHead(200, { etag: '"aa"', 'content-length': 10 }).end();

  it('is saturated is not asked much more for that', async () => {
    let count = 0;
    const { requests, received } = await openStore(
      (_request, _url, response) => (count++ % 2 === 0 ? refuse(response, 503) : found(response)),
      // On a busy machine 200 requests at once may wait for seconds.
      { times: { deadlineMs: 60_000, pauseMs: 60_000 } },
    );
    const outcomes = await Promise.allSettled([...Array(200).keys()].map((key) => requests.head(`${key}.jpg`)));
    const failed = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? outcome.reason : []));
    expect(received.length).toBeLessThanOrEqual(200 + 20 + 10);
    expect(new Set(failed.map(({ code }) => code))).toEqual(new Set(['store-busy']));
  });

  it('fails for one key answers for all others', async () => {
    const { requests, received } = await openStore((_request, { pathname }, response) =>
      pathname.endsWith('bad.jpg') ? refuse(response, 500) : found(response),
    );
    for (let time = 0; time < 20; time++)
      await expect(requests.head('bad.jpg')).rejects.toMatchObject({ code: 'store-failed' });
    expect(received.length).toBeGreaterThanOrEqual(20);
    expect(await requests.head('good.jpg')).toMatchObject({ size: 10 });
  });

  it('fails for all keys is left alone for a while, and asked again also by a key that fails alone', async () => {
    let isDown = false;
    const { requests, received } = await openStore((_request, { pathname }, response) =>
      isDown || pathname.endsWith('bad.jpg') ? refuse(response, 500) : found(response),
    );
    const ask = (key: string): Promise<unknown> => requests.head(key).catch((error: unknown) => error);
    await ask('bad.jpg');
    await ask('good.jpg');
    isDown = true;
    for (let key = 0; key < 8; key++) await ask(`${key}.jpg`);
    const asked = received.length;
    expect(await ask('good.jpg')).toMatchObject({ code: 'store-failed', retryAfterS: 2 });
    expect(received.length).toBe(asked);
    isDown = false;
    await new Promise((resolve) => setTimeout(resolve, 2100));
    expect(await ask('bad.jpg')).toMatchObject({ code: 'store-failed' });
    expect(await ask('good.jpg')).toMatchObject({ size: 10 });
  });

  it('does not list goes on to be read, and the other way around', async () => {
    let fails = 'list-type';
    const { requests } = await openStore((_request, { searchParams }, response) => {
      if (searchParams.has('list-type') === (fails === 'list-type')) refuse(response, 500);
      else if (searchParams.has('list-type')) response.end(page(''));
      else found(response);
    });
    for (let key = 0; key < 8; key++) await requests.list(`${key}/`).catch(() => undefined);
    expect(await requests.head('good.jpg')).toMatchObject({ size: 10 });
    fails = 'others';
    await new Promise((resolve) => setTimeout(resolve, 2100));
    for (let key = 0; key < 8; key++) await requests.head(`${key}.jpg`).catch(() => undefined);
    expect((await requests.list('')).objects).toEqual([]);
  });

  it.each([
    [503, 'store-busy'],
    [429, 'store-busy'],
    [500, 'store-failed'],
    [502, 'store-failed'],
  ])('answers %i is told by the code %s, also while it is left alone', async (status, code) => {
    const { requests } = await openStore((_request, _url, response) => refuse(response, status));
    for (let key = 0; key < 8; key++) await expect(requests.head(`${key}.jpg`)).rejects.toMatchObject({ code });
  });

  it('does not answer is told by the code store-late', async () => {
    const { requests } = await openStore(() => undefined, { times: { deadlineMs: 150, pauseMs: 100 } });
    for (let key = 0; key < 7; key++)
      await expect(requests.head(`${key}.jpg`)).rejects.toMatchObject({ code: 'store-late' });
  });
});
