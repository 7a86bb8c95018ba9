import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { picture } from './library-with-secrets.ts';
import { type ReceivedResponse, type RunningApp, startApp } from './running-app.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'lectern-annotations-'));
const write = (name: string, content: Buffer | string): void => {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  writeFileSync(path.join(folder, name), content);
};
const note = (value: string, id = ''): object => ({
  ...(id === '' ? {} : { id }),
  type: 'Annotation',
  motivation: 'commenting',
  body: { type: 'TextualBody', value },
  target: 'https://elsewhere.example/canvas/1#xywh=10,10,20,20',
});
const closedMeta =
  '<resource><meta><access-conditions><access type="group"><name>staff</name></access></access-conditions></meta></resource>';
const pageOf = (...items: readonly object[]): string => JSON.stringify({ type: 'AnnotationPage', items });

let app: RunningApp;
let guarded: RunningApp;

beforeAll(async () => {
  const image = await picture('jpeg', 60, 40);
  for (const name of ['a', 'b', 'c', 'd', 'broken']) write(`book/${name}.jpg`, image);
  write('book/a.jpg.annotations.json', pageOf(note('beside', 'urn:1')));
  write('book/a.annotations.json', `\uFEFF${pageOf(note('by the stem', 'urn:2'), note('repeated', 'urn:1'))}`);
  write('book/extra.json', pageOf(note('named')));
  write('book/broken.jpg.annotations.json', '{ no JSON');
  write('book/metadata.yaml', 'annotations:\n  b: extra.json\n  c.jpg: [extra.json, missing.json]\n');
  const pages = await Promise.all([30, 30].map((height) => picture('png', 40, height)));
  await sharp(pages, { join: { animated: true } })
    .tiff()
    .toFile(path.join(folder, 'book/leaf.tif'));
  write('book/leaf.tif;2.annotations.json', pageOf(note('second page')));
  write('closed/secret.jpg', image);
  write('closed/secret.jpg.annotations.json', pageOf(note('closed')));
  write('half/open.jpg', image);
  write('half/hidden.jpg', image);
  for (const name of ['open', 'hidden']) write(`half/${name}.jpg.annotations.json`, pageOf(note(name)));
  write('half/hidden.jpg.meta', closedMeta);
  app = await startApp({ library: { folders: [folder] } });
  guarded = await startApp({
    library: { folders: [folder] },
    access: { paths: [{ path: 'closed', roles: ['staff'] }], types: [{ type: 'staff', roles: ['staff'] }] },
  });
}, 60_000);
afterAll(async () => {
  await app?.close();
  await guarded?.close();
  rmSync(folder, { recursive: true });
});

interface Canvas {
  readonly id?: string;
  readonly '@id'?: string;
  readonly annotations?: readonly { readonly id: string }[];
  readonly otherContent?: readonly { readonly '@id': string }[];
}

const json = <T>({ body }: ReceivedResponse): T => JSON.parse(body.toString()) as T;

async function canvases3(from: RunningApp, name: string): Promise<readonly Canvas[]> {
  return json<{ items: readonly Canvas[] }>(await from.get(`/presentation/3/${name}/manifest.json`)).items;
}

const textsAt = async (from: RunningApp, address: string): Promise<readonly unknown[]> => {
  const answer = await from.get(address.replace(from.url, ''));
  expect(answer.status, address).toBe(200);
  const { items, resources } = json<{ items?: readonly never[]; resources?: readonly never[] }>(answer);
  return (items ?? resources ?? []).map(
    (item: { body?: { value: string }; resource?: { chars: string } }) => item.body?.value ?? item.resource?.chars,
  );
};

