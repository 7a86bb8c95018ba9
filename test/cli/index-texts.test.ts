import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jpegOf, type LibraryFolder, makeLibraryFolder } from '../fixtures/page-texts.ts';
import { bin, runCommand } from './run-command.ts';

const pages = 20;

let library: LibraryFolder;
let directory: string;
const environment = (): NodeJS.ProcessEnv => ({
  LECTERN_SEARCH__DIRECTORY: directory,
  LECTERN_INDEX__DIRECTORY: path.join(library.root, '.index'),
});
const run = (more: NodeJS.ProcessEnv = {}) =>
  runCommand(['index', library.root], { env: { ...environment(), ...more } }).ended;

describe('lectern index', () => {
  beforeAll(async () => {
    library = makeLibraryFolder();
    directory = path.join(library.root, '.search');
    const image = await jpegOf(60, 90);
    for (let page = 1; page <= pages; page++) {
      library.write(`book/p${page}.jpg`, image);
      library.write(`book/p${page}.txt`, `alle wort${page}`);
    }
    library.write('book/without.jpg', image);
  });
  afterAll(() => library.remove());

  it('prints a line for each tenth of the images, and what it has done', async () => {
    const { code, stdout, stderr } = await run();
    expect(code).toBe(0);
    expect(stderr.trim().split('\n')).toHaveLength(10);
    expect(stderr).toContain('100 %: 21 of 21\n');
    expect(stdout).toMatch(/^20 pages in the index \([\d.]+ [kM]B\); 20 written, 0 removed, in [^\n]+\n$/);
  });

  it('writes what has changed and removes what is gone, and nothing else', async () => {
    library.write('book/p1.txt', 'ein anderes wort');
    utimesSync(path.join(library.root, 'book/p1.txt'), 1e9, 1e9);
    rmSync(path.join(library.root, 'book/p2.txt'));
    expect((await run()).stdout).toContain('19 pages in the index');
    expect((await run()).stdout).toContain('; 0 written, 0 removed, in ');
  });

  it('shows a bar in a terminal', { tags: 'terminal' }, () => {
    rmSync(directory, { recursive: true });
    // util-linux: runs a command in a terminal of its own.
    const command = `"${process.execPath}" "${bin}" index "${library.root}"`;
    const shown = spawnSync('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
      encoding: 'utf8',
      env: { ...process.env, ...environment() },
    });
    expect(shown.error).toBeUndefined();
    expect(shown.status).toBe(0);
    expect(shown.stdout).toMatch(/[█░]+ \d+ of 21 \| \d+ % \|/);
    expect(shown.stdout).toContain('19 pages in the index');
    expect(shown.stdout).not.toContain('100 %: 21 of 21');
  });

  it('says in a sentence why the index can’t be written, with exit code 1', async () => {
    const file = path.join(library.root, '.no-folder');
    writeFileSync(file, '');
    const { code, stdout, stderr } = await run({ LECTERN_SEARCH__DIRECTORY: path.join(file, 'search') });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr.split('\n').at(-2)).toMatch(/^lectern: .+/);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it('stops at the size that the settings allow, with exit code 1', async () => {
    mkdirSync(path.join(library.root, '.small'));
    const { code, stderr } = await run({
      LECTERN_SEARCH__DIRECTORY: path.join(library.root, '.small'),
      LECTERN_SEARCH__MAX_BYTES: '1000',
    });
    expect([code, stderr]).toEqual([1, expect.stringContaining('search.maxBytes')]);
  });

  it('has exit code 2 where the settings switch searches off', async () => {
    const { code, stderr } = await run({ LECTERN_SEARCH__ENABLED: 'false' });
    expect([code, stderr]).toEqual([2, expect.stringContaining('search.enabled is false')]);
  });
});
