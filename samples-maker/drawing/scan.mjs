// Turns printed ink and washes into what a scanner sees: a leaf of an old book.
import sharp from 'sharp';
import { clamp, fbm, hash, makeRandom, noise, noiseField, smoothstep } from './random.mjs';

/** Fibers of the paper: short curved strokes, lighter and darker, as a gray layer. */
async function fibers(width, height, random) {
  let body = '';
  for (let i = 0; i < 900; i++) {
    const x = random.range(0, width);
    const y = random.range(0, height);
    const angle = random.range(0, Math.PI);
    const length = random.range(8, 34);
    const bend = random.range(-9, 9);
    const dx = Math.cos(angle) * length;
    const dy = Math.sin(angle) * length;
    const shade = random.chance(0.6) ? '#5a3d1c' : '#fff';
    body += `<path d="M${x.toFixed(1)} ${y.toFixed(1)}q${(dx / 2 + bend).toFixed(1)} ${(dy / 2 - bend).toFixed(1)} ${dx.toFixed(1)} ${dy.toFixed(1)}" stroke="${shade}" stroke-width="${random.range(0.5, 1.1).toFixed(2)}" opacity="${random.range(0.15, 0.6).toFixed(2)}" fill="none"/>`;
  }
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#b8b8b8"/>${body}</svg>`;
  return sharp(Buffer.from(svg)).greyscale().raw().toBuffer();
}

/** Foxing and tide marks for a leaf: lists of spots with a soft edge. */
function makeStains(width, height, random) {
  const spots = [];
  const count = random.int(14, 40);
  for (let i = 0; i < count; i++) {
    const radius = random.chance(0.15) ? random.range(10, 22) : random.range(2, 7);
    spots.push({
      x: random.range(0, width),
      y: random.range(0, height),
      radius,
      strength: random.range(0.05, 0.2) * (radius > 9 ? 0.5 : 1),
    });
  }
  const tides = [];
  const marks = random.int(0, 2);
  for (let i = 0; i < marks; i++) {
    const edge = random.pick([0, 1]);
    tides.push({
      x: random.range(0.1, 0.9) * width,
      y: edge ? height + random.range(0, 60) : -random.range(0, 60),
      radius: random.range(140, 330),
      strength: random.range(0.5, 1),
      seed: random.int(1, 9999),
    });
  }
  return { spots, tides };
}

/** Draws the stains into a darkness layer. */
function paintStains(width, height, stains) {
  const layer = new Float32Array(width * height);
  const each = (cx, cy, reach, apply) => {
    const [x0, x1] = [Math.max(0, Math.floor(cx - reach)), Math.min(width - 1, Math.ceil(cx + reach))];
    const [y0, y1] = [Math.max(0, Math.floor(cy - reach)), Math.min(height - 1, Math.ceil(cy + reach))];
    for (let y = y0; y <= y1; y++)
      for (let x = x0; x <= x1; x++) layer[y * width + x] += apply(x, y, Math.hypot(x - cx, y - cy));
  };
  for (const spot of stains.spots) {
    each(spot.x, spot.y, spot.radius * 2, (x, y, distance) => {
      const wobble = distance * (0.7 + 0.6 * noise(x / 5, y / 5, 77));
      return spot.strength * (1 - smoothstep(spot.radius * 0.2, spot.radius * 1.3, wobble));
    });
  }
  for (const tide of stains.tides) {
    each(tide.x, tide.y, tide.radius * 1.4, (x, y, distance) => {
      const wobble = distance * (0.75 + 0.5 * fbm(x / 110, y / 110, 4, tide.seed));
      const inside = 1 - smoothstep(tide.radius - 6, tide.radius, wobble);
      const rim = inside * smoothstep(tide.radius - 34, tide.radius - 3, wobble);
      return tide.strength * (0.035 * inside + 0.075 * rim * rim);
    });
  }
  return layer;
}

