// Plants that grow nowhere else: the lantern bell and the harbour poppy.
// Each plant draws upwards from the origin, about 900 units tall and 700 wide.

import { f, INK, smooth } from '../drawing/svg.mjs';
import { along, arc, ball, brush, leaf, petal, polar, roots, shape, stem, stroke } from './plant-parts.mjs';

const UP = -Math.PI / 2;

/** A bell seen from the side, hanging from (x, y) along an angle. */
function bell(plate, x, y, angle, size, color, deep) {
  const point = (across, down) => {
    const p = polar(x, y, angle, down * size);
    return polar(p[0], p[1], angle - Math.PI / 2, across * size);
  };
  const left = [point(-0.06, 0), point(-0.26, 0.1), point(-0.36, 0.36), point(-0.37, 0.66), point(-0.52, 0.93)];
  const right = [point(0.52, 0.93), point(0.37, 0.66), point(0.36, 0.36), point(0.26, 0.1), point(0.06, 0)];
  const mouth = [point(-0.38, 0.88), point(-0.25, 1.08), point(-0.12, 0.93), point(0, 1.14), point(0.12, 0.93)];
  mouth.push(point(0.25, 1.08), point(0.38, 0.88));
  const tongue = [point(0, 0.7), point(0.03, 1.0), point(0, 1.27), point(-0.03, 1.0)];
  shape(plate, smooth(tongue, true), '#e6c85a');
  shape(plate, smooth([...left, ...mouth, ...right], true), color, { pen: 1.7 });
  brush(plate, smooth([point(0.05, 0.02), point(0.1, 0.5), point(0.1, 0.9), ...right], true), deep, 0.5);
  for (const across of [-0.28, -0.14, 0, 0.13, 0.24]) {
    const points = [point(across * 0.4, 0.06), point(across * 1.1, 0.4), point(across * 1.15, 0.72)];
    stroke(plate, [...points, point(across * 1.5, 0.95)], 0.9);
  }
  for (let i = 0; i < 16; i++) {
    const down = 0.14 + i * 0.045;
    stroke(plate, [point(0.35, down), point(0.27, down + 0.03), point(0.17 + (i % 3) * 0.03, down + 0.03)], 0.75, 0.8);
  }
  for (const lean of [-0.8, 0.8, -0.3, 0.35])
    leaf(plate, x, y, angle + lean, { length: size * 0.38, width: size * 0.07, profile: 'lance', pairs: 0 });
}

export function lanternBell(plate) {
  const { random } = plate;
  roots(plate, 0, 0, 90);
  const main = arc(0, 4, UP - 0.06, 840, 0.22, 40);
  for (let i = 0; i < 9; i++) {
    const t = 0.05 + i * 0.085;
    const from = along(main, t);
    const side = i % 2 === 0 ? 1 : -1;
    const size = 205 - i * 14;
    const stalk = arc(from.x, from.y, from.angle + side * 0.95, size * 0.32, side * 0.3, 8);
    stem(plate, stalk, 5, 4);
    const end = along(stalk, 1);
    leaf(plate, end.x, end.y, end.angle + side * 0.1, {
      length: size,
      width: size * 0.34,
      bend: side * random.range(0.2, 0.6),
      profile: 'heart',
      teeth: 11,
      depth: 0.14,
      pairs: 7,
      near: side > 0 ? 1 : 0.78,
      far: side > 0 ? 0.78 : 1,
    });
  }
  stem(plate, main, 13, 5);
  const blossoms = [0.5, 0.58, 0.66, 0.74, 0.82, 0.9, 0.97];
  blossoms.forEach((t, i) => {
    const side = i % 2 === 0 ? -1 : 1;
    const from = along(main, t);
    const hang = arc(from.x, from.y, from.angle + side * 0.85, 150 - i * 13, side * 1.9, 16);
    stem(plate, hang, 4.5, 3.4);
    const end = along(hang, 1);
    bell(
      plate,
      end.x,
      end.y,
      Math.PI / 2 - side * 0.22,
      128 - i * 9,
      random.pick(['#9ba3d0', '#a9abd6', '#8f9ccb']),
      '#4d539b',
    );
  });
  const tip = along(main, 1);
  for (let i = -1; i <= 1; i++)
    leaf(plate, tip.x, tip.y, tip.angle + i * 0.5, { length: 44, width: 9, profile: 'lance', pairs: 2, hatch: 1 });
}

