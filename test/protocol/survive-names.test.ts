/** Names that must not lead to a file, and unusual names that must be found (survive.md, "Input"). */
import { rmSync, writeFileSync } from 'node:fs';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  base,
  expectDiscreet,
  expectNoImage,
  imageAddresses,
  infoAddress,
  membersOf,
  picture,
  serveLibrary,
  textOf,
} from './library-with-secrets.ts';

const server = serveLibrary();

/** Percent-encoded names, each of which is inserted in every address. */
const forbidden: readonly string[] = [
  '..',
  '../',
  '../secret.jpg',
  '..%2Fsecret.jpg',
  '%2e%2e/secret.jpg',
  '%2E%2e%2fsecret.jpg',
  '%252e%252e%252fsecret.jpg',
  '%25252e%25252e/secret.jpg',
  '%c0%ae%c0%ae/secret.jpg',
  '%c0%ae%c0%ae%c0%afsecret.jpg',
  '%e0%80%ae%e0%80%ae/secret.jpg',
  'folder/..',
  'folder/../plain.jpg',
  'folder/../../secret.jpg',
  './../secret.jpg',
  '.%2F..%2Fsecret.jpg',
  'folder//..//..//secret.jpg',
  '../lib/plain.jpg',
  '../lib-secret/secret.jpg',
  '-secret/secret.jpg',
  '..;/secret.jpg',
  '..!secret.jpg',
  'folder!..!..!secret.jpg',
  'plain.jpg%00',
  '%00plain.jpg',
  'plain%00.jpg',
  '..%00/secret.jpg',
  '..%5csecret.jpg',
  '..%5c..%5csecret.jpg',
  'folder%5cinside.jpg',
  'C:',
  'C:%5cWindows',
  'C:/Windows/win.ini',
  '/etc/passwd',
  '//etc/passwd',
  'file:///etc/passwd',
  'file:%2F%2F%2Fetc%2Fpasswd',
  'http://127.0.0.1/secret.jpg',
  '%ff.jpg',
  '%ed%a0%80.jpg',
  '%e2%80%a6/secret.jpg',
  '%ef%bc%8e%ef%bc%8e/secret.jpg',
  '~/secret.jpg',
  'x'.repeat(300),
  'folder/'.repeat(400),
];

describe('a name that leaves the library or is invalid', () => {
  for (const [label, address] of imageAddresses) {
    it(`is 404 at ${label} in every spelling`, async () => {
      for (const name of forbidden) {
        const answer = await server.app.get(address(name));
        expect(answer.status, name).toBe(404);
        expectDiscreet(answer, server.library);
      }
    });
  }

  it('gives the info object with its defaults in every spelling', async () => {
    for (const name of forbidden) {
      for (const query of [name, `${name};dw=3`, `${name}&amp;dw=3`]) {
        const answer = await server.app.get(infoAddress(query));
        expectNoImage(answer);
        expectDiscreet(answer, server.library);
      }
    }
  });

  it('is 404 in the old positional form of a query', async () => {
    for (const name of ['../secret.jpg', '../lib-secret/secret', '/etc/passwd', 'folder/../../secret.jpg']) {
      expect((await server.app.get(`${base}/Scaler?${name}+1`)).status, name).toBe(404);
      expectNoImage(await server.app.get(`${base}/api/dlInfo-json.jsp?${name}+1`));
    }
  });

  it('can’t be combined from the path and fn', async () => {
    const halves = [
      ['.', './secret.jpg'],
      ['%2e', '%2e/secret.jpg'],
      ['folder/.', './../secret.jpg'],
      ['folder/', '../../secret.jpg'],
      ['.', '.%2Flib-secret%2Fsecret.jpg'],
      ['..', '/secret.jpg'],
    ];
    for (const [path, fn] of halves) {
      for (const servlet of ['Scaler', 'servlet/Scaler']) {
        const answer = await server.app.get(`${base}/${servlet}/${path}?fn=${fn}&dw=20`);
        expect(answer.status, `${path} + ${fn}`).toBe(404);
      }
    }
  });

  it('is 404 in the path before any endpoint', async () => {
    for (const path of ['/../secret.jpg', '/digilib/../../secret.jpg', '/..%2fsecret.jpg', '/%2e%2e/lib/plain.jpg']) {
      const answer = await server.app.get(path);
      expect(answer.status, path).toBe(404);
      expectDiscreet(answer, server.library);
    }
  });
});

