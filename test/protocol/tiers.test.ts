/** Tiers: callers who may see images smaller only get no pixel, size or word of the whole, at any endpoint. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import type { OutgoingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ReceivedResponse, type RunningApp, startApp } from './running-app.ts';

/** The whole images; a side of the small tier is an eighth, of the medium one a half. */
const [width, height] = [1000, 728];
const small = { width: 125, height: 91 };
const medium = { width: 500, height: 364 };

const folder = mkdtempSync(path.join(tmpdir(), 'lectern-tiers-'));
const at = (name: string): string => path.join(folder, name);

/** Black and white cells of so many pixels, which are gray wherever eight pixels are one. */
function checkerboard(cell: number): Sharp {
  const data = Buffer.alloc(width * height);
  for (let index = 0; index < data.length; index++) {
    const [x, y] = [index % width, Math.floor(index / width)];
    data[index] = (Math.floor(x / cell) + Math.floor(y / cell)) % 2 === 0 ? 0 : 255;
  }
  return sharp(data, { raw: { width, height, channels: 1 } }).withMetadata({ density: 300 });
}

const secretWord = 'Geheimnis';

const alto = `<alto xmlns="http://www.loc.gov/standards/alto/ns-v4#"><Layout><Page WIDTH="${width}" HEIGHT="${height}"><PrintSpace>
<TextBlock><TextLine HPOS="80" VPOS="160" WIDTH="400" HEIGHT="80">
<String CONTENT="${secretWord}" HPOS="80" VPOS="160" WIDTH="400" HEIGHT="80"/></TextLine></TextBlock>
</PrintSpace></Page></Layout></alto>`;

const annotation = JSON.stringify({
  type: 'Annotation',
  motivation: 'commenting',
  body: { type: 'TextualBody', value: secretWord },
  target: 'x#xywh=800,160,200,80',
});

async function makeLibrary(): Promise<void> {
  for (const name of ['book', 'open', 'typed']) mkdirSync(at(name));
  await checkerboard(1).png().toFile(at('book/fine.png'));
  await checkerboard(4).jpeg({ quality: 95 }).toFile(at('book/photo.jpg'));
  await checkerboard(4)
    .tiff({ compression: 'jpeg', quality: 95, tile: true, tileWidth: 128, tileHeight: 128, pyramid: true })
    .toFile(at('book/tiled.tif'));
  await checkerboard(1).rotate(90).jpeg({ quality: 95 }).withMetadata({ orientation: 6 }).toFile(at('book/turned.jpg'));
  writeFileSync(at('book/photo.xml'), alto);
  writeFileSync(at('book/fine.txt'), 'Wasser');
  writeFileSync(at('book/photo.annotations.json'), annotation);
  await checkerboard(4).jpeg().toFile(at('typed/kind.jpg'));
  writeFileSync(
    at('typed/kind.jpg.meta'),
    '<resource><meta><access-conditions><access type="group"><name>x</name></access></access-conditions></meta></resource>',
  );
  await checkerboard(4).jpeg().toFile(at('open/free.jpg'));
  symlinkSync('../book', at('open/link'));
}

const images = ['book/fine.png', 'book/photo.jpg', 'book/tiled.tif', 'book/turned.jpg'] as const;

const once = (name: string): string => encodeURIComponent(name).replaceAll('%2F', '/');
const bang = (name: string): string => once(name).replaceAll('/', '!');

const callers = {
  nothing: { 'x-forwarded-for': '10.0.9.9' },
  small: { 'x-forwarded-for': '10.0.1.1' },
  reader: { 'x-forwarded-for': '10.0.2.2' },
  medium: { 'x-forwarded-for': '10.0.3.3' },
  all: { 'x-forwarded-for': '10.0.4.4' },
} as const satisfies Record<string, OutgoingHttpHeaders>;

type Who = keyof typeof callers;

let app: RunningApp;
/** The same library, whose folder `book` everyone sees small. */
let publicApp: RunningApp;

