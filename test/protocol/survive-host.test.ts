/** Host headers and X-Forwarded headers, forged and malformed (survive.md, "Input"). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  base,
  emptyAddresses,
  endpoints,
  expectDiscreet,
  infoAddress,
  type LibraryWithSecrets,
  makeLibrary,
  membersOf,
  statusOf,
  textOf,
} from './library-with-secrets.ts';
import { type ReceivedResponse, type RunningApp, startApp } from './running-app.ts';

let library: LibraryWithSecrets;
let app: RunningApp;
let proxied: RunningApp;

beforeAll(async () => {
  library = await makeLibrary();
  const settings = { library: { folders: [library.root] }, http: { contextPath: base } };
  app = await startApp(settings);
  proxied = await startApp({ ...settings, http: { ...settings.http, trustedProxies: ['127.0.0.1'] } });
});

afterAll(async () => {
  await Promise.all([app.close(), proxied.close()]);
  library.remove();
});

const malformed = [
  '',
  ' ',
  'a b',
  'a/b',
  'a/../b',
  'a@b',
  'user:pass@host',
  'a?b',
  'a#b',
  'a\\b',
  '"',
  'a\'b"c',
  '<script>alert(1)</script>',
  'a,b',
  'a:b',
  'a:1:2',
  'a:-1',
  'a:8080:',
  'a:123456',
  ':80',
  '::1',
  '[::1',
  '::1]',
  '[::1]x',
  '[zz]',
  '[]',
  'http://a',
  'a\tb',
  '%00',
  'a%0d%0aX-Injected:1',
  'ä.example',
  'a|b',
  'a^b',
  'a`b',
  '{a}',
  'a;b',
  'a=b',
  'x'.repeat(300),
];

const wellFormed = [
  'library.example',
  'LIBRARY.Example',
  'library.example:8080',
  'my_host:3000',
  'xn--bcher-kva.example',
  '[::1]',
  '[::1]:8080',
  '[2001:db8::1]:443',
  '192.0.2.7:81',
  'localhost.',
];

const rawRequest = (target: string, headers: readonly string[], version = '1.1'): string =>
  [`GET ${target} HTTP/${version}`, ...headers, 'Connection: close', '', ''].join('\r\n');

describe('a malformed Host', () => {
  for (const [label, address] of [...endpoints, ...emptyAddresses]) {
    it(`is 400 at ${label}`, async () => {
      for (const host of malformed) {
        const text = await app.raw(rawRequest(address, [`Host: ${host}`]));
        expect(statusOf(text), JSON.stringify(host)).toBe(400);
        if (host.length > 3) expect(text).not.toContain(host);
        expect(text).not.toContain(library.outside);
      }
    });

    it(`is 400 if HTTP/1.1 has none at ${label}`, async () => {
      expect(statusOf(await app.raw(rawRequest(address, [])))).toBe(400);
    });
  }

  it('is 400 at every address if there are two of them, also equal ones (RFC 9112, section 3.2)', async () => {
    for (const [label, address] of [...endpoints, ...emptyAddresses]) {
      for (const second of ['a.example', 'b.example', '"']) {
        const text = await app.raw(rawRequest(address, ['Host: a.example', `Host: ${second}`]));
        expect(statusOf(text), `${second} at ${label}`).toBe(400);
      }
    }
  });

  it('is 400 in an absolute target too', async () => {
    for (const host of ['', 'a b', 'a@b', 'user:pass@host', '"', '<script>', 'a:b', '[zz]']) {
      const target = `http://${host}${infoAddress('')}`;
      expect(statusOf(await app.raw(rawRequest(target, ['Host: a.example']))), host).toBe(400);
    }
  });

  it('is 400 for every method', async () => {
    for (const method of ['HEAD', 'OPTIONS', 'POST', 'DELETE']) {
      const request = `${method} ${base}/ HTTP/1.1\r\nHost: a/b\r\nConnection: close\r\n\r\n`;
      expect(statusOf(await app.raw(request)), method).toBe(400);
    }
  });
});

const baseUrl = (answer: ReceivedResponse): string | undefined => membersOf(answer)['base.url'];

describe('a well-formed Host', () => {
  for (const host of wellFormed) {
    it(`${host} appears in the response to its own request, and in no other`, async () => {
      const address = infoAddress('plain.jpg');
      const answer = await app.get(address, { headers: { host } });
      expect(baseUrl(answer)).toBe(`http://${host}${address}`);
      expect(membersOf(answer)['servlet.request']).toContain(`Request(GET http://${host}${address})@`);
      const info = await app.get(`${base}/iiif/3/plain.jpg/info.json`, { headers: { host } });
      expect(JSON.parse(textOf(info))).toMatchObject({ id: `http://${host}${base}/iiif/3/plain.jpg` });
      const start = await app.get(`${base}/`, { headers: { host } });
      expect(start.headers['link']).toContain(`<http://${host}${base}/openapi.json>`);
      for (const [, other] of endpoints) {
        const next = await app.get(other);
        expect(`${JSON.stringify(next.headers)}${next.body.toString('latin1')}`).not.toContain(`//${host}/`);
      }
    });
  }

  it('is not needed in HTTP/1.0: the server’s own address is used', async () => {
    const text = await app.raw(rawRequest(infoAddress('plain.jpg'), [], '1.0'));
    expect(statusOf(text)).toBe(200);
    expect(text).toContain(`"base.url":"http://127.0.0.1:${app.port}${infoAddress('plain.jpg')}"`);
  });
});

describe('X-Forwarded headers', () => {
  const address = infoAddress('plain.jpg');
  const forged = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.example' };

  it('are ignored from a peer that is not trusted, at every endpoint', async () => {
    for (const [label, path] of endpoints) {
      const headers = { ...forged, forwarded: 'host=evil.example;proto=https', 'x-forwarded-for': '10.0.0.1' };
      const answer = await app.get(path, {
        headers: { ...headers, 'x-original-url': '/evil', 'x-forwarded-prefix': '/evil' },
      });
      expect(answer.status, label).toBe(200);
      expect(`${JSON.stringify(answer.headers)}${answer.body.toString('latin1')}`, label).not.toContain('evil');
      expect(textOf(answer), label).not.toContain(`https://127.0.0.1:${app.port}`);
    }
  });

  it('are used from a trusted peer', async () => {
    expect(baseUrl(await proxied.get(address, { headers: forged }))).toBe(`https://evil.example${address}`);
    const info = await proxied.get(`${base}/iiif/2/plain.jpg/info.json`, { headers: forged });
    expect(JSON.parse(textOf(info))).toMatchObject({ '@id': `https://evil.example${base}/iiif/2/plain.jpg` });
    const start = await proxied.get(`${base}/`, { headers: forged });
    expect(start.headers['link']).toContain(`<https://evil.example${base}/openapi.json>`);
  });

  it('from a trusted peer are used with their last value, which that peer added', async () => {
    const headers = {
      host: 'own.example',
      'x-forwarded-proto': 'http, https',
      'x-forwarded-host': 'a.example, b.example',
    };
    expect(baseUrl(await proxied.get(address, { headers }))).toBe(`https://b.example${address}`);
  });

  it('that are malformed never appear in the response, also from a trusted peer', async () => {
    for (const value of ['"><script>', 'https://x', 'a b', '', ',', 'evil.example/evil', 'evil@evil']) {
      const headers = { host: 'own.example', 'x-forwarded-host': value, 'x-forwarded-proto': value };
      for (const [label, path] of endpoints) {
        const answer = await proxied.get(path, { headers });
        expect([200, 400], label).toContain(answer.status);
        expectDiscreet(answer, library);
        if (value.length > 3) expect(`${JSON.stringify(answer.headers)}${textOf(answer)}`, label).not.toContain(value);
      }
      const text = await proxied.raw(rawRequest(address, ['Host: own.example', `X-Forwarded-Host: ${value}`]));
      expect([200, 400]).toContain(statusOf(text));
    }
  });

  it('can’t split a header or a response', async () => {
    const attacks = [
      'evil.example%0d%0aSet-Cookie:a=b',
      'evil.example\\r\\nSet-Cookie:a=b',
      'evil.example\u000bSet-Cookie:a=b',
    ];
    for (const value of attacks) {
      for (const [, path] of endpoints) {
        const text = await proxied.raw(rawRequest(path, ['Host: own.example', `X-Forwarded-Host: ${value}`]));
        expect([200, 400]).toContain(statusOf(text));
        expect(text).not.toMatch(/^set-cookie:/im);
      }
    }
  });
});
