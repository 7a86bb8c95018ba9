import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../fixtures/pdf-programs.ts';
import { type ReceivedResponse, type RunningApp, startApp } from './running-app.ts';
import { makeScans, type Scans } from './scans.ts';

let scans: Scans;
let app: RunningApp;
let folder: string;

beforeAll(async () => {
  scans = await makeScans();
  app = await startApp({
    library: { folders: [scans.directory] },
    access: { paths: [{ path: 'secret', roles: ['staff'] }], addresses: [{ address: '10.9.9.9', roles: ['staff'] }] },
    pdf: { headerTitle: 'House of the Settings' },
    http: { trustedProxies: ['127.0.0.1'] },
  });
  folder = mkdtempSync(path.join(tmpdir(), 'pdf-cache-files-'));
});

afterAll(async () => {
  await app.close();
  scans.remove();
  rmSync(folder, { recursive: true });
});

const json = { accept: 'application/json' };
const staff = { 'x-forwarded-for': '10.9.9.9' };

const post = (fields: Record<string, string>, headers = {}, address = '/PDFCache'): Promise<ReceivedResponse> =>
  app.get(address, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
  });

/** The path and the id of a redirect to a document. */
function idIn({ status, headers }: ReceivedResponse): { readonly address: string; readonly docid: string } {
  expect(status).toBe(302);
  const { pathname, searchParams } = new URL(headers.location ?? '');
  return { address: pathname, docid: searchParams.get('docid') ?? '' };
}

const stateOf = async (docid: string, headers = {}) => {
  const { body } = await app.get(`/PDFCache?docid=${docid}`, { headers: { ...json, ...headers } });
  return JSON.parse(body.toString()) as { readonly docid: string; readonly status: string; readonly message: string };
};

/** Waits until the document is kept; the states on the way are digilib's. */
async function made(docid: string, headers = {}): Promise<ReceivedResponse> {
  for (;;) {
    const answer = await app.get(`/PDFCache?docid=${docid}`, { headers });
    if (answer.status !== 202) return answer;
    await setTimeout(20);
  }
}

const texts = {
  title: 'Kräuter',
  author: 'Leonhart Fuchs',
  date: '1543',
  'online-url': 'https://herbal.example/1',
  'header-title': 'Bibliothek',
  'header-subtitle': 'Alte Drucke',
};

describe.each(['/PDFCache', '/servlet/PDFCache', '/authenticated/servlet/PDFCache'])('%s', (address) => {
  it('begins a document, says how far it is, and sends it', { tags: 'pdf-readers' }, async () => {
    const begun = idIn(
      await post({ fn: 'book', pgs: '1-3,5', ...texts, title: `${texts.title} ${address}` }, {}, address),
    );
    expect(begun.address).toBe(address);
    expect(begun.docid).toMatch(/^[\w-]+$/);
    const waiting = await app.get(`${address}?docid=${begun.docid}`);
    expect([200, 202]).toContain(waiting.status);
    if (waiting.status === 202) {
      expect(waiting.headers['refresh']).toBe('2');
      expect(waiting.body.toString()).toContain('<progress');
    }
    const done = await made(begun.docid);
    expect([done.status, done.headers['content-type']]).toEqual([200, 'application/pdf']);
    expect(done.headers['content-disposition']).toBe('inline; filename="digilib_book_pgs1-3,5.pdf"');
    const file = path.join(folder, 'document.pdf');
    writeFileSync(file, done.body);
    expect(run('qpdf', '--check', file)).toContain('No syntax');
    expect(run('pdfinfo', '-f', '1', '-l', '9', file)).toMatch(/Pages:\s+5/);
    expect(run('pdfinfo', '-f', '2', '-l', '2', file)).toMatch(/size:\s+595\.28 x 841\.89/);
    const cover = run('pdftotext', '-layout', '-l', '1', file, '-');
    for (const text of ['Bibliothek', 'Alte Drucke', 'Kräuter', 'Leonhart Fuchs', '1543', 'https://herbal.example/1']) {
      expect(cover).toContain(text);
    }
  });
});

