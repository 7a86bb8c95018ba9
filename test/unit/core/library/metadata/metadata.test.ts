import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { FolderMetadata } from '../../../../../src/core/image/folder/folder-metadata.ts';
import { readCsv } from '../../../../../src/core/library/metadata/csv.ts';
import { itemsPerTurn } from '../../../../../src/core/library/metadata/page-entries.ts';
import { parseMetadata } from '../../../../../src/core/library/metadata/parse-metadata.ts';
import { readYaml } from '../../../../../src/core/library/metadata/yaml.ts';
import { runsOf } from '../../../../sweep.ts';

const images = Array.from({ length: 10 }, (_, index) => `page-${String(index + 1).padStart(3, '0')}.jpg`);
const files = (...numbers: readonly number[]) => numbers.map((number) => images[number - 1] ?? '');
const jsonFiles = new Set(['notes.json', 'page-001.jpg.annotations.json']);
const yaml = (text: string) => parseMetadata(readYaml, text, 'metadata.yaml', { images, jsonFiles });
const csv = (text: string) => parseMetadata(readCsv, text, 'metadata.csv', { images, jsonFiles });
const chapter = (label: string, pages: readonly string[], structures: FolderMetadata['structures'] = []) => ({
  label: { none: [label] },
  pages,
  structures,
});

type Row = readonly [text: string, metadata: FolderMetadata];

const labels = (entries: Readonly<Record<string, string>>) => ({
  pageLabels: new Map(Object.entries(entries).map(([file, label]) => [file, { none: [label] }])),
});

describe('metadata.yaml is parsed', () => {
  test.each<Row>([
    ['', {}],
    ['# nothing yet\n', {}],
    ['label:\nsummary: ~\nmetadata:\n', {}],
    ['label: Herbal', { label: { none: ['Herbal'] } }],
    ['\uFEFFLABEL: Herbal', { label: { none: ['Herbal'] } }],
    [
      'annotations: { 1: notes.json, page-003: [notes.json, page-001.jpg.annotations.json] }',
      {
        annotations: new Map([
          ['page-001.jpg', ['notes.json']],
          ['page-003.jpg', ['notes.json', 'page-001.jpg.annotations.json']],
        ]),
      },
    ],
    ['label: 1890', { label: { none: ['1890'] } }],
    ['label: { de: Kräuter, no: Urter }', { label: { de: ['Kräuter'], no: ['Urter'] } }],
    ['summary: [One., Two.]', { summary: { none: ['One.', 'Two.'] } }],
    ['metadata: { Date: 007 }', { metadata: [{ label: { none: ['Date'] }, value: { none: ['007'] } }] }],
    [
      'metadata:\n  - Author: { en: Unknown }\n  - { label: { de: Ort }, value: [Leipzig, Berlin] }',
      {
        metadata: [
          { label: { none: ['Author'] }, value: { en: ['Unknown'] } },
          { label: { de: ['Ort'] }, value: { none: ['Leipzig', 'Berlin'] } },
        ],
      },
    ],
    ['rights: http://rightsstatements.org/vocab/InC/1.0/', { rights: 'http://rightsstatements.org/vocab/InC/1.0/' }],
    [
      'requiredStatement: { label: Source, value: Museum }',
      { requiredStatement: { label: { none: ['Source'] }, value: { none: ['Museum'] } } },
    ],
    ['attribution: Museum', { requiredStatement: { label: { en: ['Attribution'] }, value: { none: ['Museum'] } } }],
    [
      'homepage: https://example.org/',
      { homepage: [{ id: 'https://example.org/', label: { none: ['https://example.org/'] }, format: 'text/html' }] },
    ],
    [
      'homepage: [{ url: https://a.example/b.pdf, label: { en: Catalog }, format: application/pdf }]',
      { homepage: [{ id: 'https://a.example/b.pdf', label: { en: ['Catalog'] }, format: 'application/pdf' }] },
    ],
    ['viewingDirection: right-to-left', { viewingDirection: 'right-to-left' }],
    ['behavior: [paged, no-auto-advance]', { behavior: ['paged', 'no-auto-advance'] }],
    ['non-paged: [page-003, 7-8]', { nonPaged: files(3, 7, 8) }],
    ['facing-pages: page-005..page-006\nnon-paged: 2', { facingPages: files(5, 6), nonPaged: files(2) }],
    [
      'layers: { page-003: [page-005, { page-003: Visible }], 1: 2 }',
      {
        layers: new Map([
          ['page-003.jpg', [{ file: 'page-005.jpg' }, { file: 'page-003.jpg', label: { none: ['Visible'] } }]],
          ['page-001.jpg', [{ file: 'page-001.jpg' }, { file: 'page-002.jpg' }]],
        ]),
      },
    ],
    ['pages: [page-003, page-001.jpg, 2]', { pageOrder: files(3, 1, 2) }],
    ['pages: [page-003.tif]', { pageOrder: files(3) }],
    ['pages: [page-008..page-010, 1-2]', { pageOrder: files(8, 9, 10, 1, 2) }],
    [
      'pages: [{ file: 2, label: Cover }, page-001: 1r]',
      { pageOrder: files(2, 1), ...labels({ 'page-002.jpg': 'Cover', 'page-001.jpg': '1r' }) },
    ],
    ['pages: { page-002: Cover }', labels({ 'page-002.jpg': 'Cover' })],
    [
      'contents: [{ label: A, pages: 1-2, region: "pct:50,0,50,100" }]',
      { structures: [{ ...chapter('A', files(1, 2)), region: { x: 50, y: 0, width: 50, height: 100 } }] },
    ],
    ['contents: [{ label: A, pages: 1-2 }]', { structures: [chapter('A', files(1, 2))] }],
    [
      'structures:\n  - label: A\n    contents:\n      - { label: B, pages: [1, page-003..page-004, "6, 8–9"] }',
      { structures: [chapter('A', [], [chapter('B', files(1, 3, 4, 6, 8, 9))])] },
    ],
    ['label: &name Herbal\nsummary: *name', { label: { none: ['Herbal'] }, summary: { none: ['Herbal'] } }],
  ])('%j', async (text, metadata) => expect(await yaml(text)).toEqual({ metadata, faults: [] }));
});

