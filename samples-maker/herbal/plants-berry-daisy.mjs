// Plants that grow nowhere else: the lamp-berry and the evening daisy; and sprigs for ornaments.
// Each plant draws upwards from the origin, about 900 units tall and 700 wide.

import { f } from '../drawing/svg.mjs';
import { along, arc, ball, leaf, petal, polar, roots, stem, stroke, within } from './plant-parts.mjs';

const UP = -Math.PI / 2;

function palmLeaf(plate, x, y, angle, size) {
  for (const [lean, share] of [
    [-1.7, 0.55],
    [1.7, 0.55],
    [-0.88, 0.84],
    [0.88, 0.84],
    [0, 1],
  ])
    leaf(plate, x, y, angle + lean, {
      length: size * share,
      width: size * share * 0.3,
      bend: lean * 0.1,
      profile: 'ovate',
      teeth: 8,
      depth: 0.18,
      pairs: 6,
      hatch: 2,
    });
}

function lampBunch(plate, x, y, size, count, colors) {
  const stalk = arc(x, y, Math.PI / 2 - 0.15, size, 0.3, 20);
  stem(plate, stalk, 3.4, 2);
  for (let i = 0; i < count; i++) {
    const t = 0.12 + (0.88 * i) / (count - 1);
    const side = i % 2 === 0 ? 1 : -1;
    const radius = size * 0.098 * (1.15 - t * 0.45);
    const from = along(stalk, t);
    const end = polar(from.x, from.y, from.angle - side * (i === count - 1 ? 0 : 1.05), radius * 1.75);
    stroke(plate, [from.point, end], 1.4);
    ball(plate, end[0], end[1], radius, plate.random.pick(colors), '#8c2f1c');
    for (const lean of [-0.5, 0, 0.5]) {
      const base = polar(end[0], end[1], Math.PI / 2, radius * 0.94);
      stroke(plate, [base, polar(base[0], base[1], Math.PI / 2 + lean, radius * 0.45)], 1.3);
    }
  }
}

export function lampBerry(plate) {
  const { random } = plate;
  const wood = { color: '#b8966a' };
  const main = arc(-190, -20, UP + 0.42, 900, -0.1, 40);
  const lower = arc(along(main, 0.3).x, along(main, 0.3).y, UP + 1.12, 330, -0.5, 24);
  const upper = arc(along(main, 0.5).x, along(main, 0.5).y, UP - 0.75, 300, 0.55, 24);
  const spots = [
    [main, 0.16, -1, 150],
    [main, 0.42, -1, 140],
    [main, 0.62, 1, 150],
    [main, 0.78, -1, 135],
    [main, 0.9, 1, 120],
    [lower, 0.5, -1, 130],
    [lower, 0.98, 1, 140],
    [upper, 0.5, -1, 120],
    [upper, 0.98, 0, 130],
    [main, 0.99, 0, 130],
  ];
  for (const [points, t, side, size] of spots) {
    const from = along(points, t);
    const stalk = arc(from.x, from.y, from.angle + side * 1.05, size * 0.52, side * 0.25, 8);
    stem(plate, stalk, 4, 3.2);
    const end = along(stalk, 1);
    palmLeaf(plate, end.x, end.y, end.angle + random.range(-0.15, 0.15), size);
  }
  for (const [points, width] of [
    [lower, 8],
    [upper, 8],
    [main, 15],
  ])
    stem(plate, points, width, width * 0.4, wood.color);
  const cut = along(main, 0);
  ball(plate, cut.x, cut.y, 9, '#d8bd8c', '#8b6a3f', { hatch: 3 });
  const colors = ['#dd8a3a', '#e29a44', '#d6762f'];
  for (const [points, t, size, count] of [
    [main, 0.3, 190, 11],
    [main, 0.55, 200, 12],
    [main, 0.76, 175, 11],
    [lower, 0.62, 190, 11],
    [upper, 0.55, 165, 10],
  ]) {
    const from = along(points, t);
    lampBunch(plate, from.x, from.y, size, count, colors);
  }
}

