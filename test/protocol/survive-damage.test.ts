/** Damage of which decoders say nothing: missing scans, holes of zeros, and the end of arithmetic coding (survive.md, "Files"). */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import sharp, { type JpegOptions } from 'sharp';
import { describe, expect, it } from 'vitest';
import { randomIntegers } from '../fixtures/files/random.mjs';
import { sampleOf } from '../sweep.ts';
import { base, serveLibrary } from './library-with-secrets.ts';
import { endOfImage, expectRefused, expectServed, pictureAddresses } from './refused-pictures.ts';

const server = serveLibrary();

const fixtures = new URL('../fixtures/jpeg/', import.meta.url);
const fixture = (name: string): Buffer => readFileSync(new URL(`${name}.jpg`, fixtures));
const fixtureNames = readdirSync(fixtures)
  .filter((name) => name.endsWith('.jpg'))
  .map((name) => name.slice(0, -4));

const random = randomIntegers(6);
const size = { width: 400, height: 300 };
/** Sums of three random numbers, about a mean. */
const samples = Buffer.from(
  Array.from(
    { length: size.width * size.height * 3 },
    () => ((random() & 255) + (random() & 255) + (random() & 255)) / 3,
  ),
);
const noise = () => sharp(samples, { raw: { ...size, channels: 3 } });

/** A page: text above, white below. */
const page = () => {
  const lines = Array.from(
    { length: 24 },
    (_, at) =>
      `<text x="9" y="${11 + 11 * at}" font-size="11">${at} Pack my box with five dozen liquor jugs: the quick brown fox jumps over ${at * 7919}</text>`,
  );
  return sharp(
    Buffer.from(`<svg width="400" height="300"><rect width="400" height="300" fill="#fff"/>${lines.join('')}</svg>`),
  ).flatten();
};

/** Positions of the headers of scans. */
function scansOf(jpeg: Buffer): readonly number[] {
  const scans: number[] = [];
  for (let at = jpeg.indexOf(0xff, 2); at !== -1; at = jpeg.indexOf(0xff, at)) {
    const code = jpeg[at + 1] ?? 0;
    if (code === 0xd9) break;
    if (code === 0xda) scans.push(at);
    at += code < 2 || (code >= 0xd0 && code <= 0xd7) ? 2 : 2 + jpeg.readUInt16BE(at + 2);
  }
  return scans;
}

const dataAt = (jpeg: Buffer): number => {
  const [at = 0] = scansOf(jpeg).slice(-1);
  return at + 2 + jpeg.readUInt16BE(at + 2);
};

/** A region that lies above all that is missing. */
const aboveDamage = [(name: string) => `${base}/iiif/3/${name}/0,0,64,40/max/0/default.jpg`];

const addresses = [...aboveDamage, ...[0, 3, 5].flatMap((index) => pictureAddresses[index] ?? [])];

async function expectNoticed(name: string, damaged: Buffer): Promise<void> {
  server.library.write(name, damaged);
  await expectRefused(server, name, addresses);
}

async function expectWhole(name: string, whole: Buffer): Promise<void> {
  writeFileSync(server.library.in(name), whole);
  await expectServed(server, name, addresses);
}

describe('a JPEG with arithmetic coding that is cut, with an end marker behind', () => {
  it.each(fixtureNames.filter((name) => name.startsWith('arithmetic')))(
    '%s is no picture',
    { tags: 'sampled' },
    async (name) => {
      const whole = fixture(name);
      const start = dataAt(whole);
      for (const share of sampleOf([0.05, 0.3, 0.5, 0.7, 0.9], 2)) {
        const cut = whole.subarray(0, start + Math.floor((whole.length - start) * share));
        await expectNoticed(`${name}.jpg`, Buffer.concat([cut, endOfImage]));
      }
      await expectWhole(`${name}.jpg`, whole);
    },
  );
});

describe('a JPEG that is cut before one of its scans, with an end marker behind', () => {
  const kinds: readonly (readonly [string, () => Promise<Buffer>])[] = [
    ['progressive', () => noise().jpeg({ progressive: true }).toBuffer()],
    ['progressive in gray', () => noise().toColourspace('b-w').jpeg({ progressive: true }).toBuffer()],
    ['progressive with optimized scans', () => noise().jpeg({ mozjpeg: true }).toBuffer()],
    ['progressive with inks', () => noise().toColourspace('cmyk').jpeg({ progressive: true }).toBuffer()],
    ['not interleaved', async () => fixture('several-scans')],
    ['not interleaved, with arithmetic coding', async () => fixture('arithmetic-several-scans')],
    ['progressive with arithmetic coding', async () => fixture('arithmetic-progressive')],
  ];

  it.each(kinds)('%s is no picture', { tags: 'sampled' }, async (label, make) => {
    const whole = await make();
    const name = `${label.replaceAll(/\W+/g, '-')}.jpg`;
    const [, ...scans] = scansOf(whole);
    expect(scans.length).toBeGreaterThan(1);
    for (const at of sampleOf(scans, 3)) await expectNoticed(name, Buffer.concat([whole.subarray(0, at), endOfImage]));
    await expectWhole(name, whole);
  });
});

const holes = [
  [0.2, 0.3],
  [0.4, 0.6],
  [0.5, 0.99],
] as const;

const junk = (bytes: Buffer): Buffer => {
  const next = randomIntegers(4);
  return bytes.map(() => next() & 255) as Buffer;
};