const as = (who: Who, address: string, headers: OutgoingHttpHeaders = {}, method = 'GET') =>
  app.get(address, { method, headers: { ...callers[who], ...headers } });

const textOf = ({ body }: ReceivedResponse): string => body.toString('utf8');

const jsonOf = (answer: ReceivedResponse) => JSON.parse(textOf(answer));

const tiers = [
  { name: 'medium', maxSide: 500, documents: true, texts: true },
  { name: 'reader', maxSide: 125, documents: true, texts: true },
  { name: 'small', maxPixels: 125 * 91, formats: ['jpeg' as const] },
];

beforeAll(async () => {
  await makeLibrary();
  const common = {
    library: { folders: [folder], virtualFolders: [{ link: 'virtual', folder: at('book') }] },
    http: { trustedProxies: ['127.0.0.1'], explain: true },
    limits: { maxUpscale: 6 },
  };
  const addresses = ['small', 'reader', 'medium', 'all'].map((role, index) => ({
    address: `10.0.${index + 1}`,
    roles: [role],
  }));
  const grants = {
    roles: ['all'],
    tiers: [
      { tier: 'small', roles: ['small', 'medium'] },
      { tier: 'reader', roles: ['reader'] },
      { tier: 'medium', roles: ['medium'] },
    ],
  };
  app = await startApp({
    ...common,
    access: { tiers, addresses, paths: [{ path: 'book', ...grants }], types: [{ type: 'group:x', ...grants }] },
  });
  publicApp = await startApp({
    ...common,
    access: { tiers, addresses, paths: [{ path: 'book', roles: ['all'], everyone: 'small' }] },
  });
});

afterAll(async () => {
  await app.close();
  await publicApp.close();
  rmSync(folder, { recursive: true });
});

/** How far the brightest and the darkest pixel are from each other, without the edges, where kernels have less to average. */
async function contrastOf(body: Buffer): Promise<{ contrast: number; width: number; height: number }> {
  const { data, info } = await sharp(body)
    .flatten({ background: '#808080' })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  let [darkest, brightest] = [255, 0];
  const margin = Math.min(info.width, info.height) > 8 ? 2 : 0;
  for (let y = margin; y < info.height - margin; y++) {
    for (let x = margin; x < info.width - margin; x++) {
      const value = data[(y * info.width + x) * info.channels] ?? 0;
      darkest = Math.min(darkest, value);
      brightest = Math.max(brightest, value);
    }
  }
  return { contrast: brightest - darkest, width: info.width, height: info.height };
}

/** Beyond what encoders and kernels add to an even gray. */
const mostContrast = 40;