/** A bilinear reader of one RGB buffer into `out`. */
function readRgb(data, width, height, x, y, out) {
  const cx = clamp(x, 0, width - 1.001);
  const cy = clamp(y, 0, height - 1.001);
  const ix = Math.floor(cx);
  const iy = Math.floor(cy);
  const fx = cx - ix;
  const fy = cy - iy;
  const i = (iy * width + ix) * 3;
  const below = i + width * 3;
  for (let c = 0; c < 3; c++) {
    const top = data[i + c] * (1 - fx) + data[i + 3 + c] * fx;
    const bottom = data[below + c] * (1 - fx) + data[below + 3 + c] * fx;
    out[c] = (top * (1 - fy) + bottom * fy) / 255;
  }
}

const PAPER = [238, 222, 186];

/** Where the leaf ends inside the picture: how far (in px) a point lies inside its outer, top and bottom edges. */
function makeLeafShape(width, height, gutterLeft, random, seed) {
  const outer = random.range(16, 26);
  const top = random.range(12, 18);
  const bottom = random.range(12, 20);
  return (x, y) => {
    const across = gutterLeft ? width - 1 - x : x;
    const rough = 3.2 * fbm(y / 34, 1, 4, seed) + 2 * noise(y / 260, 3, seed);
    const flat = 2.4 * fbm(x / 50, 5, 4, seed + 3);
    return {
      outer: across - outer - rough,
      ends: Math.min(y - top - flat + (across / width) * 4, height - 1 - y - bottom - flat),
    };
  };
}

/** Tone outside the leaf: the edges of the leaves beneath, then the dark bed of the scanner. */
function beyond(inside, ends, x, y) {
  const under = -inside;
  if (ends > -5 && under < 11) {
    const stripe = 0.62 + 0.16 * Math.sin(under * 2.4 + noise(y / 60, 0, 5) * 3) - under * 0.022;
    return stripe * smoothstep(0, 2.2, under + 1.2) * (0.9 + 0.1 * noise(x / 3, y / 30, 8));
  }
  return 0.1 + 0.03 * noise(x / 9, y / 9, 4);
}

/** Everything about one leaf that is settled before its pixels are. */
async function prepareLeaf({ width, height, wash, ghost, recto, seed }) {
  const random = makeRandom(seed);
  const size = { raw: { width, height, channels: 3 } };
  return {
    fiber: await fibers(width, height, random),
    stains: paintStains(width, height, makeStains(width, height, random)),
    edgesAt: makeLeafShape(width, height, recto, random, seed),
    soft: await sharp(wash, size).blur(5).raw().toBuffer(),
    back: await sharp(ghost, size).flop().blur(2.2).raw().toBuffer(),
    cloud: noiseField(width, height, 4, 420, 4, seed + 11),
    mottle: noiseField(width, height, 2, 46, 4, seed + 12),
    pull: noiseField(width, height, 3, 90, 3, seed + 13),
    grain: noiseField(width, height, 1, 5, 2, seed + 14),
    tilt: (random.range(0.12, 0.5) * (random.chance(0.5) ? 1 : -1) * Math.PI) / 180,
    drift: [random.range(-4, 4), random.range(-3, 3)],
  };
}

/** How dark the gutter and how brown the paper is at a point. */
function shade(page, leaf, x, y, fromGutter, edges) {
  const gutter = 0.5 * Math.exp(-fromGutter / 26) + 0.2 * Math.exp(-fromGutter / 110);
  const near = Math.min(edges.outer, edges.ends);
  const browned = 0.17 * Math.exp(-near / 60) + 0.1 * Math.exp(-near / 9);
  const thumb = 0.09 * Math.exp(-Math.hypot((edges.outer - 40) / 90, (page.height - y - 120) / 130));
  const body = 0.11 * (leaf.cloud(x, y) - 0.5) + 0.05 * (leaf.mottle(x, y) - 0.5) + 0.075 * (leaf.grain(x, y) - 0.5);
  return { gutter, age: browned + thumb + leaf.stains[y * page.width + x] - body };
}

