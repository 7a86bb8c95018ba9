import { describe, expect, it } from 'vitest';
import {
  parseManifesterAddress,
  parsePresentationAddress,
} from '../../../../../src/core/image/addresses/folder-address.ts';
import {
  formatIdentifierSegment,
  imageServicesBelow,
  manifesterAddresses,
  presentationAddresses,
} from '../../../../../src/core/image/addresses/iiif-addresses.ts';
import type { FolderDescription, PageDescription } from '../../../../../src/core/image/folder/folder-description.ts';
import type { FolderMetadata } from '../../../../../src/core/image/folder/folder-metadata.ts';
import { joinPage } from '../../../../../src/core/image/model/identifier.ts';
import { manifestOf, wholeManifest, withAdditions } from '../../../../../src/features/presentation/model/manifest.ts';
import { thumbnailSize } from '../../../../../src/features/presentation/model/pages.ts';
import { manifestSchema2, manifestSchema3 } from './schema.ts';

const origin = 'https://library.example';

const page = (file: string, pageInFile?: number): PageDescription => {
  const path = pageInFile === undefined ? `books/${file}` : joinPage(`books/${file}`, pageInFile);
  return { path, file, width: 1000, height: 1414, ...(pageInFile === undefined ? {} : { pageInFile }) };
};

const folderOf = (files: readonly (string | PageDescription)[], metadata: FolderMetadata = {}): FolderDescription => ({
  path: 'books',
  name: 'books',
  pages: files.map((one) => (typeof one === 'string' ? page(one) : one)),
  metadata,
});

const written3 = (folder: FolderDescription) =>
  manifestSchema3.parse(
    wholeManifest(
      manifestOf(3, folder, presentationAddresses(`${origin}/presentation/3`, folder.path), imageServicesBelow(origin)),
    ),
  );
const written2 = (folder: FolderDescription) =>
  manifestSchema2.parse(
    wholeManifest(
      manifestOf(2, folder, presentationAddresses(`${origin}/presentation/2`, folder.path), imageServicesBelow(origin)),
    ),
  );

const labels = (folder: FolderDescription): unknown[] => written3(folder).items.map(({ label }) => label);

describe('addresses of folders', () => {
  it.each([
    ['manifest.json', 'manifest', ['']],
    ['collection.json', 'collection', ['']],
    ['books/book1/manifest.json', 'manifest', ['books/book1']],
    ['books!book1/manifest.json', 'manifest', ['books/book1', 'books!book1']],
    ['books%2Fbook1/collection.json', 'collection', ['books/book1']],
    ['a%21b/manifest.json', 'manifest', ['a!b']],
    ['%E6%BC%A2/manifest.json', 'manifest', ['漢']],
    ['books/canvas/page1-jpg', 'manifest', ['books']],
    ['books/range/1.2', 'manifest', ['books']],
    ['books/canvas/manifest.json', 'manifest', ['books/canvas']],
    ['books/manifest.json/manifest.json', 'manifest', ['books/manifest.json']],
  ])('reads %s', (raw, kind, paths) => {
    expect(parsePresentationAddress(raw)).toEqual({ kind, paths });
  });

  it.each(['', 'books', 'books/', 'books/manifest', 'books/other/page1', 'books/%E0%A4%A/manifest.json'])(
    'finds none in %j',
    (raw) => expect(parsePresentationAddress(raw)).toBeUndefined(),
  );

  it.each([
    ['books!book1', ['books/book1', 'books!book1']],
    ['books%2Fbook1/', ['books/book1']],
    ['books/manifest', ['books']],
    ['books/manifest.json', ['books']],
    ['books/sequence/default', ['books']],
    ['books/canvas/p1', ['books']],
    ['books/annotation/p1', ['books']],
    ['%2F/manifest', ['/']],
  ])('reads %s behind Manifester', (raw, paths) => {
    expect(parseManifesterAddress(raw)).toEqual({ kind: 'manifest', paths });
  });

  it.each(['', '/', 'books/book1', 'books/info.json', '%ff'])('finds none in %j behind Manifester', (raw) =>
    expect(parseManifesterAddress(raw)).toBeUndefined(),
  );

  it.each(['books', 'books/book 1', 'a!b/c', '漢字/é/"q"', '100%/a?b#c', ''])('are read back: %s', (path) => {
    const { manifest, part } = presentationAddresses('', path);
    expect(parsePresentationAddress(manifest.slice(1))?.paths[0]).toBe(path);
    expect(parsePresentationAddress(part('canvas', 'a!b/c').slice(1))?.paths[0]).toBe(path);
    const digilibs = manifesterAddresses('', path);
    expect(parseManifesterAddress(digilibs.manifest.slice(1))?.paths[0]?.replace(/^\/$/, '')).toBe(path);
  });
});

