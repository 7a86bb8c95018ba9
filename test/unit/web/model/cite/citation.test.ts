import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rotatedBounds } from '../../../../../src/core/image/model/geometry.ts';
import { parseQuery } from '../../../../../src/features/digilib/parameters.ts';
import { toImageRequest } from '../../../../../src/features/digilib/scaler-request.ts';
import { parseAddress } from '../../../../../src/features/iiif-image/image-address.ts';
import { parseImagePath } from '../../../../../src/features/iiif-image/image-path.ts';
import {
  bibtexText,
  type CitedPage,
  citationText,
  frameTag,
  imageTag,
  replaceAddress,
  risText,
  signatureIn,
} from '../../../../../web/src/model/cite/citation.ts';
import {
  iiifAddress,
  largestDownload,
  pixelsOfRegion,
  scalerQuery,
} from '../../../../../web/src/model/cite/picture-address.ts';
import { infoPath } from '../../../../../web/src/model/view/image-service.ts';
import { plainColor, plainView, type ViewState, wholeImage } from '../../../../../web/src/model/view-state.ts';
import { miradorSnippet } from '../../../../../web/src/ui/open-with/snippets.ts';

const image = { width: 4000, height: 3000 };
const noLimits = { maxArea: null, maxWidth: null, maxHeight: null };
const corner = { x: 0.25, y: 0.5, width: 0.5, height: 0.25 };
const leftRight = { horizontal: true, vertical: false };
const topBottom = { horizontal: false, vertical: true };
const both = { horizontal: true, vertical: true };

const view = (changes: Partial<ViewState> = {}): ViewState => ({ ...plainView('maps/a b.tif'), ...changes });

describe('the Scaler’s query', () => {
  const name = 'fn=maps/a%20b.tif';
  it.each<[string, ViewState, Parameters<typeof scalerQuery>[1], string]>([
    ['a size', view(), { width: 800, height: 600 }, `${name}&dw=800&dh=600`],
    ['one side, in whole pixels', view(), { width: 799.6 }, `${name}&dw=800`],
    ['the image’s own pixels', view(), {}, `${name}&mo=ascale`],
    ['a page', view({ pn: 3 }), { width: 8 }, `${name}&pn=3&dw=8`],
    ['a region', view({ region: corner }), { width: 8 }, `${name}&dw=8&wx=0.25&wy=0.5&ww=0.5&wh=0.25`],
    [
      'a region in pixels',
      view({ region: corner, mode: 'pixels' }),
      { width: 8 },
      `${name}&dw=8&wx=0.25&wy=0.5&ww=0.5&wh=0.25`,
    ],
    [
      'what lies on the image',
      view({ region: { x: -0.5, y: 0, width: 1, height: 2 } }),
      { width: 8 },
      `${name}&dw=8&ww=0.5`,
    ],
    [
      'turns and qualities',
      view({ rotation: 12.34567, mirror: both, quality: 3 }),
      { width: 8 },
      `${name}&dw=8&rot=12.3457&mo=hmir,vmir,q3`,
    ],
    [
      'harmless options alone',
      view({ options: ['rawfile', 'hires', 'pxarea', 'png'] }),
      { width: 8 },
      `${name}&dw=8&mo=hires,png`,
    ],
    [
      'the format that is asked for',
      view({ options: ['png', 'lores'] }),
      { width: 8, format: 'webp' },
      `${name}&dw=8&mo=lores,webp`,
    ],
    [
      'colors',
      view({ color: { ...plainColor, contrast: 1, operation: 'INVERT' } }),
      { width: 8 },
      `${name}&dw=8&cont=1&colop=INVERT`,
    ],
    [
      'no marks and nothing unknown',
      view({ marks: [{ x: 0, y: 0 }], unknown: [['a', 'b']] }),
      { width: 8 },
      `${name}&dw=8`,
    ],
  ])('contains %s', (_, state, size, query) => expect(scalerQuery(state, size)).toBe(query));

  it('is parsed by the Scaler', () => {
    const state = view({ region: corner, rotation: 90, mirror: leftRight, color: { ...plainColor, add: [1, 2, 3] } });
    const request = toImageRequest(parseQuery(scalerQuery(state, { width: 80, format: 'png' })));
    expect(request).toMatchObject({
      framing: { area: { unit: 'fraction', ...corner }, mode: { name: 'fit' }, destination: { width: 80, height: 0 } },
      mirror: leftRight,
      rotation: 90,
      format: 'png',
      color: { channels: { offsets: [1, 2, 3] } },
    });
  });
});