describe('metadata.csv is parsed', () => {
  test.each<Row>([
    ['', {}],
    ['key,value\nlabel,\n', {}],
    ['label,Herbal', { label: { none: ['Herbal'] } }],
    ['\uFEFFkey;value\r\nLabel;"A; B, ""C"""\r\n', { label: { none: ['A; B, "C"'] } }],
    ['label,"Two\r\nlines"', { label: { none: ['Two\nlines'] } }],
    ['label@de,Kräuter\nlabel,Herbs', { label: { de: ['Kräuter'], none: ['Herbs'] } }],
    ['summary,One.\nsummary,Two.', { summary: { none: ['One.', 'Two.'] } }],
    [
      'Author,A\nPlace@de,Köln\nAuthor,B',
      {
        metadata: [
          { label: { none: ['Author'] }, value: { none: ['A', 'B'] } },
          { label: { none: ['Place'] }, value: { de: ['Köln'] } },
        ],
      },
    ],
    ['metadata.Rights,free', { metadata: [{ label: { none: ['Rights'] }, value: { none: ['free'] } }] }],
    [
      'requiredStatement.label,Source\nrequiredStatement,Museum',
      { requiredStatement: { label: { none: ['Source'] }, value: { none: ['Museum'] } } },
    ],
    [
      'homepage,https://example.org/\nhomepage.label@en,Catalog',
      { homepage: [{ id: 'https://example.org/', label: { en: ['Catalog'] }, format: 'text/html' }] },
    ],
    ['behavior,paged\nbehavior,repeat', { behavior: ['paged', 'repeat'] }],
    ['non-paged,"3, 7-8"\nfacing-pages,5\nfacing-pages,6', { nonPaged: files(3, 7, 8), facingPages: files(5, 6) }],
    ['file\npage-002\npage-001', { pageOrder: files(2, 1) }],
    ['label,file,notes\nCover,page-002,stained', { pageOrder: files(2), ...labels({ 'page-002.jpg': 'Cover' }) }],
    [
      'label\tHerbal\n\nfile\tlabel@de\tchapter\n1\tEinband\tA\n2\t\tA > B\n3\t\tA',
      {
        label: { none: ['Herbal'] },
        pageOrder: files(1, 2, 3),
        pageLabels: new Map([['page-001.jpg', { de: ['Einband'] }]]),
        structures: [chapter('A', files(1, 3), [chapter('B', files(2))])],
      },
    ],
  ])('%j', async (text, metadata) => expect(await csv(text)).toEqual({ metadata, faults: [] }));
});

type Fault = readonly [text: string, fault: string];
const faultLines = ({ faults }: Awaited<ReturnType<typeof yaml>>) =>
  faults.map(({ line, message }) => `${line}: ${message}`);