describe('the identifier of an image', () => {
  it.each([
    ['books/book1/page 1.jpg', 'books!book1!page%201.jpg'],
    ['what!/page.jpg', 'what%21%2Fpage.jpg'],
    ['scan.tif;2', 'scan.tif%3B2'],
    ['ünïcödé 漢字.jpg', '%C3%BCn%C3%AFc%C3%B6d%C3%A9%20%E6%BC%A2%E5%AD%97.jpg'],
  ])('of %s is %s', (path, segment) => expect(formatIdentifierSegment(path)).toBe(segment));
});

describe('labels', () => {
  it('of pages are file names without their extensions', () =>
    expect(labels(folderOf(['page0001.jpg', 'page.two.jpg']))).toEqual([
      { none: ['page0001'] },
      { none: ['page.two'] },
    ]));

  it('are whole file names where two files would share one', () =>
    expect(labels(folderOf(['a.jpg', 'a.tif', 'b.jpg']))).toEqual([
      { none: ['a.jpg'] },
      { none: ['a.tif'] },
      { none: ['b'] },
    ]));

  it('number the pages of one file', () =>
    expect(labels(folderOf([page('scan.tif', 1), page('scan.tif', 2)]))).toEqual([
      { none: ['scan (1)'] },
      { none: ['scan (2)'] },
    ]));

  it('are those that metadata gives, for a file or for a page of it', () => {
    const pageLabels = new Map([
      ['a.jpg', { en: ['Cover'] }],
      ['scan.tif', { none: ['Plate'] }],
      ['scan.tif;2', { none: ['Map'] }],
    ]);
    const folder = folderOf(['a.jpg', 'b.jpg', page('scan.tif', 1), page('scan.tif', 2)], { pageLabels });
    expect(labels(folder)).toEqual([{ en: ['Cover'] }, { none: ['b'] }, { none: ['Plate (1)'] }, { none: ['Map'] }]);
  });

  it('of a folder are its name, unless metadata says otherwise', () => {
    expect(written3(folderOf(['a.jpg'])).label).toEqual({ none: ['books'] });
    expect(written3(folderOf(['a.jpg'], { label: { de: ['Bücher'] } })).label).toEqual({ de: ['Bücher'] });
    expect(written3(folderOf(['a.jpg'], { label: {} })).label).toEqual({ none: ['books'] });
  });

  it('are strings in 2.1, with their language where they have one', () => {
    const label = { none: ['x'], de: ['y'] };
    expect(written2(folderOf(['a.jpg'])).label).toBe('books');
    expect(written2(folderOf(['a.jpg'], { label })).label).toEqual(['x', { '@value': 'y', '@language': 'de' }]);
  });
});

describe('the order of pages', () => {
  it('is that of the metadata, and behind it the folder’s own', () => {
    const pageOrder = ['c.jpg', 'gone.jpg', 'a.jpg', 'c.jpg'];
    expect(labels(folderOf(['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg'], { pageOrder }))).toEqual(
      ['c', 'a', 'b', 'd'].map((stem) => ({ none: [stem] })),
    );
  });
});

