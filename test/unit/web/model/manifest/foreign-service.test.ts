/** Which addresses the settings allow: as browsers decide by the Content-Security-Policy. */
import { describe, expect, it } from 'vitest';
import { isAllowed, readInfo } from '../../../../../web/src/model/manifest/foreign-service.ts';

const page = 'https://lectern.example/view';

it.each([
  ['https://iiif.example/m.json', [], false],
  ['https://lectern.example/presentation/3/manifest.json', [], true],
  ['https://iiif.example/m.json', ['*'], true],
  ['javascript:alert(1)', ['*'], false],
  ['data:application/json,{}', ['*'], false],
  ['https://iiif.example/m.json', ['https:'], true],
  ['http://iiif.example/m.json', ['https:'], false],
  ['https://iiif.example/m.json', ['https://iiif.example'], true],
  ['https://iiif.example/m.json', ['http://iiif.example'], true],
  ['http://iiif.example/m.json', ['https://iiif.example'], false],
  ['https://iiif.example/m.json', ['iiif.example'], true],
  ['https://a.iiif.example/m.json', ['iiif.example'], false],
  ['https://a.iiif.example/m.json', ['*.iiif.example'], true],
  ['https://iiif.example/m.json', ['*.iiif.example'], false],
  ['https://evil-iiif.example/m.json', ['*.iiif.example'], false],
  ['https://iiif.example:8443/m.json', ['iiif.example'], false],
  ['https://iiif.example:8443/m.json', ['iiif.example:8443'], true],
  ['https://iiif.example:8443/m.json', ['iiif.example:*'], true],
  ['https://iiif.example@evil.example/m.json', ['iiif.example'], false],
  ['no address', ['*'], false],
])('%s with %j: %s', (address, sources, allowed) => {
  expect(isAllowed(address, sources, page)).toBe(allowed);
});

const id = 'https://images.example/one';
const size = { width: 1200, height: 900 };

describe('info.json', () => {
  it.each([
    [3, { '@context': 'http://iiif.io/api/image/3/context.json', type: 'ImageService3', profile: 'level1', ...size }],
    [
      2,
      {
        '@context': 'http://iiif.io/api/image/2/context.json',
        profile: ['http://iiif.io/api/image/2/level1.json'],
        ...size,
      },
    ],
    [
      1,
      {
        '@context': 'http://library.stanford.edu/iiif/image-api/1.1/context.json',
        profile: 'http://library.stanford.edu/iiif/image-api/1.1/compliance.html#level1',
        ...size,
      },
    ],
  ])('of version %i is read under the address at which it was found', (version, json) => {
    const info = readInfo({ ...json, id: 'http://behind.proxy/one', '@id': 'http://behind.proxy/one' }, id);
    expect(info?.['@context']).toContain(version === 1 ? 'image-api/1.1' : `/image/${version}/`);
    expect([info?.id, info?.['@id'], info?.width, info?.height]).toEqual([id, id, 1200, 900]);
  });

  it('of level 0 needs tiles or sizes that stand ready', () => {
    const json = { '@context': 'http://iiif.io/api/image/3/context.json', profile: 'level0', ...size };
    expect(readInfo(json, id)).toBeUndefined();
    expect(readInfo({ ...json, tiles: [{ width: 256, scaleFactors: [1, 2] }] }, id)?.tiles).toEqual([
      { width: 256, scaleFactors: [1, 2] },
    ]);
    expect(readInfo({ ...json, sizes: [{ width: 150, height: 113 }] }, id)?.sizes).toEqual([
      { width: 150, height: 113 },
    ]);
  });

  it.each([
    ['no size', { profile: 'level2' }],
    ['an infinite size', { width: 1e308, height: 10, profile: 'level2' }],
    ['a text', 'info'],
    ['nothing', undefined],
  ])('with %s is none', (_name, json) => {
    expect(readInfo(json, id)).toBeUndefined();
  });

  it('passes on no member that could replace code, and no tile that would cause countless requests', () => {
    const hostile = JSON.parse(
      `{"width":1200,"height":900,"profile":"level2","getTileUrl":"x","maxLevel":1e9,"__proto__":{"a":1},"tiles":[{"width":1,"scaleFactors":[1]},{"width":256,"scaleFactors":["x",-1,1e300,2]},null]}`,
    );
    const info = readInfo({ '@context': 'http://iiif.io/api/image/2/context.json', ...hostile }, id);
    expect(Object.keys(info ?? {}).sort()).toEqual([
      '@context',
      '@id',
      'height',
      'id',
      'profile',
      'protocol',
      'tiles',
      'width',
    ]);
    expect(info?.tiles).toEqual([{ width: 256, scaleFactors: [2] }]);
  });
});
