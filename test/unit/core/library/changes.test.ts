/** The next request sees every change on the disk, even where everything was cached before. */
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { formatIdentifier } from '../../../../src/core/image/model/identifier.ts';
import type { Library, LibraryOptions } from '../../../../src/core/library/library.ts';
import { identifierOf, makeTemporaryLibrary, onePixel, type TemporaryLibrary } from '../../temporary-library.ts';

/** An image of another size with the same number of bytes. */
const wide = Buffer.from(onePixel);
wide.writeUInt16LE(7, 6);

let temporary: TemporaryLibrary;
beforeEach(() => {
  // Later than all files that are written here, so that everything is cached.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
  temporary = makeTemporaryLibrary();
  temporary.write('scans/a/b/page1.jpg', onePixel);
  temporary.write('scans/a/b/page3.jpg', onePixel);
  temporary.write('scans/other/page1.jpg', wide);
  temporary.write('outside/b/page1.jpg', wide);
  temporary.write('small/a/keep', '');
});
afterEach(() => {
  vi.useRealTimers();
  temporary.remove();
});

const at = (name: string): string => path.join(temporary.around, name);
const open = (options: Partial<LibraryOptions> = {}): Library =>
  temporary.open({ roots: [at('scans'), at('small')], ...options });

/** A summary of the image of this name; `none` where there is no image. */
async function answer(library: Library, name: string, page = 1): Promise<string> {
  const located = await library.locate(identifierOf(name), page);
  if (located === undefined) return 'none';
  const { title } = await library.imageMetadata(located);
  const image = await library.describe(located);
  if (image === undefined) return 'unreadable';
  const versions = image.resolutions.map(({ width }) => width).join('+');
  return `${located.paths.map(formatIdentifier).join(' = ')} ${versions}${title === undefined ? '' : ` “${title}”`}`;
}

const meta = (title: string): string => `<resource><meta><title>${title}</title></meta></resource>`;

/** File times are as coarse as the ticks of the system clock; two changes within one are not distinguished. */
const tick = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

interface Change {
  readonly before?: () => void;
  readonly change: () => void;
  readonly name?: string;
  readonly page?: number;
  readonly first: string;
  readonly after: string;
}

const plain = 'a/b/page1.jpg 1';