describe('structures', () => {
  const structures = [
    {
      label: { en: ['One'] },
      pages: ['a.jpg', 'gone.jpg', 'scan.tif'],
      structures: [{ label: { en: ['Inner'] }, pages: ['b.jpg'], structures: [] }],
    },
    { label: { en: ['Empty'] }, pages: ['gone.jpg'], structures: [] },
  ];
  const folder = folderOf(['a.jpg', 'b.jpg', page('scan.tif', 1), page('scan.tif', 2)], { structures });
  const at = (version: number, part: string): string => `${origin}/presentation/${version}/books/${part}`;

  it('are nested ranges in 3.0', () =>
    expect(written3(folder).structures).toEqual([
      {
        id: at(3, 'range/1'),
        type: 'Range',
        label: { en: ['One'] },
        items: [
          ...['a-jpg', 'scan-tif', 'scan-tif%3B2'].map((key) => ({ id: at(3, `canvas/${key}`), type: 'Canvas' })),
          {
            id: at(3, 'range/1.1'),
            type: 'Range',
            label: { en: ['Inner'] },
            items: [{ id: at(3, 'canvas/b-jpg'), type: 'Canvas' }],
          },
        ],
      },
    ]));

  it('are a flat list in 2.1', () =>
    expect(written2(folder).structures?.map(({ ranges, canvases }) => ({ ranges, canvases }))).toEqual([
      {
        ranges: [at(2, 'range/1.1')],
        canvases: ['a-jpg', 'scan-tif', 'scan-tif%3B2'].map((key) => at(2, `canvas/${key}`)),
      },
      { ranges: undefined, canvases: [at(2, 'canvas/b-jpg')] },
    ]));

  it.each([
    [
      ['a.jpg', 'b.jpg'],
      ['canvas/a-jpg#xywh=percent:50,0,50,100', 'canvas/b-jpg'],
    ],
    [['gone.jpg', 'b.jpg'], ['canvas/b-jpg']],
  ])('name the part of the first page of %j, where it is there', (pages, canvases) => {
    const region = { x: 50, y: 0, width: 50, height: 100 };
    const partly = folderOf(['a.jpg', 'b.jpg'], { structures: [{ label: {}, pages, region, structures: [] }] });
    const ids = (version: number): readonly string[] => canvases.map((name) => at(version, name));
    expect(written3(partly).structures).toMatchObject([{ items: ids(3).map((id) => ({ id, type: 'Canvas' })) }]);
    expect(written2(partly).structures).toMatchObject([{ canvases: ids(2) }]);
  });
});

