/** Every method at every address: the server only reads (digilib.md, "Where we differ", 11). */
import { describe, expect, it } from 'vitest';
import {
  base,
  emptyAddresses,
  endpoints,
  expectDiscreet,
  expectResponsive,
  imageAddresses,
  serveLibrary,
  statusOf,
} from './library-with-secrets.ts';

const server = serveLibrary();

const refused = ['POST', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND', 'MKCOL', 'LOCK', 'SEARCH', 'PURGE', 'QUERY'];

const everywhere = [...endpoints, ...emptyAddresses];

describe('a method that changes resources', () => {
  for (const [label, address] of everywhere) {
    it(`is 405 at ${label}`, async () => {
      for (const method of refused) {
        const answer = await server.app.get(address, { method });
        expect(answer.status, method).toBe(405);
        expect(answer.headers.allow, method).toBe('GET, HEAD, OPTIONS');
        expectDiscreet(answer, server.library);
      }
    });
  }

  it('is refused whatever the body is, before the body has arrived', async () => {
    const bodies: readonly (readonly [string, string | Buffer])[] = [
      ['application/json', '{"a":'],
      ['application/json', ''],
      ['text/plain', 'x'.repeat(5_000_000)],
      ['multipart/form-data', 'no boundary'],
      ['application/x-www-form-urlencoded', '%%%'],
      ['not a type', '\0\0\0'],
      ['', 'x'],
      ['application/json; charset=utf-16', '{}'],
    ];
    for (const [label, address] of everywhere) {
      for (const [type, body] of bodies) {
        const head = `POST ${address} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: ${type}\r\n`;
        const text = await server.app.raw([`${head}Content-Length: ${body.length}\r\n\r\n`, body]);
        // The end of the connection can arrive before the response while a large body is still being sent.
        if (body.length < 1_000_000 || text !== '') expect(statusOf(text), `${type} at ${label}`).toBe(405);
      }
      const text = await server.app.raw(`PUT ${address} HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n`, 200);
      expect(statusOf(text), label).toBe(405);
    }
    await expectResponsive(server.app);
  });

  it('is refused with Expect: 100-continue', async () => {
    for (const [label, address] of everywhere) {
      const head = `POST ${address} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 2\r\n`;
      const text = await server.app.raw([`${head}Expect: 100-continue\r\n\r\n`, 'ab']);
      expect(text.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, ''), label).toMatch(/^HTTP\/1\.1 405 /);
    }
    const odd = `POST ${base}/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 0\r\nExpect: a-miracle\r\n\r\n`;
    expect([405, 417]).toContain(statusOf(await server.app.raw(odd)));
    await expectResponsive(server.app);
  });

  it('is 405 also with an override header or parameter, and GET stays GET', async () => {
    for (const [label, address] of endpoints) {
      const override = { 'x-http-method-override': 'DELETE', 'x-method-override': 'PUT' };
      expect((await server.app.get(address, { headers: override })).status, label).toBe(200);
      expect(
        (await server.app.get(address, { method: 'POST', headers: { 'x-http-method-override': 'GET' } })).status,
      ).toBe(405);
    }
  });

  it('that is unknown, or CONNECT, has no effect', async () => {
    for (const request of ['CONNECT a:443', `FROB ${base}/`, `get ${base}/`, `GE\tT ${base}/`, ` ${base}/`]) {
      const text = await server.app.raw(`${request} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`, 2000);
      expect(text, request).not.toMatch(/^HTTP\/1\.1 [25]/);
      await expectResponsive(server.app);
    }
  });
});

describe('OPTIONS', () => {
  it('is 204 at every address, also as a CORS preflight', async () => {
    for (const [label, address] of everywhere) {
      const headers = { origin: 'https://viewer.example', 'access-control-request-method': 'GET' };
      const answer = await server.app.get(address, { method: 'OPTIONS', headers });
      expect(answer.status, label).toBe(204);
      expect(answer.body.length).toBe(0);
      expect(answer.headers['access-control-allow-origin']).toBe('*');
      expect(answer.headers['access-control-allow-methods']).toContain('GET');
      expect(answer.headers.allow).toBe('GET, HEAD, OPTIONS');
    }
  });

  it('is 204 for the whole server', async () => {
    const text = await server.app.raw('OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    expect(statusOf(text)).toBe(204);
  });
});

describe('HEAD', () => {
  const answers: readonly (readonly [string, string])[] = [
    ...everywhere,
    ...imageAddresses.map(([label, address]) => [`${label}, not found`, address('missing.jpg')] as const),
    ['Scaler without a size', `${base}/Scaler?fn=plain.jpg`],
    ['Scaler, error as text', `${base}/Scaler?fn=missing&mo=errtxt`],
    ['Scaler, error as code', `${base}/Scaler?fn=missing&mo=errcode`],
    ['IIIF with a bad region', `${base}/iiif/3/plain.jpg/1,1/max/0/default.jpg`],
    ['an IIIF base address', `${base}/iiif/3/plain.jpg`],
    ['the start page without its slash', base],
    ['an address that is too long', `${base}/${'x'.repeat(9000)}`],
  ];

  for (const [label, address] of answers) {
    it(`has the status and type of GET and no body: ${label}`, async () => {
      const get = await server.app.get(address);
      const head = await server.app.get(address, { method: 'HEAD' });
      expect(head.status).toBe(get.status);
      expect(head.body.length).toBe(0);
      for (const name of ['content-type', 'etag', 'location', 'cache-control', 'access-control-allow-origin']) {
        expect(head.headers[name], name).toBe(get.headers[name]);
      }
      const raw = await server.app.raw(`HEAD ${address} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      expect(raw.split('\r\n\r\n')[1]).toBe('');
    });
  }
});
