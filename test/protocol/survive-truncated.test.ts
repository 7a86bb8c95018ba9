/** Files of which a part is missing or damaged are no pictures, and are served as soon as they are whole (survive.md, "Files"). */
import { writeFileSync } from 'node:fs';
import sharp, { type TiffOptions } from 'sharp';
import { describe, expect, it } from 'vitest';
import { directoriesFirst } from '../fixtures/files/header-first.ts';
import { base, expectDiscreet, serveLibrary } from './library-with-secrets.ts';

const server = serveLibrary();

const [width, height] = [400, 300];

/** Noise, so that a missing part is many bytes in every compression. */
const noise = () =>
  sharp({
    create: { width, height, channels: 3, background: '#369', noise: { type: 'gaussian', mean: 128, sigma: 30 } },
  });

const pictureAddresses: readonly ((name: string) => string)[] = [
  (name) => `${base}/Scaler?fn=${name}&dw=60`,
  (name) => `${base}/Scaler?fn=${name}&dw=400`,
  (name) => `${base}/Scaler?fn=${name}&dw=100&wy=0.7&wh=0.3`,
  (name) => `${base}/iiif/3/${name}/full/max/0/default.jpg`,
  (name) => `${base}/iiif/3/${name}/full/60,/0/default.png`,
  (name) => `${base}/iiif/2/${name}/0,250,400,50/full/0/default.jpg`,
];

async function expectRefused(name: string): Promise<void> {
  for (const address of pictureAddresses) {
    const answer = await server.app.get(address(name));
    expect(answer.status, address(name)).toBe(404);
    expect(answer.headers['cache-control'], address(name)).toBe('no-store');
    expect(answer.headers['etag']).toBeUndefined();
    expectDiscreet(answer, server.library);
  }
}

async function expectServed(name: string): Promise<void> {
  for (const address of pictureAddresses) expect((await server.app.get(address(name))).status, address(name)).toBe(200);
}

/** The file is refused when it is cut at each of these shares of its length, and served as soon as it is whole. */
async function expectNoticed(name: string, whole: Buffer, cutAt: (bytes: number) => readonly number[]): Promise<void> {
  for (const bytes of cutAt(whole.length)) {
    server.library.write(name, whole.subarray(0, bytes));
    await expectRefused(name);
  }
  writeFileSync(server.library.in(name), whole);
  await expectServed(name);
}

const tiffKinds: readonly (readonly [string, TiffOptions])[] = (
  ['none', 'lzw', 'deflate', 'packbits', 'jpeg', 'webp'] as const
).flatMap((compression): (readonly [string, TiffOptions])[] => [
  [`${compression} strips`, { compression }],
  [`${compression} tiles`, { compression, tile: true, tileWidth: 128, tileHeight: 128 }],
]);

const layouts: readonly (readonly [string, TiffOptions])[] = [
  ['a BigTIFF of strips', { compression: 'deflate', bigtiff: true }],
  ['a BigTIFF of tiles', { compression: 'lzw', tile: true, tileWidth: 128, tileHeight: 128, bigtiff: true }],
  ['a pyramid as a chain', { compression: 'deflate', tile: true, tileWidth: 64, tileHeight: 64, pyramid: true }],
  ['a pyramid of JPEG tiles', { compression: 'jpeg', tile: true, tileWidth: 64, tileHeight: 64, pyramid: true }],
];

describe('a TIFF whose directories are copied and whose pixels are not', () => {
  it.each([...tiffKinds, ...layouts])('of %s is no picture before it is whole', async (label, options) => {
    const whole = directoriesFirst(await noise().tiff(options).toBuffer());
    const name = `tiff-${label.replaceAll(' ', '-')}.tif`;
    await expectNoticed(name, whole, (bytes) => [bytes >> 1, bytes - 1]);
  });

  it('of a pyramid whose smaller levels are directories beyond its end is no picture before it is whole', async () => {
    const options = { compression: 'deflate', tile: true, tileWidth: 64, tileHeight: 64, pyramid: true } as const;
    const whole = await noise().tiff(options).toBuffer();
    // sharp writes each level before its directory, and the first one is whole here.
    await expectNoticed('chain.tif', whole, (bytes) => [Math.floor(bytes * 0.85), bytes - 300]);
  });
});

const endOfImage = Buffer.from([0xff, 0xd9]);

const jpegKinds: readonly (readonly [string, (image: ReturnType<typeof noise>) => ReturnType<typeof noise>])[] = [
  ['baseline', (image) => image.jpeg()],
  ['4-4-4', (image) => image.jpeg({ chromaSubsampling: '4:4:4' })],
  ['gray', (image) => image.toColourspace('b-w').jpeg()],
  ['cmyk', (image) => image.toColourspace('cmyk').jpeg()],
  ['progressive', (image) => image.jpeg({ progressive: true })],
];

