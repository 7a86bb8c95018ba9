import { cpSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../fixtures/pdf-programs.ts';
import { type RunningApp, startApp } from './running-app.ts';

let folder: string;
let app: RunningApp;
const staff = { 'x-forwarded-for': '10.9.9.9' };

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#b08040' } }).withMetadata({ density: 150 });

async function makeLibrary(): Promise<void> {
  for (const name of ['damaged', 'parts', 'mixed', 'long', 'short', 'tiles']) mkdirSync(path.join(folder, name));
  const jpeg = await picture(300, 400).jpeg().toBuffer();
  for (const name of ['a', 'b', 'c']) writeFileSync(path.join(folder, 'damaged', `${name}.jpg`), jpeg);
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  const broken = path.join(folder, 'damaged', 'b.jpg');
  await sharp({ create: { width: 300, height: 400, channels: 3, background: '#000', noise } })
    .png()
    .toFile(broken.replace('.jpg', '.png'));
  truncateSync(broken.replace('.jpg', '.png'), 9000);
  rmSync(broken);
  const [one, two] = [await picture(300, 400).png().toBuffer(), await picture(300, 400).negate().png().toBuffer()];
  const joined = await sharp([one, two], { join: { animated: true } })
    .tiff()
    .toBuffer();
  writeFileSync(path.join(folder, 'parts', 'leaf.tif'), joined);
  for (const name of ['p1', 'p2', 'p3']) writeFileSync(path.join(folder, 'mixed', `${name}.jpg`), jpeg);
  const large = await sharp({ create: { width: 2400, height: 3000, channels: 3, background: '#000', noise } })
    .tiff()
    .toBuffer();
  for (let page = 0; page < 12; page++) writeFileSync(path.join(folder, 'long', `p${page}.tif`), large);
  writeFileSync(path.join(folder, 'short', 'p0.tif'), large);
  writeFileSync(path.join(folder, 'tiles', 't.tif'), await picture(1024, 1024).tiff({ tile: true }).toBuffer());
}

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'document-pages-'));
  await makeLibrary();
  app = await startApp({
    library: { folders: [folder] },
    access: {
      paths: [{ path: 'mixed/p2.jpg', roles: ['staff'] }],
      addresses: [{ address: '10.9.9.9', roles: ['staff'] }],
    },
    pdf: { workers: 2, maxDocumentBytes: 64 * 2 ** 20 },
    http: { trustedProxies: ['127.0.0.1'] },
    render: { processes: 1 },
  });
});

afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

async function document(address: string, headers = {}): Promise<string> {
  const { status, body } = await app.get(address, { headers });
  expect(status, body.toString('latin1', 0, 300)).toBe(200);
  const file = path.join(folder, 'document.pdf');
  writeFileSync(file, body);
  return file;
}

const pagesIn = (file: string): number => Number(/Pages:\s+(\d+)/.exec(run('pdfinfo', file))?.[1]);

describe('a page of a document', () => {
  it('whose picture is damaged has a sentence in its place, and the log names it', {
    tags: 'pdf-readers',
  }, async () => {
    const file = await document('/pdf/damaged.pdf?lang=en');
    expect(run('qpdf', '--check', file)).toContain('No syntax or stream encoding errors found');
    expect(pagesIn(file)).toBe(4);
    expect(run('pdftotext', '-f', '3', '-l', '3', file, '-').trim()).not.toBe('');
    expect(run('pdftotext', '-f', '2', '-l', '2', file, '-').trim()).toBe('');
    expect(run('pdfimages', '-list', file).match(/ image /g)).toHaveLength(2);
    expect(app.logLines.some((line) => line.includes('has no picture'))).toBe(true);
  });

  it('whose file is removed meanwhile has a sentence in its place; the next document is without it', {
    tags: 'pdf-readers',
  }, async () => {
    cpSync(path.join(folder, 'long'), path.join(folder, 'leaving'), { recursive: true });
    const response = await fetch(`${app.url}/pdf/leaving.pdf?lang=en&size=300`);
    expect(response.status).toBe(200);
    const pieces: Uint8Array[] = [];
    for await (const piece of response.body ?? []) {
      if (pieces.push(piece) === 1) rmSync(path.join(folder, 'leaving', 'p9.tif'));
    }
    const file = path.join(folder, 'leaving.pdf');
    writeFileSync(file, Buffer.concat(pieces));
    expect(run('qpdf', '--check', file)).toContain('No syntax or stream encoding errors found');
    expect(pagesIn(file)).toBe(13);
    expect(run('pdftotext', '-f', '13', '-l', '13', file, '-').trim()).not.toBe('');
    expect(run('pdftotext', '-f', '2', '-l', '12', file, '-').trim()).toBe('');
    expect(pagesIn(await document('/pdf/leaving.pdf?lang=en&size=300'))).toBe(12);
  });

  it('is each page of a TIFF file with several', { tags: 'pdf-readers' }, async () => {
    const file = await document('/pdf/parts.pdf');
    expect(pagesIn(file)).toBe(3);
    expect(run('qpdf', '--json', '--json-key=pagelabels', file)).toMatch(/leaf \(1\)[\s\S]*leaf \(2\)/);
    expect(run('pdfimages', '-list', file).match(/ image +300 +400 /g)).toHaveLength(2);
  });

  it('that is closed in an open folder is left out, and given to those who may see it', {
    tags: 'pdf-readers',
  }, async () => {
    expect(pagesIn(await document('/pdf/mixed.pdf', staff))).toBe(4);
    expect(pagesIn(await document('/pdf/mixed.pdf'))).toBe(3);
    expect((await app.get('/pdf/mixed.pdf?pages=2')).status).toBe(404);
  });
});

