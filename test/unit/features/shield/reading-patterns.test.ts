import { describe, expect, it, test } from 'vitest';
import {
  isReadingDocument,
  ReadingPatterns,
  viewerPictureOf,
} from '../../../../src/features/shield/reading-patterns.ts';

test.each([
  ['/iiif/3/herbal!page-001.jpg/info.json', true],
  ['/library/iiif/2/herbal!page-001.jpg/info.json?x=1', true],
  ['/presentation/3/herbal/manifest.json', true],
  ['/api/folder.json?fn=herbal', true],
  ['/api/search.json?q=rose', true],
  ['/api/dlInfo-json.jsp?fn=herbal', true],
  ['/view/herbal/page-001.jpg', true],
  ['/iiif/3/herbal!page-001.jpg/full/max/0/default.jpg', false],
  ['/iiif/3/info.json!x/full/max/0/default.jpg', false],
  ['/Scaler?fn=herbal&dw=500', false],
])('%s is a document of viewers: %s', (address, expected) => expect(isReadingDocument(address)).toBe(expected));

test.each([
  ['/iiif/3/herbal!page-001.jpg/0,0,512,512/512,512/0/default.jpg', true],
  ['/iiif/2/herbal!page-001.jpg/1024,0,1024,1024/512,/0/default.jpg', true],
  ['/iiif/3/a/full/!200,200/0/default.jpg', true],
  ['/iiif/3/a/full/90,/0/default.jpg', true],
  ['/iiif/3/a/full/500,375/0/default.jpg', true],
  ['/iiif/2/a/full/512,/0/default.jpg', true],
  ['/iiif/3/a/full/1000,750/0/default.jpg', true],
  ['/iiif/3/a/full/1000,/0/default.jpg', false],
  ['/iiif/3/a/full/!1000,1000/0/default.jpg', false],
  ['/iiif/3/a/full/max/0/default.jpg', false],
  ['/iiif/3/a/full/1200,/0/default.jpg', false],
  ['/iiif/3/a/full/1200,900/0/default.jpg', false],
  ['/iiif/3/a/0,0,9000,9000/4000,/0/default.jpg', false],
  ['/iiif/3/a/0,0,512,512/max/0/default.jpg', false],
  ['/Scaler?fn=a&dw=1000&dh=800&ww=0.5', true],
  ['/Scaler?fn=a&dw=5000', false],
  ['/Scaler?fn=a&mo=file', false],
  ['/pdf/herbal.pdf', false],
])('%s is a picture of viewers: %s', (address, expected) =>
  expect(viewerPictureOf(address) !== undefined).toBe(expected),
);

