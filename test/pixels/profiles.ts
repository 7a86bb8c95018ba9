/** ICC profiles that differ clearly from sRGB, and what their colors are in sRGB. */
import type { Rgb } from './pictures.ts';

type Xyz = readonly [number, number, number];

const fixed = (value: number): number => Math.round(value * 65_536);

function xyz(values: Xyz): Buffer {
  const bytes = Buffer.alloc(20);
  bytes.write('XYZ ', 'latin1');
  for (const [index, value] of values.entries()) bytes.writeInt32BE(fixed(value), 8 + index * 4);
  return bytes;
}

/** A curve that is a power alone. */
function power(gamma: number): Buffer {
  const bytes = Buffer.alloc(16);
  bytes.write('curv', 'latin1');
  bytes.writeUInt32BE(1, 8);
  bytes.writeUInt16BE(Math.round(gamma * 256), 12);
  return bytes;
}

function description(text: string): Buffer {
  const bytes = Buffer.alloc(12 + text.length + 1 + 78);
  bytes.write('desc', 'latin1');
  bytes.writeUInt32BE(text.length + 1, 8);
  bytes.write(text, 12, 'latin1');
  return Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
}

/** A display profile of version 2. */
function profileOf(space: 'RGB ' | 'GRAY', tags: readonly (readonly [string, Buffer])[]): Buffer {
  const table = Buffer.alloc(4 + tags.length * 12);
  table.writeUInt32BE(tags.length);
  let position = 128 + table.length;
  for (const [index, [name, body]] of tags.entries()) {
    table.write(name, 4 + index * 12, 'latin1');
    table.writeUInt32BE(position, 8 + index * 12);
    table.writeUInt32BE(body.length, 12 + index * 12);
    position += body.length;
  }
  const head = Buffer.alloc(128);
  head.writeUInt32BE(position, 0);
  head.writeUInt32BE(0x02_10_00_00, 8);
  head.write(`mntr${space}XYZ `, 12, 'latin1');
  head.write('acsp', 36, 'latin1');
  xyz(whitePoint).copy(head, 68, 8);
  return Buffer.concat([head, table, ...tags.map(([, body]) => body)]);
}

const whitePoint: Xyz = [0.9642, 1, 0.8249];
const adobeGamma = 2.19921875;
const grayGamma = 1.8;

/** Adobe RGB (1998), by its published primaries. */
export const adobeRgb = profileOf('RGB ', [
  ['desc', description('Adobe RGB as a test')],
  ['wtpt', xyz(whitePoint)],
  ['rXYZ', xyz([0.60974, 0.31111, 0.01947])],
  ['gXYZ', xyz([0.20528, 0.62567, 0.06087])],
  ['bXYZ', xyz([0.14919, 0.06322, 0.74457])],
  ['rTRC', power(adobeGamma)],
  ['gTRC', power(adobeGamma)],
  ['bTRC', power(adobeGamma)],
]);

/** Gray with a gamma of 1.8. */
export const lightGray = profileOf('GRAY', [
  ['desc', description('Gray 1.8 as a test')],
  ['wtpt', xyz(whitePoint)],
  ['kTRC', power(grayGamma)],
]);

const encodeSrgb = (linear: number): number => {
  const value = Math.min(1, Math.max(0, linear));
  return 255 * (value <= 0.003_130_8 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055);
};

/** What an Adobe RGB color is in sRGB: the two share red and blue's places, but not green's. */
export function adobeToSrgb(color: Rgb): Rgb {
  const [r, g, b] = [0, 1, 2].map((channel) => ((color[channel] ?? 0) / 255) ** adobeGamma) as [number, number, number];
  return [encodeSrgb(1.39836 * r - 0.39836 * g), encodeSrgb(g), encodeSrgb(1.04293 * b - 0.04293 * g)];
}

export function lightGrayToSrgb([value]: Rgb): Rgb {
  const gray = encodeSrgb((value / 255) ** grayGamma);
  return [gray, gray, gray];
}

/** sRGB's curve as a table of 1024 points, which is how most profiles of version 2 have it. */
export function srgbTable(points = 1024): Buffer {
  const bytes = Buffer.alloc(12 + points * 2);
  bytes.write('curv', 'latin1');
  bytes.writeUInt32BE(points, 8);
  for (let point = 0; point < points; point++) {
    const value = point / (points - 1);
    const light = value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    bytes.writeUInt16BE(Math.round(light * 65_535), 12 + point * 2);
  }
  return bytes;
}

/** A curve by one of the formulas of version 4: its number, and its numbers. */
export function formula(kind: number, values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(12 + values.length * 4);
  bytes.write('para', 'latin1');
  bytes.writeUInt16BE(kind, 8);
  for (const [index, value] of values.entries()) bytes.writeInt32BE(fixed(value), 12 + index * 4);
  return bytes;
}

export const srgbPrimaries = [
  ['rXYZ', xyz([0.43607, 0.22249, 0.01392])],
  ['gXYZ', xyz([0.38515, 0.71687, 0.09708])],
  ['bXYZ', xyz([0.14307, 0.06061, 0.7141])],
] as const;

/** A profile of these tags beside its white, with the same curve for all colors. */
export const rgbProfile = (
  colors: readonly (readonly [string, Buffer])[],
  curve: Buffer,
  more: readonly (readonly [string, Buffer])[] = [],
): Buffer =>
  profileOf('RGB ', [
    ['desc', description('A test')],
    ['wtpt', xyz(whitePoint)],
    ...colors,
    ['rTRC', curve],
    ['gTRC', curve],
    ['bTRC', curve],
    ...more,
  ]);

export const grayProfile = (curve: Buffer): Buffer =>
  profileOf('GRAY', [
    ['desc', description('A test')],
    ['wtpt', xyz(whitePoint)],
    ['kTRC', curve],
  ]);

export const srgb = rgbProfile(srgbPrimaries, srgbTable());
export const srgbGray = grayProfile(srgbTable());
export { power as powerCurve };
