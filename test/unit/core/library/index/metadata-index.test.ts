/** Stored metadata outlasts the process, and is not used where files have changed or the index is damaged. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MetadataIndex } from '../../../../../src/core/library/index/metadata-index.ts';
import type { Library, Located } from '../../../../../src/core/library/library.ts';
import { identifierOf, makeTemporaryLibrary, onePixel, type TemporaryLibrary } from '../../../temporary-library.ts';
import { callsOf } from '../counted-calls.ts';

vi.mock('node:fs/promises', async (importOriginal) =>
  (await import('../counted-calls.ts')).countedCalls(importOriginal),
);
vi.mock('node:fs', async (importOriginal) => (await import('../counted-calls.ts')).countedSyncCalls(importOriginal));

/** A picture of another size in as many bytes. */
const wide = Buffer.from(onePixel);
wide.writeUInt16LE(7, 6);

let temporary: TemporaryLibrary;
let faults: string[] = [];
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
  temporary = makeTemporaryLibrary();
  faults = [];
  temporary.write('scans/book/a.jpg', onePixel);
  temporary.write('scans/book/ü.jpg', wide);
});
afterEach(() => {
  vi.useRealTimers();
  temporary.remove();
});

const at = (name: string): string => path.join(temporary.around, name);
const directory = (): string => at('index');

interface Session {
  readonly library: Library;
  readonly close: () => Promise<void>;
}

/** A library as in one process, with the index that earlier processes have written. */
function start(maxBytes = 10_000_000, folder = directory()): Session {
  const index = new MetadataIndex({ directory: folder, maxBytes, onFault: (message) => faults.push(message) });
  return { library: temporary.open({ store: index }), close: () => index.close() };
}

/** The image files of a folder, in page order. */
async function locateAll(library: Library, path: string): Promise<readonly Located[]> {
  const folder = identifierOf(path);
  const { images = [] } = (await library.findFolder(folder)) ?? {};
  const located = await Promise.all(images.map((_, index) => library.locate(folder, index + 1)));
  return located.filter((one) => one !== undefined);
}

async function widthOf(library: Library, name: string): Promise<number | undefined> {
  const located = await library.locate(identifierOf(name), 1);
  const image = located && (await library.describe(located));
  return image?.resolutions[0].width;
}

async function session(work: (library: Library) => Promise<unknown>, maxBytes?: number): Promise<void> {
  const { library, close } = start(maxBytes);
  await work(library);
  await close();
}

const requested = (work: () => Promise<unknown>) => callsOf(temporary.around, work);
const readings = async (work: () => Promise<unknown>) =>
  (await requested(work)).filter((call) => /^(open|readdir) scans/.test(call));

const storedFiles = (): readonly string[] =>
  existsSync(directory())
    ? readdirSync(directory(), { recursive: true, encoding: 'utf8' })
        .map((name) => path.join(directory(), name))
        .filter((file) => statSync(file).isFile())
    : [];

const storedFile = (ending: string): string => {
  const [file, ...others] = storedFiles().filter((name) => name.endsWith(ending));
  if (file === undefined || others.length > 0) throw new Error(`not one file ${ending}`);
  return file;
};

const tick = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

