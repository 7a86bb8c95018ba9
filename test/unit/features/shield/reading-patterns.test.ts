import { describe, expect, it, test } from 'vitest';
import {
  isReadingDocument,
  isViewerPicture,
  ReadingPatterns,
} from '../../../../src/features/shield/reading-patterns.ts';

test.each([
  ['/iiif/3/herbal!page-001.jpg/info.json', true],
  ['/library/iiif/2/herbal!page-001.jpg/info.json?x=1', true],
  ['/presentation/3/herbal/manifest.json', true],
  ['/api/folder.json?fn=herbal', true],
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
  ['/iiif/3/a/full/max/0/default.jpg', false],
  ['/iiif/3/a/full/1200,/0/default.jpg', false],
  ['/iiif/3/a/0,0,9000,9000/4000,/0/default.jpg', false],
  ['/iiif/3/a/0,0,512,512/max/0/default.jpg', false],
  ['/Scaler?fn=a&dw=1000&dh=800&ww=0.5', true],
  ['/Scaler?fn=a&dw=5000', false],
  ['/Scaler?fn=a&mo=file', false],
  ['/pdf/herbal.pdf', false],
])('%s is a picture of viewers: %s', (address, expected) => expect(isViewerPicture(address)).toBe(expected));

describe('a pattern of reading', () => {
  const tile = '/iiif/3/a/0,0,512,512/512,512/0/default.jpg';
  const setup = () => {
    const clock = { nowMs: 0 };
    return { clock, patterns: new ReadingPatterns(() => clock.nowMs) };
  };

  it('is a document and tiles right after it', () => {
    const { clock, patterns } = setup();
    expect(patterns.isReading('anna', tile)).toBe(false);
    patterns.noteDocument('anna');
    expect(patterns.isReading('anna', tile)).toBe(true);
    expect(patterns.isReading('ben', tile)).toBe(false);
    expect(patterns.isReading('anna', '/iiif/3/a/full/max/0/default.jpg')).toBe(false);
    clock.nowMs = 31_000;
    expect(patterns.isReading('anna', tile)).toBe(false);
  });

  it('that was shown holds while the reader goes on', () => {
    const { clock, patterns } = setup();
    patterns.noteDocument('anna');
    for (let count = 0; count < 3; count++) patterns.isReading('anna', tile);
    for (const minutes of [9, 18, 27]) {
      clock.nowMs = minutes * 60_000;
      expect(patterns.isReading('anna', tile), `${minutes}`).toBe(true);
      patterns.noteDocument('anna');
    }
    clock.nowMs = 38 * 60_000;
    expect(patterns.isReading('anna', tile)).toBe(false);
  });

  it('is remembered of the latest clients alone', () => {
    const { patterns } = setup();
    for (let index = 0; index < 25_000; index++) patterns.noteDocument(`client ${index}`);
    expect(patterns.isReading('client 24999', tile)).toBe(true);
    expect(patterns.isReading('client 0', tile)).toBe(false);
  });
});