describe('PDFCache of an open folder with a closed page', () => {
  const json = { accept: 'application/json' };
  const post = (headers = {}) =>
    app.get('/PDFCache', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: 'fn=mixed&pgs=1-',
    });
  const docidOf = (location: string | undefined): string => new URL(location ?? '').searchParams.get('docid') ?? '';
  const pagesFor = async (docid: string, headers = {}): Promise<number> => {
    const state = async () =>
      JSON.parse((await app.get(`/PDFCache?docid=${docid}`, { headers: { ...json, ...headers } })).body.toString());
    await expect.poll(state, { timeout: 20_000 }).toMatchObject({ status: 'DONE' });
    return pagesIn(await document(`/PDFCache?docid=${docid}`, headers));
  };

  it('leaves the page out for who may not see it, by the same id', { tags: 'pdf-readers' }, async () => {
    const docid = docidOf((await post(staff)).headers.location);
    expect(await pagesFor(docid, staff)).toBe(4);
    // The document of the others is another one, which nobody has begun.
    const { status, body } = await app.get(`/PDFCache?docid=${docid}`, { headers: json });
    expect([status, JSON.parse(body.toString()).status]).toEqual([404, 'NONEXISTENT']);
    expect(docidOf((await post()).headers.location)).toBe(docid);
    expect(await pagesFor(docid)).toBe(3);
  });
});

describe('PDFCache of a folder whose files change', () => {
  const post = (name: string, pgs = '1-') =>
    app.get('/PDFCache', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `fn=${name}&pgs=${pgs}`,
    });
  const stateOf = async (docid: string) =>
    JSON.parse(
      (await app.get(`/PDFCache?docid=${docid}`, { headers: { accept: 'application/json' } })).body.toString(),
    );
  const begin = async (name: string): Promise<string> => {
    const { headers } = await post(name);
    return new URL(headers.location ?? '').searchParams.get('docid') ?? '';
  };
  const change = async (name: string): Promise<void> =>
    writeFileSync(path.join(folder, name, 'p9.tif'), await picture(200, 200).tiff().toBuffer());
  const copy = (name: string): void => cpSync(path.join(folder, 'long'), path.join(folder, name), { recursive: true });

  it('goes on with the document that is being made, and gives it by its id', { tags: 'pdf-readers' }, async () => {
    copy('changing');
    const docid = await begin('changing');
    await change('changing');
    expect((await stateOf(docid)).status).toMatch(/^(WIP|DONE)$/);
    await expect.poll(() => stateOf(docid), { timeout: 20_000 }).toMatchObject({ status: 'DONE' });
    expect(pagesIn(await document(`/PDFCache?docid=${docid}`))).toBe(13);
  });

  it('gives a document that was made before a file changed, and the new one when the form is sent again', async () => {
    copy('changed');
    const docid = await begin('changed');
    await expect.poll(() => stateOf(docid), { timeout: 20_000 }).toMatchObject({ status: 'DONE' });
    const { headers } = await app.get(`/PDFCache?docid=${docid}`);
    await change('changed');
    const after = await app.get(`/PDFCache?docid=${docid}`);
    expect([after.status, after.headers.etag]).toEqual([200, headers.etag]);
    expect(await begin('changed')).toBe(docid);
    await expect.poll(() => stateOf(docid), { timeout: 20_000 }).toMatchObject({ status: 'DONE' });
    expect((await app.get(`/PDFCache?docid=${docid}`)).headers.etag).not.toBe(headers.etag);
  });

  it('begins the document anew where a text in it is not shown any more', { tags: 'pdf-readers' }, async () => {
    copy('untold');
    writeFileSync(path.join(folder, 'untold', 'p3.txt'), 'Hypericum');
    const docid = await begin('untold');
    await expect.poll(() => stateOf(docid), { timeout: 20_000 }).toMatchObject({ status: 'DONE' });
    expect(run('pdftotext', await document(`/PDFCache?docid=${docid}`), '-')).toContain('Hypericum');
    rmSync(path.join(folder, 'untold', 'p3.txt'));
    await expect.poll(() => stateOf(docid), { timeout: 20_000 }).toMatchObject({ status: 'DONE' });
    expect(run('pdftotext', await document(`/PDFCache?docid=${docid}`), '-')).not.toContain('Hypericum');
  });

  it('begins the document anew where a page of it is not shown any more', { tags: 'pdf-readers' }, async () => {
    copy('gone');
    const docid = await begin('gone');
    await expect.poll(() => stateOf(docid), { timeout: 20_000 }).toMatchObject({ status: 'DONE' });
    rmSync(path.join(folder, 'gone', 'p9.tif'));
    expect(await stateOf(docid)).toMatchObject({ status: 'WIP' });
    await expect.poll(() => stateOf(docid), { timeout: 20_000 }).toMatchObject({ status: 'DONE' });
    expect(pagesIn(await document(`/PDFCache?docid=${docid}`))).toBe(12);
  });
});

