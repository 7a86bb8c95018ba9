/** Manifests of both versions as books; the upgrade of another library must lead to the same book, and hostile ones to none that breaks. */
import { convertPresentation2 } from '@iiif/parser/presentation-2';
import { describe, expect, it } from 'vitest';
import { parseForeignPath } from '../../../../../web/src/model/address/address-text.ts';
import { listingOf, type ManifestBook, readManifest } from '../../../../../web/src/model/manifest/book.ts';
import { coordinatesText, geoAddress } from '../../../../../web/src/model/manifest/nav-place.ts';
import { manifest2, manifest3 } from '../../../../browser/foreign-manifests.ts';

const url = 'https://other.example';

function bookOf(json: unknown): ManifestBook {
  const read = readManifest(json);
  if (read.kind !== 'book') throw new Error(`not a book: ${JSON.stringify(read)}`);
  return read.book;
}

const listed = (book: ManifestBook, languages: readonly string[] = ['en']) =>
  listingOf(book, {
    address: `${url}/manifest.json`,
    languages,
    words: { attribution: 'Attribution', provider: 'Provider', date: 'Date' },
  });

describe('a manifest of version 3', () => {
  const book = bookOf(manifest3(url));

  it('has its texts in the language of the reader, without markup and scripts', () => {
    expect(listed(book, ['de']).title).toBe('Ein Buch der Punkte');
    const { title, summary, metadata, attribution, rights, direction, behavior } = listed(book);
    expect({ title, summary, metadata, attribution, rights, direction, behavior }).toEqual({
      title: 'A book of dots',
      summary: ['Eight pages, each with a dot.'],
      metadata: [
        { label: 'Author', value: ['Jane & John'] },
        { label: 'More', value: ['the catalog (https://more.example/book)'] },
        { label: 'Bad', value: ['press here'] },
        { label: 'Held by', value: ['The Other Library'] },
      ],
      attribution: ['The Other Library'],
      rights: 'http://creativecommons.org/licenses/by/4.0/',
      direction: 'right-to-left',
      behavior: ['paged'],
    });
  });

  it('has image services of all versions, plain images, and pages without any', () => {
    const kinds = book.pages.map(({ image }) =>
      image?.service ? `${image.service.version} ${image.service.level}` : image?.address,
    );
    expect(kinds).toEqual([
      '3 2',
      '2 1',
      '3 0',
      `${url}/pictures/plain.png`,
      '1 1',
      undefined,
      `${url}/closed/pictures/closed.png`,
      `${url}/pictures/plain.png`,
    ]);
    expect(book.pages[7]?.place).toEqual({ x: 0.5, y: 0.5, width: 0.5, height: 0.5 });
  });

  it('has contents that name the first page of each chapter, and end where ranges contain each other', () => {
    const contents = listed(book).contents.map(({ label, at, page, contents: inside }) => ({
      label,
      at,
      page,
      inside: inside.map((inner) => [inner.label, inner.at, inner.page]),
    }));
    expect(contents).toEqual([{ label: 'First part', at: 1, page: 'cover', inside: [['Inside of it', 3, '1v']] }]);
  });
});