describe('a fault in metadata.yaml is reported with its line', () => {
  test.each<Fault>([
    ['label: a\nlable: b', '2: “lable” is no key that is known here; did you mean “label”?'],
    ['label: a\n\nlabel: b', '3: “label” is given a second time; what line 1 says counts.'],
    ['annotations: notes.json', '1: “annotations” holds pairs such as page-003: notes.json; this is a text.'],
    ['annotations:\n  1: other.json', '2: There is no file “other.json” in this folder whose name ends with .json.'],
    ['annotations:\n  99: notes.json', '2: There is no page 99; the folder’s images count from 1 to 10.'],
    ['label: [a, { b: c }]', '1: “label” must be a text or a list of texts; this is a map of keys.'],
    [
      'label:\n  en: a\n  German: b',
      '3: “German” is not a language; write “label” as a text, or by languages such as en, de.',
    ],
    [
      'rights: CC BY',
      '1: “rights” must be a web address such as https://creativecommons.org/licenses/by/4.0/, not “CC BY”.',
    ],
    ['rights: [a]', '1: “rights” must be one text, not a list.'],
    ['homepage: { label: x }', '1: This homepage has no url, and is left out.'],
    [
      'homepage: javascript:alert(1)',
      '1: “homepage” must be a web address such as https://example.org/herbal, not “javascript:alert(1)”.',
    ],
    [
      'attribution: a\nrequiredStatement: { label: b, value: c }',
      '2: What “requiredStatement” says is said above by another key, which counts.',
    ],
    ['requiredStatement:\n  label: a', '2: “requiredStatement” has no value, and is left out.'],
    ['metadata:\n  - text', '2: “metadata” holds pairs such as Author: Goethe; this is a text.'],
    [
      'viewingDirection: left',
      '1: “left” is no viewing direction; it may be left-to-right, right-to-left, top-to-bottom or bottom-to-top.',
    ],
    ['behavior:\n  - paged\n  - pagde', '3: “pagde” is no behavior; did you mean “paged”?'],
    ['behavior: [paged, continuous]', '1: The behavior “continuous” can’t go with “paged”, which counts.'],
    [
      'behavior: [paged, non-paged]',
      '1: “non-paged” is no behavior of a folder; name the pages that it applies to, such as non-paged: 3-7.',
    ],
    ['non-paged: page-100', '1: There is no image “page-100” in this folder.'],
    ['pages:\n  - page-001\n  - page-100', '3: There is no image “page-100” in this folder.'],
    ['pages: [PAGE-001]', '1: There is no image “PAGE-001” in this folder; did you mean “page-001.jpg”?'],
    ['pages: [11]', '1: There is no page 11; the folder’s images count from 1 to 10.'],
    ['pages: [5-3]', '1: The range “5-3” runs backward.'],
    ['pages:\n  - 1-3\n  - page-002', '3: The page “page-002.jpg” is listed a second time; its first place counts.'],
    ['pages:\n  - label: x', '2: This page has no file; write file: and the file’s name.'],
    ['contents:\n  - pages: 1', '2: This chapter has no label, and is left out; write label: and its title.'],
    [
      'contents:\n  - label: A\n    pages: 1\n    region: pct:60,0,50,100',
      '4: The region of a chapter is a part of its first page, such as pct:0,50,100,50.',
    ],
    ['contents:\n  - label: A', '2: This chapter has neither pages nor contents, and is left out.'],
    [
      'just a text',
      '1: The file must consist of keys with values, such as label: Herbal; this is the text “just a text”.',
    ],
    ['label: a\n---\nlabel: b', '2: A line --- begins a second document; only the first one counts.'],
    ['label: a\nsummary: *b', '2: There is no anchor “&b” above; a text that begins with * needs quotes.'],
    ['label: &a [*a]', '1: The alias “*a” leads to itself, or through too many others.'],
    [
      'label: a\nsummary: b\uFFFD',
      '2: This line has characters that are not UTF-8; save the file with the encoding UTF-8.',
    ],
    [`label: a\nsummary: ${'['.repeat(200)}`, '2: More than 100 levels are nested here.'],
    [' '.repeat(5 * 1024 * 1024 + 1), '0: The file is longer than 5 MiB, and is not read.'],
  ])('%.60j', async (text, fault) => expect(faultLines(await yaml(text))).toContain(fault));

  test.each<Fault>([
    [
      'rights: https://a.example/\nlabel: Faust: a tragedy\nbehavior: paged',
      '2: This line has one colon too many, or the next is indented too far; a text with “: ” in it needs quotes.',
    ],
    ['rights: https://a.example/\nlabel: "a\nbehavior: paged\n', '2: The quote that opens here is never closed.'],
    [
      'rights: https://a.example/\nlabel a\nbehavior: paged',
      '2: This line has no key; a key is followed by a colon and a space.',
    ],
    ['rights: https://a.example/\n\tlabel: a\nbehavior: paged', '2: This line is indented with a tab; use spaces.'],
    [
      'rights: https://a.example/\nbehavior: paged\nlabel: [a\n\n',
      '3: A bracket or brace that opens before is not closed here.',
    ],
    ['rights: https://a.example/\nlabel: @a\nbehavior: paged', '2: A text that begins with @ or ` needs quotes.'],
  ])('and the lines around it are used: %j', async (text, fault) => {
    const read = await yaml(text);
    expect(faultLines(read)).toEqual([fault]);
    expect(read.metadata).toMatchObject({ rights: 'https://a.example/', behavior: ['paged'] });
  });
});

