// An old sea chart, large enough to get lost in, as a tiled pyramid TIFF.
import sharp from 'sharp';
import { clamp, hash, makeRandom, makeReader, noiseField } from '../drawing/random.mjs';
import { INK, polyline, render, smooth, text } from '../drawing/svg.mjs';
import { measure } from '../drawing/type.mjs';
import { compassRose } from './compass-rose.mjs';
import * as features from './features.mjs';
import { cartouche, cartoucheSheet, frame, inset, rhumbs, scaleBar } from './furniture.mjs';
import { contours, hemmed, makeHeights, STEP, shoreDistance } from './land.mjs';
import { REGIONS } from './names.mjs';
import { serpent, ship } from './vessels.mjs';

const WIDTH = 4000;
const HEIGHT = 3000;
const EDGE = 200;
const SEED = 1707;
const ROSE = [2250, 2120];

/** Takes the room of the large things, so that the small ones keep clear of them. */
function reserve(sheet) {
  for (const region of REGIONS) {
    const half = (measure(region.words, region.size) + region.words.length * region.spacing) / 2;
    const slope = Math.tan((region.turn * Math.PI) / 180);
    for (let x = -half; x < half; x += 20)
      sheet.take(region.x + x, region.y + x * slope - region.size * 0.85, 30, region.size * 1.1);
  }
  sheet.take(ROSE[0] - 330, ROSE[1] - 400, 660, 740);
  for (const [x, y, w, h] of BLOCKS) sheet.take(x, y, w, h);
}

const CARTOUCHE = [2850, 2390];
const INSET = [250, 2310, 640, 440];
const SCALE = [1180, 2705];
const SHIPS = [
  [1240, 1350, 96, '#b4452f'],
  [3330, 1720, 84, '#3f6480'],
  [1330, 2350, 62, '#3f6480'],
];
const BEAST = [3130, 1350, 96];
const BLOCKS = [
  [CARTOUCHE[0] - 40, CARTOUCHE[1] - 40, 980, 460],
  [INSET[0] - 30, INSET[1] - 30, INSET[2] + 60, INSET[3] + 60],
  [SCALE[0] - 40, SCALE[1] - 90, 760, 170],
  [BEAST[0] - 200, BEAST[1] - 100, 450, 130],
  ...SHIPS.map(([x, y, size]) => [x - size * 1.5, y - size * 1.8, size * 3, size * 2.3]),
];

function lettering() {
  return REGIONS.map(({ words, x, y, size, spacing, turn, italic }) =>
    text(x, y, words, { size, spacing, turn, italic, anchor: 'middle', opacity: 0.88 }),
  ).join('');
}

const halo = (svg) => `<g stroke="#fff" stroke-width="5" paint-order="stroke" stroke-linejoin="round">${svg}</g>`;

/** Everything the engraver cut, as one drawing. */
function engrave(distance, heights) {
  const random = makeRandom(SEED);
  const shore = makeReader(distance.values, distance.columns, distance.rows, STEP);
  const sheet = features.makeSheet(WIDTH, HEIGHT, EDGE + 14);
  reserve(sheet);
  const rings = contours(heights, 0).filter((ring) => ring.length > 14);
  const outline = rings.map((ring) => polyline(ring, true)).join('');
  const sea = hemmed(distance, -50);
  const water = [9, 19, 31, 45, 61]
    .map((level, i) => {
      const d = contours(sea, level)
        .map((ring) => polyline(ring, true))
        .join('');
      return `<path d="${d}" fill="none" stroke="${INK}" stroke-width="${1.5 - i * 0.2}" opacity="${0.75 - i * 0.12}"/>`;
    })
    .join('');
  const site = { random, shore, sheet, rings, width: WIDTH, height: HEIGHT };
  const towns = features.placeTowns(site);
  const lights = features.placeLights(site);
  const coast = features.placeCoastNames(site);
  const hills = features.placeHills(site);
  const shoals = features.placeShoals(site);
  const soundings = features.placeSoundings(site);
  const inner = [
    rhumbs(ROSE, WIDTH, HEIGHT),
    water,
    `<path d="${outline}" fill="#fff" stroke="${INK}" stroke-width="2.6" stroke-linejoin="round"/>`,
    features.placeRivers(site),
    hills,
    halo(coast + shoals + soundings),
    lights,
    towns,
    halo(lettering()),
    ...SHIPS.map((args) => ship(...args)),
    serpent(...BEAST),
    compassRose(ROSE[0], ROSE[1], 290),
    scaleBar(...SCALE),
    inset(makeRandom(SEED + 5), ...INSET),
    cartouche(makeRandom(SEED + 9), ...CARTOUCHE),
  ];
  const clip = `<clipPath id="sheet"><rect x="${EDGE}" y="${EDGE}" width="${WIDTH - 2 * EDGE}" height="${HEIGHT - 2 * EDGE}"/></clipPath>`;
  return `${clip}<g clip-path="url(#sheet)">${inner.join('')}</g>${frame(WIDTH, HEIGHT, EDGE)}`;
}

const PAPER = [240, 226, 194];
const TINTS = [
  [0.78, 0.86, 0.64],
  [0.95, 0.84, 0.6],
  [0.93, 0.76, 0.68],
];
const SEA = [0.66, 0.82, 0.84];

