/** Redactions in `metadata.yaml` and in `.meta` files: what is read, and that nothing is open where something can’t be read. */
import { chmodSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { examine } from '../../../../../src/cli/doctor/examination.ts';
import type { Redactions } from '../../../../../src/core/image/model/redaction.ts';
import { makeTemporaryLibrary, metadataOf, onePixel, type TemporaryLibrary } from '../../../temporary-library.ts';

let temporary: TemporaryLibrary;
beforeEach(() => {
  temporary = makeTemporaryLibrary();
  for (const name of ['a.jpg', 'b.jpg', 'c.jpg']) temporary.write(`scans/book/${name}`, onePixel);
});
afterEach(() => temporary.remove());

const redactionsOf = async (name: string): Promise<Redactions | undefined> =>
  (await metadataOf(temporary.open(), `book/${name}`)).redactions;

const pixels = (x: number, y: number, width: number, height: number) => ({
  unit: 'pixels',
  rect: { x, y, width, height },
});

describe('metadata.yaml', () => {
  const write = (text: string, name = 'metadata.yaml') => temporary.write(`scans/book/${name}`, text);

  it('covers pages by name, by number and by range', async () => {
    write('redactions:\n  a.jpg: 1,2,3,4\n  2: full\n  b..c:\n    - region: 5,6,7,8\n      roles: [x, y]\n');
    expect(await redactionsOf('a.jpg')).toEqual([{ region: pixels(1, 2, 3, 4), roles: [] }]);
    expect(await redactionsOf('b.jpg')).toEqual([
      { region: 'full', roles: [] },
      { region: pixels(5, 6, 7, 8), roles: ['x', 'y'] },
    ]);
    expect(await redactionsOf('c.jpg')).toHaveLength(1);
  });

  it('covers all files that a name without its extension may mean', async () => {
    for (const name of ['a.tif', 'c.tif', 'A.tif']) temporary.write(`scans/book/${name}`, onePixel);
    const covered = async (): Promise<readonly string[]> => {
      const names = ['A.tif', 'a.jpg', 'a.tif', 'b.jpg', 'c.jpg', 'c.tif'];
      const found = await Promise.all(names.map(redactionsOf));
      return names.filter((_, index) => found[index] !== undefined);
    };
    write('redactions: { a: full }\n');
    expect(await covered()).toEqual(['a.jpg', 'a.tif']);
    write('redactions:\n  b..c: full\n');
    expect(await covered()).toEqual(['b.jpg', 'c.jpg', 'c.tif']);
    write('redactions:\n  a.png: full\n');
    expect(await covered()).toEqual(['a.jpg', 'a.tif']);
    write('redactions:\n  a.jpg, c: full\n');
    expect(await covered()).toEqual(['a.jpg', 'c.jpg', 'c.tif']);
    write('redactions:\n  a.tif: full\n');
    expect(await covered()).toEqual(['a.tif']);
  });

  it('covers also by the file that is not used for anything else', async () => {
    write('label: Herbal\n');
    write('redactions: { a: full }\n', 'metadata.yml');
    expect(await redactionsOf('a.jpg')).toEqual([{ region: 'full', roles: [] }]);
    expect(await redactionsOf('b.jpg')).toBeUndefined();
  });

  it('covers nothing where it speaks of none', async () => {
    write('label: Herbal\nbroken: [\n');
    expect(await redactionsOf('a.jpg')).toBeUndefined();
    write('redactions:\n');
    expect(await redactionsOf('a.jpg')).toBeUndefined();
    write('label: Redacted letters\nmetadata:\n  Redactions: three pages\n');
    expect(await redactionsOf('a.jpg')).toBeUndefined();
  });

  test.each([
    ['a: 1,2,3'],
    ['a: [full, 1,2,3]'],
    ['a: { region: full, until: soon }'],
    ['a: { region: full, until: 2061-02-30 }'],
    ['a: { region: full, for: x }'],
    ['a: { region: full, roles: { x: y } }'],
    ['a: { roles: x }'],
    ['a: { region: [full, full] }'],
    ['a: { region: full, page: two }'],
    ['a:'],
    ['a: []'],
    ['a: [[full]]'],
    ['a: *missing'],
  ])('closes the page, and no other, where its redaction is “%s”', async (line) => {
    write(`redactions:\n  ${line}\n  b: full\n`);
    expect(await redactionsOf('a.jpg')).toBe('unreadable');
    expect(await redactionsOf('b.jpg')).toEqual(line.includes('*') ? 'unreadable' : [{ region: 'full', roles: [] }]);
    expect(temporary.faults.join()).toContain('book/metadata.yaml:2:');
  });

  test.each([
    ['redactions: full\n'],
    ['redactions: [full]\n'],
    ['redactions: { d: full }\n'],
    ['redactions: { "a, d": full }\n'],
    ['redactions: { c..a: full }\n'],
    ['redactions: { 4: full }\n'],
    ['redactions: { b: full }\nredactions: { a: full }\n'],
    ['redaction: { b: full }\n'],
    ['redacted:\n  b: full\n'],
    ['pages:\n  - file: b\n    redactions: full\n'],
    ['redactions: { b: full }\n---\nredactions: { a: full }\n'],
    ['redactions:\n  b: full\n  a full\n'],
    ['redactions:\n\tb: full\n'],
    ['# redactions\n- b\n'],
    ['"\\x72edaction": { b: full }\n'],
  ])('closes all pages by %j', async (text) => {
    write(text);
    expect(await redactionsOf('c.jpg')).toBe('unreadable');
    expect(temporary.faults.join()).toContain('book/metadata.yaml:');
  });

  it('closes all pages where it can’t be read', async () => {
    temporary.link('../../elsewhere.yaml', 'scans/book/metadata.yaml');
    temporary.write('elsewhere.yaml', 'label: x');
    expect(await redactionsOf('a.jpg')).toBe('unreadable');
    expect(temporary.faults.join()).toContain('until it can be read, the images of this folder are closed');
  });

  test.skipIf(process.getuid?.() === 0)('closes all pages where the server may not read it', async () => {
    write('label: x');
    chmodSync(`${temporary.around}/scans/book/metadata.yaml`, 0);
    expect(await redactionsOf('a.jpg')).toBe('unreadable');
  });

  it('counts at the place of the file for all links to it', async () => {
    write('redactions: { a: full }\n');
    temporary.link('../book/a.jpg', 'scans/other/x.jpg');
    temporary.link('book', 'scans/same');
    const library = temporary.open();
    for (const name of ['other/x.jpg', 'same/a.jpg'])
      expect((await metadataOf(library, name)).redactions).toContainEqual({ region: 'full', roles: [] });
  });

  it('is read again when it or the names in the folder change', async () => {
    const library = temporary.open();
    const now = async () => (await metadataOf(library, 'book/b.jpg')).redactions;
    write('redactions: { 2: full }\n');
    expect(await now()).toHaveLength(1);
    temporary.write('scans/book/aa.jpg', onePixel);
    expect(await now()).toBeUndefined();
    write('redactions: { 3: full }\n\n');
    expect(await now()).toHaveLength(1);
  });
});

describe('.meta files', () => {
  const write = (inside: string, name = 'a.jpg.meta') => temporary.write(`scans/book/${name}`, `<r>${inside}</r>`);

  it('cover their image', async () => {
    write(
      '<meta><title>x</title><redactions><redaction region="1,2,3,4" roles="x, y" until="2061"/></redactions></meta>',
    );
    expect(await redactionsOf('a.jpg')).toEqual([
      { region: pixels(1, 2, 3, 4), roles: ['x', 'y'], endMs: Date.UTC(2062, 0) },
    ]);
    expect(await redactionsOf('b.jpg')).toBeUndefined();
  });

  it('count beside metadata.yaml', async () => {
    write('<meta><redactions><redaction region="1,2,3,4"/></redactions></meta>');
    temporary.write('scans/book/metadata.yaml', 'redactions: { a: full }\n');
    expect(await redactionsOf('a.jpg')).toHaveLength(2);
  });

  test.each([
    ['<meta><redactions><redaction/></redactions></meta>'],
    ['<meta><redactions><redaction region="a"/></redactions></meta>'],
    ['<meta><redactions><redaction region="full" until="x"/></redactions></meta>'],
    ['<meta><redactions><redaction region="full" role="x"/></redactions></meta>'],
    ['<meta><redactions><redaction>full</redaction></redactions></meta>'],
    ['<meta><redactions><area region="full"/></redactions></meta>'],
    ['<meta><redactions region="full"/></meta>'],
    ['<meta><redaction region="full"/></meta>'],
    ['<redactions><redaction region="full"/></redactions>'],
    ['<file><name>a.jpg</name><meta><redactions><redaction region="full"/></redactions></meta></file>'],
    ['<meta><img><redactions/></img></meta>'],
    ['<meta><redactions><redaction region="full"></redactions></meta>'],
  ])('close their image by %s', async (inside) => {
    write(inside);
    expect(await redactionsOf('a.jpg')).toBe('unreadable');
    expect(await redactionsOf('b.jpg')).toBeUndefined();
    expect(temporary.faults.join()).toContain('book/a.jpg.meta:');
  });

  it('close their image where they are cut off, empty or no file: a redaction may be missing', async () => {
    write('<meta>');
    expect(await redactionsOf('a.jpg')).toBe('unreadable');
    temporary.write('scans/book/a.jpg.meta', '');
    expect(await redactionsOf('a.jpg')).toBe('unreadable');
    temporary.write('scans/book/b.jpg.meta/x', '');
    expect(await redactionsOf('b.jpg')).toBe('unreadable');
  });

  it('of folders close nothing where they are damaged and do not speak of redactions', async () => {
    write('<meta>', 'index.meta');
    expect(await redactionsOf('a.jpg')).toBeUndefined();
  });

  it('of folders can’t have any, and close what they are of', async () => {
    write('<meta><redactions><redaction region="full"/></redactions></meta>', 'index.meta');
    expect(await redactionsOf('b.jpg')).toBe('unreadable');
  });
});

it('are lines of lectern doctor where they can’t be read, or lie beside the image', async () => {
  temporary.write('scans/book/metadata.yaml', 'redactions:\n  a: 1,2\n  b: 1,0,1,1\n  c: { region: full, page: 2 }\n');
  temporary.write('scans/more/d.jpg', onePixel);
  temporary.write('scans/more/d.jpg.meta', '<r><meta><redactions><redaction/></redactions></meta></r>');
  const lines: string[] = [];
  await examine([`${temporary.around}/scans`], async (line) => void lines.push(line.slice(temporary.around.length)));
  const wrong =
    'A redaction lies beside the image or is of a page that it does not have, or there are too many; the image is closed.';
  expect(lines).toEqual([
    expect.stringContaining('/scans/book/metadata.yaml:2: The region “1,2” must be'),
    `/scans/book/b.jpg: ${wrong}`,
    `/scans/book/c.jpg: ${wrong}`,
    expect.stringContaining('/scans/more/d.jpg.meta:1: This redaction has no region'),
  ]);
});
