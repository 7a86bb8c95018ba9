/** Originals are sent as files: streamed, in ranges, and to the end of the file that was opened (RFC 9110, section 14). */
import { renameSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { base, picture, serveLibrary } from './library-with-secrets.ts';

const server = serveLibrary();
const address = (name: string): string => `${base}/Scaler?fn=${name}&mo=rawfile`;

/** A picture with bytes behind it that tell their position. */
async function fileOf(bytes: number, seed: number): Promise<Buffer> {
  const content = Buffer.alloc(bytes);
  for (let at = 0; at + 4 <= bytes; at += 4) content.writeUInt32BE((at * 2_654_435_761 + seed) >>> 0, at);
  (await picture('jpeg')).copy(content);
  return content;
}

describe('a range of an original', () => {
  const length = 300_000;
  let content: Buffer;

  beforeAll(async () => {
    content = await fileOf(length, 1);
    server.library.write('ranges/original.jpg', content);
    utimesSync(server.library.in('ranges/original.jpg'), 1_700_000_000, 1_700_000_000);
  });

  async function request(headers: Record<string, string>, method = 'GET') {
    return server.app.get(address('ranges/original.jpg'), { headers, method });
  }

  const parts: readonly (readonly [range: string, first: number, last: number])[] = [
    ['bytes=0-0', 0, 0],
    ['bytes=0-99', 0, 99],
    ['bytes=100-', 100, length - 1],
    ['bytes=-50', length - 50, length - 1],
    ['bytes=-999999999', 0, length - 1],
    ['bytes=65530-65545', 65_530, 65_545],
    ['bytes=1-999999999999999999999', 1, length - 1],
    ['BYTES= 7-9 ', 7, 9],
  ];
  for (const [range, first, last] of parts) {
    it(`${range} is 206 with these bytes alone`, async () => {
      const answer = await request({ range });
      expect(answer.status).toBe(206);
      expect(answer.headers['content-range']).toBe(`bytes ${first}-${last}/${length}`);
      expect(answer.headers['content-length']).toBe(String(last - first + 1));
      expect(answer.headers.etag).toMatch(/^"/);
      expect(answer.body.equals(content.subarray(first, last + 1))).toBe(true);
    });
  }

  for (const range of [`bytes=${length}-`, 'bytes=999999999-', 'bytes=-0']) {
    it(`${range} is 416 with the length`, async () => {
      const answer = await request({ range });
      expect(answer.status).toBe(416);
      expect(answer.headers['content-range']).toBe(`bytes */${length}`);
      expect(answer.body.length).toBe(0);
    });
  }

  for (const range of ['bytes=9-1', 'bytes=', 'bytes=-', 'bytes=a-b', 'items=0-1', 'bytes=0-1,5-6', '0-1']) {
    it(`${range} is ignored: 200 with the whole file`, async () => {
      const answer = await request({ range });
      expect(answer.status).toBe(200);
      expect(answer.headers['accept-ranges']).toBe('bytes');
      expect(answer.body.equals(content)).toBe(true);
    });
  }

  it('counts only for the version that If-Range names', async () => {
    const { etag = '', 'last-modified': date = '' } = (await request({}, 'HEAD')).headers;
    const statusFor = async (ifRange: string) => (await request({ range: 'bytes=0-9', 'if-range': ifRange })).status;
    expect(await statusFor(etag)).toBe(206);
    expect(await statusFor('"other"')).toBe(200);
    expect(await statusFor(`W/${etag}`)).toBe(200);
    expect(await statusFor(date)).toBe(206);
    expect(await statusFor('Mon, 01 Jan 2018 00:00:00 GMT')).toBe(200);
  });

  it('does not count where the client has the file, or wants another version', async () => {
    const { etag = '' } = (await request({}, 'HEAD')).headers;
    expect((await request({ range: 'bytes=0-9', 'if-none-match': etag })).status).toBe(304);
    expect((await request({ range: 'bytes=0-9', 'if-match': '"other"' })).status).toBe(412);
    expect((await request({ range: 'bytes=0-9', 'if-match': `"other", ${etag}` })).status).toBe(206);
    expect((await request({ 'if-unmodified-since': 'Mon, 01 Jan 2018 00:00:00 GMT' })).status).toBe(412);
  });

  it('does not count for HEAD, which gives the length of the whole', async () => {
    const answer = await request({ range: 'bytes=0-9' }, 'HEAD');
    expect(answer.status).toBe(200);
    expect(answer.headers['content-length']).toBe(String(length));
    expect(answer.headers['accept-ranges']).toBe('bytes');
    expect(answer.body.length).toBe(0);
  });

  it('is not of pictures that are made', async () => {
    await request({});
    const path = `${base}/Scaler?fn=ranges/original.jpg&dw=20`;
    const answer = await server.app.get(path, { headers: { range: 'bytes=0-9' } });
    expect(answer.status).toBe(200);
    expect(answer.headers['accept-ranges']).toBeUndefined();
  });
});

describe('a download that has begun', () => {
  const length = 60_000_000;

  interface Download {
    readonly socket: Socket;
    readonly ended: Promise<Buffer>;
  }

  /** Starts a download, reads its first bytes, and then nothing until the socket is resumed. */
  async function begin(name: string): Promise<Download> {
    const socket = connect({ host: '127.0.0.1', port: server.app.port });
    const chunks: Buffer[] = [];
    const ended = new Promise<Buffer>((resolve) => {
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(Buffer.concat(chunks)));
    });
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.write(`GET ${address(name)} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    await new Promise((resolve) => socket.once('data', resolve));
    socket.pause();
    return { socket, ended };
  }

  const bodyOf = (bytes: Buffer): Buffer => bytes.subarray(bytes.indexOf('\r\n\r\n') + 4);

  it('goes on to its end with the bytes of the old file when the file is replaced', async () => {
    const old = await fileOf(length, 1);
    server.library.write('downloads/replaced.jpg', old);
    const { socket, ended } = await begin('downloads/replaced.jpg');
    const other = `${server.library.outside}/other.jpg`;
    writeFileSync(other, await fileOf(length, 2));
    renameSync(other, server.library.in('downloads/replaced.jpg'));
    socket.resume();
    const body = bodyOf(await ended);
    expect(body.length).toBe(length);
    expect(body.equals(old)).toBe(true);
  });

  const changes: readonly (readonly [string, (file: string) => Promise<void>])[] = [
    ['truncated', async (file) => truncateSync(file, length / 2)],
    ['rewritten in place', async (file) => writeFileSync(file, await fileOf(length, 3), { flag: 'r+' })],
  ];
  for (const [label, change] of changes) {
    it(`is cut off when the file is ${label}`, async () => {
      server.library.write('downloads/changed.jpg', await fileOf(length, 1));
      const { socket, ended } = await begin('downloads/changed.jpg');
      await change(server.library.in('downloads/changed.jpg'));
      socket.resume();
      const answer = await ended;
      expect(answer.toString('latin1', 0, 15)).toBe('HTTP/1.1 200 OK');
      expect(bodyOf(answer).length).toBeLessThan(length);
    });
  }
});
