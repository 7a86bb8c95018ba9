/** Pictures of redacted and watermarked images by settings and metadata: over HTTP, through caches, in render processes. */
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import type { OutgoingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { randomNumbers } from '../fixtures/files/random.mjs';
import {
  fileNameOf,
  redactions,
  type SourceName,
  secretsIn,
  sources,
  type Version,
  writeSources,
} from '../pixels/covered-images.ts';
import { decode, type Picture } from '../pixels/pictures.ts';
import { type Asked, iiif, randomRequest } from '../pixels/random-requests.ts';
import { runsOf } from '../sweep.ts';
import { type ReceivedResponse, type RunningApp, startApp } from './running-app.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-covered-'));
const names = [
  'JPEG',
  'turned JPEG',
  'JPEG pyramid',
  'deflate pyramid',
  'JPEG 2000, 5-3',
  'PNG with alpha',
  'PNG of 16 bits',
] as const satisfies readonly SourceName[];

const regions = redactions.map(({ x, y, width, height }) => `${x},${y},${width},${height}`);

/** Written later each time, so that it is noticed. */
let seconds = 1_600_000_000;
function writeMetadata(folder: string, lines: readonly string[]): void {
  const file = path.join(folder, 'metadata.yaml');
  writeFileSync(file, ['redactions:', ...lines, ''].join('\n'));
  seconds += 10;
  utimesSync(file, seconds, seconds);
}

const redacting = (of: readonly string[], roles: string): readonly string[] =>
  of.flatMap((name) => [
    `  ${name}:`,
    ...regions.map((region) => `    - { region: "${region}"${roles ? `, roles: ${roles}` : ''} }`),
  ]);

const files = names.map(fileNameOf);

let folders: Readonly<Record<Version, string>>;
let apps: Readonly<Record<Version, RunningApp>>;
/** The secret version without rules of access, which answers by the fast path. */
let plain: RunningApp;

beforeAll(async () => {
  folders = await writeSources(scratch, [...names]);
  for (const folder of Object.values(folders)) writeMetadata(folder, redacting(files, 'archivists'));
  const start = (version: Version, processes = 0) =>
    startApp({
      library: { folders: [folders[version]] },
      access: { rolesHeader: 'x-roles' },
      http: { trustedProxies: ['127.0.0.1'], explain: true },
      cache: { directory: path.join(scratch, `cache-${version}`) },
      render: { processes },
      limits: { maxUpscale: 20 },
    });
  apps = { secret: await start('secret', 1), blank: await start('blank') };
  plain = await startApp({ library: { folders: [folders.secret] }, limits: { maxUpscale: 20 } });
}, 120_000);

afterAll(async () => {
  await Promise.all([apps.secret, apps.blank, plain].map((app) => app.close()));
  rmSync(scratch, { recursive: true, force: true });
});

const archivist = { 'x-roles': 'archivists' };

const ask = (app: RunningApp, address: string, headers: OutgoingHttpHeaders = {}): Promise<ReceivedResponse> =>
  app.get(address, { headers });

async function pictureIn(answer: ReceivedResponse): Promise<Picture> {
  expect(answer.status).toBe(200);
  return decode(answer.body);
}