describe('a fault in metadata.csv is reported with its line', () => {
  test.each<Fault>([
    [
      'label,a\nsummary,Hello, world',
      '2: This row has more than a key and a value; a value with the separator in it needs quotes.',
    ],
    ['label,a\n,b', '2: This row has no key before “b”.'],
    [
      'label,"a\nb"\nrights,free',
      '3: “rights” must be a web address such as https://creativecommons.org/licenses/by/4.0/, not “free”.',
    ],
    ['label@deutsch,a', '1: “deutsch” is not a language; write “label” as a text, or by languages such as en, de.'],
    [
      'pages,1-3',
      '1: “pages” can’t be given in a row; write a table of pages, with the columns file, label and chapter.',
    ],
    ['label,"a\nsummary,b', '1: A quote that opens in this row is never closed; the row is left out.'],
    [
      'label,"a\nb","c\nrights,free',
      '3: “rights” must be a web address such as https://creativecommons.org/licenses/by/4.0/, not “free”.',
    ],
    ['label,"a"b', '1: After a closing quote, only a separator may follow.'],
    ['file,lable\n1,a', '1: The column “lable” is not used; did you mean “label”?'],
    ['file,label\n1,a\n11,b', '3: There is no page 11; the folder’s images count from 1 to 10.'],
    ['file,label\n1,a,b', '2: This row has more cells than there are columns: “b”.'],
    ['file,label\n,a', '2: This row has no file, and is left out.'],
    ['file\n1\n1', '3: The page “page-001.jpg” is listed a second time; its first place counts.'],
  ])('%j', async (text, fault) => expect(faultLines(await csv(text))).toContain(fault));

  it('and the rows around a malformed one are used', async () => {
    const { metadata } = await csv('rights,https://a.example/\nlabel,"a\nbehavior,paged');
    expect(metadata).toEqual({ rights: 'https://a.example/', behavior: ['paged'] });
  });
});

describe('a metadata.csv of many rows', () => {
  const rows = 60_000;
  const manyImages = Array.from({ length: rows }, (_, index) => `page-${100_000 + index}.jpg`);
  const tableOf = (row: (index: number) => string) =>
    `file,label,label@de,chapter\n${manyImages.map((_, at) => row(at)).join('')}`;

  it.each([
    ['pages', tableOf((at) => `page-${100_000 + at},${at} recto,Blatt ${at},Part ${at % 50} > Section ${at % 1000}\n`)],
    ['pages that are missing', tableOf((at) => `none-${at},x,y,z\n`)],
    ['pairs', Array.from({ length: rows }, (_, at) => `Key ${at},Value ${at}\n`).join('')],
    ['nothing', '\n'.repeat(rows)],
  ])('of %s leaves other requests a turn after each few hundred', async (_, text) => {
    let [turns, isReading] = [0, true];
    const reading = parseMetadata(readCsv, text, 'metadata.csv', { images: manyImages, jsonFiles }).finally(() => {
      isReading = false;
    });
    for (; isReading; turns++) await nextTurn();
    const { metadata, faults } = await reading;
    // The names of images, with and without extension, and the rows.
    expect(turns).toBeGreaterThanOrEqual((3 * rows) / itemsPerTurn);
    expect(faults.length).toBe(text.includes('none-') || text.includes('Key') ? 101 : 0);
    if (text.includes('recto')) expect([metadata.pageOrder, metadata.structures?.length]).toEqual([manyImages, 50]);
    if (text.includes('Key')) expect(metadata.metadata).toHaveLength(5000);
  });

  it('is read up to 250,000 rows', async () => {
    const { metadata, faults } = await csv(Array.from({ length: 250_002 }, (_, at) => `${at % 5000},v\n`).join(''));
    expect(metadata.metadata).toHaveLength(5000);
    expect(faults).toMatchObject([{ line: 250_001, message: expect.stringContaining('more than 250000 rows') }]);
  });
});