/** The point of the print that a point of the scan shows. */
function printedPoint({ width, height, recto }, tilt, x, y) {
  const fromGutter = recto ? x : width - 1 - x;
  // The leaf bends into the gutter: print crowds together there and sinks a little.
  const crowd = 16 * Math.exp(-fromGutter / 70) * (recto ? -1 : 1);
  const sink = 9 * Math.exp(-fromGutter / 120) * ((y - height / 2) / height);
  return [x + crowd - (y - height / 2) * tilt, y + sink + (x - width / 2) * tilt];
}

/** The point of the scan at which a point of the print is seen. */
function scannedPoint(page, tilt, [printedX, printedY]) {
  let [x, y] = [printedX, printedY];
  for (let round = 0; round < 20; round++) {
    const [foundX, foundY] = printedPoint(page, tilt, x, y);
    [x, y] = [x + printedX - foundX, y + printedY - foundY];
  }
  return [x, y];
}

/** The rectangle of the scan around a rectangle of the print. */
function scannedBox(page, tilt, { x, y, width, height }) {
  const corners = [
    [x, y],
    [x + width, y],
    [x, y + height],
    [x + width, y + height],
  ].map((corner) => scannedPoint(page, tilt, corner));
  const [xs, ys] = [corners.map(([one]) => one), corners.map(([, one]) => one)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return { x: left, y: top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
}

const [inked, washed, softened, behind] = [[], [], [], []];

/** One pixel of the leaf: paper, age, print, color and what shows through, into `out` at `at`. */
function printPixel(page, leaf, x, y, edges, out, at) {
  const { width, height, recto } = page;
  const fromGutter = recto ? x : width - 1 - x;
  const [sx, sy] = printedPoint(page, leaf.tilt, x, y);
  const wet = (leaf.mottle(width - x, y) - 0.5) * 9;
  const [wx, wy] = [sx + leaf.drift[0] + wet, sy + leaf.drift[1] - wet];
  readRgb(page.ink, width, height, sx, sy, inked);
  readRgb(page.wash, width, height, wx, wy, washed);
  readRgb(leaf.soft, width, height, wx, wy, softened);
  readRgb(leaf.back, width, height, sx + 6, sy - 4, behind);
  const { gutter, age } = shade(page, leaf, x, y, fromGutter, edges);
  const press = clamp(0.8 + 0.32 * (leaf.pull(x, y) - 0.3) + 0.22 * (leaf.grain(x, y) - 0.6));
  const load = 0.72 + 0.62 * (leaf.mottle(x + 300, y) - 0.35) + 0.3 * (leaf.grain(width - x, y) - 0.5);
  const specks = ((leaf.fiber[y * width + x] - 184) / 184) * 0.11 + (hash(x, y, page.seed) - 0.5) * 0.02;
  for (let k = 0; k < 3; k++) {
    const printed = 1 - (1 - inked[k]) * press;
    const pooled = clamp(washed[k] + (washed[k] - softened[k]) * 0.55);
    const painted = 1 - (1 - pooled) * clamp(load, 0.2, 1.1);
    const through = 1 - (1 - behind[k]) * 0.055;
    const paper = PAPER[k] * clamp(1 - age * (0.85 + k * 0.42) + specks, 0, 1.06) * (1 - gutter * (0.92 + k * 0.08));
    out[at + k] = clamp(paper * printed * painted * through, 0, 255);
  }
}

/**
 * Prints `ink` and `wash` (raw RGB on white) on old paper and photographs the leaf.
 * `ghost` is the ink of the other side, seen faintly through; `recto` leaves have their gutter on the left.
 * Returns the raw RGB of the scan, and `placeOf`: where a rectangle of the print is seen on it.
 */
export async function scanLeaf(page) {
  const { width, height } = page;
  const leaf = await prepareLeaf(page);
  const result = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 3;
      const edges = leaf.edgesAt(x, y);
      if (edges.outer >= 0 && edges.ends >= 0) {
        printPixel(page, leaf, x, y, edges, result, at);
        continue;
      }
      const tone = beyond(edges.outer, edges.ends, x, y);
      for (let k = 0; k < 3; k++) result[at + k] = PAPER[k] * tone * (k === 2 ? 0.9 : 1);
    }
  }
  return { raw: result, placeOf: (box) => scannedBox(page, leaf.tilt, box) };
}
