/** The audit: who saw what and when, under pseudonyms, for some days, without secrets, and whatever the disk does. */
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { type OutgoingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { SettingsInput } from '../../src/app/settings/settings.ts';
import { auditSettings } from '../../src/features/audit/audit-settings.ts';
import { openRecorder, type Recorder } from '../../src/features/audit/recorder.ts';
import { type RunningApp, startApp } from './running-app.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-audit-'));
const keysFile = path.join(scratch, 'link-keys');
let count = 0;
const newFolder = (): string => path.join(scratch, `audit-${++count}`);

beforeAll(() => writeFileSync(keysFile, `one ${'k'.repeat(43)}\n`));
afterAll(() => rmSync(scratch, { recursive: true }));
afterEach(() => vi.restoreAllMocks());

const image = 'books/book1/page0001.jpg';
const iiif = `/iiif/3/${image.replaceAll('/', '!')}`;

const anna = { authorization: `Basic ${Buffer.from('anna:tomcat!').toString('base64')}` };

/** What a server records of requests, once it is closed. */
async function recorded(
  audit: Partial<NonNullable<SettingsInput['audit']>>,
  ask: (
    get: (address: string, headers?: OutgoingHttpHeaders, method?: string) => ReturnType<RunningApp['get']>,
    app: RunningApp,
  ) => Promise<void>,
  more: SettingsInput = {},
) {
  const folder = audit.folder ?? newFolder();
  const app = await startApp({ audit: { folder, ...audit }, ...more });
  await ask((address, headers = {}, method = 'GET') => app.get(address, { headers, method }), app);
  await app.close();
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.jsonl')) : [];
  const text = names.map((name) => readFileSync(path.join(folder, name), 'utf8')).join('');
  const lines = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  return { folder, names, text, lines };
}

const usersFile = path.join(scratch, 'users.xml');
const closed = (): SettingsInput => {
  writeFileSync(usersFile, '<tomcat-users><user username="anna" password="tomcat!" roles="members"/></tomcat-users>');
  const sessionKeys = path.join(scratch, 'session-keys');
  writeFileSync(sessionKeys, 's'.repeat(43));
  return {
    access: { paths: [{ path: 'books', roles: ['members'] }], addresses: [{ address: '127.0.0.1', roles: ['admin'] }] },
    signIn: { keysFile: sessionKeys, usersFile },
    signedLinks: { keysFile },
  };
};

