/** Splits JPEGs as TIFF stores them: shared tables, and tiles without them (TIFF Technical Note 2). */
import sharp from 'sharp';
import { syntheticPhoto } from '../synthetic-photo.mjs';

const marker = { start: 0xd8, end: 0xd9, scan: 0xda, quantization: 0xdb, huffman: 0xc4, firstApp: 0xe0, lastApp: 0xef };
const start = Buffer.from([0xff, marker.start]);
const end = Buffer.from([0xff, marker.end]);

/** The segments before the first scan, and the rest from there. */
function segmentsOf(jpeg) {
  const segments = [];
  let at = 2;
  while (jpeg[at + 1] !== marker.scan) {
    const next = at + 2 + jpeg.readUInt16BE(at + 2);
    segments.push({ kind: jpeg[at + 1], bytes: jpeg.subarray(at, next) });
    at = next;
  }
  return { segments, rest: jpeg.subarray(at) };
}

const isTable = ({ kind }) => kind === marker.quantization || kind === marker.huffman;
const isApp = ({ kind }) => kind >= marker.firstApp && kind <= marker.lastApp;
const bytesOf = (segments) => segments.map(({ bytes }) => bytes);

function splitTables(jpeg) {
  const { segments, rest } = segmentsOf(jpeg);
  const others = segments.filter((segment) => !isTable(segment) && !isApp(segment));
  return {
    tables: Buffer.concat([start, ...bytesOf(segments.filter(isTable)), end]),
    tile: Buffer.concat([start, ...bytesOf(others), rest]),
  };
}

/** Makes `count` different tiles, a square number, and the tables that they share: YCbCr, 4:2:0, quality 85. */
export async function makeStoredTiles(side, count) {
  const columns = Math.sqrt(count);
  const size = { width: columns * side, height: columns * side };
  const pixels = syntheticPhoto(size, 7);
  const parts = [];
  for (let index = 0; index < count; index++) {
    const corner = { left: (index % columns) * side, top: Math.floor(index / columns) * side };
    const image = sharp(pixels, { raw: { ...size, channels: 3 } }).extract({ ...corner, width: side, height: side });
    parts.push(splitTables(await image.jpeg({ quality: 85, optimiseCoding: false }).toBuffer()));
  }
  return { side, tables: parts[0].tables, tiles: parts.map(({ tile }) => tile) };
}