describe('pictures of a tier', () => {
  const requests: readonly string[] = [
    'full/max/0/default.jpg',
    'full/^512,/0/default.jpg',
    'full/^max/0/default.jpg',
    'full/64,/0/default.jpg',
    'full/124,/0/default.jpg',
    'full/90,/0/default.jpg',
    'full/!100,100/0/default.jpg',
    'full/125,40/0/default.jpg',
    'full/^40,400/0/default.jpg',
    'square/max/0/default.jpg',
    '0,0,16,16/max/0/default.jpg',
    '0,0,16,16/^256,/0/default.jpg',
    '17,33,40,50/max/0/gray.jpg',
    '17,33,40,50/37,/90/default.jpg',
    'pct:10,10,1.3,1.7/max/0/default.jpg',
    'pct:3.3,3.3,20,20/^400,400/22.5/default.jpg',
    'full/max/!180/default.jpg',
    'full/^300,/!45/default.jpg',
    'full/max/0/color.jpg',
    '124,90,1,1/^50,50/0/default.jpg',
  ];
  describe.each(images)('%s', (name) => {
    it.each(requests)('of IIIF show no more than the tier has: %s', async (request) => {
      const answer = await as('small', `/iiif/3/${bang(name)};tier=small/${request}`);
      expect([answer.status, answer.headers['content-type']]).toEqual([200, 'image/jpeg']);
      const { contrast } = await contrastOf(answer.body);
      // Other corners than those of the picture are black or white.
      if (!/22\.5|45/.test(request)) expect(contrast).toBeLessThan(mostContrast);
    });

    const queries: readonly string[] = [
      'dw=100',
      'dw=700',
      'dw=700&dh=700',
      'dw=100&mo=q0',
      'dw=700&mo=q0',
      'dw=77&mo=q1',
      'dw=600&mo=q2&ww=0.1&wh=0.1&wx=0.33',
      'mo=clip&dw=200&dh=200',
      'mo=clip,hires,q0&dw=700&dh=700&wx=0.2&wy=0.2',
      'mo=ascale&scale=1',
      'mo=ascale,q0&scale=0.5',
      'mo=ascale&scale=4&ww=0.2&wh=0.2',
      'mo=osize&ddpi=300&dw=500&dh=500',
      'mo=osize,hires&ddpi=300&dw=400&dh=300&wx=0.3&wy=0.3&ww=0.5&wh=0.5',
      'dw=200&mo=lores',
      'dw=200&mo=hires',
      'dw=300&dh=40&mo=fill',
      'dw=300&dh=40&mo=crop',
      'dw=300&dh=40&mo=squeeze',
      'dw=100&wx=0.501&wy=0.501&ww=0.01&wh=0.01',
      'dw=100&rot=90',
      'dw=100&mo=hmir,vmir',
      'dw=100&mo=jpg',
      'dw=100&cont=0.5&brgt=20',
      'dw=100&colop=GRAYSCALE',
    ];
    it.each(queries)('of the Scaler show no more than the tier has: %s', async (query) => {
      const answer = await as('small', `/Scaler?fn=${once(name)}&${query.replace(/mo=([^&]*)/, 'mo=$1,errtxt')}`);
      if (answer.status !== 200) expect(textOf(answer)).toBe('a picture');
      expect([answer.status, answer.headers['content-type']]).toEqual([200, 'image/jpeg']);
      expect((await contrastOf(answer.body)).contrast).toBeLessThan(mostContrast);
    });

    it('are whole for those who may see the whole', async () => {
      const whole = await as('all', `/iiif/3/${bang(name)}/100,100,200,200/max/0/default.jpg`);
      expect([whole.status, (await contrastOf(whole.body)).contrast > 150]).toEqual([200, true]);
    });
  });

  it('are sent from stored tiles where these have exactly its pixels', async () => {
    const explain = async (who: Who, image: string, request: string) =>
      textOf(await as(who, `/iiif/3/${image}/${request}/0/default.jpg?explain=1`));
    expect(await explain('all', 'book!tiled.tif', '0,0,128,128/max')).toMatch(
      /splice a stored tile", *\n *"text": "yes/,
    );
    const tile = await as('small', '/iiif/3/book!tiled.tif;tier=small/0,0,64,64/max/0/default.jpg');
    expect((await contrastOf(tile.body)).contrast).toBeLessThan(mostContrast);
  });
});

/** What would tell that there is more than a tier: true sizes, in any document or header. */
const wholeNumbers = new RegExp(`\\b(?:${width}|${height}|${width / 2}|${height / 2})\\b`);

