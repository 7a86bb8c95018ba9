// Single things with something particular about them: real transparency, a turned camera, sixteen bits.
import sharp from 'sharp';
import { clamp, fbm, makeReader, noise, noiseField, smoothstep } from '../drawing/random.mjs';
import { renderAlpha } from '../drawing/svg.mjs';
import { coinHeights } from './coin.mjs';
import { landscape } from './landscape.mjs';

const COIN = 900;

/** Lights the coin's relief and colors it like old silver; returns RGBA with a soft shadow below. */
async function paintCoin() {
  const heights = await coinHeights(COIN);
  const read = makeReader(heights.relief, COIN, COIN, 1);
  const wear = noiseField(COIN, COIN, 2, 80, 5, 21);
  const pits = noiseField(COIN, COIN, 1, 9, 3, 22);
  const out = Buffer.alloc(COIN * COIN * 4);
  const light = normal(-0.55, -0.62, 0.62);
  for (let y = 0; y < COIN; y++) {
    for (let x = 0; x < COIN; x++) {
      const i = (y * COIN + x) * 4;
      const inside = heights.inside[y * COIN + x];
      const shadow = shadowAt(x, y) * 0.62;
      const dx = read(x + 1.2, y) - read(x - 1.2, y) + (pits(x + 1, y) - pits(x - 1, y)) * 0.9;
      const dy = read(x, y + 1.2) - read(x, y - 1.2) + (pits(x, y + 1) - pits(x, y - 1)) * 0.9;
      const n = normal(-dx * 1.25, -dy * 1.25, 1);
      const facing = Math.max(0, n[0] * light[0] + n[1] * light[1] + n[2] * light[2]);
      const shine = Math.max(0, 2 * facing * n[2] - light[2]) ** 14;
      const cavity = clamp(0.62 + read(x, y) * 0.055);
      const dark = smoothstep(0.46, 0.7, wear(x, y)) * 0.3 + smoothstep(0.6, 0.75, pits(x, y)) * 0.22;
      const tone = (0.2 + 0.92 * facing) * cavity * (1 - dark);
      const green = smoothstep(0.56, 0.72, wear(y, x)) * (1 - clamp(read(x, y) / 9)) * 0.5;
      const metal = [196 - 86 * green, 180 - 22 * green, 148 - 20 * green];
      const alpha = inside + (1 - inside) * shadow;
      for (let k = 0; k < 3; k++) {
        const lit = clamp(metal[k] * tone + 150 * shine * (1 - green), 0, 255);
        out[i + k] = alpha > 0 ? clamp((lit * inside + 24 * (1 - inside) * shadow) / alpha, 0, 255) : 0;
      }
      out[i + 3] = Math.round(clamp(alpha) * 255);
    }
  }
  return out;
}

const normal = (x, y, z) => {
  const length = Math.hypot(x, y, z);
  return [x / length, y / length, z / length];
};

/** A shadow falling down and to the right, soft and gone before the edge of the picture. */
function shadowAt(x, y) {
  const distance = Math.hypot(x - 466, y - 474);
  return (1 - smoothstep(330, 424, distance)) ** 1.3;
}

/** A color ramp by hue, for the wedges. */
function hue(t) {
  const h = t * 6;
  return [clamp(Math.abs(h - 3) - 1), clamp(2 - Math.abs(h - 2)), clamp(2 - Math.abs(h - 4))];
}

const WEDGE = { width: 512, height: 400 };

/** The calibration target: a smooth gray ramp, steps, color ramps, a hue strip, and a deep dark ramp. */
function wedgeAt(x, y) {
  const { width, height } = WEDGE;
  const margin = 16;
  if (x < margin || y < margin || x >= width - margin || y >= height - margin) return [0.72, 0.72, 0.71];
  const u = (x - margin) / (width - 2 * margin - 1);
  const v = ((y - margin) / (height - 2 * margin)) * 8;
  const row = Math.floor(v);
  if (v - row > 0.88 && row < 7) return [0.72, 0.72, 0.71];
  const step = Math.floor(Math.min(u, 0.9999) * 21) / 20;
  const rows = [
    () => [u, u, u],
    () => [step, step, step],
    () => [u, 0.05 * u, 0.05 * u],
    () => [0.05 * u, u, 0.1 * u],
    () => [0.08 * u, 0.12 * u, u],
    () => hue(u).map((c) => 0.12 + 0.8 * c),
    () => hue(u).map((c) => 0.45 + 0.18 * (c - 0.5)),
    () => [u / 16, u / 16, u / 16],
  ];
  return rows[row]();
}

async function scan16() {
  const { width, height } = WEDGE;
  const data = new Uint16Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const color = wedgeAt(x, y);
      for (let k = 0; k < 3; k++) data[(y * width + x) * 3 + k] = Math.round(clamp(color[k]) * 65535);
    }
  }
  const perMillimeter = 600 / 25.4;
  return sharp(data, { raw: { width, height, channels: 3 } })
    .toColourspace('rgb16')
    .tiff({ compression: 'deflate', predictor: 'horizontal', xres: perMillimeter, yres: perMillimeter })
    .toBuffer();
}

const PHOTO = { width: 1200, height: 900 };

/** The landscape with the grain and the vignette of a camera. */
async function developPhoto() {
  const { width, height } = PHOTO;
  const drawn = await renderAlpha(width, height, landscape(width, height));
  const raw = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const far = Math.hypot(x / width - 0.5, y / height - 0.5);
      const cloud = y < 470 ? smoothstep(0.52, 0.8, fbm(x / 300, y / 75, 5, 88)) * smoothstep(470, 220, y) * 0.6 : 0;
      const grain = (noise(x / 1.7, y / 1.7, 90) - 0.5) * 9;
      for (let k = 0; k < 3; k++) {
        const base = drawn[(y * width + x) * 4 + k];
        const sky = base + ([255, 244, 230][k] - base) * cloud;
        raw[(y * width + x) * 3 + k] = clamp(sky * (1 - 0.42 * far * far) + grain, 0, 255);
      }
    }
  }
  return raw;
}

/** Stored lying on its side, with the note (orientation 6) that a viewer must turn it a quarter clockwise. */
async function rotatedPhoto() {
  const { width, height } = PHOTO;
  const signs = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${landscape.signs(width, height)}</svg>`,
  );
  const upright = await sharp(await developPhoto(), { raw: { width, height, channels: 3 } })
    .composite([{ input: signs }])
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { info } = upright;
  return sharp(upright.data, { raw: { width: info.width, height: info.height, channels: info.channels } })
    .rotate(270)
    .withMetadata({ orientation: 6, density: 240 })
    .jpeg({ quality: 84, mozjpeg: true })
    .toBuffer();
}

/** Yields the three objects. */
export async function* makeObjects() {
  const coin = sharp(await paintCoin(), { raw: { width: COIN, height: COIN, channels: 4 } });
  yield { name: 'coin.png', bytes: await coin.withMetadata({ density: 300 }).png({ compressionLevel: 9 }).toBuffer() };
  yield { name: 'photo-rotated.jpg', bytes: await rotatedPhoto() };
  yield { name: 'scan-16bit.tif', bytes: await scan16() };
}