describe('what one metadata file says has bounds', () => {
  it.each([
    ['a row of many cells', `file${',label@de'.repeat(2000)}\n1,a\n`, 'more than 1000 cells'],
    ['a long cell in quotes', `label,"${'x ""y"" '.repeat(50_000)}"\n`, 'has more than 262144 characters'],
    ['a long value', `label,${'word '.repeat(5000)}\n`, 'more than 20000 characters, and is cut'],
    ['many values of one key', 'Subject,a\n'.repeat(5001), 'more than 5000 keys, or values of one key'],
  ])('%s', async (_, text, fault) =>
    expect((await csv(text)).faults.map(({ message }) => message).join()).toContain(fault),
  );

  it('many chapters', async () => {
    const images = Array.from({ length: 10_001 }, (_, at) => `${at + 1}.jpg`);
    const text = `file,chapter\n${images.map((name) => `${name},c${name}\n`).join('')}`;
    const { metadata, faults } = await parseMetadata(readCsv, text, 'metadata.csv', { images, jsonFiles });
    expect(metadata.structures).toHaveLength(10_000);
    expect(faults.map(({ message }) => message)).toEqual([expect.stringContaining('more than 10000 chapters')]);
  });
});

describe('no text makes parsing fail', () => {
  const examples = [
    'label: { en: a }\nsummary: |\n  b\nmetadata:\n  - A: b\npages:\n  - 1-3\n  - { file: 4, label: x }\ncontents:\n  - label: A\n    pages: [5, 6]\n',
    'key,value\nlabel@de,"a ""b"""\nhomepage,https://example.org\n\nfile;label,chapter\npage-001,x,A > B\n',
  ];
  const mark = fc.constantFrom(
    ...'[]{}:,-&*!|>\'"%@`#?~;\n\t .<0a'.split(''),
    '---\n',
    '&a ',
    '*a ',
    '..',
    '\uFFFD',
    '\0',
    '__proto__',
  );
  const mutated = fc
    .tuple(fc.constantFrom(...examples), fc.array(fc.tuple(fc.nat(300), fc.nat(8), mark), { maxLength: 6 }))
    .map(([text, edits]) => edits.reduce((all, [at, cut, put]) => all.slice(0, at) + put + all.slice(at + cut), text));
  const texts = fc.oneof(
    mutated,
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.array(mark, { maxLength: 80 }).map((marks) => marks.join('')),
  );

  it.each([yaml, csv])('%o', { tags: 'sampled' }, async (parse) => {
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const { metadata, faults } = await parse(text);
        const lines = text.split(/\r\n|\r|\n/).length;
        for (const { line, message } of faults) {
          expect(line).toBeGreaterThanOrEqual(0);
          expect(line).toBeLessThanOrEqual(lines);
          expect(message).toMatch(/^[^\x00-\x1f]+[.?]$/);
        }
        for (const file of metadata.pageOrder ?? []) expect(images).toContain(file);
      }),
      { numRuns: runsOf(1500) },
    );
  });

  it.each([
    ['brackets', '['.repeat(100_000)],
    ['dashes', '- '.repeat(100_000)],
    [
      'aliases',
      `a: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefgh'].map((one, i) => `${one}: &${one} [${`*${'abcdefg'[i]},`.repeat(9)}]`).join('\n')}\nlabel: [*h]`,
    ],
    ['long ranges', `contents:\n${'  - {label: a, pages: 1-10}\n'.repeat(5000)}`],
    ['quotes', '"\n'.repeat(50_001)],
    ['unknown keys', 'abcdef: x\n'.repeat(20_000)],
    ['chapters', `file,chapter\n1,${'a>'.repeat(100_000)}`],
  ])('nor does a bomb of %s', async (_, text) => {
    expect((await yaml(text)).faults.length).toBeLessThanOrEqual(101);
    expect((await csv(text)).faults.length).toBeLessThanOrEqual(101);
  });
});