/** File names as they are on the disk. */
const strange: readonly string[] = [
  'quo"te\'s.jpg',
  '<img src=x onerror=alert(1)>.jpg',
  'a&b.jpg',
  'a&amp;b.jpg',
  'line\r\nbreak.jpg',
  'Set-Cookie: a=b\r\n\r\n<html>.jpg',
  'tab\tbell\u0007.jpg',
  'right\u202eto\u200fleft.jpg',
  '🦊📜.jpg',
  'e\u0301tude.jpg',
  'mu\u0308ller.jpg'.normalize('NFC'),
  'plus+percent%41.jpg',
  'semi;colon=equals.jpg',
  'hash#question?.jpg',
  'comma, [brackets] {braces}.jpg',
  ' space before and after .jpg',
  'many.dots..in.it.jpg',
  '__proto__.jpg',
  'constructor.jpg',
  "'*()~.jpg",
];

const encode = (name: string): string => encodeURIComponent(name);

/** The file name in Content-Disposition, from its extended form if there is one (RFC 6266). */
function savedName(header: string | undefined): string {
  const extended = /filename\*=UTF-8''([^;]*)$/.exec(header ?? '')?.[1];
  return extended === undefined ? (/filename="([^"]*)"/.exec(header ?? '')?.[1] ?? '') : decodeURIComponent(extended);
}