describe('nobody without the role gets a pixel of what is below', () => {
  /** What everyone is answered after an archivist was, of both versions of an image. */
  async function answersOf(name: SourceName, asked: Asked): Promise<readonly ReceivedResponse[]> {
    const address = asked.addressOf(fileNameOf(name));
    const privileged = await ask(apps.secret, address, archivist);
    const etag = privileged.headers.etag ?? '"none"';
    const [secret, blank] = [
      await ask(apps.secret, address, { 'if-none-match': etag }),
      await ask(apps.blank, address),
    ];
    // Where nothing is covered, both get the same bytes; otherwise neither a tag nor a length tells of the others.
    if (secret.status === 304) {
      const own = await ask(apps.secret, address);
      expect([address, own.body.equals(privileged.body)]).toEqual([address, true]);
      return [own, blank];
    }
    return [secret, blank];
  }

  test('in random requests of both dialects, after those of somebody who has it', {
    tags: 'sampled',
    timeout: 600_000,
  }, async () => {
    const random = randomNumbers(28);
    let answered = 0;
    for (let run = 0; run < runsOf(500); run++) {
      const name = names[run % names.length] as SourceName;
      const asked = randomRequest(random);
      const [secret, blank] = await answersOf(name, asked);
      expect([asked.text, secret?.status]).toEqual([asked.text, blank?.status]);
      if (secret?.status !== 200 || blank === undefined) continue;
      answered++;
      const words = `${name}: ${asked.text}`;
      if (asked.plain) expect([words, secretsIn(await decode(secret.body))]).toEqual([words, 0]);
      if (sources[name].exact) expect([words, secret.body.equals(blank.body)]).toEqual([words, true]);
    }
    expect(answered).toBeGreaterThan(runsOf(500) / 2);
  });

  test.each(names)('of %s: whoever has it sees it', async (name) => {
    const address = iiif('full/600,/0/default.png').addressOf(fileNameOf(name));
    const [all, some] = [await ask(apps.secret, address, archivist), await ask(apps.secret, address)];
    expect(secretsIn(await pictureIn(all))).toBeGreaterThan(1000);
    expect(secretsIn(await pictureIn(some))).toBe(0);
    expect(some.headers.etag).not.toBe(all.headers.etag);
    for (const { headers } of [all, some]) expect(headers['cache-control']).toContain('private');
    expect((await ask(apps.secret, address, { 'if-none-match': some.headers.etag ?? '' })).status).toBe(304);
  });

  /** The JPEG pictures in a file, which are not compressed again. */
  async function picturesIn(file: Buffer): Promise<readonly Picture[]> {
    const pictures: Picture[] = [];
    for (let at = file.indexOf('ffd8ff', 0, 'hex'); at >= 0; at = file.indexOf('ffd8ff', at + 3, 'hex')) {
      pictures.push(await decode(await sharp(file.subarray(at), { failOn: 'none' }).jpeg({ quality: 95 }).toBuffer()));
    }
    return pictures;
  }

  test.each(['/pdf/.pdf', '/zip/.zip', '/zip/.zip?originals', '/pdf/.pdf?dw=500&dh=500'])('in %s', async (address) => {
    for (const [app, headers] of [
      [apps.secret, archivist],
      [apps.secret, {}],
      [plain, {}],
    ] as const) {
      const { status, body } = await ask(app, address, headers);
      // An archive of originals can be denied instead.
      if (address.endsWith('originals') && status === 403) continue;
      expect(status).toBe(200);
      const counts = (await picturesIn(body)).map(secretsIn);
      expect(counts.length).toBeGreaterThanOrEqual(names.length - 1);
      const seen = counts.filter((count) => count > 0).length;
      expect([address, seen > 0]).toEqual([address, headers === archivist]);
    }
  });

  it('in thumbnails, and explanations say that it is black', async () => {
    for (const file of files) {
      expect(secretsIn(await pictureIn(await ask(apps.secret, `/Scaler?fn=${file}&dw=90&mo=png`)))).toBe(0);
      const { status, body } = await ask(apps.secret, `/Scaler?fn=${file}&dw=400&explain=1`);
      expect([status, body.toString()]).toEqual([
        200,
        expect.stringMatching(/make (?:a redaction|\d+ redactions) black/),
      ]);
    }
  });
});

describe('when redactions change', () => {
  test.each([
    ['with', () => apps.secret],
    ['without', () => plain],
  ] as const)(
    'no cached answer is given any more, %s rules of access',
    async (_, appOf) => {
      const app = appOf();
      const [file = ''] = files;
      const address = `/iiif/3/${file}/full/500,/0/default.png`;
      const covered = await ask(app, address);
      try {
        expect(secretsIn(await pictureIn(covered))).toBe(0);
        writeMetadata(folders.secret, redacting(files.slice(1), 'archivists'));
        await expect
          .poll(async () => secretsIn(await pictureIn(await ask(app, address))), { timeout: 20_000 })
          .toBeGreaterThan(1000);
        const bare = await ask(app, address, { 'if-none-match': covered.headers.etag ?? '' });
        expect([bare.status, bare.headers.etag === covered.headers.etag]).toEqual([200, false]);
        writeMetadata(folders.secret, redacting(files, 'archivists'));
        await expect.poll(async () => secretsIn(await pictureIn(await ask(app, address))), { timeout: 20_000 }).toBe(0);
        const again = await ask(app, address, { 'if-none-match': bare.headers.etag ?? '' });
        expect([again.status, again.headers.etag]).toEqual([200, covered.headers.etag]);
      } finally {
        writeMetadata(folders.secret, redacting(files, 'archivists'));
      }
    },
    60_000,
  );
});

