/** Files that must not be served, and files that must: links, dotfiles, devices, wrong extensions (survive.md, "Files"). */
import { mkdirSync, renameSync, symlinkSync, utimesSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  base,
  expectDiscreet,
  expectNoImage,
  imageAddresses,
  infoAddress,
  type LibraryWithSecrets,
  makeLibrary,
  membersOf,
  picture,
  red,
  textOf,
} from './library-with-secrets.ts';
import { type ReceivedResponse, type RunningApp, startApp } from './running-app.ts';

let library: LibraryWithSecrets;
let app: RunningApp;
let following: RunningApp;

/** Links to targets outside of the library. */
const leaving = ['link-out.jpg', 'link-prefix.jpg', 'link-relative.jpg', 'link-chain.jpg', 'link-folder/secret.jpg'];

const staying = ['link-in.jpg', 'link-in-folder/inside.jpg', 'folder/link-up.jpg'];

const nothings = [
  '.hidden.jpg',
  '.hidden',
  '.folder/inside.jpg',
  'folder/.inside.jpg',
  'pipe.jpg',
  'pipe',
  'link-pipe.jpg',
  'zero.jpg',
  'null.png',
  'tty.jpg',
  'process.jpg',
  'folder.jpg',
  'loop.jpg',
  'broken-link.jpg',
  'plain.jpg/plain.jpg',
];

beforeAll(async () => {
  library = await makeLibrary();
  const { outside, write, link, fifo } = library;
  const bytes = await picture('jpeg');
  link(`${outside}/secret.jpg`, 'link-out.jpg');
  link(`${outside}/lib-secret/secret.jpg`, 'link-prefix.jpg');
  link('../lib-secret/secret.jpg', 'link-relative.jpg');
  link('link-chain-2.jpg', 'link-chain.jpg');
  link('folder/link-chain-3.jpg', 'link-chain-2.jpg');
  link('../../secret.jpg', 'folder/link-chain-3.jpg');
  link('../lib-secret', 'link-folder');
  link('plain.jpg', 'link-in.jpg');
  link('folder', 'link-in-folder');
  link('../plain.jpg', 'folder/link-up.jpg');
  for (const name of ['.hidden.jpg', '.folder/inside.jpg', 'folder/.inside.jpg']) write(name, bytes);
  fifo('pipe.jpg');
  link('pipe.jpg', 'link-pipe.jpg');
  link('/dev/zero', 'zero.jpg');
  link('/dev/null', 'null.png');
  link('/dev/tty', 'tty.jpg');
  link('/proc/self/mem', 'process.jpg');
  mkdirSync(library.in('folder.jpg'));
  link('loop.jpg', 'loop.jpg');
  link('nowhere.jpg', 'broken-link.jpg');
  app = await startApp({ library: { folders: [library.root] }, http: { contextPath: base } });
  following = await startApp({
    library: { folders: [library.root], followLinksOutside: true },
    http: { contextPath: base },
  });
});

afterAll(async () => {
  await app.close();
  await following.close();
  library.remove();
});

async function timed(answer: Promise<ReceivedResponse>): Promise<ReceivedResponse> {
  const start = performance.now();
  const result = await answer;
  expect(performance.now() - start).toBeLessThan(1000);
  return result;
}

async function expectNothing(server: RunningApp, name: string): Promise<void> {
  for (const [label, address] of imageAddresses) {
    const answer = await timed(server.get(address(name)));
    expect(answer.status, `${name} at ${label}`).toBe(404);
    expectDiscreet(answer, library);
  }
  const info = await timed(server.get(infoAddress(name)));
  expectNoImage(info);
  expectDiscreet(info, library);
}

async function expectServed(server: RunningApp, name: string, width: string): Promise<void> {
  for (const [label, address] of imageAddresses) {
    expect((await server.get(address(name))).status, `${name} at ${label}`).toBe(200);
  }
  expect(membersOf(await server.get(infoAddress(name)))['img.pix_x']).toBe(width);
}

describe('symbolic links', () => {
  for (const name of leaving) {
    it(`${name} leaves the library and is 404 at every endpoint`, () => expectNothing(app, name));
    it(`${name} is served when the configuration allows it`, () => expectServed(following, name, '77'));
  }

  for (const name of staying) {
    it(`${name} stays inside and is served at every endpoint`, () => expectServed(app, name, '60'));
  }

  it('that leave the library are not counted as pages of their folder and not listed by the reading room', async () => {
    const page = textOf(await app.get(`${base}/api/folder.json`));
    expect(page).not.toContain('link-out');
    expect(page).not.toContain('link-folder');
    expect(page).toContain('link-in.jpg');
  });

  it('that replace a folder that was served before are not followed out of the library', async () => {
    library.write('moving/deep/image.jpg', await picture('jpeg'));
    const old = new Date(Date.now() - 60_000);
    for (const name of ['moving/deep', 'moving']) utimesSync(library.in(name), old, old);
    await expectServed(app, 'moving/deep/image.jpg', '60');
    renameSync(library.in('moving'), `${library.outside}/moved`);
    symlinkSync(`${library.outside}/moved`, library.in('moving'));
    await expectNothing(app, 'moving/deep/image.jpg');
  });

  it('that replace a file that was served before are not followed out of the library', async () => {
    library.write('swapped/image.jpg', await picture('jpeg'));
    await expectServed(app, 'swapped/image.jpg', '60');
    renameSync(library.in('swapped/image.jpg'), `${library.outside}/swapped.jpg`);
    symlinkSync(`${library.outside}/swapped.jpg`, library.in('swapped/image.jpg'));
    await expectNothing(app, 'swapped/image.jpg');
  });
});