describe('a long document', () => {
  it('holds up neither tiles nor the short document of another reader', async () => {
    const order: string[] = [];
    const ask = async (name: string, address: string, client: string) => {
      const { status } = await app.get(address, { headers: { 'x-forwarded-for': client } });
      order.push(name);
      expect(status).toBe(200);
    };
    const long = ask('long', '/pdf/long.pdf?size=1500', '10.1.1.1');
    await expect
      .poll(async () => JSON.parse((await app.get('/api/pdf.json?fn=long&size=1500')).body.toString()), {
        interval: 20,
      })
      .toMatchObject({ state: 'making' });
    const tile = ask('tile', '/iiif/3/tiles%2Ft/0,0,512,512/300,/0/default.jpg', '10.1.1.2');
    const short = ask('short', '/pdf/short.pdf?size=1500', '10.1.1.3');
    await Promise.all([long, tile, short]);
    expect(order.at(-1)).toBe('long');
  });
});

describe('an archive', () => {
  it('that would be too long is refused with a sentence, and smaller pictures are not', async () => {
    const long = await app.get('/zip/long.zip');
    expect([long.status, long.body.toString()]).toEqual([
      413,
      expect.stringContaining('The archive would have more than 64 MiB; ask for fewer pages or a smaller size.'),
    ]);
    expect((await app.get('/zip/long.zip?size=100', { method: 'HEAD' })).status).toBe(200);
  });

  const listed = (file: string): readonly string[] =>
    run('unzip', '-Z1', file)
      .split('\n')
      .filter((line) => line !== '');

  it('names a damaged picture at its end, and is whole', { tags: 'unzip' }, async () => {
    const file = await document('/zip/damaged.zip?lang=en');
    expect(run('unzip', '-t', file)).toContain('No errors detected');
    expect(listed(file)).toEqual(['a.jpg', 'c.jpg', 'missing.txt']);
    expect(run('unzip', '-p', file, 'missing.txt')).toBe('b.png: The picture of this page can’t be made.\n');
  });

  it('names the files that are removed and replaced while it is sent, and is whole', { tags: 'unzip' }, async () => {
    cpSync(path.join(folder, 'long'), path.join(folder, 'going'), { recursive: true });
    const response = await fetch(`${app.url}/zip/going.zip?lang=de&size=300`);
    expect(response.status).toBe(200);
    const pieces: Uint8Array[] = [];
    for await (const piece of response.body ?? []) {
      if (pieces.push(piece) > 1) continue;
      rmSync(path.join(folder, 'going', 'p8.tif'));
      writeFileSync(path.join(folder, 'going', 'p9.tif'), 'no picture');
    }
    const file = path.join(folder, 'going.zip');
    writeFileSync(file, Buffer.concat(pieces));
    expect(run('unzip', '-t', file)).toContain('No errors detected');
    expect(listed(file)).toHaveLength(11);
    expect(listed(file).at(-1)).toBe('missing.txt');
    const sentence = 'Das Bild dieser Seite kann nicht erzeugt werden.';
    expect(run('unzip', '-p', file, 'missing.txt')).toBe(`p8.tif: ${sentence}\np9.tif: ${sentence}\n`);
  });

  it('without a single picture is an error, and nothing to save', async () => {
    const { status, headers } = await app.get('/zip/damaged.zip?pages=2');
    expect(status).toBeGreaterThanOrEqual(400);
    expect(headers['content-disposition']).toBeUndefined();
    expect(headers['content-type']).toContain('text/');
  });
});
