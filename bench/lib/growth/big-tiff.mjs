/** Writes BigTIFF pyramids of any size that take little room: many places of their tile tables name the same few tiles. */
import { writeFile } from 'node:fs/promises';

const types = { short: { code: 3, bytes: 2 }, long: { code: 4, bytes: 4 }, long8: { code: 16, bytes: 8 } };
const undefinedBytes = 7;
const headBytes = 16;
const entryBytes = 20;
const inlineBytes = 8;

/** A field’s values as bytes (TIFF 6.0, section 2; BigTIFF has 64-bit counts and offsets). */
function field(tag, type, values) {
  const { code, bytes } = types[type];
  const body = Buffer.alloc(values.length * bytes);
  for (const [index, value] of values.entries()) {
    if (type === 'long8') body.writeBigUInt64LE(BigInt(value), index * bytes);
    else body.writeUIntLE(value, index * bytes, bytes);
  }
  return { tag, code, count: values.length, body };
}

/** The sizes of a pyramid’s levels, each half of the one before, rounded down. */
function levelsOf({ width, height }, side) {
  const levels = [{ width, height }];
  for (let last = levels[0]; last.width > side || last.height > side; last = levels.at(-1)) {
    levels.push({ width: Math.floor(last.width / 2), height: Math.floor(last.height / 2) });
  }
  return levels;
}

/** Neighbors differ, and no row is like the next. */
const tileAt = (x, y, level, count) => (x * 5 + y * 3 + level * 7) % count;

/** The tiles’ places in a level, row by row. */
function placesOf({ width, height }, level, { side, tiles }) {
  const [columns, rows] = [Math.ceil(width / side), Math.ceil(height / side)];
  return Array.from({ length: columns * rows }, (_, index) =>
    tileAt(index % columns, Math.floor(index / columns), level, tiles.length),
  );
}

function fieldsOf(size, level, stored, offsets) {
  const places = placesOf(size, level, stored);
  return [
    field(254, 'long', [level === 0 ? 0 : 1]),
    field(256, 'long', [size.width]),
    field(257, 'long', [size.height]),
    field(258, 'short', [8, 8, 8]),
    field(259, 'short', [7]),
    field(262, 'short', [6]),
    field(277, 'short', [3]),
    field(284, 'short', [1]),
    field(322, 'long', [stored.side]),
    field(323, 'long', [stored.side]),
    field(
      324,
      'long8',
      places.map((place) => offsets[place]),
    ),
    field(
      325,
      'long',
      places.map((place) => stored.tiles[place].length),
    ),
    { tag: 347, code: undefinedBytes, count: stored.tables.length, body: stored.tables },
    field(530, 'short', [2, 2]),
  ];
}

/** A directory at an offset, with the values that don’t fit into it behind it. */
function directory(fields, offset, isLast) {
  const head = Buffer.alloc(8 + fields.length * entryBytes + 8);
  const behind = [];
  let position = offset + head.length;
  head.writeBigUInt64LE(BigInt(fields.length));
  for (const [index, { tag, code, count, body }] of fields.entries()) {
    const at = 8 + index * entryBytes;
    head.writeUInt16LE(tag, at);
    head.writeUInt16LE(code, at + 2);
    head.writeBigUInt64LE(BigInt(count), at + 4);
    if (body.length <= inlineBytes) {
      body.copy(head, at + 12);
      continue;
    }
    head.writeBigUInt64LE(BigInt(position), at + 12);
    behind.push(body);
    position += body.length;
  }
  if (!isLast) head.writeBigUInt64LE(BigInt(position), head.length - 8);
  return Buffer.concat([head, ...behind]);
}

/** Writes a pyramid of the size as a chain of directories; `stored` are its tiles. Gives the file’s length in bytes. */
export async function writePyramid(file, size, stored) {
  const offsets = [];
  let position = headBytes;
  for (const tile of stored.tiles) {
    offsets.push(position);
    position += tile.length;
  }
  const head = Buffer.alloc(headBytes);
  head.write('II');
  head.writeUInt16LE(43, 2);
  head.writeUInt16LE(8, 4);
  head.writeBigUInt64LE(BigInt(position), 8);
  const parts = [head, ...stored.tiles];
  const levels = levelsOf(size, stored.side);
  for (const [level, levelSize] of levels.entries()) {
    const bytes = directory(fieldsOf(levelSize, level, stored, offsets), position, level === levels.length - 1);
    parts.push(bytes);
    position += bytes.length;
  }
  await writeFile(file, Buffer.concat(parts));
  return position;
}
