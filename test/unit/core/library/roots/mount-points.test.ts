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
} from '../../../temporary-library.ts';

let temporary: TemporaryLibrary;
beforeEach(() => {
  temporary = makeTemporaryLibrary();
  temporary.write('scans/closed/book/scan.jpg', onePixel);
});
afterEach(() => temporary.remove());

const imagePaths = async (name: string, options = {}) => pathsOf((await locate(temporary.open(options), name)).paths);
const folderPaths = async (name: string, options = {}) =>
  pathsOf((await temporary.open(options).findFolder(identifierOf(name)))?.paths);

describe('the paths of an image or a folder', () => {
  it('are its own path alone where no link or virtual folder leads there', async () => {
    expect(await imagePaths('closed/book/scan.jpg')).toEqual(['closed/book/scan.jpg']);
    expect(await folderPaths('closed/book')).toEqual(['closed/book']);
    expect(await folderPaths('')).toEqual(['']);
  });

  it.each([
    ['closed/book/scan', ['closed/book/scan.jpg']],
    ['closed/book/scan.png', ['closed/book/scan.jpg']],
    ['closed/book/scan.jpg;2', ['closed/book/scan.jpg']],
    ['closed/book', ['closed/book/scan.jpg']],
  ])('name the file, whatever the request names: %s', async (name, expected) => {
    expect(await imagePaths(name)).toEqual(expected);
  });

  it('contain the page in the identifier only', async () => {
    const located = await locate(temporary.open(), 'closed/book/scan;2');
    expect(located.identifier.segments).toEqual(['closed', 'book', 'scan.jpg;2']);
  });

  it('include the target of a link to a folder', async () => {
    temporary.link('../closed/book', 'scans/open/alias');
    expect(await imagePaths('open/alias/scan.jpg')).toEqual(['open/alias/scan.jpg', 'closed/book/scan.jpg']);
    expect(await folderPaths('open/alias')).toEqual(['open/alias', 'closed/book']);
  });

  it('include the targets of links further up, and of circular links', async () => {
    temporary.link('closed', 'scans/open');
    temporary.link('..', 'scans/closed/circle');
    expect(await imagePaths('open/book/scan.jpg')).toEqual(['open/book/scan.jpg', 'closed/book/scan.jpg']);
    expect(await folderPaths('closed/circle')).toEqual(['closed/circle', '']);
    expect(await imagePaths('open/circle/open/book/scan')).toEqual([
      'open/circle/open/book/scan.jpg',
      'closed/book/scan.jpg',
    ]);
  });

  it('include the target of a link to a file, which may have another name', async () => {
    temporary.link('../closed/book/scan.jpg', 'scans/open/other.jpg');
    temporary.link('open', 'scans/alias');
    expect(await imagePaths('open/other.jpg')).toEqual(['open/other.jpg', 'closed/book/scan.jpg']);
    expect(await imagePaths('alias/other')).toEqual(['alias/other.jpg', 'open/other.jpg', 'closed/book/scan.jpg']);
  });

  it('follow a link that is changed', async () => {
    const lectern = temporary.open();
    temporary.write('scans/plain/scan.jpg', onePixel);
    temporary.link('../plain/scan.jpg', 'scans/open/scan.jpg');
    temporary.link('plain', 'scans/way');
    const currentPaths = async () => pathsOf((await locate(lectern, 'open/scan.jpg')).paths);
    expect(await currentPaths()).toEqual(['open/scan.jpg', 'plain/scan.jpg']);
    rmSync(path.join(temporary.around, 'scans/open/scan.jpg'));
    temporary.link('../way/scan.jpg', 'scans/open/scan.jpg');
    utimesSync(path.join(temporary.around, 'scans/open'), new Date(2020, 1, 1), new Date(2020, 1, 1));
    expect(await currentPaths()).toEqual(['open/scan.jpg', 'plain/scan.jpg']);
    rmSync(path.join(temporary.around, 'scans/way'));
    temporary.link('closed/book', 'scans/way');
    expect(await currentPaths()).toEqual(['open/scan.jpg', 'closed/book/scan.jpg']);
  });

  it('are relative to each base directory and virtual folder that contains them', async () => {
    const scans = path.join(temporary.around, 'scans');
    const options = {
      roots: [scans, path.join(scans, 'closed')],
      virtualFolders: [
        { link: 'maps/atlas', folder: path.join(scans, 'closed/book') },
        { link: 'everything', folder: scans },
      ],
    };
    const others = ['closed/book/scan.jpg', 'book/scan.jpg', 'maps/atlas/scan.jpg', 'everything/closed/book/scan.jpg'];
    expect(await imagePaths('maps/atlas/scan.jpg', options)).toEqual(
      expect.arrayContaining(['maps/atlas/scan.jpg', ...others]),
    );
    const paths = await imagePaths('book/scan.jpg', { ...options, roots: [path.join(scans, 'closed'), scans] });
    expect(paths?.[0]).toBe('book/scan.jpg');
    expect([...(paths ?? [])].sort()).toEqual([...others].sort());
  });

  it('include the spelling on the disk where the request has another Unicode normalization form', async () => {
    temporary.write('scans/bu\u0308cher/scan.jpg', onePixel);
    expect(await imagePaths('b\u00fccher/scan.jpg')).toEqual(['b\u00fccher/scan.jpg', 'bu\u0308cher/scan.jpg']);
  });

  it('do not include paths outside of the library', async () => {
    temporary.write('outside/scan.jpg', onePixel);
    temporary.link('../../outside', 'scans/open/alias');
    expect(await imagePaths('open/alias/scan.jpg', { followLinksOutside: true })).toEqual(['open/alias/scan.jpg']);
  });

  it('include names that begin with a dot, so that rules for the folders around them apply', async () => {
    mkdirSync(path.join(temporary.around, 'scans/closed/.store'));
    renameSync(
      path.join(temporary.around, 'scans/closed/book/scan.jpg'),
      path.join(temporary.around, 'scans/closed/.store/scan.jpg'),
    );
    temporary.link('../closed/.store/scan.jpg', 'scans/open/scan.jpg');
    expect(await imagePaths('open/scan.jpg')).toEqual(['open/scan.jpg', 'closed/.store/scan.jpg']);
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
    ['restricted at both, by the type at the link', { 'closed/index.meta': 'staff', 'index.meta': 'club' }, 'club'],
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
