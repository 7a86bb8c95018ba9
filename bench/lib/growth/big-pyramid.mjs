/** Writes BigTIFF pyramids of any size that need little disk space: the entries of their tile tables share a few tiles. */
import { writeFile } from 'node:fs/promises';
import { buildTiff, dataOffset, long, long8, short, undefinedBytes } from '../../../test/fixtures/files/tiff.mjs';

const layout = { big: true };

/** The sizes of a pyramid’s levels, each half of the one before, rounded down. */
function levelsOf({ width, height }, side) {
  const levels = [{ width, height }];
  for (let last = levels[0]; last.width > side || last.height > side; last = levels.at(-1)) {
    levels.push({ width: Math.floor(last.width / 2), height: Math.floor(last.height / 2) });
  }
  return levels;
}

/** Which of the stored tiles is used at a position: neighbors differ, and so do consecutive rows. */
const tileAt = (x, y, level, count) => (x * 5 + y * 3 + level * 7) % count;

/** Which of the stored tiles a level consists of, row by row. */
function tileIndexes({ width, height }, level, { side, tiles }) {
  const [columns, rows] = [Math.ceil(width / side), Math.ceil(height / side)];
  return Array.from({ length: columns * rows }, (_, index) =>
    tileAt(index % columns, Math.floor(index / columns), level, tiles.length),
  );
}

function tagsOf(size, level, stored, offsets) {
  const indexes = tileIndexes(size, level, stored);
  return [
    [254, long, [level === 0 ? 0 : 1]],
    [256, long, [size.width]],
    [257, long, [size.height]],
    [258, short, [8, 8, 8]],
    [259, short, [7]],
    [262, short, [6]],
    [277, short, [3]],
    [284, short, [1]],
    [322, long, [stored.side]],
    [323, long, [stored.side]],
    [324, long8, indexes.map((index) => offsets[index])],
    [325, long, indexes.map((index) => stored.tiles[index].length)],
    [347, undefinedBytes, stored.tables],
    [530, short, [2, 2]],
  ];
}

/** Writes a pyramid of the size as a chain of directories after the stored tiles; resolves to the file’s length in bytes. */
export async function writePyramid(file, size, stored) {
  let position = dataOffset(layout);
  const offsets = stored.tiles.map((tile) => {
    const offset = position;
    position += tile.length;
    return offset;
  });
  const directories = levelsOf(size, stored.side).map((levelSize, level) => ({
    tags: tagsOf(levelSize, level, stored, offsets),
  }));
  const bytes = buildTiff(directories, { ...layout, data: stored.tiles });
  await writeFile(file, bytes);
  return bytes.length;
}
