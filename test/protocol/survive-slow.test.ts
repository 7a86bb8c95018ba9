/** Slow clients are disconnected after 10 to 30 s (survive.md, "Load and faults"); this file takes 70 s. */
import { connect } from 'node:net';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { base, blue, type LibraryWithSecrets, makeLibrary } from './library-with-secrets.ts';
import { type RunningApp, startApp } from './running-app.ts';

let library: LibraryWithSecrets;
let app: RunningApp;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const requests: readonly (readonly [string, string])[] = [
  ['sends nothing', ''],
  ['sends half a request line', 'GET /digi'],
  ['sends half of its headers', 'GET / HTTP/1.1\r\nHost: a\r\nX-A: '],
  ['asks nothing more', `GET ${base}/ HTTP/1.1\r\nHost: a\r\n\r\n`],
  ['announces a body and sends none', `POST ${base}/ HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n`],
];

/** The seconds until the server closes a connection on which these bytes are sent and all responses are read. */
function secondsUntilClosed(bytes: string): Promise<number> {
  const start = performance.now();
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port: app.port });
    socket.on('error', () => undefined);
    socket.on('data', () => undefined);
    const close = (): void => resolve((performance.now() - start) / 1000);
    const timer = setTimeout(() => socket.destroy(), 50_000);
    socket.on('close', () => {
      clearTimeout(timer);
      close();
    });
    socket.on('connect', () => socket.write(bytes));
  });
}

/** Whether the server still sends large answers after their client has read nothing for 40 s. */
function isStillSent(path: string, length: number, times = 1): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port: app.port });
    let received = 0;
    socket.pause();
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      received += chunk.length;
      if (received >= length) socket.destroy();
    });
    socket.on('close', () => resolve(received >= length));
    socket.on('connect', () => socket.write(`GET ${base}/${path} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(times)));
    setTimeout(() => socket.resume(), 40_000);
    setTimeout(() => socket.destroy(), 50_000);
  });
}

const turned = 'Scaler?fn=large.png&dw=2400&rot=180&mo=png';

describe('a client that', () => {
  const waiting = new Map<string, Promise<number>>();
  let file: Promise<boolean> = Promise.resolve(false);
  let rendered: Promise<boolean> = Promise.resolve(false);
  let infoObjects: Promise<boolean> = Promise.resolve(false);

  beforeAll(async () => {
    library = await makeLibrary();
    const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
    const large = sharp({ create: { width: 4000, height: 3000, channels: 3, background: blue, noise } });
    library.write('large.png', await large.png({ compressionLevel: 0 }).toBuffer());
    app = await startApp({
      library: { folders: [library.root] },
      http: { contextPath: base, cacheControl: 'no-store' },
    });
    const { length } = (await app.get(`${base}/${turned}`)).body;
    expect(length).toBeGreaterThan(9_000_000);
    // Node checks for expired connections at intervals; the worst case is just after a check.
    await pause(16_000);
    for (const [label, bytes] of requests) waiting.set(label, secondsUntilClosed(bytes));
    file = isStillSent('Scaler?fn=large.png&mo=file', 36_000_000);
    rendered = isStillSent(turned, length);
    const info = `api/dlInfo-json.jsp?fn=${'x'.repeat(7000)}`;
    const infoLength = (await app.get(`${base}/${info}`)).body.length;
    infoObjects = isStillSent(info, infoLength * 800, 800);
  }, 60_000);

  afterAll(async () => {
    await app.close();
    library.remove();
  });

  for (const [label] of requests) {
    it(`${label} is disconnected after 30 s`, { timeout: 60_000 }, async () => {
      expect(await waiting.get(label)).toBeLessThanOrEqual(31);
    });
  }

  it('does not read its file is disconnected after 30 s', { timeout: 60_000 }, async () => {
    expect(await file).toBe(false);
  });

  it('does not read its info objects is disconnected after 30 s', { timeout: 60_000 }, async () => {
    expect(await infoObjects).toBe(false);
  });

  it('does not read its picture is disconnected after 30 s', { timeout: 60_000 }, async () => {
    expect(await rendered).toBe(false);
  });
});