describe('annotations beside scans', () => {
  it('are listed by the manifests of both versions, for the pages that have some', async () => {
    const lists = (await canvases3(app, 'book')).map(({ id = '', annotations = [] }) => [
      id.split('/').at(-1),
      ...annotations.map((list) => list.id.replace(`${app.url}/presentation/3/book/`, '')),
    ]);
    expect(lists).toEqual([
      ['a-jpg', 'annotations/a-jpg'],
      ['b-jpg', 'annotations/b-jpg'],
      ['broken-jpg', 'annotations/broken-jpg'],
      ['c-jpg', 'annotations/c-jpg'],
      ['d-jpg'],
      ['leaf-tif'],
      ['leaf-tif%3B2', 'annotations/leaf-tif%3B2'],
    ]);
    const { sequences } = json<{ sequences: readonly { canvases: readonly Canvas[] }[] }>(
      await app.get('/Manifester/IIIF/book'),
    );
    const [first, , , , fifth] = sequences[0]?.canvases ?? [];
    expect(first?.otherContent).toEqual([
      {
        '@id': `${app.url}/Manifester/IIIF/book/annotations/a-jpg`,
        '@type': 'sc:AnnotationList',
        label: 'Annotations',
      },
    ]);
    expect(fifth).not.toHaveProperty('otherContent');
  });

  it.each([
    ['a-jpg', ['beside', 'by the stem']],
    ['b-jpg', ['named']],
    ['c-jpg', ['named']],
    ['leaf-tif;2', ['second page']],
    ['leaf-tif', []],
    ['d-jpg', []],
    ['broken-jpg', []],
  ])('are served at their addresses: %s', async (key, texts) => {
    for (const prefix of [
      '/presentation/3/book',
      '/presentation/2/book',
      '/Manifester/IIIF/book',
      '/Manifester/IIIF/3/book',
    ]) {
      expect(await textsAt(app, `${prefix}/annotations/${key}`)).toEqual(texts);
    }
  });

  it('have a tag, may be read by pages of any host, and say their media type', async () => {
    const path = '/presentation/3/book/annotations/a-jpg';
    const { headers } = await app.get(path);
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers['content-type']).toMatch(/^application\/json/);
    expect((await app.get(path, { headers: { 'if-none-match': headers.etag } })).status).toBe(304);
  });

  it('that change are served anew', async () => {
    write('book/d.jpg.annotations.json', pageOf(note('new')));
    await expect.poll(() => textsAt(app, '/presentation/3/book/annotations/d-jpg')).toEqual(['new']);
    rmSync(path.join(folder, 'book/d.jpg.annotations.json'));
  });

  it('are counted in folder.json by the pages that have some', async () => {
    const { images } = json<{ images: readonly { name: string; annotated: readonly number[] }[] }>(
      await app.get('/api/folder.json?fn=book'),
    );
    expect(
      images.filter(({ annotated }) => annotated.length > 0).map(({ name, annotated }) => [name, annotated]),
    ).toEqual([
      ['a.jpg', [1]],
      ['b.jpg', [1]],
      ['broken.jpg', [1]],
      ['c.jpg', [1]],
      ['leaf.tif', [2]],
    ]);
  });

  it('that can’t be read are reported once, and files that are not there too', async () => {
    await app.get('/presentation/3/book/annotations/broken-jpg');
    const lines = app.logLines.filter((line) => line.includes('broken.jpg.annotations.json'));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('The file holds no JSON');
    expect(app.logLines.filter((line) => line.includes('There is no file “missing.json”'))).toHaveLength(1);
  });

  it.each(['none-jpg', 'a', '..-jpg', '..%2F..%2Fbook%2Fa-jpg', 'extra-json'])(
    'of what is no page are not found: %s',
    async (key) => expect((await app.get(`/presentation/3/book/annotations/${key}`)).status).toBe(404),
  );
});

describe('annotations of closed images', () => {
  it('are refused like the image, and not listed', async () => {
    expect((await guarded.get('/iiif/3/half%2Fhidden.jpg/info.json')).status).toBe(401);
    for (const path of ['closed/annotations/secret-jpg', 'half/annotations/hidden-jpg']) {
      for (const prefix of ['/presentation/3/', '/presentation/2/']) {
        const answer = await guarded.get(prefix + path);
        expect(answer.status, path).toBe(401);
        expect(answer.body.toString()).not.toContain('hidden"');
      }
    }
    expect((await canvases3(guarded, 'half')).map(({ annotations }) => annotations?.length)).toEqual([1]);
    expect(await textsAt(guarded, '/presentation/3/half/annotations/open-jpg')).toEqual(['open']);
  });

  it('that are there and that are not give the same answer', async () => {
    const [there, missing] = await Promise.all(
      ['secret-jpg', 'nothing-jpg'].map((key) => guarded.get(`/presentation/3/closed/annotations/${key}`)),
    );
    expect(missing?.status).toBe(there?.status);
    expect(missing?.body.toString()).toBe(there?.body.toString().replaceAll('secret-jpg', 'nothing-jpg'));
  });
});