describe('the audit', () => {
  it('records what was seen, also of what everyone may see', async () => {
    const { lines, names, folder } = await recorded({ pseudonyms: 'none' }, async (get) => {
      await get(`${iiif}/info.json`);
      await get(`${iiif}/full/50,/0/default.jpg`);
      await get(`/Scaler?fn=${image}&mo=rawfile`);
      await get(`/api/dlInfo-json.jsp?fn=${image}`);
      await get('/presentation/3/books/book1/manifest.json');
      await get('/zip/books/book1.zip');
      await get('/api/folder.json?fn=books');
      // Nothing was seen of these.
      await get(`/iiif/3/books!nothing.jpg/info.json`);
      await get(`${iiif}/info.json`, {}, 'HEAD');
      await get('/healthz');
    });
    expect(lines.map(({ what, address, path: seen }) => [what, address, seen])).toEqual([
      ['descriptions', `${iiif}/info.json`, image],
      ['pictures', `${iiif}/full/50,/0/default.jpg`, image],
      ['originals', `/Scaler?fn=${image}&mo=rawfile`, image],
      ['descriptions', `/api/dlInfo-json.jsp?fn=${image}`, undefined],
      ['descriptions', '/presentation/3/books/book1/manifest.json', undefined],
      ['documents', '/zip/books/book1.zip', 'books/book1'],
      ['descriptions', '/api/folder.json?fn=books', undefined],
    ]);
    for (const line of lines) expect(line).toMatchObject({ client: '127.0.0.1', time: expect.stringMatching(/Z$/) });
    expect(names).toEqual([`audit-${new Date().toISOString().slice(0, 10)}.jsonl`]);
    expect(statSync(path.join(folder, names[0] ?? '')).mode & 0o077).toBe(0);
  });

  it('records a 304, and the first picture of an image for each caller', async () => {
    const { lines } = await recorded({ pseudonyms: 'none' }, async (get) => {
      const now = Date.now();
      vi.spyOn(Date, 'now').mockReturnValue(now);
      const first = await get(`${iiif}/0,0,50,50/max/0/default.jpg`);
      await Promise.all(Array.from({ length: 8 }, (_, index) => get(`${iiif}/${index},0,50,50/max/0/default.jpg`)));
      await get('/Scaler?fn=books/book1&pn=1&dw=20');
      await get('/Scaler?fn=books/book1&pn=2&dw=20');
      await get('/Scaler?fn=books/book1&pn=2&dw=21');
      vi.spyOn(Date, 'now').mockReturnValue(now + 10 * 60_000);
      const again = await get(`${iiif}/0,0,50,50/max/0/default.jpg`, { 'if-none-match': String(first.headers.etag) });
      expect(again.status).toBe(304);
    });
    expect(lines.map(({ path: seen, page }) => [seen, page])).toEqual([
      [image, undefined],
      ['books/book1', undefined],
      ['books/book1', 2],
      [image, undefined],
    ]);
  });

  it('records each image of a folder, in whatever form its number is asked for', async () => {
    const forms = ['fn=books/book1&%70n=2&dw=20', 'fn=books/book1;pn=1;pn=3;dw=20', 'books/book1+4+1+ascale'];
    const { lines } = await recorded({ pseudonyms: 'none' }, async (get) => {
      for (const form of ['fn=books/book1&dw=20', ...forms]) expect((await get(`/Scaler?${form}`)).status).toBe(200);
    });
    expect(lines.map(({ page }) => page)).toEqual([undefined, 2, 3, 4]);
  });

  it('records a download that its client breaks off', async () => {
    const library = path.join(scratch, 'large');
    mkdirSync(library);
    const noise = sharp(randomBytes(3000 * 3000 * 3), { raw: { width: 3000, height: 3000, channels: 3 } });
    await noise.tiff({ compression: 'none' }).toFile(path.join(library, 'large.tif'));
    const readSome = (app: RunningApp) =>
      new Promise<void>((resolve, reject) => {
        const asked = request(`${app.url}/Scaler?fn=large.tif&mo=rawfile`, (answer) => {
          answer.once('data', () => asked.destroy());
          answer.once('close', resolve);
          answer.on('error', () => undefined);
        });
        asked.on('error', reject).end();
      });
    const { lines } = await recorded(
      {},
      async (get, app) => {
        await readSome(app);
        const written = async () => (await get('/metrics')).body.toString();
        await expect.poll(written).toMatch(/^lectern_audit_lines_total 1$/m);
      },
      { library: { folders: [library] } },
    );
    expect(lines).toEqual([expect.objectContaining({ what: 'originals', path: 'large.tif' })]);
  });

  it('records only what the settings name', async () => {
    const { lines } = await recorded({ record: ['originals'] }, async (get) => {
      await get(`${iiif}/info.json`);
      await get(`/Scaler?fn=${image}&mo=file`);
    });
    expect(lines.map(({ what }) => what)).toEqual(['originals']);
  });

  it('names who signed in and which link was used, and has nothing that is secret', async () => {
    let token = '';
    const { lines, text } = await recorded(
      { pseudonyms: 'none' },
      async (get, app) => {
        await get(`${iiif}/info.json`, anna);
        const made = await app.get('/api/links', {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...anna },
          body: JSON.stringify({ subject: image, until: '1d', for: 'A. Reviewer' }),
        });
        token = /link=([^"]*)/.exec(made.body.toString())?.[1] ?? '';
        for (const name of ['link', 'li%6ek'])
          await get(`${iiif}/info.json?${name}=${token}&id_token=${'x'.repeat(9)}.y.z`);
        await get(`${iiif}/info.json`, { cookie: `lectern_links=${token}` });
        await get(`${iiif}/info.json`);
      },
      closed(),
    );
    expect(token).toMatch(/^eyJ/);
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatchObject({ name: 'anna', roles: expect.arrayContaining(['members']) });
    for (const line of lines.slice(1))
      expect(line.links).toEqual([{ id: expect.stringMatching(/^[\w-]{8}$/), for: 'A. Reviewer' }]);
    expect(text).not.toContain(token.slice(-30));
    expect(text).not.toMatch(/tomcat!|eyJ|xxxxx/);
    expect(text).not.toContain(anna.authorization.slice(6));
  });

  it('has pseudonyms by default, which are equal within a day and after a restart', async () => {
    const folder = newFolder();
    const ask = async (get: Parameters<Parameters<typeof recorded>[1]>[0]) =>
      void (await get(`${iiif}/info.json`, anna));
    vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-11-26T08:00Z'));
    await recorded({ folder }, ask, closed());
    vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-11-26T23:59Z'));
    await recorded({ folder }, ask, closed());
    vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-11-27T00:00Z'));
    const { lines, text } = await recorded({ folder }, ask, closed());
    expect(text).not.toMatch(/anna|127\.0\.0\.1/);
    const [one, same, other] = lines;
    expect([same.name, same.client]).toEqual([one.name, one.client]);
    expect(one.name).toMatch(/^[\w-]{16}$/);
    expect([other.name === one.name, other.client === one.client, one.name === one.client]).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('is off by default, and nothing is written', async () => {
    const app = await startApp();
    await app.get(`${iiif}/info.json`);
    expect((await app.get('/metrics')).body.toString()).toMatch(/^lectern_audit_lines_total 0$/m);
    await app.close();
  });
});

const settingsOf = (given: object) => {
  const audit = auditSettings.audit.parse(given);
  if (audit === undefined) throw new TypeError('no settings');
  return audit;
};

const entry = (atMs: number, number = 0) =>
  ({ atMs, what: 'descriptions', address: `/${number}`, client: '10.0.0.1', roles: [], links: [] }) as const;

function open(given: object) {
  const logged: string[] = [];
  const logger = pino({}, { write: (line: string) => void logged.push(line) });
  return { recorder: openRecorder(settingsOf(given), logger), logged };
}

async function ended(recorder: Recorder): Promise<void> {
  await recorder.close();
}

describe('its files', () => {
  const day = (text: string): number => Date.parse(`${text}T12:00Z`);

  it('are one for each day, with each line whole and in order, however many come at once', async () => {
    const folder = newFolder();
    const { recorder } = open({ folder, pseudonyms: 'none' });
    for (let number = 0; number < 3000; number++)
      recorder.record(entry(day(number < 2000 ? '2026-11-26' : '2026-11-27'), number));
    await ended(recorder);
    const linesOf = (name: string) =>
      readFileSync(path.join(folder, name), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).address);
    expect(linesOf('audit-2026-11-26.jsonl')).toEqual(Array.from({ length: 2000 }, (_, number) => `/${number}`));
    expect(linesOf('audit-2026-11-27.jsonl')).toHaveLength(1000);
    expect(recorder.counts).toEqual({ written: 3000, lost: 0 });
  });

  it('are deleted after their days, and no others', async () => {
    const folder = newFolder();
    mkdirSync(folder);
    const others = ['audit-notes.jsonl', 'audit-2020-01-01.jsonl.gz', 'xaudit-2020-01-01.jsonl', '2020-01-01.jsonl'];
    const own = [
      'audit-2026-10-01.jsonl',
      'audit-2026-11-16.jsonl',
      'audit-2026-11-17.jsonl',
      'audit-2026-11-26.jsonl',
    ];
    for (const name of [...others, ...own]) writeFileSync(path.join(folder, name), '');
    const { recorder } = open({ folder, days: 9, pseudonyms: 'none' });
    vi.spyOn(Date, 'now').mockReturnValue(day('2026-11-26'));
    await recorder.sweep();
    expect(readdirSync(folder).sort()).toEqual([...others, 'audit-2026-11-17.jsonl', 'audit-2026-11-26.jsonl'].sort());
    await ended(recorder);
  });

  it('are deleted, also beside one that can’t be', async () => {
    const folder = newFolder();
    // No file can be deleted by the name of a folder.
    for (const name of ['audit-2020-01-01.jsonl', 'audit-2020-01-03.jsonl'])
      mkdirSync(path.join(folder, name), { recursive: true });
    writeFileSync(path.join(folder, 'audit-2020-01-02.jsonl'), '');
    writeFileSync(path.join(folder, 'audit-2020-01-04.jsonl'), '');
    const { recorder, logged } = open({ folder, pseudonyms: 'none' });
    await recorder.sweep();
    expect(readdirSync(folder).sort()).toEqual(['audit-2020-01-01.jsonl', 'audit-2020-01-03.jsonl']);
    expect(logged.filter((line) => line.includes('can’t be deleted'))).toHaveLength(1);
    await ended(recorder);
  });

  it('lose the key of a day when it is over, also where nobody sees anything', async () => {
    const folder = newFolder();
    const { recorder } = open({ folder });
    const keyFile = path.join(folder, 'pseudonym-key.json');
    vi.spyOn(Date, 'now').mockReturnValue(day('2026-11-26'));
    await recorder.sweep();
    const before = JSON.parse(readFileSync(keyFile, 'utf8'));
    await recorder.sweep();
    expect(JSON.parse(readFileSync(keyFile, 'utf8'))).toEqual(before);
    vi.spyOn(Date, 'now').mockReturnValue(day('2026-11-27'));
    await recorder.sweep();
    expect(readFileSync(keyFile, 'utf8')).not.toContain(before.key);
    expect(readdirSync(folder)).toEqual(['pseudonym-key.json']);
    expect(statSync(keyFile).mode & 0o077).toBe(0);
    await ended(recorder);
  });

  it('have pseudonyms of a month where the settings say so', async () => {
    const folder = newFolder();
    const { recorder } = open({ folder, pseudonyms: 'month' });
    for (const one of ['2026-11-01', '2026-11-30', '2026-12-01']) recorder.record(entry(day(one)));
    await ended(recorder);
    const clients = readdirSync(folder)
      .filter((name) => name.endsWith('.jsonl'))
      .sort()
      .map((name) => JSON.parse(readFileSync(path.join(folder, name), 'utf8')).client);
    expect([clients[0] === clients[1], clients[1] === clients[2]]).toEqual([true, false]);
  });
});

describe('a disk that takes nothing', () => {
  it('loses lines, which are counted and logged once, and takes the next ones when it can', async () => {
    const folder = newFolder();
    writeFileSync(folder, 'a file is in the place of the folder');
    const { recorder, logged } = open({ folder, pseudonyms: 'none' });
    recorder.record(entry(Date.now(), 1));
    await vi.waitFor(() => expect(recorder.counts).toEqual({ written: 0, lost: 1 }));
    recorder.record(entry(Date.now(), 2));
    await vi.waitFor(() => expect(recorder.counts).toEqual({ written: 0, lost: 2 }));
    expect(logged.filter((line) => line.includes('the audit can’t be written'))).toHaveLength(1);
    rmSync(folder);
    recorder.record(entry(Date.now(), 3));
    await vi.waitFor(() => expect(recorder.counts).toEqual({ written: 1, lost: 2 }));
    const [name = ''] = readdirSync(folder);
    expect(readFileSync(path.join(folder, name), 'utf8')).toMatch(/^\n\{.*"address":"\/3".*\}\n$/);
    await ended(recorder);
  });

  it('changes no answer', async () => {
    const folder = newFolder();
    writeFileSync(folder, '');
    const app = await startApp({ audit: { folder } });
    for (const address of [`${iiif}/info.json`, `${iiif}/full/50,/0/default.jpg`])
      expect((await app.get(address)).status).toBe(200);
    await expect
      .poll(async () => (await app.get('/metrics')).body.toString())
      .toMatch(/^lectern_audit_lost_lines_total 2$/m);
    await app.close();
    rmSync(folder);
  });
});
