// @module-tag pdf-readers
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { imagesIn, objectsOf, run, wordsOn } from '../fixtures/pdf-programs.ts';
import { brokenRules, readPdf } from '../fixtures/pdf-rules.ts';
import { type RunningApp, startApp } from './running-app.ts';
import { bookFiles, firstWords, makeScans, type Scans, turnedWords, type Word } from './scans.ts';

let scans: Scans;
let app: RunningApp;
let folder: string;
/** The document of the whole book. */
let whole: string;

beforeAll(async () => {
  scans = await makeScans();
  app = await startApp({
    library: { folders: [scans.directory] },
    readingRoom: { name: 'Library of Tests' },
    access: { paths: [{ path: 'secret', roles: ['staff'] }], addresses: [{ address: '10.9.9.9', roles: ['staff'] }] },
    http: { trustedProxies: ['127.0.0.1'] },
  });
  folder = mkdtempSync(path.join(tmpdir(), 'documents-'));
  whole = await document('whole', '/pdf/book.pdf');
});

afterAll(async () => {
  await app.close();
  scans.remove();
  rmSync(folder, { recursive: true });
});

const staff = { 'x-forwarded-for': '10.9.9.9' };

/** Saves the document of an address, and returns the path of its file. */
async function document(name: string, address: string, headers = {}): Promise<string> {
  const { status, body } = await app.get(address, { headers });
  expect(status, body.toString('latin1', 0, 300)).toBe(200);
  const file = path.join(folder, `${name}.pdf`);
  writeFileSync(file, body);
  return file;
}

const stored = (name: string): Buffer => readFileSync(path.join(scans.directory, 'book', name));

/** The pixels of a page (from 1, the cover too) at one pixel a point. */
async function pixelsOf(file: string, page: number) {
  const target = path.join(folder, `page-${page}`);
  run('pdftoppm', '-r', '72', '-f', String(page), '-l', String(page), '-singlefile', '-png', file, target);
  return sharp(`${target}.png`).removeAlpha().raw().toBuffer({ resolveWithObject: true });
}

/** Expects words within 2 pixels of the image, whose pixels are so many points large. */
function expectWords(file: string, page: number, words: readonly Word[], pointsPerPixel: number): void {
  const found = wordsOn(file, page);
  expect(found.map(({ text }) => text)).toEqual(words.map(({ text }) => text));
  for (const [
    index,
    {
      box: [x, y, width, height],
    },
  ] of words.entries()) {
    const expected = [x, y, x + width, y + height];
    found[index]?.box.forEach((value, side) => {
      expect(Math.abs(value / pointsPerPixel - (expected[side] ?? 0)), words[index]?.text).toBeLessThanOrEqual(2);
    });
  }
}

