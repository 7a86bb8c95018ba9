/** Writes a pyramid of any size as a BigTIFF whose tiles are a few JPEG pictures, each stored once and named by many offsets. */
import { writeFile } from 'node:fs/promises';
import { directoryOf, headerBytes, headerOf, tags } from '@lectern/tiff';
import sharp from 'sharp';

const tile = 512;

/** Tiles that differ; a multiple of neither 2 nor the usual numbers of columns, so that no two levels look alike. */
const pictures = 61;

const [short, long, long8] = [3, 4, 16];

async function pictureOf(at) {
  const hue = (at * 47) % 360;
  const roads = Array.from({ length: 6 }, (_, road) => {
    const [from, to] = [(at * 83 + road * 97) % tile, (at * 59 + road * 131) % tile];
    return `<path d="M0 ${from} Q256 ${to} ${tile} ${from}" fill="none" stroke="#634" stroke-width="${2 + road}"/>`;
  });
  return sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${tile}" height="${tile}"><rect width="${tile}" height="${tile}" fill="hsl(${hue},30%,82%)"/>
${roads.join('')}<text x="256" y="276" font-size="60" text-anchor="middle">${at}</text></svg>`,
    ),
  )
    .jpeg({ quality: 80, chromaSubsampling: '4:2:0' })
    .toBuffer();
}

/** The side of each level in pixels, the largest first, down to one tile. */
function sidesOf(side) {
  const sides = [side];
  while (sides.at(-1) > tile) sides.push(Math.floor(sides.at(-1) / 2));
  return sides;
}

function entriesOf(side, level, stored) {
  const columns = Math.ceil(side / tile);
  const chosen = Array.from({ length: columns * columns }, (_, at) => {
    return stored[((at % columns) * 7 + Math.floor(at / columns) * 13 + level) % pictures];
  });
  return [
    [tags.newSubfileType, long, [level === 0 ? 0 : 1]],
    [tags.width, long, [side]],
    [tags.height, long, [side]],
    [tags.bits, short, [8, 8, 8]],
    [tags.compression, short, [7]],
    [tags.photometric, short, [6]],
    [tags.samples, short, [3]],
    [tags.planar, short, [1]],
    [tags.tileWidth, long, [tile]],
    [tags.tileHeight, long, [tile]],
    [tags.tileOffsets, long8, chosen.map(({ offset }) => offset)],
    [tags.tileLengths, long, chosen.map(({ length }) => length)],
  ];
}

/** A square of so many pixels a side. */
export async function writeMap(file, side) {
  let at = headerBytes.bigTiff;
  const data = [];
  const stored = [];
  const add = (bytes) => {
    const padded = bytes.length % 2 === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(1)]);
    data.push(padded);
    at += padded.length;
  };
  for (let picture = 0; picture < pictures; picture++) {
    const bytes = await pictureOf(picture);
    stored.push({ offset: at, length: bytes.length });
    add(bytes);
  }
  const first = at;
  const sides = sidesOf(side);
  for (const [level, one] of sides.entries()) {
    const directory = directoryOf(entriesOf(one, level, stored), at, 'bigTiff');
    // A directory ends with the offset of the next one, behind 8 bytes of count and 20 for each of 12 entries.
    if (level < sides.length - 1) directory.writeBigUInt64LE(BigInt(at + directory.length), 8 + 12 * 20);
    add(directory);
  }
  await writeFile(file, Buffer.concat([headerOf(first, 'bigTiff'), ...data]));
}
