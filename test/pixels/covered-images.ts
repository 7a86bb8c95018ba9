/** Images of all kinds of sources in two versions that differ below their redactions alone, and what is answered of them. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { createAdmission } from '../../src/core/access/admit.ts';
import { anyone, openAccess } from '../../src/core/access/policy.ts';
import type { Rect, Size } from '../../src/core/image/model/geometry.ts';
import type { ImageRequest } from '../../src/core/image/model/image-request.ts';
import type { Admitted, ImageSet } from '../../src/core/image/model/image-set.ts';
import { planImage } from '../../src/core/image/plan/plan.ts';
import type { Plan } from '../../src/core/image/plan/plan-types.ts';
import { Library } from '../../src/core/library/library.ts';
import { execute } from '../../src/core/render/execute.ts';
import { createTileReader } from '../../src/core/render/tiles/tile-reader.ts';
import { Storages } from '../../src/core/storage/storages.ts';
import { randomIntegers } from '../fixtures/files/random.mjs';
import { encodeCodeStream } from './code-stream.ts';
import type { Picture } from './pictures.ts';

export const size: Size = { width: 803, height: 611 };

/** Off every grid; the last two reach to the edge and beyond it. */
export const redactions: readonly Rect[] = [
  { x: 143, y: 101, width: 211, height: 57 },
  { x: 541, y: 200, width: 31, height: 275 },
  { x: 733, y: 0, width: 200, height: 23 },
  { x: 0, y: 590, width: 190, height: 21 },
];

/** `secret`: magenta or white below the redactions; `blank`: dark. */
export type Version = 'secret' | 'blank';

const secretColor = [255, 0, 255];

interface Form {
  readonly channels: 1 | 2 | 3 | 4;
  readonly greatest: 255 | 65_535;
}

const isAlpha = (channel: number, { channels }: Form): boolean => channels % 2 === 0 && channel === channels - 1;

/** A calm color with noise; there is a white spot, so that both versions have the same range of samples. */
function calmValue(x: number, y: number, channel: number, noise: number): number {
  const isSpot = x > 390 && x < 440 && y > 330 && y < 370;
  return isSpot ? 255 : 40 + ((channel === 1 ? x : y) * 90) / size.width + noise;
}

function hiddenValue(version: Version, channel: number, form: Form): number {
  if (isAlpha(channel, form)) return version === 'secret' ? 255 : 20;
  if (version === 'blank') return 50;
  return form.channels < 3 ? 255 : (secretColor[channel] ?? 0);
}

const isHidden = (x: number, y: number): boolean =>
  redactions.some((one) => x >= one.x && x < one.x + one.width && y >= one.y && y < one.y + one.height);

function samplesOf(version: Version, form: Form): Uint8Array | Uint16Array {
  const { channels, greatest } = form;
  const count = size.width * size.height * channels;
  const samples = greatest === 255 ? new Uint8Array(count) : new Uint16Array(count);
  const random = randomIntegers(11);
  for (let at = 0; at < count; at++) {
    const [channel, pixel] = [at % channels, Math.floor(at / channels)];
    const [x, y] = [pixel % size.width, Math.floor(pixel / size.width)];
    const noise = random() % 30;
    const shown = isAlpha(channel, form) ? 150 + ((x >> 3) % 100) : calmValue(x, y, channel, noise);
    samples[at] = Math.round(((isHidden(x, y) ? hiddenValue(version, channel, form) : shown) * greatest) / 255);
  }
  return samples;
}

const raw = (version: Version, channels: 1 | 2 | 3 | 4, greatest: 255 | 65_535 = 255): Sharp =>
  sharp(samplesOf(version, { channels, greatest }), { raw: { ...size, channels } });

const codeStream = (version: Version, lossless: boolean): Promise<Buffer> =>
  encodeCodeStream(samplesOf(version, { channels: 3, greatest: 255 }), { ...size, componentCount: 3 }, lossless);

const tiled = { tile: true, tileWidth: 256, tileHeight: 256, pyramid: true } as const;

interface Source {
  readonly extension: string;
  /** Whether all pixels outside of the redactions, and of what is black around them, are the same in both versions. */
  readonly exact: boolean;
  /** Whether what is secret is magenta. */
  readonly colored: boolean;
  make(version: Version): Promise<Buffer>;
}

const colored = { exact: true, colored: true } as const;
const lossy = { exact: false, colored: true } as const;
const gray = { exact: true, colored: false } as const;

