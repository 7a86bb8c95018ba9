// The parts plants are made of, as a pen would draw them and a brush would color them.
// Every part paints twice: into `line` (the printed drawing) and into `wash` (the color laid on by hand).
import { f, INK, polyline, smooth, taper } from '../drawing/svg.mjs';

export const GREENS = ['#a3b878', '#94ad70', '#b0be80', '#86a268', '#9fb48a'];

export function makePlate(random) {
  return { random, line: [], wash: [] };
}

/** Paints a closed shape: white beneath its outline in the drawing, color in the wash. */
export function shape(plate, d, color, { pen = 1.7, outline = INK } = {}) {
  plate.line.push(`<path d="${d}" fill="#fff" stroke="${outline}" stroke-width="${pen}" stroke-linejoin="round"/>`);
  plate.wash.push(`<path d="${d}" fill="${color}"/>`);
}

export function stroke(plate, points, pen = 1, opacity = 1) {
  plate.line.push(
    `<path d="${smooth(points)}" fill="none" stroke="${INK}" stroke-width="${f(pen)}" stroke-linecap="round" opacity="${opacity}"/>`,
  );
}

export function brush(plate, d, color, opacity = 1) {
  plate.wash.push(`<path d="${d}" fill="${color}" opacity="${opacity}"/>`);
}

/** Runs `draw` with everything inside a transform. */
export function within(plate, transform, draw) {
  for (const layer of [plate.line, plate.wash]) layer.push(`<g transform="${transform}">`);
  draw();
  for (const layer of [plate.line, plate.wash]) layer.push('</g>');
}

/** Points along a line that starts at an angle (radians, -PI/2 is up) and bends steadily. */
export function arc(x, y, angle, length, bend, count = 20) {
  const points = [[x, y]];
  const step = length / count;
  let [px, py, turn] = [x, y, angle];
  for (let i = 0; i < count; i++) {
    turn += bend / count;
    px += Math.cos(turn) * step;
    py += Math.sin(turn) * step;
    points.push([px, py]);
  }
  return points;
}

/** The point and the direction at a fraction `t` of a line of points. */
export function along(points, t) {
  const position = Math.min(Math.max(t, 0), 1) * (points.length - 1);
  const i = Math.min(points.length - 2, Math.floor(position));
  const [a, b] = [points[i], points[i + 1]];
  const u = position - i;
  const point = [a[0] + (b[0] - a[0]) * u, a[1] + (b[1] - a[1]) * u];
  return { x: point[0], y: point[1], point, angle: Math.atan2(b[1] - a[1], b[0] - a[0]) };
}

export const polar = (x, y, angle, length) => [x + Math.cos(angle) * length, y + Math.sin(angle) * length];

/** A stem with a lit side and hatching down the other. */
export function stem(plate, points, from, to, color = '#a5b272') {
  const body = taper(points, from, to);
  shape(plate, smooth(body.outline, true), color, { pen: 1.5 });
  if (from < 5) return;
  const count = Math.round(points.length * 2.5);
  for (let i = 1; i < count; i++) {
    const t = i / count;
    const here = along(points, t);
    const half = (from + (to - from) * t) / 2;
    const edge = polar(here.x, here.y, here.angle + Math.PI / 2, half);
    const inner = polar(here.x, here.y, here.angle + Math.PI / 2 - 0.5, half * plate.random.range(0.1, 0.5));
    stroke(plate, [edge, inner], 0.8, 0.8);
  }
}

const PROFILES = {
  ovate: (t) => Math.sin(Math.PI * t ** 0.72) ** 0.9 * (1 - 0.15 * t),
  lance: (t) => Math.sin(Math.PI * t ** 0.8) ** 1.1,
  heart: (t) => Math.min(1, 0.42 + 9 * t) * Math.sin(Math.PI * (0.22 + 0.78 * t)) ** 0.95,
  spoon: (t) => Math.sin(Math.PI * t ** 1.7) ** 0.8 * 0.98 + 0.04 * (1 - t),
  petal: (t) => Math.sin(Math.PI * (0.06 + 0.9 * t ** 1.25)) ** 0.75,
};

