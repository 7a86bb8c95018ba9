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