function poppyFlower(plate, x, y, size, tilt) {
  const { random } = plate;
  const colors = ['#d9694f', '#e07a58', '#d25a48'];
  for (const turn of [UP - 0.75, UP + 0.75, UP, Math.PI / 2 - 1.15, Math.PI / 2 + 1.15, Math.PI / 2]) {
    const front = turn > 0 || turn === UP ? 0.82 : 1;
    petal(plate, x, y, turn + tilt, {
      length: size * front,
      width: size * 0.53,
      color: random.pick(colors),
      deep: '#7c2530',
      frill: size * 0.022,
      lines: 11,
      teeth: 5,
      depth: 0.07,
      lobed: true,
    });
  }
  for (let i = 0; i < 46; i++) {
    const angle = random.range(0, 2 * Math.PI);
    const end = polar(x, y, angle, size * random.range(0.2, 0.34));
    stroke(plate, [[x, y], end], 0.8);
    plate.line.push(`<circle cx="${f(end[0])}" cy="${f(end[1])}" r="${f(size * 0.016)}" fill="${INK}"/>`);
  }
  ball(plate, x, y, size * 0.13, '#a9b27a', '#55683f');
  for (let i = 0; i < 9; i++) stroke(plate, [[x, y], polar(x, y, (i / 9) * 2 * Math.PI, size * 0.12)], 1);
}

function poppyLeaf(plate, x, y, angle, size, side) {
  const rib = arc(x, y, angle, size, side * 0.7, 20);
  for (let i = 0; i < 6; i++) {
    const from = along(rib, 0.2 + i * 0.125);
    const length = size * (0.34 - Math.abs(i - 2) * 0.045);
    for (const s of [-1, 1])
      leaf(plate, from.x, from.y, from.angle + s * 0.85, {
        length,
        width: length * 0.19,
        bend: -s * 0.4,
        teeth: 5,
        depth: 0.35,
        pairs: 3,
        hatch: 1,
      });
  }
  const end = along(rib, 0.9);
  leaf(plate, end.x, end.y, end.angle, {
    length: size * 0.3,
    width: size * 0.07,
    teeth: 5,
    depth: 0.3,
    pairs: 3,
    hatch: 1,
  });
  stem(plate, rib, 5, 2);
}

export function harbourPoppy(plate) {
  roots(plate, 0, 0, 80);
  for (const [angle, size, side] of [
    [UP - 1.15, 250, -1],
    [UP + 1.2, 240, 1],
    [UP - 0.6, 300, -1],
    [UP + 0.55, 290, 1],
  ])
    poppyLeaf(plate, 0, -10, angle, size, side);
  const left = arc(-4, 0, UP - 0.2, 640, -0.18, 30);
  const middle = arc(0, 0, UP + 0.02, 770, 0.12, 30);
  const right = arc(5, 0, UP + 0.3, 470, 0.15, 26);
  const bud = arc(2, 0, UP + 0.16, 640, 0.75, 30);
  for (const points of [left, middle, right, bud]) stem(plate, points, 9, 5);
  hairs(plate, [left, middle, right, bud]);
  const nod = along(bud, 1);
  const hook = arc(nod.x, nod.y, nod.angle, 90, 2.1, 12);
  stem(plate, hook, 5, 4);
  const drop = along(hook, 1);
  leaf(plate, drop.x, drop.y, drop.angle, { length: 66, width: 21, profile: 'ovate', pairs: 4, color: '#93a86c' });
  const head = along(right, 1);
  seedHead(plate, head.x, head.y, 44);
  const [a, b] = [along(left, 1), along(middle, 1)];
  poppyFlower(plate, a.x - 6, a.y, 128, -0.3);
  poppyFlower(plate, b.x, b.y, 158, 0.12);
}

function hairs(plate, stems) {
  const { random } = plate;
  for (const points of stems) {
    for (let i = 0; i < 60; i++) {
      const from = along(points, random.range(0.1, 0.98));
      const side = random.chance(0.5) ? 1 : -1;
      const start = polar(from.x, from.y, from.angle + (side * Math.PI) / 2, 3);
      stroke(plate, [start, polar(start[0], start[1], from.angle + side * 1.1, random.range(5, 9))], 0.7, 0.8);
    }
  }
}

function seedHead(plate, x, y, size) {
  const urn = [
    [-5, 0],
    [-20, -12],
    [-30, -38],
    [-24, -62],
    [24, -62],
    [30, -38],
    [20, -12],
    [5, 0],
  ];
  const scaled = urn.map(([px, py]) => [x + (px * size) / 44, y + (py * size) / 44]);
  shape(plate, smooth(scaled, true), '#bdb184');
  for (let i = -3; i <= 3; i++)
    stroke(
      plate,
      [
        [x + i * 2, y - 6],
        [x + i * 8, y - size * 0.8],
        [x + i * 6, y - size * 1.36],
      ],
      i > 0 ? 1.2 : 0.8,
    );
  for (let i = 0; i < 12; i++)
    stroke(
      plate,
      [
        [x + 29, y - 20 - i * 3],
        [x + 12 + (i % 3) * 4, y - 18 - i * 3],
      ],
      0.7,
    );
  const cap = [
    [-32, -62],
    [-26, -74],
    [0, -79],
    [26, -74],
    [32, -62],
    [0, -57],
  ];
  shape(
    plate,
    smooth(
      cap.map(([px, py]) => [x + px, y + py]),
      true,
    ),
    '#a3976a',
  );
  for (let i = -3; i <= 3; i++)
    stroke(
      plate,
      [
        [x, y - 77],
        [x + i * 9, y - 60],
      ],
      0.9,
    );
}