/** Where the paper was left plain: the frame, the title, the plan, the scale and the rose, black on white. */
function masked() {
  const [x, y, w, h] = INSET;
  return [
    `<path fill-rule="evenodd" d="M0 0H${WIDTH}V${HEIGHT}H0ZM${EDGE} ${EDGE}V${HEIGHT - EDGE}H${WIDTH - EDGE}V${EDGE}Z"/>`,
    `<path d="${smooth(cartoucheSheet(...CARTOUCHE), true)}"/>`,
    `<rect x="${x - 14}" y="${y - 14}" width="${w + 28}" height="${h + 28}"/>`,
    `<rect x="${SCALE[0] - 30}" y="${SCALE[1] - 76}" width="690" height="128"/>`,
    `<circle cx="${ROSE[0]}" cy="${ROSE[1]}" r="249"/>`,
  ].join('');
}

/** How strongly, and in what color, the brush went over a point. */
function makeBrush(shore, mask) {
  const realm = noiseField(WIDTH, HEIGHT, 16, 900, 4, SEED + 40);
  const uneven = noiseField(WIDTH, HEIGHT, 4, 120, 3, SEED + 41);
  return (x, y, out) => {
    const covered = mask[(y * WIDTH + x) * 3] < 128;
    const depth = shore(x, y);
    const load = 0.7 + 0.6 * uneven(x, y);
    if (covered) out[0] = out[1] = out[2] = 1;
    else if (depth > 0) {
      const strength = clamp((0.16 + 0.62 * Math.exp(-depth / 46)) * load);
      for (let k = 0; k < 3; k++) out[k] = 1 - (1 - SEA[k]) * strength;
    } else {
      const strength = clamp((0.34 + 0.66 * Math.exp(depth / 30)) * load);
      const tint = TINTS[Math.min(2, Math.floor(clamp((realm(x, y) - 0.25) * 2, 0, 0.999) * 3))];
      for (let k = 0; k < 3; k++) out[k] = 1 - (1 - tint[k]) * strength;
    }
  };
}

/** Folds of the sheet: a dark crease with a lighter shoulder. */
function crease(x, y, wobble) {
  let dark = 0;
  for (const fold of [1000, 2000, 3000])
    dark += 0.13 * Math.exp(-Math.abs(x - fold - wobble) / 2.2) + 0.05 * Math.exp(-Math.abs(x - fold) / 40);
  return dark + 0.13 * Math.exp(-Math.abs(y - 1500 - wobble) / 2.2) + 0.05 * Math.exp(-Math.abs(y - 1500) / 40);
}

function print(ink, mask, shore) {
  const brush = makeBrush(shore, mask);
  const cloud = noiseField(WIDTH, HEIGHT, 16, 800, 4, SEED + 50);
  const mottle = noiseField(WIDTH, HEIGHT, 4, 70, 4, SEED + 51);
  const pull = noiseField(WIDTH, HEIGHT, 4, 60, 3, SEED + 52);
  const stain = noiseField(WIDTH, HEIGHT, 8, 420, 4, SEED + 53);
  const out = Buffer.alloc(WIDTH * HEIGHT * 3);
  const wash = [1, 1, 1];
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const i = (y * WIDTH + x) * 3;
      brush(x, y, wash);
      const edge = Math.min(x, y, WIDTH - 1 - x, HEIGHT - 1 - y);
      const ring = stain(x, y);
      const tide = 0.07 * Math.exp(-(((ring - 0.735) / 0.005) ** 2)) + (ring > 0.735 ? 0.03 : 0);
      const age =
        0.16 * (0.55 - cloud(x, y)) +
        0.07 * (0.5 - mottle(x, y)) +
        0.22 * Math.exp(-edge / 90) +
        0.2 * Math.exp(-edge / 10) +
        tide +
        crease(x, y, 3 * (pull(x, y) - 0.5));
      const press = clamp(0.84 + 0.3 * (pull(x, y) - 0.4));
      const dust = (hash(x >> 1, y >> 1, SEED) - 0.5) * 0.007;
      for (let k = 0; k < 3; k++) {
        const printed = 1 - (1 - ink[i + k] / 255) * press;
        out[i + k] = clamp(PAPER[k] * clamp(1 - age * (0.8 + 0.4 * k) + dust, 0, 1.06) * printed * wash[k], 0, 255);
      }
    }
  }
  return out;
}

/** Yields the chart as TIFF bytes. */
export async function* makeChart() {
  const heights = makeHeights(WIDTH, HEIGHT, SEED);
  const distance = shoreDistance(heights);
  const ink = await render(WIDTH, HEIGHT, engrave(distance, heights));
  const mask = await render(WIDTH, HEIGHT, masked());
  const raw = print(ink, mask, makeReader(distance.values, distance.columns, distance.rows, STEP));
  const perMillimeter = 300 / 25.4;
  const bytes = await sharp(raw, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
    .tiff({
      compression: 'jpeg',
      quality: 80,
      tile: true,
      tileWidth: 256,
      tileHeight: 256,
      pyramid: true,
      xres: perMillimeter,
      yres: perMillimeter,
    })
    .toBuffer();
  yield { name: 'coast-pyramid.tif', bytes };
}
