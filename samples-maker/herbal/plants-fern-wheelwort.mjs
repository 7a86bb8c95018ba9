// Plants that grow nowhere else: the clerk's fern and the wheelwort.
// Each plant draws upwards from the origin, about 900 units tall and 700 wide.

import { f, INK } from '../drawing/svg.mjs';
import { along, arc, GREENS, leaf, polar, roots, shape, stem, stroke } from './plant-parts.mjs';

const UP = -Math.PI / 2;

/** One leaflet-bearing arm of a fern. */
function pinna(plate, x, y, angle, length, side) {
  const rib = arc(x, y, angle, length, side * 0.45, 16);
  const count = Math.max(3, Math.round(length / 12));
  for (let i = 0; i < count; i++) {
    const t = 0.06 + (0.92 * i) / count;
    const from = along(rib, t);
    const size = length * 0.125 * (1 - t * 0.75) + 4;
    for (const s of [-1, 1])
      leaf(plate, from.x, from.y, from.angle + s * 1.05, {
        length: size,
        width: size * 0.34,
        profile: 'ovate',
        pairs: size > 16 ? 2 : 0,
        hatch: 0,
        pen: 1.1,
        color: plate.random.pick(GREENS),
      });
  }
  stroke(plate, rib, 1.5);
}

function frond(plate, angle, length, bend) {
  const rachis = arc(0, 0, angle, length, bend, 44);
  const count = Math.round(length / 34);
  for (let i = 0; i < count; i++) {
    const t = 0.2 + (0.79 * i) / count;
    const from = along(rachis, t);
    const size = length * 0.27 * Math.sin(Math.PI * (0.24 + 0.75 * ((t - 0.2) / 0.8))) + 6;
    for (const s of [-1, 1]) pinna(plate, from.x, from.y, from.angle + s * 1.12, size, -s);
  }
  stem(plate, rachis, 9, 2, '#b39a63');
}

function fiddlehead(plate, angle, length, sense) {
  const stalk = arc(0, 0, angle, length, sense * 0.25, 20);
  const end = along(stalk, 1);
  const radius = length * 0.1;
  const hub = polar(end.x, end.y, end.angle + (sense * Math.PI) / 2, radius);
  const coil = [];
  for (let i = 0; i <= 50; i++) {
    const t = i / 50;
    coil.push(polar(hub[0], hub[1], end.angle - (sense * Math.PI) / 2 + sense * t * 13, radius * (1 - t * 0.86)));
  }
  for (let i = 1; i < 22; i++) {
    const from = along(coil, i / 40);
    leaf(plate, from.x, from.y, from.angle - sense * 1.2, {
      length: 15,
      width: 5,
      pairs: 0,
      pen: 1,
      color: '#b98f55',
      profile: 'lance',
    });
  }
  stem(plate, [...stalk, ...coil.slice(1)], 10, 2.5, '#b8a366');
}

export function clerksFern(plate) {
  fiddlehead(plate, UP - 0.5, 300, -1);
  frond(plate, UP - 0.52, 620, -0.85);
  frond(plate, UP + 0.55, 600, 0.9);
  fiddlehead(plate, UP + 0.2, 380, 1);
  frond(plate, UP - 0.03, 840, 0.16);
  fiddlehead(plate, UP + 0.85, 210, 1);
  fiddlehead(plate, UP - 0.95, 190, -1);
  const { random } = plate;
  for (let i = 0; i < 24; i++)
    leaf(plate, random.range(-34, 34), random.range(-12, 26), UP + random.range(-1.2, 1.2), {
      length: random.range(20, 42),
      width: 7,
      profile: 'lance',
      color: '#b48c5a',
      dark: '#6b4526',
      pairs: 0,
    });
  roots(plate, 0, 18, 66);
}