describe('a PDF document', () => {
  it('is valid', () => expect(run('qpdf', '--check', whole)).toContain('No syntax or stream encoding errors found'));

  it('has a cover with the label, the metadata, the rights and the permanent address', () => {
    const cover = run('pdftotext', '-layout', '-l', '1', whole, '-');
    for (const text of [
      'Library of Tests',
      'Scans & “Proofs” <1>',
      'Fuchs, Leonhart',
      'Public Domain Mark 1.0',
      `${app.url}/browse/book`,
      String(new Date().getUTCFullYear()),
    ]) {
      expect(cover).toContain(text);
    }
  });

  it('holds JPEG files byte for byte', () => {
    const images = imagesIn(whole, mkdtempSync(path.join(folder, 'images-')));
    expect(images).toHaveLength(bookFiles.length);
    for (const [index, name] of bookFiles.entries()) {
      if (name.endsWith('.jpg')) expect(images[index]?.equals(stored(name)), name).toBe(true);
    }
  });

  it('has the words where they are, also on a page that is stored on its side', () => {
    expectWords(whole, 2, firstWords, 72 / 150);
    expectWords(whole, 3, turnedWords, 72 / 150);
  });

  it('shows a page that is stored on its side upright', async () => {
    const { data, info } = await pixelsOf(whole, 3);
    expect([info.width, info.height]).toEqual([432, 576]);
    const at = (x: number, y: number): readonly number[] => [...data.subarray((y * info.width + x) * 3).subarray(0, 2)];
    // The red of the stored image grows to the right, and its green downward; it is turned clockwise by a quarter.
    const [topLeft, topRight, bottomLeft] = [at(8, 8), at(424, 8), at(8, 568)];
    expect(topLeft[1]).toBeGreaterThan(200);
    expect(topRight[1]).toBeLessThan(60);
    expect(bottomLeft[0]).toBeGreaterThan(200);
    expect(topLeft[0]).toBeLessThan(60);
  });

  it('shows inks that are stored inverted rightly', async () => {
    const { data, info } = await pixelsOf(whole, 4);
    const bright = data[(Math.round(info.height / 2) * info.width + info.width - 5) * 3] ?? 0;
    const dark = data[(Math.round(info.height / 2) * info.width + 4) * 3] ?? 255;
    expect(bright - dark).toBeGreaterThan(60);
  });

  it('has sheets of the true size', () => {
    const sizes = run('pdfinfo', '-f', '1', '-l', '6', whole).match(/size:\s+[\d.]+ x [\d.]+/g);
    expect(sizes?.slice(1).map((size) => size.replace(/^size:\s+/, ''))).toEqual([
      '432 x 576',
      '432 x 576',
      '72 x 96',
      '144 x 192',
      '72 x 96',
    ]);
  });

  it('has page labels, an outline, tags, a language and its metadata', () => {
    const objects = Object.values(objectsOf(whole)) as Record<string, unknown>[];
    const catalog = objects.find((one) => one['/Type'] === '/Catalog') ?? {};
    expect(catalog['/Lang']).toBe('u:en');
    expect(run('qpdf', '--json', '--json-key=pagelabels', whole)).toMatch(/u:1r[\s\S]*u:1v[\s\S]*u:c-inks/);
    expect(run('qpdf', '--json', '--json-key=outlines', whole)).toMatch(/"Part I"[\s\S]*"Part II"/);
    const structure = run('pdfinfo', '-struct-text', whole);
    expect(structure).toMatch(/Document[\s\S]*H1[\s\S]*Figure[\s\S]*P[\s\S]*Hypericum/);
    const xmp = run('pdfinfo', '-meta', whole);
    expect(xmp).toContain('Scans &amp; “Proofs” &lt;1&gt;');
    expect(xmp).toContain('<rdf:li>Fuchs, Leonhart</rdf:li>');
    expect(xmp).toContain('<dc:identifier>');
  });

  it('claims PDF/A-2u only where all colors have a meaning', async () => {
    const claim = '<pdfaid:part>2</pdfaid:part><pdfaid:conformance>U</pdfaid:conformance>';
    expect(run('pdfinfo', '-meta', whole)).not.toContain(claim);
    const first = await document('first', '/pdf/book.pdf?pages=1-2');
    expect(run('pdfinfo', '-meta', first)).toContain(claim);
  });

  it('keeps the rules of tagged PDF and of PDF/A-2u, but for inks that nobody has named', async () => {
    expect(brokenRules(readPdf(whole))).toEqual(['inks have a profile']);
    const first = readPdf(await document('first', '/pdf/book.pdf?pages=1-2'));
    expect(brokenRules(first)).toEqual([]);
  });

  it('has these rules checked by a function that finds what breaks them', async () => {
    const { objects } = readPdf(await document('first', '/pdf/book.pdf?pages=1-2'));
    const text = JSON.stringify(objects);
    const broken = (from: RegExp, to: string): readonly string[] => {
      const changed = text.replace(from, to);
      expect(changed).not.toBe(text);
      return brokenRules({ objects: JSON.parse(changed) });
    };
    expect(broken(/"\/Alt":/, '"/Other":')).toEqual(['a figure has an alternative text']);
    expect(broken(/"\/Marked":true/, '"/Marked":false')).toEqual(['the document is marked']);
    expect(broken(/"\/FontFile2":/, '"/Other":')).toEqual([expect.stringMatching(/^the font .* is embedded$/)]);
    expect(broken(/"\/ToUnicode":"[^"]*"/, '"/Other":0')).toEqual([expect.stringMatching(/has Unicode$/)]);
    expect(broken(/"\/DestOutputProfile":/, '"/Other":')).toEqual(['the output intent has an ICC profile']);
    expect(broken(/"\/Tabs":"\/S"/, '"/Tabs":"/R"')).toEqual([expect.stringMatching(/read by its structure$/)]);
  });

  it('embeds all of its fonts', () => {
    const rows = run('pdffonts', whole).trim().split('\n').slice(2);
    expect(rows.length).toBeGreaterThan(1);
    for (const row of rows) expect(row).toMatch(/\s(?:yes|no)\s+(?:yes|no)\s+yes\s+\d+\s+\d+\s*$/);
    for (const row of rows) expect(row).toMatch(/yes\s+(?:yes|no)\s+yes\s+\d+\s+\d+\s*$/);
  });

  it('has the pages that are asked for, in their order, and says which', async () => {
    const some = await document('some', '/pdf/book.pdf?pages=2,1&lang=de');
    expectWords(some, 2, turnedWords, 72 / 150);
    expectWords(some, 3, firstWords, 72 / 150);
    expect(run('pdftotext', '-layout', '-l', '1', some, '-')).toMatch(/Seiten\s+1v … 1r \(2,1\)/);
  });

  it('has pages by their positions in reading order', async () => {
    const second = await document('second', '/pdf/book.pdf?at=2');
    expectWords(second, 2, turnedWords, 72 / 150);
  });

  it.each(['pages=1r-1v', 'at=1r%E2%80%931v', 'pages=1r,1v'])('has pages by their labels, %s', async (query) => {
    const some = await document('labels', `/pdf/book.pdf?${query}&lang=en`);
    expectWords(some, 2, firstWords, 72 / 150);
    expectWords(some, 3, turnedWords, 72 / 150);
    expect(run('pdftotext', '-layout', '-l', '1', some, '-')).toMatch(/Pages\s+1r … 1v \(1-2\)/);
    const progress = await app.get(`/api/pdf.json?fn=book&${query}`);
    expect(JSON.parse(progress.body.toString())).toMatchObject({ of: 2 });
  });

  it('is an archive and a text of pages by their labels, which its name has', async () => {
    const { status, headers } = await app.get('/zip/book.zip?at=1r%E2%80%931v');
    expect(status).toBe(200);
    expect(decodeURIComponent(headers['content-disposition'] ?? '')).toContain('book 1r–1v.zip');
    const [some, all] = await Promise.all(['?at=1r', ''].map((query) => app.get(`/txt/book.txt${query}`)));
    expect(some?.status).toBe(200);
    expect(some?.body.length).toBeLessThan(all?.body.length ?? 0);
  });

  it.each([
    ['size=300', [225, 300]],
    ['dpi=75', [450, 600]],
  ])('has smaller pictures by %s, and the words at the same places', async (query, size) => {
    const small = await document('small', `/pdf/book.pdf?pages=1&${query}`);
    expect(run('pdfimages', '-list', small)).toMatch(new RegExp(`image\\s+${size.join('\\s+')}\\s`));
    expectWords(small, 2, firstWords, 72 / 150);
  });
});

describe('the address of a document', () => {
  it('has a tag, a length and ranges as soon as the document is kept', async () => {
    const { headers, body } = await app.get('/pdf/book.pdf');
    expect(headers).toMatchObject({ 'content-type': 'application/pdf', 'content-length': String(body.length) });
    const again = await app.get('/pdf/book.pdf', { headers: { 'if-none-match': headers.etag } });
    expect([again.status, again.body.length]).toEqual([304, 0]);
    const part = await app.get('/pdf/book.pdf', { headers: { range: 'bytes=1-4' } });
    expect([part.status, part.body.toString()]).toEqual([206, 'PDF-']);
    const behind = await app.get('/pdf/book.pdf', { headers: { range: `bytes=${body.length}-` } });
    expect(behind.status).toBe(416);
    expect((await app.get('/pdf/book.pdf', { method: 'HEAD' })).headers['content-length']).toBe(String(body.length));
  });

  it('gives simultaneous requests the same bytes', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => app.get('/pdf/book.pdf?pages=1-3')));
    expect(new Set(answers.map(({ body }) => body.toString('latin1'))).size).toBe(1);
  });

  it('tells how far the document is', async () => {
    const before = await app.get('/api/pdf.json?fn=book&pages=5');
    expect(JSON.parse(before.body.toString())).toEqual({ state: 'none', pages: 0, of: 1, bytes: 0 });
    const { body } = await app.get('/pdf/book.pdf?pages=5');
    const after = await app.get('/api/pdf.json?fn=book&pages=5');
    expect(JSON.parse(after.body.toString())).toEqual({ state: 'done', pages: 1, of: 1, bytes: body.length });
  });

  it('begins the document where that is asked for', async () => {
    const stateOf = async () =>
      JSON.parse((await app.get('/api/pdf.json?fn=book&pages=4,5&make=1')).body.toString()) as { state: string };
    expect(await stateOf()).toMatchObject({ state: 'making', pages: 0, of: 2 });
    await expect.poll(stateOf, { timeout: 20_000 }).toMatchObject({ state: 'done', pages: 2, of: 2 });
    const { headers } = await app.get('/pdf/book.pdf?pages=4,5', { method: 'HEAD' });
    expect(headers.etag).toBeDefined();
  });

  it.each([
    ['/pdf/book.pdf?pages=0', 400],
    ['/pdf/book.pdf?pages=x', 400],
    ['/pdf/book.pdf?at=1r-9x', 400],
    ['/zip/book.zip?pages=1v-1r', 400],
    ['/pdf/book.pdf?size=0', 400],
    ['/pdf/book.pdf?pages=77', 404],
    ['/pdf/nothing.pdf', 404],
    ['/pdf/book', 404],
    ['/pdf/..%2Fetc.pdf', 404],
    ['/pdf/secret.pdf', 401],
    ['/zip/secret.zip', 401],
    ['/txt/secret.txt', 401],
    ['/api/pdf.json?fn=secret', 401],
    ['/api/pdf.json?fn=secret&make=1', 401],
  ])('%s is answered %d', async (address, status) => expect((await app.get(address)).status).toBe(status));

  it.each(['/pdf/secret.pdf', '/zip/secret.zip', '/txt/secret.txt'])('%s is refused as a folder', async (address) =>
    expect((await app.get(address)).body.toString()).toContain('You may not see this folder.'),
  );

  it('of a folder that is not there is missed as a folder', async () => {
    expect((await app.get('/pdf/nothing.pdf')).body.toString()).toContain('There is no folder of this name.');
    expect((await app.get('/pdf/..%2Fetc.pdf')).body.toString()).toContain('There is no folder of this name.');
  });

  it('is asked each time whether the caller may see the pages', async () => {
    const { headers } = await app.get('/pdf/secret.pdf', { headers: staff });
    expect(headers['cache-control']).toBe('no-store');
    const kept = await app.get('/pdf/secret.pdf', { headers: staff });
    expect([kept.status, kept.headers['cache-control']]).toEqual([200, 'private, no-cache']);
    expect((await app.get('/pdf/secret.pdf')).status).toBe(401);
  });

  it('is in manifests of both versions', async () => {
    const version3 = JSON.parse((await app.get('/presentation/3/book/manifest.json')).body.toString());
    const address = `${app.url}/pdf/book.pdf`;
    expect(version3.rendering).toContainEqual({
      id: address,
      type: 'Text',
      label: { none: ['PDF'] },
      format: 'application/pdf',
    });
    const version2 = JSON.parse((await app.get('/presentation/2/book/manifest.json')).body.toString());
    expect([version2.rendering].flat()).toContainEqual({ '@id': address, label: 'PDF', format: 'application/pdf' });
  });
});

