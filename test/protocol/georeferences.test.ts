import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SettingsInput } from '../../src/app/settings/settings.ts';
import { picture } from './library-with-secrets.ts';
import { type RunningApp, startApp } from './running-app.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'lectern-georeferences-'));

const size = { width: 600, height: 400 };

const feature = (x: number, y: number, lon: number, lat: number): object => ({
  type: 'Feature',
  properties: { resourceCoords: [x, y], note: 'of 600 pixels' },
  geometry: { type: 'Point', coordinates: [lon, lat] },
});

/** In pixels of twice the size of the image, as of a service that has more of them. */
const georeference = {
  '@context': ['http://iiif.io/api/extension/georef/1/context.json', 'http://iiif.io/api/presentation/3/context.json'],
  type: 'Annotation',
  motivation: 'georeferencing',
  target: {
    type: 'SpecificResource',
    source: { id: 'https://elsewhere.example/iiif/3/map', type: 'ImageService3', width: 1200, height: 800 },
    selector: {
      type: 'SvgSelector',
      value: '<svg width="1200" height="800"><polygon points="0,0 1200,0 1200,800"/></svg>',
    },
  },
  body: {
    type: 'FeatureCollection',
    transformation: { type: 'polynomial', options: { order: 1 } },
    features: [feature(0, 0, 13, 52.6), feature(1200, 100, 13.6, 52.6), feature(200, 800, 13.1, 52.3)],
  },
};

const comment = { type: 'Annotation', motivation: 'commenting', body: { value: 'A word' }, target: 'x' };

const callers = { reader: '10.0.2.2', all: '10.0.4.4', nothing: '10.0.9.9' } as const;

let app: RunningApp;
let guarded: RunningApp;

beforeAll(async () => {
  for (const name of ['maps', 'covered']) {
    mkdirSync(path.join(folder, name));
    const scan = await picture('jpeg', size.width, size.height);
    for (const file of ['sheet', 'plain']) writeFileSync(path.join(folder, name, `${file}.jpg`), scan);
    const page = { type: 'AnnotationPage', items: [georeference, comment] };
    writeFileSync(path.join(folder, name, 'sheet.georef.json'), JSON.stringify(page));
  }
  writeFileSync(
    path.join(folder, 'covered/metadata.yaml'),
    'redactions:\n  sheet.jpg:\n    - { region: "10,10,50,50", roles: [all] }\n',
  );
  app = await startApp({ library: { folders: [folder] } });
  guarded = await startApp({
    library: { folders: [folder] },
    http: { trustedProxies: ['127.0.0.1'] },
    access: {
      tiers: [{ name: 'reader', maxSide: 150, texts: true }],
      addresses: [
        { address: '10.0.2', roles: ['reader'] },
        { address: '10.0.4', roles: ['all'] },
      ],
      paths: [
        { path: 'maps', roles: ['all'], tiers: [{ tier: 'reader', roles: ['reader'] }] },
        { path: 'covered', roles: ['all', 'reader'] },
      ],
    },
  });
}, 60_000);
afterAll(async () => {
  await app?.close();
  await guarded?.close();
  rmSync(folder, { recursive: true });
});

const list = '/presentation/3/maps/georef/sheet-jpg';

async function read(from: RunningApp, address: string, who?: keyof typeof callers) {
  const headers = who === undefined ? {} : { 'x-forwarded-for': callers[who] };
  const { status, body } = await from.get(address, { headers });
  return { status, json: status === 200 ? JSON.parse(body.toString()) : undefined };
}

const cardsOf = async (from: RunningApp, name: string, who?: keyof typeof callers) =>
  ((await read(from, `/api/folder.json?fn=${name}`, who)).json.images as { name: string; mapped?: number[] }[]).map(
    (card) => [card.name, card.mapped],
  );

