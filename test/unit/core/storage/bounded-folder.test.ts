/** The contract of the bounded folder, with the layouts of all three rooms that use it. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { layoutIn as derivatives } from '../../../../src/core/cache/entry-file.ts';
import { layoutIn as metadataIndex } from '../../../../src/core/library/index/index-writer.ts';
import { layoutIn as pyramids } from '../../../../src/core/pyramids/pyramid-store.ts';
import { BoundedFolder, type BoundedFolderOptions } from '../../../../src/core/storage/bounded-folder.ts';
import { type FileSystem, nodeFileSystem, writeFully } from '../../../../src/core/storage/file-system.ts';
import type { FolderLayout } from '../../../../src/core/storage/layout.ts';
import { UsageIndex } from '../../../../src/core/storage/usage-index.ts';

interface StorageUser {
  readonly layoutIn: (directory: string) => FolderLayout;
  /** The name of an entry by a number below 10. */
  readonly nameOf: (number: number) => string;
  /** Whether a walk removes temporary files by their age. */
  readonly hasTemporaries: boolean;
}

const storageUsers: readonly (readonly [string, StorageUser])[] = [
  ['derivatives', { layoutIn: derivatives, nameOf: (number) => `${number}`.repeat(32), hasTemporaries: true }],
  [
    'the metadata index',
    {
      layoutIn: metadataIndex,
      nameOf: (number) => path.join(`v${'0'.repeat(16)}`, `${number}a`, `${'f'.repeat(30)}.facts`),
      hasTemporaries: true,
    },
  ],
  [
    'pyramids',
    {
      layoutIn: pyramids,
      nameOf: (number) => `lectern-${`${number}`.repeat(24)}-${'f'.repeat(24)}.tif`,
      hasTemporaries: false,
    },
  ],
];

const failure = (code: string): Error => Object.assign(new Error(`${code}: the disk says no`), { code });
const minute = 60_000;

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'lectern-folder-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** All files below the directory but the tag for backup programs. */
const filesIn = (): readonly string[] =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(directory, name))
    .filter((file) => statSync(file).isFile() && !file.endsWith('CACHEDIR.TAG'))
    .sort();