/** How far the edge stands out at `t`, with its teeth or lobes. */
function edgeWidth(options, t) {
  const { profile = 'ovate', teeth = 0, depth = 0.1, width } = options;
  const base = PROFILES[profile](t) * width;
  if (teeth === 0) return base;
  const saw = (t * teeth) % 1;
  const wave = options.lobed ? 0.5 - 0.5 * Math.cos(saw * 2 * Math.PI) : saw;
  return base * (1 - depth + depth * wave);
}

/** The midrib and the two edges of a leaf. */
function leafEdges(plate, x, y, angle, options) {
  const { length, bend = 0, teeth = 0, near = 1, far = 0.82 } = options;
  const count = teeth > 0 ? teeth * 6 : 18;
  const rib = arc(x, y, angle, length, bend, count);
  const sides = [near, far].map((share, side) => {
    const sign = side === 0 ? 1 : -1;
    return rib.map((point, i) => {
      const t = i / count;
      const reach = edgeWidth(options, t) * share * plate.random.around(1, 0.035);
      return polar(point[0], point[1], along(rib, t).angle + (sign * Math.PI) / 2, reach);
    });
  });
  return { rib, sides, count };
}

/** Side veins of a leaf, with fine hatching between them on the side in the shade. */
function veins(plate, edges, options) {
  const { pairs = 6, hatch = 3 } = options;
  for (let i = 0; i < pairs; i++) {
    for (const side of [0, 1]) {
      const t = 0.06 + (0.8 * (i + side * 0.25)) / pairs;
      vein(plate, edges, side, t, 0.9, 0.9);
      const lines = side === 0 ? hatch : 0;
      for (let k = 1; k <= lines; k++) vein(plate, edges, side, t + (0.8 * k) / pairs / (lines + 1), 0.62, 0.6);
    }
  }
}

function vein(plate, edges, side, t, reach, pen) {
  const from = along(edges.rib, t).point;
  const end = along(edges.sides[side], Math.min(0.985, t + 0.13)).point;
  const length = reach * plate.random.around(1, 0.1);
  const to = [from[0] + (end[0] - from[0]) * length, from[1] + (end[1] - from[1]) * length];
  const lift = along(edges.rib, t).angle;
  const middle = polar(
    (from[0] + to[0]) / 2,
    (from[1] + to[1]) / 2,
    lift,
    -Math.hypot(to[0] - from[0], to[1] - from[1]) * 0.09,
  );
  stroke(plate, [from, middle, to], pen, 0.85);
}

/**
 * A leaf or a petal. Options: length, width (half), bend, profile, teeth, depth, lobed, pairs, hatch, color, dark, near, far.
 */
export function leaf(plate, x, y, angle, options) {
  const edges = leafEdges(plate, x, y, angle, options);
  const outline = [...edges.sides[0], ...[...edges.sides[1]].reverse()];
  const d = options.teeth && !options.lobed ? polyline(outline, true) : smooth(outline, true);
  shape(plate, d, options.color ?? plate.random.pick(GREENS), { pen: options.pen ?? 1.6 });
  const shaded = smooth([...edges.rib, ...[...edges.sides[0]].reverse()], true);
  brush(plate, shaded, options.dark ?? '#4f7250', options.shade ?? 0.34);
  const rib = taper(edges.rib, Math.min(3.4, options.width * 0.1 + 0.8), 0.6);
  plate.line.push(`<path d="${smooth(rib.outline, true)}" fill="${INK}"/>`);
  veins(plate, edges, options);
  return edges;
}

