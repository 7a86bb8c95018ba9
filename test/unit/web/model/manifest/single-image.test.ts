/** An image alone: which documents are its `info.json`, and what is read of them. */
import { describe, expect, it } from 'vitest';
import { readManifest } from '../../../../../web/src/model/manifest/book.ts';
import { manifestOfImage } from '../../../../../web/src/model/manifest/single-image.ts';

const id = 'https://host.example/iiif/one%2Ftwo';
const size = { width: 1200, height: 900 };

describe('info.json', () => {
  it.each([
    [3, { id, type: 'ImageService3', protocol: 'http://iiif.io/api/image', profile: 'level2' }],
    [3, { '@context': 'http://iiif.io/api/image/3/context.json', id, type: 'ImageService3', profile: 'level0' }],
    [
      2,
      {
        '@context': 'http://iiif.io/api/image/2/context.json',
        '@id': id,
        protocol: 'http://iiif.io/api/image',
        profile: ['http://iiif.io/api/image/2/level1.json', {}],
      },
    ],
    [
      1,
      {
        '@context': 'http://library.stanford.edu/iiif/image-api/1.1/context.json',
        '@id': id,
        profile: 'http://library.stanford.edu/iiif/image-api/1.1/compliance.html#level1',
      },
    ],
  ])('of version %d is a book of one page', (version, info) => {
    const read = readManifest(manifestOfImage({ ...info, ...size }, `${id}/info.json`));
    const page = read.kind === 'book' ? read.book.pages[0] : undefined;
    expect(page?.image?.service).toMatchObject({ id, version });
    expect(page?.canvas).toEqual(size);
    expect(page?.label).toEqual({ none: ['one/two'] });
  });

  it('without an id has that of its address', () => {
    const info = { type: 'ImageService3', profile: 'level1', ...size };
    const read = readManifest(manifestOfImage(info, `${id}/info.json?version=2`));
    expect(read.kind === 'book' && read.book.pages[0]?.image?.service?.id).toBe(id);
  });

  it.each([
    { type: 'Manifest', items: [], ...size },
    { type: 'Canvas', ...size },
    { type: 'ImageService3', width: 'wide', height: 900 },
    { width: 3, height: 4 },
    'a text',
    null,
  ])('is not %j', (json) => expect(manifestOfImage(json, id)).toBeUndefined());
});
