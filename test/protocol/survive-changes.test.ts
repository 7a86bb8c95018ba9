/** Files that change under the server: the old or the new picture, never a mix, and another ETag (survive.md, "Files"). */
import { appendFileSync, renameSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import {
  base,
  blue,
  expectNoImage,
  imageAddresses,
  infoAddress,
  membersOf,
  picture,
  red,
  serveLibrary,
} from './library-with-secrets.ts';
import { type ReceivedResponse, startApp } from './running-app.ts';

const server = serveLibrary();

const pictureAddresses = imageAddresses.filter(([label]) => !label.includes('info.json'));

async function colorOf(answer: ReceivedResponse): Promise<'red' | 'blue'> {
  const [r, , b] = await sharp(answer.body).toColourspace('srgb').raw().toBuffer();
  return (r ?? 0) > (b ?? 0) ? 'red' : 'blue';
}

/** Requests every picture endpoint before and after a change; the picture and its ETag must have changed. */
async function expectNewPicture(name: string, change: () => void | Promise<void>): Promise<void> {
  const before = await Promise.all(pictureAddresses.map(([, address]) => server.app.get(address(name))));
  await change();
  for (const [index, [label, address]] of pictureAddresses.entries()) {
    const old = before[index];
    const etag = old?.headers.etag ?? '';
    expect(old?.status, label).toBe(200);
    expect(etag, label).toMatch(/^"[^"]+"$/);
    const after = await server.app.get(address(name), { headers: { 'if-none-match': etag } });
    expect(after.status, label).toBe(200);
    expect(after.headers.etag, label).not.toBe(etag);
    expect(await colorOf(after), label).toBe('red');
  }
}

describe('a file', () => {
  it('that is replaced by another one gives the new picture with another ETag', async () => {
    server.library.write('changes/replaced.png', await picture('png', 60, 40, blue));
    await expectNewPicture('changes/replaced.png', async () => {
      writeFileSync(`${server.library.outside}/new.png`, await picture('png', 60, 40, red));
      renameSync(`${server.library.outside}/new.png`, server.library.in('changes/replaced.png'));
    });
  });

  it('that is overwritten with as many bytes gives the new picture with another ETag', async () => {
    server.library.write('changes/overwritten.png', await picture('png', 60, 40, blue));
    await expectNewPicture('changes/overwritten.png', async () => {
      const bytes = await picture('png', 60, 40, red);
      expect(bytes.length).toBe(statSync(server.library.in('changes/overwritten.png')).size);
      writeFileSync(server.library.in('changes/overwritten.png'), bytes, { flag: 'r+' });
    });
  });

  it('that is overwritten with the same length and time (as by rsync --inplace) gives the new picture', async () => {
    server.library.write('changes/same-time.png', await picture('png', 60, 40, blue));
    const time = new Date('2024-05-01T12:00:00Z');
    utimesSync(server.library.in('changes/same-time.png'), time, time);
    await expectNewPicture('changes/same-time.png', async () => {
      writeFileSync(server.library.in('changes/same-time.png'), await picture('png', 60, 40, red), { flag: 'r+' });
      utimesSync(server.library.in('changes/same-time.png'), time, time);
    });
  });

  it('that becomes larger is described and served at its new size', async () => {
    server.library.write('changes/grown.png', await picture('png', 60, 40, blue));
    expect(membersOf(await server.app.get(infoAddress('changes/grown.png')))['img.pix_x']).toBe('60');
    await expectNewPicture('changes/grown.png', async () => {
      server.library.write('changes/grown.png', await picture('png', 200, 100, red));
    });
    expect(membersOf(await server.app.get(infoAddress('changes/grown.png')))['img.pix_x']).toBe('200');
    const original = await server.app.get(`${base}/Scaler?fn=changes/grown.png&mo=file`);
    expect(original.body.equals(await picture('png', 200, 100, red))).toBe(true);
  });

  it('with appended bytes is the same picture with another ETag', async () => {
    server.library.write('changes/appended.jpg', await picture('jpeg'));
    const address = `${base}/Scaler?fn=changes/appended.jpg&dw=20`;
    const before = await server.app.get(address);
    appendFileSync(server.library.in('changes/appended.jpg'), Buffer.alloc(5000));
    const after = await server.app.get(address, { headers: { 'if-none-match': before.headers.etag ?? '' } });
    expect(after.status).toBe(200);
    expect(after.headers.etag).not.toBe(before.headers.etag);
  });

  it('that is truncated is an error at once, also for If-None-Match', async () => {
    server.library.write('changes/truncated.png', await picture('png', 300, 200));
    const address = `${base}/Scaler?fn=changes/truncated.png&dw=100`;
    const before = await server.app.get(address);
    expect(before.status).toBe(200);
    truncateSync(server.library.in('changes/truncated.png'), 90_000);
    const after = await server.app.get(address, { headers: { 'if-none-match': before.headers.etag ?? '' } });
    expect([404, 422]).toContain(after.status);
    truncateSync(server.library.in('changes/truncated.png'), 0);
    expectNoImage(await server.app.get(infoAddress('changes/truncated.png')));
  });

  it('that was unreadable and is repaired is served without a restart', async () => {
    server.library.write('changes/repaired.png', 'not yet');
    expect((await server.app.get(`${base}/Scaler?fn=changes/repaired.png&dw=20`)).status).toBe(404);
    server.library.write('changes/repaired.png', await picture('png'));
    expect((await server.app.get(`${base}/Scaler?fn=changes/repaired.png&dw=20`)).status).toBe(200);
  });

  it('that is deleted is 404 at every endpoint, and is served again when it is restored', async () => {
    const addresses = imageAddresses.map(([, address]) => address('changes/deleted.png'));
    for (let round = 0; round < 3; round++) {
      server.library.write('changes/deleted.png', await picture('png'));
      for (const address of addresses) expect((await server.app.get(address)).status, address).toBe(200);
      rmSync(server.library.in('changes/deleted.png'));
      for (const address of addresses) expect((await server.app.get(address)).status, address).toBe(404);
      expectNoImage(await server.app.get(infoAddress('changes/deleted.png')));
    }
  });

  it('that is replaced continuously gives the picture of the version in the headers', async () => {
    const busy = await startApp({
      library: { folders: [server.library.root] },
      http: { contextPath: base },
      render: { processes: 1 },
    });
    const versions = [await picture('png', 300, 200, blue), await picture('png', 250, 350, red)];
    /** Each version is a second newer than the one before, so that Last-Modified identifies it. */
    const replace = (version: number): void => {
      const next = `${server.library.outside}/next.png`;
      writeFileSync(next, versions[version % 2] ?? '');
      utimesSync(next, 1_700_000_000 + version, 1_700_000_000 + version);
      renameSync(next, server.library.in('busy/busy.png'));
    };
    server.library.write('busy/busy.png', '');
    replace(0);
    const addresses = [
      'Scaler?fn=busy/busy.png&dw=90',
      'Scaler?fn=busy/busy.png&mo=file',
      'iiif/3/busy!busy.png/full/90,/0/default.png',
      'iiif/2/busy!busy.png/10,10,200,100/90,/0/default.jpg',
      'Scaler?fn=busy/busy.png&dw=90&rot=180',
    ];
    let version = 0;
    const answers: ReceivedResponse[] = [];
    const timer = setInterval(() => replace(++version), 25);
    try {
      for (let round = 0; round < 60; round++) {
        answers.push(...(await Promise.all(addresses.map((path) => busy.get(`${base}/${path}`)))));
      }
    } finally {
      clearInterval(timer);
      await busy.close();
    }
    const wrong: string[] = [];
    for (const answer of answers) {
      expect([200, 404, 503]).toContain(answer.status);
      if (answer.status === 503) expect(answer.headers['retry-after']).toMatch(/^\d+$/);
      if (answer.status !== 200) continue;
      const modified = Date.parse(answer.headers['last-modified'] ?? '') / 1000;
      const color = await colorOf(answer);
      if (color !== (modified % 2 === 0 ? 'blue' : 'red'))
        wrong.push(`${answer.headers['content-type']} of ${modified}`);
    }
    expect(version).toBeGreaterThan(20);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(40);
    expect(wrong).toEqual([]);
  });

  it('that is truncated while it is sent closes the connection, so that no later response is taken for its rest', async () => {
    server.library.write('busy/long.png', Buffer.concat([await picture('png'), Buffer.alloc(40_000_000)]));
    const request = (path: string): string => `GET ${base}/${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
    const socket = connect({ host: '127.0.0.1', port: server.app.port });
    const chunks: Buffer[] = [];
    const closed = new Promise<boolean>((resolve) => {
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(true));
      setTimeout(() => resolve(false), 8000);
    });
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.write(request('Scaler?fn=busy/long.png&mo=file') + request('Scaler?fn=missing&mo=errtxt'));
    await new Promise((resolve) => socket.once('data', resolve));
    socket.pause();
    await new Promise((resolve) => setTimeout(resolve, 200));
    truncateSync(server.library.in('busy/long.png'), 20_000_000);
    socket.resume();
    const isClosed = await closed;
    socket.destroy();
    const text = Buffer.concat(chunks).toString('latin1');
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
    expect(text.length).toBeLessThan(40_000_000);
    expect(text.indexOf('HTTP/1.1 404'), 'another answer inside of the first one').toBe(-1);
    expect(isClosed, 'whether the connection was closed').toBe(true);
  });
});
