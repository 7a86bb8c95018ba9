/** The scans that are served: made once, from fixed seeds, and stored in bench/sources, which git ignores. */
import { mkdir, rename, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { adobeRgb } from '../../test/fixtures/files/icc-profile.mjs';
import { writeJpeg2000 } from './jpeg2000.mjs';
import { findProgram } from './machine.mjs';
import { syntheticPhoto } from './synthetic-photo.mjs';

export const sourceFolder = fileURLToPath(new URL('../sources/', import.meta.url));
const profileFile = path.join(sourceFolder, 'adobe-rgb.icc');

const large = { width: 10_000, height: 8000 };
const middle = { width: 6000, height: 4000 };
const small = { width: 3000, height: 2000 };

const pyramid = {
  compression: 'jpeg',
  quality: 85,
  tile: true,
  tileWidth: 512,
  tileHeight: 512,
  pyramid: true,
};

const asPyramid = (image) => image.tiff(pyramid);
const asFinePyramid = (image) => image.tiff({ ...pyramid, tileWidth: 256, tileHeight: 256 });
const asDeflatePyramid = (image) => image.tiff({ ...pyramid, compression: 'deflate', predictor: 'horizontal' });
const asAdobePyramid = (image) => image.withIccProfile(profileFile).tiff(pyramid);
const asJpeg = (image) => image.jpeg({ quality: 85 });
/** A tenth of the samples' bytes, in resolutions from 10000 down to 313 pixels, as masters have. */
const jpeg2000 = ['-n', '6', '-I', '-r', '10'];
const asTiledJpeg2000 = (image) => writeJpeg2000(image, large, [...jpeg2000, '-t', '512,512']);
const asUntiledJpeg2000 = (image) =>
  writeJpeg2000(image, large, [...jpeg2000, '-p', 'RPCL', '-c', '[256,256],[256,256],[128,128]', '-PLT']);

const fifty = (name, extension) =>
  Array.from({ length: 50 }, (_, index) => `${name}-${String(index + 1).padStart(2, '0')}.${extension}`);
const smallNames = fifty('small', 'tif');
const plainNames = fifty('plain', 'jpg');

/**
 * Every scan by its name: its size, whether it has levels (directory n is reduced 2^n times), how it is written, and by which
 * program where that is not sharp.
 */
export const sources = Object.fromEntries(
  [
    { name: 'pyramid.tif', size: large, seed: 80, levels: true, write: asPyramid },
    { name: 'pyramid-256.tif', size: large, seed: 80, levels: true, write: asFinePyramid },
    { name: 'deflate.tif', size: large, seed: 80, levels: true, write: asDeflatePyramid },
    { name: 'adobe.tif', size: large, seed: 80, levels: true, write: asAdobePyramid },
    { name: 'large.jpg', size: large, seed: 80, levels: false, write: asJpeg },
    { name: 'tiled.jp2', size: large, seed: 80, levels: true, write: asTiledJpeg2000, program: 'opj_compress' },
    { name: 'untiled.jp2', size: large, seed: 80, levels: true, write: asUntiledJpeg2000, program: 'opj_compress' },
    { name: 'photo.jpg', size: middle, seed: 24, levels: false, write: asJpeg },
    ...smallNames.map((name, index) => ({ name, size: small, seed: 100 + index, levels: true, write: asPyramid })),
    ...plainNames.map((name, index) => ({ name, size: small, seed: 100 + index, levels: false, write: asJpeg })),
  ].map((source) => [source.name, source]),
);

export const sourceNames = { small: smallNames, plain: plainNames, all: Object.keys(sources) };

const exists = async (file) => ((await stat(file).catch(() => undefined))?.size ?? 0) > 0;

/** Writes several scans from the same pixels, which take seconds to compute. */
async function writeAll(group, onMade) {
  const [{ size, seed }] = group;
  const pixels = syntheticPhoto(size, seed);
  for (const { name, write } of group) {
    const part = path.join(sourceFolder, `part-${name}`);
    const image = sharp(pixels, { raw: { ...size, channels: 3 }, limitInputPixels: false });
    await write(image).toFile(part);
    await rename(part, path.join(sourceFolder, name));
    onMade(name);
  }
}

/** The program that is not installed and has to make a scan that does not exist; undefined where all can be made. */
export async function missingProgram(names) {
  for (const name of names) {
    const { program } = sources[name];
    if (program && !findProgram(program) && !(await exists(path.join(sourceFolder, name)))) return program;
  }
  return undefined;
}

/** Makes the scans that do not exist yet, except those whose program is not installed; calls `onMade` with the name of each. */
export async function prepareSources(names, onMade) {
  await mkdir(sourceFolder, { recursive: true });
  await writeFile(profileFile, adobeRgb);
  const missing = [];
  for (const name of names) {
    const { program } = sources[name];
    const canBeMade = !program || findProgram(program);
    if (canBeMade && !(await exists(path.join(sourceFolder, name)))) missing.push(sources[name]);
  }
  const seeds = [...new Set(missing.map(({ seed }) => seed))];
  for (const seed of seeds) {
    await writeAll(
      missing.filter((source) => source.seed === seed),
      onMade,
    );
  }
}