describe('a georeference beside a scan', () => {
  it('is an annotation of the canvas, in pixels of the image, without the comments of its file', async () => {
    const { json } = await read(app, list);
    expect(json).toMatchObject({
      '@context': georeference['@context'],
      id: app.url + list,
      type: 'AnnotationPage',
      items: [
        {
          type: 'Annotation',
          motivation: 'georeferencing',
          body: {
            type: 'FeatureCollection',
            transformation: { type: 'polynomial', options: { order: 1 } },
            features: [
              { type: 'Feature', properties: { resourceCoords: [0, 0] }, geometry: { coordinates: [13, 52.6] } },
              { properties: { resourceCoords: [600, 50] } },
              { properties: { resourceCoords: [100, 400] } },
            ],
          },
          target: {
            type: 'SpecificResource',
            source: { id: `${app.url}/presentation/3/maps/canvas/sheet-jpg`, type: 'Canvas' },
            selector: {
              type: 'SvgSelector',
              value: '<svg width="600" height="400"><polygon points="0 0 600 0 600 400"/></svg>',
            },
          },
        },
      ],
    });
    expect(json.items).toHaveLength(1);
  });

  it('is listed by the manifest of version 3 and by the folder, for its page alone', async () => {
    const { json } = await read(app, '/presentation/3/maps/manifest.json');
    expect(json.items.map(({ annotations }: { annotations?: object }) => annotations)).toEqual([
      undefined,
      [
        {
          id: app.url + list,
          type: 'AnnotationPage',
          label: { en: ['Place on the map'], de: ['Lage auf der Karte'], fr: ['Situation sur la carte'] },
        },
      ],
    ]);
    expect(await cardsOf(app, 'maps')).toEqual([
      ['plain.jpg', undefined],
      ['sheet.jpg', [1]],
    ]);
    const old = await app.get('/presentation/2/maps/manifest.json');
    expect(old.body.toString()).not.toContain('georef');
    expect((await app.get('/presentation/2/maps/georef/sheet-jpg')).status).toBe(404);
    expect((await app.get('/presentation/3/maps/georef/none-jpg')).status).toBe(404);
    expect((await read(app, '/presentation/3/maps/georef/plain-jpg')).json.items).toEqual([]);
  });

  it('follows the rules of its image', async () => {
    expect((await read(guarded, list, 'nothing')).status).toBe(401);
    const whole = await read(guarded, list, 'all');
    expect(whole.json.items[0].body.features[1].properties).toEqual({ resourceCoords: [600, 50] });
  });

  it('is on the pixels of a tier, and tells no number of the whole image', async () => {
    const { json } = await read(guarded, list, 'reader');
    expect(json.items[0].body.features.map(({ properties }: { properties: object }) => properties)).toEqual([
      { resourceCoords: [0, 0] },
      { resourceCoords: [150, 12.5] },
      { resourceCoords: [25, 100] },
    ]);
    expect(JSON.stringify(json).replaceAll(guarded.url, '')).not.toMatch(/600|1200|800|polygon/);
  });

  it('is kept from those for whom something of the image is redacted', async () => {
    const covered = '/presentation/3/covered/georef/sheet-jpg';
    expect((await read(guarded, covered, 'all')).json.items).toHaveLength(1);
    expect((await read(guarded, covered, 'reader')).json.items).toEqual([]);
  });
});

describe('readingRoom.baseMap', () => {
  const tiles = 'https://tiles.example:8443/{z}/{x}/{y}.png';
  const policyOf = async (settings: SettingsInput) => {
    const other = await startApp({ library: { folders: [folder] }, ...settings });
    try {
      const { headers, body } = await other.get('/view/maps/sheet.jpg', { headers: { accept: 'text/html' } });
      return { policy: String(headers['content-security-policy']), page: body.toString() };
    } finally {
      await other.close();
    }
  };

  it('opens the page to pictures of the host of its tiles, and to no other', async () => {
    const attribution = 'Survey of "Example"';
    const { policy, page } = await policyOf({ readingRoom: { baseMap: { tiles, attribution, maxZoom: 17 } } });
    expect(policy).toContain("img-src 'self' blob: data: https://tiles.example:8443;");
    expect(policy).toContain("connect-src 'self';");
    expect(page).toContain(tiles);
  });

  it('is none by default', async () => {
    const { policy, page } = await policyOf({});
    expect(policy).toContain("img-src 'self' blob: data:;");
    expect(page).not.toContain('baseMap');
  });

  it.each([
    ['https://tiles.example/{z}/{x}.png', 'must be an address such as'],
    ['https://{x}.example/{z}/{x}/{y}.png', 'must be an address such as'],
    ['//tiles.example/{z}/{x}/{y}.png', 'must be an address such as'],
    ["https://tiles.example; script-src 'unsafe-inline'/{z}/{x}/{y}", 'must be an address such as'],
    ['https://tiles.example,other.example/{z}/{x}/{y}', 'must be an address such as'],
  ])('%s is refused', async (template, fault) => {
    const started = startApp({ readingRoom: { baseMap: { tiles: template, attribution: 'x' } } });
    await expect(started).rejects.toThrow(fault);
  });
});
