/** What every search engine has to do: one suite for all of them. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { foldedWordsOf } from '../../../../../src/features/search/engine/fold.ts';
import { parseQuery } from '../../../../../src/features/search/engine/query.ts';
import type { IndexedPage, SearchEngine } from '../../../../../src/features/search/engine/search-engine.ts';

export interface OpenedEngine {
  readonly engine: SearchEngine;
  readonly close: () => Promise<void>;
}

export function indexedPage(folder: string, name: string, text: string, fingerprint = '1'): IndexedPage {
  const words = text.split(' ');
  return {
    folder,
    name,
    fingerprint,
    words: foldedWordsOf(words),
    payload: { text: `of ${name}\n${text}`, boxes: Uint8Array.of(0, 1, 255) },
  };
}

export function describeEngine(name: string, open: () => Promise<OpenedEngine>): void {
  describe(name, () => {
    let opened: OpenedEngine;
    let engine: SearchEngine;
    beforeEach(async () => {
      opened = await open();
      engine = opened.engine;
      await engine.put([
        indexedPage('herbal', 'p1.jpg', 'Von dem Waſſer und den Kräutern'),
        indexedPage('herbal', 'p2.jpg', 'Wasser Wasser Wasser'),
        indexedPage('herbal/second', 'p1.jpg', 'das kalte Wasser der Brunnen'),
        indexedPage('herbals', 'p1.jpg', '本草綱目 Wasser'),
        indexedPage('', 'top.jpg', 'Kräuter ohne Ende'),
      ]);
    });
    afterEach(() => opened.close());

    const find = async (query: string, within = '', limit = 100) => {
      const { pages, ...rest } = await engine.find({ query: parseQuery(query), within, limit });
      return { names: pages.map((page) => `${page.folder}/${page.name}`), ...rest };
    };
    const sorted = async (query: string, within = '') => (await find(query, within)).names.toSorted();

    it('finds words', async () =>
      expect(await sorted('wasser')).toEqual([
        'herbal/p1.jpg',
        'herbal/p2.jpg',
        'herbal/second/p1.jpg',
        'herbals/p1.jpg',
      ]));
    it('finds pages that have all words', async () =>
      expect(await sorted('wasser krautern')).toEqual(['herbal/p1.jpg']));
    it('finds phrases', async () => expect(await sorted('"kalte wasser"')).toEqual(['herbal/second/p1.jpg']));
    it('finds no phrase in another order', async () => expect(await sorted('"wasser kalte"')).toEqual([]));
    it('finds beginnings', async () => expect(await sorted('kraut*')).toEqual(['/top.jpg', 'herbal/p1.jpg']));
    it('finds phrases with a beginning', async () =>
      expect(await sorted('"kalte was*"')).toEqual(['herbal/second/p1.jpg']));
    it('finds Chinese by characters', async () => expect(await sorted('草綱')).toEqual(['herbals/p1.jpg']));
    it('finds a single Chinese character', async () => expect(await sorted('綱')).toEqual(['herbals/p1.jpg']));
    it('finds whole words alone', async () => expect(await sorted('kraut')).toEqual([]));
    it('takes words of query languages as words', async () =>
      expect([await sorted('wasser OR ende'), await sorted('NOT wasser')]).toEqual([[], []]));
    it('finds in and below a folder', async () =>
      expect(await sorted('wasser', 'herbal')).toEqual(['herbal/p1.jpg', 'herbal/p2.jpg', 'herbal/second/p1.jpg']));
    it.each([
      ['herbal', ['herbal/p1.jpg', 'herbal/p2.jpg']],
      ['', []],
      ['other', []],
    ])('finds in %j alone', async (within, expected) => {
      const { pages } = await engine.find({ query: parseQuery('wasser'), within, isShallow: true, limit: 100 });
      expect(pages.map(({ folder, name }) => `${folder}/${name}`).sort()).toEqual(expected);
    });
    it('finds in the first folder alone', async () => {
      const { pages } = await engine.find({ query: parseQuery('kraut*'), within: '', isShallow: true, limit: 100 });
      expect(pages).toEqual([{ folder: '', name: 'top.jpg' }]);
    });
    it('finds nothing in a folder that it does not know', async () =>
      expect(await sorted('wasser', 'other')).toEqual([]));
    it('finds nothing without words', async () => expect(await sorted('')).toEqual([]));
    it('returns pages with more matches first', async () =>
      expect((await find('wasser')).names[0]).toBe('herbal/p2.jpg'));
    it('tells whether there are more', async () => {
      expect(await find('wasser', '', 2)).toMatchObject({ isAll: false, total: 4 });
      expect(await find('wasser', '', 4)).toMatchObject({ isAll: true, total: 4 });
    });
    it('gives payloads back as they were', async () => {
      const [known, unknown] = await engine.read([
        { folder: 'herbal', name: 'p2.jpg' },
        { folder: 'herbal', name: 'none' },
      ]);
      expect(known?.text).toBe('of p2.jpg\nWasser Wasser Wasser');
      expect([...(known?.boxes ?? [])]).toEqual([0, 1, 255]);
      expect(unknown).toBeUndefined();
    });
    it('replaces a page', async () => {
      await engine.put([indexedPage('herbal', 'p2.jpg', 'Feuer', '2')]);
      expect([await sorted('wasser', 'herbal'), await sorted('feuer')]).toEqual([
        ['herbal/p1.jpg', 'herbal/second/p1.jpg'],
        ['herbal/p2.jpg'],
      ]);
      expect(Object.fromEntries(await engine.fingerprints('herbal'))).toEqual({ 'p1.jpg': '1', 'p2.jpg': '2' });
    });
    it('removes a page', async () => {
      await engine.remove([
        { folder: 'herbal', name: 'p2.jpg' },
        { folder: 'none', name: 'p2.jpg' },
      ]);
      expect(await sorted('wasser', 'herbal')).toEqual(['herbal/p1.jpg', 'herbal/second/p1.jpg']);
      expect((await engine.state()).pages).toBe(4);
    });
    it('knows its folders', async () =>
      expect([...(await engine.folders())].sort()).toEqual(['', 'herbal', 'herbal/second', 'herbals']));
    it('tells how large it is', async () => {
      const { pages, bytes } = await engine.state();
      expect([pages, bytes > 0]).toEqual([5, true]);
    });
  });
}