describe('the facts of files', () => {
  it('are read once, and not again by the next process', async () => {
    await session((library) => widthOf(library, 'book/a'));
    const { library } = start();
    expect(await readings(() => widthOf(library, 'book/a'))).toEqual(['readdir scans', 'readdir scans/book']);
    expect(await widthOf(library, 'book/a')).toBe(1);
    expect(await readings(() => widthOf(library, 'book/ü'))).toEqual(['open scans/book/ü.jpg']);
    expect(faults).toEqual([]);
  });

  it('are the same as those that were read', async () => {
    const pictures = path.join(import.meta.dirname, '../../../../fixtures/golden/images/hires/books/book1');
    for (const name of readdirSync(pictures).filter((one) => !one.endsWith('.meta'))) {
      const file = path.join(pictures, name);
      if (statSync(file).isFile()) temporary.write(`scans/golden/${name}`, readFileSync(file));
    }
    const all = async (library: Library) => {
      return Promise.all((await locateAll(library, 'golden')).map((one) => library.describe(one)));
    };
    let first: unknown;
    await session(async (library) => {
      first = await all(library);
    });
    const { library } = start();
    expect(await readings(async () => expect(await all(library)).toEqual(first))).toEqual([
      'readdir scans',
      'readdir scans/golden',
    ]);
  });

  it('are not trusted where the file has changed', async () => {
    await session((library) => widthOf(library, 'book/a'));
    await tick();
    writeFileSync(at('scans/book/a.jpg'), wide, { flag: 'r+' });
    await session(async (library) => expect(await widthOf(library, 'book/a')).toBe(7));
    const { library } = start();
    expect(await readings(() => widthOf(library, 'book/a'))).not.toContain('open scans/book/a.jpg');
    expect(await widthOf(library, 'book/a')).toBe(7);
  });

  it('are not those of another file of the same name in another folder', async () => {
    await session((library) => widthOf(library, 'book/a'));
    renameSync(at('scans/book'), at('scans/old'));
    temporary.write('scans/book/a.jpg', wide);
    const { library } = start();
    expect(await widthOf(library, 'book/a')).toBe(7);
    expect(await widthOf(library, 'old/a')).toBe(1);
  });

  it('are not stored for a file that can’t be read: each process reports it', async () => {
    temporary.write('scans/book/broken.jpg', 'no picture');
    for (let round = 0; round < 2; round++) {
      const { library, close } = start();
      expect(await readings(() => widthOf(library, 'book/broken'))).toContain('open scans/book/broken.jpg');
      await close();
    }
  });

  it('are not stored for a file that may have changed without a new fingerprint', async () => {
    vi.useRealTimers();
    await session((library) => widthOf(library, 'book/a'));
    expect(storedFiles()).toEqual([]);
  });

  it('are found by both of two processes that write at the same time', async () => {
    for (let page = 0; page < 200; page++) temporary.write(`scans/book/page${page}.jpg`, onePixel);
    const sessions = [start(), start()];
    const halves = [0, 1].map(async (half) => {
      for (let page = half; page < 200; page += 2)
        await widthOf(sessions[half]?.library as Library, `book/page${page}`);
    });
    await Promise.all(halves);
    await Promise.all(sessions.map(({ close }) => close()));
    const { library } = start();
    const calls = await readings(async () => {
      for (let page = 0; page < 200; page++) expect(await widthOf(library, `book/page${page}`)).toBe(1);
    });
    expect(calls).toEqual(['readdir scans', 'readdir scans/book']);
  });

  it('are stored for every page of a folder with more than a thousand, a thousand in a file', async () => {
    for (let page = 0; page < 1500; page++) writeFileSync(at(`scans/book/${page}.jpg`), onePixel);
    const all = async (library: Library) => {
      for (const one of await locateAll(library, 'book')) await library.describe(one);
    };
    await session(all);
    expect(storedFiles().filter((file) => file.endsWith('.facts'))).toHaveLength(2);
    const { library } = start();
    expect(await readings(() => all(library))).toEqual(['readdir scans']);
  });
});

describe('the names in a folder', () => {
  const fill = (count: number): void => {
    for (let page = 0; page < count; page++) writeFileSync(at(`scans/book/page${page}.jpg`), '');
  };
  const count = async (library: Library) => (await library.findFolder(identifierOf('book')))?.images.length;

  it('are stored where there are many, and used where the folder is unchanged', async () => {
    fill(1000);
    mkdirSync(at('scans/book/folder'));
    writeFileSync(at('scans/book/index.meta'), '<r/>');
    let first: unknown;
    await session(async (library) => {
      first = await library.findFolder(identifierOf('book'));
    });
    const { library } = start();
    expect(await readings(async () => expect(await library.findFolder(identifierOf('book'))).toEqual(first))).toEqual(
      [],
    );
    expect((await library.locate(identifierOf('book/page7'), 1))?.listing.metaFiles).toEqual(new Set(['index.meta']));
  });

  it('are read again where the folder has changed, also with its old time', async () => {
    fill(1000);
    await session(count);
    await tick();
    const { mtime } = statSync(at('scans/book'));
    writeFileSync(at('scans/book/more.jpg'), '');
    utimesSync(at('scans/book'), mtime, mtime);
    await session(async (library) => expect(await count(library)).toBe(1003));
  });

  it.each([
    ['an image', () => symlinkSync('a.jpg', at('scans/book/link.jpg'))],
    ['a folder', () => symlinkSync('..', at('scans/book/link'))],
    ['nothing', () => symlinkSync('nothing', at('scans/book/link'))],
  ])(
    'are not stored where one is a link to %s, whose target may change while the folder stays the same',
    async (_, link) => {
      fill(1000);
      link();
      await session(count);
      expect(storedFiles().filter((file) => file.endsWith('.names'))).toEqual([]);
    },
  );

  it('are not stored where there are few', async () => {
    await session(count);
    expect(storedFiles()).toEqual([]);
  });

  it.each([0, 1, 500, -1, -200])('are read again where the file was cut at %i', async (length) => {
    fill(1000);
    await session(count);
    const file = storedFile('.names');
    truncateSync(file, length < 0 ? statSync(file).size + length : length);
    await session(async (library) => expect(await count(library)).toBe(1002));
    const { library } = start();
    expect(await readings(() => count(library))).toEqual([]);
  });
});

