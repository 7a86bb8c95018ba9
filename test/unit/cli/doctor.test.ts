/** Which damaged images `lectern doctor` names, by their headers and by decoding them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
  decodedBytes: 0,
  idleMs: 600_000,
};

async function faultsFoundBy(decoding: Decoding): Promise<readonly string[]> {
  const lines: string[] = [];
  const check = createDecodeCheck(decoding, settings);
  await examine([folder], async (line) => void lines.push(path.relative(folder, line)), new SlowImages(), check);
  await check.close();
  return lines.map((line) => line.split(':')[0] ?? '').sort();
}

const compressions = ['none', 'lzw', 'deflate', 'packbits', 'jpeg', 'webp'] as const;

it('names every kind of file of which a part is missing, and with decoding those that are damaged inside', async () => {
  const write = (name: string, bytes: Buffer) => writeFileSync(path.join(folder, name), bytes);
  const tiff = async (options: TiffOptions) => directoriesFirst(await noise().tiff(options).toBuffer());
  const tiles = { tile: true, tileWidth: 64, tileHeight: 64 };
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
  write('inside-cut.jpg', Buffer.concat([half(await noise().jpeg().toBuffer()), endOfImage]));
  const rotten = await tiff({ compression: 'lzw', ...tiles, pyramid: true });
  // The last tiles are those of the smallest level.
  write('inside-rotten.tif', rotten.fill(0, rotten.length - 9000));
  const kinds = ['strips', 'tiles'].flatMap((kind) => compressions.map((one) => `half-${kind}-${one}.tif`));
  const halves = [...kinds, ...Object.keys(pictures).map((extension) => `half.${extension}`)].sort();
  expect(await faultsFoundBy('suspicious')).toEqual(halves);
  expect(await faultsFoundBy('all')).toEqual([...halves, 'inside-cut.jpg', 'inside-rotten.tif']);
});
