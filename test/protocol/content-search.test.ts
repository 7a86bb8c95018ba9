/** IIIF Content Search 1.0 and 2.0: answers of the form that the specifications describe, and nothing of closed pages. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import * as z from 'zod';
import { runIndexing } from '../../src/app/run-indexing.ts';
import { readSettings } from '../../src/app/settings/configuration.ts';
import type { SettingsInput } from '../../src/app/settings/settings.ts';
import { altoOf, jpegOf, type LibraryFolder, makeLibraryFolder } from '../fixtures/page-texts.ts';
import { type RunningApp, startApp } from './running-app.ts';

const address = z.url();
const pageLink = z.strictObject({ id: address, type: z.literal('AnnotationPage') });
const canvas2 = z.union([
  address,
  z.strictObject({
    id: address,
    type: z.literal('Canvas'),
    partOf: z.array(
      z.strictObject({ id: address, type: z.literal('Manifest'), label: z.record(z.string(), z.array(z.string())) }),
    ),
  }),
]);
const specificResource = z.strictObject({
  type: z.literal('SpecificResource'),
  source: address,
  selector: z.array(
    z.strictObject({
      type: z.literal('TextQuoteSelector'),
      prefix: z.string(),
      exact: z.string().min(1),
      suffix: z.string(),
    }),
  ),
});

/** Content Search 2.0, section 4.2: written from the text, since no schema is published. */
const answer2 = z.strictObject({
  '@context': z.literal('http://iiif.io/api/search/2/context.json'),
  id: address,
  type: z.literal('AnnotationPage'),
  ignored: z.array(z.string()).min(1).optional(),
  partOf: z
    .strictObject({
      id: address,
      type: z.literal('AnnotationCollection'),
      total: z.int().min(0).optional(),
      first: pageLink,
      last: pageLink,
    })
    .optional(),
  prev: pageLink.optional(),
  next: pageLink.optional(),
  items: z.array(
    z.strictObject({
      id: address,
      type: z.literal('Annotation'),
      motivation: z.literal('supplementing'),
      body: z.strictObject({
        type: z.literal('TextualBody'),
        value: z.string().min(1),
        format: z.literal('text/plain'),
      }),
      target: canvas2,
    }),
  ),
  annotations: z
    .array(
      z.strictObject({
        id: address,
        type: z.literal('AnnotationPage'),
        items: z.array(
          z.strictObject({
            id: address,
            type: z.literal('Annotation'),
            motivation: z.literal('contextualizing'),
            target: z.union([specificResource, z.array(specificResource).min(2)]),
          }),
        ),
      }),
    )
    .optional(),
});

/** Content Search 1.0, section 3.3 and 3.4. */
const answer1 = z.strictObject({
  '@context': z.tuple([
    z.literal('http://iiif.io/api/presentation/2/context.json'),
    z.literal('http://iiif.io/api/search/1/context.json'),
  ]),
  '@id': address,
  '@type': z.literal('sc:AnnotationList'),
  within: z.strictObject({
    '@type': z.literal('sc:Layer'),
    total: z.int().min(0).optional(),
    first: address.optional(),
    last: address.optional(),
    ignored: z.array(z.string()).min(1).optional(),
  }),
  prev: address.optional(),
  next: address.optional(),
  resources: z.array(
    z.strictObject({
      '@id': address,
      '@type': z.literal('oa:Annotation'),
      motivation: z.literal('sc:painting'),
      resource: z.strictObject({
        '@type': z.literal('cnt:ContentAsText'),
        format: z.literal('text/plain'),
        chars: z.string().min(1),
      }),
      on: z.union([
        address,
        z.strictObject({
          '@id': address,
          within: z.strictObject({ '@id': address, '@type': z.literal('sc:Manifest'), label: z.string() }),
        }),
      ]),
    }),
  ),
  hits: z.array(
    z.strictObject({
      '@type': z.literal('search:Hit'),
      annotations: z.array(address).min(1),
      match: z.string(),
      before: z.string(),
      after: z.string(),
    }),
  ),
});

const hocrLine = (text: string, top: number): string =>
  `<span class="ocr_line" title="bbox 100 ${top} 500 ${top + 40}">${text
    .split(' ')
    .map(
      (word, at) =>
        `<span class="ocrx_word" title="bbox ${100 + 200 * at} ${top} ${280 + 200 * at} ${top + 40}">${word}</span>`,
    )
    .join(' ')}</span>`;

