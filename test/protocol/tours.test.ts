/** Guided views beside scans: served, listed in folders and manifests, written as annotations, and closed as texts are. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { picture } from './library-with-secrets.ts';
import { type RunningApp, startApp } from './running-app.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'lectern-tours-'));
const write = (name: string, content: Buffer | string): void => {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  writeFileSync(path.join(folder, name), content);
};
const closedMeta =
  '<resource><meta><access-conditions><access type="group"><name>staff</name></access></access-conditions></meta></resource>';

const short = {
  type: 'lectern-tour',
  version: 1,
  title: { en: 'A short tour', de: 'Kleine Führung' },
  summary: 'Three views.',
  steps: [
    { page: 'b.jpg', title: 'The second page', text: 'All of it.' },
    {
      page: 'a',
      view: 'wx=0.5&wy=0.25&ww=0.25&wh=0.5&rot=90',
      title: { en: 'A detail' },
      text: { en: 'Turned.\nLook.' },
    },
    { page: '/half/open.jpg', text: 'Another folder.' },
    { page: 'missing.jpg', text: 'Nowhere.' },
  ],
};

let app: RunningApp;
let guarded: RunningApp;

beforeAll(async () => {
  const image = await picture('jpeg', 60, 40);
  for (const name of ['a', 'b', 'c']) write(`book/${name}.jpg`, image);
  write('book/short.tour.json', JSON.stringify(short));
  write('book/broken.tour.json', '{ no JSON');
  write('book/empty.tour.json', '{"steps":[]}');
  write('plain/a.jpg', image);
  write('closed/secret.jpg', image);
  write(
    'closed/closed.tour.json',
    JSON.stringify({ title: 'Closed', steps: [{ page: 'secret.jpg', text: 'closed' }] }),
  );
  for (const name of ['open', 'hidden', 'small', 'covered']) write(`half/${name}.jpg`, image);
  write('half/hidden.jpg.meta', closedMeta);
  write('half/small.jpg.meta', closedMeta.replace('staff', 'reduced'));
  write('half/metadata.yaml', 'redactions: { covered.jpg: "0,0,30,40" }\n');
  const steps = [
    { page: 'hidden.jpg', text: 'of a hidden page' },
    { page: 'small.jpg', text: 'of a page in a tier without texts' },
    { page: 'covered.jpg', text: 'of all of a covered page' },
    { page: 'covered.jpg', view: 'wx=0.25&ww=0.5', text: 'of a covered part' },
    { page: 'covered.jpg', view: 'wx=0.6&ww=0.3', text: 'of a part beside it' },
    { page: 'open.jpg', text: 'open' },
  ];
  write('half/half.tour.json', JSON.stringify({ title: 'Half', steps }));
  write('half/none.tour.json', JSON.stringify({ title: 'Of what is hidden', steps: steps.slice(0, 2) }));
  app = await startApp({ library: { folders: [folder] } });
  guarded = await startApp({
    library: { folders: [folder] },
    http: { trustedProxies: ['127.0.0.1'] },
    access: {
      rolesHeader: 'X-Roles',
      tiers: [{ name: 'tiny', maxSide: 20, texts: false }],
      paths: [
        { path: 'closed', roles: ['staff'] },
        { path: 'half/small.jpg', roles: ['staff'], everyone: 'tiny' },
      ],
      types: [
        { type: 'group:staff', roles: ['staff'] },
        { type: 'group:reduced', roles: ['staff'], everyone: 'tiny' },
      ],
    },
  });
}, 60_000);
afterAll(async () => {
  await app?.close();
  await guarded?.close();
  rmSync(folder, { recursive: true });
});

type Json = Record<string, unknown>;

const json = async (address: string, on = app, headers = {}): Promise<Json> =>
  JSON.parse((await on.get(address, { headers })).body.toString());

const listed = async (name: string, on = app, headers = {}): Promise<unknown> =>
  (await json(`/api/folder.json?fn=${name}`, on, headers))['tours'];

const stepTexts = ({ steps }: Json): unknown => (steps as readonly Json[]).map(({ text }) => text);

describe('guided views beside scans', () => {
  it('are listed in their folder, in the language of the reader, without files that hold none', async () => {
    expect(await listed('book')).toEqual([
      { path: 'book/short.tour.json', title: 'A short tour', summary: 'Three views.', page: 'book/b.jpg', view: '' },
    ]);
    const german = await json('/api/folder.json?fn=book&lang=de');
    expect(german['tours']).toMatchObject([{ title: 'Kleine Führung' }]);
    expect(await json('/api/folder.json?fn=plain')).not.toHaveProperty('tours');
  });

  it('are served with those steps whose page there is', async () => {
    const { status, headers } = await app.get('/tours/book/short.tour.json');
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(await json('/tours/book/short.tour.json')).toEqual({
      ...short,
      folder: 'book',
      steps: short.steps.slice(0, 3),
    });
  });

  it('are one page of annotations in their order, with titles, texts and the parts of their canvases', async () => {
    const page = await json('/tours/book/short.annotations.json');
    const canvas = `${app.url}/presentation/3/book/canvas/`;
    expect(page).toMatchObject({
      id: `${app.url}/tours/book/short.annotations.json`,
      type: 'AnnotationPage',
      label: { en: ['A short tour'] },
      partOf: { id: `${app.url}/tours/book/short.collection.json`, type: 'AnnotationCollection', total: 3 },
    });
    const items = page['items'] as readonly Json[];
    expect(items.map(({ target }) => (target as Json)['source'])).toEqual([
      {
        id: `${canvas}b-jpg`,
        type: 'Canvas',
        partOf: [{ id: `${app.url}/presentation/3/book/manifest.json`, type: 'Manifest' }],
      },
      expect.objectContaining({ id: `${canvas}a-jpg` }),
      expect.objectContaining({ id: `${app.url}/presentation/3/half/canvas/open-jpg` }),
    ]);
    expect(items.map(({ target }) => ((target as Json)['selector'] as Json)['value'])).toEqual([
      'xywh=0,0,60,40',
      'xywh=30,10,15,20',
      'xywh=0,0,60,40',
    ]);
    expect(items[1]).toMatchObject({
      type: 'Annotation',
      motivation: 'commenting',
      label: { en: ['A detail'] },
      body: { type: 'TextualBody', value: 'A detail\n\nTurned.\nLook.', format: 'text/plain', language: 'en' },
      via: `${app.url}/view/book/a?wx=0.5&wy=0.25&ww=0.25&wh=0.5&rot=90`,
    });
  });

  it('are a collection of annotations with that page in it', async () => {
    const collection = await json('/tours/book/short.collection.json');
    const page = await json('/tours/book/short.annotations.json');
    expect(collection).toMatchObject({
      id: `${app.url}/tours/book/short.collection.json`,
      type: 'AnnotationCollection',
      total: 3,
      last: page['id'],
      first: { id: page['id'], type: 'AnnotationPage', items: page['items'] },
    });
  });

  it('are named by the manifest as files and as annotations, and each canvas has its steps', async () => {
    const manifest = await json('/presentation/3/book/manifest.json');
    expect(manifest['seeAlso']).toMatchObject([{ id: `${app.url}/tours/book/short.tour.json`, type: 'Dataset' }]);
    expect(manifest['annotations']).toMatchObject([
      { id: `${app.url}/tours/book/short.annotations.json`, type: 'AnnotationPage' },
    ]);
    const lists = (manifest['items'] as readonly Json[]).map(({ annotations }) => annotations);
    const list = `${app.url}/presentation/3/book/tours/`;
    expect(lists).toMatchObject([[{ id: `${list}a-jpg` }], [{ id: `${list}b-jpg` }], undefined]);
    const ofPage = await json('/presentation/3/book/tours/a-jpg');
    expect(ofPage['items']).toMatchObject([
      { body: { value: 'A detail\n\nTurned.\nLook.' }, target: { selector: { value: 'xywh=30,10,15,20' } } },
    ]);
    const older = await json('/presentation/2/book/manifest.json');
    expect(older['seeAlso']).toMatchObject([{ '@id': `${app.url}/tours/book/short.tour.json` }]);
    const { resources } = await json('/presentation/2/book/tours/a-jpg');
    expect(resources).toMatchObject([{ on: expect.stringContaining('canvas/a-jpg#xywh=30,10,15,20') }]);
  });

  it.each([
    '/tours/book/nowhere.tour.json',
    '/tours/book/broken.tour.json',
    '/tours/book/empty.tour.json',
    '/tours/book/short.json',
    '/tours/book/a.jpg',
    '/tours/book/.tour.json',
    '/tours/nowhere/short.tour.json',
    '/tours/%E0%A4%A.tour.json',
  ])('are not at other addresses: %s', async (address) => {
    expect((await app.get(address)).status).toBe(404);
  });
});

describe('guided views of what is closed', () => {
  const staff = { 'x-roles': 'staff' };

  it.each(['closed.tour.json', 'closed.annotations.json', 'closed.collection.json', 'other.tour.json'])(
    'are closed with their folder: %s',
    async (name) => {
      expect((await guarded.get(`/tours/closed/${name}`)).status).toBe(401);
    },
  );

  it('are for those who may see the folder', async () => {
    expect(stepTexts(await json('/tours/closed/closed.tour.json', guarded, staff))).toEqual(['closed']);
    const { headers } = await guarded.get('/tours/closed/closed.tour.json', { headers: staff });
    expect(headers['cache-control']).toMatch(/private|no-store/);
  });

  it('have no step about a page that is hidden, without texts, or covered where it looks', async () => {
    const texts = stepTexts(await json('/tours/half/half.tour.json', guarded));
    expect(texts).toEqual(['of a part beside it', 'open']);
    for (const form of ['annotations', 'collection']) {
      const { body } = await guarded.get(`/tours/half/half.${form}.json`);
      expect(body.toString()).not.toMatch(/hidden|tier|covered part|all of/);
    }
    const all = stepTexts(await json('/tours/half/half.tour.json', guarded, staff));
    expect(all).toContain('of a hidden page');
    expect(all).toContain('of a page in a tier without texts');
  });

  it('are neither listed nor served where no step is left', async () => {
    expect(await listed('half', guarded)).toEqual([
      { path: 'half/half.tour.json', title: 'Half', summary: '', page: 'half/covered.jpg', view: 'wx=0.6&ww=0.3' },
    ]);
    expect((await guarded.get('/tours/half/none.tour.json')).status).toBe(404);
    const manifest = (await guarded.get('/presentation/3/half/manifest.json')).body.toString();
    expect(manifest).not.toContain('none.tour.json');
    expect(manifest).not.toContain('Of what is hidden');
    expect(await listed('half', guarded, staff)).toHaveLength(2);
  });

  it('say nothing of a closed page on another page', async () => {
    expect((await guarded.get('/presentation/3/half/tours/hidden-jpg')).status).toBe(401);
    expect((await guarded.get('/presentation/3/half/tours/small-jpg')).status).toBe(401);
    const { items } = await json('/presentation/3/half/tours/covered-jpg', guarded);
    expect(items).toMatchObject([{ body: { value: 'of a part beside it' } }]);
  });
});