describe('watermarks by settings', () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="10"><rect width="40" height="10" fill="#0c0"/></svg>';
  let app: RunningApp;

  beforeAll(async () => {
    const picture = path.join(scratch, 'mark.svg');
    writeFileSync(picture, svg);
    const place = { place: 'center', width: 0.5, opacity: 1, minSide: 150 } as const;
    app = await startApp({
      library: { folders: [scratch] },
      http: { trustedProxies: ['127.0.0.1'] },
      render: { processes: 1 },
      access: {
        rolesHeader: 'x-roles',
        tiers: [
          { name: 'marked', watermark: { picture, ...place } },
          { name: 'small', maxSide: 400, watermark: { text: 'Größe & Ça <b>', ...place } },
        ],
        paths: [
          { path: 'blank', roles: ['archivists'], everyone: 'marked' },
          { path: 'secret', roles: ['archivists'], everyone: 'small' },
        ],
      },
    });
  });
  afterAll(() => app.close());

  const isGreen = ([r, g, b]: readonly number[]): boolean => (r ?? 0) < 40 && (g ?? 0) > 180 && (b ?? 0) < 40;

  test.each(names)('a picture on %s', async (name) => {
    const file = `blank/${fileNameOf(name)}`;
    const [own, all] = [
      await ask(app, `/Scaler?fn=${file}&dw=600&mo=png`),
      await ask(app, `/Scaler?fn=${file}&dw=600&mo=png`, archivist),
    ];
    expect([isGreen((await pictureIn(own)).at(0.5, 0.5)), isGreen((await pictureIn(all)).at(0.5, 0.5))]).toEqual([
      true,
      false,
    ]);
    expect(own.headers.etag).not.toBe(all.headers.etag);
    expect(isGreen((await pictureIn(await ask(app, `/Scaler?fn=${file}&dw=149&dh=149&mo=png`))).at(0.5, 0.5))).toBe(
      false,
    );
    const tile = await ask(app, `/iiif/3/blank!${fileNameOf(name)};tier=marked/256,256,256,256/max/0/default.jpg`);
    expect(isGreen((await pictureIn(tile)).at(0.5, 0.2))).toBe(true);
    expect((await ask(app, `/Scaler?fn=${file}&mo=rawfile`)).status).toBe(403);
  });

  it('a line of text, on the pixels of a smaller tier', async () => {
    const address = `/Scaler?fn=secret/${fileNameOf('PNG with alpha')}&dw=400&mo=png`;
    const { pixels, width, height } = await pictureIn(await ask(app, address));
    const rest = await pictureIn(await ask(app, address, archivist));
    let different = 0;
    for (let at = 0; at < pixels.length; at++)
      if (Math.abs((pixels[at] ?? 0) - (rest.pixels[at] ?? 0)) > 40) different++;
    expect(different).toBeGreaterThan(200);
    expect(different).toBeLessThan(width * height);
  });

  it('that can’t be drawn stop the start', async () => {
    const start = (watermark: object) =>
      startApp({
        access: { tiers: [{ name: 'marked', watermark }], paths: [{ path: 'x', roles: [], everyone: 'marked' }] },
      });
    await expect(start({ text: '漢字' })).rejects.toThrow('No font that comes with Lectern has “漢”');
    writeFileSync(path.join(scratch, 'broken.svg'), '<svg xmlns="http://www.w3.org/2000/svg" width="40" ');
    await expect(start({ picture: path.join(scratch, 'broken.svg') })).rejects.toThrow('access: ');
  });
});
