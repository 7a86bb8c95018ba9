import { mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { examine } from '../../../../../src/cli/doctor/examination.ts';
import { dpiOf, unreadableAccess } from '../../../../../src/core/image/model/image-set.ts';
import { goldenFolders } from '../../../../protocol/running-app.ts';
import {
  identifierOf,
  locate,
  makeTemporaryLibrary,
  metadataOf,
  onePixel,
  type TemporaryLibrary,
} from '../../../temporary-library.ts';

let temporary: TemporaryLibrary;
beforeEach(() => {
  temporary = makeTemporaryLibrary();
  temporary.write('scans/books/one/scan.jpg', onePixel);
  temporary.write('scans/books/one/other.jpg', onePixel);
});
afterEach(() => temporary.remove());

const dpi = (value: number) => `<img><original-dpi>${value}</original-dpi></img>`;
const access = (type: string) => `<access-conditions><access type="${type}"/></access-conditions>`;
const title = (text: string) => `<title>${text}</title>`;
const context = (text: string) => `<context>${text}</context>`;
const general = (meta: string) => `<meta>${meta}</meta>`;
const entry = (name: string, meta: string) => `<file><name>${name}</name><meta>${meta}</meta></file>`;
const resource = (...parts: readonly string[]) => `<resource>${parts.join('')}</resource>`;

const scan = 'books/one/scan.jpg';

/** The files in order of precedence: each with its path, and the XML around the metadata of the image. */
const sources = {
  'entry in the image’s own file': ['books/one/scan.jpg.meta', (meta: string) => entry('scan.jpg', meta)],
  'the image’s own file': ['books/one/scan.jpg.meta', general],
  'entry in the folder’s file': ['books/one/index.meta', (meta: string) => entry('scan.jpg', meta)],
  'the folder’s file': ['books/one/index.meta', general],
  'entry one folder up': ['books/index.meta', (meta: string) => entry('one/scan.jpg', meta)],
  'one folder up': ['books/index.meta', general],
} as const;
const sourceNames = Object.keys(sources) as (keyof typeof sources)[];

/** Writes metadata into these files. */
function writeMetadata(metadata: Partial<Record<keyof typeof sources, string>>): void {
  const files = new Map<string, string[]>();
  for (const name of sourceNames) {
    const [file, form] = sources[name];
    const meta = metadata[name];
    if (meta !== undefined) files.set(file, [...(files.get(file) ?? []), form(meta)]);
  }
  for (const [file, parts] of files) temporary.write(`scans/${file}`, resource(...parts.reverse()));
}

describe('the metadata of an image', () => {
  it('is empty where there is no file', async () => {
    expect(await metadataOf(temporary.open(), scan)).toEqual({ contexts: [] });
  });

  it.each(sourceNames.map((name, index) => [name, sourceNames.slice(index)] as const))(
    'is taken from %s rather than from files of lower precedence',
    async (first, files) => {
      writeMetadata(Object.fromEntries(files.map((name) => [name, title(name)])));
      expect((await metadataOf(temporary.open(), scan)).title).toBe(first);
    },
  );

  it('is combined field by field', async () => {
    writeMetadata({
      'the image’s own file': dpi(1),
      'entry in the folder’s file': context('text') + dpi(2),
      'the folder’s file': access('staff') + dpi(3) + context('unheard'),
      'one folder up': title('title') + access('free'),
    });
    expect(await metadataOf(temporary.open(), scan)).toEqual({
      dpi: { x: 1, y: 1 },
      contexts: [{ kind: 'text', text: 'text' }],
      access: 'staff',
      title: 'title',
    });
    expect(await metadataOf(temporary.open(), 'books/one/other.jpg')).toEqual({
      dpi: { x: 3, y: 3 },
      contexts: [{ kind: 'text', text: 'unheard' }],
      access: 'staff',
      title: 'title',
    });
  });

  it.each([
    ['two folders up', 'index.meta', general(title('x'))],
    ['of a file of the same name elsewhere', 'books/index.meta', entry('two/scan.jpg', title('x'))],
    ['of the name alone one folder up', 'books/index.meta', entry('scan.jpg', title('x'))],
    ['beside another file', 'books/one/other.jpg.meta', general(title('x'))],
    ['under another extension', 'books/one/scan.meta', general(title('x'))],
    ['in a file whose name begins with a dot', 'books/one/.index.meta', general(title('x'))],
    ['by a path upward', 'books/one/index.meta', entry('../one/scan.jpg', title('x'))],
  ])('does not come from a file %s', async (_, file, part) => {
    temporary.write(`scans/${file}`, resource(part));
    expect(await metadataOf(temporary.open(), scan)).toEqual({ contexts: [] });
  });

  it('is found by other spellings of the image’s name, and for each page in it', async () => {
    temporary.write('scans/books/one/leaf.tif', onePixel);
    temporary.write('scans/books/one/leaf.tif.meta', resource(general(title('leaf'))));
    const lectern = temporary.open();
    for (const name of ['books/one/leaf', 'books/one/leaf.png', 'books/one/leaf.tif;2']) {
      expect((await metadataOf(lectern, name)).title).toBe('leaf');
    }
  });

  it('is found in the base directory itself, but not above it', async () => {
    temporary.write('scans/top.jpg', onePixel);
    temporary.write('scans/index.meta', resource(entry('top.jpg', title('top'))));
    temporary.write('index.meta', resource(general(access('outside'))));
    expect(await metadataOf(temporary.open(), 'top.jpg')).toEqual({ title: 'top', contexts: [] });
  });

  it('is part of the image', async () => {
    writeMetadata({ 'one folder up': dpi(300) + access('staff') });
    const lectern = temporary.open();
    const located = await locate(lectern, scan);
    expect(await lectern.describe(located)).toMatchObject({ metadata: { dpi: { x: 300, y: 300 }, access: 'staff' } });
  });
});

describe('an edit', () => {
  const written = (name: string, text: string) => {
    const file = path.join(temporary.around, 'scans', name);
    writeFileSync(file, text);
    utimesSync(file, new Date(2020, 1, 1), new Date(2020, 1, 1));
  };

  it('takes effect at once, even with the same length and time', async () => {
    const lectern = temporary.open();
    for (const text of ['a', 'b', 'c']) {
      written('books/one/index.meta', resource(general(title(text))));
      expect((await metadataOf(lectern, scan)).title).toBe(text);
    }
  });

  it('takes effect where a file is added, renamed or removed', async () => {
    const lectern = temporary.open();
    const titleNow = async () => (await metadataOf(lectern, scan)).title;
    expect(await titleNow()).toBeUndefined();
    written('books/index.meta', resource(general(title('up'))));
    expect(await titleNow()).toBe('up');
    written('books/one/new', resource(general(title('own'))));
    const folder = path.join(temporary.around, 'scans/books/one');
    renameSync(path.join(folder, 'new'), path.join(folder, 'scan.jpg.meta'));
    expect(await titleNow()).toBe('own');
    rmSync(path.join(folder, 'scan.jpg.meta'));
    expect(await titleNow()).toBe('up');
  });
});

describe('a .meta file that can’t be used', () => {
  it.each([
    [
      'is cut off',
      (file: string) => writeFileSync(file, '<resource><meta>'),
      /^books\/one\/index.meta:1: .*not well-formed/,
    ],
    [
      'is longer than 512 KiB',
      (file: string) => writeFileSync(file, resource(' '.repeat(2 ** 20))),
      /longer than 0.5 MiB/,
    ],
    ['is a folder', (file: string) => mkdirSync(file), /no file/],
    ['is a pipe', () => temporary.fifo('scans/books/one/index.meta'), /no file/],
    [
      'is a link to a device',
      () => temporary.link('/dev/zero', 'scans/books/one/index.meta'),
      /leads out of the library/,
    ],
    ['is a link that leads out', () => temporary.link('../../../secret', 'scans/books/one/index.meta'), /leads out/],
    ['is a link to nothing', () => temporary.link('nothing', 'scans/books/one/index.meta'), /leads nowhere/],
  ])('is ignored and reported where it %s', async (_, make, sentence) => {
    temporary.write('secret', resource(general(title('secret'))));
    writeMetadata({ 'one folder up': title('up') });
    make(path.join(temporary.around, 'scans/books/one/index.meta'));
    const { access, ...rest } = await metadataOf(temporary.open(), scan);
    expect(rest).toEqual({ title: 'up', contexts: [] });
    // The file could restrict access, so the image is not open to all.
    expect(access).toBe(unreadableAccess);
    expect(temporary.faults).toEqual([expect.stringMatching(sentence)]);
  });

  it('is reported once for each version, however many requests there are', async () => {
    const lectern = temporary.open();
    const request = () => Promise.all([scan, scan, 'books/one/other.jpg'].map((name) => metadataOf(lectern, name)));
    temporary.write('scans/books/one/index.meta', '<a>');
    await request();
    await request();
    expect(temporary.faults).toHaveLength(1);
    temporary.write('scans/books/one/index.meta', '\n<a>');
    await request();
    expect(temporary.faults).toHaveLength(2);
    temporary.write('scans/books/one/index.meta', resource(general(title('mended'))));
    expect((await request()).map(({ title }) => title)).toEqual(['mended', 'mended', 'mended']);
    expect(temporary.faults).toHaveLength(2);
  });

  it('is a line of lectern doctor, if there is an image in its folder', async () => {
    temporary.write('scans/books/one/scan.jpg.meta', '<resource>\n<meta></resource>');
    temporary.write('scans/books/one/index.meta', '<!DOCTYPE resource><resource/>');
    temporary.write('scans/books/one/unused.jpg.meta', 'x');
    const lines: string[] = [];
    const root = path.join(temporary.around, 'scans');
    const tally = await examine([root], async (line) => void lines.push(path.relative(root, line)));
    expect(tally).toEqual({ folders: 3, images: 2, texts: 0, faults: 2 });
    expect(lines).toEqual([
      'books/one/index.meta:1: A document type (<!DOCTYPE …>) is not read here; leave it out.',
      expect.stringMatching(
        /^books\/one\/scan\.jpg\.meta:2: The XML is not well-formed: “the closing tag of <meta> is missing/,
      ),
    ]);
  });
});

describe('a link to a .meta file', () => {
  it('is followed inside of the library, and changes of its target take effect', async () => {
    const lectern = temporary.open();
    temporary.write('scans/shared.meta', resource(general(title('a'))));
    temporary.link('../../shared.meta', 'scans/books/one/index.meta');
    expect((await metadataOf(lectern, scan)).title).toBe('a');
    temporary.write('scans/shared.meta', resource(general(title('b'))));
    expect((await metadataOf(lectern, scan)).title).toBe('b');
  });

  it('is followed out of it where that is allowed', async () => {
    temporary.write('shared.meta', resource(general(title('a'))));
    temporary.link('../../../shared.meta', 'scans/books/one/index.meta');
    expect((await metadataOf(temporary.open({ followLinksOutside: true }), scan)).title).toBe('a');
  });
});

describe('the images that were recorded from digilib', () => {
  const [hires = '', scaled = ''] = goldenFolders;

  it.each([
    ['photos/land3000x2000.jpg', { x: 400, y: 400 }],
    ['photos/odd1201x799.jpg', { x: 200, y: 100 }],
    ['photos/port641x1003', { x: 120, y: 120 }],
    ['books/book1/page0001.jpg', { x: 150, y: 150 }],
    ['books/book1/page0012.jpg', { x: 150, y: 150 }],
    ['nested/top.png', { x: 50.8, y: 50.8 }],
  ])('have the dpi of their metadata: %s', async (name, expected) => {
    const lectern = temporary.open({ roots: [hires, scaled] });
    const image = await lectern.describe(await locate(lectern, name));
    expect(image && dpiOf(image)).toEqual(expected);
    expect(temporary.faults).toEqual([]);
  });

  it('have their contexts', async () => {
    const lectern = temporary.open({ roots: [hires] });
    const contexts = async (name: string) => (await metadataOf(lectern, name)).contexts;
    expect(await contexts('photos/land3000x2000')).toEqual([
      { kind: 'link', link: 'http://example.org/ctx', name: 'Context A' },
    ]);
    expect(await contexts('photos/port641x1003')).toEqual([{ kind: 'text', text: 'ctx text <b> & more' }]);
    expect(await contexts('photos/tiny100x80')).toEqual([]);
    expect(identifierOf('nested/a/b/c/deep').segments).toHaveLength(5);
    expect(await metadataOf(lectern, 'nested/a/b/c/deep')).toEqual({ contexts: [] });
  });
});
