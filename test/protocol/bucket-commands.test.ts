// @module-tag object-store
/** Commands and texts with a bucket in the place of a folder: the same output as with a folder of the same files. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storeSettings, storeVariables } from '../s3/store-settings.ts';
import { type ObjectStore, startSwift } from '../s3/swift.ts';
import { sampleOf } from '../sweep.ts';
import { blobs } from './blob-image.ts';
import { startApp } from './running-app.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-bucket-commands-'));
const config = path.join(scratch, 'settings.json');
const program = fileURLToPath(new URL('../../bin/lectern.cjs', import.meta.url));
let store: ObjectStore;
let variables: Readonly<Record<string, string>> = {};
/** The same files lie in `s3://examined/in all`. */
const examined = path.join(scratch, 'examined');
const examinedAddress = 's3://examined/in all';

const alto = `<?xml version="1.0" encoding="UTF-8"?>
<alto xmlns="http://www.loc.gov/standards/alto/ns-v4#"><Description><MeasurementUnit>pixel</MeasurementUnit></Description>
<Layout><Page ID="p" WIDTH="600" HEIGHT="400"><PrintSpace><TextBlock ID="b"><TextLine ID="l" HPOS="50" VPOS="50" WIDTH="400" HEIGHT="40">
<String CONTENT="Herbarium" HPOS="50" VPOS="50" WIDTH="200" HEIGHT="40"/><SP/><String CONTENT="vivum" HPOS="260" VPOS="50" WIDTH="190" HEIGHT="40"/>
</TextLine></TextBlock></PrintSpace></Page></Layout></alto>`;

const settings = () => ({
  library: { folders: ['s3://texts/library'] },
  cache: { directory: path.join(scratch, 'cache') },
  index: { directory: path.join(scratch, 'index') },
  search: { directory: path.join(scratch, 'search') },
  objectStorage: storeSettings(scratch, store),
});

beforeAll(async () => {
  store = await startSwift();
  await store.createBucket('texts');
  writeFileSync(config, JSON.stringify({ ...settings(), library: undefined }));
  const page = await sharp({ create: { width: 600, height: 400, channels: 3, background: 'beige' } })
    .jpeg()
    .toBuffer();
  for (const name of ['p1', 'p2']) await store.put('texts', `library/book/${name}.jpg`, page);
  await store.put('texts', 'library/book/p1.xml', alto);
  await store.put('texts', 'library/faulty/cut.jpg', page.subarray(0, page.length - 300));
  await fillExamined();
  await store.createBucket('examined');
  await store.putFolder('examined', 'in all/', examined);
  variables = storeVariables(scratch, store);
}, 120_000);

/** Images that are slow to cut, of which some have faults that only decoding finds. */
async function fillExamined(): Promise<void> {
  const write = (name: string, bytes: Buffer): void => {
    const file = path.join(examined, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, bytes);
  };
  write('book/slow.jpg', await blobs(4000, 3000).jpeg({ quality: 92 }).toBuffer());
  write('book/Über ä.png', await blobs(2400, 1600).png({ compressionLevel: 1 }).toBuffer());
  const png = await blobs(300, 200).png().toBuffer();
  const spoilt = Buffer.from(png);
  spoilt.fill(0, png.length >> 1, (png.length >> 1) + 100);
  write('faulty/spoilt.png', spoilt);
  const tiff = await blobs(600, 400).tiff({ compression: 'deflate' }).toBuffer();
  const broken = Buffer.from(tiff);
  broken.fill(255, 200, 3000);
  write('faulty/broken.tif', broken);
  write('faulty/cut.png', png.subarray(0, png.length - 200));
}

afterAll(async () => {
  await store?.close();
  rmSync(scratch, { recursive: true, force: true });
});

/** The exit code of a command of the server, and all that it prints. */
function run(...flags: readonly string[]): Promise<{ readonly code: number | null; readonly output: string }> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, XDG_CACHE_HOME: path.join(scratch, 'own'), ...variables };
    const child = spawn(process.execPath, [program, ...flags], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += String(chunk);
      });
    }
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}