const documents: Readonly<Record<string, (name: string) => string>> = {
  'dlInfo-json': (name) => `/api/dlInfo-json.jsp?fn=${once(name)}`,
  'dlInfo-xml': (name) => `/api/dlInfo-xml.jsp?fn=${once(name)}`,
  'ImgInfo-json': (name) => `/api/ImgInfo-json.jsp?fn=${once(name)}`,
  'dirInfo-json': (name) => `/api/dirInfo-json.jsp?fn=${once(name)}`,
  'dlContext-xml': (name) => `/api/dlContext-xml.jsp?fn=${once(name)}`,
  'Scaler info': (name) => `/Scaler?fn=${once(name)}&mo=info`,
  explanation: (name) => `/Scaler?fn=${once(name)}&dw=100&explain=1`,
  'explanation of a part': (name) => `/Scaler?fn=${once(name)}&dw=100&ww=0.2&wh=0.2&wx=0.2&explain=1`,
  'IIIF 3 info': (name) => `/iiif/3/${bang(name)};tier=small/info.json`,
  'IIIF 2 info': (name) => `/iiif/2/${bang(name)};tier=small/info.json`,
  'IIIF 1 info': (name) => `/iiif/1/${bang(name)};tier=small/info.json`,
  'IIIF explanation': (name) => `/iiif/3/${bang(name)};tier=small/full/max/0/default.jpg?explain=1`,
  'manifest 3': (name) => `/presentation/3/${path.dirname(name)}/manifest.json`,
  'manifest 2': (name) => `/presentation/2/${path.dirname(name)}/manifest.json`,
  Manifester: (name) => `/Manifester/IIIF/${bang(name)}/manifest`,
  'folder.json': (name) => `/api/folder.json?fn=${once(name)}`,
  'search.json': (name) => `/api/search.json?q=${path.basename(name).slice(0, 4)}&fn=${path.dirname(name)}`,
  'page of an image': (name) => `/view/${once(name)}`,
  'page of a folder': (name) => `/browse/${path.dirname(name)}`,
};

/** Names of the images that lead to the same rules. */
const aliases = [
  'book/photo.jpg',
  'book/photo',
  'book/photo.jpg;1',
  'BOOK/photo.jpg',
  './book//photo.jpg',
  'open/link/photo.jpg',
  'virtual/photo.jpg',
  'typed/kind.jpg',
  'book/tiled.tif',
  'book/fine.png',
  'book/turned.jpg',
];

describe.each(Object.entries(documents))('%s', (label, addressOf) => {
  it.each(aliases)('tells nothing of the whole of %s, also right after it was told', async (name) => {
    const address = addressOf(name);
    const whole = await as('all', address.replace(';tier=small', ''));
    const told = await as('small', address);
    expect([200, 404]).toContain(told.status);
    expect(`${textOf(told)} ${JSON.stringify({ ...told.headers, date: '', 'content-length': '' })}`).not.toMatch(
      wholeNumbers,
    );
    expect(textOf(told)).not.toContain(secretWord);
    if (told.status === 200) expect(told.headers['cache-control']).toMatch(/private|no-store/);
    const { etag } = whole.headers;
    if (etag !== undefined && whole.body.toString() !== told.body.toString()) {
      expect((await as('small', address, { 'if-none-match': etag })).status).not.toBe(304);
    }
    const nothing = await as('nothing', address);
    expect([label, textOf(nothing).match(/\b(?:125|91)\b/)?.[0]]).toEqual([label, undefined]);
  });
});