describe.each(storageUsers)('the folder of %s', (_label, { layoutIn, nameOf, hasTemporaries }) => {
  const layout = (): FolderLayout => layoutIn(directory);
  const pathOf = (number: number): string => layout().pathOf(nameOf(number));

  function open(options: Partial<BoundedFolderOptions> = {}): { folder: BoundedFolder; index: UsageIndex } {
    const index = new UsageIndex();
    const parts = { files: nodeFileSystem, layout: layout(), index, maxBytes: 1e6, ...options };
    return { folder: new BoundedFolder(parts), index };
  }

  const write = (folder: BoundedFolder, number: number, bytes = 1000, isCanceled?: () => boolean): Promise<void> =>
    folder.write(nameOf(number), bytes, (file) => writeFully(file, Buffer.alloc(bytes, number)), isCanceled);

  /** Fills the directory with entries, the first of which was used first. */
  async function fill(count: number): Promise<void> {
    const { folder } = open();
    for (let number = 0; number < count; number++) {
      await write(folder, number);
      const usedS = Date.now() / 1000 - 1000 + number;
      const file = layout().usePathOf?.(nameOf(number)) ?? pathOf(number);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, '', { flag: 'a' });
      utimesSync(file, usedS, usedS);
    }
  }

  it('has a whole entry after a write, readable by nobody else, and no temporary file', async () => {
    const { folder, index } = open();
    await write(folder, 1);
    expect(filesIn()).toEqual([pathOf(1)]);
    expect(readFileSync(pathOf(1))).toEqual(Buffer.alloc(1000, 1));
    expect(statSync(pathOf(1)).mode & 0o077).toBe(0);
    expect(index.totals()).toEqual({ entries: 1, bytes: 1000 });
  });

  it.each<[string, (real: FileSystem) => Partial<FileSystem>]>([
    ['is created', () => ({ create: () => Promise.reject(failure('ENOSPC')) })],
    ['is renamed', () => ({ rename: () => Promise.reject(failure('EIO')) })],
    [
      'is written',
      ({ create }) => ({
        create: async (file) => ({ ...(await create(file)), write: () => Promise.reject(failure('ENOSPC')) }),
      }),
    ],
    [
      'is closed',
      ({ create }) => ({
        create: async (file) => {
          const opened = await create(file);
          const close = () => opened.close().then(() => Promise.reject(failure('EDQUOT')));
          return { ...opened, close };
        },
      }),
    ],
  ])('has nothing of a file that fails when it %s', async (_when, change) => {
    const { folder, index } = open({ files: { ...nodeFileSystem, ...change(nodeFileSystem) } });
    await expect(write(folder, 1)).rejects.toThrow('the disk says no');
    expect([filesIn(), index.totals().entries]).toEqual([[], 0]);
  });

  it('has nothing of a write that is canceled', async () => {
    const { folder, index } = open();
    await write(folder, 1, 1000, () => true);
    expect([filesIn(), index.totals().entries]).toEqual([[], 0]);
  });

  it('is created again where it was removed, which is noticed', async () => {
    const { folder } = open();
    await write(folder, 1);
    rmSync(directory, { recursive: true });
    await write(folder, 2);
    expect(filesIn()).toEqual([pathOf(2)]);
    expect([folder.takeWasRemoved(), folder.takeWasRemoved()]).toEqual([true, false]);
  });

  it('takes a finished file in', async () => {
    const { folder, index } = open();
    await write(folder, 1);
    const file = path.join(directory, 'finished');
    writeFileSync(file, 'finished');
    await folder.moveIn(nameOf(2), file);
    expect([existsSync(file), readFileSync(pathOf(2), 'utf8'), index.totals()]).toEqual([
      false,
      'finished',
      { entries: 2, bytes: 1008 },
    ]);
  });

  it('evicts the least recently used entries, as found on disk', async () => {
    await fill(5);
    const { folder, index } = open({ maxBytes: 4000 });
    await folder.walk();
    expect(index.totals()).toEqual({ entries: 5, bytes: 5000 });
    index.find(nameOf(0), 1000, Date.now());
    index.find(nameOf(1), 1000, Date.now() - 1000 * minute);
    await folder.makeSpace(0);
    expect([folder.evictions, index.totals().entries]).toEqual([2, 3]);
    expect(filesIn().filter((file) => !file.includes(`${path.sep}used${path.sep}`))).toHaveLength(3);
  });

  it('records the use of an entry for the next start', async () => {
    await fill(3);
    const { folder } = open();
    await folder.touch(nameOf(0));
    const next = open({ layout: layout() });
    await next.folder.walk();
    const last = next.index.usedUntil(Date.now()).at(-1);
    const recordedMs = await next.folder.lastUseOf(nameOf(0));
    expect(Math.abs(recordedMs - Date.now())).toBeLessThan(minute);
    if (layout().usePathOf === undefined) expect(last?.name).toBe(nameOf(0));
  });

  it('forgets entries that something else has removed', async () => {
    await fill(3);
    const { folder, index } = open();
    await folder.walk();
    rmSync(pathOf(1));
    await folder.walk();
    expect([0, 1, 2].map((number) => index.has(nameOf(number)))).toEqual([true, false, true]);
  });

  it('reads the stats of new entries only, where entries never change', async () => {
    await fill(2);
    const paths: string[] = [];
    const lstat = (file: string) => {
      paths.push(file);
      return nodeFileSystem.lstat(file);
    };
    const { folder, index } = open({ files: { ...nodeFileSystem, lstat }, immutable: true });
    await folder.walk();
    paths.length = 0;
    await write(open().folder, 2);
    await folder.walk();
    expect(index.totals().entries).toBe(3);
    expect(paths.filter((file) => [0, 1].map(pathOf).includes(file))).toEqual([]);
  });

  it('leaves alone everything that is not its own', async () => {
    await fill(1);
    const folders = new Set([directory, layout().root, path.dirname(pathOf(0)), path.join(directory, 'ab')]);
    const foreign = [...folders].flatMap((folder) => [
      path.join(folder, 'letter.txt'),
      path.join(folder, `${path.basename(pathOf(0))}.bak`),
    ]);
    for (const file of foreign) {
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, 'precious');
      utimesSync(file, 1000, 1000);
    }
    const outside = mkdtempSync(path.join(tmpdir(), 'lectern-outside-'));
    symlinkSync(outside, path.join(layout().root, 'cd'));
    const { folder, index } = open({ maxBytes: 0 });
    await folder.walk();
    await folder.makeSpace(0);
    expect([index.totals().entries, existsSync(pathOf(0))]).toEqual([0, false]);
    for (const file of foreign) expect(readFileSync(file, 'utf8')).toBe('precious');
    rmSync(outside, { recursive: true });
  });

  it('does not count links and folders with the name of an entry', async () => {
    await fill(1);
    for (const number of [1, 2]) mkdirSync(path.dirname(pathOf(number)), { recursive: true });
    symlinkSync(pathOf(0), pathOf(1));
    mkdirSync(pathOf(2));
    const { folder, index } = open();
    await folder.walk();
    expect(index.totals()).toEqual({ entries: 1, bytes: 1000 });
  });

  const itWithTemporaries = hasTemporaries ? it : () => undefined;
  itWithTemporaries('removes temporary files that dead processes left, and keeps those of living ones', async () => {
    await fill(1);
    const [old, young] = [layout().temporaryFor(nameOf(0)), layout().temporaryFor(nameOf(0))];
    for (const file of [old, young]) writeFileSync(file, 'half');
    utimesSync(old, 1000, 1000);
    await open().folder.walk();
    expect([old, young].map((file) => existsSync(file))).toEqual([false, true]);
  });

  it.each(['EIO', 'EMFILE', 'EACCES'])(
    'rejects where the root can’t be listed (%s), and evicts nothing',
    async (code) => {
      await fill(2);
      const list = (listed: string) =>
        listed === layout().root ? Promise.reject(failure(code)) : nodeFileSystem.list(listed);
      const { folder, index } = open({ files: { ...nodeFileSystem, list }, maxBytes: 1000 });
      index.find(nameOf(0), 1000, 1);
      await expect(folder.walk()).rejects.toThrow(code);
      expect([index.totals().entries, existsSync(pathOf(0)), existsSync(pathOf(1))]).toEqual([1, true, true]);
    },
  );

  it('has no entries where there is no folder', async () => {
    const { folder, index } = open({ layout: layoutIn(path.join(directory, 'absent')) });
    expect([await folder.walk(), index.totals().entries]).toEqual([true, 0]);
  });

  it('reports an entry that the server may not read, and goes on with the others', async () => {
    await fill(3);
    const lstat = (file: string) =>
      file === pathOf(1) ? Promise.reject(failure('EACCES')) : nodeFileSystem.lstat(file);
    const denied: unknown[] = [];
    const { folder, index } = open({ files: { ...nodeFileSystem, lstat } });
    expect(await folder.walk({ onDenied: (error) => denied.push(error) })).toBe(true);
    expect([denied.length, index.totals().entries]).toEqual([1, 2]);
  });

  it('is walked no further where that is canceled', async () => {
    await fill(3);
    const { folder, index } = open();
    index.find(nameOf(9), 1000, 1);
    const isComplete = await folder.walk({ isCanceled: () => true });
    // A folder without others in it is walked in one step.
    expect(index.has(nameOf(9))).toBe(!isComplete);
  });
});