const changes: Readonly<Record<string, Change>> = {
  'a file overwritten with the same number of bytes': {
    change: () => writeFileSync(at('scans/a/b/page1.jpg'), wide, { flag: 'r+' }),
    first: plain,
    after: 'a/b/page1.jpg 7',
  },
  'a file overwritten with its old modification time': {
    change: () => {
      const { mtime } = statSync(at('scans/a/b/page1.jpg'));
      writeFileSync(at('scans/a/b/page1.jpg'), wide, { flag: 'r+' });
      utimesSync(at('scans/a/b/page1.jpg'), mtime, mtime);
    },
    first: plain,
    after: 'a/b/page1.jpg 7',
  },
  'a file replaced by renaming another one': {
    change: () => renameSync(at('scans/other/page1.jpg'), at('scans/a/b/page1.jpg')),
    first: plain,
    after: 'a/b/page1.jpg 7',
  },
  'a file that becomes readable': {
    before: () => writeFileSync(at('scans/a/b/page1.jpg'), 'not yet'),
    change: () => writeFileSync(at('scans/a/b/page1.jpg'), wide),
    first: 'unreadable',
    after: 'a/b/page1.jpg 7',
  },
  'a file deleted': { change: () => rmSync(at('scans/a/b/page1.jpg')), first: plain, after: 'none' },
  'a file deleted, as a page': {
    change: () => rmSync(at('scans/a/b/page1.jpg')),
    name: 'a/b',
    first: plain,
    after: 'a/b/page3.jpg 1',
  },
  'a file added before a page': {
    change: () => writeFileSync(at('scans/a/b/page0.jpg'), wide),
    name: 'a/b',
    first: plain,
    after: 'a/b/page0.jpg 7',
  },
  'a file added with the modification time of the folder restored': {
    change: () => {
      const { mtime } = statSync(at('scans/a/b'));
      writeFileSync(at('scans/a/b/page2.jpg'), wide);
      utimesSync(at('scans/a/b'), mtime, mtime);
    },
    name: 'a/b/page2',
    first: 'none',
    after: 'a/b/page2.jpg 7',
  },
  'a file added with an extension that comes first': {
    change: () => writeFileSync(at('scans/a/b/page1.gif'), wide),
    name: 'a/b/page1',
    first: plain,
    after: 'a/b/page1.gif 7',
  },
  'a file renamed to another extension': {
    change: () => renameSync(at('scans/a/b/page1.jpg'), at('scans/a/b/page1.png')),
    name: 'a/b/page1.jpg',
    first: plain,
    after: 'a/b/page1.png 1',
  },
  'a file replaced by a link': {
    change: () => {
      rmSync(at('scans/a/b/page1.jpg'));
      symlinkSync('../../other/page1.jpg', at('scans/a/b/page1.jpg'));
    },
    first: plain,
    after: 'a/b/page1.jpg = other/page1.jpg 7',
  },
  'a file replaced by a link that leads out': {
    change: () => {
      rmSync(at('scans/a/b/page1.jpg'));
      symlinkSync('../../../outside/b/page1.jpg', at('scans/a/b/page1.jpg'));
    },
    first: plain,
    after: 'none',
  },
  'a link to a file pointed elsewhere': {
    before: () => symlinkSync('page3.jpg', at('scans/a/b/page2.jpg')),
    change: () => {
      symlinkSync('../../other/page1.jpg', at('scans/a/b/new'));
      renameSync(at('scans/a/b/new'), at('scans/a/b/page2.jpg'));
    },
    name: 'a/b/page2.jpg',
    first: 'a/b/page2.jpg = a/b/page3.jpg 1',
    after: 'a/b/page2.jpg = other/page1.jpg 7',
  },
  'a folder added that has the name of an image': {
    change: () => cpSync(at('scans/other'), at('scans/a/b/page1'), { recursive: true }),
    name: 'a/b/page1',
    first: plain,
    after: 'a/b/page1/page1.jpg 7',
  },
  'a folder that has the name of an image removed': {
    before: () => cpSync(at('scans/other'), at('scans/a/b/page1'), { recursive: true }),
    change: () => rmSync(at('scans/a/b/page1'), { recursive: true }),
    name: 'a/b/page1',
    first: 'a/b/page1/page1.jpg 7',
    after: plain,
  },
  'a folder renamed': { change: () => renameSync(at('scans/a/b'), at('scans/a/c')), first: plain, after: 'none' },
  'a folder around it renamed': { change: () => renameSync(at('scans/a'), at('scans/c')), first: plain, after: 'none' },
  'a folder that gets the name of another': {
    change: () => {
      renameSync(at('scans/a/b'), at('scans/a/c'));
      renameSync(at('scans/other'), at('scans/a/b'));
    },
    first: plain,
    after: 'a/b/page1.jpg 7',
  },
  'a folder replaced by a link to where it went': {
    change: () => {
      renameSync(at('scans/a/b'), at('scans/moved'));
      symlinkSync('../moved', at('scans/a/b'));
    },
    first: plain,
    after: 'a/b/page1.jpg = moved/page1.jpg 1',
  },
  'a folder around it replaced by a link to where it went': {
    change: () => {
      renameSync(at('scans/a'), at('scans/moved'));
      symlinkSync('moved', at('scans/a'));
    },
    first: plain,
    after: 'a/b/page1.jpg = moved/b/page1.jpg 1',
  },
  'a folder replaced by a link that leads out': {
    change: () => {
      renameSync(at('scans/a/b'), at('outside/moved'));
      symlinkSync('../../outside/moved', at('scans/a/b'));
    },
    first: plain,
    after: 'none',
  },
  'a folder around it replaced by a link that leads out, to where it went': {
    change: () => {
      renameSync(at('scans/a'), at('outside/a'));
      symlinkSync('../outside/a', at('scans/a'));
    },
    first: plain,
    after: 'none',
  },
  'a link to a folder pointed elsewhere': {
    before: () => symlinkSync('a/b', at('scans/way')),
    change: () => {
      symlinkSync('other', at('scans/new'));
      renameSync(at('scans/new'), at('scans/way'));
    },
    name: 'way/page1',
    first: 'way/page1.jpg = a/b/page1.jpg 1',
    after: 'way/page1.jpg = other/page1.jpg 7',
  },
  'a link behind a link pointed elsewhere': {
    before: () => {
      symlinkSync('a/b', at('scans/far'));
      symlinkSync('far', at('scans/way'));
    },
    change: () => {
      rmSync(at('scans/far'));
      symlinkSync('other', at('scans/far'));
    },
    name: 'way/page1',
    first: 'way/page1.jpg = a/b/page1.jpg 1',
    after: 'way/page1.jpg = other/page1.jpg 7',
  },
  'a link replaced by the folder itself': {
    before: () => symlinkSync('a/b', at('scans/way')),
    change: () => {
      rmSync(at('scans/way'));
      renameSync(at('scans/a/b'), at('scans/way'));
    },
    name: 'way/page1',
    first: 'way/page1.jpg = a/b/page1.jpg 1',
    after: 'way/page1.jpg 1',
  },
  'the root replaced by another folder': {
    change: () => {
      renameSync(at('scans'), at('old'));
      mkdirSync(at('scans/a'), { recursive: true });
      renameSync(at('outside/b'), at('scans/a/b'));
    },
    first: plain,
    after: 'a/b/page1.jpg 7',
  },
  'the root gone': { change: () => renameSync(at('scans'), at('old')), first: plain, after: 'none' },
  'a .meta file of the image added': {
    change: () => writeFileSync(at('scans/a/b/page1.jpg.meta'), meta('new')),
    first: plain,
    after: `${plain} “new”`,
  },
  'a .meta file of the image overwritten': {
    before: () => writeFileSync(at('scans/a/b/page1.jpg.meta'), meta('old')),
    change: () => writeFileSync(at('scans/a/b/page1.jpg.meta'), meta('new'), { flag: 'r+' }),
    first: `${plain} “old”`,
    after: `${plain} “new”`,
  },
  'an index.meta of the folder removed': {
    before: () => writeFileSync(at('scans/a/b/index.meta'), meta('old')),
    change: () => rmSync(at('scans/a/b/index.meta')),
    first: `${plain} “old”`,
    after: plain,
  },
  'an index.meta one folder up added': {
    change: () => writeFileSync(at('scans/a/index.meta'), meta('up')),
    first: plain,
    after: `${plain} “up”`,
  },
  'an index.meta one folder up overwritten': {
    before: () => writeFileSync(at('scans/a/index.meta'), meta('old')),
    change: () => writeFileSync(at('scans/a/index.meta'), meta('new')),
    first: `${plain} “old”`,
    after: `${plain} “new”`,
  },
  'an index.meta one folder up removed': {
    before: () => writeFileSync(at('scans/a/index.meta'), meta('old')),
    change: () => rmSync(at('scans/a/index.meta')),
    first: `${plain} “old”`,
    after: plain,
  },
  'a prescaled version added with its folder': {
    change: () => cpSync(at('scans/other'), at('small/a/b'), { recursive: true }),
    first: plain,
    after: 'a/b/page1.jpg 1+7',
  },
  'a prescaled version overwritten': {
    before: () => cpSync(at('scans/other'), at('small/a/b'), { recursive: true }),
    change: () => writeFileSync(at('small/a/b/page1.jpg'), onePixel, { flag: 'r+' }),
    first: 'a/b/page1.jpg 1+7',
    after: 'a/b/page1.jpg 1+1',
  },
  'a prescaled version removed': {
    before: () => cpSync(at('scans/other'), at('small/a/b'), { recursive: true }),
    change: () => rmSync(at('small/a/b/page1.jpg')),
    first: 'a/b/page1.jpg 1+7',
    after: plain,
  },
};