/** A petal: a base color, a deeper throat, lines running out from the claw. */
export function petal(plate, x, y, angle, options) {
  const { length, width, color, deep, lines = 7, frill = 0 } = options;
  const edges = leafEdges(plate, x, y, angle, { profile: 'petal', near: 1, far: 1, ...options });
  const outline = [...edges.sides[0], ...[...edges.sides[1]].reverse()].map((p) => [
    p[0] + plate.random.range(-frill, frill),
    p[1] + plate.random.range(-frill, frill),
  ]);
  shape(plate, smooth(outline, true), color, { pen: options.pen ?? 1.4 });
  const throat = [0.3, 0.42, 0.3].map((s, i) =>
    polar(x, y, angle + (i - 1) * (width / length) * 0.7, length * s * 1.5),
  );
  brush(plate, smooth([[x, y], ...throat], true), deep, 0.55);
  for (let i = 0; i < lines; i++) {
    const spread = ((i + 0.5) / lines - 0.5) * 2 * (width / length) * 0.62;
    const reach = length * plate.random.range(0.4, 0.68) * (1 - Math.abs(spread) * 0.3);
    const start = polar(x, y, angle + spread * 0.4, length * 0.07);
    const middle = polar(x, y, angle + spread * 0.85, reach * 0.55);
    stroke(plate, [start, middle, polar(x, y, angle + spread, reach)], 0.75, 0.75);
  }
  const rim = edges.sides[0].length - 1;
  for (let i = 0; i < lines; i++) {
    const t = 0.72 + (0.26 * i) / lines;
    const side = edges.sides[i % 2][Math.floor(t * rim)];
    const back = Math.atan2(y - side[1], x - side[0]);
    stroke(plate, [side, polar(side[0], side[1], back, length * plate.random.range(0.07, 0.16))], 0.7, 0.7);
  }
}

/** A round fruit or bud with curved hatching and a bright spot. */
export function ball(plate, x, y, radius, color, dark, { pen = 1.5, hatch = 7 } = {}) {
  const ring = [];
  for (let i = 0; i < 14; i++) ring.push(polar(x, y, (i / 14) * 2 * Math.PI, radius * plate.random.around(1, 0.02)));
  shape(plate, smooth(ring, true), color, { pen });
  const shade = `M${f(x + radius)} ${f(y)}A${f(radius)} ${f(radius)} 0 0 1 ${f(x - radius * 0.7)} ${f(y + radius * 0.7)}A${f(radius * 1.3)} ${f(radius * 1.3)} 0 0 0 ${f(x + radius)} ${f(y)}Z`;
  brush(plate, shade, dark, 0.6);
  const glint = `M${f(x - radius * 0.55)} ${f(y - radius * 0.3)}a${f(radius * 0.22)} ${f(radius * 0.18)} 0 1 1 0.1 0.1Z`;
  brush(plate, glint, '#fff', 0.9);
  for (let i = 0; i < hatch; i++) {
    const r = radius * (0.94 - i * 0.09);
    const [from, to] = [0.1 + i * 0.12, 1.9 - i * 0.17];
    if (to <= from) break;
    const points = [0, 0.33, 0.66, 1].map((t) => polar(x, y, from + (to - from) * t, r));
    stroke(plate, points, 0.75, 0.8);
  }
}

/** Roots that fork and thin out below a point. */
export function roots(plate, x, y, size) {
  const { random } = plate;
  const fork = (px, py, angle, length, width, depth) => {
    const points = arc(px, py, angle, length, random.range(-0.9, 0.9), 8).map((p) => [
      p[0] + random.range(-1.5, 1.5),
      p[1] + random.range(-1.5, 1.5),
    ]);
    points[0] = [px, py];
    const body = taper(points, width, width * 0.3);
    shape(plate, smooth(body.outline, true), '#c9a878', { pen: 1.2 });
    if (depth === 0) return;
    const children = random.int(1, 3);
    for (let i = 0; i < children; i++) {
      const from = along(points, random.range(0.4, 1));
      fork(
        from.x,
        from.y,
        from.angle + random.range(-0.7, 0.7),
        length * random.range(0.4, 0.8),
        width * 0.4,
        depth - 1,
      );
    }
  };
  const count = 7;
  for (let i = 0; i < count; i++)
    fork(x, y, Math.PI / 2 + ((i - (count - 1) / 2) / count) * 2.4, size * random.range(0.6, 1), size * 0.1, 2);
}

/** A coiling tendril. */
export function tendril(plate, x, y, angle, size, sense) {
  const points = [];
  for (let i = 0; i <= 46; i++) {
    const t = i / 46;
    const reach = arc(x, y, angle, size * t, sense * 0.9 * t, 4).at(-1);
    const coil = size * 0.2 * t * t;
    points.push(polar(reach[0], reach[1], angle + sense * t * 15, coil));
  }
  const body = taper(points, 2.6, 0.9);
  plate.line.push(`<path d="${smooth(body.outline, true)}" fill="${INK}"/>`);
  brush(plate, smooth(taper(points, 6, 3).outline, true), '#9db277');
}
