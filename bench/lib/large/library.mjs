/** Makes what is larger than most readers open: a book of 1,000 pages, a map of 10 gigapixels, 16 layers, a sound of two hours. */
import { link, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { writeMap } from './map.mjs';
import { captionsOf, wavOf } from './sound.mjs';

export const sizes = { pages: 1000, mapSide: 100_000, bands: 16, soundHours: 2 };

/** So many pages differ; the others are hard links of them, which are other images for the server. */
const differentPages = 50;

const numbered = (number, digits) => String(number).padStart(digits, '0');

const lines = (page) =>
  Array.from({ length: 34 }, (_, line) => {
    const width = 700 + ((page * 37 + line * 91) % 300);
    return `<rect x="120" y="${260 + line * 36}" width="${width}" height="14" fill="#333"/>`;
  }).join('');

const pageOf = (page) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="1600"><rect width="1200" height="1600" fill="#efe6d0"/>
<text x="600" y="180" font-size="120" text-anchor="middle" fill="#702010">${page}</text>${lines(page)}</svg>`,
  );

async function writeBook(folder, count) {
  await mkdir(folder);
  const fileOf = (page) => path.join(folder, `page-${numbered(page, 4)}.jpg`);
  for (let page = 1; page <= count; page++) {
    if (page <= differentPages) await sharp(pageOf(page)).jpeg({ quality: 85 }).toFile(fileOf(page));
    else await link(fileOf(((page - 1) % differentPages) + 1), fileOf(page));
  }
  const chapter = Math.ceil(count / 40);
  const contents = Array.from({ length: Math.ceil(count / chapter) }, (_, at) => {
    return `  - { label: Chapter ${at + 1}, pages: ${at * chapter + 1}-${Math.min(count, (at + 1) * chapter)} }`;
  });
  await writeFile(
    path.join(folder, 'metadata.yaml'),
    `label: A book of ${count} pages\nbehavior: paged\ncontents:\n${contents.join('\n')}\n`,
  );
}

const bandOf = (band) => {
  const shade = 60 + band * 11;
  const rings = Array.from({ length: 12 }, (_, at) => {
    const radius = 80 + at * 70 + band * 6;
    return `<circle cx="1200" cy="1600" r="${radius}" fill="none" stroke="rgb(${255 - shade},${shade},${at * 20})" stroke-width="24"/>`;
  });
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="2400" height="3200"><rect width="2400" height="3200" fill="rgb(${shade},${shade},${shade})"/>
${rings.join('')}<text x="1200" y="1640" font-size="160" text-anchor="middle">${350 + band * 40} nm</text></svg>`,
  );
};

async function writeBands(folder, count) {
  await mkdir(folder);
  const names = Array.from({ length: count }, (_, band) => `band-${numbered(band + 1, 2)}`);
  for (const [band, name] of names.entries())
    await sharp(bandOf(band))
      .jpeg({ quality: 85 })
      .toFile(path.join(folder, `${name}.jpg`));
  const layers = names.map((name, band) => `    - ${name}: ${350 + band * 40} nm`);
  await writeFile(
    path.join(folder, 'metadata.yaml'),
    `label: ${count} bands of one page\nlayers:\n  ${names[0]}:\n${layers.join('\n')}\n`,
  );
}

async function writeSound(folder, hours) {
  await mkdir(folder);
  const seconds = hours * 3600;
  await writeFile(path.join(folder, 'talk.wav'), wavOf(seconds));
  await writeFile(path.join(folder, 'talk.en.vtt'), captionsOf(seconds));
  await writeFile(path.join(folder, 'metadata.yaml'), `label: A talk of ${hours} hours\n`);
}

/** Makes all of them in a folder, which takes about 70 MB, in `book`, `map`, `bands` and `talk`; counts can be smaller than `sizes`. */
export async function makeLargeLibrary(folder, { pages, mapSide, bands, soundHours } = sizes) {
  await mkdir(folder, { recursive: true });
  await writeBook(path.join(folder, 'book'), pages);
  await mkdir(path.join(folder, 'map'));
  await writeMap(path.join(folder, 'map', 'map.tif'), mapSide);
  await writeBands(path.join(folder, 'bands'), bands);
  await writeSound(path.join(folder, 'talk'), soundHours);
}