export const sources = {
  JPEG: { ...colored, extension: 'jpg', make: (version) => raw(version, 3).jpeg({ quality: 90 }).toBuffer() },
  'progressive JPEG': {
    ...colored,
    extension: 'jpg',
    make: (version) => raw(version, 3).jpeg({ quality: 80, progressive: true }).toBuffer(),
  },
  'turned JPEG': {
    ...colored,
    extension: 'jpg',
    make: async (version) =>
      sharp(await raw(version, 3).rotate(270).png({ compressionLevel: 1 }).toBuffer())
        .jpeg({ quality: 90 })
        .withMetadata({ orientation: 6 })
        .toBuffer(),
  },
  'JPEG pyramid': {
    ...lossy,
    extension: 'tif',
    make: (version) =>
      raw(version, 3)
        .tiff({ ...tiled, compression: 'jpeg', quality: 85 })
        .toBuffer(),
  },
  'gray JPEG pyramid': {
    ...gray,
    extension: 'tif',
    make: (version) =>
      raw(version, 1)
        .toColourspace('b-w')
        .tiff({ ...tiled, compression: 'jpeg', quality: 85 })
        .toBuffer(),
  },
  'deflate pyramid': {
    ...colored,
    extension: 'tif',
    make: (version) =>
      raw(version, 3)
        .tiff({ ...tiled, compression: 'deflate' })
        .toBuffer(),
  },
  'TIFF in strips': { ...colored, extension: 'tif', make: (v) => raw(v, 3).tiff({ compression: 'lzw' }).toBuffer() },
  'JPEG 2000, 5-3': { ...colored, extension: 'j2k', make: (version) => codeStream(version, true) },
  'JPEG 2000, 9-7': { ...lossy, extension: 'j2k', make: (version) => codeStream(version, false) },
  PNG: { ...colored, extension: 'png', make: (v) => raw(v, 3).png({ compressionLevel: 1 }).toBuffer() },
  'PNG with alpha': { ...colored, extension: 'png', make: (v) => raw(v, 4).png({ compressionLevel: 1 }).toBuffer() },
  'gray PNG with alpha': {
    ...gray,
    extension: 'png',
    make: (v) => raw(v, 2).toColourspace('b-w').png({ compressionLevel: 1 }).toBuffer(),
  },
  'PNG of 16 bits': {
    ...colored,
    extension: 'png',
    make: (v) => raw(v, 3, 65_535).toColourspace('rgb16').png({ compressionLevel: 1 }).toBuffer(),
  },
  'TIFF of 16 bits, gray': {
    ...gray,
    extension: 'tif',
    make: (v) =>
      raw(v, 1, 65_535)
        .toColourspace('grey16')
        .tiff({ ...tiled, compression: 'deflate' })
        .toBuffer(),
  },
  'bitonal TIFF': {
    ...gray,
    extension: 'tif',
    make: (v) => raw(v, 1).toColourspace('b-w').tiff({ bitdepth: 1, compression: 'ccittfax4' }).toBuffer(),
  },
  'PNG with a palette': {
    ...lossy,
    extension: 'png',
    make: (v) => raw(v, 3).png({ palette: true, colours: 64, dither: 0 }).toBuffer(),
  },
  WebP: { ...lossy, extension: 'webp', make: (version) => raw(version, 3).webp({ quality: 85 }).toBuffer() },
} as const satisfies Readonly<Record<string, Source>>;

export type SourceName = keyof typeof sources;
export const sourceNames = Object.keys(sources) as SourceName[];

export const fileNameOf = (name: SourceName): string =>
  `${name.replaceAll(/\W+/g, '-').toLowerCase()}.${sources[name].extension}`;

/** Writes both versions of all sources; the folder of each version. */
export async function writeSources(folder: string, names = sourceNames): Promise<Readonly<Record<Version, string>>> {
  const folders = { secret: path.join(folder, 'secret'), blank: path.join(folder, 'blank') };
  for (const version of ['secret', 'blank'] as const) {
    mkdirSync(folders[version], { recursive: true });
    for (const name of names) {
      const source: Source = sources[name];
      writeFileSync(path.join(folders[version], fileNameOf(name)), await source.make(version));
    }
  }
  return folders;
}

const isSecret = (r: number, g: number, b: number, a: number): boolean => a > 20 && r > 170 && b > 170 && g < 100;

/** The number of pixels of a picture that show what is secret. */
export function secretsIn({ pixels }: Picture): number {
  let count = 0;
  for (let at = 0; at < pixels.length; at += 4) {
    if (isSecret(pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0, pixels[at + 3] ?? 0)) count++;
  }
  return count;
}

export interface Answer {
  readonly plan: Plan;
  readonly bytes: Buffer;
}

const rules = { limits: { maxArea: 100_000_000 }, sendFile: true };

/** Answers requests for the images of some folders as a server does; `change` says what lies on an image, or what it is a tier of. */
export function createAnswers(
  roots: readonly [string, ...string[]],
  change: (image: Admitted<ImageSet>) => Admitted<ImageSet>,
) {
  const library = new Library({
    roots,
    followLinksOutside: false,
    orientation: 'apply',
    onUnreadable: () => undefined,
  });
  const admission = createAdmission(library, openAccess);
  const storages = new Storages();
  const reader = createTileReader((file) => storages.handle(file));

  async function bytesOf(plan: Plan): Promise<Buffer> {
    if (plan.kind === 'send-file') return readFileSync(plan.file.path);
    if (plan.kind === 'render') return (await execute(plan)).bytes;
    const read = await reader.read(plan);
    return read.kind === 'tile' ? read.bytes : (await execute(plan.fallback)).bytes;
  }

  const admit = async (name: string): Promise<Admitted<ImageSet>> => change(await admission.admit(name, 1, anyone));
  return {
    admit,
    async answer(name: string, request: ImageRequest): Promise<Answer> {
      const { plan } = planImage(request, await admit(name), rules);
      return { plan, bytes: await bytesOf(plan) };
    },
  };
}
