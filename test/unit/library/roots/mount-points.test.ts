import { mkdirSync, renameSync, rmSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  identifierOf,
  locate,
  makeTemporaryLibrary,
  metadataOf,
  onePixel,
  pathsOf,
  type TemporaryLibrary,
} from '../../temporary-library.ts';

let temporary: TemporaryLibrary;
beforeEach(() => {
  temporary = makeTemporaryLibrary();
  temporary.write('scans/closed/book/scan.jpg', onePixel);
});
afterEach(() => temporary.remove());

const imagePlaces = async (name: string, options = {}) => pathsOf((await locate(temporary.open(options), name)).paths);
const folderPlaces = async (name: string, options = {}) =>
  pathsOf((await temporary.open(options).findFolder(identifierOf(name)))?.paths);

describe('the places of an image or a folder', () => {
  it('are its own path alone where nothing else leads there', async () => {
    expect(await imagePlaces('closed/book/scan.jpg')).toEqual(['closed/book/scan.jpg']);
    expect(await folderPlaces('closed/book')).toEqual(['closed/book']);
    expect(await folderPlaces('')).toEqual(['']);
  });

  it.each([
    ['closed/book/scan', ['closed/book/scan.jpg']],
    ['closed/book/scan.png', ['closed/book/scan.jpg']],
    ['closed/book/scan.jpg;2', ['closed/book/scan.jpg']],
    ['closed/book', ['closed/book/scan.jpg']],
  ])('name the file, whatever was asked: %s', async (name, expected) => {
    expect(await imagePlaces(name)).toEqual(expected);
  });

  it('keep the page in the identifier alone', async () => {
    const located = await locate(temporary.open(), 'closed/book/scan;2');
    expect(located.identifier.segments).toEqual(['closed', 'book', 'scan.jpg;2']);
  });

  it('are also those behind a link to a folder', async () => {
    temporary.link('../closed/book', 'scans/open/alias');
    expect(await imagePlaces('open/alias/scan.jpg')).toEqual(['open/alias/scan.jpg', 'closed/book/scan.jpg']);
    expect(await folderPlaces('open/alias')).toEqual(['open/alias', 'closed/book']);
  });

  it('are also those behind links further up, and in circles', async () => {
    temporary.link('closed', 'scans/open');
    temporary.link('..', 'scans/closed/circle');
    expect(await imagePlaces('open/book/scan.jpg')).toEqual(['open/book/scan.jpg', 'closed/book/scan.jpg']);
    expect(await folderPlaces('closed/circle')).toEqual(['closed/circle', '']);
    expect(await imagePlaces('open/circle/open/book/scan')).toEqual([
      'open/circle/open/book/scan.jpg',
      'closed/book/scan.jpg',
    ]);
  });

  it('are also that behind a link to a file, which may have another name', async () => {
    temporary.link('../closed/book/scan.jpg', 'scans/open/other.jpg');
    temporary.link('open', 'scans/alias');
    expect(await imagePlaces('open/other.jpg')).toEqual(['open/other.jpg', 'closed/book/scan.jpg']);
    expect(await imagePlaces('alias/other')).toEqual(['alias/other.jpg', 'open/other.jpg', 'closed/book/scan.jpg']);
  });

  it('follow a link that is changed', async () => {
    const lectern = temporary.open();
    temporary.write('scans/plain/scan.jpg', onePixel);
    temporary.link('../plain/scan.jpg', 'scans/open/scan.jpg');
    temporary.link('plain', 'scans/way');
    const placesNow = async () => pathsOf((await locate(lectern, 'open/scan.jpg')).paths);
    expect(await placesNow()).toEqual(['open/scan.jpg', 'plain/scan.jpg']);
    rmSync(path.join(temporary.around, 'scans/open/scan.jpg'));
    temporary.link('../way/scan.jpg', 'scans/open/scan.jpg');
    utimesSync(path.join(temporary.around, 'scans/open'), new Date(2020, 1, 1), new Date(2020, 1, 1));
    expect(await placesNow()).toEqual(['open/scan.jpg', 'plain/scan.jpg']);
    rmSync(path.join(temporary.around, 'scans/way'));
    temporary.link('closed/book', 'scans/way');
    expect(await placesNow()).toEqual(['open/scan.jpg', 'closed/book/scan.jpg']);
  });

  it('are relative to each base directory and virtual folder that holds them', async () => {
    const scans = path.join(temporary.around, 'scans');
    const options = {
      roots: [scans, path.join(scans, 'closed')],
      virtualFolders: [
        { link: 'maps/atlas', folder: path.join(scans, 'closed/book') },
        { link: 'everything', folder: scans },
      ],
    };
    const others = ['closed/book/scan.jpg', 'book/scan.jpg', 'maps/atlas/scan.jpg', 'everything/closed/book/scan.jpg'];
    expect(await imagePlaces('maps/atlas/scan.jpg', options)).toEqual(
      expect.arrayContaining(['maps/atlas/scan.jpg', ...others]),
    );
    const places = await imagePlaces('book/scan.jpg', { ...options, roots: [path.join(scans, 'closed'), scans] });
    expect(places?.[0]).toBe('book/scan.jpg');
    expect([...(places ?? [])].sort()).toEqual([...others].sort());
  });

  it('tell the spelling on the disk where it was asked in another form of Unicode', async () => {
    temporary.write('scans/bu\u0308cher/scan.jpg', onePixel);
    expect(await imagePlaces('b\u00fccher/scan.jpg')).toEqual(['b\u00fccher/scan.jpg', 'bu\u0308cher/scan.jpg']);
  });

  it('leave out what lies outside of the library', async () => {
    temporary.write('outside/scan.jpg', onePixel);
    temporary.link('../../outside', 'scans/open/alias');
    expect(await imagePlaces('open/alias/scan.jpg', { followLinksOutside: true })).toEqual(['open/alias/scan.jpg']);
  });

  it('hold names that begin with a dot, so that rules for the folders around them count', async () => {
    mkdirSync(path.join(temporary.around, 'scans/closed/.store'));
    renameSync(
      path.join(temporary.around, 'scans/closed/book/scan.jpg'),
      path.join(temporary.around, 'scans/closed/.store/scan.jpg'),
    );
    temporary.link('../closed/.store/scan.jpg', 'scans/open/scan.jpg');
    expect(await imagePlaces('open/scan.jpg')).toEqual(['open/scan.jpg', 'closed/.store/scan.jpg']);
  });
});

describe('the access of an image that is shown under several paths', () => {
  const access = (type: string) =>
    `<r><meta><title>${type}</title><access-conditions><access type="${type}"/></access-conditions></meta></r>`;

  it.each([
    ['restricted where it lies', { 'closed/index.meta': 'staff' }, 'staff'],
    [
      'restricted where it lies, and free where the link is',
      { 'closed/index.meta': 'staff', 'index.meta': 'free' },
      'staff',
    ],
    ['restricted at both, as the link’s place says', { 'closed/index.meta': 'staff', 'index.meta': 'club' }, 'club'],
    ['restricted where the link is', { 'index.meta': 'club' }, 'club'],
    ['free where it lies', { 'closed/index.meta': 'free' }, undefined],
    ['restricted nowhere', {}, undefined],
  ])('is that of an image %s', async (_, files, expected) => {
    temporary.link('closed/book', 'scans/alias');
    for (const [name, type] of Object.entries(files)) temporary.write(`scans/${name}`, access(type));
    const metadata = await metadataOf(temporary.open(), 'alias/scan.jpg');
    expect(metadata.access).toBe(expected);
    expect(metadata.title).toBe((files as Record<string, string>)['index.meta']);
  });
});
