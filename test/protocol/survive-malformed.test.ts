/** Malformed HTTP: a response or a closed connection, and the next request is served (survive.md, "Input"). */
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { base, expectResponsive, infoAddress, picture, serveLibrary, statusOf } from './library-with-secrets.ts';

const server = serveLibrary();

const end = 'Host: a\r\nConnection: close\r\n\r\n';
const line = `GET ${base}/ HTTP/1.1\r\n`;

const malformed: readonly (readonly [string, string | Buffer])[] = [
  ['garbage', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0xff, 0xfe, 0x00, 0x0d, 0x0a, 0x0d, 0x0a])],
  ['noise', Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7919 + 13) % 256))],
  ['zeros', Buffer.alloc(10_000)],
  ['no method', `${base}/ HTTP/1.1\r\n${end}`],
  ['an odd version', `GET ${base}/ HTTP/9.9\r\n${end}`],
  ['another protocol', `GET ${base}/ ICY/1.1\r\n${end}`],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['a blank in the target', `GET ${base}/a b HTTP/1.1\r\n${end}`],
  ['NUL in the target', `GET ${base}/a\0b HTTP/1.1\r\n${end}`],
  ['a bare CR in the target', `GET ${base}/a\rb HTTP/1.1\r\n${end}`],
  ['a line feed in the target', `GET ${base}/a\nX-Injected: b HTTP/1.1\r\n${end}`],
  ['DEL in the target', `GET ${base}/a\u007fb HTTP/1.1\r\n${end}`],
  ['a target without a slash', `GET digilib/ HTTP/1.1\r\n${end}`],
  ['a header without a colon', `${line}NoColonHere\r\n${end}`],
  ['a header without a name', `${line}: value\r\n${end}`],
  ['a blank before the colon', `${line}X-A : b\r\n${end}`],
  ['NUL in a header', `${line}X-A: a\0b\r\n${end}`],
  ['a folded header', `${line}X-A: a\r\n b\r\n${end}`],
  ['a bare CR in a header', `${line}X-A: a\rb\r\n${end}`],
  ['two lengths', `${line}Content-Length: 1\r\nContent-Length: 2\r\n${end}ab`],
  ['a negative length', `${line}Content-Length: -1\r\n${end}`],
  ['a length that is no number', `${line}Content-Length: 1e3\r\n${end}`],
  ['length and chunks', `${line}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n${end}0\r\n\r\n`],
  ['an unknown encoding', `${line}Transfer-Encoding: gzip, nothing\r\n${end}`],
];

/** Requests that may be answered like valid ones: the fault comes too late, or is allowed. */
const strange: readonly (readonly [string, string | Buffer])[] = [
  ['a bad chunk length', `${line}Transfer-Encoding: chunked\r\n${end}xyz\r\nabc\r\n`],
  ['a huge chunk length', `${line}Transfer-Encoding: chunked\r\n${end}ffffffffffffffffff\r\nabc\r\n`],
  ['a chunk without its end', `${line}Transfer-Encoding: chunked\r\n${end}3\r\nabcdef\r\n`],
  ['no version (HTTP/0.9)', `GET ${base}/\r\n${end}`],
  ['bare line feeds', `GET ${base}/ HTTP/1.1\nHost: a\nConnection: close\n\n`],
  ['empty lines before', `\r\n\r\n${line}${end}`],
  ['an upgrade to a WebSocket', `${line}Connection: Upgrade\r\nUpgrade: websocket\r\nHost: a\r\n\r\n`],
  [
    'an upgrade to HTTP/2',
    `${line}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAA\r\nHost: a\r\n\r\n`,
  ],
  ['2000 headers', `${line}${'X-A: b\r\n'.repeat(2000)}${end}`],
  ['20,000 headers', `${line}${'X-A: b\r\n'.repeat(20_000)}${end}`],
  ['headers named like members of objects', `${line}__proto__: a\r\nconstructor: b\r\nhasOwnProperty: c\r\n${end}`],
  [
    'odd conditions',
    `${line}If-None-Match: ${'"a",'.repeat(5000)}\r\nIf-Modified-Since: 99999999999\r\nRange: bytes=9-1,-\r\n${end}`,
  ],
  [
    'odd wishes',
    `${line}Accept: ${'*/*;q=x,'.repeat(2000)}\r\nAccept-Encoding: \u00ff\r\nCookie: ${';'.repeat(9000)}\r\n${end}`,
  ],
  ['a fragment in the target', `GET ${base}/Scaler?fn=plain.jpg#x HTTP/1.1\r\n${end}`],
  ['a form feed in the target', `GET ${base}/iiif/3/plain.\f/info.json HTTP/1.1\r\n${end}`],
  ['a tab in the target', `GET ${base}/iiif/3/plain.\t/info.json HTTP/1.1\r\n${end}`],
  ['many slashes', `GET ${'/'.repeat(5000)} HTTP/1.1\r\n${end}`],
];

