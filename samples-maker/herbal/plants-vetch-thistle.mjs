// Plants that grow nowhere else: the ladder vetch and the tinker's thistle.
// Each plant draws upwards from the origin, about 900 units tall and 700 wide.

import { f, smooth } from '../drawing/svg.mjs';
import {
  along,
  arc,
  ball,
  brush,
  leaf,
  petal,
  polar,
  roots,
  shape,
  stem,
  stroke,
  tendril,
  within,
} from './plant-parts.mjs';

const UP = -Math.PI / 2;

function peaFlower(plate, x, y, angle, size, side) {
  const open = { pairs: 0, pen: 1.3 };
  petal(plate, x, y, angle + side * 0.25, {
    length: size,
    width: size * 0.5,
    color: '#c78fb4',
    deep: '#8b4a7e',
    lines: 9,
    frill: 0.6,
  });
  petal(plate, x, y, angle + side * 1.05, {
    length: size * 0.74,
    width: size * 0.26,
    color: '#a7699c',
    deep: '#6d3a70',
    lines: 4,
  });
  leaf(plate, x, y, angle + side * 1.5, {
    length: size * 0.5,
    width: size * 0.13,
    bend: -side * 0.8,
    color: '#efe2c8',
    ...open,
  });
  for (const lean of [-0.5, 0, 0.5])
    leaf(plate, x, y, angle + lean, { length: size * 0.26, width: size * 0.06, profile: 'lance', ...open });
}

function pod(plate, x, y, angle, size, side) {
  const shell = { length: size, width: size * 0.12, bend: side * 0.35, profile: 'lance', pairs: 0, color: '#b4c07c' };
  const edges = leaf(plate, x, y, angle, { ...shell, near: 1, far: 1 });
  for (let i = 1; i < 7; i++) {
    const here = along(edges.rib, 0.1 + i * 0.115);
    ball(plate, here.x, here.y, size * 0.05 * (1 - Math.abs(i - 3.5) * 0.09), '#c3cc8d', '#5f7d4a', {
      pen: 1,
      hatch: 3,
    });
  }
}

function ladderLeaf(plate, x, y, angle, size, side) {
  const rib = arc(x, y, angle, size, side * 0.6, 22);
  for (let i = 0; i < 6; i++) {
    const from = along(rib, 0.16 + i * 0.14);
    const length = size * (0.33 - i * 0.025);
    for (const s of [-1, 1])
      leaf(plate, from.x, from.y, from.angle + s * 1.1, {
        length,
        width: length * 0.24,
        bend: -s * 0.25,
        pairs: 5,
        hatch: 2,
      });
  }
  stem(plate, rib, 4, 2);
  const end = along(rib, 1);
  tendril(plate, end.x, end.y, end.angle, size * 0.4, -side);
  tendril(plate, end.x, end.y, end.angle - side * 0.9, size * 0.34, side);
}

export function ladderVetch(plate) {
  roots(plate, 0, 0, 90);
  const main = [];
  for (let i = 0; i <= 50; i++) {
    const t = i / 50;
    main.push([44 * Math.sin(t * 8.4) * (0.25 + 0.75 * t), -860 * t]);
  }
  const positions = [0.1, 0.25, 0.4, 0.55, 0.7, 0.84];
  positions.forEach((t, i) => {
    const side = i % 2 === 0 ? 1 : -1;
    const from = along(main, t);
    ladderLeaf(plate, from.x, from.y, UP + side * 0.86, 216 - i * 15, side);
  });
  stem(plate, main, 9, 4);
  positions.slice(1).forEach((t, i) => {
    const side = i % 2 === 0 ? 1 : -1;
    const from = along(main, t + 0.01);
    const stalk = arc(from.x, from.y, UP + side * 0.75, 120 - i * 9, -side * 0.35, 12);
    stem(plate, stalk, 4, 3);
    const end = along(stalk, 1);
    if (i < 2) {
      pod(plate, end.x, end.y, end.angle + side * 0.9, 150, side);
      pod(plate, along(stalk, 0.7).x, along(stalk, 0.7).y, end.angle + side * 1.4, 128, side);
      return;
    }
    for (const [k, share] of [0.62, 0.8, 1].entries()) {
      const point = along(stalk, share);
      peaFlower(plate, point.x, point.y, end.angle + (k - 1) * 0.75, 62 - i * 3, k === 0 ? -side : side);
    }
  });
  const tip = along(main, 1);
  tendril(plate, tip.x, tip.y, tip.angle, 70, 1);
  leaf(plate, tip.x, tip.y, tip.angle - 0.7, { length: 60, width: 12, pairs: 4, hatch: 1 });
}

