/** Redactions: nobody who lacks the role gets a word, a file or a count of what is below, at any endpoint, until the date. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import type { OutgoingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inflateSync } from 'node:zlib';
import { pino } from 'pino';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it, test, vi } from 'vitest';
import { runIndexing } from '../../src/app/run-indexing.ts';
import { readSettings } from '../../src/app/settings/configuration.ts';
import type { SettingsInput } from '../../src/app/settings/settings.ts';
import { altoOf, jpegOf } from '../fixtures/page-texts.ts';
import { type ReceivedResponse, type RunningApp, startApp } from './running-app.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-redactions-'));
const at = (name: string): string => path.join(scratch, name);

/** Old, so that what is read is kept. */
function write(name: string, content: string | Buffer): void {
  mkdirSync(path.dirname(at(name)), { recursive: true });
  writeFileSync(at(name), content);
  utimesSync(at(name), new Date(2020, 1, 1), new Date(2020, 1, 1));
}

const secret = 'Geheimnis';
const open = 'Offenes';

/** On a scan of 1000 x 1500: the secret lies in the redaction of most pages. */
const words = altoOf([
  [open, 100, 100, 200, 40],
  ['Wort', 100, 200, 200, 40],
  [secret, 420, 410, 200, 40],
  ['Wort', 700, 410, 200, 40],
]);
const region = '400,400,250,60';

const hocr = `<html><body><div class="ocr_page" title="bbox 0 0 1000 1500"><span class="ocr_line" title="bbox 50 100 900 140">
<span class="ocrx_word" title="bbox 100 100 300 140">${open}</span></span>
<span class="ocr_line" title="bbox 50 400 900 440">Vor ${secret} nach</span></div></body></html>`;

const pageXml = `<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15"><Page imageFilename="x" imageWidth="1000" imageHeight="1500">
<TextRegion id="r"><Coords points="0,0 999,0 999,1499 0,1499"/>
<TextLine id="a"><Coords points="100,100 300,100 300,140 100,140"/><TextEquiv><Unicode>${open}</Unicode></TextEquiv></TextLine>
<TextLine id="b"><Coords points="390,405 700,405 700,450 390,450"/><TextEquiv><Unicode>${secret} und mehr</Unicode></TextEquiv></TextLine>
</TextRegion></Page></PcGts>`;

/** A word that a hyphen parts, of which the second part is covered. */
const parted = altoOf([[open, 100, 100, 200, 40]]).replace(
  '</TextLine>',
  `<String CONTENT="Ge-" HPOS="700" VPOS="300" WIDTH="200" HEIGHT="40" SUBS_TYPE="HypPart1" SUBS_CONTENT="${secret}"/></TextLine>
<TextLine><String CONTENT="heimnis" HPOS="420" VPOS="410" WIDTH="100" HEIGHT="40" SUBS_TYPE="HypPart2" SUBS_CONTENT="${secret}"/></TextLine>`,
);

const annotations = JSON.stringify(
  [
    ['#xywh=410,410,20,20', secret],
    ['', `${secret} am Rand`],
    ['#xywh=0,0,100,100', open],
  ].map(([target, value], index) => ({
    id: `https://notes.example/${index}`,
    type: 'Annotation',
    motivation: 'commenting',
    body: { type: 'TextualBody', value },
    target: `x${target}`,
  })),
);

const covered = ['p1.jpg', 'p2.jpg', 'p3.jpg', 'p4.jpg', 'p5.jpg', 'p6.tif'] as const;

const redaction = (attributes: string) =>
  `<resource><meta><redactions><redaction ${attributes}/></redactions></meta></resource>`;

