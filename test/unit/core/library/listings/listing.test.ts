import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stemOf } from '../../../../../src/core/image/model/formats.ts';
import {
  addEntry,
  byCodeUnit,
  createListing,
  type Listing,
  noEntries,
} from '../../../../../src/core/library/listings/listing.ts';

function listingOf(images: readonly string[], folders: readonly string[] = []): Listing {
  const entries = noEntries();
  for (const name of images) addEntry(entries, name, false, 'file');
  for (const name of folders) addEntry(entries, name, false, 'folder');
  return createListing('/scans', entries);
}

/** The rule (digilib.md, section 3), naively: the first name in code-unit order of the first kind of match that exists. */
function expectedFor(names: readonly string[], requested: string): string | undefined {
  const sorted = [...names].sort(byCodeUnit);
  const composed = (name: string): string => name.normalize('NFC');
  const normal = composed(requested);
  const kinds: readonly ((name: string) => boolean)[] = [
    (name) => name === requested,
    (name) => stemOf(name) === requested,
    (name) => stemOf(name) === stemOf(requested),
    (name) => composed(name) === normal,
    (name) => composed(stemOf(name)) === normal,
    (name) => composed(name) === stemOf(normal),
    (name) => composed(stemOf(name)) === stemOf(normal),
  ];
  return kinds.map((isOfKind) => sorted.find(isOfKind)).find((name) => name !== undefined);
}

const stem = fc.string({
  unit: fc.constantFrom('a', 'b', 'A', '.', '1', 'ü', 'u\u0308', 'e\u0301', '\u{1F5FA}', '\uFB01'),
  minLength: 1,
  maxLength: 4,
});
const imageName = fc
  .tuple(stem, fc.constantFrom('jpg', 'JPG', 'tif', 'png'))
  .map(([name, extension]) => `${name}.${extension}`)
  .filter((name) => !name.startsWith('.'));

describe('a listing', () => {
  it('finds names by the rule, in every Unicode normalization form', () => {
    const requested = fc.oneof(
      stem,
      imageName,
      imageName.map((name) => `${name}.png`),
    );
    const form = fc.constantFrom('NFC', 'NFD', 'as it is');
    fc.assert(
      fc.property(fc.uniqueArray(imageName, { maxLength: 12 }), requested, form, (names, plain, how) => {
        const name = how === 'as it is' ? plain : plain.normalize(how);
        expect(listingOf(names).find(name)).toBe(expectedFor(names, name));
      }),
      { numRuns: 3000 },
    );
  });

  it('finds each of a hundred thousand pages, by name and by position', () => {
    const names = Array.from({ length: 100_000 }, (_, page) => `page${page + 1}.jpg`);
    const listing = listingOf(names);
    expect(listing.images).toEqual([...names].sort(byCodeUnit));
    expect(names.every((name) => listing.has(name) && listing.find(name.slice(0, -4)) === name)).toBe(true);
    expect(['page0.jpg', 'page100001.jpg', 'page', ''].some((name) => listing.has(name))).toBe(false);
    expect(listing.find('page100001')).toBeUndefined();
  });

  it('sorts by code units, astral characters before the last of the others', () => {
    const names = ['\uFB01.jpg', '\u{1F5FA}.jpg', 'b.jpg', 'B.jpg', 'ü.jpg', 'b-1.jpg', '10.jpg', '9.jpg'];
    expect(listingOf(names).images).toEqual([
      '10.jpg',
      '9.jpg',
      'B.jpg',
      'b-1.jpg',
      'b.jpg',
      'ü.jpg',
      '\u{1F5FA}.jpg',
      '\uFB01.jpg',
    ]);
  });

  it.each([
    ['book', true],
    ['BOOK', true],
    ['bu\u0308cher', true],
    ['link', true],
    ['page', false],
    ['boo', false],
  ])('tests whether a folder may have a name, on every kind of file system: %s', (name, expected) => {
    const entries = noEntries();
    addEntry(entries, 'Book', false, 'folder');
    addEntry(entries, 'b\u00fccher', true, 'folder');
    addEntry(entries, 'link', true, undefined);
    addEntry(entries, 'page', false, undefined);
    addEntry(entries, 'page.jpg', false, 'file');
    expect(createListing('/scans', entries).mayHoldFolder(name)).toBe(expected);
  });
});