describe('an archive of pictures', () => {
  it('has the JPEG files as they are, and pictures of the others', async () => {
    const { body, headers } = await app.get('/zip/book.zip');
    expect(headers['content-type']).toBe('application/zip');
    for (const name of bookFiles.filter((file) => file.endsWith('.jpg'))) {
      expect(body.includes(stored(name)), name).toBe(true);
    }
    expect(body.includes('d-bilevel.jpg')).toBe(true);
    // The end of the central directory says how many entries there are.
    expect(body.readUInt16LE(body.lastIndexOf('PK\u0005\u0006') + 10)).toBe(bookFiles.length + 1);
    expect(body.toString('latin1')).toContain('rights.txt');
    expect(body.toString()).toContain(
      'Scans & “Proofs” <1>\n\nRights: Public Domain Mark 1.0\nhttps://creativecommons.org/publicdomain/mark/1.0/\n',
    );
  });
});

describe('the text of a folder', () => {
  it('has the words of each page below its label', async () => {
    const { body, headers } = await app.get('/txt/book.txt');
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(body.toString()).toBe('[1r]\n\nHypericum\nperforatum\nJohanniskraut\n\n[1v]\n\nSalvia\n\n');
  });

  it('is not found where no page has one', async () =>
    expect((await app.get('/txt/book.txt?pages=3-')).status).toBe(404));
});