async function makeLibrary(): Promise<void> {
  const scan = await jpegOf(1000, 1500);
  for (const name of ['p1.jpg', 'p2.jpg', 'p3.jpg', 'p4.jpg', 'p5.jpg', 'p7.jpg']) write(`book/${name}`, scan);
  write('book/p6.tif', await sharp(scan).tiff().toBuffer());
  write('book/p1.xml', words);
  write('book/p1.annotations.json', annotations);
  write('book/p2.hocr', hocr);
  write('book/p3.xml', pageXml);
  write('book/p4.txt', `${open} und ${secret}`);
  write('book/p5.xml', parted);
  write('book/p6.xml', words);
  write('book/p7.xml', altoOf([[open, 100, 100, 200, 40]]));
  write('book/p6.tif.meta', redaction(`region="${region}" roles="archivists" until="2061"`));
  write(
    'book/metadata.yaml',
    `label: Akten\nredactions:\n  p1..p5:\n    - region: ${region}\n      roles: archivists\n      until: 2061\n`,
  );
  symlinkSync('book', at('linked'));
  mkdirSync(at('files'));
  symlinkSync('../book/p1.jpg', at('files/other.jpg'));
  symlinkSync('../book/p1.xml', at('files/other.xml'));
}

let app: RunningApp;
/** The same library without settings of access. */
let plain: RunningApp;

const settingsWith = (name: string, access?: SettingsInput['access']): SettingsInput => ({
  library: { folders: [scratch], virtualFolders: [{ link: 'virtual', folder: at('book') }] },
  search: { directory: at(`../${path.basename(scratch)}-${name}`) },
  index: { directory: false },
  cache: { directory: false },
  http: { trustedProxies: ['127.0.0.1'], explain: true },
  ...(access && { access }),
});

const access: SettingsInput['access'] = {
  rolesHeader: 'x-roles',
  tiers: [{ name: 'small', maxSide: 300, texts: true, documents: true }],
  types: [{ type: 'default', roles: [], everyone: 'small' }],
};

async function startWith(settings: SettingsInput): Promise<RunningApp> {
  await runIndexing(readSettings(settings, {}, undefined), pino({ level: 'silent' }), {});
  return startApp(settings);
}

beforeAll(async () => {
  vi.spyOn(Date, 'now').mockReturnValue(Date.UTC(2060, 0));
  await makeLibrary();
  app = await startWith(settingsWith('roles', { rolesHeader: 'x-roles' }));
  plain = await startWith(settingsWith('plain'));
});
afterEach(() => void vi.spyOn(Date, 'now').mockReturnValue(Date.UTC(2060, 0)));
afterAll(async () => {
  vi.restoreAllMocks();
  await app.close();
  await plain.close();
  for (const name of ['', '-roles', '-plain', '-tiers']) rmSync(scratch + name, { recursive: true, force: true });
});

const archivist = { 'x-roles': 'archivists' };
const ask = (server: RunningApp, address: string, headers: OutgoingHttpHeaders = {}) =>
  server.get(address, { headers });

/** All that an answer says: its headers, its text, and the texts in a PDF. */
function saidIn({ headers, body }: ReceivedResponse): string {
  const text = body.toString('utf8');
  if (!text.startsWith('%PDF')) return JSON.stringify(headers) + text;
  const file = at(`../${path.basename(scratch)}.pdf`);
  writeFileSync(file, body);
  try {
    return execFileSync('pdftotext', ['-raw', file, '-'], { encoding: 'utf8' }) + inflated(body);
  } finally {
    rmSync(file);
  }
}

/** The streams of a PDF, as far as they are compressed text. */
function inflated(pdf: Buffer): string {
  const parts = pdf.toString('latin1').split(/stream\r?\n/);
  return parts
    .map((part) => {
      try {
        return inflateSync(Buffer.from(part, 'latin1')).toString('latin1');
      } catch {
        return '';
      }
    })
    .join('\n');
}

const folders = ['book', 'linked', 'virtual'] as const;

const coveredWords = /heimnis|und mehr|nach\b/;

const addressesOf = (folder: string): readonly string[] => [
  ...covered.flatMap((name) => [
    `/api/text/${folder}/${name}.json`,
    `/api/text/${folder}/${name}.txt`,
    `/api/text/${folder}/${name}.xml`,
    `/api/text/${folder}/${name}.html`,
    `/presentation/3/${folder}/text/${name.replace('.', '-')}`,
    `/presentation/2/${folder}/annotations/${name.replace('.', '-')}`,
    `/view/${folder}/${name}`,
    `/api/dlInfo-json.jsp?fn=${folder}/${name}`,
  ]),
  ...Array.from({ length: 8 }, (_, index) => `/Texter?fn=${folder}&pn=${index + 1}`),
  ...['p1', 'p3.xml', 'p4.txt', 'p5'].map((name) => `/Texter?fn=${folder}/${name}`),
  `/presentation/3/${folder}/manifest.json`,
  `/presentation/2/${folder}/manifest.json`,
  `/api/folder.json?fn=${folder}`,
  `/txt/${folder}.txt`,
];

