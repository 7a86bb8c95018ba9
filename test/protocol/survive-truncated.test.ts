/** Files of which a part is missing or damaged are no pictures, and are served as soon as they are whole (survive.md, "Files"). */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import sharp, { type TiffOptions } from 'sharp';
import { describe, expect, it } from 'vitest';
import { directoriesFirst } from '../fixtures/files/header-first.ts';
import { base, serveLibrary } from './library-with-secrets.ts';
import { endOfImage, pictureAddresses, expectRefused as refused, expectServed as served } from './refused-pictures.ts';
import type { ReceivedResponse } from './running-app.ts';

const server = serveLibrary();
const showing = serveLibrary({ render: { truncated: 'show' } });

const [width, height] = [400, 300];

/** Noise, so that a missing part is many bytes in every compression. */
const noise = () =>
  sharp({
    create: { width, height, channels: 3, background: '#369', noise: { type: 'gaussian', mean: 128, sigma: 30 } },
  });

const expectRefused = (name: string) => refused(server, name);
const expectServed = (name: string) => served(server, name);

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

  it.each(jpegKinds)(
    '%s of which only the space was reserved is no picture, and zeros behind its end are allowed',
    async (label, encode) => {
      const whole = await encode(noise()).toBuffer();
      const name = `jpeg-zeros-${label}.jpg`;
      for (const share of [0.3, 0.6, 0.9]) {
        const copied = Buffer.from(whole).fill(0, Math.floor(whole.length * share));
        server.library.write(name, Buffer.concat([copied, Buffer.alloc(2000)]));
        await expectRefused(name);
      }
      server.library.write(name, Buffer.concat([whole, Buffer.alloc(2000)]));
      await expectServed(name);
    },
  );

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

/** Of files with 400 x 300 pixels, parts that lie above what is missing. */
const aboveCut: typeof pictureAddresses = [
  (name) => `${base}/iiif/3/${name}/0,0,64,32/max/0/default.jpg`,
  (name) => `${base}/Scaler?fn=${name}&dw=100&wh=0.1`,
  (name) => `${base}/iiif/2/${name}/0,0,400,16/200,/0/default.png`,
];

const fixture = (name: string): Buffer =>
  readFileSync(fileURLToPath(new URL(`../fixtures/jpeg2000/${name}`, import.meta.url)));

const tiles = { tile: true, tileWidth: 64, tileHeight: 64 } as const;

type Kind = readonly [label: string, extension: string, make: () => Promise<Buffer> | Buffer, end?: Buffer];

const kinds: readonly Kind[] = [
  ...jpegKinds.map(([label, encode]): Kind => [`${label} JPEG`, 'jpg', () => encode(noise()).toBuffer(), endOfImage]),
  ['PNG', 'png', () => noise().png().toBuffer(), Buffer.from('0000000049454e44ae426082', 'hex')],
  ['interlaced PNG', 'png', () => noise().png({ progressive: true }).toBuffer()],
  ['WebP', 'webp', () => noise().webp().toBuffer()],
  ['lossless WebP', 'webp', () => noise().webp({ lossless: true }).toBuffer()],
  ['WebP with alpha', 'webp', () => noise().ensureAlpha(0.5).webp().toBuffer()],
  ['GIF', 'gif', () => noise().gif().toBuffer(), Buffer.from(';')],
  ...(['jpeg', 'deflate', 'lzw', 'webp'] as const).flatMap((compression) =>
    [{}, tiles].map((options): Kind => {
      const make = async () =>
        directoriesFirst(
          await noise()
            .tiff({ compression, ...options })
            .toBuffer(),
        );
      return [`TIFF of ${compression} ${'tile' in options ? 'tiles' : 'strips'}`, 'tif', make];
    }),
  ),
  ...[
    'tiled-lossy.j2k',
    'tiled-lossless.jp2',
    'tile-parts.jp2',
    'tlm.jp2',
    'progression-lrcp.jp2',
    'untiled-lossy.jp2',
  ].map((name): Kind => [name, name.slice(-3), () => fixture(name), endOfImage]),
];