describe('a range with parts of canvases', () => {
  const partsOf = (...items: readonly unknown[]) => {
    const range = { id: `${url}/r`, type: 'Range', label: { en: ['Part'] }, items };
    return listed(bookOf(manifest3(url, { structures: [range] }))).contents.map(({ at, region }) => ({ at, region }));
  };
  const canvas = (number: number, more = ''): object => ({ id: `${url}/3/canvas/${number}${more}`, type: 'Canvas' });
  const selected = (number: number, value: string): object => ({
    type: 'SpecificResource',
    source: canvas(number),
    selector: { type: 'FragmentSelector', value },
  });
  const half = { x: 0.5, y: 0, width: 0.5, height: 1 };

  it.each([
    ['by a fragment', [canvas(2, '#xywh=percent:50,0,50,100')], { at: 2, region: half }],
    ['by a selector', [selected(2, 'xywh=600,0,600,900')], { at: 2, region: half }],
    [
      'that are several of one page',
      [canvas(2, '#xywh=percent:50,0,25,50'), canvas(2, '#xywh=percent:75,50,25,50')],
      { at: 2, region: { x: 0.5, y: 0, width: 0.25, height: 0.5 } },
    ],
    ['and a page as a whole', [canvas(2), canvas(2, '#xywh=percent:50,0,50,100')], { at: 2, region: undefined }],
    ['that continue on another page', [canvas(2, '#xywh=percent:50,0,50,100'), canvas(3)], { at: 2, region: half }],
    ['that have no extent', [canvas(2, '#xywh=0,0,0,0')], { at: 2, region: undefined }],
  ])('%s names them', (_, items, expected) => expect(partsOf(...items)).toEqual([expected]));

  it('has those after the first inside of it, in their order (recipe 0025)', () => {
    const items = [
      canvas(2, '#xywh=percent:50,0,20,50'),
      canvas(4, '#xywh=percent:0,0,50,50'),
      canvas(3, '#xywh=percent:0,0,9,9'),
    ];
    const range = { id: `${url}/r`, type: 'Range', label: { en: ['News'] }, items };
    const [news] = listed(bookOf(manifest3(url, { structures: [range] }))).contents;
    expect(news?.contents.map(({ label, at, region }) => [label, at, region?.width])).toEqual([
      ['News (2)', 4, 0.5],
      ['News (3)', 3, 0.09],
    ]);
  });
});

describe('orders of pages (recipe 0027)', () => {
  const range = (name: string, numbers: readonly number[]): object => ({
    id: `${url}/${name}`,
    type: 'Range',
    behavior: ['sequence'],
    label: { en: [name] },
    items: numbers.map((number) => ({ id: `${url}/3/canvas/${number}`, type: 'Canvas' })),
  });
  const manifest = manifest3(url, { structures: [range('bound', [2, 1, 3]), range('intended', [3, 1, 2])] });
  const idsOf = (order?: number): readonly string[] => {
    const read = readManifest(manifest, order);
    return read.kind === 'book' ? read.book.pages.map(({ id }) => id.slice(-1)) : [];
  };

  it('are the first one at first, and another one where it is wanted', () => {
    expect([idsOf(), idsOf(2), idsOf(3)]).toEqual([
      ['2', '1', '3'],
      ['3', '1', '2'],
      ['2', '1', '3'],
    ]);
    expect(bookOf(manifest).orders).toEqual([{ en: ['bound'] }, { en: ['intended'] }]);
    expect(listed(bookOf(manifest)).contents).toEqual([]);
  });

  it('are kept in the paths of the pages', () => {
    const read = readManifest(manifest, 2);
    const paths = read.kind === 'book' ? listed(read.book).images.map(({ path }) => parseForeignPath(path)?.order) : [];
    expect(paths).toEqual([2, 2, 2]);
  });
});

describe('what a manifest and its canvases say of themselves', () => {
  const navPlace = (label: string, coordinates: unknown): object => ({
    features: [{ type: 'Feature', properties: { label: { en: [label] } }, geometry: { type: 'Polygon', coordinates } }],
  });
  const square = [
    [
      [-10, 40],
      [-12, 40],
      [-12, 42],
      [-10, 42],
    ],
  ];
  const canvas = {
    id: `${url}/c`,
    type: 'Canvas',
    width: 100,
    height: 100,
    metadata: [{ label: { en: ['Light'] }, value: { en: ['X-ray'] } }],
    rendering: [{ id: `${url}/alto.xml`, type: 'Text', label: { en: ['ALTO'] }, format: 'text/xml' }],
    navPlace: navPlace('Rome', square),
  };
  const book = bookOf({
    type: 'Manifest',
    items: [canvas, { id: `${url}/d`, type: 'Canvas' }],
    seeAlso: [{ id: `${url}/mods.xml`, type: 'Dataset', label: { en: ['MODS'] } }],
    provider: [{ label: { en: ['Library'] }, logo: [{ id: `${url}/logo.png`, type: 'Image' }] }],
    navPlace: navPlace('Nowhere', [[[500, 0]]]),
  });

  it('are metadata, links, places and pictures', () => {
    const [place] = book.pages[0]?.description?.places ?? [];
    expect(place).toEqual({ label: { en: ['Rome'] }, latitude: 41, longitude: -11 });
    expect(place && [geoAddress(place), coordinatesText(place)]).toEqual(['geo:41,-11', '41° N, 11° W']);
    expect(book.pages[0]?.description).toMatchObject({
      metadata: [{ label: { en: ['Light'] } }],
      links: [{ id: `${url}/alto.xml` }],
    });
    expect(book.pages[1]?.description).toBeUndefined();
    expect([book.links[0]?.id, book.logo?.address, book.places]).toEqual([`${url}/mods.xml`, `${url}/logo.png`, []]);
  });
});

