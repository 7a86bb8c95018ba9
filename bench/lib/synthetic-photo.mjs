/** Makes pictures with the detail of photographs: smooth noise of several sizes, and film grain. */
import { randomIntegers } from '../../test/fixtures/files/random.mjs';

/** The width of a cell in pixels, and the weight of its noise. */
const octaves = [
  { cell: 1024, weight: 0.5 },
  { cell: 160, weight: 0.36 },
  { cell: 21, weight: 0.16 },
  { cell: 5, weight: 0.1 },
];
const grain = 10;

function octaveFor({ width, height }, { cell, weight }, random) {
  const columns = Math.ceil(width / cell) + 2;
  const values = Float32Array.from({ length: columns * (Math.ceil(height / cell) + 2) * 3 }, () => {
    return ((random() & 0xff) - 128) * weight;
  });
  const left = Uint32Array.from({ length: width }, (_, x) => Math.floor(x / cell) * 3);
  const part = Float32Array.from({ length: width }, (_, x) => (x % cell) / cell);
  return { cell, columns, values, left, part };
}

/** One row of an octave, before it is interpolated between columns of cells. */
function rowOfCells({ cell, columns, values }, y) {
  const first = Math.floor(y / cell) * columns * 3;
  const part = (y % cell) / cell;
  const row = new Float32Array(columns * 3);
  for (let i = 0; i < row.length; i++) {
    row[i] = values[first + i] * (1 - part) + values[first + columns * 3 + i] * part;
  }
  return row;
}

function addRow(sum, octave, y) {
  const cells = rowOfCells(octave, y);
  const { left, part } = octave;
  for (let x = 0, at = 0; x < left.length; x++, at += 3) {
    const [cell, right] = [left[x], part[x]];
    sum[at] += cells[cell] + (cells[cell + 3] - cells[cell]) * right;
    sum[at + 1] += cells[cell + 1] + (cells[cell + 4] - cells[cell + 1]) * right;
    sum[at + 2] += cells[cell + 2] + (cells[cell + 5] - cells[cell + 2]) * right;
  }
}

/** RGB bytes; equal for the same size and seed. The grain is equal in all channels, as in film. */
export function syntheticPhoto({ width, height }, seed) {
  const random = randomIntegers(seed);
  const layers = octaves.map((octave) => octaveFor({ width, height }, octave, random));
  const pixels = new Uint8ClampedArray(width * height * 3);
  const sum = new Float32Array(width * 3);
  for (let y = 0; y < height; y++) {
    for (let at = 0; at < sum.length; at += 3) {
      sum[at] = sum[at + 1] = sum[at + 2] = 128 + ((random() & 0xff) - 128) * (grain / 128);
    }
    for (const layer of layers) addRow(sum, layer, y);
    pixels.set(sum, y * width * 3);
  }
  return Buffer.from(pixels.buffer);
}