describe('the IIIF address', () => {
  const service = 'iiif/3/maps!a%20b.tif';
  it.each<[string, ViewState, string, readonly string[]]>([
    ['a whole image', view(), 'full/max/0/default.jpg', []],
    ['a region', view({ region: corner }), '1000,1500,2000,750/max/0/default.jpg', []],
    ['a rotation', view({ rotation: 359.99999 }), 'full/max/0/default.jpg', []],
    ['mirrored left to right', view({ mirror: leftRight, rotation: 10 }), 'full/max/!10/default.jpg', []],
    ['mirrored top to bottom', view({ mirror: topBottom, rotation: 10.5 }), 'full/max/!190.5/default.jpg', []],
    ['mirrored both ways', view({ mirror: both, rotation: 270 }), 'full/max/90/default.jpg', []],
    ['gray', view({ color: { ...plainColor, operation: 'GRAYSCALE' } }), 'full/max/0/gray.jpg', []],
    ['two-toned', view({ color: { ...plainColor, operation: 'BITONAL' } }), 'full/max/0/bitonal.jpg', []],
    ['inverted', view({ color: { ...plainColor, operation: 'INVERT' } }), 'full/max/0/default.jpg', ['color']],
    [
      'gray and brighter',
      view({ color: { ...plainColor, operation: 'GRAYSCALE', brightness: 5 } }),
      'full/max/0/default.jpg',
      ['color'],
    ],
    ['marked', view({ marks: [{ x: 0, y: 0 }] }), 'full/max/0/default.jpg', ['marks']],
    [
      'with rectangles, two pages',
      view({ rectangles: [corner], twoPages: true }),
      'full/max/0/default.jpg',
      ['marks', 'two-pages'],
    ],
  ])('of %s', (_, state, rest, unsupported) => {
    expect(iiifAddress(state, image, '!')).toEqual({ path: `${service}/${rest}`, unsupported });
  });

  it('is parsed by the image service', () => {
    const state = view({ region: corner, mirror: topBottom, rotation: 20 });
    const address = parseAddress(iiifAddress(state, image, '!').path.replace('iiif/3/', ''), false);
    expect(address).toMatchObject({ kind: 'image', identifiers: ['maps/a b.tif', 'maps!a b.tif'] });
    if (address?.kind === 'image') {
      expect(parseImagePath(address.path, 3)).toMatchObject({ mirror: leftRight, rotation: 200 });
    }
  });

  it.each([
    ['maps/a.tif', '!', 'iiif/3/maps!a.tif/info.json'],
    ['maps/who!.tif', '!', 'iiif/3/maps%2Fwho%21.tif/info.json'],
    ['maps/a.tif', '~', 'iiif/3/maps~a.tif/info.json'],
  ])('of %s with %s for slashes is %s', (fn, slash, path) => expect(infoPath(fn, slash)).toBe(path));
});