describe('a JPEG with a hole', () => {
  const options: Readonly<Record<string, JpegOptions>> = {
    'common-tables': { optimiseCoding: false },
    'own-tables': {},
    'the-best-quality': { quality: 100, chromaSubsampling: '4:4:4' },
    progressive: { progressive: true },
    'optimized-scans': { mozjpeg: true },
  };
  const pictures = { noise, page, gray: () => noise().toColourspace('b-w'), inks: () => noise().toColourspace('cmyk') };
  const kinds = Object.entries(pictures).flatMap(([picture, make]) =>
    Object.entries(options)
      // Four colors are not walked: a hole of plain blocks can't be told from what a picture has.
      .filter(([name]) => picture !== 'inks' || name !== 'own-tables')
      .map(([name, how]) => [`${picture}, ${name}`, () => make().jpeg(how).toBuffer()] as const),
  );
  const made = fixtureNames.map((name) => [name, async () => fixture(name)] as const);

  it.each(sampleOf([...kinds, ...made], 10))(
    'of zeros (%s) is no picture',
    { tags: 'sampled' },
    async (label, make) => {
      const whole = await make();
      const [start = 0] = scansOf(whole);
      const name = `${label.replaceAll(/\W+/g, '-')}.jpg`;
      for (const [from, to] of holes) {
        const [first, last] = [from, to].map((share) => start + 20 + Math.floor((whole.length - start - 20) * share));
        await expectNoticed(name, Buffer.from(whole).fill(0, first, last));
      }
      await expectWhole(name, whole);
    },
  );

  it.each(sampleOf(kinds, 6))(
    'of junk (%s) is no picture where it is whole',
    { tags: 'sampled' },
    async (label, make) => {
      const whole = await make();
      const [start = 0] = scansOf(whole);
      const name = `junk-${label.replaceAll(/\W+/g, '-')}.jpg`;
      const from = start + 20 + Math.floor((whole.length - start) * 0.4);
      const to = from + Math.floor((whole.length - start) * 0.2);
      server.library.write(
        name,
        Buffer.concat([whole.subarray(0, from), junk(whole.subarray(from, to)), whole.subarray(to)]),
      );
      await expectRefused(server, name, pictureAddresses.slice(3, 4));
    },
  );
});

/** Segments as they stand before the image. */
const withSegment = (jpeg: Buffer, marker: number, content: Buffer): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, content, jpeg.subarray(2)]);
};

describe('a whole JPEG with zeros', () => {
  const white = () => sharp({ create: { width: 400, height: 300, channels: 3, background: '#fff' } });
  const wide = async (image: ReturnType<typeof white>) =>
    sharp(await image.png().toBuffer()).extend({ bottom: 3000, background: '#fff' });
  it.each<readonly [string, () => Promise<Buffer>]>([
    ['plain blocks', async () => white().jpeg().toBuffer()],
    ['plain blocks below', async () => (await wide(page())).jpeg().toBuffer()],
    ['plain blocks in gray', async () => (await wide(page())).toColourspace('b-w').jpeg().toBuffer()],
    ['plain blocks of inks', async () => (await wide(page())).toColourspace('cmyk').jpeg().toBuffer()],
    ['plain blocks in several scans', async () => (await wide(page())).jpeg({ progressive: true }).toBuffer()],
    ['plain blocks in optimized scans', async () => (await wide(page())).jpeg({ mozjpeg: true }).toBuffer()],
    ['a segment of zeros', async () => withSegment(await noise().jpeg().toBuffer(), 0xe1, Buffer.alloc(40_000))],
    [
      'another picture in a segment',
      async () =>
        withSegment(
          await noise().jpeg().toBuffer(),
          0xe1,
          (await noise().jpeg().toBuffer()).subarray(0, 9000).fill(0, 3000, 8000),
        ),
    ],
    ['zeros behind it', async () => Buffer.concat([await noise().jpeg().toBuffer(), Buffer.alloc(9000)])],
    [
      'another picture with zeros behind it',
      async () => Buffer.concat([await noise().jpeg().toBuffer(), Buffer.alloc(9000), await noise().jpeg().toBuffer()]),
    ],
    [
      'zeros before its end marker',
      async () => {
        const jpeg = await noise().jpeg({ optimiseCoding: false }).toBuffer();
        return Buffer.concat([jpeg.subarray(0, -2), Buffer.alloc(600), endOfImage]);
      },
    ],
    [
      'a plain end with zeros behind',
      async () => {
        const jpeg = await (await wide(page())).jpeg().toBuffer();
        return Buffer.concat([jpeg.subarray(0, -2), Buffer.alloc(600), endOfImage]);
      },
    ],
  ])('of %s is served', async (label, make) => {
    const name = `whole-${label.replaceAll(' ', '-')}.jpg`;
    server.library.write(name, await make());
    await expectServed(server, name, pictureAddresses.slice(0, 2));
  });
});

describe('a JPEG 2000 file that ends in zeros', () => {
  const folder = new URL('../fixtures/jpeg2000/', import.meta.url);
  const ofSmaller = [
    (name: string) => `${base}/Scaler?fn=${name}&dw=60`,
    (name: string) => `${base}/iiif/3/${name}/full/max/0/default.jpg`,
    (name: string) => `${base}/iiif/3/${name}/0,0,40,30/max/0/default.png`,
  ];

  it.each(['untiled-lossless.jp2', 'untiled-lossy.jp2', 'open-end.jp2', 'names.j2c', 'plt.jp2', 'tiled-lossless.jp2'])(
    '%s is no picture before it is whole',
    async (name) => {
      const whole = readFileSync(new URL(name, folder));
      for (const share of [0.3, 0.6, 0.9]) {
        server.library.write(name, Buffer.from(whole).fill(0, Math.floor(whole.length * share)));
        await expectRefused(server, name, ofSmaller);
      }
      writeFileSync(server.library.in(name), whole);
      await expectServed(server, name, ofSmaller);
    },
  );
});