describe('PDFCache', () => {
  it('answers in JSON where exactly that is accepted', async () => {
    const { docid } = idIn(await post({ fn: 'book', pgs: '1', title: 'in JSON' }, json));
    const first = await stateOf(docid);
    expect(['WIP', 'DONE']).toContain(first.status);
    expect((await made(docid)).status).toBe(200);
    const { body, status, headers } = await app.get(`/PDFCache?docid=${docid}`, { headers: json });
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(JSON.parse(body.toString())).toEqual({ docid, status: 'DONE', message: 'The document is made.' });
    // Any other header gets the document.
    const other = await app.get(`/PDFCache?docid=${docid}`, { headers: { accept: 'application/json, */*' } });
    expect(other.headers['content-type']).toBe('application/pdf');
  });

  it('sends a document that is there already at once, and in JSON its address', async () => {
    const fields = { fn: 'book', pgs: '2', title: 'again' };
    const { docid } = idIn(await post(fields));
    await made(docid);
    const again = await post(fields);
    expect([again.status, again.headers['content-type']]).toEqual([200, 'application/pdf']);
    expect(idIn(await post(fields, json)).docid).toBe(docid);
  });

  it('takes parameters from the query too, and cuts pages beyond the last', { tags: 'pdf-readers' }, async () => {
    const { docid } = idIn(await app.get('/PDFCache?fn=book&pgs=4-99&dh=100', { method: 'POST' }));
    const file = path.join(folder, 'cut.pdf');
    writeFileSync(file, (await made(docid)).body);
    expect(run('pdfinfo', file)).toMatch(/Pages:\s+3/);
    expect(run('pdfimages', '-list', file)).toMatch(/image\s+75\s+100\s/);
  });

  it('has the reference in place of title, author and date', { tags: 'pdf-readers' }, async () => {
    const { docid } = idIn(await post({ fn: 'book', pgs: '1', ...texts, reference: 'Fuchs 1543, Blatt 1' }));
    const file = path.join(folder, 'reference.pdf');
    writeFileSync(file, (await made(docid)).body);
    const cover = run('pdftotext', '-layout', '-l', '1', file, '-');
    expect(cover).toContain('Fuchs 1543, Blatt 1');
    expect(cover).not.toContain('Leonhart Fuchs');
  });

  it('has the head of the settings where the form has none', { tags: 'pdf-readers' }, async () => {
    const { docid } = idIn(await post({ fn: 'book', pgs: '1', title: 'head' }));
    const file = path.join(folder, 'head.pdf');
    writeFileSync(file, (await made(docid)).body);
    expect(run('pdftotext', '-l', '1', file, '-')).toContain('House of the Settings');
  });

  it.each([
    ['no id', '', 400, 'ERROR'],
    ['a broken id', '?docid=abcdefgh', 400, 'ERROR'],
  ])('answers %s with an error', async (_what, query, status, state) => {
    const answer = await app.get(`/PDFCache${query}`, { headers: json });
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body.toString())).toMatchObject({ status: state });
    const shown = await app.get(`/PDFCache${query}`);
    expect([shown.status, shown.headers['content-type']]).toEqual([status, 'text/html; charset=utf-8']);
  });

  it.each([
    ['no pages', { fn: 'book' }, 400, 'ERROR'],
    ['broken pages', { fn: 'book', pgs: '3-1' }, 400, 'ERROR'],
    ['a folder that is not there', { fn: 'nothing', pgs: '1' }, 404, 'NONEXISTENT'],
    ['pages that are not there', { fn: 'book', pgs: '70-' }, 404, 'NONEXISTENT'],
    ['a text that fits into no address', { fn: 'book', pgs: '1', title: randomText(9000) }, 400, 'ERROR'],
  ])('answers a form with %s with an error', async (_what, fields, status, state) => {
    const answer = await post(fields as Record<string, string>, json);
    expect([answer.status, JSON.parse(answer.body.toString()).status]).toEqual([status, state]);
  });

  it('says that a document which nobody has begun is not there', async () => {
    const { docid } = idIn(await post({ fn: 'book', pgs: '1', title: 'begun' }));
    await made(docid);
    const other = await startApp({ library: { folders: [scans.directory] } });
    const { status, body } = await other.get(`/PDFCache?docid=${docid}`, { headers: json });
    await other.close();
    expect([status, JSON.parse(body.toString()).status]).toEqual([404, 'NONEXISTENT']);
  });

  it('gives closed pages to those who may see them, and asks again each time', async () => {
    const refused = await post({ fn: 'secret', pgs: '1-' }, json);
    expect([refused.status, JSON.parse(refused.body.toString()).status]).toEqual([401, 'ERROR']);
    const { docid } = idIn(await post({ fn: 'secret', pgs: '1-' }, staff));
    expect((await made(docid, staff)).headers['content-type']).toBe('application/pdf');
    expect((await app.get(`/PDFCache?docid=${docid}`)).status).toBe(401);
    expect((await app.get(`/PDFCache?docid=${docid}`, { headers: json })).status).toBe(401);
  });

  it('refuses what is no form, and other methods', async () => {
    const file = await app.get('/PDFCache', { method: 'POST', headers: { 'content-type': 'image/png' }, body: 'x' });
    expect(file.status).toBe(400);
    const long = await post({ fn: 'book', pgs: '1', title: 'x'.repeat(40_000) });
    expect(long.status).toBe(400);
    expect((await app.get('/PDFCache', { method: 'PUT' })).status).toBe(405);
    expect((await app.get('/Scaler', { method: 'POST' })).status).toBe(405);
  });
});

/** A text that no compression makes shorter than its half. */
function randomText(length: number): string {
  let state = 1;
  return Array.from({ length }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return String.fromCharCode(33 + (state % 90));
  }).join('');
}
