/** Addresses that are too long, and queries with too many parameters (survive.md, "Input"). */
import { describe, expect, it } from 'vitest';
import {
  base,
  emptyAddresses,
  endpoints,
  expectDiscreet,
  infoAddress,
  membersOf,
  serveLibrary,
  statusOf,
  textOf,
} from './library-with-secrets.ts';

const server = serveLibrary();

/** The address with an unknown parameter such that its length is `bytes`. */
function lengthened(address: string, bytes: number): string {
  const separator =
    /&amp;|[;?]/.exec(address.slice(address.indexOf('?') + 1))?.[0] ?? (address.includes('?') ? '&' : '?');
  const start = `${address}${separator}x=`;
  return start + 'y'.repeat(bytes - start.length);
}

const rawRequest = (target: string): string => `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;

describe('an address', () => {
  for (const [label, address] of endpoints) {
    it(`of 8192 bytes is read and one of 8193 is 414 at ${label}`, async () => {
      expect((await server.app.get(lengthened(address, 8192))).status).toBe(200);
      for (const bytes of [8193, 20_000]) {
        const answer = await server.app.get(lengthened(address, bytes));
        expect(answer.status).toBe(414);
        expect(answer.body.length).toBeGreaterThan(0);
        expectDiscreet(answer, server.library);
      }
    });
  }

  for (const [label, address] of emptyAddresses) {
    it(`over 8 KiB is 414 at ${label}`, async () => {
      expect((await server.app.get(lengthened(address, 8192))).status).toBe(404);
      for (const bytes of [8193, 20_000]) expect((await server.app.get(lengthened(address, bytes))).status).toBe(414);
    });
  }

  it('of 100,000 bytes is 414, and the next request is served', async () => {
    for (const [label, address] of [...endpoints, ...emptyAddresses]) {
      expect(statusOf(await server.app.raw(rawRequest(lengthened(address, 100_000)))), label).toBe(414);
    }
    expect((await server.app.get(`${base}/`)).status).toBe(200);
  });

  it('longer than the space for all headers is refused in whatever chunks it arrives', async () => {
    for (const length of [65_000, 65_500, 65_536, 66_000, 70_000, 100_000]) {
      const request = rawRequest(lengthened(infoAddress('plain.jpg'), length));
      for (const cuts of [[60_000], [10, 8200], [30_000, 60_000, 64_990]]) {
        const parts = [0, ...cuts].map((start, index) => request.slice(start, cuts[index]));
        // Node's parser does not report which line was too long if it came in several packets.
        expect([414, 431], `${length} cut at ${cuts}`).toContain(statusOf(await server.app.raw(parts)));
      }
    }
  });

  it('that is short is not reported as too long when the headers are', async () => {
    const start = `GET ${base}/ HTTP/1.1\r\nHost: a\r\n`;
    const headers = [`X-Huge: ${'h'.repeat(70_000)}\r\n`, `X-Many: ${'h'.repeat(90)}\r\n`.repeat(1000)];
    for (const many of [...headers, ...headers.map((one) => one + one)]) {
      expect(statusOf(await server.app.raw(`${start}${many}\r\n`)), many.slice(0, 6)).toBe(431);
    }
    expect((await server.app.get(`${base}/`)).status).toBe(200);
  });

  it('with bytes beyond ASCII that are not percent-encoded is 400, however long it is', async () => {
    const start = `${base}/api/dlInfo-json.jsp?x=`;
    for (const length of [1, 8000, 9000]) {
      expect(statusOf(await server.app.raw(rawRequest(start + '\u00e4'.repeat(length))))).toBe(400);
    }
  });
});

/** The forms of a query with this many parameters, beginning with a given one. */
const forms: readonly (readonly [string, (first: string, count: number) => string])[] = [
  ['&', (first, count) => [first, ...Array.from({ length: count - 1 }, (_, i) => `p${i}=1`)].join('&')],
  [';', (first, count) => [first, ...Array.from({ length: count - 1 }, (_, i) => `p${i}=1`)].join(';')],
  ['&amp;', (first, count) => [first, ...Array.from({ length: count - 1 }, (_, i) => `p${i}=1`)].join('&amp;')],
  ['the same name repeatedly', (first, count) => [first, ...Array(count - 1).fill('dw=20')].join('&')],
  ['names without values', (first, count) => [first, ...Array(count - 1).fill('x')].join('&')],
  ['&& without names', (first, count) => [first, ...Array(count - 1).fill('=')].join('&')],
];

const readers = ['api/dlInfo-json.jsp', 'Scaler', 'servlet/Scaler', 'Scaler/', 'servlet/Scaler/'];

describe('a query', () => {
  for (const [form, queryOf] of forms) {
    for (const reader of readers) {
      it(`with 100 parameters is read and with 101 is 400 at ${reader}, written with ${form}`, async () => {
        const first = 'fn=plain.jpg';
        const separator = form.startsWith('&amp') ? '&amp;' : form === ';' ? ';' : '&';
        const query = (count: number): string => `${queryOf(first, count - 1)}${separator}dh=20`;
        const accepted = await server.app.get(`${base}/${reader}?${query(100)}`);
        expect(accepted.status).toBe(200);
        if (reader.startsWith('api')) expect(membersOf(accepted)['dh']).toBe('20');
        for (const count of [101, 102, 300]) {
          const refused = await server.app.get(`${base}/${reader}?${query(count)}`);
          expect(refused.status, String(count)).toBe(400);
          expectDiscreet(refused, server.library);
        }
      });
    }
  }

  it('in the old positional form with 100 positions is read and with 101 is 400', async () => {
    const queryOf = (count: number): string => `plain.jpg${'+1'.repeat(count - 1)}`;
    expect((await server.app.get(`${base}/api/dlInfo-json.jsp?${queryOf(100)}`)).status).toBe(200);
    expect((await server.app.get(`${base}/api/dlInfo-json.jsp?${queryOf(101)}`)).status).toBe(400);
  });

  /** What the error of too many parameters is, by address. */
  const errorForms: readonly (readonly [address: string, mediaType: string, headers?: Record<string, string>])[] = [
    ['Scaler?fn=plain.jpg', 'image/png'],
    ['Scaler/plain.jpg?dw=20', 'image/png'],
    ['Scaler/IIIF/plain.jpg/info.json?', 'text/plain'],
    ['iiif/3/plain.jpg/info.json?', 'text/plain'],
    ['iiif/2/plain.jpg/full/20,/0/default.jpg?', 'text/plain'],
    ['presentation/3/folder/manifest.json?', 'text/plain'],
    ['api/dlInfo-json.jsp?', 'text/plain'],
    ['api/folder.json?fn=folder', 'application/json'],
    ['api/search.json?q=e', 'application/json'],
    ['api/text/plain.jpg.json?', 'application/json'],
    ['sitemap.xml?', 'text/plain'],
    ['browse?', 'text/plain'],
    ['browse?', 'text/html', { accept: 'text/html,*/*' }],
    ['view/plain.jpg?', 'text/html', { accept: 'text/html,*/*' }],
  ];
  for (const [address, mediaType, headers = {}] of errorForms) {
    it(`is 400 as ${mediaType} for too many parameters at ${address}`, async () => {
      const answer = await server.app.get(`${base}/${address}${'&x=1'.repeat(101)}`, { headers });
      expect(answer.status).toBe(400);
      expect(answer.headers['content-type']?.split(';')[0]).toBe(mediaType);
      expect(answer.headers['cache-control']).toBe('no-store');
      if (mediaType !== 'image/png') expect(textOf(answer)).toContain('at most 100 parameters');
      expectDiscreet(answer, server.library);
    });
  }

  it('of a form for a document is 400 with 101 parameters, and read with 100', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
    const send = (count: number) =>
      server.app.get(`${base}/PDFCache`, {
        method: 'POST',
        headers,
        body: `fn=folder&pgs=1${'&x=1'.repeat(count - 2)}`,
      });
    expect((await send(100)).status).not.toBe(400);
    expect((await send(101)).status).toBe(400);
  });
});