/** A daisy seen at a slant: rays round a dotted disc. */
function daisy(plate, x, y, size, turn, tilt, half = false) {
  within(plate, `translate(${f(x)} ${f(y)}) rotate(${f(turn)}) scale(1 ${tilt})`, () => {
    const rays = 24;
    for (const ring of [1, 0]) {
      for (let i = 0; i < rays; i++) {
        const angle = ((i + ring * 0.5) / rays) * 2 * Math.PI;
        if (half && Math.sin(angle) > 0.2) continue;
        const color = plate.random.pick(['#f4ead2', '#f1e2d8', '#f7efe0']);
        petal(plate, ...polar(0, 0, angle, size * 0.2), angle, {
          length: size * 0.8 * plate.random.range(0.93, 1.03),
          width: size * 0.095,
          profile: 'spoon',
          color,
          deep: '#c27f93',
          lines: 2,
          pen: 1.2,
        });
      }
    }
    ball(plate, 0, 0, size * 0.3, '#e2b443', '#9c6420', { hatch: 0 });
    for (let i = 0; i < 90; i++) {
      const p = polar(0, 0, i * 2.39996, size * 0.29 * Math.sqrt(i / 90));
      stroke(plate, [p, [p[0] + 1.6, p[1] + 1.8]], 1.7);
    }
  });
}

export function eveningDaisy(plate) {
  const { random } = plate;
  roots(plate, 0, 0, 80);
  const spoon = (from, angle, length, side) =>
    leaf(plate, from[0], from[1], angle, {
      length,
      width: length * 0.2,
      bend: side * 0.5,
      profile: 'spoon',
      teeth: 6,
      depth: 0.3,
      lobed: true,
      pairs: 8,
      hatch: 3,
    });
  for (const lean of [-1.55, 1.5, -1.15, 1.1, -0.7, 0.75, -0.3, 0.35])
    spoon([lean * 6, -6], UP + lean, 240 + random.range(-25, 20), Math.sign(lean));
  const stems = [
    [UP - 0.3, 640, 0.1, 112, -12, 0.86],
    [UP + 0.04, 800, -0.06, 142, 8, 0.92],
    [UP + 0.38, 560, -0.12, 104, 20, 0.72],
    [UP + 0.24, 690, 0.35, 70, 30, 0.4],
  ].map(([angle, length, bend, ...flower]) => ({ points: arc(0, 0, angle, length, bend, 34), flower }));
  for (const { points } of stems) {
    stem(plate, points, 9, 5);
    for (const [t, side] of [
      [0.42, 1],
      [0.56, -1],
      [0.7, 1],
    ]) {
      const from = along(points, t);
      spoon(from.point, from.angle + side * 0.75, 100 * (1.2 - t), side);
    }
  }
  stems.forEach(({ points, flower }, i) => {
    const end = along(points, 1);
    daisy(plate, end.x, end.y, flower[0], flower[1], flower[2], i === 3);
  });
}

/** One arched sprig of leaves and berries, for wreaths and tailpieces. */
export function sprig(plate, x, y, angle, length, bend, colors) {
  const rib = arc(x, y, angle, length, bend, 36);
  const count = Math.round(length / 26);
  for (let i = 1; i <= count; i++) {
    const t = i / count;
    const side = i % 2 === 0 ? 1 : -1;
    const from = along(rib, t * 0.98);
    const size = 62 * (1.1 - t * 0.45);
    leaf(plate, from.x, from.y, from.angle + side * 0.7, {
      length: size,
      width: size * 0.23,
      bend: -side * 0.3,
      pairs: 5,
      hatch: 2,
    });
    if (i % 2 === 0 && t < 0.95) {
      const end = polar(from.x, from.y, from.angle - side * 0.9, 26);
      stroke(plate, [from.point, end], 1.3);
      ball(plate, end[0], end[1], 8.5, plate.random.pick(colors), '#7a2c2c', { hatch: 4 });
    }
  }
  stem(plate, rib, 5, 2);
}

/** Two sprigs meeting in a ring, with a flower at the foot: the ornament of the title page. */
export function wreath(plate) {
  const colors = ['#d9694f', '#cf5f55', '#dd8a3a'];
  sprig(plate, 0, 0, 0.12, 690, -2.85, colors);
  sprig(plate, 0, 0, Math.PI - 0.12, 690, 2.85, colors);
  daisy(plate, 0, 0, 66, 0, 0.95);
}

/** A small tailpiece. */
export function tailpiece(plate) {
  const colors = ['#9ba3d0', '#8f9ccb'];
  sprig(plate, 0, 0, -0.35, 230, 0.75, colors);
  sprig(plate, 0, 0, Math.PI + 0.35, 230, -0.75, colors);
  daisy(plate, 0, 0, 38, 0, 0.9);
}