describe('a pattern of reading', () => {
  const tile = '/iiif/3/a/0,0,512,512/512,512/0/default.jpg';
  const info = '/iiif/3/a/info.json';
  const setup = () => {
    const clock = { nowMs: 0 };
    return { clock, patterns: new ReadingPatterns('!', () => clock.nowMs) };
  };

  it('is a document and tiles right after it', () => {
    const { clock, patterns } = setup();
    expect(patterns.isReading('anna', tile)).toBe(false);
    patterns.noteDocument('anna', info);
    expect(patterns.isReading('anna', tile)).toBe(true);
    expect(patterns.isReading('ben', tile)).toBe(false);
    expect(patterns.isReading('anna', '/iiif/3/a/full/max/0/default.jpg')).toBe(false);
    clock.nowMs = 31_000;
    expect(patterns.isReading('anna', tile)).toBe(false);
  });

  it('that was shown holds while the reader goes on', () => {
    const { clock, patterns } = setup();
    patterns.noteDocument('anna', info);
    for (let count = 0; count < 3; count++) patterns.isReading('anna', tile);
    for (const minutes of [59, 118, 177]) {
      clock.nowMs = minutes * 60_000;
      expect(patterns.isReading('anna', tile), `${minutes}`).toBe(true);
      patterns.noteDocument('anna', info);
    }
    clock.nowMs = (177 + 61) * 60_000;
    expect(patterns.isReading('anna', tile)).toBe(false);
  });

  it('that was shown holds for an image of before, whose document the browser has kept', () => {
    const { clock, patterns } = setup();
    patterns.noteDocument('anna', info);
    for (let count = 0; count < 3; count++) patterns.isReading('anna', tile);
    for (let page = 1; page <= 30; page++) patterns.noteDocument('anna', `/iiif/3/book!${page}.jpg/info.json`);
    clock.nowMs = 40 * 60_000;
    expect(patterns.isReading('anna', tile)).toBe(true);
  });

  it('that was shown allows small pictures of any image', () => {
    const { patterns } = setup();
    const small = '/iiif/3/atlas!2.jpg/full/200,/0/default.jpg';
    patterns.noteDocument('anna', info);
    expect(patterns.isReading('anna', small)).toBe(false);
    for (let count = 0; count < 3; count++) patterns.isReading('anna', tile);
    expect(patterns.isReading('anna', small)).toBe(true);
  });

  it('that was shown allows parts of its images that are no tiles', () => {
    const { patterns } = setup();
    const part = '/iiif/3/a/137,91,1500,1200/900,/0/default.jpg';
    patterns.noteDocument('anna', info);
    expect(patterns.isReading('anna', part)).toBe(false);
    for (let count = 0; count < 3; count++) patterns.isReading('anna', tile);
    expect(patterns.isReading('anna', part)).toBe(true);
    expect(patterns.isReading('anna', part.replace('/a/', '/b/'))).toBe(false);
  });

  it.each([
    ['0,0,512,512/512,512', 'tile'],
    ['1536,1024,512,512/512,', 'tile'],
    ['4096,0,2048,2048/,512', 'tile'],
    ['0,8192,8192,1811/512,114', 'tile'],
    ['0,8192,8192,1811/512,113', 'tile'],
    ['9216,0,775,1024/388,512', 'tile'],
    ['137,91,1500,1200/900,', 'part'],
    ['0,0,1500,1200/900,', 'part'],
    ['100,0,1024,1024/256,', 'tile'],
    ['102,0,1024,1024/256,', 'part'],
    ['0,0,256,256/512,', 'part'],
    ['0,0,0,0/0,', 'part'],
  ])('%s is a %s', (asked, kind) => {
    expect(viewerPictureOf(`/iiif/3/a/${asked}/0/default.jpg`)?.kind).toBe(kind);
  });

  it('is remembered of the latest clients alone', () => {
    const { patterns } = setup();
    for (let index = 0; index < 25_000; index++) patterns.noteDocument(`client ${index}`, info);
    expect(patterns.isReading('client 24999', tile)).toBe(true);
    expect(patterns.isReading('client 0', tile)).toBe(false);
  });

  const tileOf = (identifier: string) => tile.replace('/a/', `/${identifier}/`);
  it.each([
    ['/iiif/3/herbal!1.jpg/info.json', tileOf('herbal!1.jpg'), true],
    ['/iiif/3/herbal%2F1.jpg/info.json', tileOf('herbal!1.jpg'), true],
    ['/library/iiif/2/herbal/1.jpg/info.json', tileOf('herbal%2f1.jpg'), true],
    ['/iiif/3/herbal!1.jpg/info.json', tileOf('herbal!2.jpg'), false],
    ['/iiif/3/herbal!1.jpg/info.json', '/iiif/3/herbal!2.jpg/full/200,/0/default.jpg', true],
    ['/iiif/3/herbal!1.jpg/info.json', '/iiif/3/atlas!2.jpg/full/200,/0/default.jpg', false],
    ['/view/herbal/1.jpg', '/iiif/3/herbal!2.jpg/full/200,/0/default.jpg', true],
    ['/view/herbal/1.jpg', '/iiif/3/atlas!2.jpg/full/200,/0/default.jpg', false],
    ['/api/folder.json?fn=&lang=de', '/iiif/3/atlas!2.jpg/full/200,/0/default.jpg', true],
    ['/api/search.json?q=rose', '/iiif/3/atlas!2.jpg/full/200,/0/default.jpg', true],
    ['/api/search.json?q=rose', tileOf('atlas!2.jpg'), false],
    ['/presentation/3/collection.json', '/iiif/3/atlas!2.jpg/full/200,/0/default.jpg', true],
    ['/view/', '/iiif/3/atlas!2.jpg/full/200,/0/default.jpg', true],
    ['/iiif/3/herbal!1.jpg/info.json', '/iiif/3/herbal!1.jpg/full/500,375/0/default.jpg', true],
    ['/iiif/3/herbal!1.jpg/info.json', '/iiif/3/herbal!2.jpg/full/500,375/0/default.jpg', false],
    ['/presentation/3/herbal/manifest.json', tileOf('herbal!2.jpg'), true],
    ['/presentation/2/books/herbal/manifest.json', tileOf('books!herbal!2.jpg'), true],
    ['/presentation/3/books!herbal/manifest.json', tileOf('books!atlas!2.jpg'), false],
    ['/view/books/herbal/1.jpg', tileOf('books!herbal!2.jpg'), true],
    ['/view/books/herbal?page=2', tileOf('books!herbal!2.jpg'), true],
    ['/view/books', tileOf('books!herbal!2.jpg'), true],
    ['/view/', tileOf('books!herbal!2.jpg'), false],
    ['/api/folder.json?fn=b%C3%BCcher%2Fherbal', tileOf('b%C3%BCcher!herbal!2.jpg'), true],
    ['/api/folder.json', tileOf('books!herbal!2.jpg'), false],
    ['/api/dlInfo-json.jsp?fn=/books/herbal&pn=2', '/Scaler?fn=books/herbal&pn=2&dw=900&ww=0.5', true],
    ['/jquery/digilib.html?fn=books/herbal', '/Scaler?fn=books/atlas&pn=2&dw=900', false],
    ['/iiif/3/%E0%A4%A/info.json', tileOf('%E0%A4%A'), true],
    ['/iiif/3/herbal!1/info.json', '/iiif/3/herbal!2/full/200,/0/default.jpg', true],
    ['/iiif/3/!herbal!1.jpg!/info.json', tileOf('herbal!1.jpg'), true],
    ['/api/dlInfo-json.jsp?fn=herbal/what!.jpg', '/Scaler?fn=herbal/what!.jpg&dw=900&ww=0.5', true],
  ])('after %s is %s a reader’s: %s', (document, picture, expected) => {
    const { patterns } = setup();
    patterns.noteDocument('anna', document);
    expect(patterns.isReading('anna', picture)).toBe(expected);
  });

  it.each(['!', '+', '~~', '/'])('knows folders where %s stands for a slash', (slash) => {
    const patterns = new ReadingPatterns(slash, () => 0);
    patterns.noteDocument('anna', `/iiif/3/herbal${slash}1.jpg/info.json`);
    patterns.noteDocument('anna', '/presentation/3/books/atlas/manifest.json');
    const isReading = (identifier: string) => patterns.isReading('anna', tileOf(identifier.replaceAll('/', slash)));
    expect(['herbal/1.jpg', 'herbal/2.jpg', 'books/atlas/3.jpg'].map(isReading)).toEqual([true, false, true]);
  });

  it('is of the latest images alone that were asked about', () => {
    const { patterns } = setup();
    for (let page = 1; page <= 33; page++) patterns.noteDocument('anna', `/iiif/3/${page}.jpg/info.json`);
    expect([1, 2, 33].map((page) => patterns.isReading('anna', tileOf(`${page}.jpg`)))).toEqual([false, true, true]);
  });

  it('has pauses where somebody looks at what was asked for', () => {
    const { clock, patterns } = setup();
    patterns.noteDocument('anna', info);
    patterns.noteDocument('ben', info);
    for (; clock.nowMs < 300_000; clock.nowMs += 1000) {
      patterns.isReading('ben', tile);
      // A new view of a dozen tiles every ten seconds.
      if (clock.nowMs % 10_000 < 2000) for (let count = 0; count < 6; count++) patterns.isReading('anna', tile);
    }
    expect([patterns.isWithoutPause('anna'), patterns.isWithoutPause('ben')]).toEqual([false, true]);
    expect(patterns.isWithoutPause('chris')).toBe(false);
  });
});
