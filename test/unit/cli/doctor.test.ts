/** Which damaged images `lectern doctor` names, by their headers and by decoding them. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp, { type TiffOptions } from 'sharp';
import { afterAll, expect, it } from 'vitest';
import { createDecodeCheck, type Decoding, examine } from '../../../src/cli/doctor/examination.ts';
import { SlowImages } from '../../../src/cli/doctor/reports.ts';
import { directoriesFirst } from '../../fixtures/files/header-first.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'lectern-doctor-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const noise = () =>
  sharp({
    create: {
      width: 300,
      height: 200,
      channels: 3,
      background: '#369',
      noise: { type: 'gaussian', mean: 128, sigma: 30 },
    },
  });
const endOfImage = Buffer.from([0xff, 0xd9]);
const half = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.length >> 1);

const settings = {
  processes: 0,
  maxWaiting: 100,
  memoryBytes: 1e9,
  idleMs: 600_000,
};

async function faultsFoundBy(decoding: Decoding): Promise<readonly string[]> {
  const lines: string[] = [];
  const check = createDecodeCheck(decoding, settings);
  await examine([folder], async (line) => void lines.push(path.relative(folder, line)), new SlowImages(), check);
  await check.close();
  return lines.map((line) => line.split(':')[0] ?? '').sort();
}

const fixture = (name: string): Buffer => readFileSync(new URL(`../../fixtures/${name}`, import.meta.url));

const tiff = async (options: TiffOptions) => directoriesFirst(await noise().tiff(options).toBuffer());
const tiles = { tile: true, tileWidth: 64, tileHeight: 64 };

/** Files of whose damage decoders say nothing, and whole ones like them. */
async function quietDamage(): Promise<readonly (readonly [string, Buffer])[]> {
  const baseline = await noise().jpeg({ quality: 95, optimiseCoding: false }).toBuffer();
  const share = (bytes: Buffer, of: number): number => Math.floor(bytes.length * of);
  const progressive = await noise().jpeg({ progressive: true }).toBuffer();
  const arithmetic = fixture('jpeg/arithmetic.jpg');
  const jpeg2000 = fixture('jpeg2000/untiled-lossy.jp2');
  const png = await noise().png().toBuffer();
  const lastScan = progressive.lastIndexOf(Buffer.of(0xff, 0xda));
  return [
    ['quiet-cut.jpg', Buffer.concat([half(baseline), endOfImage])],
    ['quiet-hole.jpg', Buffer.from(baseline).fill(0, share(baseline, 0.4), share(baseline, 0.6))],
    ['quiet-scan.jpg', Buffer.concat([progressive.subarray(0, lastScan), endOfImage])],
    ['quiet-arithmetic.jpg', Buffer.concat([half(arithmetic), endOfImage])],
    ['quiet-zeros.jp2', Buffer.from(jpeg2000).fill(0, share(jpeg2000, 0.5))],
    ['quiet-end.png', Buffer.concat([half(png), Buffer.from('0000000049454e44ae426082', 'hex')])],
    ['quiet-zeros.tif', await tiff({ compression: 'lzw', ...tiles }).then((bytes) => bytes.fill(0, share(bytes, 0.5)))],
    [
      'quiet-zeros.webp',
      await noise()
        .webp()
        .toBuffer()
        .then((bytes) => bytes.fill(0, share(bytes, 0.5))),
    ],
    ['whole-progressive.jpg', progressive],
    ['whole-arithmetic.jpg', arithmetic],
    ['whole-untiled.jp2', jpeg2000],
  ];
}

const compressions = ['none', 'lzw', 'deflate', 'packbits', 'jpeg', 'webp'] as const;

it('names every kind of file of which a part is missing, and with decoding those that are damaged inside', async () => {
  const write = (name: string, bytes: Buffer) => writeFileSync(path.join(folder, name), bytes);
  for (const compression of compressions) {
    for (const [kind, options] of Object.entries({ strips: { compression }, tiles: { compression, ...tiles } })) {
      const whole = await tiff(options);
      write(`whole-${kind}-${compression}.tif`, whole);
      write(`half-${kind}-${compression}.tif`, half(whole));
    }
  }
  const pictures = { jpg: noise().jpeg(), png: noise().png(), gif: noise().gif(), webp: noise().webp() };
  for (const [extension, encoder] of Object.entries(pictures)) {
    const whole = await encoder.toBuffer();
    write(`whole.${extension}`, whole);
    write(`half.${extension}`, half(whole));
  }
  write('whole-trailer.jpg', Buffer.concat([await noise().jpeg().toBuffer(), Buffer.alloc(1000)]));
  const rotten = await tiff({ compression: 'lzw', ...tiles, pyramid: true });
  // The last tiles are those of the smallest level.
  write('inside-rotten.tif', rotten.fill(0, rotten.length - 9000, rotten.length - 300));
  for (const [name, bytes] of await quietDamage()) write(name, bytes);
  const kinds = ['strips', 'tiles'].flatMap((kind) => compressions.map((one) => `half-${kind}-${one}.tif`));
  const halves = [...kinds, ...Object.keys(pictures).map((extension) => `half.${extension}`)].sort();
  const quiet = ['arithmetic.jpg', 'cut.jpg', 'end.png', 'hole.jpg', 'scan.jpg'].map((name) => `quiet-${name}`);
  const zeros = ['jp2', 'tif', 'webp'].map((extension) => `quiet-zeros.${extension}`);

  expect(await faultsFoundBy('suspicious')).toEqual([...halves, ...quiet, ...zeros]);
  expect(await faultsFoundBy('all')).toEqual([...halves, 'inside-rotten.tif', ...quiet, ...zeros]);
});
