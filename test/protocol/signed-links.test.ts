/** Signed links: what one opens, at every endpoint and under every alias, and nothing beside it; and how links end. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import type { OutgoingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type ReceivedResponse, type RunningApp, startApp } from './running-app.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'lectern-links-'));
const at = (name: string): string => path.join(folder, 'library', name);
const keysFile = path.join(folder, 'link-keys');
const usedFolder = path.join(folder, 'used');

const keys = { mail: `mail ${'m'.repeat(43)}`, print: `print ${'p'.repeat(43)}` };

const gray = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: '#8a6' } });

/** Words that stand only in what a link to one image or to `book/open` does not open. */
const secrets = /Geheimtitel|Geheimwort|\bp2\b|hidden|sibling|inner/;

async function makeLibrary(): Promise<void> {
  for (const name of ['book/inner', 'book/part', 'other', 'nobody', 'free', 'covered'])
    mkdirSync(at(name), { recursive: true });
  for (const name of ['book/p1.jpg', 'book/p2.jpg', 'book/inner/hidden.jpg', 'other/sibling.jpg', 'nobody/n.jpg'])
    await gray(640, 480).jpeg().toFile(at(name));
  for (const name of ['book/part/a.jpg', 'book/part/b.jpg', 'free/f.jpg']) await gray(320, 240).jpeg().toFile(at(name));
  const pages = [gray(64, 48), gray(64, 48)].map((page) => page.png().toBuffer());
  await sharp(await Promise.all(pages), { join: { animated: true } })
    .tiff({ pageHeight: 48 } as never)
    .toFile(at('book/two.tif'));
  writeFileSync(at('book/index.meta'), '<meta><title>Geheimtitel</title></meta>');
  writeFileSync(at('book/metadata.yaml'), 'label: Geheimtitel\nrights: http://creativecommons.org/licenses/by/4.0/\n');
  writeFileSync(at('book/p1.txt'), 'Geheimwort');
  await gray(320, 240).jpeg().toFile(at('covered/c.jpg'));
  const redactions = 'redactions:\n  c.jpg:\n    - region: 0,0,160,240\n      roles: [admin]\n';
  writeFileSync(at('covered/metadata.yaml'), redactions);
  writeFileSync(at('book/part/a.txt'), 'Teilwort');
  // In the folder that is linked, but another image by its path.
  symlinkSync('../../other/sibling.jpg', at('book/part/away.jpg'));
}

const callers = {
  stranger: { 'x-forwarded-for': '10.0.9.9' },
  curator: { 'x-forwarded-for': '10.0.1.1' },
  admin: { 'x-forwarded-for': '10.0.2.2' },
  powerless: { 'x-forwarded-for': '10.0.3.3' },
} as const satisfies Record<string, OutgoingHttpHeaders>;

type Who = keyof typeof callers;

let app: RunningApp;

const settings = {
  library: { folders: [at('')], virtualFolders: [{ link: 'virtual', folder: at('other') }] },
  http: { trustedProxies: ['127.0.0.1'], explain: true },
  access: {
    addresses: [
      { address: '10.0.1', roles: ['curators'] },
      { address: '10.0.2', roles: ['curators', 'admin'] },
      { address: '10.0.3', roles: ['admin'] },
    ],
    tiers: [{ name: 'small', maxSide: 160, formats: ['jpeg' as const] }],
    paths: [
      { path: 'book', roles: ['curators'] },
      { path: 'other', roles: ['curators'] },
      { path: 'virtual', roles: ['curators'] },
      { path: 'nobody', roles: [] },
      { path: 'covered', roles: ['curators'] },
    ],
  },
  signedLinks: { keysFile, usedFolder },
};

beforeAll(async () => {
  await makeLibrary();
  writeFileSync(keysFile, `# links\n${keys.mail}\n${keys.print}\n`);
  app = await startApp(settings);
});

afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

afterEach(() => {
  vi.restoreAllMocks();
  writeFileSync(keysFile, `# links\n${keys.mail}\n${keys.print}\n`);
});

const as = (who: Who, address: string, headers: OutgoingHttpHeaders = {}, method = 'GET') =>
  app.get(address, { method, headers: { ...callers[who], ...headers } });

const textOf = ({ body }: ReceivedResponse): string => body.toString('utf8');

