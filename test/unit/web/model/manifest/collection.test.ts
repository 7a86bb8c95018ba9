/** Collections of both versions: what they say of themselves, their members, their parts, and pictures for their cards. */
import { describe, expect, it } from 'vitest';
import {
  byDate,
  collectionInside,
  isCollection,
  listingOfCollection,
  memberPath,
  readCollection,
  readPart,
} from '../../../../../web/src/model/manifest/collection.ts';
import { thumbnailPictures } from '../../../../../web/src/model/manifest/foreign-service.ts';

const url = 'https://other.example';
const box = { width: 272, height: 208 };

const service2 = (level: 0 | 1 | 2, more: object = {}): object => ({
  '@context': 'http://iiif.io/api/image/2/context.json',
  '@id': `${url}/iiif/2/a`,
  profile: `http://iiif.io/api/image/2/level${level}.json`,
  ...more,
});

const service3 = (level: 0 | 1 | 2, more: object = {}): object => ({
  id: `${url}/iiif/3/a`,
  type: 'ImageService3',
  profile: `level${level}`,
  ...more,
});

const options = {
  address: `${url}/c.json`,
  languages: ['de'],
  words: { attribution: 'Attribution', provider: 'Anbieter', date: 'Datum' },
};

describe('a collection of version 3', () => {
  const json = {
    '@context': 'http://iiif.io/api/presentation/3/context.json',
    id: `${url}/c.json`,
    type: 'Collection',
    label: { en: ['Maps'], de: ['Karten <b>alt</b>'] },
    summary: { en: ['Old <i>maps</i>'] },
    requiredStatement: { label: { en: ['Held by'] }, value: { en: ['A library'] } },
    metadata: [{ label: { en: ['Extent'] }, value: { en: ['12'] } }],
    rights: 'http://creativecommons.org/licenses/by/4.0/',
    provider: [
      { id: `${url}/agent`, label: { en: ['The provider'] }, logo: [{ id: `${url}/logo.png`, type: 'Image' }] },
    ],
    thumbnail: [{ id: `${url}/t.jpg`, type: 'Image' }],
    partOf: [
      { id: `${url}/all.json`, type: 'Collection', label: { en: ['All'] } },
      { id: `${url}/nameless.json`, type: 'Collection' },
      { id: 'javascript:1', type: 'Collection', label: { en: ['Bad'] } },
    ],
    items: [
      {
        id: `${url}/a`,
        type: 'Manifest',
        label: { en: ['A'] },
        summary: { en: ['The first'] },
        navDate: '1893-05-01T00:00:00Z',
        thumbnail: [{ id: `${url}/a.jpg`, type: 'Image', width: 90, height: 120, service: [service3(2)] }],
        navPlace: {
          type: 'FeatureCollection',
          features: [{ type: 'Feature', geometry: { type: 'Point', coordinates: [12.5, 41.9] } }],
        },
      },
      { id: 'javascript:1', type: 'Manifest', label: { en: ['Bad'] } },
      { id: `${url}/b`, type: 'Collection', label: { en: ['B'] } },
    ],
  };

  it('has members with their kinds, texts, dates, places and thumbnails, and none with other addresses', () => {
    const { part } = readCollection(json);
    expect(part.next).toBeUndefined();
    expect(part.members.map(({ address, kind, date, inside }) => [address, kind, date, inside])).toEqual([
      [`${url}/a`, 'book', '1893-05-01', 0],
      [`${url}/b`, 'collection', undefined, 0],
    ]);
    const [first] = part.members;
    expect(first?.label).toEqual({ en: ['A'] });
    expect(first?.summary).toEqual({ en: ['The first'] });
    expect(first?.places).toEqual([{ label: {}, latitude: 41.9, longitude: 12.5 }]);
    expect(first?.thumbnail).toMatchObject({ address: `${url}/a.jpg`, size: { width: 90, height: 120 } });
  });

  it('says of itself what folders do, in the language of the reader and without markup', () => {
    const collection = readCollection(json);
    const { title, summary, metadata, attribution, rights, totalImages } = listingOfCollection(
      collection,
      '//p',
      options,
    );
    expect({ title, summary, metadata, attribution, rights, totalImages }).toEqual({
      title: 'Karten alt',
      summary: ['Old maps'],
      metadata: [
        { label: 'Extent', value: ['12'] },
        { label: 'Held by', value: ['A library'] },
        { label: 'Anbieter', value: ['The provider'] },
      ],
      attribution: ['A library'],
      rights: 'http://creativecommons.org/licenses/by/4.0/',
      totalImages: 0,
    });
    expect(collection.logo?.address).toBe(`${url}/logo.png`);
    expect(collection.thumbnail?.address).toBe(`${url}/t.jpg`);
    expect(collection.around).toEqual([{ address: `${url}/all.json`, label: { en: ['All'] } }]);
  });

  it('without a label has its address as its title', () => {
    expect(listingOfCollection(readCollection({ type: 'Collection' }), '//p', options).title).toBe(`${url}/c.json`);
  });
});

