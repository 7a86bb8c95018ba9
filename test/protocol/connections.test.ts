/** What holds for a connection: pipelined requests in turn, and limits of header fields and of connections. */
import { readdirSync, readlinkSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { base, expectResponsive, picture, serveLibrary } from './library-with-secrets.ts';
import { type RunningApp, startApp } from './running-app.ts';

const server = serveLibrary();
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Opens a connection, which is closed at the end of the test file. */
async function open(port: number): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port });
  socket.on('error', () => undefined);
  afterAll(() => void socket.destroy());
  await new Promise((resolve) => socket.once('connect', resolve));
  return socket;
}

/** The number of open descriptors of this process whose targets are of a kind. */
const descriptorsOf = (isOfKind: (target: string) => boolean): number =>
  readdirSync('/proc/self/fd').filter((descriptor) => {
    try {
      return isOfKind(readlinkSync(`/proc/self/fd/${descriptor}`));
    } catch {
      return false;
    }
  }).length;

const requestOf = (path: string, headers = ''): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`;

describe('pipelined requests', () => {
  const paths = [
    `${base}/api/dlInfo-json.jsp?fn=plain.jpg`,
    `${base}/Scaler?fn=plain.jpg&dw=20`,
    `${base}/Scaler?fn=missing&mo=errtxt`,
    `${base}/Scaler?fn=plain.jpg&mo=rawfile`,
    `${base}/iiif/3/plain.jpg/info.json`,
    `${base}/api/dirInfo-json.jsp`,
    `${base}/nothing/here`,
  ];

  it('are answered in order, each as it is when it comes alone', async () => {
    const expected = await Promise.all(paths.map((path) => server.app.get(path, { headers: { host: 'a' } })));
    const asked = Array.from({ length: 280 }, (_, index) => index % paths.length);
    const requests = asked.map((index) => requestOf(paths[index] ?? '')).join('');
    const last = `GET ${base}/Scaler?fn=last&mo=errtxt HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
    let text = await server.app.raw(requests + last, 30_000);
    for (const index of asked) {
      const [head = ''] = text.split('\r\n\r\n', 1);
      const { status, body } = expected[index] ?? { status: 0, body: Buffer.of() };
      expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1]);
      expect(length).toBe(body.length);
      const sent = text.slice(head.length + 4, head.length + 4 + length);
      // The info object has an identifier of its own in each response.
      if (index > 0) expect(sent).toBe(body.toString('latin1'));
      text = text.slice(head.length + 4 + length);
    }
    expect(text).toMatch(/^HTTP\/1\.1 404 /);
  });

  it('are not begun before the response before them is sent', async () => {
    server.library.write('pipelined/large.jpg', Buffer.concat([await picture('jpeg'), Buffer.alloc(30_000_000)]));
    const openFiles = (): number => descriptorsOf((target) => target.endsWith('pipelined/large.jpg'));
    const socket = await open(server.app.port);
    socket.pause();
    socket.write(requestOf(`${base}/Scaler?fn=pipelined/large.jpg&mo=rawfile`).repeat(100));
    await expect.poll(openFiles).toBe(1);
    await pause(300);
    expect(openFiles()).toBe(1);
    socket.destroy();
    await expect.poll(openFiles).toBe(0);
  });

  it('in larger numbers than a client can need close their connection, and the server keeps serving', async () => {
    const socket = await open(server.app.port);
    socket.pause();
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const long = requestOf(`${base}/Scaler?fn=pipelined/large.jpg&mo=rawfile`);
    socket.write(long + `GET / HTTP/1.1\r\nHost:a\r\n\r\n`.repeat(2300));
    await pause(300);
    socket.resume();
    await closed;
    await expectResponsive(server.app);
  });
});

describe('a connection that is refused', () => {
  it('is closed also where its client never closes it', { timeout: 20_000 }, async () => {
    const openSockets = (): number => descriptorsOf((target) => target.startsWith('socket:'));
    const before = openSockets();
    const socket = connect({ host: '127.0.0.1', port: server.app.port, allowHalfOpen: true });
    afterAll(() => void socket.destroy());
    const answer = new Promise<string>((resolve) => socket.once('data', (chunk) => resolve(String(chunk))));
    socket.on('error', () => undefined);
    socket.write('no HTTP at all\r\n\r\n');
    expect(await answer).toMatch(/^HTTP\/1\.1 400 /);
    // Of the two ends, which are both in this process, only the client's stays open.
    await expect.poll(openSockets).toBe(before + 1);
    expect(socket.destroyed).toBe(false);
  });
});

describe('header fields', () => {
  const fields = (count: number): string => Array.from({ length: count }, (_, index) => `X-${index}: a\r\n`).join('');
  const close = 'Connection: close\r\n';

  it.each([129, 2001, 5000])('%i of them are 431', async (count) => {
    const text = await server.app.raw(requestOf(`${base}/`, close + fields(count)));
    expect(text).toMatch(/^HTTP\/1\.1 431 /);
    expect(text).toMatch(/\r\nconnection: close\r\n/i);
    await expectResponsive(server.app);
  });

  it('126 beside Host and Connection are read', async () => {
    const path = `${base}/Scaler?fn=plain.jpg&dw=20`;
    expect(await server.app.raw(requestOf(path, close + fields(126)))).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('a caller behind a trusted proxy', () => {
  let app: RunningApp | undefined;
  afterAll(async () => app?.close());

  it('is the one that the proxy names, and nobody where it names none', async () => {
    app = await startApp({
      library: { folders: [server.library.root] },
      http: { trustedProxies: ['127.0.0.1'] },
      access: {
        addresses: [{ address: '127.0.0.0/8', roles: ['inside'] }],
        paths: [{ path: 'folder', roles: ['inside'] }],
      },
    });
    const path = '/Scaler?fn=folder/inside.jpg&dw=20&mo=errcode';
    const statusFor = async (headers: Record<string, string>) => (await app?.get(path, { headers }))?.status;
    expect(await statusFor({ 'x-forwarded-for': '127.0.0.9' })).toBe(200);
    expect(await statusFor({ 'x-forwarded-for': '10.1.2.3' })).toBe(403);
    expect(await statusFor({ 'x-forwarded-for': 'hidden' })).toBe(403);
    expect(await statusFor({})).toBe(403);
    const padding = Array.from({ length: 2000 }, (_, index) => `X-${index}: a\r\n`).join('');
    const late = requestOf(path, `${padding}X-Forwarded-For: 10.1.2.3\r\nConnection: close\r\n`);
    expect(await app.raw(late)).toMatch(/^HTTP\/1\.1 431 /);
  });

  it('may not see the configuration of a server on the same machine', async () => {
    const open = await startApp({ http: { trustedProxies: ['127.0.0.1'] } });
    const answer = await open.get('/server/dlConfig.jsp', { headers: { host: 'localhost' } });
    await open.close();
    expect([401, 403, 404]).toContain(answer.status);
  });
});

describe('connections beyond the limit', () => {
  let app: RunningApp | undefined;
  afterAll(async () => app?.close());

  it('take the place of idle ones, so that the next request is served, and are logged once', async () => {
    app = await startApp({ http: { maxConnections: 20 } });
    const sockets: Socket[] = [];
    for (let index = 0; index < 100; index++) sockets.push(await open(app.port));
    const answer = await app.get('/api/dlInfo-json.jsp');
    expect(answer.status).toBe(200);
    await expect.poll(() => sockets.filter(({ closed }) => closed).length).toBeGreaterThanOrEqual(80);
    expect(app.logLines.filter((line) => line.includes('maxConnections')).length).toBe(1);
  });
});
