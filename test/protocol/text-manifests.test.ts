/** Texts of pages in manifests of both versions: the file, plain text, and the lines as annotations, for callers who may see the image. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { altoOf, jpegOf, type LibraryFolder, makeLibraryFolder } from '../fixtures/page-texts.ts';
import { type RunningApp, startApp } from './running-app.ts';

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
  library.write('closed/a.jpg', page);
  library.write('closed/a.txt', 'closed words');
  app = await startApp({
    library: { folders: [library.root] },
    http: { contextPath: '/digilib', trustedProxies: ['127.0.0.1'] },
    access: { rolesHeader: 'x-roles', paths: [{ path: 'closed', roles: ['reader'] }] },
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