interface Made {
  readonly address: string;
  readonly id: string;
  readonly key: string;
  readonly until: string;
}

const post = (body: object, who: Who = 'admin', headers: OutgoingHttpHeaders = {}, server = app) =>
  server.get('/api/links', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...callers[who], ...headers },
    body: JSON.stringify(body),
  });

/** A new link: its address behind the origin, and its token. */
async function linkTo(subject: string, more: object = {}, server = app) {
  const answer = await post({ subject, until: '2d', ...more }, 'admin', {}, server);
  expect([answer.status, textOf(answer)]).toEqual([201, expect.stringContaining('eyJ')]);
  const made = JSON.parse(textOf(answer)) as Made;
  const token = /link=(.*)$/.exec(made.address)?.[1] ?? '';
  return { ...made, token, path: made.address.slice(server.url.length) };
}

/** The cookie of a browser that has opened a link of a page. */
async function opened({ path: address }: { readonly path: string }) {
  const answer = await as('stranger', address);
  expect(answer.status).toBe(303);
  return {
    to: String(answer.headers.location).slice(app.url.length),
    headers: { cookie: String(answer.headers['set-cookie']).split(';')[0] ?? '' },
    answer,
  };
}

const withLink = (address: string, token: string): string =>
  `${address}${address.includes('?') ? '&' : '?'}link=${token}`;

/** Every endpoint, for an image or a folder by its path. */
const endpoints = (name: string): readonly string[] => {
  const [once, bang] = [encodeURIComponent(name), encodeURIComponent(name).replaceAll('%2F', '!')];
  return [
    `/Scaler?fn=${once}&dw=50`,
    `/servlet/Scaler?fn=${once}&dw=50`,
    `/Scaler?fn=${once}&mo=file`,
    `/Scaler?fn=${once}&mo=rawfile`,
    `/Scaler?fn=${once}&mo=info`,
    `/Scaler?fn=${once}&dw=50&explain=1`,
    `/Scaler/IIIF/${bang}/info.json`,
    `/Scaler/IIIF/3/${bang}/full/50,/0/default.jpg`,
    `/iiif/3/${bang}/info.json`,
    `/iiif/2/${bang}/info.json`,
    `/iiif/1/${bang}/info.json`,
    `/iiif/3/${bang}/full/50,/0/default.jpg`,
    `/iiif/3/${bang}/0,0,10,10/max/0/default.jpg`,
    `/iiif/3/${bang};tier=small/info.json`,
    `/api/dlInfo-json.jsp?fn=${once}`,
    `/api/dlInfo-xml.jsp?fn=${once}`,
    `/api/ImgInfo-json.jsp?fn=${once}`,
    `/api/dirInfo-json.jsp?fn=${once}`,
    `/api/dirInfo-xml.jsp?fn=${once}`,
    `/api/dlContext-xml.jsp?fn=${once}`,
    `/api/folder.json?fn=${once}`,
    `/api/search.json?q=p&fn=${once}`,
    `/api/text/${name}.json`,
    `/api/text/${name}.txt`,
    `/Texter?fn=${once}`,
    `/view/${name}`,
    `/browse/${name}`,
    `/pdf/${name}.pdf`,
    `/zip/${name}.zip`,
    `/api/pdf.json?fn=${once}`,
    `/presentation/3/${name}/manifest.json`,
    `/presentation/2/${name}/manifest.json`,
    `/presentation/3/${name}/collection.json`,
    `/Manifester/IIIF/${bang}`,
    `/content-search/2/presentation/3/${name}?q=Geheimwort`,
    `/content-search/1/presentation/2/${name}?q=Geheimwort`,
    `/digilib.html?fn=${once}`,
  ];
};

/** What an answer tells: its text, its length and its headers but those that are the same for all. */
const told = ({ status, headers, body }: ReceivedResponse, asked: string): string => {
  const { date: _, 'x-request-id': _id, ...others } = headers;
  const text = `${status} ${JSON.stringify(others)} ${body.toString('latin1')}`;
  // The page and the info object repeat what was asked for.
  return text
    .replace(/eyJ[\w.-]+/g, '')
    .replaceAll(asked, '…')
    .replaceAll(encodeURIComponent(asked), '…');
};