/** A word of each format, high enough that its box could be stored in coarser steps than pixels. */
const boxFiles = [
  ['alto.xml', altoOf([['Kasten', 100, 200, 241, 40]])],
  ['hocr.html', '<p class="ocr_page"><span class="ocrx_word" title="bbox 101 203 345 246">Kasten</span></p>'],
  [
    'page.xml',
    `<PcGts><Page><TextRegion><TextLine><Word><Coords points="10,20 251,22 250,61"/><TextEquiv><Unicode>Kasten</Unicode></TextEquiv></Word></TextLine></TextRegion></Page></PcGts>`,
  ],
  // The text is of a scan that is larger by 2.5: edges are on the nearest pixels.
  ['scaled.xml', altoOf([['Kasten', 101, 203, 240, 99]], { width: 2500, height: 3750 })],
] as const;

let library: LibraryFolder;
let directory: string;
let app: RunningApp;

beforeAll(async () => {
  library = makeLibraryFolder();
  directory = mkdtempSync(path.join(tmpdir(), 'lectern-search-'));
  const page = await jpegOf(1000, 1500);
  for (const name of ['books/herbal/p1', 'books/herbal/p2', 'books/closed/p1', 'books/silent/p1'])
    library.write(`${name}.jpg`, page);
  for (let number = 100; number < 160; number++) {
    library.write(`many/p${number}.jpg`, page);
    library.write(`many/p${number}.txt`, 'viele');
  }
  library.write(
    'books/herbal/p1.xml',
    altoOf([
      ['Von', 100, 200, 80, 24],
      ['Waſſer', 200, 200, 120, 24],
    ]),
  );
  library.write('books/herbal/p2.txt', 'Wassermühle und Wasser');
  library.write('walls/p1.jpg', page);
  library.write(
    'walls/p1.hocr',
    `<div class="ocr_page">${hocrLine('die alte', 100)}${hocrLine('Mauer steht', 160)}</div>`,
  );
  for (const [name, content] of boxFiles) {
    library.write(`boxes/${path.parse(name).name}.jpg`, page);
    library.write(`boxes/${name}`, content);
  }
  library.write('books/herbal/appendix/p1.jpg', page);
  library.write('books/herbal/appendix/p1.txt', 'Wasser, Wasser');
  library.write('books/closed/p1.txt', 'Wassergeheimnis Wasser und viele, viele');
  const settings: SettingsInput = {
    library: { folders: [library.root] },
    search: { directory },
    index: { directory: false },
    access: { paths: [{ path: 'books/closed', roles: ['staff'] }], rolesHeader: 'x-roles' },
    http: { trustedProxies: ['127.0.0.1'] },
  };
  await runIndexing(readSettings(settings, {}, undefined), pino({ level: 'silent' }), {});
  app = await startApp(settings);
});
afterAll(async () => {
  await app.close();
  library.remove();
  rmSync(directory, { recursive: true, force: true });
});

async function get(location: string, options = {}) {
  const { status, body } = await app.get(location.replace(app.url, ''), options);
  expect(status).toBe(200);
  return JSON.parse(body.toString());
}

const search2 = '/content-search/2/presentation/3/books!herbal';
const search1 = '/content-search/1/presentation/2/books!herbal';
const staff = { headers: { 'x-roles': 'staff' } };

describe('manifests', () => {
  it('of version 3 offer both versions of the search, by addresses that answer', async () => {
    const { service } = await get('/presentation/3/books/herbal/manifest.json');
    expect(service).toMatchObject([{ type: 'SearchService2' }, { '@type': 'SearchService1' }]);
    answer2.parse(await get(`${service[0].id}?q=wasser`));
    answer1.parse(await get(`${service[1]['@id']}?q=wasser`));
  });

  it('of version 2 offer the first one', async () => {
    const { service } = await get('/presentation/2/books/herbal/manifest.json');
    expect(service.profile).toBe('http://iiif.io/api/search/1/search');
    answer1.parse(await get(`${service['@id']}?q=wasser`));
  });

  it('without texts offer none', async () =>
    expect(await get('/presentation/3/books/silent/manifest.json')).not.toHaveProperty('service'));

  it('are searched in their collection too', async () => {
    const { service } = await get('/presentation/3/books/collection.json');
    const manifestOf = (folder: string): string => `${app.url}/presentation/3/books/${folder}/manifest.json`;
    const { items } = answer2.parse(await get(`${service[0].id}?q=wasser`));
    expect(items.map(({ target }) => (target as { partOf: { id: string }[] }).partOf[0]?.id)).toEqual(
      ['herbal', 'herbal', 'herbal/appendix', 'herbal/appendix'].map(manifestOf),
    );
    const first = answer1.parse(await get(`${service[1]['@id']}?q=wasser`));
    expect(first.resources.map(({ on }) => (on as { within: { '@id': string } }).within['@id'])).toEqual(
      ['herbal', 'herbal', 'herbal/appendix', 'herbal/appendix'].map(manifestOf),
    );
    const { service: old } = await get('/presentation/2/books/collection.json');
    expect(answer1.parse(await get(`${old['@id']}?q=wasser`)).resources).toHaveLength(4);
    const { service: root } = await get('/presentation/3/collection.json');
    expect((await get(`${root[0].id}?q=viele`)).items).toHaveLength(50);
  });

  it('find nothing that is not theirs, while the collection of the same folder has all', async () => {
    expect((await get(`${search2}?q=wasser`)).items).toHaveLength(2);
    expect((await get(`${search2}/collection?q=wasser`)).items).toHaveLength(4);
    const counts = async (end: string) =>
      (await get(`${search2}${end}/autocomplete?q=wass`)).items.map(({ total }: { total: number }) => total);
    expect([await counts(''), await counts('/collection')]).toEqual([
      [2, 1],
      [4, 1],
    ]);
    const { terms } = await get(`${search1}/collection/autocomplete?q=wasserm`);
    expect(terms[0].url).toBe(`${app.url}${search1}/collection?q=wasserm%C3%BChle`);
    answer1.parse(await get(terms[0].url));
  });
});

