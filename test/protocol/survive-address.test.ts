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

  it('is 400 for too many parameters in the requested form of error', async () => {
    const many = `${'x=1&'.repeat(100)}mo=errtxt`;
    const answer = await server.app.get(`${base}/Scaler?fn=plain.jpg&${many}`);
    expect(answer.status).toBe(400);
  });
});