describe('what metadata says', () => {
  const metadata: FolderMetadata = {
    summary: { en: ['A book.'] },
    metadata: [{ label: { en: ['Author'] }, value: { none: ['N. N.'] } }],
    rights: 'https://creativecommons.org/publicdomain/mark/1.0/',
    requiredStatement: { label: { en: ['Attribution'] }, value: { en: ['The library'] } },
    homepage: [{ id: 'https://library.example/b', label: { en: ['Catalog'] }, format: 'text/html' }],
    viewingDirection: 'right-to-left',
    behavior: ['unordered', 'paged'],
  };

  it('stands in a manifest of 3.0', () =>
    expect(written3(folderOf(['a.jpg'], metadata))).toMatchObject({
      summary: { en: ['A book.'] },
      metadata: metadata.metadata,
      rights: 'http://creativecommons.org/publicdomain/mark/1.0/',
      requiredStatement: metadata.requiredStatement,
      homepage: [{ id: 'https://library.example/b', type: 'Text', label: { en: ['Catalog'] }, format: 'text/html' }],
      viewingDirection: 'right-to-left',
      behavior: ['unordered', 'paged'],
    }));

  it('stands in one of 2.1 in its words', () => {
    const document = written2(folderOf(['a.jpg'], metadata));
    expect(document).toMatchObject({
      description: { '@value': 'A book.', '@language': 'en' },
      metadata: [{ label: { '@value': 'Author', '@language': 'en' }, value: 'N. N.' }],
      license: 'http://creativecommons.org/publicdomain/mark/1.0/',
      attribution: { '@value': 'The library', '@language': 'en' },
      related: [{ '@id': 'https://library.example/b', format: 'text/html' }],
      viewingDirection: 'right-to-left',
      viewingHint: 'paged',
    });
    expect(document.sequences[0].viewingDirection).toBe('right-to-left');
  });

  it('stands at canvases where it is about single pages', () => {
    const folder = folderOf(['a.jpg', 'b.jpg', 'c.jpg'], {
      behavior: ['paged'],
      nonPaged: ['b.jpg'],
      facingPages: ['c.jpg'],
    });
    expect(written3(folder).items.map((canvas) => canvas.behavior)).toEqual([
      undefined,
      ['non-paged'],
      ['facing-pages'],
    ]);
    expect(written2(folder).sequences[0].canvases.map((canvas) => canvas.viewingHint)).toEqual([
      undefined,
      'non-paged',
      'facing-pages',
    ]);
  });

  it('makes images layers of one page, which are a choice on its canvas and no pages', () => {
    const folder = folderOf(['a.jpg', 'a-uv.jpg', 'b.jpg', 'a-ir.jpg', 'c-uv.jpg'], {
      layers: new Map([
        ['a.jpg', [{ file: 'a-uv.jpg' }, { file: 'a.jpg', label: { en: ['Visible'] } }, { file: 'a-ir.jpg' }]],
        // Its page is not among those that the caller may see.
        ['c.jpg', [{ file: 'c.jpg' }, { file: 'c-uv.jpg' }]],
      ]),
      structures: [{ label: { en: ['Herbs'] }, pages: ['a-ir.jpg', 'b.jpg'], structures: [] }],
    });
    // Whatever shape they have: most canvases have no choice.
    const anyOf = (version: 2 | 3) => {
      const addresses = presentationAddresses(`${origin}/presentation/${version}`, folder.path);
      return JSON.parse(
        JSON.stringify(wholeManifest(manifestOf(version, folder, addresses, imageServicesBelow(origin)))),
      );
    };
    const { items, structures } = anyOf(3);
    const valuesOf = (list: readonly Readonly<Record<string, unknown>>[], name: string) => list.map((one) => one[name]);
    expect(valuesOf(items, 'label')).toEqual([{ none: ['a'] }, { none: ['b'] }, { none: ['c-uv'] }]);
    const choice = items[0].items[0].items[0].body;
    expect(choice.type).toBe('Choice');
    expect(valuesOf(choice.items, 'label')).toEqual([{ none: ['a-uv'] }, { en: ['Visible'] }, { none: ['a-ir'] }]);
    expect(valuesOf(choice.items, 'id')).toEqual(
      ['a-uv', 'a', 'a-ir'].map((name) => `${origin}/iiif/3/books!${name}.jpg/full/max/0/default.jpg`),
    );
    expect(valuesOf(structures[0].items, 'id')).toEqual(valuesOf(items, 'id').slice(0, 2));
    const { resource } = anyOf(2).sequences[0].canvases[0].images[0];
    expect(resource['@type']).toBe('oa:Choice');
    expect(valuesOf([resource.default, ...resource.item], 'label')).toEqual([
      'a-uv',
      { '@value': 'Visible', '@language': 'en' },
      'a-ir',
    ]);
  });

  it('is left out where nothing is said', () =>
    expect(Object.keys(written3(folderOf(['a.jpg']))).sort()).toEqual([
      '@context',
      'id',
      'items',
      'label',
      'partOf',
      'thumbnail',
      'type',
    ]));
});

describe('thumbnails', () => {
  it.each([
    [
      { width: 3000, height: 2000 },
      { width: 375, height: 250 },
    ],
    [
      { width: 1000, height: 1414 },
      { width: 250, height: 354 },
    ],
    [
      { width: 400, height: 300 },
      { width: 400, height: 300 },
    ],
    [
      { width: 100, height: 80 },
      { width: 100, height: 80 },
    ],
    [
      { width: 65_000, height: 1 },
      { width: 254, height: 1 },
    ],
  ])('of %j have %j', (full, size) => expect(thumbnailSize(full)).toEqual(size));
});

describe('manifest-meta.json', () => {
  it('changes and adds members, but not what the document is', () => {
    const additions = JSON.parse(
      '{"label":"B","seeAlso":[1],"@context":0,"@type":0,"@id":0,"id":0,"type":0,"sequences":0,"items":0,"__proto__":{"x":1}}',
    );
    const merged = withAdditions({ '@context': 'c', id: 'i', type: 'Manifest', label: 'A', items: [] }, additions);
    expect(Object.keys(merged)[0]).toBe('@context');
    expect(merged).toMatchObject({ '@context': 'c', id: 'i', type: 'Manifest', label: 'B', items: [], seeAlso: [1] });
    expect(Object.keys(merged)).not.toContain('sequences');
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
  });
});