describe('identifiers of tiers', () => {
  const info = async (who: Who, identifier: string) => {
    const answer = await as(who, `/iiif/3/${identifier}/info.json`);
    return answer.status === 200 ? jsonOf(answer) : answer.status;
  };

  it('have an info.json with their own size, the same for all who may see it', async () => {
    const own = await info('small', 'book!photo;tier=small');
    expect(own).toMatchObject({ ...small, profile: 'level1', extraFormats: [], preferredFormats: ['jpg'] });
    expect(own.id).toMatch(/\/iiif\/3\/book!photo;tier=small$/);
    expect(await info('medium', 'book!photo;tier=small')).toEqual(own);
    expect(await info('all', 'book!photo;tier=small')).toEqual(own);
    expect(await info('medium', 'book!photo;tier=medium')).toMatchObject({ ...medium, profile: 'level2' });
    expect(await info('all', 'book!photo')).toMatchObject({ width, height });
  });

  it('advertise stored tiles, where these have exactly their pixels', async () => {
    const { tiles, sizes } = await info('medium', 'book!tiled.tif;tier=medium');
    expect([tiles[0].width, tiles[0].height]).toEqual([128, 128]);
    expect(sizes).toContainEqual(medium);
    const tile = '0,0,128,128/max/0/default.jpg';
    const own = await as('medium', `/iiif/3/book!tiled.tif;tier=medium/${tile}`);
    const ofWhole = await as('all', '/iiif/3/book!tiled.tif/0,0,256,256/128,/0/default.jpg');
    expect(own.body.equals(ofWhole.body)).toBe(true);
  });

  it('are denied to those who may see less', async () => {
    expect(await info('nothing', 'book!photo;tier=small')).toBe(401);
    expect(await info('small', 'book!photo;tier=medium')).toBe(401);
    expect(await info('small', 'book!photo;tier=reader')).toBe(401);
    expect((await as('small', '/Scaler?fn=book/photo%3Btier=medium&dw=20')).status).toBe(403);
    expect(await info('all', 'book!photo;tier=other')).toBe(404);
    expect(await info('all', 'book!nothing;tier=small')).toBe(404);
    expect(await info('nothing', 'book!nothing;tier=small')).toBe(401);
  });

  it('are the same with the same bytes for all, of which no other answer has the tag', async () => {
    const request = ';tier=small/full/max/0/default.jpg';
    const [mine, theirs] = await Promise.all([
      as('small', `/iiif/3/book!photo${request}`),
      as('all', `/iiif/3/book!photo${request}`),
    ]);
    expect(mine.body.equals(theirs.body)).toBe(true);
    expect(mine.headers.etag).toBe(theirs.headers.etag);
    const whole = await as('all', '/iiif/3/book!photo/full/max/0/default.jpg');
    expect(whole.headers.etag).not.toBe(mine.headers.etag);
    expect(mine.headers['link']).toContain('book!photo;tier=small/full/max/0/default.jpg>;rel="canonical"');
  });

  it('name the pages of a folder by their numbers, too', async () => {
    const answer = await as('small', '/Scaler?fn=book%3Btier=small&pn=2&dw=100');
    expect([answer.status, (await contrastOf(answer.body)).contrast < mostContrast]).toEqual([200, true]);
  });
});

describe('the identifier of the whole', () => {
  const located = async (who: Who, address: string) => {
    const { status, headers } = await as(who, address);
    return [status, headers.location?.replace(/^http:\/\/[^/]*/, ''), headers['cache-control']];
  };

  it('leads to the info.json of the best tier', async () => {
    const to = (tier: string) => [302, `/iiif/3/book!photo.jpg;tier=${tier}/info.json`, 'private, no-cache'];
    expect(await located('small', '/iiif/3/book!photo.jpg/info.json')).toEqual(to('small'));
    expect(await located('medium', '/iiif/3/book!photo.jpg/info.json')).toEqual(to('medium'));
    expect((await located('all', '/iiif/3/book!photo.jpg/info.json'))[0]).toBe(200);
    expect((await located('nothing', '/iiif/3/book!photo.jpg/info.json'))[0]).toBe(401);
    const [status, location] = await located('small', '/Scaler/IIIF/2/book%2Fphoto.jpg/info.json');
    expect([status, location]).toEqual([302, '/Scaler/IIIF/2/book%2Fphoto.jpg;tier=small/info.json']);
  });

  it.each(['full/max', 'square/64,', 'pct:10,10,50,50/!100,100'])('leads to the same picture: %s', async (part) => {
    const [status, location] = await located('small', `/iiif/3/book!photo.jpg/${part}/0/default.jpg`);
    expect(status).toBe(302);
    const answer = await as('small', String(location));
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'image/jpeg']);
  });

  it('denies parts in pixels of the whole', async () => {
    expect((await as('small', '/iiif/3/book!photo.jpg/0,0,100,100/max/0/default.jpg')).status).toBe(401);
    const roles = { 'x-roles': 'small' };
    expect((await as('small', '/iiif/3/book!photo.jpg/0,0,100,100/max/0/default.jpg', roles)).status).toBe(401);
  });
});

