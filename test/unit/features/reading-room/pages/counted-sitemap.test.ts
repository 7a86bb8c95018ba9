/** Sitemaps of counted folders have each page once, in parts of a number of pages, with dates. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { CountedFolder, CountedFolders } from '../../../../../src/core/access/counted-folders.ts';
import {
  countedIndex,
  countedPart,
  countedParts,
} from '../../../../../src/features/reading-room/pages/counted-sitemap.ts';

const base = 'https://library.example/';
const changedMs = Date.UTC(2026, 0, 2);

const library = (sizes: readonly number[]): readonly CountedFolder[] =>
  sizes.map((images, index) => ({
    path: index === 0 ? '' : `f${index}`,
    images,
    changedMs: changedMs + index,
    metadataVersion: '',
  }));

const imagesOf = ({ images }: CountedFolder) =>
  Array.from({ length: images }, (_, index) => ({ name: `p${index + 1}.jpg`, modifiedMs: changedMs }));

/** No more than what a part takes is asked for. */
function countedFolders(folders: readonly CountedFolder[], most: number): CountedFolders {
  return {
    async *from(path) {
      yield* folders.slice(folders.findIndex((folder) => folder.path === path));
    },
    async imagesIn(asked) {
      expect(asked.reduce((sum, { images }) => sum + images, 0)).toBeLessThanOrEqual(most);
      return asked.map(imagesOf);
    },
    async images(folder, { from, count }) {
      expect(count).toBeLessThanOrEqual(most);
      return imagesOf(folder).slice(from - 1, from - 1 + count);
    },
  };
}

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

const locations = (xml: string): readonly string[] =>
  [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, one = '']) => one);

it('the parts of a counted sitemap have each page once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(12), { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 1, max: 9 }),
      async (sizes, most) => {
        const folders = library(sizes);
        const counted = countedFolders(folders, most);
        const index = locations(await textOf(countedIndex(countedParts(counted.from(''), most), base)));
        const pages: string[] = [];
        for (const part of index) {
          const query = new URL(part.replaceAll('&amp;', '&')).searchParams;
          const start = { folder: query.get('folder') ?? '', at: Number(query.get('from')) };
          const own = locations(await textOf(countedPart(counted, counted.from(start.folder), base, start, most)));
          expect(own.length).toBeLessThanOrEqual(most);
          pages.push(...own);
        }
        const total = sizes.reduce((sum, size) => sum + 1 + size, 0);
        expect([pages.length, new Set(pages).size]).toEqual([total, total]);
        expect(index.length).toBe(Math.ceil(total / most));
      },
    ),
  );
});

it('a counted sitemap has the dates of images, and of the latest folder of a part', async () => {
  const counted = countedFolders(library([1, 1]), 10);
  expect(await textOf(countedIndex(countedParts(counted.from('')), base))).toContain(
    '<lastmod>2026-01-02T00:00:00.001Z</lastmod>',
  );
  const part = await textOf(countedPart(counted, counted.from('f1'), base, { folder: 'f1', at: 0 }));
  expect(part).toContain(
    '<url><loc>https://library.example/view/f1/p1.jpg</loc><lastmod>2026-01-02T00:00:00.000Z</lastmod></url>',
  );
});