/** Info objects end with a number of their own for each request. */
const repeatable = (answer: ReceivedResponse): string => textOf(answer).replace(/\)@[0-9a-f]+/g, ')');

describe('a link to an image', () => {
  it('opens it, in all that is of it alone', async () => {
    const { token, path: page, key, until } = await linkTo('book/p1.jpg', { for: 'Print shop' });
    expect([page, key]).toEqual([`/view/book/p1.jpg?link=${token}`, 'mail']);
    expect(Date.parse(until)).toBeGreaterThan(Date.now());
    for (const address of [
      '/Scaler?fn=book/p1.jpg&dw=50',
      '/Scaler?fn=book/p1.jpg&mo=file',
      '/iiif/3/book!p1.jpg/full/50,/0/default.jpg',
      '/iiif/2/book!p1.jpg/info.json',
      '/api/dlInfo-json.jsp?fn=book/p1.jpg',
      '/api/folder.json?fn=book/p1.jpg',
    ]) {
      expect([address, (await as('stranger', address)).status >= 400 || address.startsWith('/api/dl')]).toEqual([
        address,
        true,
      ]);
      const answer = await as('stranger', withLink(address, token));
      expect([address, answer.status]).toEqual([address, 200]);
      expect(answer.headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex, nofollow' });
      expect(answer.headers['cache-control']).toMatch(/private|no-store/);
    }
  });

  it('opens the page of a reading room, which leads to the address without it', async () => {
    const { to, headers, answer } = await opened(await linkTo('book/p1.jpg'));
    expect(to).toBe('/view/book/p1.jpg');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(String(answer.headers['set-cookie'])).toMatch(/; Max-Age=17\d{4}; Path=\/; HttpOnly; SameSite=Lax$/);
    const page = await as('stranger', to, headers);
    expect(page.status).toBe(200);
    const listing = JSON.parse(textOf(await as('stranger', '/api/folder.json?fn=book/p1.jpg', headers)));
    expect(listing.images.map(({ path: image }: { path: string }) => image)).toEqual(['book/p1.jpg']);
    expect((await as('stranger', '/iiif/3/book!p1.jpg/full/50,/0/default.jpg', headers)).status).toBe(200);
    for (const one of [textOf(page), JSON.stringify(listing)]) expect(one).not.toMatch(secrets);
  });

  it('opens the pages inside of its file', async () => {
    const { token } = await linkTo('book/two.tif');
    for (const name of ['two.tif', 'two.tif;1', 'two.tif;2'])
      expect([name, (await as('stranger', withLink(`/iiif/3/book!${name}/info.json`, token))).status]).toEqual([
        name,
        200,
      ]);
  });

  const beside = [
    'book',
    '',
    'book/p2.jpg',
    'book/p2',
    'book/inner',
    'book/inner/hidden.jpg',
    'other',
    'other/sibling.jpg',
    'virtual/sibling.jpg',
    'book/part',
    'book/p1.jpg/../p2.jpg',
    'book/p1.jpg/..',
    'book/%2e%2e/other/sibling.jpg',
    'book/p1.jpg%2F..%2Fp2.jpg',
    'book/P2.jpg',
    'book/p1.jpgx',
    'book/two.tif',
    'book/two.tif;2',
    'book/missing.jpg',
    'nobody/n.jpg',
  ];
  /** Compares an answer to the one without the link; `repeats` where it repeats the address that was asked for, with its link. */
  function expectSame(answer: ReceivedResponse, without: ReceivedResponse, address: string, repeats: boolean): void {
    expect([address, answer.status]).toEqual([address, without.status]);
    if (repeats) return;
    const { etag, 'content-length': length } = without.headers;
    expect([address, answer.headers['content-length']]).toEqual([address, length]);
    if (!/dlInfo|mo=info/.test(address)) expect([address, answer.headers.etag]).toEqual([address, etag]);
    expect([address, repeatable(answer)]).toEqual([address, repeatable(without)]);
  }

  it.each(beside)('opens nothing of %s: all answers are as without it', async (name) => {
    const link = await linkTo('book/p1.jpg');
    const { headers } = await opened(link);
    const isNamed = /p2|inner|sibling/i.test(name);
    for (const address of endpoints(name)) {
      const without = await as('stranger', address);
      const byCookie = await as('stranger', address, headers);
      const byAddress = await as('stranger', withLink(address, link.token));
      expectSame(byCookie, without, address, false);
      if (byAddress.status !== 303) expectSame(byAddress, without, address, /Info|Context|mo=info/.test(address));
      for (const answer of isNamed ? [] : [byCookie, byAddress])
        expect([address, told(answer, name).match(secrets)?.[0]]).toEqual([address, undefined]);
    }
  });

  it.each(['pn=1', 'pn=2', 'pn=3'])('opens no image by its number in the folder: %s', async (number) => {
    const { token } = await linkTo('book/p1.jpg');
    expect((await as('stranger', withLink(`/Scaler?fn=book&${number}&dw=20`, token))).status).toBe(403);
  });

  it('is in no sitemap, search or list', async () => {
    const { headers } = await opened(await linkTo('book/p1.jpg'));
    for (const address of [
      '/sitemap.xml',
      '/api/folder.json',
      '/api/search.json?q=p1',
      '/browse',
      '/presentation/3/collection.json',
    ])
      expect([address, textOf(await as('stranger', address, headers)).includes('p1.jpg')]).toEqual([address, false]);
  });

  it('opens no tag: 304 comes after the link was checked', async () => {
    const { token } = await linkTo('book/p1.jpg');
    const address = '/iiif/3/book!p1.jpg/full/50,/0/default.jpg';
    const { etag } = (await as('stranger', withLink(address, token))).headers;
    const known = { 'if-none-match': String(etag) };
    expect((await as('stranger', withLink(address, token), known)).status).toBe(304);
    expect((await as('stranger', address, known)).status).toBe(401);
    writeFileSync(keysFile, `${keys.print}\n`);
    expect((await as('stranger', withLink(address, token), known)).status).toBe(410);
  });
});

describe('a link to a folder', () => {
  it('opens all below it, and nothing around it', async () => {
    const { headers, to } = await opened(await linkTo('book/part'));
    expect(to).toBe('/browse/book/part');
    for (const address of [
      to,
      '/view/book/part/a.jpg',
      '/api/folder.json?fn=book/part',
      '/iiif/3/book!part!a/info.json',
      '/iiif/3/book!part!b.jpg/0,0,50,50/max/0/default.jpg',
      '/presentation/3/book/part/manifest.json',
      '/api/text/book/part/a.txt',
      '/pdf/book/part.pdf',
      '/zip/book/part.zip',
    ]) {
      const { status } = await as('stranger', address, headers);
      expect([address, [200, 202].includes(status)]).toEqual([address, true]);
    }
    const listing = textOf(await as('stranger', '/api/folder.json?fn=book/part', headers));
    expect(listing).toContain('a.jpg');
    expect(listing).not.toContain('away.jpg');
    expect(listing).not.toContain('Geheim');
    expect(JSON.parse(textOf(await as('stranger', '/api/search.json?q=Teilwort&fn=book/part', headers)))).toBeTruthy();
    for (const name of [
      'book',
      'book/p1.jpg',
      'book/inner',
      'book/part/away.jpg',
      'book/part/../p1.jpg',
      'book/Part/a.jpg',
    ])
      for (const address of [
        `/api/folder.json?fn=${name}`,
        `/Scaler?fn=${name}&dw=9`,
        `/iiif/3/${name.replaceAll('/', '!')}/info.json`,
      ])
        expect([address, (await as('stranger', address, headers)).status >= 400]).toEqual([address, true]);
  });

  it('gives a tier and no more', async () => {
    const { headers } = await opened(await linkTo('book/part', { tier: 'small' }));
    const info = await as('stranger', '/iiif/3/book!part!a.jpg;tier=small/info.json', headers);
    expect(JSON.parse(textOf(info))).toMatchObject({ width: 160, height: 120 });
    const { token } = await linkTo('book/part/a.jpg', { tier: 'small' });
    const led = await as('stranger', withLink('/iiif/3/book!part!a.jpg/full/max/0/default.jpg', token));
    expect([led.status, led.headers.location]).toEqual([
      302,
      `${app.url}/iiif/3/book!part!a.jpg;tier=small/full/max/0/default.jpg?link=${token}`,
    ]);
    const { body } = await as('stranger', String(led.headers.location).slice(app.url.length));
    expect(await sharp(body).metadata()).toMatchObject({ width: 160, height: 120 });
    for (const address of ['/Scaler?fn=book/part/a.jpg&mo=file', '/zip/book/part.zip', '/api/text/book/part/a.txt'])
      expect([address, (await as('stranger', address, headers)).status]).not.toEqual([address, 200]);
  });

  it('opens nothing that is for nobody, nor what its signer may not see any more', async () => {
    const everything = await post({ subject: 'nobody', until: '1d' });
    expect(everything.status).toBe(404);
    expect((await post({ subject: 'book/p1.jpg', until: '1d' }, 'powerless')).status).toBe(404);
    expect((await post({ subject: 'book/missing.jpg', until: '1d' }, 'powerless')).status).toBe(404);
    const { headers } = await opened(await linkTo(''));
    expect((await as('stranger', '/Scaler?fn=nobody/n.jpg&dw=9', headers)).status).toBe(403);
    expect((await as('stranger', '/Scaler?fn=other/sibling.jpg&dw=9', headers)).status).toBe(200);
  });

  it('shows nothing of a redaction, whose role its signer has', async () => {
    const { headers } = await opened(await linkTo('covered'));
    /** The green of a pixel in the redaction, which is gray-green below it. */
    const greenOf = async ({ body }: ReceivedResponse): Promise<number> => {
      const pixel = sharp(body).extract({ left: 20, top: 20, width: 1, height: 1 }).removeAlpha().raw();
      return (await pixel.toBuffer())[1] ?? 0;
    };
    const picture = '/iiif/3/covered!c.jpg/full/160,/0/default.jpg';
    expect(await greenOf(await as('admin', picture))).toBeGreaterThan(100);
    expect(await greenOf(await as('stranger', picture, headers))).toBeLessThan(20);
    const file = '/Scaler?fn=covered/c.jpg&mo=rawfile';
    expect((await as('admin', file)).status).toBe(200);
    expect((await as('stranger', file, headers)).status).toBe(403);
  });

  it('adds to those that a browser has opened before', async () => {
    const first = await opened(await linkTo('book/part'));
    const { path: second } = await linkTo('book/p1.jpg');
    const { headers } = await as('stranger', second, first.headers);
    const cookie = String(headers['set-cookie']).split(';')[0] ?? '';
    for (const name of ['book/part/a.jpg', 'book/p1.jpg'])
      expect((await as('stranger', `/Scaler?fn=${name}&dw=9`, { cookie })).status).toBe(200);
  });
});

describe('a link to one picture', () => {
  it.each([
    ['/iiif/3/book!p1/0,0,100,100/50,/0/default.jpg', '/iiif/3/book!p1/0,0,200,100/50,/0/default.jpg'],
    ['/Scaler?fn=book/p1&dw=40&wx=0.1', '/Scaler?fn=book/p1&dw=400&wx=0.1'],
    ['/Scaler?fn=book/p1&dw=40', '/Scaler?fn=book/p1&dw=40&mo=file'],
  ])('opens %s, and not %s', async (address, other) => {
    const { path: made, token } = await linkTo(`${app.url}${address}`);
    expect(made).toBe(withLink(address, token));
    const answer = await as('stranger', made);
    expect([answer.status, answer.headers['content-type'], answer.headers['cache-control']]).toEqual([
      200,
      'image/jpeg',
      expect.stringContaining('private'),
    ]);
    expect((await as('stranger', withLink(other, token))).status).toBe(403);
    expect((await as('stranger', withLink('/iiif/3/book!p1.jpg/info.json', token))).status).toBe(403);
    const cookie = `lectern_links=${token}`;
    expect((await as('stranger', address, { cookie })).status).toBeGreaterThan(400);
  });

  it('opens a view of the reading room with its image', async () => {
    const { to } = await opened(await linkTo(`${app.url}/view/book/p1.jpg?wx=0.2&ww=0.3`));
    expect(to).toBe('/view/book/p1.jpg?wx=0.2&ww=0.3');
  });

  it.each([
    'https://other.example/view/book/p1.jpg',
    '/api/folder.json?fn=book',
    '/iiif/3/book!p1/info.json',
    '//evil/view/x',
  ])('is not made for %s', async (subject) => expect((await post({ subject, until: '1d' })).status).toBe(400));
});

describe('a link in the old form of queries', () => {
  it.each([
    'take=1;mo=rawfile;fn=book/p1.jpg;link=',
    'take=;dw=600;fn=book/p1.jpg;link=',
    'link=;mo=rawfile;fn=book/p1.jpg;link=',
  ])('opens no other picture by the old form of queries: %s', async (more) => {
    const { path: address, token } = await linkTo('/Scaler?fn=book/p1.jpg&dw=50');
    expect((await as('stranger', address)).status).toBe(200);
    const picture = '/Scaler?fn=book/p1.jpg&dw=50&';
    expect((await as('stranger', picture + more + token)).status).toBeGreaterThan(400);
  });

  it('leads to no page again and again, where the old form of queries hides it', async () => {
    const { token } = await linkTo('book/p1.jpg');
    expect((await as('stranger', `/view/book/p1.jpg?wx=0;link=${token}`)).status).not.toBe(303);
  });

  it('is not made of an address in the old form of queries, to which no link can be added', async () => {
    expect((await post({ subject: '/Scaler?fn=book/p1.jpg;dw=50', until: '1d' })).status).toBe(400);
  });
});

describe('an original, once', () => {
  const get = (address: string, headers = {}, method = 'GET') => as('stranger', address, headers, method);

  it('is sent once, as a whole, and never again', async () => {
    const { path: address, id } = await linkTo('book/p1.jpg', { original: true, once: true });
    expect(address).toContain('/Scaler?fn=book%2Fp1.jpg&mo=rawfile&link=');
    expect((await get(address, {}, 'HEAD')).status).toBe(200);
    const first = await get(address, { range: 'bytes=0-1' });
    expect([first.status, await sharp(first.body).metadata()]).toEqual([200, expect.objectContaining({ width: 640 })]);
    const second = await get(`${address}`);
    expect(second.status).toBe(410);
    expect((await get(address, {}, 'HEAD')).status).toBe(410);
    expect(readdirSync(usedFolder)).toContain(`${id}.used`);
  });

  it('is sent once of many requests at the same time', async () => {
    const { path: address } = await linkTo('book/p1.jpg', { original: true, once: true });
    const answers = await Promise.all(Array.from({ length: 8 }, () => get(address)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(410)]);
  });

  it('stays used after the server was started again', async () => {
    const { path: address } = await linkTo('book/p1.jpg', { original: true, once: true });
    expect((await get(address)).status).toBe(200);
    const again = await startApp(settings);
    try {
      expect((await again.get(address, { headers: callers.stranger })).status).toBe(410);
    } finally {
      await again.close();
    }
  });

  it('waits for a reader to say so, where a browser opens it', async () => {
    const { path: address } = await linkTo('book/p1.jpg', { original: true, once: true });
    const accept = { accept: 'text/html,*/*' };
    for (let time = 0; time < 2; time++) {
      const page = await get(address, accept);
      expect([page.status, page.headers['content-type'], page.headers['cache-control']]).toEqual([
        200,
        'text/html; charset=utf-8',
        'no-store',
      ]);
      expect(textOf(page)).toContain('<button name="take" value="1">');
    }
    const form = new URLSearchParams(address.replace(/.*\?/, ''));
    form.append('take', '1');
    const taken = await get(`/Scaler?${form}`, accept);
    expect([taken.status, taken.headers['content-disposition']]).toEqual([200, expect.stringContaining('p1.jpg')]);
    expect((await get(address, accept)).status).toBe(410);
  });

  it('is not used up by what is not sent', async () => {
    const { path: address } = await linkTo('book/p1.jpg', { original: true, once: true });
    const { etag } = (await as('curator', '/Scaler?fn=book/p1.jpg&mo=rawfile')).headers;
    expect((await get(address, { 'if-none-match': String(etag) })).status).toBe(304);
    await vi.waitFor(async () => expect((await get(address)).status).toBe(200));
  });

  it('is made of one picture alone, and only where its use can be noted', async () => {
    expect((await post({ subject: 'book', until: '1d', once: true })).status).toBe(400);
    expect((await post({ subject: 'book', until: '1d', original: true })).status).toBe(400);
    const made = await linkTo('book/p1.jpg', { original: true, once: true });
    const other = await startApp({ ...settings, signedLinks: { keysFile } });
    try {
      expect(
        (await post({ subject: 'book/p1.jpg', until: '1d', original: true, once: true }, 'admin', {}, other)).status,
      ).toBe(400);
      expect((await other.get(made.path, { headers: callers.stranger })).status).toBe(403);
    } finally {
      await other.close();
    }
  });
});

describe('a link that does not count', () => {
  const address = '/iiif/3/book!p1.jpg/info.json';
  const missing = '/iiif/3/book!missing.jpg/info.json';

  async function answersTo(token: string) {
    const answers = [];
    for (const one of [address, missing, '/iiif/3/free!f.jpg/info.json'])
      answers.push(await as('stranger', withLink(one, token)));
    return answers.map((answer) => [answer.status, textOf(answer).trim()]);
  }

  it('has expired, and says until when it was valid', async () => {
    const { token, until } = await linkTo('book/p1.jpg', { until: '2061-07-31T18:00Z' }).catch(() =>
      linkTo('book/p1.jpg', { until: '30d' }),
    );
    vi.spyOn(Date, 'now').mockReturnValue(Date.parse(until) - 1);
    expect((await as('stranger', withLink(address, token))).status).toBe(200);
    vi.spyOn(Date, 'now').mockReturnValue(Date.parse(until));
    for (const answer of await answersTo(token))
      expect(answer).toEqual([
        410,
        expect.stringMatching(/^This link was valid until \d+ \w+ \d{4} at \d\d:\d\d UTC\.$/),
      ]);
  });

  it('was withdrawn, with its key or alone, without a restart', async () => {
    const { token, id } = await linkTo('book/p1.jpg');
    const print = await linkTo('book/p1.jpg', { key: 'print' });
    writeFileSync(keysFile, `${keys.print}\nrevoked ${print.id}\n`);
    for (const one of [token, print.token])
      for (const answer of await answersTo(one)) expect(answer).toEqual([410, 'This link was withdrawn.']);
    writeFileSync(keysFile, `${keys.mail}\n${keys.print}\n`);
    expect((await as('stranger', withLink(address, token))).status).toBe(200);
    writeFileSync(keysFile, `${keys.mail}\nrevoked ${id}\n`);
    const { headers } = { headers: { cookie: `lectern_links=${token}` } };
    const page = await as('stranger', '/iiif/3/book!p1.jpg/info.json', headers);
    expect([page.status, textOf(page)]).toEqual([401, 'You may not see this image. This link was withdrawn.\n']);
  });

  it('was altered in any place', async () => {
    const { token } = await linkTo('book/p1.jpg');
    const [header = '', payload = '', signature = ''] = token.split('.');
    const forged = Buffer.from(
      JSON.stringify({ ...JSON.parse(Buffer.from(payload, 'base64url').toString()), p: ['other'] }),
    ).toString('base64url');
    const unsigned = Buffer.from(JSON.stringify({ alg: 'none', kid: 'mail' })).toString('base64url');
    for (const one of [
      `${header}.${forged}.${signature}`,
      `${header}.${payload}.${signature.slice(0, -2)}`,
      `${header}.${payload}.`,
      `${header}.${payload}`,
      `${unsigned}.${payload}.`,
      `${unsigned}.${payload}.${signature}`,
      `${token}.${signature}`,
      `eyJ${'x'.repeat(3000)}`,
      'eyJ',
    ])
      for (const answer of await answersTo(one))
        expect(answer).toEqual([
          403,
          'This link is not the one that was sent: a part of it is missing or was changed.',
        ]);
  });

  it('says so as a page, a picture or JSON, as what was asked for does', async () => {
    const bad = 'eyJx.y.z';
    const page = await as('stranger', withLink('/view/book/p1.jpg', bad), { accept: 'text/html' });
    expect([page.status, textOf(page)]).toEqual([
      403,
      expect.stringContaining('<p class="lead">This link is not the one'),
    ]);
    const picture = await as('stranger', withLink('/Scaler?fn=book/p1.jpg&dw=9', bad));
    expect([picture.status, picture.headers['content-type']]).toEqual([403, 'image/png']);
    const json = await as('stranger', withLink('/api/folder.json?fn=book', bad));
    expect(JSON.parse(textOf(json))).toMatchObject({ error: 'denied' });
  });

  it('is no link where the keys can’t be read', async () => {
    const { token } = await linkTo('book/p1.jpg');
    rmSync(keysFile);
    expect((await as('stranger', withLink(address, token))).status).toBe(500);
    expect((await as('stranger', address, { cookie: `lectern_links=${token}` })).status).toBe(401);
  });
});

describe('POST /api/links', () => {
  const body = { subject: 'book/p1.jpg', until: '1d' };

  it('is for the role admin alone', async () => {
    for (const who of ['stranger', 'curator'] as const) expect((await post(body, who)).status).toBe(403);
    const { token } = await linkTo('');
    const answer = await post(body, 'stranger', { cookie: `lectern_links=${token}` });
    expect(answer.status).toBe(403);
  });

  it.each([
    { origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'null' },
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/x-www-form-urlencoded' },
  ])('refuses %j', async (headers) => expect((await post(body, 'admin', headers)).status).toBe(403));

  it('takes pages of this server, and programs', async () => {
    expect((await post(body, 'admin', { origin: app.url })).status).toBe(201);
    expect((await post(body, 'admin', { 'sec-fetch-site': 'same-origin' })).status).toBe(201);
  });

  it.each([
    {},
    { subject: 'book' },
    { ...body, until: 'tomorrow' },
    { ...body, until: '2001-01-01' },
    { ...body, until: '999d' },
    { ...body, tier: 'huge' },
    { ...body, key: 'none' },
    { ...body, more: 1 },
    { ...body, for: 'a\nb' },
  ])('refuses %j', async (wrong) => expect((await post(wrong)).status).toBe(400));
});

it('links work below a context path and behind a proxy with HTTPS, with a cookie for frames of other sites', async () => {
  const other = await startApp({ ...settings, http: { ...settings.http, contextPath: '/digilib' } });
  const proxied = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'library.example' };
  const base = 'https://library.example/digilib/';
  const ask = (address: string, headers: OutgoingHttpHeaders = {}) =>
    other.get(address, { headers: { ...callers.stranger, ...proxied, ...headers } });
  const make = async (subject: string): Promise<string> => {
    const { body } = await other.get('/digilib/api/links', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...callers.admin, ...proxied },
      body: JSON.stringify({ subject, until: '1d' }),
    });
    return JSON.parse(body.toString()).address;
  };
  try {
    const address = await make(`${base}view/book/p1.jpg?ww=0.5`);
    expect(address.startsWith(`${base}view/book/p1.jpg?ww=0.5&link=eyJ`)).toBe(true);
    const { status, headers } = await ask(address.replace('https://library.example', ''));
    expect([status, headers.location]).toEqual([303, `${base}view/book/p1.jpg?ww=0.5`]);
    const cookie = String(headers['set-cookie']);
    expect(cookie).toMatch(/; Path=\/digilib\/; HttpOnly; Secure; Partitioned; SameSite=None$/);
    const own = { cookie: cookie.split(';')[0] ?? '' };
    expect((await ask('/digilib/iiif/3/book!p1.jpg/info.json', own)).status).toBe(200);
    const picture = await make('/digilib/Scaler?fn=book/p1.jpg&dw=20');
    expect((await ask(picture.replace('https://library.example', ''))).status).toBe(200);
  } finally {
    await other.close();
  }
});

it('no signature is in a log', async () => {
  const logFile = path.join(folder, 'access.log');
  const logged = await startApp({ ...settings, accessLog: { file: logFile } });
  try {
    const { token } = await linkTo('book/p1.jpg');
    const [, , signature = ''] = token.split('.');
    for (const sent of [token, `%65${token.slice(1)}`, `${token}%20`, encodeURIComponent(`x ${token}`)])
      for (const name of ['link', 'l%69nk', 'q', ''])
        await logged.get(`/iiif/3/book!p1.jpg/info.json?${name}=${sent}`, {
          headers: { ...callers.stranger, referer: `http://x/view?link=${sent}` },
        });
    rmSync(keysFile);
    await logged.get(withLink('/Scaler?fn=book/p1.jpg', token), { headers: callers.stranger });
    await logged.close();
    const { readFileSync } = await import('node:fs');
    const lines = `${readFileSync(logFile, 'utf8')}${logged.logLines.join('')}`;
    expect(lines).toContain('link=…');
    expect(lines).not.toContain(signature.slice(0, 12));
  } finally {
    await logged.close().catch(() => undefined);
  }
});