describe('what belongs to an image', () => {
  it('is denied where the tier does not have it', async () => {
    const statuses = async (who: Who) => {
      const addresses = [
        '/Scaler?fn=book/photo&mo=file',
        '/Scaler?fn=book/photo&mo=rawfile',
        '/servlet/Scaler?book/photo+1+1+rawfile',
        '/pdf/book.pdf',
        '/zip/book.zip',
        '/txt/book.txt',
        '/api/text/book/photo.jpg.txt',
        '/api/text/book/photo.jpg.json',
        '/api/text/book/photo.jpg.xml',
        '/presentation/3/book/annotations/photo-jpg',
        '/presentation/3/book/text/photo-jpg',
        '/Scaler?fn=book/photo&dw=20&mo=png',
        '/servlet/Texter?fn=book/photo.xml',
        '/servlet/Texter?fn=book/fine.txt',
        '/api/pdf.json?fn=book&make=1',
      ];
      return Promise.all(addresses.map(async (address) => (await as(who, address)).status));
    };
    expect(await statuses('small')).toEqual([
      403, 403, 403, 401, 401, 401, 401, 401, 401, 401, 401, 400, 401, 401, 401,
    ]);
    expect(await statuses('reader')).toEqual([
      403, 403, 403, 200, 200, 200, 200, 200, 401, 200, 200, 200, 401, 200, 200,
    ]);
    expect(await statuses('all')).toEqual([200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200]);
  });

  it('has the places of words and annotations on the pixels of the tier', async () => {
    const text = jsonOf(await as('reader', '/api/text/book/photo.jpg.json'));
    expect([text.width, text.height]).toEqual([125, 91]);
    expect(JSON.stringify(text)).toMatch(/\[10,20,50,10\]|"x":10,"y":20,"width":50,"height":10/);
    const lines = textOf(await as('reader', '/presentation/3/book/text/photo-jpg'));
    expect(lines).toContain('xywh=10,20,50,10');
    const comments = textOf(await as('reader', '/presentation/3/book/annotations/photo-jpg'));
    expect(comments).toContain(secretWord);
    expect(comments).toContain('xywh=100,20,25,10');
    for (const document of [JSON.stringify(text), lines, comments]) expect(document).not.toMatch(wholeNumbers);
  });

  it('is in documents as the tier has it', async () => {
    const pdf = await as('reader', '/pdf/book.pdf');
    const whole = await as('all', '/pdf/book.pdf');
    expect(pdf.body.equals(whole.body)).toBe(false);
    const pictures = [...textOf({ ...pdf, body: Buffer.from(pdf.body.toString('latin1')) }).matchAll(/\/Width (\d+)/g)];
    expect(pictures.length).toBeGreaterThanOrEqual(images.length);
    for (const [, wide] of pictures) expect(Number(wide)).toBeLessThanOrEqual(125);
    const zip = await as('reader', '/zip/book.zip');
    let pages = 0;
    for (let start = zip.body.indexOf('\xff\xd8\xff', 0, 'latin1'); start >= 0; pages++) {
      const next = zip.body.indexOf('\xff\xd8\xff', start + 3, 'latin1');
      const picture = await contrastOf(zip.body.subarray(start, next < 0 ? undefined : next));
      expect(Math.max(picture.width, picture.height)).toBeLessThanOrEqual(125);
      expect(picture.contrast).toBeLessThan(mostContrast);
      start = next;
    }
    expect(pages).toBe(images.length);
  });

  it('is named in lists as far as the tier has it', async () => {
    const manifest = async (who: Who) => textOf(await as(who, '/presentation/3/book/manifest.json'));
    expect(await manifest('small')).not.toMatch(/annotations\/|api\/text|search/);
    expect(await manifest('reader')).toMatch(/book\/text\/photo-jpg/);
    expect(await manifest('reader')).not.toMatch(/photo\.jpg[^"]*\.xml/);
    expect(await manifest('all')).toMatch(/photo\.jpg[^"]*\.xml/);
    expect(await manifest('small')).not.toContain('.pdf');
    expect(await manifest('reader')).toContain('/pdf/book.pdf');
    expect(await manifest('small')).toMatch(/iiif\/3\/book!photo\.jpg;tier=small/);
    const card = async (who: Who) => {
      const { images: cards } = jsonOf(await as(who, '/api/folder.json?fn=book'));
      const {
        width: wide,
        height: high,
        hasText,
        annotated,
        tier,
      } = cards.find(({ name }: { name: string }) => name === 'photo.jpg');
      return [wide, high, hasText, annotated.length, tier];
    };
    const tierOf = (name: string, documents: boolean) => ({ name, originals: false, documents });
    expect(await card('small')).toEqual([125, 91, false, 0, tierOf('small', false)]);
    expect(await card('reader')).toEqual([125, 91, true, 1, tierOf('reader', true)]);
    expect(await card('all')).toEqual([width, height, true, 1, undefined]);
  });
});

describe('a tier for everyone', () => {
  it('is open to shared caches and to pages of other sites under its own identifier', async () => {
    const foreign = { ...callers.all, origin: 'https://viewer.example' };
    const own = await publicApp.get('/iiif/3/book!photo.jpg;tier=small/info.json', { headers: foreign });
    expect([own.status, own.headers['cache-control']]).toEqual([
      200,
      'public, max-age=3600, stale-while-revalidate=600, stale-if-error=86400',
    ]);
    expect(own.headers['access-control-allow-origin']).toBe('*');
    const byName = await publicApp.get('/iiif/3/book!photo.jpg/info.json', {
      headers: { ...callers.small, origin: 'https://viewer.example' },
    });
    expect([byName.status, byName.headers['access-control-allow-origin']]).toEqual([302, '*']);
    expect(byName.headers['cache-control']).toBe('private, no-cache');
    const scaler = await publicApp.get('/Scaler?fn=book/photo.jpg&dw=50');
    expect([scaler.status, scaler.headers['cache-control']]).toEqual([200, 'private, no-cache']);
    const whole = await publicApp.get('/Scaler?fn=book/photo.jpg&dw=900', { headers: foreign });
    expect([whole.status, whole.headers['access-control-allow-origin']]).toEqual([200, undefined]);
  });
});

describe('settings of tiers', () => {
  it('are those of the guide', async () => {
    const guide = readFileSync(new URL('../../docs/guide/access.md', import.meta.url), 'utf8');
    const example = guide.split('```').find((part) => part.includes('"name": "medium"')) ?? '';
    const { access } = JSON.parse(example.replace('json', '')) as { access: object };
    const started = await startApp({ access, http: { trustedProxies: ['127.0.0.1'] } });
    const sizeFor = async (address: string) => {
      const headers = { 'x-forwarded-for': address };
      const info = await started.get('/api/dlInfo-json.jsp?fn=photos/land3000x2000.jpg', { headers });
      const pdf = await started.get('/pdf/photos.pdf?pages=1', { headers });
      return [jsonOf(info)['img.pix_x'], pdf.status];
    };
    expect(await sizeFor('192.0.2.1')).toEqual(['800', 401]);
    expect(await sizeFor('130.92.1.1')).toEqual(['2000', 200]);
    expect(await sizeFor('10.1.1.1')).toEqual(['3000', 200]);
    await started.close();
  });

  const start = (access: object) => startApp({ access }).then((started) => started.close());
  const paths = [{ path: 'photos', roles: ['staff'], everyone: 'small' }];
  it.each([
    ['names the tier', { paths }],
    ['two tiers have the name', { tiers: [{ name: 'small' }, { name: 'small' }], paths }],
    ['small letters', { tiers: [{ name: 'Small' }] }],
    ['can’t have originals', { tiers: [{ name: 'small', maxSide: 100, originals: true }] }],
    ['formats must have jpeg', { tiers: [{ name: 'small', formats: ['png'] }] }],
  ])('are refused where %s', async (message, access) => {
    await expect(start(access)).rejects.toThrow(message);
  });
});