describe('the largest download', () => {
  it.each([
    ['everything', view(), noLimits, image],
    ['a region', view({ region: corner }), noLimits, { width: 2000, height: 750 }],
    ['as much as the area allows', view(), { ...noLimits, maxArea: 3_000_000 }, { width: 2000, height: 1500 }],
    ['as wide as it may be', view(), { ...noLimits, maxWidth: 1000 }, { width: 1000, height: 750 }],
    ['as high as it may be', view(), { ...noLimits, maxHeight: 300 }, { width: 400, height: 300 }],
    [
      'what stays within when it is turned',
      view({ rotation: 90 }),
      { ...noLimits, maxWidth: 1500, maxHeight: 9000 },
      { width: 1500, height: 1125 },
    ],
  ])('has %s', (_, state, limits, size) => expect(largestDownload(state, image, limits, 'jpg')).toEqual(size));

  it('is bounded by its format', () => {
    expect(largestDownload(view(), { width: 20_000, height: 100 }, noLimits, 'webp').width).toBe(16_383);
    expect(largestDownload(view(), { width: 20_000, height: 100 }, noLimits, 'png').width).toBe(20_000);
  });

  it('is never above the limits, at any rotation', () => {
    const numbers = (min: number, max: number) => fc.double({ min, max, noNaN: true });
    const regions = fc.record({
      x: numbers(0, 0.9),
      y: numbers(0, 0.9),
      width: numbers(0.01, 1),
      height: numbers(0.01, 1),
    });
    fc.assert(
      fc.property(regions, numbers(0, 359), fc.integer({ min: 100, max: 5000 }), (region, rotation, maxWidth) => {
        const limits = { maxArea: 1_000_000, maxWidth, maxHeight: maxWidth };
        const turned = rotatedBounds(largestDownload({ region, rotation }, image, limits, 'png'), rotation);
        expect(Math.max(turned.width, turned.height)).toBeLessThanOrEqual(maxWidth);
        expect(turned.width * turned.height).toBeLessThanOrEqual(limits.maxArea);
      }),
    );
  });

  it.each([
    [
      'what an address rounds',
      { x: 0.33333, y: 0, width: 0.66667, height: 1 },
      { x: 1333, y: 0, width: 2667, height: 3000 },
    ],
    [
      'at least a pixel',
      { x: 0.5, y: 0.5, width: 0.00001, height: 0.00001 },
      { x: 2000, y: 1500, width: 1, height: 1 },
    ],
    ['the whole where nothing is left', { x: 0.99999, y: 0, width: 0.00001, height: 1 }, { x: 0, y: 0, ...image }],
    ['the whole', wholeImage, { x: 0, y: 0, ...image }],
  ])('reads the pixels of %s', (_, region, pixels) => expect(pixelsOfRegion(region, image)).toEqual(pixels));
});

it('escapes characters that end an attribute', () => {
  expect(imageTag('Scaler?fn=a&dw=8', 'A "quoted" <leaf>')).toBe(
    '<img src="Scaler?fn=a&amp;dw=8" alt="A &quot;quoted&quot; &lt;leaf&gt;">',
  );
});

describe('a citation', () => {
  const parts = {
    title: 'Herbal',
    label: 'fol. 3r',
    address: 'https://library.example/view/a',
    accessed: 'accessed 3 May 2026',
  };
  it.each([
    [parts, 'Herbal, fol. 3r. https://library.example/view/a (accessed 3 May 2026)'],
    [{ ...parts, signature: 'MS 12' }, 'Herbal (MS 12), fol. 3r. https://library.example/view/a (accessed 3 May 2026)'],
    [
      { ...parts, accessed: 'abgerufen am 3. Mai 2026' },
      'Herbal, fol. 3r. https://library.example/view/a (abgerufen am 3. Mai 2026)',
    ],
    [
      { ...parts, holder: 'Museum of Example.', signature: 'MS 12', accessed: '' },
      'Museum of Example, Herbal (MS 12), fol. 3r. https://library.example/view/a',
    ],
    [
      { ...parts, holder: 'Museum of Example, MS 12', signature: 'MS 12', accessed: '' },
      'Museum of Example, MS 12, Herbal, fol. 3r. https://library.example/view/a',
    ],
    [{ ...parts, title: '', accessed: '' }, 'fol. 3r. https://library.example/view/a'],
    [{ ...parts, label: 'Who?', accessed: '' }, 'Herbal, Who? https://library.example/view/a'],
    [{ ...parts, title: '', label: '', accessed: '' }, 'https://library.example/view/a'],
  ])('%j', (given, text) => expect(citationText(given)).toBe(text));
});