describe('seen by the next request', () => {
  it.each(Object.keys(changes))('is %s', async (what) => {
    const { before, change, name = 'a/b/page1', page = 1, first, after } = changes[what] as Change;
    before?.();
    await tick();
    const library = open();
    for (let round = 0; round < 3; round++) expect(await answer(library, name, page)).toBe(first);
    await tick();
    change();
    expect(await answer(library, name, page)).toBe(after);
    expect(await answer(library, name, page)).toBe(after);
  });

  it('is a root that is configured by a link and pointed elsewhere, where links may lead anywhere', async () => {
    symlinkSync('scans', at('root'));
    mkdirSync(at('next/a'), { recursive: true });
    cpSync(at('outside/b'), at('next/a/b'), { recursive: true });
    await tick();
    const library = open({ roots: [at('root')], followLinksOutside: true });
    const contained = open({ roots: [at('root')] });
    for (const one of [library, contained]) {
      expect(await answer(one, 'a/b/page1')).toBe(plain);
      expect((await one.findFolder(identifierOf('')))?.folders).toEqual(['a', 'other']);
    }
    await tick();
    rmSync(at('root'));
    symlinkSync('next', at('root'));
    expect(await answer(library, 'a/b/page1')).toBe('a/b/page1.jpg 7');
    expect((await library.findFolder(identifierOf('')))?.folders).toEqual(['a']);
    expect(await answer(contained, 'a/b/page1')).toBe('none');
    expect(await contained.findFolder(identifierOf(''))).toBeUndefined();
  });

  it('is a folder whose permissions are removed and restored', async () => {
    if (process.getuid?.() === 0) return;
    const library = open();
    expect(await answer(library, 'a/b/page1')).toBe(plain);
    chmodSync(at('scans/a/b'), 0);
    expect(await answer(library, 'a/b/page1')).toBe('none');
    chmodSync(at('scans/a/b'), 0o755);
    expect(await answer(library, 'a/b/page1')).toBe(plain);
  });

  it('is a change during other requests', async () => {
    const library = open();
    await tick();
    expect(await answer(library, 'a/b/page1')).toBe(plain);
    await tick();
    const early = Array.from({ length: 10 }, () => answer(library, 'a/b/page1'));
    // Their stats are in progress now.
    await new Promise((resolve) => setImmediate(resolve));
    writeFileSync(at('scans/a/b/page1.jpg'), wide, { flag: 'r+' });
    const late = Array.from({ length: 10 }, () => answer(library, 'a/b/page1'));
    expect(new Set(await Promise.all(late))).toEqual(new Set(['a/b/page1.jpg 7']));
    for (const one of await Promise.all(early)) expect(['a/b/page1.jpg 1', 'a/b/page1.jpg 7']).toContain(one);
  });
});

it('the images of these tests have the same length', () => {
  expect(wide.length).toBe(onePixel.length);
  expect(readFileSync(at('scans/other/page1.jpg')).equals(wide)).toBe(true);
});
