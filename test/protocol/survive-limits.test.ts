/** Regions without pixels and pictures beyond the limits (survive.md, "Input"). */
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { base, expectDiscreet, type LibraryWithSecrets, makeLibrary, picture } from './library-with-secrets.ts';
import { type RunningApp, startApp } from './running-app.ts';

let library: LibraryWithSecrets;
/** Enlarges as much as the other limits allow. */
let app: RunningApp;
let plain: RunningApp;
let small: RunningApp;
let bounded: RunningApp;

beforeAll(async () => {
  library = await makeLibrary();
  library.write('wide.png', await picture('png', 17_000, 20));
  library.write('wider.png', await picture('png', 66_000, 4));
  const settings = { library: { folders: [library.root] }, http: { contextPath: base } };
  app = await startApp({ ...settings, limits: { maxUpscale: 1_000_000 } });
  plain = await startApp(settings);
  small = await startApp({ ...settings, limits: { maxArea: 1000 } });
  bounded = await startApp({ ...settings, limits: { maxUpscale: 2 } });
});

afterAll(async () => {
  await Promise.all([app.close(), plain.close(), small.close(), bounded.close()]);
  library.remove();
});

async function expectRefused(path: string, server: RunningApp = app): Promise<void> {
  const start = performance.now();
  const answer = await server.get(`${base}/${path}`);
  expect(answer.status, path).toBe(400);
  expect(performance.now() - start, path).toBeLessThan(1000);
  expectDiscreet(answer, library);
}

async function sizeOf(path: string, server: RunningApp = app): Promise<{ width: number; height: number }> {
  const answer = await server.get(`${base}/${path}`);
  expect(answer.status, path).toBe(200);
  const { width, height } = await sharp(answer.body).metadata();
  return { width, height };
}

describe('a region', () => {
  const areas = [
    'ww=0',
    'wh=0',
    'ww=-1',
    'wh=-0.5',
    'wx=1',
    'wy=1',
    'wx=1.5',
    'wx=-1',
    'wy=-3',
    'wx=0.99999',
    'ww=1e-9',
  ];
  const modes = ['', '&mo=squeeze', '&mo=crop', '&mo=fill', '&mo=ascale&scale=0.5', '&mo=lores'];

  it('of digilib without a pixel of the image is 400 in every mode', async () => {
    for (const area of areas) {
      for (const mode of modes) {
        // With dw and dh, mo=ascale takes the area's size from them: ww and wh don't count.
        if (mode.includes('ascale') && /^w[wh]/.test(area)) continue;
        await expectRefused(`Scaler?fn=plain.jpg&dw=30&dh=30&${area}${mode}`);
      }
    }
  });

  it('of digilib in pixels without a pixel of the image is 400', async () => {
    for (const area of ['wx=60&wh=9', 'wy=40&ww=9', 'ww=0&wh=9', 'ww=9&wh=-5', 'wx=-100&ww=50&wh=9', 'ww=0.2&wh=9']) {
      await expectRefused(`Scaler?fn=plain.jpg&dw=30&dh=30&mo=pxarea&${area}`);
    }
  });

  it('of IIIF without a pixel of the image is 400 in every version', async () => {
    for (const region of [
      '0,0,0,10',
      '0,0,10,0',
      '60,0,10,10',
      '0,40,10,10',
      '5000,5000,1,1',
      '-1,0,10,10',
      '0,0,-5,5',
    ]) {
      for (const version of [1, 2, 3]) await expectRefused(`iiif/${version}/plain.jpg/${region}/10,/0/default.jpg`);
    }
    for (const region of [
      'pct:0,0,0,0',
      'pct:100,0,10,10',
      'pct:0,100,10,10',
      'pct:-5,0,10,10',
      'pct:0,0,10',
      'pct:200,200,1,1',
    ]) {
      for (const version of [1, 2, 3]) await expectRefused(`iiif/${version}/plain.jpg/${region}/10,/0/default.jpg`);
    }
  });

  it('whose picture would have no pixels is 400', async () => {
    for (const query of [
      '',
      'dw=0&dh=0',
      'dw=-5',
      'dw=1',
      'dw=5&ws=0',
      'dw=5&ws=-1',
      'dw=0&dh=-1',
      'mo=ascale&scale=0',
      'mo=ascale&scale=-1',
    ]) {
      await expectRefused(`Scaler?fn=plain.jpg&${query}`);
    }
    for (const size of ['0,', ',0', '0,0', '!0,0', 'pct:0', 'pct:-1', ','])
      await expectRefused(`iiif/2/plain.jpg/full/${size}/0/default.jpg`);
  });
});

