/** Texts of pages in manifests of both versions: the file, plain text, and the lines as annotations, for callers who may see the image. */
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { altoOf, jpegOf, type LibraryFolder, makeLibraryFolder } from '../fixtures/page-texts.ts';
import { type RunningApp, startApp } from './running-app.ts';

/** A TIFF with several pages of one size. */
async function tiffOf(count: number, width: number, height: number): Promise<Buffer> {
  const page = await sharp({ create: { width, height, channels: 3, background: '#fff' } })
    .png()
    .toBuffer();
  return sharp(Array<Buffer>(count).fill(page), { join: { animated: true } })
    .tiff()
    .toBuffer();
}

const pageIn = (alto: string): string => /<Page[\s\S]*<\/Page>/.exec(alto)?.[0] ?? '';

const hocrPage = (word: string): string =>
  `<div class="ocr_page" title="bbox 0 0 100 150"><span class="ocr_line" title="bbox 10 10 40 20">${word}</span></div>`;

let library: LibraryFolder;
let app: RunningApp;
const reader = { headers: { 'x-roles': 'reader' } };

beforeAll(async () => {
  library = makeLibraryFolder();
  const page = await jpegOf(1000, 1500);
  for (const name of ['a', 'b', 'c', 'd']) library.write(`book/${name}.jpg`, page);
  library.write(
    'book/alto/a.xml',
    altoOf([
      ['Look', 100, 200, 80, 40],
      ['closely', 200, 200, 120, 40],
    ]),
  );
  library.write('book/b.txt', 'one\ntwo');
  library.write(
    'book/c.hocr',
    '<div class="ocr_page" title="bbox 0 0 1000 1500"><span class="ocr_line">words</span></div>',
  );
  const scan = await tiffOf(3, 100, 150);
  for (const name of ['book', 'hocr', 'own', 'plain', 'torn']) library.write(`plates/${name}.tif`, scan);
  const first = altoOf([['leaf', 10, 20, 30, 8]], { width: 100, height: 150 });
  const second = altoOf([['root', 10, 40, 30, 8]], { width: 100, height: 150 });
  library.write('plates/book.xml', first.replace('</Layout>', `${pageIn(second)}</Layout>`));
  library.write('plates/hocr.hocr', ['petal', 'seed'].map(hocrPage).join('\n'));
  library.write('plates/own;2.xml', second);
  library.write('plates/own_3.txt', 'by the root');
  library.write('plates/plain.txt', 'one\ftwo');
  library.write('plates/torn.xml', first.slice(0, -30));
  library.write('closed/a.jpg', page);
  library.write('closed/a.txt', 'closed words');
  app = await startApp({
    library: { folders: [library.root] },
    http: { contextPath: '/digilib', trustedProxies: ['127.0.0.1'] },
    access: {
      rolesHeader: 'x-roles',
      paths: [
        { path: 'closed', roles: ['reader'] },
        { path: 'plates/own_3.txt', roles: ['reader'] },
      ],
    },
  });
});
afterAll(async () => {
  await app.close();
  library.remove();
});

const jsonAt = async (address: string) => JSON.parse((await app.get(address.replace(app.url, ''))).body.toString());

const base = (): string => `${app.url}/digilib`;

describe('a manifest', () => {
  it('of version 3 offers the file of each text, its plain text, and its lines', async () => {
    const { items } = await jsonAt('/digilib/presentation/3/book/manifest.json');
    expect(
      items.map(({ seeAlso, rendering, annotations }: Record<string, unknown>) => ({
        seeAlso,
        rendering,
        annotations,
      })),
    ).toEqual([
      {
        seeAlso: [
          {
            id: `${base()}/api/text/book/a.jpg.xml`,
            type: 'Dataset',
            label: { none: ['ALTO'] },
            format: 'application/xml',
            profile: 'http://www.loc.gov/standards/alto/ns-v4#',
          },
        ],
        rendering: [
          expect.objectContaining({ id: `${base()}/api/text/book/a.jpg.txt`, type: 'Text', format: 'text/plain' }),
        ],
        annotations: [
          expect.objectContaining({ id: `${base()}/presentation/3/book/text/a-jpg`, type: 'AnnotationPage' }),
        ],
      },
      {
        rendering: [expect.objectContaining({ id: `${base()}/api/text/book/b.jpg.txt` })],
        annotations: [expect.objectContaining({ type: 'AnnotationPage' })],
      },
      {
        seeAlso: [expect.objectContaining({ id: `${base()}/api/text/book/c.jpg.html`, format: 'text/html' })],
        rendering: [expect.objectContaining({ type: 'Text' })],
        annotations: [expect.objectContaining({ type: 'AnnotationPage' })],
      },
      {},
    ]);
    for (const { seeAlso = [], rendering = [], annotations = [] } of items) {
      for (const { id } of [...seeAlso, ...rendering, ...annotations]) {
        expect((await app.get(id.replace(app.url, ''))).status, id).toBe(200);
      }
    }
  });

  it('of version 2 offers the same', async () => {
    const { sequences } = await jsonAt('/digilib/presentation/2/book/manifest.json');
    const [first] = sequences[0].canvases;
    expect(first.seeAlso).toEqual({
      '@id': `${base()}/api/text/book/a.jpg.xml`,
      label: 'ALTO',
      format: 'application/xml',
      profile: 'http://www.loc.gov/standards/alto/ns-v4#',
    });
    expect(first.rendering).toMatchObject({ '@id': `${base()}/api/text/book/a.jpg.txt`, format: 'text/plain' });
    expect(first.otherContent).toEqual([
      { '@id': `${base()}/presentation/2/book/text/a-jpg`, '@type': 'sc:AnnotationList', label: 'Text' },
    ]);
  });
});