function umbellet(plate, x, y, angle, size) {
  const { random } = plate;
  const count = 11;
  const tips = [];
  for (let i = 0; i < count; i++) {
    const spread = ((i / (count - 1)) * 2 - 1) * 1.2;
    const reach = size * (1 - Math.abs(spread) * 0.22) * random.range(0.72, 1.04);
    const tip = polar(x, y, angle + spread, reach);
    stroke(plate, [[x, y], polar(x, y, angle + spread * 1.2, reach * 0.5), tip], 0.9);
    tips.push(tip);
  }
  for (const tip of tips) floret(plate, tip[0], tip[1], size * random.range(0.2, 0.25));
}

function floret(plate, x, y, size) {
  const turn = plate.random.range(0, 6);
  for (let k = 0; k < 5; k++) {
    const p = polar(x, y, turn + k * 1.257, size * 0.52);
    shape(
      plate,
      `M${f(p[0] - size * 0.4)} ${f(p[1])}a${f(size * 0.4)} ${f(size * 0.4)} 0 1 1 0 0.1Z`,
      plate.random.pick(['#f6efd4', '#f0c9c4', '#f8f3e2']),
      { pen: 0.75 },
    );
  }
  plate.line.push(`<circle cx="${f(x)}" cy="${f(y)}" r="${f(size * 0.2)}" fill="${INK}"/>`);
}

function umbel(plate, x, y, angle, size) {
  for (let i = 0; i < 6; i++)
    leaf(plate, x, y, angle + Math.PI / 2 + 0.5 + i * 0.43, {
      length: size * 0.22,
      width: size * 0.022,
      profile: 'lance',
      pairs: 0,
    });
  const rays = 13;
  const order = [...Array(rays).keys()].sort((a, b) => Math.abs(b - 6) - Math.abs(a - 6));
  for (const i of order) {
    const spread = ((i / (rays - 1)) * 2 - 1) * 1.28;
    const reach = size * (1 - 0.16 * Math.abs(spread)) * (i % 2 === 0 ? 1 : 0.82);
    const ray = arc(x, y, angle + spread * 0.8, reach, spread * 0.4, 10);
    stem(plate, ray, 3.6, 2.2);
    const end = along(ray, 1);
    umbellet(plate, end.x, end.y, end.angle, size * 0.27);
  }
}

function featherLeaf(plate, x, y, angle, size, side) {
  const rib = arc(x, y, angle, size, side * 0.5, 20);
  for (let i = 0; i < 7; i++) {
    const from = along(rib, 0.22 + i * 0.115);
    const length = size * (0.36 - i * 0.038);
    for (const s of [-1, 1])
      leaf(plate, from.x, from.y, from.angle + s * 0.8, {
        length,
        width: length * 0.2,
        bend: -s * 0.3,
        teeth: 6,
        depth: 0.42,
        pairs: 4,
        hatch: 1,
      });
  }
  const end = along(rib, 0.95);
  leaf(plate, end.x, end.y, end.angle, { length: size * 0.16, width: size * 0.04, teeth: 4, depth: 0.3, pairs: 2 });
  stem(plate, rib, 6, 2.4);
}

export function wheelwort(plate) {
  roots(plate, 0, 0, 100);
  const main = arc(0, 0, UP + 0.03, 600, -0.08, 40);
  const left = arc(along(main, 0.34).x, along(main, 0.34).y, UP - 0.95, 290, 0.3, 24);
  const right = arc(along(main, 0.46).x, along(main, 0.46).y, UP + 1.0, 250, -0.3, 24);
  featherLeaf(plate, 0, -40, UP - 1.15, 290, -1);
  featherLeaf(plate, 0, -56, UP + 1.05, 310, 1);
  featherLeaf(plate, along(main, 0.4).x, along(main, 0.4).y, UP + 1.45, 190, 1);
  stem(plate, left, 7, 5);
  stem(plate, right, 7, 5);
  stem(plate, main, 14, 7);
  featherLeaf(plate, along(main, 0.58).x, along(main, 0.58).y, UP - 1.25, 150, -1);
  for (const [points, size] of [
    [left, 145],
    [right, 128],
    [main, 215],
  ]) {
    const end = along(points, 1);
    umbel(plate, end.x, end.y, end.angle, size);
  }
}