describe('a part of a picture that lies above what is missing', () => {
  /** Zeros are packets without data in JPEG 2000, and plain blocks in a JPEG of four colors, of which only libjpeg knows the end. */
  const mayEndInZeros = (label: string): boolean => label === 'untiled-lossy.jp2' || label === 'cmyk JPEG';

  it.each(kinds.map((kind) => ({ kind, label: kind[0] })))('is no picture in a $label', async ({ kind }) => {
    const [label, extension, make, end] = kind;
    const whole = await make();
    const name = `above-${label.replaceAll(/[ .]/g, '-')}.${extension}`;
    const cut = whole.subarray(0, Math.floor(whole.length * 0.7));
    const reserved = Buffer.concat([cut, Buffer.alloc(whole.length - cut.length)]);
    const damaged = [cut, reserved, ...(end ? [Buffer.concat([cut, end])] : [])];
    if (end && !mayEndInZeros(label)) damaged.push(Buffer.concat([reserved.subarray(0, -end.length), end]));
    for (const bytes of damaged) {
      server.library.write(name, bytes);
      await refused(server, name, aboveCut);
    }
    writeFileSync(server.library.in(name), whole);
    await served(server, name, aboveCut);
  });

  it('is a marked picture where the settings say to show what there is', async () => {
    for (const extension of ['jpeg', 'png'] as const) {
      const whole = await noise().toFormat(extension).toBuffer();
      showing.library.write(`shown.${extension}`, whole.subarray(0, whole.length >> 1));
      for (const address of aboveCut) {
        const { status, headers } = await showing.app.get(address(`shown.${extension}`));
        expect([status, headers['lectern-image'], headers['cache-control']]).toEqual([200, 'truncated', 'no-store']);
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

describe('where the settings say to show what there is', () => {
  const get = (address: string, headers = {}) => showing.app.get(address, { headers });
  const marks = ({ status, headers }: ReceivedResponse) => [status, headers['lectern-image'], headers['cache-control']];
  const marked = [200, 'truncated', 'no-store'];
  const plain = [200, undefined, 'public, max-age=3600, stale-while-revalidate=600, stale-if-error=86400'];

  async function informationOf(name: string): Promise<readonly unknown[]> {
    const addresses = [`iiif/3/${name}/info.json`, `iiif/2/${name}/info.json`, `api/folder.json?fn=${name}`];
    const documents = await Promise.all(addresses.map(async (address) => get(`${base}/${address}`)));
    const [three, two, folder] = documents.map(({ body }) => JSON.parse(body.toString()));
    const card = folder.images.find(({ path: one }: { path: string }) => one === name);
    return [three.truncated, two.truncated, card.truncated];
  }

  async function brightnessOfHalves(picture: Buffer): Promise<readonly number[]> {
    const { data, info } = await sharp(picture).toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
    const mean = (from: number, to: number): number =>
      data.subarray(from, to).reduce((sum, value) => sum + value, 0) / (to - from);
    const rows = (share: number): number => Math.floor(info.height * share) * info.width * info.channels;
    return [mean(rows(0), rows(0.4)), mean(rows(0.6), data.length)];
  }

  it('a half-copied TIFF is a marked picture that no one caches, and a plain one as soon as it is whole', async () => {
    const tiles = { compression: 'lzw', tile: true, tileWidth: 128, tileHeight: 128 } as const;
    const whole = directoriesFirst(await noise().tiff(tiles).toBuffer());
    showing.library.write('half.tif', whole.subarray(0, whole.length >> 1));
    const picture = pictureAddresses[3]?.('half.tif') ?? '';
    for (const address of [...pictureAddresses.map((of) => of('half.tif')), picture]) {
      expect(marks(await get(address)), address).toEqual(marked);
    }
    const half = await get(picture);
    const [upper = 0, lower = 0] = await brightnessOfHalves(half.body);
    expect(upper).toBeGreaterThan(60);
    expect(lower).toBeLessThan(upper / 2);
    expect(await informationOf('half.tif')).toEqual([true, true, true]);
    const manifest = await get(`${base}/presentation/3/manifest.json`);
    expect(manifest.body.toString()).toContain('A part of this image is missing');
    writeFileSync(showing.library.in('half.tif'), whole);
    const { etag } = half.headers;
    expect(marks(await get(picture, { 'if-none-match': etag }))).toEqual(plain);
    expect(await informationOf('half.tif')).toEqual([undefined, undefined, false]);
  });

  it('a JPEG that was cut is marked as soon as its pixels were decoded', async () => {
    const whole = await noise().jpeg().toBuffer();
    const cut = Buffer.concat([whole.subarray(0, whole.length >> 1), endOfImage]);
    showing.library.write('cut.jpg', cut);
    expect(await informationOf('cut.jpg')).toEqual([undefined, undefined, false]);
    for (const address of pictureAddresses) {
      const answer = await get(address('cut.jpg'));
      expect(marks(answer), address('cut.jpg')).toEqual(marked);
      expect(answer.headers['access-control-expose-headers']).toBe('Lectern-Image');
    }
    expect(await informationOf('cut.jpg')).toEqual([true, true, true]);
    // The bytes of the original are not made up, so they are not marked.
    expect((await get(`${base}/Scaler?fn=cut.jpg&mo=rawfile`)).body.equals(cut)).toBe(true);
    writeFileSync(showing.library.in('cut.jpg'), whole);
    for (const address of pictureAddresses) expect(marks(await get(address('cut.jpg')))).toEqual(plain);
  });

  it('what can’t be shown even in part is an error', async () => {
    const whole = await noise().webp().toBuffer();
    showing.library.write('cut.webp', whole.subarray(0, whole.length >> 1));
    expect((await get(pictureAddresses[0]?.('cut.webp') ?? '')).status).toBe(404);
  });
});