describe('texts', () => {
  test.each(folders)('of all forms leave out what is covered at %s', async (folder) => {
    for (const server of [app, plain])
      for (const address of addressesOf(folder)) {
        const answer = await ask(server, address);
        expect([address, saidIn(answer)]).toEqual([address, expect.not.stringMatching(coveredWords)]);
      }
  });

  test.each(folders)('in a PDF leave out what is covered at %s', { tags: 'pdf-readers' }, async (folder) => {
    for (const server of [app, plain]) {
      const said = saidIn(await ask(server, `/pdf/${folder}.pdf`));
      expect(said).toContain(open);
      expect(said).not.toMatch(coveredWords);
    }
  });

  it('have all words for whoever has the role', async () => {
    for (const name of covered) {
      const { status, body } = await ask(app, `/api/text/book/${name}.txt`, archivist);
      expect([name, status, body.toString()]).toEqual([name, 200, expect.stringContaining('heimnis')]);
    }
  });

  it('have the other words', async () => {
    const wordsOf = async (name: string) => String((await ask(app, `/api/text/book/${name}.txt`)).body).trim();
    expect(await wordsOf('p1.jpg')).toBe(`${open} Wort Wort`);
    expect(await wordsOf('p2.jpg')).toBe(open);
    expect(await wordsOf('p3.jpg')).toBe(open);
    expect(await wordsOf('p5.jpg')).toMatch(open);
    expect(await wordsOf('p6.tif')).toBe(`${open} Wort Wort`);
  });

  it('in documents are those of the caller, whoever asked before', { tags: 'pdf-readers' }, async () => {
    const wordsIn = async (headers = {}) => saidIn(await ask(app, '/pdf/book.pdf', headers));
    expect(await wordsIn(archivist)).toContain(secret);
    expect(await wordsIn()).not.toContain(secret);
    expect(await wordsIn(archivist)).toContain(secret);
    const { headers } = await ask(app, '/pdf/book.pdf');
    expect(headers['cache-control']).not.toContain('public');
  });

  it('without places are denied as a whole, and so are their files', async () => {
    for (const address of ['p4.jpg.txt', 'p4.jpg.json', 'p1.jpg.xml', 'p2.jpg.html'])
      expect([address, (await ask(app, `/api/text/book/${address}`)).status]).toEqual([address, 403]);
    expect((await ask(app, '/api/text/book/p7.jpg.xml')).status).toBe(200);
    expect((await ask(app, '/api/text/book/p1.jpg.xml', archivist)).status).toBe(200);
  });

  it('are of an image by another link to its file, too', async () => {
    for (const address of ['other.jpg.txt', 'other.jpg.json', 'other.jpg.xml'])
      expect(saidIn(await ask(plain, `/api/text/files/${address}`))).not.toContain(secret);
    expect((await ask(plain, '/Scaler?fn=files/other.jpg&mo=rawfile')).status).toBe(403);
    expect((await ask(plain, '/Scaler?fn=files&pn=1&mo=file')).status).toBe(403);
  });
});

