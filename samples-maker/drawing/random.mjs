// Seeded random numbers and smooth noise: the same seed gives the same picture.
import { randomNumbers } from '../../test/fixtures/files/random.mjs';

/** Random numbers with the choices that drawings need. */
export function makeRandom(seed) {
  const next = randomNumbers(seed);
  const range = (low, high) => low + (high - low) * next();
  return {
    next,
    range,
    int: (low, high) => Math.floor(range(low, high + 1)),
    pick: (list) => list[Math.floor(next() * list.length)],
    around: (middle, spread) => middle + (next() + next() - 1) * spread,
    chance: (probability) => next() < probability,
  };
}

/** A repeatable number in 0..1 for a lattice point. */
export function hash(x, y, seed) {
  let h = Math.imul(x, 374761393) ^ Math.imul(y, 668265263) ^ Math.imul(seed, 2147483647 - 58);
  h = Math.imul(h ^ (h >>> 13), 1274126177);
  h = Math.imul(h ^ (h >>> 16), 2246822519);
  return ((h ^ (h >>> 15)) >>> 0) / 4294967296;
}

/** Smooth value noise in 0..1. */
export function noise(x, y, seed) {
  const ix = Math.floor(x);
  const iy = Math.floor(y);
  const fx = x - ix;
  const fy = y - iy;
  const u = fx * fx * (3 - 2 * fx);
  const v = fy * fy * (3 - 2 * fy);
  const top = hash(ix, iy, seed) * (1 - u) + hash(ix + 1, iy, seed) * u;
  const bottom = hash(ix, iy + 1, seed) * (1 - u) + hash(ix + 1, iy + 1, seed) * u;
  return top * (1 - v) + bottom * v;
}

/** Several octaves of noise, still in 0..1. */
export function fbm(x, y, octaves, seed) {
  let sum = 0;
  let weight = 0.5;
  let total = 0;
  let scale = 1;
  for (let i = 0; i < octaves; i++) {
    sum += weight * noise(x * scale, y * scale, seed + i * 101);
    total += weight;
    weight /= 2;
    scale *= 2.03;
  }
  return sum / total;
}

/** A noise field computed on a coarse grid and read with bilinear interpolation. */
export function noiseField(width, height, step, cell, octaves, seed) {
  const columns = Math.ceil(width / step) + 2;
  const rows = Math.ceil(height / step) + 2;
  const values = new Float32Array(columns * rows);
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++)
      values[y * columns + x] = fbm((x * step) / cell, (y * step) / cell, octaves, seed);
  }
  return makeReader(values, columns, rows, step);
}

/** Reads a coarse grid at any pixel, bilinearly. */
export function makeReader(values, columns, rows, step) {
  return (px, py) => {
    const x = Math.min(Math.max(px / step, 0), columns - 1.001);
    const y = Math.min(Math.max(py / step, 0), rows - 1.001);
    const ix = Math.floor(x);
    const iy = Math.floor(y);
    const fx = x - ix;
    const fy = y - iy;
    const i = iy * columns + ix;
    const top = values[i] * (1 - fx) + values[i + 1] * fx;
    const bottom = values[i + columns] * (1 - fx) + values[i + columns + 1] * fx;
    return top * (1 - fy) + bottom * fy;
  };
}

export const clamp = (value, low = 0, high = 1) => Math.min(high, Math.max(low, value));

export function smoothstep(low, high, value) {
  const t = clamp((value - low) / (high - low));
  return t * t * (3 - 2 * t);
}