describe('a JPEG that ends before its pixels', () => {
  it.each(jpegKinds)('%s is no picture, also with an end marker behind', async (label, encode) => {
    const whole = await encode(noise()).toBuffer();
    const cuts = [0.1, 0.5, 0.9].map((share) => Math.floor(whole.length * share));
    for (const bytes of cuts) {
      const name = `jpeg-${label}.jpg`;
      server.library.write(name, whole.subarray(0, bytes));
      await expectRefused(name);
      server.library.write(name, Buffer.concat([whole.subarray(0, bytes), endOfImage]));
      await expectRefused(name);
      writeFileSync(server.library.in(name), whole);
      await expectServed(name);
    }
  });

  it('in its last row of blocks is no picture at its full size', async () => {
    const name = 'last-row.jpg';
    for (const [, encode] of jpegKinds) {
      const whole = await encode(noise()).toBuffer();
      server.library.write(name, Buffer.concat([whole.subarray(0, -40), endOfImage]));
      for (const address of pictureAddresses.filter((_, index) => [1, 3, 5].includes(index))) {
        expect((await server.app.get(address(name))).status, address(name)).toBe(404);
      }
    }
  });
});

/** The position of the first segment with this marker. */
function segmentAt(jpeg: Buffer, marker: number): number {
  for (let at = 2; ; at += 2 + jpeg.readUInt16BE(at + 2)) if (jpeg[at + 1] === marker) return at;
}

const insert = (jpeg: Buffer, at: number, bytes: Buffer): Buffer =>
  Buffer.concat([jpeg.subarray(0, at), bytes, jpeg.subarray(at)]);

const segment = (marker: number, content: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0xff, marker, 0, content.length + 2]), content]);

const stray = Buffer.from([1, 2, 3, 0, 0]);
const [huffmanTables, scan] = [0xc4, 0xda];

const oddities: readonly (readonly [string, (jpeg: Buffer) => Buffer])[] = [
  ['bytes between its segments', (jpeg) => insert(jpeg, segmentAt(jpeg, huffmanTables), stray)],
  ['bytes before its pixels', (jpeg) => insert(jpeg, segmentAt(jpeg, scan), stray)],
  ['bytes before its end', (jpeg) => insert(jpeg, jpeg.length - 2, stray)],
  ['bytes behind its end', (jpeg) => Buffer.concat([jpeg, Buffer.alloc(5000, 7)])],
  [
    'an unknown JFIF version',
    (jpeg) => insert(jpeg, 2, segment(0xe0, Buffer.from('JFIF\0\x02\x01\0\0\x01\0\x01\0\0'))),
  ],
  ['an unknown Adobe transform', (jpeg) => insert(jpeg, 2, segment(0xee, Buffer.from('Adobe\0d\0\0\0\0\x05')))],
];

describe('a JPEG of which only the header is unusual', () => {
  const encoders = [noise().jpeg(), noise().jpeg({ progressive: true }), noise().toColourspace('b-w').jpeg()];

  it.each(oddities)('with %s is served, and refused when it is cut', async (_label, change) => {
    for (const encoder of encoders) {
      const odd = change(await encoder.clone().toBuffer());
      server.library.write('odd.jpg', Buffer.concat([odd.subarray(0, odd.length >> 1), endOfImage]));
      await expectRefused('odd.jpg');
      server.library.write('odd.jpg', odd);
      await expectServed('odd.jpg');
    }
  });

  it('with the parameters of another kind of scan is served', async () => {
    const odd = await noise().jpeg().toBuffer();
    const at = segmentAt(odd, scan);
    odd[at + odd.readUInt16BE(at + 2)] = 0;
    server.library.write('odd-scan.jpg', odd);
    await expectServed('odd-scan.jpg');
  });
});

describe('a TIFF with damaged tiles or strips', () => {
  it.each(tiffKinds.filter(([label]) => /^(lzw|deflate|webp|jpeg) /.test(label) && label !== 'jpeg tiles'))(
    'of %s that its decoder finds fault with is no picture',
    async (label, options) => {
      const bytes = directoriesFirst(await noise().tiff(options).toBuffer());
      // Zeros, as where a block of the disk was never written.
      bytes.fill(0, Math.floor(bytes.length * 0.8), Math.floor(bytes.length * 0.95));
      const name = `rotten-${label.replaceAll(' ', '-')}.tif`;
      server.library.write(name, bytes);
      await expectRefused(name);
    },
  );
});