describe('version 2', () => {
  it('has places on canvases of the manifest with the text around them', async () => {
    const answer = answer2.parse(await get(`${search2}?q=wasser`));
    const { items: canvases } = await get('/presentation/3/books/herbal/manifest.json');
    expect(answer.items.map(({ target }) => target)).toEqual([
      `${canvases[0].id}#xywh=200,200,120,24`,
      // Plain text has no boxes.
      canvases[1].id,
    ]);
    const [first] = answer.annotations?.[0]?.items ?? [];
    expect(first?.target).toMatchObject({
      source: answer.items[0]?.id,
      selector: [{ prefix: 'Von', exact: 'Waſſer', suffix: '' }],
    });
  });

  it('has the boxes of words as they stand in their files', async () => {
    const { items } = answer2.parse(await get('/content-search/2/presentation/3/boxes?q=kasten'));
    const boxes = ['100,200,241,40', '101,203,244,43', '10,20,241,41', '40,81,96,40'];
    expect(items.map(({ target }) => String(target).split('#xywh=')[1])).toEqual(boxes);
    const lines = boxFiles.map(async ([name]) => {
      const { items: texts } = await get(`/presentation/3/boxes/text/${path.parse(name).name}-jpg`);
      return texts[0].target.selector.value;
    });
    expect(await Promise.all(lines)).toEqual(boxes.map((box) => `xywh=${box}`));
  });

  it('names parameters without effect, but no token', async () => {
    const { ignored, id } = answer2.parse(await get(`${search2}?q=wasser&motivation=painting&id_token=`));
    expect([ignored, id]).toEqual([['motivation'], `${app.url}${search2}?q=wasser&motivation=painting`]);
  });

  it.each(['nothinglikethis', '', '""'])('is empty for %j', async (query) => {
    for (const end of ['', '/collection']) {
      const asked = new URLSearchParams({ q: query });
      const second = answer2.parse(await get(`${search2}${end}?${asked}`));
      expect([second.items, second.annotations, second.partOf]).toEqual([[], undefined, undefined]);
      const first = answer1.parse(await get(`${search1}${end}?${asked}`));
      expect([first.resources, first.hits, first.within.total]).toEqual([[], [], 0]);
      expect((await get(`${search2}${end}/autocomplete?${asked}`)).items).toEqual([]);
      expect((await get(`${search1}${end}/autocomplete?${asked}`)).terms).toEqual([]);
    }
  });

  it('has an address of its own for each annotation, also of places on the whole page', async () => {
    const { items } = answer2.parse(await get(`${search2}/collection?q=wasser`));
    expect(new Set(items.map(({ id }) => id)).size).toBe(4);
  });

  it('comes in parts that lead to each other', async () => {
    const first = answer2.parse(await get('/content-search/2/presentation/3/many?q=viele'));
    expect([first.items.length, first.prev]).toEqual([50, undefined]);
    const second = answer2.parse(await get(first.next?.id ?? ''));
    expect([second.items.length, second.next, second.prev?.id]).toEqual([10, undefined, first.partOf?.first.id]);
    expect(first.partOf?.last.id).toBe(first.next?.id);
    const { total, ...whole } = first.partOf ?? {};
    expect([total, second.partOf]).toEqual([60, whole]);
  });

  it('completes words', async () =>
    expect(await get(`${search2}/autocomplete?q=was`)).toEqual({
      '@context': 'http://iiif.io/api/search/2/context.json',
      id: `${app.url}${search2}/autocomplete?q=was`,
      type: 'TermPage',
      items: [
        ['wasser', 2],
        ['wassermühle', 1],
      ].map(([value, total]) => ({
        type: 'Term',
        value,
        total,
        service: [{ id: `${app.url}${search2}?${new URLSearchParams({ q: String(value) })}`, type: 'SearchService2' }],
      })),
    }));
});

