/** The process that keeps the index of texts up to date: its runs, what /readyz and the metrics tell of it, its end. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { settingsSchema } from '../../src/app/settings/settings.ts';
import type { RootState } from '../../src/core/library/library.ts';
import { indexingRows } from '../../src/features/search/feature.ts';
import {
  type BackgroundIndexing,
  createBackgroundIndexing,
} from '../../src/features/search/indexing/background-indexing.ts';
import { jpegOf, type LibraryFolder, makeLibraryFolder } from '../fixtures/page-texts.ts';

let library: LibraryFolder;
const directory = (): string => path.join(library.root, '.search');
let opened: BackgroundIndexing | undefined;
let lines: string[] = [];

function open(search: object = {}, roots: readonly RootState[] = []): BackgroundIndexing {
  const settings = settingsSchema.parse({
    library: { folders: [library.root] },
    search: { directory: directory(), ...search },
    index: { directory: path.join(library.root, '.index') },
  });
  const logger = pino({}, { write: (line: string) => void lines.push(line) });
  opened = createBackgroundIndexing(settings, { checkRoots: async () => roots }, logger);
  return opened;
}

/** Starts it, and lets its timers run out: those of the first start, of what is put off, and of the next run. */
async function runAfter(indexing: BackgroundIndexing, ms = 10_000): Promise<void> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  indexing.start();
  await vi.advanceTimersByTimeAsync(ms);
  vi.useRealTimers();
}

const until = (indexing: BackgroundIndexing, state: string): Promise<unknown> =>
  vi.waitFor(() => expect(indexing.state().state).toBe(state), { timeout: 20_000, interval: 20 });

const metrics = (indexing: BackgroundIndexing) =>
  Object.fromEntries(indexingRows(indexing).map(({ name, read }) => [name, read().map(([value]) => value)]));

describe('the index of texts in the background', () => {
  beforeAll(async () => {
    library = makeLibraryFolder();
    const image = await jpegOf(60, 90);
    for (const page of [1, 2, 3]) {
      library.write(`book/p${page}.jpg`, image);
      library.write(`book/p${page}.txt`, `wort${page}`);
    }
  });
  afterEach(async () => {
    vi.useRealTimers();
    await opened?.close();
    lines = [];
    rmSync(directory(), { recursive: true, force: true });
  });
  afterAll(() => library.remove());

  it('is made some seconds after the start, and tells its pages and bytes', async () => {
    const indexing = open();
    expect(indexing.state()).toMatchObject({ state: 'waiting', pages: 0 });
    await runAfter(indexing, 9000);
    expect(indexing.state().state).toBe('waiting');
    await runAfter(indexing);
    expect(metrics(indexing)).toMatchObject({ search_indexing: [1] });
    await until(indexing, 'ready');
    expect(indexing.state()).toMatchObject({ files: 3, pages: 3, written: 3, removed: 0 });
    const { search_bytes: bytes, ...counts } = metrics(indexing);
    expect(bytes?.[0]).toBeGreaterThan(10_000);
    expect(counts).toEqual({
      search_indexing: [0],
      search_files: [3],
      search_pages: [3],
      search_changes_total: [3, 0],
      search_max_bytes: [],
      search_full: [0],
    });
    expect(lines.join('')).toContain('the index of texts is up to date');
  });

  it('is off where the settings say so, and makes nothing', async () => {
    for (const search of [{ enabled: false }, { refreshMinutes: 0 }]) {
      const indexing = open(search);
      await runAfter(indexing, 60_000);
      expect(indexing.state().state).toBe('off');
    }
    expect(existsSync(directory())).toBe(false);
  });

  it('waits while a disk hangs', async () => {
    const indexing = open({}, [{ state: 'hanging' } as RootState]);
    await runAfter(indexing, 60_000);
    expect(indexing.state().state).toBe('waiting');
    expect(existsSync(directory())).toBe(false);
  });

  it('says in the log and in its state that it could not be written', async () => {
    mkdirSync(directory(), { recursive: true });
    rmSync(directory(), { recursive: true });
    writeFileSync(directory(), 'no folder');
    const indexing = open();
    await runAfter(indexing);
    await until(indexing, 'failed');
    expect(lines.join('')).toContain('the index of texts can’t be brought up to date');
  });

  it('says in its state and metrics that the index is full, and no more when there is room again', async () => {
    const small = open({ maxBytes: 1 });
    await runAfter(small);
    await until(small, 'failed');
    expect(metrics(small)).toMatchObject({ search_full: [1] });
    await small.close();
    const large = open();
    await runAfter(large);
    await until(large, 'ready');
    expect(metrics(large)).toMatchObject({ search_full: [0] });
  });

  it('ends its process when it is closed, and starts no other', async () => {
    const indexing = open();
    await runAfter(indexing);
    expect(indexing.state().state).toBe('indexing');
    await indexing.close();
    await runAfter(indexing, 120_000);
    expect(indexing.state().state).not.toBe('ready');
  });
});
