import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LibraryOptions } from '../../../../../src/core/library/library.ts';
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
  temporary.write('atlas/a.jpg', onePixel);
  temporary.write('atlas/sheets/b.jpg', onePixel);
});
afterEach(() => temporary.remove());

const at = (name: string) => path.join(temporary.around, name);
const linked = (...links: readonly string[]) => ({
  virtualFolders: links.map((link) => ({ link, folder: at('atlas') })),
});
const open = (options: Partial<LibraryOptions> = linked('maps/atlas')) => temporary.open(options);
const folderOf = async (name: string, options?: Partial<LibraryOptions>) => {
  const folder = await open(options).findFolder(identifierOf(name));
  return folder && { images: folder.images, folders: folder.folders };
};

describe('a virtual folder', () => {
  it('contains what the real folder contains, at every depth', async () => {
    expect(await folderOf('maps/atlas')).toEqual({ images: ['a.jpg'], folders: ['sheets'] });
    expect(await folderOf('maps/atlas/sheets')).toEqual({ images: ['b.jpg'], folders: [] });
    const lectern = open();
    const image = await lectern.describe(await locate(lectern, 'maps/atlas/sheets/b'));
    expect(image?.identifier.segments).toEqual(['maps', 'atlas', 'sheets', 'b.jpg']);
    expect((await lectern.locate(identifierOf('maps/atlas'), 1))?.name).toBe('a.jpg');
    expect(await lectern.locate(identifierOf('maps/atlas'), 2)).toBeUndefined();
  });

  it('is listed in the folder around it, which may exist only virtually', async () => {
    expect(await folderOf('')).toEqual({ images: [], folders: ['maps'] });
    expect(await folderOf('maps')).toEqual({ images: [], folders: ['atlas'] });
    expect(await open().locate(identifierOf('maps'), 1)).toBeUndefined();
    expect(await open().metadataOf(identifierOf('maps'))).toEqual({});
    expect(await open().readText(identifierOf('maps'), 'manifest.json')).toBeUndefined();
  });

  it('is sorted among real folders, and listed once', async () => {
    for (const name of ['maps/zeta', 'maps/Beta', 'maps/atlas']) mkdirSync(at(`scans/${name}`), { recursive: true });
    temporary.write('scans/maps/map.jpg', onePixel);
    expect(await folderOf('maps', linked('maps/atlas', 'maps/north/one', 'maps/north/two', 'other'))).toEqual({
      images: ['map.jpg'],
      folders: ['Beta', 'atlas', 'north', 'zeta'],
    });
  });

  it('has precedence over a real folder of the same path', async () => {
    temporary.write('scans/maps/atlas/hidden.jpg', onePixel);
    temporary.write('scans/maps/atlas/below/hidden.jpg', onePixel);
    expect(await folderOf('maps/atlas')).toEqual({ images: ['a.jpg'], folders: ['sheets'] });
    expect(await folderOf('maps/atlas/below')).toBeUndefined();
  });

  it('is missing, as is a real folder of its path, while its folder does not exist', async () => {
    temporary.write('scans/maps/atlas/hidden.jpg', onePixel);
    const lectern = open();
    rmSync(at('atlas'), { recursive: true });
    expect(await lectern.findFolder(identifierOf('maps/atlas'))).toBeUndefined();
  });

  it('may be inside of another one', async () => {
    temporary.write('inner/c.jpg', onePixel);
    const options = {
      virtualFolders: [
        { link: 'maps', folder: at('atlas') },
        { link: 'maps/sheets/inner', folder: at('inner') },
      ],
    };
    expect(await folderOf('maps', options)).toEqual({ images: ['a.jpg'], folders: ['sheets'] });
    expect(await folderOf('maps/sheets', options)).toEqual({ images: ['b.jpg'], folders: ['inner'] });
    expect(await folderOf('maps/sheets/inner', options)).toEqual({ images: ['c.jpg'], folders: [] });
  });

  it.each(['maps/\u00fc', 'maps/u\u0308'])('is found in both forms of Unicode: %j', async (name) => {
    mkdirSync(at('scans/maps/u\u0308'), { recursive: true });
    expect(await folderOf(name, linked('/maps//./\u00fc/'))).toEqual({ images: ['a.jpg'], folders: ['sheets'] });
    expect(await folderOf('maps', linked('maps/\u00fc'))).toEqual({ images: [], folders: ['\u00fc'] });
  });

  it('does not contain a folder whose name only begins with its name', async () => {
    expect(await folderOf('maps/atlas2')).toBeUndefined();
    expect(await folderOf('map')).toBeUndefined();
  });

  it('has prescaled versions in the folder of its path in the other base directories', async () => {
    const picture = (name: string) => path.join(import.meta.dirname, '../../../../fixtures/golden/images', name);
    temporary.write('atlas/page.jpg', readFileSync(picture('hires/books/book1/page0001.jpg')));
    temporary.write('small/maps/atlas/page.jpg', readFileSync(picture('scaled/books/book1/page0001.jpg')));
    temporary.write('small/page.jpg', onePixel);
    const lectern = open({ ...linked('maps/atlas'), roots: [at('scans'), at('small')] });
    const image = await lectern.describe(await locate(lectern, 'maps/atlas/page'));
    expect(image?.resolutions.map(({ file }) => path.relative(temporary.around, file.path))).toEqual([
      'atlas/page.jpg',
      'small/maps/atlas/page.jpg',
    ]);
  });

  it('has metadata of its own folder, and of the one that is around its path', async () => {
    const file = (meta: string) => `<r><meta>${meta}</meta></r>`;
    temporary.write('atlas/index.meta', file('<title>atlas</title>'));
    temporary.write('atlas/metadata.yaml', 'label: The atlas');
    temporary.write('scans/maps/index.meta', file('<title>maps</title><context>maps</context>'));
    temporary.write('index.meta', file('<img><original-dpi>1</original-dpi></img>'));
    const lectern = open();
    expect(await metadataOf(lectern, 'maps/atlas/a.jpg')).toEqual({
      title: 'atlas',
      contexts: [{ kind: 'text', text: 'maps' }],
    });
    expect(await lectern.metadataOf(identifierOf('maps/atlas'))).toEqual({ label: { none: ['The atlas'] } });
  });

  it('counts as a root for links, but what is around it does not', async () => {
    temporary.write('secret.jpg', onePixel);
    temporary.write('atlas2/secret.jpg', onePixel);
    temporary.link('../atlas/a.jpg', 'scans/inward.jpg');
    temporary.link('../scans', 'atlas/back');
    temporary.link('../secret.jpg', 'atlas/outward.jpg');
    temporary.link('../atlas2', 'atlas/sibling');
    expect(await folderOf('maps/atlas')).toEqual({ images: ['a.jpg'], folders: ['back', 'sheets'] });
    expect((await folderOf(''))?.images).toEqual(['inward.jpg']);
  });
});

describe('an invalid virtual folder', () => {
  it.each([
    ['', /“” must have a path inside of the library/],
    ['/', /must have a path/],
    ['maps/../atlas', /“maps\/\.\.\/atlas” must have a path/],
    ['..', /must have a path/],
    ['maps/.hidden', /names that begin with a dot/],
    ['maps\\atlas', /must have a path/],
  ])('is refused at the start: the link %j', (link, sentence) => expect(() => open(linked(link))).toThrow(sentence));

  it('is refused at the start: two of one path', () => {
    expect(() => open(linked('maps/atlas', '/maps/atlas/'))).toThrow(/two virtual folders “maps\/atlas”/);
  });

  it('is refused at the start: a folder that does not exist', () => {
    const folder = at('nowhere');
    expect(() => open({ virtualFolders: [{ link: 'maps', folder }] })).toThrow(
      /“maps” leads to .*nowhere, and there is no/,
    );
  });

  it('is refused at the start: a file', () => {
    expect(() => open({ virtualFolders: [{ link: 'maps', folder: at('atlas/a.jpg') }] })).toThrow(/no such folder/);
  });
});