describe('other files than images', () => {
  for (const name of nothings) {
    it(`${name} is 404 at once at every endpoint`, () => expectNothing(app, name));
    it(`${name} is 404 at once also if links may lead outside`, () => expectNothing(following, name));
  }

  it('don’t affect the next request', async () => {
    const waiting = Array.from({ length: 40 }, () => app.get(`${base}/Scaler?fn=pipe.jpg&dw=20`));
    expect((await timed(app.get(`${base}/Scaler?fn=plain.jpg&dw=20`))).status).toBe(200);
    expect((await Promise.all(waiting)).every(({ status }) => status === 404)).toBe(true);
  });
});

const disguises: Readonly<Record<string, string | Buffer>> = {
  'svg.tif':
    '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
  'svg2.jpg': '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
  'svg3.png': '\ufeff <!-- a --> <svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
  'pdf.tif': '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
  'postscript.jpg': '%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\nshowpage\n',
  'script.tif': '#!/bin/sh\necho hacked\n',
  'html.jpg': '<!doctype html><script>alert(1)</script>',
  'mvg.png': 'push graphic-context\nviewbox 0 0 640 480\nimage over 0,0 0,0 "/etc/passwd"\npop graphic-context\n',
  'netpbm.png': 'P3\n2 2\n255\n0 0 0 1 1 1 2 2 2 3 3 3\n',
  'bitmap.jpg': Buffer.concat([Buffer.from('BM'), Buffer.alloc(200)]),
  'text.jpg': 'no picture at all\n',
  'empty.jpg': '',
  'empty.tif': '',
  'magic-jpeg.jpg': Buffer.from([0xff, 0xd8, 0xff]),
  'magic-png.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  'magic-tiff.tif': Buffer.from('II*\0\x08\0\0\0', 'latin1'),
  'magic-webp.webp': 'RIFF\u0000\u0000\u0000\u0000WEBP',
  'magic-jp2.jp2': Buffer.from('0000000c6a5020200d0a870a', 'hex'),
  'zip.png': Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), Buffer.alloc(100)]),
};

describe('a file whose content does not match its name', () => {
  beforeAll(async () => {
    for (const [name, bytes] of Object.entries(disguises)) library.write(`disguised/${name}`, bytes);
    library.write('disguised/really-png.jpg', await picture('png', 60, 40, red));
    library.write('disguised/really-jpeg.tif', await picture('jpeg', 60, 40, red));
    const whole = await picture('jpeg', 300, 200);
    library.write('cut/header-only.jpg', whole.subarray(0, 400));
    library.write('cut/half.jpg', whole.subarray(0, Math.floor(whole.length * 0.7)));
    const png = await picture('png', 300, 200);
    library.write('cut/half.png', png.subarray(0, Math.floor(png.length / 2)));
  });

  for (const name of Object.keys(disguises)) {
    it(`${name} is 404 at every endpoint, and its bytes are never sent`, () => expectNothing(app, `disguised/${name}`));
  }

  it('with valid bytes of another format is served by its bytes', async () => {
    await expectServed(app, 'disguised/really-png.jpg', '60');
    await expectServed(app, 'disguised/really-jpeg.tif', '60');
    const original = await app.get(`${base}/Scaler?fn=disguised/really-png.jpg&mo=file,hires`);
    expect(original.headers['content-type']).toBe('image/png');
  });

  for (const name of ['cut/header-only.jpg', 'cut/half.jpg', 'cut/half.png']) {
    it(`${name} is an error that is not cached as a success`, async () => {
      for (const address of [`${base}/Scaler?fn=${name}&dw=200`, `${base}/Scaler?fn=${name}&dw=300`]) {
        const answer = await app.get(address);
        expect([404, 422]).toContain(answer.status);
        expectDiscreet(answer, library);
        expect(answer.headers['cache-control']).toBe('no-store');
        expect(answer.headers['etag']).toBeUndefined();
        expect(answer.headers['last-modified']).toBeUndefined();
        expect(answer.headers['content-disposition']).toBeUndefined();
      }
    });
  }

  it('with the header of a picture and a script after it is not a picture, and as an original only data', async () => {
    library.write('polyglot/php.gif', 'GIF89a<?php system($_GET["c"]); ?><script>alert(1)</script>');
    expect((await app.get(`${base}/Scaler?fn=polyglot/php.gif&dw=20`)).status).toBe(404);
    const original = await app.get(`${base}/Scaler?fn=polyglot/php.gif&mo=file`);
    if (original.status === 404) return;
    expect(original.headers).toMatchObject({ 'content-type': 'image/gif', 'x-content-type-options': 'nosniff' });
  });

  it('does not change the page numbers of other files', async () => {
    const names = Object.keys(disguises).concat('really-png.jpg', 'really-jpeg.tif').sort();
    const page = names.indexOf('really-png.jpg') + 1;
    expect((await app.get(`${base}/Scaler?fn=disguised&pn=${page}&dw=20`)).status).toBe(200);
    expect((await app.get(`${base}/Scaler?fn=disguised&pn=${page - 1}&dw=20`)).status).toBe(200);
    expect((await app.get(`${base}/Scaler?fn=disguised&pn=${page + 1}&dw=20`)).status).toBe(404);
  });
});