describe('an index that is damaged', () => {
  it('never gives a wrong answer, whatever bytes were changed, and is complete again after that', async () => {
    const ask = async (library: Library) => {
      expect(await widthOf(library, 'book/a')).toBe(1);
      expect(await widthOf(library, 'book/ü')).toBe(7);
    };
    await session(ask);
    const file = storedFile('.facts');
    const good = readFileSync(file);
    for (let offset = 0; offset < good.length; offset += 7) {
      const bad = Buffer.from(good);
      bad[offset] = (bad[offset] ?? 0) ^ 0x04;
      writeFileSync(file, bad);
      await session(ask);
    }
    const { library } = start();
    expect(await readings(() => ask(library))).toEqual(['readdir scans', 'readdir scans/book']);
    expect(faults).toEqual([]);
  });

  it('never gives a wrong answer wherever a crash has cut it, and facts that are added then are found', async () => {
    await session((library) => widthOf(library, 'book/a'));
    const file = storedFile('.facts');
    const good = readFileSync(file);
    for (let length = 0; length < good.length; length += 13) {
      writeFileSync(file, good.subarray(0, length));
      await session(async (library) => expect(await widthOf(library, 'book/ü')).toBe(7));
      const { library } = start();
      expect(await readings(() => widthOf(library, 'book/ü'))).not.toContain('open scans/book/ü.jpg');
      expect(await widthOf(library, 'book/a')).toBe(1);
    }
  });

  it('does not use lines from other files', async () => {
    temporary.write('scans/other/a.jpg', wide);
    await session((library) => widthOf(library, 'book/a'));
    const first = storedFile('.facts');
    const lines = readFileSync(first);
    rmSync(first);
    await session((library) => widthOf(library, 'other/a'));
    const second = storedFile('.facts');
    writeFileSync(second, lines);
    const { library } = start();
    expect(await readings(() => widthOf(library, 'other/a'))).toContain('open scans/other/a.jpg');
  });

  it.each([
    ['a link', (file: string) => symlinkSync('/etc/hostname', file)],
    ['far too long', (file: string) => writeFileSync(file, Buffer.alloc(9_000_000, 'x'))],
    ['full of invalid lines', (file: string) => writeFileSync(file, 'x\n'.repeat(100_000))],
  ])('replaces a file that is %s', async (_, damage) => {
    const ask = (library: Library) => widthOf(library, 'book/a');
    await session(ask);
    const file = storedFile('.facts');
    rmSync(file);
    damage(file);
    await session(async (library) => expect(await ask(library)).toBe(1));
    const { library } = start();
    expect(await readings(() => ask(library))).not.toContain('open scans/book/a.jpg');
    expect(readFileSync(file).length).toBeLessThan(2000);
  });

  it('goes on when its folder is removed while it is in use', async () => {
    const { library, close } = start();
    await widthOf(library, 'book/a');
    rmSync(directory(), { recursive: true, force: true });
    expect(await widthOf(library, 'book/ü')).toBe(7);
    await close();
    expect(storedFiles()).toHaveLength(1);
    expect(faults).toEqual([]);
  });
});

describe('the index', () => {
  it('is not used where its directory is a file, which is reported once, and the library works', async () => {
    writeFileSync(directory(), 'a file');
    const { library, close } = start();
    expect(await widthOf(library, 'book/a')).toBe(1);
    expect(await widthOf(library, 'book/ü')).toBe(7);
    await close();
    expect(faults).toEqual([`The metadata index ${directory()} can’t be read.`]);
    expect(readFileSync(directory(), 'utf8')).toBe('a file');
  });

  it('evicts the least recently used files, and nothing that is not its own', async () => {
    mkdirSync(directory());
    writeFileSync(path.join(directory(), 'mine.facts'), 'x'.repeat(50_000));
    for (let folder = 0; folder < 30; folder++) temporary.write(`scans/book${folder}/a.jpg`, onePixel);
    for (let folder = 0; folder < 30; folder++) {
      await session((library) => widthOf(library, `book${folder}/a`), 40_000);
      for (const file of storedFiles()) {
        const { mtimeMs } = statSync(file);
        utimesSync(file, mtimeMs / 1000 - 100, mtimeMs / 1000 - 100);
      }
    }
    const own = storedFiles().filter((file) => !file.endsWith('mine.facts'));
    expect(own.length).toBeGreaterThan(3);
    expect(own.length * 4096).toBeLessThanOrEqual(40_000);
    expect(storedFiles()).toContain(path.join(directory(), 'mine.facts'));
    const { library } = start();
    expect(await readings(() => widthOf(library, 'book29/a'))).not.toContain('open scans/book29/a.jpg');
    expect(await readings(() => widthOf(library, 'book0/a'))).toContain('open scans/book0/a.jpg');
  });

  it('removes files of another version after a week, and temporary files of a crash', async () => {
    const write = (version: string, name: string, days: number): string => {
      const file = path.join(directory(), `v${version.repeat(16)}`, 'ab', name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, 'x');
      const time = Date.now() / 1000 - days * 86_400;
      utimesSync(file, time, time);
      return file;
    };
    const old = write('0', `${'1'.repeat(30)}.facts`, 8);
    const recent = write('0', `${'2'.repeat(30)}.facts`, 6);
    const left = write('0', `${'3'.repeat(30)}.names.${crypto.randomUUID()}.tmp`, 1);
    await session((library) => widthOf(library, 'book/a'));
    expect([old, recent, left].map((file) => existsSync(file))).toEqual([false, true, false]);
  });

  it('can be read by no other user', async () => {
    await session((library) => widthOf(library, 'book/a'));
    const file = storedFile('.facts');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(directory()).mode & 0o777).toBe(0o700);
    expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
  });
});