describe('styles in manifests', () => {
  const painted = (body: object, more: object = {}): ManifestBook =>
    bookOf({
      type: 'Manifest',
      items: [
        {
          ...{ id: `${url}/c`, type: 'Canvas', width: 200, height: 100 },
          items: [
            {
              items: [
                {
                  motivation: 'painting',
                  body: { id: `${url}/a.png`, type: 'Image', width: 200, height: 100 },
                  target: `${url}/c`,
                },
                { motivation: 'painting', body, target: `${url}/c#xywh=20,10,100,50`, ...more },
              ],
            },
          ],
        },
      ],
    });

  it('turn an image (recipe 0040)', () => {
    const stylesheet = {
      type: 'CssStylesheet',
      value: '.a { color: red } .b { transform: rotate(90deg) translateY(-9px) }',
    };
    const source = { id: `${url}/b.png`, type: 'Image', width: 100, height: 50 };
    const turned = (styleClass: string) =>
      painted({ type: 'SpecificResource', styleClass, source }, { stylesheet }).pages[0]?.layers[1]?.turn;
    expect([turned('b'), turned('a'), turned('c')]).toEqual([90, undefined, undefined]);
  });

  it('size and color a text on the image, and load nothing (recipe 0561)', () => {
    const style = 'font-size:20px; padding:10px; background-color: rgba(1, 2, 3, 0.5); color: url(https://spy.example)';
    const body = {
      type: 'TextualBody',
      format: 'text/html',
      language: 'en',
      value: `<p style='${style}'>A <b>koto</b></p>`,
    };
    expect(painted(body).pages[0]?.paintedTexts).toEqual([
      {
        text: 'A koto',
        language: 'en',
        place: { x: 0.1, y: 0.1, width: 0.5, height: 0.5 },
        ...{ size: 0.1, padding: 0.05, color: undefined, background: 'rgba(1, 2, 3, 0.5)' },
      },
    ]);
  });
});

describe('a manifest of version 2', () => {
  const book = bookOf(manifest2(url));

  it('has the members that version 3 calls otherwise', () => {
    const { title, summary, metadata, rights, behavior, contents } = listed(book);
    expect({ title, summary, metadata, rights, behavior }).toEqual({
      title: 'An older book',
      summary: ['Two pages.'],
      metadata: [
        { label: 'Author', value: ['Someone'] },
        { label: 'Attribution', value: ['The Older Library'] },
      ],
      rights: 'http://rightsstatements.org/vocab/InC/1.0/',
      behavior: ['paged'],
    });
    expect(contents.map(({ label, at }) => [label, at])).toEqual([['Second page', 2]]);
    expect(book.pages.map(({ annotations }) => annotations)).toEqual([[`${url}/2/list.json`], []]);
  });

  it('is the same book as its upgrade to version 3 by another library', () => {
    const upgraded = bookOf(convertPresentation2(structuredClone(manifest2(url)) as never));
    // The upgrade leaves out rights other than Creative Commons.
    const facts = ({ pages, contents, summary, behavior }: ManifestBook) => ({
      pages: pages.map(({ id, label, canvas, image, annotations }) => ({
        id,
        label,
        canvas,
        service: image?.service?.id,
        version: image?.service?.version,
        level: image?.service?.level,
        annotations,
      })),
      contents,
      summary: Object.values(summary),
      behavior,
    });
    expect(facts(upgraded)).toEqual(facts(book));
  });
});