describe('a picture over 100 megapixels', () => {
  it('is 400 in every mode of digilib', async () => {
    for (const query of [
      'dw=100000&dh=100000&mo=squeeze',
      'dw=100000',
      'dh=100000',
      'dw=2147483647&dh=2147483647',
      'dw=20000&dh=20000&mo=fill',
      'dw=20000&dh=20000&mo=crop,png',
      'dw=10001&dh=10000&mo=squeeze,png',
      'mo=ascale&scale=1000',
      'dw=50&ws=1000',
      'dw=9999&dh=9999&mo=squeeze,png&rot=45',
    ]) {
      await expectRefused(`Scaler?fn=plain.jpg&${query}`);
    }
  });

  it('is 400 in every version of IIIF', async () => {
    for (const size of ['20000,20000', '100000,', ',100000', 'pct:100000', '!50000,50000', '9999999999,9999999999']) {
      for (const version of [1, 2]) await expectRefused(`iiif/${version}/plain.jpg/full/${size}/0/default.jpg`);
      await expectRefused(`iiif/3/plain.jpg/full/^${size}/0/default.jpg`);
    }
    await expectRefused('iiif/2/plain.jpg/full/9999,9999/45/default.png');
  });
});

describe('a picture with a side that its format can’t hold', () => {
  it('is 400 for JPEG over 65535 and WebP over 16383', async () => {
    await expectRefused('Scaler?fn=plain.jpg&dw=65536&dh=4&mo=squeeze,jpg');
    await expectRefused('Scaler?fn=plain.jpg&dw=4&dh=65536&mo=squeeze,jpg');
    await expectRefused('Scaler?fn=plain.jpg&dw=16384&dh=4&mo=squeeze,webp');
    await expectRefused('Scaler?fn=plain.jpg&dw=4&dh=16384&mo=squeeze,webp');
    await expectRefused('iiif/2/plain.jpg/full/65536,4/0/default.jpg');
    await expectRefused('iiif/3/plain.jpg/full/^16384,4/0/default.webp');
  });

  it('is 400 too if only the encoder refuses it, and the image is not reported as damaged', async () => {
    for (const side of [65_501, 65_535]) {
      const answer = await app.get(`${base}/Scaler?fn=plain.jpg&dw=${side}&dh=4&mo=squeeze,jpg,errtxt`);
      expect(answer.status, answer.headers['content-type']).toBe(400);
    }
  });

  it('is made up to that limit', async () => {
    expect(await sizeOf('Scaler?fn=plain.jpg&dw=65500&dh=4&mo=squeeze,jpg')).toEqual({ width: 65_500, height: 4 });
    expect(await sizeOf('Scaler?fn=plain.jpg&dw=16383&dh=4&mo=squeeze,webp')).toEqual({ width: 16_383, height: 4 });
    expect(await sizeOf('Scaler?fn=plain.jpg&dw=400000&dh=2&mo=squeeze,png')).toEqual({ width: 400_000, height: 2 });
  });

  it('is reduced to the format’s limit for IIIF’s max', async () => {
    for (const size of ['max', '^max']) {
      const webp = await sizeOf(`iiif/3/wide.png/full/${size}/0/default.webp`);
      expect(webp.width).toBeLessThanOrEqual(16_383);
      const jpeg = await sizeOf(`iiif/3/wider.png/full/${size}/0/default.jpg`);
      expect(jpeg.width).toBeLessThanOrEqual(65_535);
    }
    for (const version of [1, 2]) {
      expect((await sizeOf(`iiif/${version}/wide.png/full/full/0/default.webp`)).width).toBeLessThanOrEqual(16_383);
    }
  });
});