describe('a malformed request', () => {
  for (const [label, bytes] of malformed) {
    it(`is 4xx, and the server keeps serving: ${label}`, async () => {
      const text = await server.app.raw(bytes, 3000);
      expect(text).toMatch(/^HTTP\/1\.1 4\d\d /);
      expect(text).not.toContain(server.library.outside);
      expect(text).not.toMatch(/node_modules|HPE_|^\s+at /m);
      expect(text).not.toMatch(/^X-Injected/m);
      await expectResponsive(server.app);
    });
  }

  it('has the right length of its response and closes the connection', async () => {
    const [head = '', body = ''] = (await server.app.raw('nonsense\r\n\r\n')).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(Number(/content-length: (\d+)/i.exec(head)?.[1])).toBe(Buffer.byteLength(body));
    expect(head).toMatch(/connection: close/i);
  });
});

describe('during a download, on the same connection,', () => {
  const bytes = 40_000_000;
  const ask = `GET ${base}/Scaler?fn=large.png&mo=rawfile HTTP/1.1\r\nHost: a\r\n\r\n`;

  /** The body that is received where bytes follow the request as soon as the answer has begun. */
  function bodyBefore(following: string): Promise<Buffer> {
    return new Promise((resolve) => {
      const socket = connect({ host: '127.0.0.1', port: server.app.port });
      const chunks: Buffer[] = [];
      socket.on('error', () => undefined);
      socket.once('data', () => {
        socket.write(following);
        socket.pause();
        setTimeout(() => socket.resume(), 500);
      });
      socket.on('data', (chunk: Buffer) => chunks.push(chunk));
      socket.on('close', () => {
        const all = Buffer.concat(chunks);
        resolve(all.subarray(all.indexOf('\r\n\r\n') + 4));
      });
      socket.write(ask);
    });
  }

  it('a malformed request ends it, and no error is among its bytes', async () => {
    server.library.write('large.png', Buffer.concat([await picture('png'), Buffer.alloc(bytes)]));
    for (const [label, following] of malformed.slice(0, 3)) {
      const body = await bodyBefore(String(following));
      expect(body.length, label).toBeLessThan(bytes);
      expect(body.indexOf('HTTP/1.1'), label).toBe(-1);
    }
    await expectResponsive(server.app);
  });
});

describe('a strange request', () => {
  for (const [label, bytes] of strange) {
    it(`is answered without a failure, and the server keeps serving: ${label}`, async () => {
      const text = await server.app.raw(bytes, 1500);
      expect(text).toMatch(/^HTTP\/1\.1 [234]\d\d /);
      expect(text).not.toContain(server.library.outside);
      await expectResponsive(server.app);
      expect(server.app.logLines.filter((entry) => (JSON.parse(entry) as { level: number }).level >= 50)).toEqual([]);
    });
  }

  it('with an absolute target is answered for the address in it', async () => {
    const address = infoAddress('plain.jpg');
    const text = await server.app.raw(`GET http://other.example${address} HTTP/1.1\r\n${end}`);
    expect(statusOf(text)).toBe(200);
    expect(text).toContain(`"base.url":"http://other.example${address}"`);
    for (const target of [
      'http://other.example',
      'http://other.example?x',
      'HTTP://OTHER.example:81/nothing',
      'ftp://a/b',
    ]) {
      expect(statusOf(await server.app.raw(`GET ${target} HTTP/1.1\r\n${end}`)), target).toBe(404);
    }
    await expectResponsive(server.app);
  });

  it('for * is 404 and has no effect', async () => {
    expect([400, 404]).toContain(statusOf(await server.app.raw(`GET * HTTP/1.1\r\n${end}`)));
    await expectResponsive(server.app);
  });

  it('pipelined after another one gets its own response', async () => {
    const ask = (path: string, close = ''): string => `GET ${base}/${path} HTTP/1.1\r\nHost: a\r\n${close}\r\n`;
    const paths = ['Scaler?fn=..', 'iiif/3/plain.jpg/info.json', 'api/dlInfo-json.jsp', 'nothing'];
    const requests = paths.map((path) => ask(path)).join('') + ask('', 'Connection: close\r\n');
    const text = await server.app.raw(requests);
    expect([...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status)).toEqual([
      '404',
      '200',
      '200',
      '404',
      '200',
    ]);
  });

  it('that is cut off at any byte leaves no open connection', async () => {
    const request = `GET ${base}/Scaler?fn=plain.jpg&dw=900 HTTP/1.1\r\nHost: a\r\n\r\n`;
    const sockets: Socket[] = [];
    for (let length = 0; length <= request.length; length += 2) {
      const socket = connect({ host: '127.0.0.1', port: server.app.port });
      socket.on('error', () => undefined);
      await new Promise((resolve) => socket.once('connect', resolve));
      socket.write(request.slice(0, length));
      sockets.push(socket);
    }
    await expectResponsive(server.app);
    for (const socket of sockets) socket.resetAndDestroy();
    await expectResponsive(server.app);
    expect(server.app.logLines.filter((entry) => (JSON.parse(entry) as { level: number }).level >= 50)).toEqual([]);
  });

  it('is one of 300 idle connections, and others are served at once', async () => {
    const idle = Array.from({ length: 300 }, () => connect({ host: '127.0.0.1', port: server.app.port }));
    for (const socket of idle) socket.on('error', () => undefined);
    await Promise.all(idle.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
    for (const socket of idle.slice(100)) socket.write('GET / HTTP/1.1\r\nX-Slow: ');
    await expectResponsive(server.app);
    for (const socket of idle) socket.destroy();
  });
});