describe('annotations', () => {
  const said = async (address: string, headers = {}) => saidIn(await ask(app, address, headers));

  it.each(['/presentation/3/book/annotations/p1-jpg', '/presentation/2/book/annotations/p1-jpg'])(
    'about what is covered, and about the whole page, are left out of %s',
    async (address) => {
      expect(await said(address)).toContain(open);
      expect(await said(address)).not.toContain(secret);
      expect(await said(address, archivist)).toContain(`${secret} am Rand`);
    },
  );

  it('of words have those that are not covered', async () => {
    for (const name of ['p1', 'p2', 'p3', 'p5']) {
      expect(await said(`/presentation/3/book/text/${name}-jpg`)).toContain(open);
      expect(await said(`/presentation/3/book/text/${name}-jpg`)).not.toContain('heimnis');
    }
    expect(await said('/presentation/3/book/text/p1-jpg', archivist)).toContain(secret);
  });

  it('of a manifest of the site itself are for those who see everything', async () => {
    write('own/p1.jpg', await jpegOf(1000, 1500));
    write('own/manifest.json', JSON.stringify({ label: secret }));
    write('own/metadata.yaml', `redactions: { p1: { region: "${region}", roles: archivists } }`);
    expect(await said('/presentation/3/own/manifest.json')).not.toContain(secret);
    expect(await said('/presentation/3/own/manifest.json', archivist)).toContain(secret);
  });
});

describe('searches', () => {
  const totalOf = async (server: RunningApp, query: string, headers = {}) =>
    JSON.parse(String((await ask(server, `/api/search.json?q=${query}`, headers)).body)).texts.total;

  it('find and count no word that is covered, alone or beside others', async () => {
    for (const server of [app, plain])
      for (const query of [secret, 'geheim', `${open}+${secret}`, `%22${secret}+Wort%22`, 'heimnis', 'mehr'])
        expect([query, await totalOf(server, query)]).toEqual([query, 0]);
  });

  it('answer for a word that is covered as for one that is nowhere', async () => {
    const bodyFor = async (address: string, query: string) =>
      String((await ask(app, address + query)).body).replaceAll(query, 'QUERY');
    for (const version of ['1/presentation/2', '1/presentation/3', '2/presentation/3'])
      for (const end of ['?q=', '/collection?q=', '/autocomplete?q=']) {
        const address = `/content-search/${version}/book${end}`;
        const [found, nowhere] = end.startsWith('/auto') ? ['Geh', 'Qqq'] : [secret, 'Unsinnige'];
        expect([address, await bodyFor(address, found)]).toEqual([address, await bodyFor(address, nowhere)]);
      }
  });

  it('hide a page that is covered since it was indexed, until it is indexed again', async () => {
    write('new/p1.jpg', await jpegOf(1000, 1500));
    write(
      'new/p1.xml',
      altoOf([
        ['Neuerlich', 100, 100, 200, 40],
        [secret, 420, 410, 200, 40],
      ]),
    );
    const settings = settingsWith('plain');
    const index = () => runIndexing(readSettings(settings, {}, undefined), pino({ level: 'silent' }), {});
    await index();
    expect(await totalOf(plain, secret)).toBe(1);
    write('new/p1.jpg.meta', redaction(`region="${region}" until="2061"`));
    for (const query of [secret, 'Neuerlich']) expect(await totalOf(plain, query)).toBe(0);
    await index();
    expect(await totalOf(plain, secret)).toBe(0);
    expect(await totalOf(plain, 'Neuerlich')).toBe(1);
    vi.spyOn(Date, 'now').mockReturnValue(Date.UTC(2062, 0));
    expect(await totalOf(plain, 'Neuerlich')).toBe(1);
    await index();
    expect(await totalOf(plain, secret)).toBe(20);
    vi.spyOn(Date, 'now').mockReturnValue(Date.UTC(2060, 0));
    expect(await totalOf(plain, secret)).toBe(0);
    await index();
    expect(await totalOf(plain, 'Neuerlich')).toBe(1);
  });

  it('find the other words of the page, without those that are covered around them', async () => {
    expect(await totalOf(app, open)).toBe(19);
    expect(await totalOf(plain, open)).toBe(19);
    expect(saidIn(await ask(app, '/api/search.json?q=wort'))).not.toContain(secret);
  });
});

