/** Small random images of every kind of source, as a file and as the sample values in it. */
import sharp, { type Sharp } from 'sharp';
import { randomNumbers } from '../fixtures/files/random.mjs';
import type { Pixel, Raster } from './color-reference.ts';

interface Shape {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 2 | 3 | 4;
}

interface Kind {
  readonly extension: 'png' | 'tif';
  readonly channels: Shape['channels'];
  /** The greatest stored value: 255 or 65,535. */
  readonly greatest: number;
  /** The number of values of a sample; all if it is absent. */
  readonly levels?: number;
  readonly write: (image: Sharp) => Sharp;
}

const png = (image: Sharp): Sharp => image.png();

/** The kinds of sources for color operations. */
export const imageKinds = {
  '8-bit RGB': { extension: 'png', channels: 3, greatest: 255, write: png },
  '8-bit RGBA': { extension: 'png', channels: 4, greatest: 255, write: png },
  '8-bit gray': { extension: 'png', channels: 1, greatest: 255, write: (image) => png(image.toColourspace('b-w')) },
  'gray with alpha': {
    extension: 'png',
    channels: 2,
    greatest: 255,
    write: (image) => png(image.toColourspace('b-w')),
  },
  palette: {
    extension: 'png',
    channels: 3,
    greatest: 255,
    levels: 3,
    write: (image) => image.png({ palette: true, dither: 0 }),
  },
  '16-bit RGB': {
    extension: 'png',
    channels: 3,
    greatest: 65_535,
    write: (image) => png(image.toColourspace('rgb16')),
  },
  '16-bit RGBA': {
    extension: 'png',
    channels: 4,
    greatest: 65_535,
    write: (image) => png(image.toColourspace('rgb16')),
  },
  '16-bit gray': {
    extension: 'png',
    channels: 1,
    greatest: 65_535,
    write: (image) => png(image.toColourspace('grey16')),
  },
  '16-bit RGB in a TIFF': {
    extension: 'tif',
    channels: 3,
    greatest: 65_535,
    write: (image) => image.toColourspace('rgb16').tiff({ compression: 'deflate' }),
  },
  '1-bit in a PNG': {
    extension: 'png',
    channels: 1,
    greatest: 255,
    levels: 2,
    write: (image) => image.toColourspace('b-w').png({ palette: true, colours: 2, dither: 0 }),
  },
  '1-bit in a TIFF': {
    extension: 'tif',
    channels: 1,
    greatest: 255,
    levels: 2,
    write: (image) => image.toColourspace('b-w').tiff({ bitdepth: 1, compression: 'ccittfax4' }),
  },
} as const satisfies Readonly<Record<string, Kind>>;

export type ImageKind = keyof typeof imageKinds;

function randomSamples({ width, height, channels }: Shape, { greatest, levels }: Kind, random: () => number) {
  const length = width * height * channels;
  const samples = greatest === 255 ? new Uint8Array(length) : new Uint16Array(length);
  const steps = (levels ?? greatest + 1) - 1;
  for (let at = 0; at < length; at++) {
    // Half of the 16-bit samples are dark: there 16 bits and 8 differ most.
    const share = greatest > 255 && random() < 0.5 ? random() / 64 : random();
    samples[at] = Math.round((Math.min(steps, Math.floor(share * (steps + 1))) * greatest) / steps);
  }
  // The range of samples of a TIFF is measured, so one sample has the greatest value.
  samples[0] = greatest;
  return samples;
}

function toPixel(samples: ArrayLike<number>, { channels }: Shape, greatest: number, at: number): Pixel {
  const values = Array.from({ length: channels }, (_, i) => ((samples[at * channels + i] ?? 0) * 255) / greatest);
  const [first = 0, second = 255, third = 0, fourth = 255] = values;
  return channels <= 2 ? [first, first, first, second] : [first, second, third, fourth];
}

/** A file of this kind, and its pixels on the scale from 0 to 255. */
export async function randomImage(name: ImageKind, seed: number): Promise<{ bytes: Buffer; raster: Raster }> {
  const kind: Kind = imageKinds[name];
  const random = randomNumbers(seed);
  const shape = { width: 2 + Math.floor(random() * 9), height: 2 + Math.floor(random() * 9), channels: kind.channels };
  const samples = randomSamples(shape, kind, random);
  const bytes = await kind.write(sharp(samples, { raw: shape })).toBuffer();
  const { width, height, channels } = shape;
  const pixels = Array.from({ length: width * height }, (_, at) =>
    toPixel(samples, { width, height, channels }, kind.greatest, at),
  );
  return { bytes, raster: { width, height, pixels } };
}