function thistleHead(plate, x, y, angle, size) {
  const { random } = plate;
  within(plate, `translate(${f(x)} ${f(y)}) rotate(${f((angle * 180) / Math.PI + 90)})`, () => {
    const tuft = [
      [-0.36, -0.8],
      [-0.95, -1.75],
      [-0.5, -1.98],
      [0, -2.06],
      [0.5, -1.98],
      [0.95, -1.75],
      [0.36, -0.8],
    ];
    shape(
      plate,
      smooth(
        tuft.map(([px, py]) => [px * size, py * size]),
        true,
      ),
      '#b98ac0',
      { pen: 0.01 },
    );
    brush(
      plate,
      smooth(
        [
          [0, -0.8],
          [0.3, -1.9],
          [0.9, -1.7],
          [0.4, -0.8],
        ].map(([px, py]) => [px * size, py * size]),
        true,
      ),
      '#6f3f8c',
      0.55,
    );
    for (let i = 0; i < 78; i++) {
      const lean = random.range(-1, 1);
      const reach = size * (2.06 - 0.32 * lean * lean) * random.range(0.93, 1.05);
      const end = [lean * size * 0.98, -reach];
      stroke(plate, [[lean * size * 0.35, -size * 0.85], [lean * size * 0.6, -reach * 0.72], end], 0.95);
    }
    const globe = [];
    for (let i = 0; i < 16; i++) globe.push(polar(0, -size * 0.5, (i / 16) * 2 * Math.PI, size * 0.62));
    shape(plate, smooth(globe, true), '#a4b184');
    for (let row = 6; row >= 0; row--) {
      const latitude = -0.98 + row * 0.3;
      const half = Math.cos(latitude * 0.78) * size * 0.6;
      const count = 8 + (row % 2);
      for (let i = 0; i < count; i++) {
        const across = (i / (count - 1)) * 2 - 1;
        const px = Math.sin(across * 1.45) * half;
        const py = -size * 0.5 - Math.sin(latitude * 0.8) * -size * 0.6;
        const scale = {
          length: size * 0.34,
          width: size * 0.085,
          profile: 'lance',
          pairs: 0,
          pen: 1.1,
          color: '#b3bd8e',
        };
        leaf(plate, px, py, UP + across * 1.0, scale);
      }
    }
  });
}

function thornyLeaf(plate, x, y, angle, size, side) {
  const edges = leaf(plate, x, y, angle, {
    length: size,
    width: size * 0.21,
    bend: side * 0.55,
    profile: 'lance',
    teeth: 7,
    depth: 0.62,
    pairs: 7,
    hatch: 3,
    color: '#9cb294',
    dark: '#456352',
  });
  for (const edge of edges.sides) {
    for (let i = 5; i < edge.length - 2; i += 6) {
      const away = along(edges.rib, i / (edge.length - 1));
      const out = Math.atan2(edge[i][1] - away.y, edge[i][0] - away.x);
      stroke(plate, [edge[i], polar(edge[i][0], edge[i][1], out + (out > away.angle ? -0.4 : 0.4), size * 0.07)], 1.3);
    }
  }
}

export function tinkersThistle(plate) {
  roots(plate, 0, 0, 105);
  for (const [angle, size, side] of [
    [UP - 1.3, 300, 1],
    [UP + 1.3, 300, -1],
    [UP - 0.85, 260, -1],
    [UP + 0.9, 270, 1],
  ])
    thornyLeaf(plate, 0, -12, angle, size, side);
  const main = arc(0, 0, UP - 0.04, 690, 0.1, 40);
  const fork = (t, lean, length) => {
    const from = along(main, t);
    return arc(from.x, from.y, UP + lean, length, -lean * 0.65, 22);
  };
  const [left, right, bud] = [fork(0.46, -0.85, 330), fork(0.56, 0.9, 280), fork(0.74, -0.7, 120)];
  for (const t of [0.3, 0.44, 0.58, 0.72, 0.85]) {
    const side = Math.round(t * 100) % 4 < 2 ? 1 : -1;
    const from = along(main, t);
    thornyLeaf(plate, from.x, from.y, from.angle + side * 0.95, 215 * (1.15 - t * 0.8), side);
  }
  for (const branch of [left, right]) {
    for (const [t, side] of [
      [0.4, 1],
      [0.62, -1],
    ]) {
      const from = along(branch, t);
      thornyLeaf(plate, from.x, from.y, from.angle + side * 0.9, 105, side);
    }
  }
  for (const [points, width] of [
    [left, 8],
    [right, 8],
    [bud, 7],
    [main, 15],
  ])
    stem(plate, points, width, width * 0.55, '#a9b58c');
  for (const [points, size] of [
    [left, 62],
    [right, 56],
    [bud, 36],
    [main, 84],
  ]) {
    const end = along(points, 1);
    thistleHead(plate, end.x, end.y, end.angle, size);
  }
}