describe('a collection of version 2', () => {
  const manifest = (name: string, more: object = {}): object => ({
    '@id': `${url}/${name}`,
    '@type': 'sc:Manifest',
    label: name,
    ...more,
  });

  it('has its collections before its manifests, texts, logo and license', () => {
    const read = readCollection({
      '@id': `${url}/c.json`,
      '@type': 'sc:Collection',
      label: [{ '@value': 'All', '@language': 'en' }],
      description: 'Everything',
      attribution: 'A library',
      license: 'http://rightsstatements.org/vocab/InC/1.0/',
      logo: { '@id': `${url}/logo.png` },
      within: { '@id': `${url}/up.json`, label: 'Above' },
      manifests: [manifest('m1', { thumbnail: `${url}/m1.jpg` }), `${url}/m2`],
      collections: [
        { '@id': `${url}/c2`, '@type': 'sc:Collection', label: 'Two' },
        { '@id': `${url}/c3`, label: 'Three' },
      ],
    });
    expect(read.part.members.map(({ address, kind }) => [address.replace(`${url}/`, ''), kind])).toEqual([
      ['c2', 'collection'],
      ['c3', 'collection'],
      ['m1', 'book'],
      ['m2', 'book'],
    ]);
    expect(read.part.members[2]?.thumbnail).toEqual({ address: `${url}/m1.jpg`, service: undefined, size: undefined });
    expect(read.part.members[3]?.label).toEqual({});
    expect(read.summary).toEqual({ none: ['Everything'] });
    expect(read.requiredStatement).toEqual({ label: {}, value: { none: ['A library'] } });
    expect(read.rights).toBe('http://rightsstatements.org/vocab/InC/1.0/');
    expect(read.logo?.address).toBe(`${url}/logo.png`);
    expect(read.around).toEqual([{ address: `${url}/up.json`, label: { none: ['Above'] } }]);
  });

  it('has each member once where it lists them mixed, too', () => {
    const read = readPart({
      '@type': 'sc:Collection',
      members: [{ '@id': `${url}/c2`, '@type': 'sc:Collection' }, manifest('m1')],
      manifests: [manifest('m1')],
    });
    expect(read.members.map(({ address, kind }) => [address, kind])).toEqual([
      [`${url}/c2`, 'collection'],
      [`${url}/m1`, 'book'],
    ]);
  });

  const inPlace = {
    '@id': `${url}/c.json`,
    '@type': 'sc:Collection',
    collections: [
      {
        '@id': 'urn:inner',
        '@type': 'sc:Collection',
        label: 'Inner',
        manifests: [manifest('m1'), manifest('m2', { thumbnail: { '@id': `${url}/m2.jpg` } })],
        collections: [{ '@id': `${url}/deep`, '@type': 'sc:Collection', label: 'Deep', manifests: [manifest('m3')] }],
      },
      { '@id': 'urn:empty', '@type': 'sc:Collection', label: 'Empty' },
    ],
  };

  it('with members in place has collections that are found in its own document', () => {
    const [inner, ...others] = readPart(inPlace).members;
    expect(others).toEqual([]);
    if (inner === undefined) throw new Error('no member');
    expect(inner).toMatchObject({ address: 'urn:inner', kind: 'collection', inside: 3 });
    expect(inner.thumbnail?.address).toBe(`${url}/m2.jpg`);
    expect(memberPath(inner, `${url}/c.json`)).toBe(
      `//manifest/${encodeURIComponent(`${url}/c.json`)}/${encodeURIComponent('urn:inner')}`,
    );
    expect(readCollection(collectionInside(inPlace, 'urn:inner')).label).toEqual({ none: ['Inner'] });
    const deep = collectionInside(inPlace, `${url}/deep`);
    const [book] = readPart(deep).members;
    expect(book?.address).toBe(`${url}/m3`);
    expect(book && memberPath(book, `${url}/c.json`)).toBe(`//manifest/${encodeURIComponent(`${url}/m3`)}/`);
    expect(collectionInside(inPlace, 'urn:empty')).toBeUndefined();
    expect(collectionInside(inPlace, 'urn:other')).toBeUndefined();
  });

  it('in parts names the first one, by its address or in place, and each part the next', () => {
    const paged = { '@id': `${url}/c.json`, '@type': 'sc:Collection', total: 250, first: `${url}/p1` };
    const read = readCollection(paged);
    expect(read.total).toBe(250);
    expect(read.part).toEqual({ members: [], next: `${url}/p1` });
    const first = {
      '@id': `${url}/p1`,
      '@type': 'sc:Collection',
      within: `${url}/c.json`,
      startIndex: 0,
      next: `${url}/p2`,
    };
    const part = readPart({ ...first, manifests: [manifest('m1')] });
    expect(part.members.map(({ address }) => address)).toEqual([`${url}/m1`]);
    expect(part.next).toBe(`${url}/p2`);
    expect(readPart({ ...paged, first: { ...first, manifests: [manifest('m1')] } })).toEqual(part);
    expect(readPart({ ...first, next: undefined, manifests: [manifest('m9')] }).next).toBeUndefined();
    expect(readPart({ ...first, next: 'javascript:1', manifests: [manifest('m9')] }).next).toBeUndefined();
  });
});

