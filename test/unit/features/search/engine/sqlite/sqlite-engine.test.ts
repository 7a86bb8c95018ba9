import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseQuery } from '../../../../../../src/features/search/engine/query.ts';
import { compress, makeDictionary } from '../../../../../../src/features/search/engine/sqlite/dictionary.ts';
import {
  createSqliteEngine,
  type SqliteEngine,
} from '../../../../../../src/features/search/engine/sqlite/sqlite-engine.ts';
import { describeEngine, indexedPage } from '../engine-contract.ts';

const makeFolder = (): string => mkdtempSync(path.join(tmpdir(), 'lectern-search-'));

describeEngine('the embedded search engine', async () => {
  const directory = makeFolder();
  const engine = createSqliteEngine({ directory, maxBytes: 2 ** 30 });
  return {
    engine,
    close: async () => {
      await engine.close();
      rmSync(directory, { recursive: true });
    },
  };
});

describe('the file of the embedded engine', () => {
  let directory: string;
  const opened: SqliteEngine[] = [];
  const open = (more: { readonly isReadOnly?: boolean; readonly maxBytes?: number } = {}): SqliteEngine => {
    const engine = createSqliteEngine({ directory, maxBytes: 2 ** 30, ...more });
    opened.push(engine);
    return engine;
  };
  const wasser = { query: parseQuery('wasser'), within: '', limit: 10 };
  beforeEach(() => {
    directory = makeFolder();
  });
  afterEach(async () => {
    for (const engine of opened.splice(0)) await engine.close();
    rmSync(directory, { recursive: true });
  });

  it('is read by another process while it is written', async () => {
    const writer = open();
    await writer.put([indexedPage('a', '1.jpg', 'Wasser')]);
    const reader = open({ isReadOnly: true });
    expect((await reader.find(wasser)).total).toBe(1);
    await writer.put([indexedPage('a', '2.jpg', 'Wasser')]);
    expect((await reader.find(wasser)).total).toBe(2);
  });

  it('may be missing for a reader, who finds it as soon as it is made', async () => {
    const reader = open({ isReadOnly: true });
    await expect(reader.find(wasser)).rejects.toThrow('There is no index of texts yet.');
    await open().put([indexedPage('a', '1.jpg', 'Wasser')]);
    expect((await reader.find(wasser)).total).toBe(1);
  });

  it('may be deleted at any time, and is made anew', async () => {
    const [writer, reader] = [open(), open({ isReadOnly: true })];
    await writer.put([indexedPage('a', '1.jpg', 'Wasser')]);
    expect((await reader.find(wasser)).total).toBe(1);
    for (const name of readdirSync(directory)) rmSync(path.join(directory, name));
    await writer.put([indexedPage('a', '2.jpg', 'Wasser'), indexedPage('a', '3.jpg', 'Wasser')]);
    expect((await reader.find(wasser)).pages.map(({ name }) => name)).toEqual(['2.jpg', '3.jpg']);
  });

  it('is made anew where it is no database', async () => {
    writeFileSync(path.join(directory, 'lectern-search.sqlite'), 'x'.repeat(5000));
    const writer = open();
    await writer.put([indexedPage('a', '1.jpg', 'Wasser')]);
    expect((await writer.find(wasser)).total).toBe(1);
  });

  it('takes no pages beyond its bound', async () => {
    const writer = open({ maxBytes: 1 });
    await expect(writer.put([indexedPage('a', '1.jpg', 'Wasser')])).rejects.toThrow('search.maxBytes');
  });

  it('compresses pages with a dictionary of its own words', async () => {
    const writer = open();
    const words = Array.from({ length: 400 }, (_, index) => (1e9 + ((index * 2654435761) % 1e9)).toString(36));
    const text = (from: number) => Array.from({ length: 300 }, (_, at) => words[(from + at * 7) % 400]).join(' ');
    const pages = Array.from({ length: 300 }, (_, index) => indexedPage('b', `${index}.jpg`, text(index)));
    await writer.put(pages);
    await writer.optimize();
    const [read] = await writer.read([{ folder: 'b', name: '17.jpg' }]);
    expect(read?.text).toBe(pages[17]?.payload.text);
    const texts = pages.map(({ payload }) => payload.text);
    const sizeWith = (words: Uint8Array): number => compress(texts[17] ?? '', words).length;
    expect(sizeWith(makeDictionary(texts))).toBeLessThan(0.8 * sizeWith(new Uint8Array()));
  });
});
