/** Makes the scans that are rendered: a 24 MP JPEG with the detail of a photograph, under several names. */
import { copyFile, mkdir, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';

export const sourceFolder = fileURLToPath(new URL('../sources', import.meta.url));
export const sourceSize = { width: 6000, height: 4000 };
/** Copies of the scan: with them, every address in a run can be a new one at nearly the same size. */
export const sourceCount = 8;

/** The name of a copy, counted from 0, without its extension. */
export const sourceName = (index) => `scan-${index + 1}`;
export const sourcePath = (index) => path.join(sourceFolder, `${sourceName(index)}.jpg`);

/** The same numbers in every run: mulberry32. */
function randomBytesFrom(seed) {
  let state = seed;
  return (length) => {
    const bytes = Buffer.allocUnsafe(length);
    for (let i = 0; i < length; i++) {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      bytes[i] = (mixed ^ (mixed >>> 14)) & 0xff;
    }
    return bytes;
  };
}

/** Noise on a coarse grid, enlarged smoothly to the whole picture: one octave of a landscape. */
function octave(randomBytes, columns) {
  const rows = Math.round((columns * sourceSize.height) / sourceSize.width);
  return sharp(randomBytes(columns * rows * 3), { raw: { width: columns, height: rows, channels: 3 } })
    .resize(sourceSize.width, sourceSize.height, { fit: 'fill', kernel: 'cubic' })
    .raw()
    .toBuffer();
}

const octaves = [
  { columns: 6, weight: 0.5 },
  { columns: 40, weight: 0.3 },
  { columns: 300, weight: 0.16 },
  { columns: 1500, weight: 0.12 },
];
const grain = 12;

function addOctave(sum, layer, weight) {
  for (let i = 0; i < sum.length; i++) sum[i] += (layer[i] - 128) * weight;
}

/** A vertical gradient with the grain of a sensor; grain is the same in all channels, as in gray film. */
function startWithGradient(randomBytes) {
  const { width, height } = sourceSize;
  const sum = new Float32Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    const noise = randomBytes(width);
    const shade = 90 + (80 * y) / height;
    for (let x = 0; x < width; x++) {
      sum.fill(shade + ((noise[x] - 128) * grain) / 128, (y * width + x) * 3, (y * width + x + 1) * 3);
    }
  }
  return sum;
}

async function makePicture(target) {
  const randomBytes = randomBytesFrom(24);
  const sum = startWithGradient(randomBytes);
  for (const { columns, weight } of octaves) addOctave(sum, await octave(randomBytes, columns), weight);
  const pixels = Buffer.from(Uint8ClampedArray.from(sum).buffer);
  const image = sharp(pixels, { raw: { ...sourceSize, channels: 3 } });
  await image.jpeg({ quality: 88 }).toFile(`${target}.part`);
  await rename(`${target}.part`, target);
}

const bytesOf = async (file) => (await stat(file).catch(() => undefined))?.size ?? 0;

/** Makes what is missing, and says how many bytes the scan has. */
export async function prepareSources() {
  await mkdir(sourceFolder, { recursive: true });
  const first = sourcePath(0);
  if ((await bytesOf(first)) === 0) await makePicture(first);
  const bytes = await bytesOf(first);
  for (let index = 1; index < sourceCount; index++) {
    const copy = sourcePath(index);
    if ((await bytesOf(copy)) === bytes) continue;
    await copyFile(first, `${copy}.part`);
    await rename(`${copy}.part`, copy);
  }
  return bytes;
}