describe('version 1', () => {
  it('has annotations with hits on canvases of the manifest', async () => {
    const answer = answer1.parse(await get(`${search1}?q=wasser`));
    const { sequences } = await get('/presentation/2/books/herbal/manifest.json');
    expect(answer.resources[0]?.on).toBe(`${sequences[0].canvases[0]['@id']}#xywh=200,200,120,24`);
    expect(answer.within.total).toBe(2);
    // A page of plain text: Universal Viewer wants a box.
    expect(answer.resources[1]?.on).toBe(`${sequences[0].canvases[1]['@id']}#xywh=0,0,1000,1500`);
    expect(answer.hits[0]).toEqual({
      '@type': 'search:Hit',
      annotations: [answer.resources[0]?.['@id']],
      before: 'Von',
      match: 'Waſſer',
      after: '',
    });
  });

  it('comes in parts', async () => {
    const first = answer1.parse(await get('/content-search/1/presentation/3/many?q=viele'));
    const second = answer1.parse(await get(first.next ?? ''));
    expect([first.resources.length, second.resources.length]).toEqual([50, 10]);
    // Mirador says by it how many are left.
    expect([first.within.total, first.within.last]).toEqual([60, first.next]);
  });

  it('completes words', async () => {
    const { terms, '@type': type } = await get(`${search1}/autocomplete?q=wasserm`);
    expect([type, terms[0].match, terms[0].count]).toEqual(['search:TermList', 'wassermühle', 1]);
  });
});

test('a match on two lines is two annotations, which belong together', async () => {
  const asked = `?${new URLSearchParams({ q: '"alte mauer"' })}`;
  const second = answer2.parse(await get(`/content-search/2/presentation/3/walls${asked}`));
  const [context] = second.annotations?.[0]?.items ?? [];
  expect(second.items.map(({ target }) => String(target).split('#')[1])).toEqual([
    expect.stringMatching(/^xywh=30\d,/),
    expect.stringMatching(/^xywh=(99|10\d),/),
  ]);
  expect([context?.target].flat().map((target) => target?.source)).toEqual(second.items.map(({ id }) => id));
  const first = answer1.parse(await get(`/content-search/1/presentation/2/walls${asked}`));
  expect(first.hits).toMatchObject([{ annotations: first.resources.map(({ '@id': id }) => id), match: 'alte Mauer' }]);
  expect(new Set(first.hits[0]?.annotations).size).toBe(2);
  // Mirador would say that there are more hits.
  expect(first.within.total).toBeUndefined();
});

describe('who may not see a page', () => {
  const below = '/content-search/2/presentation/3/books/collection';
  it('finds and counts nothing of it', async () => {
    expect((await get(`${below}?q=wasser`)).items).toHaveLength(4);
    expect((await get(`${below}?q=wasser`, staff)).items).toHaveLength(5);
    expect((await get(`${below}?q=wassergeheimnis`)).items).toEqual([]);
  });

  it('is not told its words', async () => {
    const words = async (options = {}) =>
      (await get(`${below}/autocomplete?q=was`, options)).items.map(({ value }: { value: string }) => value);
    expect(await words()).toEqual(['wasser', 'wassermühle']);
    expect(await words(staff)).toContain('wassergeheimnis');
  });

  it('is told no number of places with it', async () => {
    const total = async (options = {}) =>
      answer2.parse(await get('/content-search/2/presentation/3/%2F/collection?q=viele', options)).partOf?.total;
    expect([await total(), await total(staff)]).toEqual([60, 62]);
  });

  test.each(['', '/autocomplete', '/collection', '/collection/autocomplete'])(
    'may not search in its folder (%s)',
    async (end) => {
      const { status } = await app.get(`/content-search/2/presentation/3/books!closed${end}?q=wasser`);
      expect(status).toBe((await app.get('/presentation/3/books/closed/manifest.json')).status);
    },
  );
});

test.each([
  ['/content-search/2/presentation/3/none?q=a', 404],
  ['/content-search/2/presentation/3/books/herbal?q=a', 404],
  ['/content-search/2/presentation/2/books?q=a', 404],
  [`${search2}?q=a&page=0`, 400],
])('%s is %i', async (location, status) => expect((await app.get(location)).status).toBe(status));