describe('hostile manifests', () => {
  const canvas = (more: object): object => ({ id: `${url}/c`, type: 'Canvas', width: 10, height: 10, ...more });
  const withCanvas = (more: object): object => ({ type: 'Manifest', items: [canvas(more)] });
  const painted = (body: unknown): object => withCanvas({ items: [{ items: [{ motivation: 'painting', body }] }] });

  it.each([
    ['nothing', undefined, 'no-manifest'],
    ['a text', 'manifest', 'no-manifest'],
    ['a list', [[]], 'no-manifest'],
    ['no pages', { type: 'Manifest', items: [] }, 'no-pages'],
    ['pages of another shape', { type: 'Manifest', items: { length: 3 } }, 'no-pages'],
    ['too many pages', { type: 'Manifest', items: Array.from({ length: 50_001 }, () => 0) }, 'too-large'],
  ])('%s is said to be a fault', (_name, json, fault) => {
    expect(readManifest(json)).toEqual({ kind: 'fault', fault });
  });

  it('pages of any shape are pages without an image', () => {
    const shapes: readonly unknown[] = [
      null,
      5,
      'canvas',
      [],
      { items: null },
      { items: [null] },
      { images: [null, {}] },
    ];
    const book = bookOf({ type: 'Manifest', items: shapes });
    expect(book.pages.map(({ image }) => image)).toEqual(shapes.map(() => undefined));
    expect(new Set(book.pages.map(({ id }) => id)).size).toBe(shapes.length);
  });

  it.each([
    ['a script as picture', painted({ type: 'Image', id: 'javascript:alert(1)' })],
    [
      'a script as service',
      painted({ type: 'Image', service: [{ type: 'ImageService3', id: 'javascript:alert(1)' }] }),
    ],
    ['data as picture', painted({ type: 'Image', id: 'data:text/html,<script>alert(1)</script>' })],
    [
      'choices in choices',
      painted(Array.from({ length: 50 }).reduce((inner) => ({ type: 'Choice', items: [inner] }), {})),
    ],
  ])('%s is no image', (_name, json) => {
    expect(bookOf(json).pages[0]?.image).toBeUndefined();
  });

  it('all images on a canvas are layers of one page, which stands for the largest of those that are seen', () => {
    const image = (name: string, more: object = {}): object => ({ type: 'Image', id: `${url}/${name}.png`, ...more });
    const painting = (body: object, part: string): object => ({
      motivation: 'painting',
      body,
      target: `${url}/c${part}`,
    });
    const choice = { type: 'Choice', items: [image('main'), image('other', { label: { en: ['X-ray'] } })] };
    const items = [painting(image('left'), '#xywh=0,0,10,40'), painting(choice, '#xywh=10,0,40,40')];
    const first = { id: `${url}/c`, type: 'Canvas', label: { en: ['3r'] }, width: 60, height: 40, items: [{ items }] };
    const second = { id: `${url}/d`, type: 'Canvas', label: { en: ['3v'] }, width: 60, height: 40 };
    const book = bookOf({ type: 'Manifest', items: [first, second], start: { id: `${url}/d` } });
    const [page, empty] = book.pages;
    expect(book.pages.map(({ id, image: own }) => [id, own?.address])).toEqual([
      [`${url}/c`, `${url}/main.png`],
      [`${url}/d`, undefined],
    ]);
    expect(page?.layers.map((one) => [one.id, one.image.address, one.isShownAtFirst, one.place.x])).toEqual([
      [`${url}/c#image-1`, `${url}/left.png`, true, 0],
      [`${url}/c`, `${url}/main.png`, true, 1 / 6],
      [`${url}/c#image-3`, `${url}/other.png`, false, 1 / 6],
    ]);
    expect(empty?.layers).toEqual([]);
    expect(book.start).toBe(2);
    expect(listed(book).images[0]?.layers?.map(({ label }) => label)).toEqual(['3r (1)', '3r (2)', 'X-ray']);
  });

  it('the choice of version 2 has its default first', () => {
    const named = (name: string): object => ({ '@type': 'dctypes:Image', '@id': `${url}/${name}.png` });
    const resource = { '@type': 'oa:Choice', default: named('one'), item: [named('two'), named('three')] };
    const [page] = bookOf({
      sequences: [{ canvases: [{ '@id': `${url}/c`, images: [{ resource }] }] }],
    }).pages;
    expect(page?.layers.map(({ image, isShownAtFirst }) => [image.address, isShownAtFirst])).toEqual([
      [`${url}/one.png`, true],
      [`${url}/two.png`, false],
      [`${url}/three.png`, false],
    ]);
  });

  it('a part of an image is placed so that the part covers the canvas, also in percent', () => {
    const source = { type: 'Image', id: `${url}/a.png`, width: 400, height: 200 };
    for (const region of ['100,50,200,50', 'pct:25,25,50,25']) {
      const selector = { type: 'ImageApiSelector', region, rotation: '90' };
      const [page] = bookOf(painted({ type: 'SpecificResource', source, selector })).pages;
      expect(page?.part).toEqual({ x: 0.25, y: 0.25, width: 0.5, height: 0.25 });
      expect(page?.place).toEqual({ x: -0.5, y: -1, width: 2, height: 4 });
      expect(page?.turn).toBe(90);
    }
    for (const region of ['0,0,0,0', 'square', '1,2,3', 'NaN,0,1,1']) {
      const selector = { type: 'ImageApiSelector', region };
      expect(bookOf(painted({ type: 'SpecificResource', source, selector })).pages[0]?.part).toBeUndefined();
    }
  });

  it('numbers that no canvas has are no size, and infinite places are none', () => {
    for (const width of [-1, 0, 1e300, Number.NaN, '10', null]) {
      expect(bookOf({ type: 'Manifest', items: [canvas({ width })] }).pages[0]?.canvas).toBeUndefined();
    }
    const target = `${url}/c#xywh=0,0,0,1e999`;
    const body = { type: 'Image', id: `${url}/p.png` };
    const page = bookOf(withCanvas({ items: [{ items: [{ body, target }] }] })).pages[0];
    expect(page?.place).toEqual({ x: 0, y: 0, width: 1, height: 1 });
  });

  it('the date that it is found by is shown, and no other text in its place', () => {
    const dateOf = (navDate: unknown) => listed(bookOf({ ...withCanvas({}), navDate })).metadata;
    expect(dateOf('1893-05-01T00:00:00Z')).toEqual([{ label: 'Date', value: ['1893-05-01'] }]);
    expect(dateOf('<b>soon</b>')).toEqual([]);
    expect(dateOf(1893)).toEqual([]);
  });

  it('links that are scripts are left out', () => {
    const links = {
      homepage: [{ id: 'javascript:alert(1)' }, { id: 'https://fine.example/' }],
      rights: 'javascript:1',
    };
    const book = bookOf({ ...withCanvas({}), ...links });
    expect(listed(book).homepage.map(({ address }) => address)).toEqual(['https://fine.example/']);
    expect(listed(book).rights).toBeNull();
  });

  it('ranges that only contain each other, and very deep ones, end', () => {
    const range = (number: number, inside: number): object => ({
      '@id': `r${number}`,
      '@type': 'sc:Range',
      label: `r${number}`,
      canvases: [`${url}/c`],
      ranges: [`r${inside}`],
    });
    const loop = bookOf({ ...withCanvas({}), structures: [range(1, 2), range(2, 1), range(3, 3)] });
    expect(loop.contents.map(({ ranges }) => ranges.length)).toEqual([1, 0]);
    const deep = Array.from({ length: 5000 }).reduce<object>((inner) => ({ type: 'Range', items: [inner] }), {
      type: 'Range',
      items: [{ id: `${url}/c`, type: 'Canvas' }],
    });
    expect(bookOf({ ...withCanvas({}), structures: [deep] }).contents).toEqual([]);
  });

  it('texts that never end a comment or tag are read in a time that grows with their length', () => {
    const text = '<!--<a href='.repeat(4000);
    const start = performance.now();
    listed(bookOf({ ...withCanvas({}), label: { en: [text] }, summary: { en: ['<script>'.repeat(6000)] } }));
    expect(performance.now() - start).toBeLessThan(2000);
  });

  it('pages with the same id, or half a surrogate pair in it, have paths of their own', () => {
    const book = bookOf({ type: 'Manifest', items: [canvas({}), canvas({}), { id: '\uD800' }] });
    const paths = listed(book).images.map(({ path }) => path);
    expect(new Set(paths).size).toBe(3);
  });
});
