/** Traces: which spans a collector gets, to which trace they belong, and how a trace goes on at the store and in the queue. */

import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTracing } from '../../src/app/open-tracing.ts';
import { ImageError } from '../../src/core/image/model/errors.ts';
import { LocalBuildQueue } from '../../src/core/pyramids/queue/local-queue.ts';
import { jobOf } from '../../src/core/pyramids/queue/processor.ts';
import { startSpan, traced, traceparent } from '../../src/core/tracing/tracing.ts';
import { made, requestFor, sharedQueue, until } from '../contract/build-queues.ts';
import { startRedis } from '../fixtures/redis-server.ts';
import { storeSettings } from '../s3/store-settings.ts';
import { type RunningApp, startApp } from './running-app.ts';

interface Span {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly status?: { readonly code?: number };
  readonly attributes: Readonly<Record<string, unknown>>;
}

interface SentAttribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

const attributesOf = (sent: readonly SentAttribute[]) =>
  Object.fromEntries(sent.map(({ key, value }) => [key, Object.values(value)[0]]));

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-tracing-'));
let spans: Span[] = [];
let services: unknown[] = [];
const collector = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => void parts.push(part));
  request.on('end', () => {
    const { resourceSpans } = JSON.parse(Buffer.concat(parts).toString());
    for (const { resource, scopeSpans } of resourceSpans) {
      services.push(attributesOf(resource.attributes)['service.name']);
      for (const scope of scopeSpans)
        for (const span of scope.spans) spans.push({ ...span, attributes: attributesOf(span.attributes) });
    }
    response.writeHead(request.url === '/v1/traces' ? 200 : 404, { 'content-type': 'application/json' }).end('{}');
  });
});

/** A store with one picture under each key, which keeps the headers that it got. */
let storeHeaders: (string | undefined)[] = [];
let picture: Buffer;
const store = createServer((request, response) => {
  storeHeaders.push(request.headers['traceparent'] as string | undefined);
  const [, first = '0', last = ''] = /bytes=(\d+)-(\d+)/.exec(String(request.headers.range)) ?? [];
  const end = Math.min(Number(last || picture.length - 1), picture.length - 1);
  const isFound = /page\d\.jpg(?:\?|$)/.test(request.url ?? '');
  if (!isFound) return void response.writeHead(404).end();
  const body = picture.subarray(Number(first), end + 1);
  response
    .writeHead(request.headers.range ? 206 : 200, {
      ...{ etag: '"aa"', 'last-modified': new Date(0).toUTCString(), 'x-amz-request-id': 'tx-9' },
      ...{ 'content-length': body.length, 'content-range': `bytes ${first}-${end}/${picture.length}` },
    })
    .end(request.method === 'HEAD' ? undefined : body);
});

const listen = (server: Server) => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const portOf = (server: Server): number => (server.address() as AddressInfo).port;
const endpoint = (): string => `http://127.0.0.1:${portOf(collector)}`;

let app: RunningApp;

beforeAll(async () => {
  picture = await sharp({ create: { width: 300, height: 200, channels: 3, background: 'gray' } })
    .jpeg()
    .toBuffer();
  await listen(collector);
  await listen(store);
  app = await startApp({
    library: { folders: ['s3://scans'] },
    http: { trustedProxies: ['127.0.0.1'] },
    objectStorage: {
      ...storeSettings(scratch, { endpoint: `http://127.0.0.1:${portOf(store)}` }),
      ...{ list: false, extensions: ['jpg'], metaFiles: false },
    },
  });
});
afterAll(async () => {
  await app.close();
  for (const server of [collector, store]) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  rmSync(scratch, { recursive: true });
});

let close: () => Promise<void> = async () => undefined;
let warnings: string[] = [];
const open = async (tracing: { endpoint?: string; ratio?: number }, variables: NodeJS.ProcessEnv = {}) => {
  const warn = (_facts: unknown, message?: string): void => void warnings.push(String(message));
  close = await openTracing({ tracing: { ratio: 1, ...tracing } }, 'lectern', { warn }, variables);
};
beforeEach(() => {
  spans = [];
  services = [];
  storeHeaders = [];
  warnings = [];
});
afterEach(() => close());

const traceId = '0af7651916cd43dd8448eb211c80319c';
const parentId = 'b7ad6b7169203331';
const sampled = { traceparent: `00-${traceId}-${parentId}-01` };
const named = (name: string): Span | undefined => spans.find((span) => span.name === name);

