import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from 'vitest';
import type { SettingsInput } from '../../src/app/settings/settings.ts';
import { goldenFolders, type ReceivedResponse, type RunningApp, startApp } from './running-app.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-effects-'));
const pixel = sharp({ create: { width: 2, height: 2, channels: 3, background: '#a00' } });
const pictures = { gif: 'image/gif', jpeg: 'image/jpeg', webp: 'image/webp', png: 'image/png' } as const;

beforeAll(async () => {
  // The media type is derived from the bytes, not from the name.
  for (const format of Object.keys(pictures)) {
    writeFileSync(
      path.join(scratch, `${format}.bin`),
      await pixel
        .clone()
        .toFormat(format as 'gif')
        .toBuffer(),
    );
  }
  const folder = path.join(scratch, 'scans/a~b');
  mkdirSync(folder, { recursive: true });
  for (const name of ['one', 'two', 'x~y']) {
    cpSync(path.join(goldenFolders[0] ?? '', 'photos/tiny100x80.jpg'), path.join(folder, `${name}.jpg`));
  }
});

const apps: RunningApp[] = [];
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});
afterAll(() => rmSync(scratch, { recursive: true }));

async function start(settings: SettingsInput): Promise<RunningApp> {
  const app = await startApp(settings);
  apps.push(app);
  return app;
}

const jsonOf = ({ body }: ReceivedResponse): Record<string, unknown> => JSON.parse(body.toString());

describe('errorPictures', () => {
  test.each(Object.entries(pictures))('a file of %s is sent as %s', async (format, mediaType) => {
    const app = await start({ digilib: { errorPictures: { notFound: path.join(scratch, `${format}.bin`) } } });
    const { status, headers, body } = await app.get('/Scaler?fn=none&dw=10');
    expect([status, headers['content-type']]).toEqual([404, mediaType]);
    expect((await sharp(body).metadata()).format).toBe(format);
  });

  it('the other error pictures stay the default ones', async () => {
    const app = await start({ digilib: { errorPictures: { notFound: path.join(scratch, 'gif.bin') } } });
    const { status, headers } = await app.get('/Scaler?fn=photos/tiny100x80');
    expect([status, headers['content-type']]).toEqual([400, 'image/png']);
  });
});

describe('defaultErrorForm', () => {
  test.each<['image' | 'text' | 'code', string, string, boolean]>([
    ['image', '', 'image/png', true],
    ['text', '', 'text/plain; charset=utf-8', true],
    ['code', '', '', false],
    ['code', '&mo=errimg', 'image/png', true],
    ['text', '&mo=errcode', '', false],
  ])('%s, requested with “%s”', async (defaultErrorForm, query, mediaType, hasBody) => {
    const { status, headers, body } = await (await start({ digilib: { defaultErrorForm } })).get(
      `/Scaler?fn=none&dw=9${query}`,
    );
    expect([status, headers['content-type'] ?? '', body.length > 0]).toEqual([404, mediaType, hasBody]);
  });
});

describe('defaultQuality', () => {
  const address = '/Scaler?fn=photos/odd1201x799&dw=200&mo=png,hires';

  test.each([0, 1, 2, 3] as const)('%d has the effect of the option in every request', async (defaultQuality) => {
    const app = await start({ digilib: { defaultQuality } });
    const bodies = await Promise.all(
      ['', ',q0', ',q1', ',q2', ',q3'].map(async (option) => (await app.get(`${address}${option}`)).body),
    );
    const [own, ...others] = bodies;
    expect(others.map((other) => own?.equals(other))).toEqual(
      [0, 1, 2, 3].map((quality) => quality === defaultQuality),
    );
  });
});

describe('iiifPrefix', () => {
  it('replaces IIIF after Scaler and Manifester', async () => {
    const app = await start({ iiif: { prefix: 'pictures' } });
    for (const [address, status] of [
      ['/Scaler/pictures/photos!tiny100x80/info.json', 200],
      ['/servlet/Scaler/pictures/3/photos!tiny100x80/info.json', 200],
      ['/Manifester/pictures/photos/manifest', 200],
      ['/Manifester/pictures/3/photos', 200],
      ['/iiif/3/photos!tiny100x80/info.json', 200],
      ['/Scaler/IIIF/photos!tiny100x80/info.json', 404],
      ['/Manifester/IIIF/photos/manifest', 404],
    ] as const) {
      expect((await app.get(address)).status, address).toBe(status);
    }
    expect(jsonOf(await app.get('/Manifester/pictures/photos'))['@id']).toBe(
      `${app.url}/Manifester/pictures/photos/manifest`,
    );
  });
});

