/** What is left of the index of texts where the process that writes it is killed at any moment. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseQuery } from '../../src/features/search/engine/query.ts';
import { createSqliteEngine } from '../../src/features/search/engine/sqlite/sqlite-engine.ts';
import { jpegOf, type LibraryFolder, makeLibraryFolder } from '../fixtures/page-texts.ts';

const kills = Number(process.env['LECTERN_ROBUSTNESS_INDEX_KILLS'] ?? 8);
const pages = 1500;
const lectern = fileURLToPath(new URL('../../bin/lectern.cjs', import.meta.url));

let library: LibraryFolder;
let directory: string;
beforeAll(async () => {
  library = makeLibraryFolder();
  directory = mkdtempSync(path.join(tmpdir(), 'lectern-search-'));
  const image = await jpegOf(60, 90);
  for (let page = 0; page < pages; page++) {
    const name = `book${page % 3}/p${page}`;
    library.write(`${name}.jpg`, image);
    library.write(`${name}.txt`, `alle wort${page} ${'fülle '.repeat(300)}`);
  }
}, 120_000);
afterAll(() => {
  library.remove();
  rmSync(directory, { recursive: true, force: true });
});

const start = (): ChildProcess =>
  spawn(process.execPath, [lectern, 'index', library.root], {
    env: {
      ...process.env,
      LECTERN_SEARCH__DIRECTORY: directory,
      LECTERN_INDEX__DIRECTORY: path.join(directory, 'index'),
    },
    stdio: 'ignore',
    // Its own process group, so that the process with the file is killed too.
    detached: true,
  });

it('is whole after each kill, and complete after the next run', { timeout: 300_000 }, async () => {
  const counts: number[] = [];
  for (let kill = 0; kill < kills; kill++) {
    const running = start();
    const ended = once(running, 'exit');
    await pause(300 + ((kill * 397) % 1500));
    if (running.pid !== undefined && running.exitCode === null) process.kill(-running.pid, 'SIGKILL');
    await ended;
    const engine = createSqliteEngine({ directory, maxBytes: 2 ** 30 });
    const { pages: stored } = await engine.state();
    const { pages: found } = await engine.find({ query: parseQuery('alle'), within: '', limit: 5000 });
    // Every page that is stored is found by its words, and has its payload.
    expect(found).toHaveLength(Math.min(stored, 2000));
    expect((await engine.read(found)).every((payload) => payload !== undefined)).toBe(true);
    counts.push(stored);
    await engine.close();
  }
  expect(counts).toEqual([...counts].sort((a, b) => a - b));
  const [code] = await once(start(), 'exit');
  expect(code).toBe(0);
  const engine = createSqliteEngine({ directory, maxBytes: 2 ** 30 });
  expect((await engine.state()).pages).toBe(pages);
  for (const page of [0, 777, pages - 1]) {
    const found = await engine.find({ query: parseQuery(`wort${page}`), within: '', limit: 10 });
    expect(found.pages.map(({ name }) => name)).toEqual([`p${page}.jpg`]);
  }
  await engine.close();
});
