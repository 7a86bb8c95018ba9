/** Files that are made to exhaust a reader: each gives a picture or a clear error in time, and within the memory. */
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConfinedServer, rendersEachRequest, startConfinedServer } from '../fixtures/confined-server.ts';
import { buildTiff, long, rgbTags, short, undefinedBytes } from '../fixtures/files/tiff.mjs';
import { jfif, jpegSegment, sample, u32 } from '../unit/core/library/headers/build-files.ts';
import { ask, MiB, peakOf, resetPeaks } from './watched-answers.ts';

/** 10 s for the decoder (survive.md, "Files"), and as much for a machine that does other work. */
const maxMs = 20_000;

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([u32(data.length), body, u32(crc32(body))]);
};

/** A whole black PNG of this size, with one bit or three bytes a pixel, and with chunks before the pixels. */
function blackPng(width: number, height: number, type: 0 | 2, ...chunks: Buffer[]): Buffer {
  const header = Buffer.concat([u32(width), u32(height), Buffer.of(type === 0 ? 1 : 8, type, 0, 0, 0)]);
  const rowBytes = 1 + (type === 0 ? Math.ceil(width / 8) : width * 3);
  const pixels = deflateSync(Buffer.alloc(rowBytes * height), { level: 9 });
  const signature = Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    ...chunks,
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** An iCCP or zTXt chunk of some kB that inflates to this number of bytes. */
const inflating = (type: 'iCCP' | 'zTXt', bytes: number): Buffer =>
  chunk(type, Buffer.concat([Buffer.from('name\0\0', 'latin1'), deflateSync(Buffer.alloc(bytes), { level: 9 })]));

/** A JPEG whose profile fills as many segments as there may be: 16.7 MB. */
async function jpegWithProfile(): Promise<Buffer> {
  const whole = await sample(60, 40).jpeg().toBuffer();
  const segments = Array.from({ length: 255 }, (_, index) =>
    jpegSegment(0xe2, Buffer.from('ICC_PROFILE\0', 'latin1'), Buffer.of(index + 1, 255), Buffer.alloc(65_519)),
  );
  return Buffer.concat([whole.subarray(0, 2), jfif(1, 300, 300), ...segments, whole.subarray(2)]);
}

const strips = (width: number, height: number, more: Parameters<typeof rgbTags>[2] = []): Buffer =>
  Buffer.concat([buildTiff([{ tags: rgbTags(width, height, more) }]), Buffer.alloc(5000)]);

function loopingTiff(): Buffer {
  const file = strips(60, 40);
  const directory = file.readUInt32LE(4);
  file.writeUInt32LE(directory, directory + 2 + file.readUInt16LE(directory) * 12);
  return file;
}

const files: Readonly<Record<string, () => Buffer | Promise<Buffer>>> = {
  'directories-65000.tif': () => buildTiff(Array.from({ length: 65_000 }, () => ({ tags: rgbTags(20, 10) }))),
  'directory-loop.tif': loopingTiff,
  'strips-4-gib.tif': () =>
    strips(60, 40, [
      [273, long, [0xffff_fff0]],
      [279, long, [0xffff_ffff]],
    ]),
  'strips-a-million.tif': () =>
    strips(60, 40, [
      [273, long, { count: 1_000_000, offset: 8 }],
      [279, long, { count: 1_000_000, offset: 8 }],
    ]),
  'tile-2-gib.tif': () =>
    strips(60, 40, [
      [322, long, [0x7fff_fff0]],
      [323, long, [0x7fff_fff0]],
      [324, long, [8]],
      [325, long, [100]],
    ]),
  'samples-65535.tif': () => strips(60, 40, [[277, short, [65_535]]]),
  'profile-500-mb.tif': () => strips(60, 40, [[34_675, undefinedBytes, { count: 500_000_000, offset: 8 }]]),
  'profile-17-mb.jpg': jpegWithProfile,
  'profile-200-mb.png': () => blackPng(60, 40, 2, inflating('iCCP', 200_000_000)),
  'texts-2-gb.png': () => blackPng(60, 40, 2, ...Array.from({ length: 10 }, () => inflating('zTXt', 200_000_000))),
  'pixels-billion.png': () => blackPng(31_623, 31_623, 0),
};

/** A billion pixels without compression, of which the disk has none: a file with a hole. */
function writeSparseTiff(file: string): void {
  const side = 31_623;
  const head = buildTiff([
    {
      tags: [
        [256, long, [side]],
        [257, long, [side]],
        [258, short, [8]],
        [259, short, [1]],
        [262, short, [1]],
        [273, long, [4096]],
        [277, short, [1]],
        [278, long, [side]],
        [279, long, [side * side]],
      ],
    },
  ]);
  const handle = openSync(file, 'w');
  writeSync(handle, head);
  ftruncateSync(handle, 4096 + side * side);
  closeSync(handle);
}

describe('a file that is made to exhaust its reader', { tags: 'memory-cgroup' }, () => {
  let root: string;
  let server: ConfinedServer;
  const goodAddress = '/iiif/3/good.jpg/full/!90,90/0/default.png';
  let good: Buffer;

  beforeAll(async () => {
    root = mkdtempSync(path.join(tmpdir(), 'lectern-hostile-'));
    writeFileSync(path.join(root, 'good.jpg'), await sample(300, 200).jpeg().toBuffer());
    for (const [name, make] of Object.entries(files)) writeFileSync(path.join(root, name), await make());
    writeSparseTiff(path.join(root, 'pixels-billion.tif'));
    server = await startConfinedServer({
      memoryBytes: 1024 * MiB,
      folders: [root],
      env: rendersEachRequest,
    });
    good = (await ask(server, goodAddress)).body;
  });
  afterAll(async () => {
    await server.stop();
    rmSync(root, { recursive: true });
  });

  it.each([...Object.keys(files), 'pixels-billion.tif'])('gives a picture or a clear error: %s', async (name) => {
    resetPeaks(server.renderProcessIds());
    const found: string[] = [];
    for (const address of [
      `/api/dlInfo-json.jsp?fn=${name}`,
      `/iiif/3/${name}/info.json`,
      `/iiif/3/${name}/full/!100,100/0/default.jpg`,
      `/Scaler?fn=${name}&dw=20&wx=0.5&ww=0.4&mo=errtxt`,
    ]) {
      const { status, ms, body } = await ask(server, address);
      found.push(`${status} in ${Math.round(ms)} ms`);
      const text = body.toString('latin1', 0, 200);
      expect(status < 500 || status === 501 || status === 504, `${status} ${address} ${text}`).toBe(true);
      expect(ms).toBeLessThan(maxMs);
      expect(text).not.toContain(root);
    }
    const peakBytes = peakOf(server.renderProcessIds());
    console.log(`${name}: ${found.join(', ')}; at most ${Math.round(peakBytes / MiB)} MiB in a render process`);
    expect(server.isUnharmed(), server.log.slice(-3).join('\n')).toBe(true);
    const next = await ask(server, goodAddress);
    expect(next.body.equals(good)).toBe(true);
  });
});
