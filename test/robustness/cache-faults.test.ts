/**
 * What can happen to the folder of the caches of a running server: every answer stays right, none waits, and the caches are
 * used again afterwards. A killed server is in kills.test.ts, disks that fail or hang are in test/unit/cache.
 */
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConfinedServer, startConfinedServer } from '../fixtures/confined-server.ts';
import { ask, MiB } from './watched-answers.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-cache-faults-'));
const disk = path.join(scratch, 'disk');
/** The folder of the caches, on a file system of 3 MiB of its own. */
const cache = path.join(disk, 'lectern');

const remount = (mode: 'ro' | 'rw'): void => void execFileSync('mount', ['-o', `remount,${mode}`, disk]);

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name));
  } catch {
    return [];
  }
}

const remove = (name: string): void => rmSync(name, { recursive: true, force: true });

function forEachFile(change: (file: string) => void): void {
  for (const file of filesIn(cache)) change(file);
}

function flipBits(file: string): void {
  const bytes = readFileSync(file);
  for (let at = bytes.length - 1; at >= 0; at -= 4096) bytes[at] = (bytes[at] ?? 0) ^ 4;
  writeFileSync(file, bytes);
}

const flipAll = (): void => forEachFile(flipBits);

function fill(): void {
  try {
    for (let index = 0; ; index++) writeFileSync(path.join(disk, `filler-${index}`), Buffer.alloc(64 * 1024, 1));
  } catch {
    // There is no space left.
  }
}

const emptied = (): void => {
  for (const name of readdirSync(disk)) remove(path.join(disk, name));
};

/** What happens to the folder, and what ends it. */
const faults: Readonly<Record<string, readonly [begin: () => void, end?: () => void]>> = {
  'the disk is full': [fill, emptied],
  'the disk becomes read-only': [() => remount('ro'), () => remount('rw')],
  'bits flip in all files': [flipAll],
  'all files are cut': [() => forEachFile((file) => truncateSync(file, Math.floor(readFileSync(file).length / 2)))],
  'all files become empty': [() => forEachFile((file) => truncateSync(file, 0))],
  'the files change places': [
    () => {
      const files = filesIn(cache);
      const first = files[0];
      if (first === undefined) return;
      renameSync(first, `${first}.moved`);
      for (const [index, file] of files.slice(1).entries()) renameSync(file, files[index] ?? '');
      renameSync(`${first}.moved`, files.at(-1) ?? '');
    },
  ],
  'folders have the names of the files': [
    () =>
      forEachFile((file) => {
        remove(file);
        mkdirSync(file);
      }),
  ],
  'pipes have the names of the files': [
    () =>
      forEachFile((file) => {
        remove(file);
        execFileSync('mkfifo', [file]);
      }),
    emptied,
  ],
  'everything is deleted': [emptied],
  'a file has the name of the folder': [
    () => {
      remove(cache);
      writeFileSync(cache, 'no folder');
    },
    emptied,
  ],
  'the folder is a link to nothing': [
    () => {
      remove(cache);
      symlinkSync(path.join(scratch, 'nowhere'), cache);
    },
    emptied,
  ],
};

const addresses = [40, 60, 80, 100].flatMap((width) => [
  `/iiif/3/photos!odd1201x799.jpg/full/${width},/0/default.jpg`,
  `/iiif/3/png!rgba640x480.png/full/${width},/0/default.png`,
  `/Scaler?fn=tiff/lzw1500x1001&dw=${width}&mo=errtxt`,
]);

describe('the caches of a running server', { tags: ['memory-cgroup', 'mount'] }, () => {
  let server: ConfinedServer;
  const right = new Map<string, Buffer>();

  beforeAll(async () => {
    mkdirSync(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', disk]);
    server = await startConfinedServer({
      memoryBytes: 1024 * MiB,
      env: {
        XDG_CACHE_HOME: disk,
        // Faults of a folder that is named are logged as warnings.
        LECTERN_CACHE__DIRECTORY: cache,
        TMPDIR: scratch,
        LECTERN_RENDER__PROCESSES: '1',
        LECTERN_CACHE__MEMORY_BYTES: '0',
        LECTERN_PYRAMIDS__MAX_BYTES: '0',
      },
    });
    for (const address of addresses) right.set(address, (await ask(server, address)).body);
  });
  afterAll(async () => {
    await server.stop();
    execFileSync('umount', [disk]);
    remove(scratch);
  });

  async function expectRightAnswers(): Promise<void> {
    for (const address of addresses) {
      const { status, body, ms } = await ask(server, address);
      expect(status, address).toBe(200);
      expect(body.equals(right.get(address) ?? Buffer.alloc(0)), address).toBe(true);
      expect(ms).toBeLessThan(10_000);
    }
  }

  let asked = 0;
  /** Pictures that nobody requested before are stored. */
  const stores = (): Promise<void> =>
    expect
      .poll(
        async () => {
          const before = new Set(filesIn(cache));
          await ask(server, `/iiif/3/photos!gray900x675.jpg/full/${100 + ++asked},/0/default.jpg`);
          await new Promise((resolve) => setTimeout(resolve, 200));
          return filesIn(cache).some((file) => !before.has(file));
        },
        { timeout: 100_000 },
      )
      .toBe(true);

  it.each(Object.entries(faults))('harm no answer, and heal, when %s', async (_, [begin, end]) => {
    await stores();
    begin();
    await expectRightAnswers();
    end?.();
    await expectRightAnswers();
    await stores();
    // Otherwise nothing was read from the disk.
    if (begin === flipAll) expect(server.log.join('\n')).toContain('is not what was written there');
    expect(server.isUnharmed(), server.log.slice(-3).join('\n')).toBe(true);
    expect(server.log.filter((line) => line.includes('"level":50') || line.includes('"level":60'))).toEqual([]);
  });
});