describe('files', () => {
  it('are not sent of what is covered', async () => {
    for (const folder of folders)
      for (const query of ['mo=file', 'mo=rawfile', 'mo=file,hires', 'mo=rawfile&dw=100'])
        for (const name of covered)
          expect((await ask(plain, `/Scaler?fn=${folder}/${name}&${query}`)).status).toBe(403);
    expect((await ask(app, '/Scaler?fn=book/p1.jpg&mo=rawfile', archivist)).status).toBe(200);
    expect((await ask(app, '/Scaler?fn=book/p7.jpg&mo=rawfile')).status).toBe(200);
  });

  it('are not in archives and documents, unless nothing of them is covered', async () => {
    const stored = await sharp(await jpegOf(1000, 1500))
      .linear(0.5)
      .jpeg()
      .toBuffer();
    write('taken/p1.jpg', stored);
    write('taken/p1.jpg.meta', redaction(`region="${region}" roles="archivists"`));
    for (const address of ['/zip/taken.zip', '/pdf/taken.pdf']) {
      const holdsFile = async (headers = {}) =>
        (await ask(app, address, headers)).body.includes(stored.subarray(200, 2000));
      expect([address, await holdsFile(archivist)]).toEqual([address, true]);
      expect([address, await holdsFile()]).toEqual([address, false]);
    }
  });

  it('are not offered of what is covered in the reading room', async () => {
    const cardsFor = async (headers: OutgoingHttpHeaders) => {
      const { images } = JSON.parse(String((await ask(app, '/api/folder.json?fn=book', headers)).body));
      return images.map(({ name, covered = false }: { name: string; covered?: boolean }) => [name, covered]);
    };
    expect(await cardsFor({})).toEqual([...covered.map((name) => [name, true]), ['p7.jpg', false]]);
    expect(await cardsFor(archivist)).toEqual([...covered, 'p7.jpg'].map((name) => [name, false]));
  });

  it('of several pages are not sent where one of them is covered, not even in place of a picture', async () => {
    const page = (red: number) =>
      sharp({ create: { width: 40, height: 40, channels: 3, background: { r: red, g: 0, b: 0 } } })
        .png()
        .toBuffer();
    const pages = sharp([await page(10), await page(200)], { join: { animated: true } });
    write('several/two.tif', await pages.tiff({ compression: 'none' }).toBuffer());
    write('several/metadata.yaml', 'redactions:\n  two.tif: { region: full, page: 2 }\n');
    expect((await ask(plain, '/Scaler?fn=several/two.tif&mo=rawfile')).status).toBe(403);
    const picture = await ask(plain, '/iiif/3/several!two.tif/full/max/0/default.tif');
    expect(picture.status).toBe(200);
    expect((await sharp(picture.body, { pages: -1 }).metadata()).pages ?? 1).toBe(1);
  });
});

describe('caches', () => {
  it('share nothing that depends on a role', async () => {
    const info = await ask(app, '/iiif/3/book!p1.jpg/info.json');
    expect([info.status, info.headers['cache-control']]).toEqual([200, 'private, no-cache']);
    const open = await ask(app, '/iiif/3/book!p7.jpg/info.json');
    expect(open.headers['cache-control']).toContain('public');
    const picture = '/iiif/3/book!p1.jpg/full/200,/0/default.jpg';
    expect((await ask(app, picture)).headers['cache-control']).toBe('private, no-cache');
    // Without roles, everyone sees the same.
    expect((await ask(plain, picture)).headers['cache-control']).toContain('public');
  });

  it('that know a picture by its time alone are not told that it is the same after it was covered', async () => {
    const address = '/iiif/3/book!p1.jpg/full/150,/0/default.jpg';
    const since = { 'if-modified-since': new Date(2021, 1, 1).toUTCString() };
    expect((await ask(plain, '/iiif/3/book!p7.jpg/full/150,/0/default.jpg', since)).status).toBe(304);
    for (const server of [plain, app]) {
      const answer = await ask(server, address, since);
      expect([answer.status, answer.headers['last-modified']]).toEqual([200, undefined]);
      expect((await ask(server, address, { 'if-none-match': answer.headers.etag })).status).toBe(304);
    }
  });

  it('of texts tell who sees more from who does not', async () => {
    const address = '/api/text/book/p1.jpg.txt';
    const { etag = '' } = (await ask(app, address, archivist)).headers;
    expect((await ask(app, address, { ...archivist, 'if-none-match': etag })).status).toBe(304);
    expect((await ask(app, address, { 'if-none-match': etag })).status).toBe(200);
    expect((await ask(app, address)).headers['content-length']).not.toBe(
      (await ask(app, address, archivist)).headers['content-length'],
    );
  });
});