describe('an unusual name', () => {
  beforeAll(async () => {
    const bytes = await picture('jpeg');
    for (const name of strange) server.library.write(`strange/${name}`, bytes);
    for (const name of strange.slice(0, 10))
      server.library.write(`${name.replace(/\.jpg$/, ' folder')}/${name}`, bytes);
  });

  for (const [label, address] of imageAddresses) {
    it(`is found at ${label}`, async () => {
      for (const name of strange) {
        const answer = await server.app.get(address(encode(`strange/${name}`)));
        expect(answer.status, name).toBe(200);
        expect(answer.headers['set-cookie']).toBeUndefined();
      }
    });
  }

  it('is found by the info object and escaped in its JSON', async () => {
    for (const name of strange) {
      const answer = await server.app.get(infoAddress(encode(`strange/${name}`)));
      expect(membersOf(answer)).toMatchObject({ 'img.fn': name, 'img.pix_x': '60', fn: `strange/${name}` });
    }
  });

  it('is the name under which a browser saves the file', async () => {
    for (const name of strange) {
      const answer = await server.app.get(`${base}/Scaler?fn=${encode(`strange/${name}`)}&mo=rawfile`);
      const header = answer.headers['content-disposition'];
      expect(header).toMatch(/^attachment; filename="[\x20-\x7e]*"/);
      expect(savedName(header)).toBe(name);
    }
  });

  it('is found in the other normal form of Unicode, as file and as folder', async () => {
    for (const path of ['e\u0301tude folder/e\u0301tude.jpg', 'strange/e\u0301tude.jpg', 'strange/mu\u0308ller']) {
      for (const form of ['NFC', 'NFD']) {
        for (const [label, address] of imageAddresses) {
          const answer = await server.app.get(address(encode(path.normalize(form))));
          expect(answer.status, `${label} ${form} ${path}`).toBe(200);
        }
        const info = await server.app.get(infoAddress(encode(path.normalize(form))));
        expect(membersOf(info)['img.pix_x']).toBe('60');
      }
    }
  });

  it('is in the reading room’s lists, and every path there leads to its folder or image', async () => {
    const ask = async (path: string) =>
      JSON.parse(textOf(await server.app.get(`${base}/api/folder.json?fn=${encodeURIComponent(path)}`)));
    const top = await ask('');
    expect(top.images.length + top.folders.length).toBeGreaterThan(10);
    for (const { path } of top.images) expect((await ask(path)).images[(await ask(path)).at - 1].path).toBe(path);
    for (const { path, images } of top.folders) expect(await ask(path)).toMatchObject({ path, totalImages: images });
  });

  it('with a backslash is in no list, and changes no page number', async () => {
    const bytes = await picture('jpeg');
    for (const name of ['back/a.jpg', 'back/b\\c.jpg', 'back/d.jpg', 'back/e\\f/inside.jpg', 'only/g\\h.jpg']) {
      server.library.write(name, bytes);
    }
    const lists = [
      'api/folder.json?fn=back',
      'api/dirInfo-json.jsp?fn=back',
      'presentation/3/back/manifest.json',
      'api/search.json?q=c.jpg',
    ];
    const read = await Promise.all(lists.map((list) => server.app.get(`${base}/${list}`)));
    for (const [index, answer] of read.entries()) {
      expect(answer.status, lists[index]).toBe(200);
      expect(textOf(answer), lists[index]).not.toContain('\\\\');
    }
    const { images, folders, totalImages } = JSON.parse(textOf(read[0] as (typeof read)[0]));
    expect(images.map(({ path }: { path: string }) => path)).toEqual(['back/a.jpg', 'back/d.jpg']);
    expect([folders, totalImages]).toEqual([[], 2]);
    const third = await server.app.get(infoAddress('back&pn=3'));
    expect(membersOf(third)).toMatchObject({ 'img.fn': 'd.jpg' });
    expect((await server.app.get(`${base}/api/folder.json?fn=only`)).status).toBe(200);
  });

  it('that is not UTF-8 on the disk affects no page and no other file', async () => {
    const directory = Buffer.from(`${server.library.in('folder')}/`);
    const bad = Buffer.concat([directory, Buffer.from([0x61, 0xff, 0xfe]), Buffer.from('.jpg')]);
    writeFileSync(bad, await picture('jpeg'));
    expect((await server.app.get(`${base}/api/folder.json?fn=folder`)).status).toBe(200);
    expect((await server.app.get(`${base}/Scaler?fn=folder&pn=1&dw=20`)).status).toBe(404);
    expect((await server.app.get(`${base}/Scaler?fn=folder&pn=2&dw=20`)).status).toBe(200);
    rmSync(bad);
  });

  it('gives a picture with the right pixels also with brackets, which libvips reads as options', async () => {
    server.library.write('page[page=1].png', await picture('png', 30, 30));
    const answer = await server.app.get(`${base}/Scaler?fn=${encode('page[page=1].png')}&dw=20`);
    expect(answer.status).toBe(200);
    expect((await sharp(answer.body).metadata()).width).toBe(20);
  });

  it('that an address appends to a real one adds nothing to a header', async () => {
    // Without its extension a name is found whatever follows the dot.
    for (const tail of ['>;rel="next",<x', '%0d%0aSet-Cookie:a=b', '";a="b', '>,<http:evil', "'()*"]) {
      for (const version of [1, 2, 3]) {
        const info = await server.app.get(`${base}/iiif/${version}/plain.${tail}/info.json`);
        expect(info.status, tail).toBe(200);
        expect(info.headers['link'], tail).toMatch(/^<[^<>"]*>;rel="canonical", <[^<>"]*>;rel="profile"$/);
        expect(info.headers['set-cookie']).toBeUndefined();
        const redirect = await server.app.get(`${base}/iiif/${version}/plain.${tail}`);
        expect(redirect.headers.location, tail).toMatch(/^[^<>"\s]*\/info\.json$/);
      }
    }
  });
});