describe('iiifSlash', () => {
  it('represents slashes in all identifiers, and an exclamation mark represents itself', async () => {
    const app = await start({ iiif: { slash: '~' } });
    for (const [address, status] of [
      ['/iiif/3/photos~tiny100x80/info.json', 200],
      ['/iiif/2/photos~tiny100x80/full/50,/0/default.jpg', 200],
      ['/iiif/3/photos%2Ftiny100x80/info.json', 200],
      ['/iiif/3/photos!tiny100x80/info.json', 404],
      ['/Manifester/IIIF/books~book1/manifest', 200],
      ['/Manifester/IIIF/books!book1/manifest', 404],
      ['/presentation/3/books~book1/manifest.json', 200],
    ] as const) {
      expect((await app.get(address)).status, address).toBe(status);
    }
    const id = `${app.url}/iiif/3/photos~tiny100x80`;
    expect(jsonOf(await app.get('/iiif/3/photos~tiny100x80/info.json'))['id']).toBe(id);
    expect((await app.get('/')).body.toString()).toContain('&quot;iiifSlash&quot;:&quot;~&quot;');
  });

  it.each(['~', '$', '__', '!'])(
    '“%s”: every address of a manifest answers, also where names hold the mark',
    async (iiifSlash) => {
      const app = await start({ iiif: { slash: iiifSlash }, library: { folders: [path.join(scratch, 'scans')] } });
      for (const start of ['/presentation/3/a~b/manifest.json', '/Manifester/IIIF/3/a%7Eb']) {
        const { body, status } = await app.get(start);
        expect(status).toBe(200);
        const manifest = JSON.parse(body.toString());
        const services: string[] = manifest.items.map(
          (canvas: { items: { items: { body: { service: { id: string }[] } }[] }[] }) =>
            canvas.items[0]?.items[0]?.body.service[0]?.id,
        );
        expect(services).toHaveLength(3);
        for (const address of [manifest.id, manifest.items[2].id, ...services.map((id) => `${id}/info.json`)]) {
          expect((await app.get(address.slice(app.url.length))).status, address).toBe(200);
        }
      }
    },
  );
});

describe('pageLabels', () => {
  it.each([
    ['name', ['one', 'two', 'x~y']],
    ['number', ['1', '2', '3']],
  ] as const)('%s', async (pageLabels, expected) => {
    const app = await start({ iiif: { pageLabels }, library: { folders: [path.join(scratch, 'scans')] } });
    const third = jsonOf(await app.get('/presentation/3/a~b/manifest.json'))['items'] as {
      label: { none: string[] };
    }[];
    expect(third.map(({ label }) => label.none[0])).toEqual(expected);
    const second = jsonOf(await app.get('/Manifester/IIIF/2/a~b'))['sequences'] as { canvases: { label: string }[] }[];
    expect(second[0]?.canvases.map(({ label }) => label)).toEqual(expected);
  });

  it('a label of the metadata takes precedence', async () => {
    const folder = path.join(scratch, 'labeled');
    mkdirSync(path.join(folder, 'book'), { recursive: true });
    for (const name of ['1', '2']) {
      cpSync(path.join(goldenFolders[0] ?? '', 'photos/tiny100x80.jpg'), path.join(folder, `book/p${name}.jpg`));
    }
    writeFileSync(path.join(folder, 'book/metadata.yaml'), 'pages:\n  p1.jpg: Cover\n');
    const app = await start({ iiif: { pageLabels: 'number' }, library: { folders: [folder] } });
    const pages = jsonOf(await app.get('/presentation/3/book/manifest.json'))['items'] as { label: object }[];
    expect(pages.map(({ label }) => label)).toEqual([{ none: ['Cover'] }, { none: ['2'] }]);
  });
});
