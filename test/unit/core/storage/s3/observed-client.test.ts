/** What is counted and logged of the requests to a bucket, as a store gets them. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { BucketRequests } from '../../../../../src/core/storage/s3/bucket-requests.ts';
import { keyHash, StoreActivity } from '../../../../../src/core/storage/store-activity.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Requests to a store that answers so, what it got, and what was logged. */
async function openStore(answer: Answer) {
  const received: IncomingMessage[] = [];
  const logged: { readonly facts: Readonly<Record<string, unknown>>; readonly message: string }[] = [];
  const server = createServer((request, response) => {
    received.push(request);
    request.resume();
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const credentials = { accessKeyId: 'key', secretAccessKey: 'secret' };
  const activity = new StoreActivity({ warn: (facts, message) => void logged.push({ facts: { ...facts }, message }) });
  const requests = new BucketRequests({ bucket: 'scans', endpoint, pathStyle: true, credentials, observer: activity });
  closing.push(async () => {
    await requests.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const counts = () =>
    Object.fromEntries(
      activity
        .operations()
        .map(({ operation, requests, retries, bytes, failures }) => [
          operation,
          { requests, retries, bytes, failures: Object.fromEntries(failures) },
        ]),
    );
  return { requests, received, logged, activity, counts };
}

const object = { size: 10, etag: '"aa"', modifiedMs: 0 };

const whole: Answer = (_request, response) =>
  void response
    .writeHead(206, { etag: '"aa"', 'content-range': 'bytes 0-9/10', 'content-length': '10' })
    .end('0123456789');

const failing = (status: number): Answer => {
  return (_request, response) =>
    void response.writeHead(status, { 'x-amz-request-id': 'tx-17', 'content-length': '0' }).end();
};

const readAll = async (requests: BucketRequests, key: string, times: number): Promise<void> => {
  for (let count = 0; count < times; count++) await requests.read(key, object, 0, 10).catch(() => undefined);
};

describe('requests to a bucket', () => {
  it('are counted as the store gets them, with the bytes of their bodies', async () => {
    const { requests, received, counts, activity } = await openStore(whole);
    await requests.read('a.tif', object, 0, 10);
    await requests.read('b.tif', object, 0, 10);
    expect(received).toHaveLength(2);
    expect(counts()).toEqual({ get: { requests: 2, retries: 0, bytes: 20, failures: {} } });
    const [get] = activity.operations();
    expect(get?.durations.reduce((sum, count) => sum + count)).toBe(2);
    expect(get?.sumSeconds).toBeGreaterThan(0);
  });

  it('count bytes that are written', async () => {
    const { requests, counts } = await openStore((_request, response) => void response.writeHead(200).end());
    await requests.write('a', Buffer.alloc(321));
    expect(counts()).toEqual({ put: { requests: 1, retries: 0, bytes: 321, failures: {} } });
  });

  it('that answer that an object is missing or changed are no failures', async () => {
    let status = 404;
    const { requests, counts, activity, logged } = await openStore((request, response) =>
      failing(status)(request, response),
    );
    for (status of [404, 412, 304, 416]) await requests.readFirst('a', 10, object).catch(() => undefined);
    const { get, head } = counts();
    expect([get?.failures, head?.failures, logged]).toEqual([{}, {}, []]);
    expect(activity.buckets()).toMatchObject([{ bucket: 'scans', isFailing: false }]);
  });

  it.each([
    [500, 'server-error'],
    [503, 'throttled'],
    [429, 'throttled'],
    [403, 'denied'],
  ])('that are answered %i fail as %s', async (status, failure) => {
    const { requests, received, counts } = await openStore(failing(status));
    await readAll(requests, 'a.tif', 1);
    const { get } = counts();
    expect(get?.requests).toBe(received.length);
    expect(get?.retries).toBe(received.length - 1);
    expect(get?.failures).toEqual({ [failure]: received.length });
  });

  it('that are cut off in the body fail, and their bytes count', async () => {
    const { requests, received, counts } = await openStore((_request, response) => {
      response.writeHead(206, { etag: '"aa"', 'content-range': 'bytes 0-9/10', 'content-length': '10' });
      response.write('0123', () => response.destroy());
    });
    await readAll(requests, 'a.tif', 1);
    const { get } = counts();
    expect(get?.bytes).toBe(4 * received.length);
    expect(get?.failures).toEqual({ connection: received.length });
  });

  it('open the circuit of a bucket, which is seen, as is what is not sent then', async () => {
    const { requests, received, activity } = await openStore(failing(500));
    for (const key of 'abcdefgh') await readAll(requests, key, 1);
    const [bucket] = activity.buckets();
    expect([bucket?.isFailing, bucket?.circuits.get('read')]).toEqual([true, 'open']);
    const sent = received.length;
    await readAll(requests, 'i', 1);
    expect(received).toHaveLength(sent);
    expect(activity.buckets()[0]?.refused).toBeGreaterThan(0);
  });
});

describe('an outage', () => {
  it('is logged once, with the bucket, the hash of a key and the store’s request id, and once when it is over', async () => {
    let answer: Answer = failing(500);
    const { requests, logged, activity } = await openStore((request, response) => answer(request, response));
    for (const key of ['books/secret name.tif', ...'abcdefgh']) await readAll(requests, key, 1);
    expect(logged).toHaveLength(1);
    expect(logged[0]?.facts).toMatchObject({
      ...{ bucket: 'scans', operation: 'get', failure: 'server-error', status: 500 },
      ...{ storeRequestId: 'tx-17', keyHash: keyHash('books/secret name.tif') },
    });
    expect(JSON.stringify(logged)).not.toContain('secret name');
    answer = whole;
    await expect
      .poll(() => requests.read('a.tif', object, 0, 10).catch(() => 'failed'), { timeout: 8000 })
      .not.toBe('failed');
    expect(logged.map(({ message }) => message)).toEqual([
      expect.stringMatching(/failed/),
      'the object store answers again',
    ]);
    expect(logged[1]?.facts).toMatchObject({ bucket: 'scans', failures: expect.any(Number) });
    expect(activity.buckets()).toMatchObject([{ isFailing: false }]);
  });
});