it.each([
  ['Signatur', 'MS 12'],
  ['Shelfmark', 'MS 12'],
  ['shelf mark (old)', 'MS 12'],
  ['Call number', 'MS 12'],
  ['Signatory', ''],
  ['Author', ''],
])('the call number in metadata with the label “%s” is “%s”', (label, signature) =>
  expect(
    signatureIn([
      { label: 'Date', value: ['1890'] },
      { label, value: ['MS 12'] },
    ]),
  ).toBe(signature),
);

it('an edited citation keeps its text when the address changes', () => {
  const edited = { text: 'See a/b?x=1 (my words), a/b?x=1.', address: 'a/b?x=1' };
  expect(replaceAddress(edited, 'a/b?x=$&2')).toBe('See a/b?x=$&2 (my words), a/b?x=$&2.');
  expect(replaceAddress({ ...edited, text: 'My words' }, 'c')).toBe('My words');
});

it('escapes names, so that they can’t end the markup or the script around them', () => {
  const nasty = '"></script><b a="&';
  for (const text of [imageTag(nasty, nasty), frameTag(nasty, nasty)]) {
    expect(text).not.toContain('</script>');
    expect(text.match(/"/g)).toHaveLength(text.startsWith('<img') ? 4 : 10);
  }
  expect(miradorSnippet({ manifest: nasty, canvas: nasty }).match(/<\/script>/g)).toHaveLength(2);
});

const cited: CitedPage = {
  fields: {
    authors: ['Fuchs, Leonhart', 'Meyer, Albrecht'],
    date: 'Basel 1543',
    publisher: 'Isingrin & Co.',
    place: 'Basel',
    language: 'German',
    callNumber: 'Rar. 77',
    doi: '10.1/abc_d',
    isbn: '',
    itemType: 'book',
  },
  title: 'New Kreüterbuch\nmit 100% {Holzschnitten}',
  label: '17r',
  holder: 'A Library',
  rights: 'https://creativecommons.org/publicdomain/mark/1.0/',
  address: 'https://library.example/view/a_b?ww=0.5',
  accessed: '2026-05-03',
};

describe('a citation as RIS', () => {
  const lines = risText(cited).split('\r\n');

  it('begins with its type and ends with ER', () => {
    expect(lines[0]).toBe('TY  - BOOK');
    expect(lines.slice(-2)).toEqual(['ER  - ', '']);
  });

  it('has a line for each author, and no empty ones', () => {
    expect(lines.filter((line) => line.startsWith('AU'))).toEqual(['AU  - Fuchs, Leonhart', 'AU  - Meyer, Albrecht']);
    expect(lines.some((line) => line.startsWith('SN'))).toBe(false);
  });

  it('has every value in one line', () => {
    expect(lines).toContain('TI  - New Kreüterbuch mit 100% {Holzschnitten}');
    expect(lines).toEqual(expect.arrayContaining(['PY  - 1543', 'SP  - 17r', 'DO  - 10.1/abc_d', 'Y2  - 2026/05/03']));
    for (const line of lines.slice(0, -2)) expect(line).toMatch(/^[A-Z][A-Z0-9] {2}- \S/);
  });
});

describe('a citation as BibTeX', () => {
  const text = bibtexText(cited);

  it('has a key of author, year and title', () => expect(text).toMatch(/^@book\{fuchs1543new,\n/));

  it('escapes what TeX reads as commands, and leaves addresses as they are', () => {
    expect(text).toContain('  title = {New Kreüterbuch mit 100\\% \\{Holzschnitten\\}},');
    expect(text).toContain('  publisher = {Isingrin \\& Co.},');
    expect(text).toContain('  url = {https://library.example/view/a_b?ww=0.5},');
  });

  it('joins authors by “and”, and has balanced braces', () => {
    expect(text).toContain('  author = {Fuchs, Leonhart and Meyer, Albrecht},');
    const plain = text.replace(/\\[{}]/g, '');
    expect(plain.split('{').length).toBe(plain.split('}').length);
  });

  it('has a key also without author, date and Latin letters', () => {
    const bare = {
      ...cited,
      title: '新草本志',
      fields: { ...cited.fields, authors: [], date: '', itemType: 'map' as const },
    };
    expect(bibtexText(bare)).toMatch(/^@misc\{page,\n/);
  });
});
