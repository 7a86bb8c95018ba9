// The shape of an invented coast: heights from noise, coastlines by marching squares, distances from the shore.
import { clamp, fbm, smoothstep } from '../drawing/random.mjs';

export const STEP = 4;

/** Heights on a grid of STEP px; above zero is land. */
export function makeHeights(width, height, seed) {
  const columns = width / STEP + 1;
  const rows = height / STEP + 1;
  const values = new Float32Array(columns * rows);
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const border = x === 0 || y === 0 || x === columns - 1 || y === rows - 1;
      values[y * columns + x] = border ? -1 : heightAt(x / (columns - 1), y / (rows - 1), seed);
    }
  }
  return { values, columns, rows };
}

/** A bulge of land (or, with a negative weight, of sea). */
const lump = (u, v, cx, cy, rx, ry, weight) => weight * Math.exp(-(((u - cx) / rx) ** 2) - ((v - cy) / ry) ** 2);

function heightAt(u, v, seed) {
  const warp = 0.1 * (fbm(u * 5, v * 4, 3, seed + 500) - 0.5);
  const [a, b] = [u + warp, v + 0.08 * (fbm(u * 5 + 9, v * 4, 3, seed + 600) - 0.5)];
  const north = smoothstep(0.34, 0.0, b + 0.1 * a) * 0.75;
  const west = smoothstep(0.4, 0.02, a - 0.12 * b) * 0.8;
  const isles =
    lump(a, b, 0.56, 0.5, 0.1, 0.1, 0.5) +
    lump(a, b, 0.8, 0.74, 0.1, 0.07, 0.42) +
    lump(a, b, 0.73, 0.37, 0.05, 0.04, 0.34) +
    lump(a, b, 0.47, 0.82, 0.05, 0.05, 0.36) +
    lump(a, b, 0.94, 0.18, 0.1, 0.2, 0.4);
  const bays = lump(a, b, 0.17, 0.5, 0.16, 0.045, -0.5) + lump(a, b, 0.42, 0.16, 0.045, 0.16, -0.45);
  const rough = 1.05 * (fbm(u * 9, v * 6.75, 6, seed) - 0.5);
  return north + west + isles + bays + rough - 0.34;
}

/** The edges a marching square is crossed by, from and to, by its four corners' bits; land stays to the right. */
const CASES = ['', '32', '21', '31', '10', '32 10', '20', '30', '03', '02', '03 21', '01', '13', '12', '23', ''].map(
  (code) =>
    code
      .split(' ')
      .filter(Boolean)
      .map((pair) => [Number(pair[0]), Number(pair[1])]),
);

function crossing(edge, x, y, corner, level) {
  const [a, b, c, d] = corner;
  const mix = (p, q) => clamp((level - p) / (q - p || 1e-6));
  if (edge === 0) return [x + mix(a, b), y];
  if (edge === 1) return [x + 1, y + mix(b, c)];
  if (edge === 2) return [x + mix(d, c), y + 1];
  return [x, y + mix(a, d)];
}

/** Closed outlines of everything above `level`, in pixels, longest first. */
export function contours({ values, columns, rows }, level) {
  const links = new Map();
  const keyOf = (edge, x, y) => {
    if (edge === 0) return `h${x},${y}`;
    if (edge === 2) return `h${x},${y + 1}`;
    return edge === 3 ? `v${x},${y}` : `v${x + 1},${y}`;
  };
  for (let y = 0; y < rows - 1; y++) {
    for (let x = 0; x < columns - 1; x++) {
      const i = y * columns + x;
      const corner = [values[i], values[i + 1], values[i + columns + 1], values[i + columns]];
      const bits = corner.reduce((sum, value, k) => sum + (value > level ? 8 >> k : 0), 0);
      for (const [from, to] of CASES[bits])
        links.set(keyOf(from, x, y), { next: keyOf(to, x, y), point: crossing(from, x, y, corner, level) });
    }
  }
  return chain(links).sort((p, q) => q.length - p.length);
}

/** Follows the links from edge to edge into rings. */
function chain(links) {
  const rings = [];
  for (const start of links.keys()) {
    const ring = [];
    let key = start;
    while (links.has(key)) {
      const link = links.get(key);
      links.delete(key);
      ring.push([link.point[0] * STEP, link.point[1] * STEP]);
      key = link.next;
    }
    if (ring.length > 5) rings.push(ring);
  }
  return rings;
}

/** One-dimensional squared distances (the lower envelope of parabolas). */
function envelope(source, n, out) {
  const v = new Int32Array(n);
  const z = new Float64Array(n + 1);
  let k = 0;
  z[0] = -1e20;
  z[1] = 1e20;
  for (let q = 1; q < n; q++) {
    let s = (source[q] + q * q - source[v[k]] - v[k] * v[k]) / (2 * q - 2 * v[k]);
    while (s <= z[k]) {
      k--;
      s = (source[q] + q * q - source[v[k]] - v[k] * v[k]) / (2 * q - 2 * v[k]);
    }
    k++;
    v[k] = q;
    z[k] = s;
    z[k + 1] = 1e20;
  }
  k = 0;
  for (let q = 0; q < n; q++) {
    while (z[k + 1] < q) k++;
    out[q] = (q - v[k]) ** 2 + source[v[k]];
  }
}

/** Pixels from every grid point to the nearest point for which `inside` holds. */
function distanceTo({ values, columns, rows }, inside) {
  const squares = Float64Array.from(values, (value) => (inside(value) ? 0 : 1e9));
  const line = new Float64Array(Math.max(columns, rows));
  const out = new Float64Array(line.length);
  for (let x = 0; x < columns; x++) {
    for (let y = 0; y < rows; y++) line[y] = squares[y * columns + x];
    envelope(line, rows, out);
    for (let y = 0; y < rows; y++) squares[y * columns + x] = out[y];
  }
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) line[x] = squares[y * columns + x];
    envelope(line, columns, out);
    for (let x = 0; x < columns; x++) squares[y * columns + x] = out[x];
  }
  return squares;
}

/** Signed distance from the shore in px: positive at sea, negative on land; smoothed a little. */
export function shoreDistance(heights) {
  const { columns, rows } = heights;
  const sea = distanceTo(heights, (value) => value > 0);
  const land = distanceTo(heights, (value) => value <= 0);
  let field = Float32Array.from(sea, (value, i) => (Math.sqrt(value) - Math.sqrt(land[i])) * STEP);
  for (let pass = 0; pass < 3; pass++) {
    const next = field.slice();
    for (let y = 1; y < rows - 1; y++) {
      for (let x = 1; x < columns - 1; x++) {
        const i = y * columns + x;
        next[i] = (field[i] * 2 + field[i - 1] + field[i + 1] + field[i - columns] + field[i + columns]) / 6;
      }
    }
    field = next;
  }
  return { values: field, columns, rows };
}

/** The same field with its outermost points sunk to `value`, so that every outline closes. */
export function hemmed({ values, columns, rows }, value) {
  const copy = values.map((inner, i) => {
    const [x, y] = [i % columns, Math.floor(i / columns)];
    return x === 0 || y === 0 || x === columns - 1 || y === rows - 1 ? value : inner;
  });
  return { values: copy, columns, rows };
}