describe('with a bucket', () => {
  it('lectern doctor names what is faulty, and a bucket that does not exist', async () => {
    const { code, output } = await run('doctor', '--config', config, 's3://texts/library');
    expect(output).toMatch(
      /s3:\/\/texts\/library\/faulty\/cut\.jpg: .*\n(.*\n)*.*3 folders, 3 images, 1 text, 1 fault\b/,
    );
    expect(code).toBe(1);
    const missing = await run('doctor', '--config', config, 's3://texts-of-nobody');
    expect(missing).toEqual({ code: 2, output: 'lectern: there is no bucket texts-of-nobody\n' });
  }, 60_000);

  it('lectern index and lectern warm read it', async () => {
    const indexed = await run('index', '--config', config, 's3://texts/library');
    expect(indexed.output).toMatch(/1 page in the index/);
    const warmed = await run('warm', '--config', config, 's3://texts/library');
    expect(warmed.output).toMatch(/2 images, \d+ pictures: [1-9]\d* made/);
  }, 60_000);

  it('texts, the search and PDFs are those of folders', async () => {
    const app = await startApp({ ...settings(), pyramids: { maxBytes: 0 } });
    expect(String((await app.get('/api/text/book/p1.jpg.txt')).body)).toMatch(/Herbarium vivum/);
    const pdf = await app.get('/pdf/book.pdf');
    expect([pdf.status, String(pdf.body.subarray(0, 5))]).toEqual([200, '%PDF-']);
    const manifest = JSON.parse(String((await app.get('/presentation/3/book/manifest.json')).body));
    const { id } = manifest.service.find(({ type }: { type: string }) => type === 'SearchService2');
    const found = await app.get(`${new URL(id).pathname}?q=herbarium`);
    expect([found.status, JSON.parse(String(found.body)).items.length]).toEqual([200, 1]);
    await app.close();
  }, 60_000);
});

/** The output without what differs from run to run, and with the same name for the folder and the bucket. */
const comparable = (output: string): string =>
  output
    .replaceAll(examinedAddress, 'ROOT')
    .replaceAll(examined, 'ROOT')
    .replace(/\d[\d.,]* (?:ms|s|min)\b/g, 'TIME')
    .replace(/about TIME|in TIME/g, 'TIME');

describe('a command with a bucket, by the settings of the environment', () => {
  it.each(sampleOf([['doctor', '--decode'], ['pyramid', '--dry-run', '--jobs', '1'], ['doctor']], 1))(
    'prints the same for %s %s as with a folder',
    { tags: 'sampled', timeout: 120_000 },
    async (...command) => {
      const [folder, bucket] = [await run(...command, examined), await run(...command, examinedAddress)];
      expect(comparable(bucket.output)).toBe(comparable(folder.output));
      expect(bucket.code).toBe(folder.code);
      if (command[1] === '--decode')
        for (const name of ['spoilt.png', 'broken.tif', 'cut.png']) expect(bucket.output).toContain(`faulty/${name}: `);
      if (command[0] === 'pyramid') expect(bucket.output).toMatch(/[1-9] pyramids? would be made: about \S+ [kM]B/);
    },
  );

  it('pyramid --dry-run puts nothing into the bucket for pyramids', async () => {
    await store.createBucket('derived');
    variables = { ...variables, LECTERN_PYRAMIDS__SHARED: 's3://derived/here' };
    const { code, output } = await run('pyramid', '--dry-run', '--jobs', '1', examinedAddress);
    expect([code, output]).toEqual([0, expect.stringMatching(/[1-9] pyramids? would be made: about \S+ [kM]B/)]);
    expect(await store.keys('derived', '')).toEqual([]);
  }, 60_000);

  it('compare replays a log against the bucket, and finds the answers of a folder', async () => {
    const old = await startApp({ library: { folders: [examined] }, cache: { directory: false } });
    const log = path.join(scratch, 'addresses.txt');
    const addresses = [
      '/Scaler?fn=book&pn=1&dw=200',
      '/Scaler?fn=book&pn=2&dw=90&wx=0.3&wy=0.1&ww=0.2&wh=0.2',
      '/api/dlInfo-json.jsp?fn=book&pn=2',
    ];
    writeFileSync(log, addresses.map((address) => `${address}\n`).join(''));
    const { code, output } = await run('compare', '--old', old.url, '--folders', examinedAddress, '--log', log);
    await old.close();
    expect(output).toMatch(/Nothing differs\b/);
    expect(code).toBe(0);
  }, 60_000);
});
