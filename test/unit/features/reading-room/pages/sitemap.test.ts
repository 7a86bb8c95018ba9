/** Sitemaps are cut by the protocol's limits, without a gap and without an address twice. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  partAddress,
  protocolLimits,
  type SitemapFolder,
  type SitemapLimits,
  sitemapIndex,
  sitemapPart,
} from '../../../../../src/features/reading-room/pages/sitemap.ts';

const base = 'https://library.example/books/';

async function* from(folders: readonly SitemapFolder[], path: string): AsyncGenerator<SitemapFolder> {
  yield* folders.slice(folders.findIndex((folder) => folder.path === path));
}

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

const addressesIn = (xml: string): readonly string[] =>
  [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address = '']) => address.replaceAll('&amp;', '&'));

/** The addresses of all parts that the index names, in order. */
async function partsOf(folders: readonly SitemapFolder[], limits: SitemapLimits): Promise<readonly string[]> {
  const index = await textOf(sitemapIndex(from(folders, ''), base, limits));
  return Promise.all(
    addressesIn(index).map((address) => {
      const query = new URL(address).searchParams;
      const start = { folder: query.get('folder') ?? '', at: Number(query.get('from')) };
      expect(address).toBe(base + partAddress(start));
      return textOf(sitemapPart(from(folders, start.folder), base, start, limits));
    }),
  );
}

const library = (sizes: readonly number[]): readonly SitemapFolder[] =>
  sizes.map((size, number) => ({
    path: number === 0 ? '' : `folder ${number}`,
    images: Array.from({ length: size }, (_, at) => `scan & ${at}.jpg`),
  }));

const allOf = (folders: readonly SitemapFolder[]): number =>
  folders.reduce((sum, { images }) => sum + 1 + images.length, 0);

describe('the parts of a sitemap', () => {
  it('hold each page once, and keep both limits', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(12), { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 400, max: 2000 }),
        async (sizes, addresses, bytes) => {
          const folders = library(sizes);
          const parts = await partsOf(folders, { addresses, bytes });
          const found = parts.map(addressesIn);
          expect(new Set(found.flat()).size).toBe(allOf(folders));
          expect(found.flat().length).toBe(allOf(folders));
          for (const [at, part] of parts.entries()) {
            expect(found[at]?.length).toBeLessThanOrEqual(addresses);
            expect(Buffer.byteLength(part)).toBeLessThanOrEqual(bytes);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('are cut at 50,000 addresses', async () => {
    const parts = await partsOf(library([10, 60_000, 45_000]), protocolLimits);
    expect(parts.map((part) => addressesIn(part).length)).toEqual([50_000, 50_000, 5013]);
  });

  it('are cut at 50 MiB where addresses are long', async () => {
    const images = Array.from({ length: 20_000 }, (_, at) => `${'ä'.repeat(500)}${at}.jpg`);
    const parts = await partsOf([{ path: '', images }], protocolLimits);
    expect(parts).toHaveLength(2);
    for (const part of parts) expect(Buffer.byteLength(part)).toBeLessThanOrEqual(50 * 1024 * 1024);
    expect(Buffer.byteLength(parts[0] ?? '')).toBeGreaterThan(49 * 1024 * 1024);
  });

  it('name pages by the addresses of the reading room', async () => {
    const text = await textOf(sitemapPart(from(library([1, 1]), ''), base, { folder: '', at: 0 }));
    expect(addressesIn(text)).toEqual([
      base,
      `${base}view/scan%20%26%200.jpg`,
      `${base}browse/folder%201`,
      `${base}view/folder%201/scan%20%26%200.jpg`,
    ]);
    expect(text).toMatch(
      /^<\?xml version="1.0" encoding="UTF-8"\?>\n<urlset xmlns="http:\/\/www.sitemaps.org\/schemas\/sitemap\/0.9">\n/,
    );
  });
});