describe('a manifest of images with several pages', () => {
  const canvases = async (version: 2 | 3, options = {}) => {
    const { body } = await app.get(`/digilib/presentation/${version}/plates/manifest.json`, options);
    const manifest = JSON.parse(body.toString());
    return version === 3 ? manifest.items : manifest.sequences[0].canvases;
  };
  const nameOf = (id: string): string => decodeURIComponent(id.split('/').at(-1) ?? '');

  it('offers the text of each page that has one, at addresses that give it', async () => {
    const items = (await canvases(3)).filter(({ rendering }: { rendering?: unknown }) => rendering !== undefined);
    interface Offered {
      readonly id: string;
      readonly rendering: readonly { readonly id: string }[];
      readonly annotations: readonly { readonly id: string }[];
    }
    const texts = items.map(async ({ id, rendering, annotations }: Offered) => {
      const plain = await app.get(rendering[0]?.id.replace(app.url, '') ?? '');
      const lines = await jsonAt(annotations[0]?.id ?? '');
      return [nameOf(id), plain.body.toString().trim(), lines.items[0]?.body.value];
    });
    expect(await Promise.all(texts)).toEqual([
      ['book-tif', 'leaf', 'leaf'],
      ['book-tif;2', 'root', 'root'],
      ['hocr-tif', 'petal', 'petal'],
      ['hocr-tif;2', 'seed', 'seed'],
      ['own-tif;2', 'root', 'root'],
      ['plain-tif', 'one', 'one'],
      ['plain-tif;2', 'two', 'two'],
      ['torn-tif', expect.anything(), undefined],
    ]);
    for (const { seeAlso = [] } of items) {
      for (const { id } of seeAlso) expect((await app.get(id.replace(app.url, ''))).status, id).toBe(200);
    }
  });

  it('offers the same in version 2', async () => {
    const named = async (version: 2 | 3): Promise<readonly string[]> =>
      (await canvases(version)).flatMap((canvas: Record<string, string>) =>
        canvas['rendering'] === undefined ? [] : [nameOf(canvas['id'] ?? canvas['@id'] ?? '')],
      );
    expect(await named(2)).toEqual(await named(3));
  });

  it('offers the text of a page to those who may read it', async () => {
    const ofThird = async (options = {}) =>
      (await canvases(3, options)).find(({ id }: { id: string }) => nameOf(id) === 'own-tif;3');
    expect(await ofThird()).not.toHaveProperty('rendering');
    expect(await ofThird(reader)).toHaveProperty('rendering');
  });
});

describe('the lines of a page', () => {
  it('are a page of supplementing annotations in version 3', async () => {
    const { type, items } = await jsonAt('/digilib/presentation/3/book/text/a-jpg');
    expect(type).toBe('AnnotationPage');
    expect(items).toEqual([
      {
        id: `${base()}/presentation/3/book/text/a-jpg#1`,
        type: 'Annotation',
        motivation: 'supplementing',
        textGranularity: 'line',
        body: { type: 'TextualBody', value: 'Look closely', format: 'text/plain', language: 'en' },
        target: expect.objectContaining({
          type: 'SpecificResource',
          selector: expect.objectContaining({ type: 'FragmentSelector', value: 'xywh=100,200,220,40' }),
        }),
      },
    ]);
  });

  it('are a list of content as text in version 2', async () => {
    const { '@type': type, resources } = await jsonAt('/digilib/presentation/2/book/text/a-jpg');
    expect(type).toBe('sc:AnnotationList');
    expect(resources).toEqual([
      expect.objectContaining({
        motivation: 'sc:painting',
        resource: expect.objectContaining({ '@type': 'cnt:ContentAsText', chars: 'Look closely', language: 'en' }),
        on: `${base()}/presentation/2/book/canvas/a-jpg#xywh=100,200,220,40`,
      }),
    ]);
  });

  it('of plain text are about the whole canvas, and there are none of a page without a text', async () => {
    const { items } = await jsonAt('/digilib/presentation/3/book/text/b-jpg');
    expect(items.map(({ target }: { target: unknown }) => target)).toEqual(
      Array(2).fill(`${base()}/presentation/3/book/canvas/b-jpg`),
    );
    expect((await jsonAt('/digilib/presentation/3/book/text/d-jpg')).items).toEqual([]);
  });

  it('of a closed image are for those who may see it', async () => {
    const address = '/digilib/presentation/3/closed/text/a-jpg';
    expect((await app.get(address)).status).toBe(401);
    const open = await app.get(address, reader);
    expect([open.status, open.body.toString()]).toEqual([200, expect.stringContaining('closed words')]);
  });
});