describe('a date', () => {
  it('ends a redaction by itself', async () => {
    const address = '/Scaler?fn=book/p1.jpg&mo=rawfile';
    vi.spyOn(Date, 'now').mockReturnValue(Date.UTC(2062, 0) - 1);
    expect((await ask(plain, address)).status).toBe(403);
    expect(saidIn(await ask(plain, '/api/text/book/p1.jpg.txt'))).not.toContain(secret);
    vi.spyOn(Date, 'now').mockReturnValue(Date.UTC(2062, 0));
    expect((await ask(plain, address)).status).toBe(200);
    expect(saidIn(await ask(plain, '/api/text/book/p1.jpg.txt'))).toContain(secret);
  });
});

describe('what can’t be read', () => {
  test.each([
    ['a region', 'damaged/metadata.yaml', 'redactions: { a.jpg: "1,2,3" }'],
    ['a name', 'damaged/metadata.yaml', 'redactions: { b.jpg: full }'],
    ['a key', 'damaged/metadata.yaml', 'redaction: { a.jpg: full }'],
    ['a place beside the image', 'damaged/metadata.yaml', 'redactions: { a.jpg: "5000,0,10,10" }'],
    ['a .meta file', 'damaged/a.jpg.meta', '<resource><meta><redactions>'],
  ])('closes the image for everyone, with a line in the log: %s', async (_, file, content) => {
    write('damaged/a.jpg', await jpegOf(100, 100));
    write('damaged/a.txt', secret);
    write(file, content);
    const started = await startWith(settingsWith('tiers', access));
    for (const server of [plain, started])
      for (const address of [
        '/iiif/3/damaged!a.jpg/info.json',
        '/iiif/3/damaged!a.jpg/full/max/0/default.jpg',
        '/Scaler?fn=damaged/a&dw=50',
        '/Scaler?fn=damaged/a&mo=rawfile',
        '/api/text/damaged/a.jpg.txt',
      ]) {
        const answer = await ask(server, address, archivist);
        expect([address, answer.status]).toEqual([address, 403]);
      }
    expect(saidIn(await ask(plain, `/api/search.json?q=${secret}`))).toContain('"total":0');
    expect(started.logLines.join()).toMatch(/redact|not well-formed|names pages/);
    await started.close();
    rmSync(at('damaged'), { recursive: true });
  });
});

it('is closed by the folder around its own also where a link leads to the folder', async () => {
  write('around/index.meta', redaction('region="full"'));
  write('around/deep/a.jpg', await jpegOf(1000, 1500));
  write('around/deep/a.txt', 'Zugedecktes');
  symlinkSync('around/deep', at('near'));
  const started = await startWith(settingsWith('tiers'));
  expect((await ask(started, '/api/text/near/a.jpg.txt')).status).toBe(403);
  expect(saidIn(await ask(started, '/api/search.json?q=Zugedecktes'))).toContain('"total":0');
  expect(saidIn(await ask(started, '/api/search.json?q=Zugedecktes&fn=near'))).toContain('"total":0');
  await started.close();
  for (const name of ['near', 'around']) rmSync(at(name), { recursive: true });
});

it('applies to everyone in a tier, so that its address has one content', async () => {
  const started = await startWith(
    settingsWith('tiers', {
      ...access,
      types: [{ type: 'default', roles: ['archivists'], everyone: 'small' }],
    }),
  );
  const textOf = async (address: string, headers = {}) => saidIn(await ask(started, address, headers));
  expect(await textOf('/api/text/book/p1.jpg.txt', archivist)).toContain(secret);
  for (const headers of [{}, archivist]) {
    const said = await textOf('/api/text/book/p1.jpg;tier=small.txt', headers);
    expect(said).toContain(open);
    expect(said).not.toContain(secret);
  }
  expect(await textOf('/api/text/book/p1.jpg.txt')).not.toContain(secret);
  const info = await ask(started, '/iiif/3/book!p1.jpg;tier=small/info.json');
  expect(info.headers['cache-control']).toContain('public');
  await started.close();
});