describe('configured limits', () => {
  it('on the area apply to all requests, and IIIF’s max is reduced to them', async () => {
    await expectRefused('Scaler?fn=plain.jpg&dw=60', small);
    await expectRefused('iiif/3/plain.jpg/full/60,/0/default.jpg', small);
    await expectRefused('iiif/2/plain.jpg/full/pct:100/0/default.jpg', small);
    for (const path of [
      'iiif/1/plain.jpg/full/full/0/default.jpg',
      'iiif/2/plain.jpg/full/max/0/default.jpg',
      'iiif/2/plain.jpg/full/full/0/default.jpg',
      'iiif/3/plain.jpg/full/max/0/default.jpg',
      'iiif/3/plain.jpg/full/^max/0/default.jpg',
      'iiif/3/plain.jpg/0,0,50,40/max/0/default.jpg',
    ]) {
      const { width, height } = await sizeOf(path, small);
      expect(width * height, path).toBeLessThanOrEqual(1000);
      expect(width * height, path).toBeGreaterThan(900);
    }
    for (const version of [2, 3]) {
      const info = await small.get(`${base}/iiif/${version}/plain.jpg/info.json`);
      expect(info.body.toString('utf8')).toMatch(/"maxArea": 1000\b/);
    }
  });

  it('on the area admit IIIF’s max also when it is rotated', async () => {
    const { width, height } = await sizeOf('iiif/3/plain.jpg/full/max/45/default.jpg', small);
    expect(width).toBeGreaterThan(10);
    expect(height).toBeGreaterThan(10);
  });

  it('on enlarging are four times the sides of the image by default for IIIF, as info.json says, and the Scaler has none', async () => {
    await expectRefused('iiif/3/plain.jpg/full/^241,/0/default.jpg', plain);
    expect((await sizeOf('iiif/3/plain.jpg/full/^max/0/default.jpg', plain)).width).toBe(240);
    expect((await sizeOf('Scaler?fn=plain.jpg&dw=1000&rot=90', plain)).height).toBe(1000);
    for (const version of [2, 3]) {
      const info = await plain.get(`${base}/iiif/${version}/plain.jpg/info.json`);
      expect(info.body.toString()).toMatch(/"maxWidth": 240,\s+"maxHeight": 160,/);
    }
  });

  it('on enlarging apply to all requests', async () => {
    await expectRefused('Scaler?fn=plain.jpg&dw=121', bounded);
    await expectRefused('Scaler?fn=plain.jpg&dw=30&dh=81&mo=squeeze', bounded);
    await expectRefused('iiif/2/plain.jpg/full/121,/0/default.jpg', bounded);
    await expectRefused('iiif/3/plain.jpg/0,0,10,10/^121,/0/default.jpg', bounded);
    expect((await sizeOf('iiif/3/plain.jpg/0,0,10,10/^80,/0/default.jpg', bounded)).width).toBe(80);
    expect((await sizeOf('iiif/3/plain.jpg/full/^max/0/default.jpg', bounded)).width).toBe(120);
    const info = await bounded.get(`${base}/iiif/3/plain.jpg/info.json`);
    expect(JSON.parse(info.body.toString())).toMatchObject({ maxWidth: 120, maxHeight: 80 });
    expect((await sizeOf('Scaler?fn=plain.jpg&dw=120', bounded)).width).toBe(120);
  });
});