describe('a request for a picture', () => {
  it('is a trace from the request to the store, which goes on with that of its caller', async () => {
    await open({ endpoint: endpoint() });
    expect((await app.get('/Scaler?fn=page1&dw=20&token=secret', { headers: sampled })).status).toBe(200);
    await close();
    expect(new Set(spans.map((span) => span.traceId))).toEqual(new Set([traceId]));
    const [request, admit, render] = [named('GET picture'), named('admit'), named('render')];
    expect(request).toMatchObject({ kind: 2, parentSpanId: parentId });
    expect(request?.attributes).toMatchObject({
      ...{ 'http.request.method': 'GET', 'url.path': '/Scaler', 'lectern.kind': 'picture' },
      'http.response.status_code': 200,
    });
    expect(admit?.parentSpanId).toBe(request?.spanId);
    expect(render?.parentSpanId).toBe(request?.spanId);
    expect(render?.attributes).toMatchObject({ 'lectern.media_type': 'image/jpeg' });
    const get = named('S3.GetObject');
    expect(get?.kind).toBe(3);
    expect(get?.attributes).toMatchObject({ 'aws.s3.bucket': 'scans', 'aws.request_id': 'tx-9' });
    expect([admit?.spanId, render?.spanId]).toContain(get?.parentSpanId);
    expect(JSON.stringify(spans)).not.toContain('secret');
    expect(new Set(services)).toEqual(new Set(['lectern']));
    const sent = storeHeaders.map((header) => header?.split('-')[1]);
    expect(sent.length).toBeGreaterThan(0);
    expect(new Set(sent)).toEqual(new Set([traceId]));
    expect(storeHeaders.map((header) => header?.split('-')[2])).toContain(get?.spanId);
  });

  it('is a trace of its own where its caller sent none or a malformed one', async () => {
    await open({ endpoint: endpoint() });
    await app.get('/Scaler?fn=page2&dw=20');
    await app.get('/healthz', { headers: { traceparent: '00-zz-01' } });
    await close();
    const requests = spans.filter(({ kind }) => kind === 2);
    expect(requests.map(({ name }) => name)).toEqual(['GET picture', 'GET server']);
    expect(new Set(requests.map((span) => span.traceId)).size).toBe(2);
    for (const { parentSpanId } of requests) expect(parentSpanId ?? '').toBe('');
  });

  it('for what is missing is no failure, and work that fails is one', async () => {
    await open({ endpoint: endpoint() });
    expect((await app.get('/iiif/3/nothing.tif/info.json')).status).toBe(404);
    const failing = Promise.reject(new ImageError('store-failed', 'The store fails.'));
    await expect(
      traced(
        () => ({ name: 'work' }),
        () => failing,
      ),
    ).rejects.toThrow();
    await close();
    const failures = spans.filter(({ status }) => status?.code === 2);
    expect(failures.map(({ name }) => name)).toEqual(['work']);
    expect(failures[0]?.attributes).toMatchObject({ 'error.type': 'store-failed' });
  });
});

describe('sampling', () => {
  it('is by the trace of a trusted proxy', async () => {
    await open({ endpoint: endpoint(), ratio: 0 });
    await app.get('/healthz', { headers: sampled });
    await app.get('/healthz', { headers: { traceparent: `00-${traceId}-${parentId}-00` } });
    await app.get('/healthz');
    await close();
    expect(spans).toHaveLength(1);
  });

  it('is by the ratio for everyone else, whose traces go on nevertheless', async () => {
    const open_ = await startApp();
    await open({ endpoint: endpoint(), ratio: 0 });
    await open_.get('/healthz', { headers: sampled });
    await close();
    expect(spans).toHaveLength(0);
    await open({ endpoint: endpoint(), ratio: 1 });
    await open_.get('/healthz', { headers: sampled });
    await close();
    await open_.close();
    expect(spans).toMatchObject([{ traceId, parentSpanId: parentId }]);
  });
});

describe('a build of a pyramid', () => {
  it('belongs to the trace of the request that it is for, also in another process', async () => {
    await open({ endpoint: endpoint() });
    const request = startSpan({ name: 'request' });
    const parent = request?.run(traceparent);
    request?.end();
    const { key, source, ...rest } = { ...requestFor('/a.tif'), traceparent: parent };
    expect(jobOf({ key, source, traceparent: parent })).toEqual({ key, path: '/a.tif', traceparent: parent });
    const queue = new LocalBuildQueue({
      build: async () => made,
      signal: new AbortController().signal,
      onFault: () => undefined,
    });
    queue.add({ ...rest, key, source });
    await queue.close();
    await close();
    expect(named('build pyramid')).toMatchObject({ kind: 5, parentSpanId: named('request')?.spanId });
  });

  it('belongs to it where a worker takes the job from Redis', { tags: 'redis' }, async () => {
    const redis = await startRedis();
    const [server, worker] = [false, true].map((isBuilding) =>
      sharedQueue({ address: redis.address, name: 'traces', isBuilding }),
    );
    try {
      await until(() => server?.queue.load().isShared === true, 'a shared queue');
      await open({ endpoint: endpoint() });
      const request = startSpan({ name: 'request' });
      const parent = request?.run(traceparent);
      request?.end();
      server?.queue.add({ ...requestFor('/a.tif'), traceparent: parent });
      await until(() => worker?.begun.length === 1, 'the build by the worker');
      await until(() => server?.queue.load().waiting === 0, 'an empty queue');
      expect(server?.begun).toEqual([]);
    } finally {
      await Promise.all([server?.close(), worker?.close()]);
      await redis.close();
    }
    await close();
    expect(named('build pyramid')).toMatchObject({ kind: 5, traceId: named('request')?.traceId });
    expect(named('build pyramid')?.parentSpanId).toBe(named('request')?.spanId);
  });

  it('has no trace in its job where there are none', () => {
    const { key, source } = requestFor('/a.tif');
    expect(jobOf({ key, source, traceparent: traceparent() })).toEqual({ key, path: '/a.tif' });
  });
});

describe('traces', () => {
  it.each([
    ['nothing', {}, {}, 0],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', {}, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }, 1],
    ['OTEL_SDK_DISABLED', { endpoint: 'http://127.0.0.1:9' }, { OTEL_SDK_DISABLED: 'true' }, 0],
    ['OTEL_TRACES_EXPORTER', { endpoint: 'http://127.0.0.1:9' }, { OTEL_TRACES_EXPORTER: 'none' }, 0],
  ] as const)('are switched by %s', async (_, tracing, variables, count) => {
    await open(tracing, variables);
    const span = startSpan({ name: 'any' });
    expect(span === undefined ? 0 : 1).toBe(count);
  });

  it('that can’t be sent are one line of the log, and delay nothing', async () => {
    await open({ endpoint: 'http://127.0.0.1:9' });
    expect((await app.get('/Scaler?fn=page3&dw=20')).status).toBe(200);
    const begunMs = performance.now();
    await close();
    expect(performance.now() - begunMs).toBeLessThan(3000);
    expect(warnings.length).toBeLessThanOrEqual(1);
  });
});