it.each([
  [{ type: 'Collection' }, true],
  [{ '@type': 'sc:Collection' }, true],
  [{ type: 'CollectionPage' }, true],
  [{ type: 'Manifest' }, false],
  [{ type: 'AnnotationCollection' }, false],
  ['Collection', false],
])('%j is a collection: %s', (json, is) => {
  expect(isCollection(json)).toBe(is);
});

it.each([
  undefined,
  null,
  'text',
  [],
  { type: 'Collection', items: 'no list' },
  { type: 'Collection', items: [null, 7, [], {}, { id: 5 }], total: 'many', first: 7, partOf: 'x' },
])('%j has no members', (json) => {
  expect(readCollection(json).part).toEqual({ members: [], next: undefined });
  expect(readCollection(json).total).toBeUndefined();
});

it('a collection that is nested without end is read as far as it goes', () => {
  let json: object = { id: `${url}/0`, type: 'Collection', items: [{ id: `${url}/m`, type: 'Manifest' }] };
  for (let depth = 1; depth < 200; depth += 1) json = { id: `${url}/${depth}`, type: 'Collection', items: [json] };
  expect(readPart(json).members).toHaveLength(1);
  expect(collectionInside(json, `${url}/190`)).toBeDefined();
  expect(collectionInside(json, `${url}/1`)).toBeUndefined();
});

it('members are ordered by date: years before our era first, those without a date last, others as they were', () => {
  const dates = ['1850-01-01', undefined, '-0050-01-01', '1725-01-01', '1850-01-01', '012000-01-01'];
  const members = dates.map((date, key) => ({ date, key }));
  expect(byDate(members).map(({ key }) => key)).toEqual([2, 3, 0, 4, 5, 1]);
});

describe('the picture of a card', () => {
  const pictures = (thumbnail: unknown): readonly string[] => {
    const [member] = readPart({ type: 'Collection', items: [{ id: `${url}/a`, type: 'Manifest', thumbnail }] }).members;
    return thumbnailPictures(member?.thumbnail, box).map((address) => address.replace(`${url}/`, ''));
  };

  it.each<[name: string, thumbnail: unknown, wanted: readonly string[]]>([
    ['an address', `${url}/t.jpg`, ['t.jpg']],
    ['an object', { '@id': `${url}/t.jpg`, format: 'image/jpeg' }, ['t.jpg']],
    [
      'a list',
      [
        { id: `${url}/t.jpg`, type: 'Image' },
        { id: `${url}/u.jpg`, type: 'Image' },
      ],
      ['t.jpg'],
    ],
    [
      'an object with a service of level 1',
      { '@id': `${url}/t.jpg`, service: service2(1) },
      ['iiif/2/a/full/272,/0/default.jpg', 't.jpg'],
    ],
    [
      'an object with a service of level 2',
      { '@id': `${url}/t.jpg`, service: service2(2) },
      ['iiif/2/a/full/!272,208/0/default.jpg', 't.jpg'],
    ],
    ['a service alone', { service: service2(2) }, ['iiif/2/a/full/!272,208/0/default.jpg']],
    [
      'a small picture of known shape with a service',
      [{ id: `${url}/t.jpg`, type: 'Image', width: 90, height: 120, service: [service3(1)] }],
      ['iiif/3/a/full/156,208/0/default.jpg', 't.jpg'],
    ],
    [
      'a picture of the size that is wanted',
      [{ id: `${url}/t.jpg`, type: 'Image', width: 400, height: 300, service: [service3(2)] }],
      ['t.jpg', 'iiif/3/a/full/272,204/0/default.jpg'],
    ],
    [
      'a service with sizes',
      [
        {
          id: `${url}/t.jpg`,
          type: 'Image',
          service: [
            service3(0, {
              sizes: [
                { width: 150, height: 100 },
                { width: 300, height: 200 },
              ],
            }),
          ],
        },
      ],
      ['iiif/3/a/full/300,200/0/default.jpg', 't.jpg'],
    ],
    ['a service of level 0 without sizes', [{ id: `${url}/t.jpg`, type: 'Image', service: [service3(0)] }], ['t.jpg']],
    ['no address of the web', 'javascript:alert(1)', []],
    ['nothing', undefined, []],
  ])('%s', (_name, thumbnail, wanted) => {
    expect(pictures(thumbnail)).toEqual(wanted);
  });
});
