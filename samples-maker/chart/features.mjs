// Draws the features of the chart: hills, woods, rivers, towns, names along the shore, soundings.

import { fbm } from '../drawing/random.mjs';
import { smooth, taper, text } from '../drawing/svg.mjs';
import { measure } from '../drawing/type.mjs';
import { BOTTOMS, COAST, NOTES, TOWNS } from './names.mjs';
import { hill, lighthouse, pen, town, tree } from './signs.mjs';
import { boat } from './vessels.mjs';

const CELL = 10;

/** Records which parts of the sheet are occupied. */
export function makeSheet(width, height, frame) {
  const columns = Math.ceil(width / CELL);
  const taken = new Uint8Array(columns * Math.ceil(height / CELL));
  const visit = (x, y, w, h, each) => {
    for (let r = Math.floor(y / CELL); r <= Math.floor((y + h) / CELL); r++)
      for (let c = Math.floor(x / CELL); c <= Math.floor((x + w) / CELL); c++)
        if (each(r * columns + c) === false) return false;
    return true;
  };
  return {
    free: (x, y, w, h) =>
      x > frame &&
      y > frame &&
      x + w < width - frame &&
      y + h < height - frame &&
      visit(x, y, w, h, (i) => taken[i] === 0),
    take: (x, y, w, h) => {
      visit(x, y, w, h, (i) => {
        taken[i] = 1;
      });
    },
  };
}

/** The direction out to sea at a point, in radians. */
function seaward(shore, x, y) {
  return Math.atan2(shore(x, y + 8) - shore(x, y - 8), shore(x + 8, y) - shore(x - 8, y));
}

/** Random points kept apart, with a test each must pass. */
function scatter(random, width, height, tries, gap, test) {
  const points = [];
  for (let i = 0; i < tries; i++) {
    const p = [random.range(220, width - 220), random.range(220, height - 220)];
    if (test(p[0], p[1]) && points.every((q) => Math.hypot(p[0] - q[0], p[1] - q[1]) > gap)) points.push(p);
  }
  return points;
}

export function placeTowns({ random, shore, sheet, width, height }) {
  const spots = scatter(random, width, height, 9000, 390, (x, y) => {
    const depth = shore(x, y);
    const clear = shore(x - 95, y + 45) < -6 && shore(x + 95, y + 45) < -6;
    return clear && depth < -48 && depth > -90 && sheet.free(x - 110, y - 64, 220, 126);
  });
  return spots
    .slice(0, TOWNS.length)
    .map(([x, y], i) => {
      const size = i === 0 ? 40 : random.range(24, 31);
      sheet.take(x - size * 1.8, y - size * 2, size * 3.4, size * 3.2);
      const name = TOWNS[i];
      const wide = measure(name, 34);
      sheet.take(x - wide / 2, y + size * 0.5, wide, 38);
      return (
        town(random, x, y, size) + text(x, y + size * 0.6 + 30, name, { size: i === 0 ? 38 : 32, anchor: 'middle' })
      );
    })
    .join('');
}

/** Names written inland from the shore, as on the old portolans. */
export function placeCoastNames({ random, shore, sheet, rings }) {
  const parts = [];
  let next = 0;
  const tryName = ([x, y]) => {
    const inland = seaward(shore, x, y) + Math.PI;
    const size = random.range(19, 24);
    const length = measure(COAST[next % COAST.length], size) + 14;
    const spots = [];
    for (let s = 12; s <= length + 12; s += 9) spots.push([x + Math.cos(inland) * s, y + Math.sin(inland) * s]);
    if (!spots.every(([px, py]) => sheet.free(px - 11, py - 11, 22, 22) && shore(px, py) < -5)) return;
    for (const [px, py] of spots) sheet.take(px - 15, py - 15, 30, 30);
    const flip = Math.cos(inland) < 0;
    const [tx, ty] = [
      x + Math.cos(inland) * 13 - Math.sin(inland) * (flip ? -6 : 6),
      y + Math.sin(inland) * 13 + Math.cos(inland) * (flip ? -6 : 6),
    ];
    const turn = (inland * 180) / Math.PI + (flip ? 180 : 0);
    const fill = next % 7 === 0 ? '#9c2f22' : '#33241a';
    parts.push(
      text(tx, ty, COAST[next % COAST.length], { size, italic: true, turn, anchor: flip ? 'end' : 'start', fill }),
    );
    next++;
  };
  for (const ring of rings) for (let i = 0; i < ring.length && next < COAST.length; i += 13) tryName(ring[i]);
  return parts.join('');
}

export function placeRivers({ random, shore, width, height }) {
  const springs = scatter(random, width, height, 3000, 260, (x, y) => shore(x, y) < -150);
  return springs
    .map(([x, y]) => {
      const points = [[x, y]];
      let [px, py] = [x, y];
      for (let i = 0; i < 90 && shore(px, py) < 4; i++) {
        const angle = seaward(shore, px, py) + (fbm(px / 60, py / 60, 3, 31) - 0.5) * 4.4;
        px += Math.cos(angle) * 10;
        py += Math.sin(angle) * 10;
        points.push([px, py]);
      }
      if (points.length < 12 || shore(px, py) < 0) return '';
      const body = taper(points, 1.2, 6);
      return (
        pen(body.left, 1.1) +
        pen(
          body.left.map((_, i) => body.outline[body.outline.length - 1 - i]),
          1.1,
        )
      );
    })
    .join('');
}

/** Ranges of hills where noise says so, woods elsewhere; painted from the back to the front. */
export function placeHills({ random, shore, sheet, width, height }) {
  const wanted = (x, y) => fbm(x / 330, y / 260, 3, 611);
  const spots = scatter(
    random,
    width,
    height,
    16000,
    56,
    (x, y) => shore(x, y) < -48 && sheet.free(x - 38, y - 48, 76, 58),
  );
  const signs = [];
  for (const [x, y] of spots.sort((a, b) => a[1] - b[1])) {
    const high = wanted(x, y);
    if (high > 0.54) {
      signs.push(hill(random, x, y, 26 + (high - 0.54) * 130));
      sheet.take(x - 20, y - 20, 40, 20);
    } else if (high < 0.44 || random.chance(0.12)) {
      for (let i = 0; i < 4; i++)
        signs.push(tree(random, x + random.range(-26, 26), y + i * 7 - 12, random.range(15, 21)));
      sheet.take(x - 20, y - 20, 40, 20);
    } else if (random.chance(0.3)) {
      signs.push(grass(random, x, y));
    }
  }
  return signs.join('');
}

function grass(random, x, y) {
  const tuft = (px, py) =>
    [-1, 0, 1]
      .map((lean) =>
        pen(
          [
            [px + lean * 2, py],
            [px + lean * 6, py - 9],
          ],
          1,
        ),
      )
      .join('');
  return [0, 1, 2].map(() => tuft(x + random.range(-24, 24), y + random.range(-12, 12))).join('');
}

export function placeSoundings({ random, shore, sheet, width, height }) {
  const spots = scatter(
    random,
    width,
    height,
    22000,
    66,
    (x, y) => shore(x, y) > 62 && sheet.free(x - 20, y - 22, 40, 28),
  );
  const notes = [...NOTES];
  const parts = [];
  for (let i = 0; i < spots.length && notes.length > 0; i += 9)
    if (placeNote(parts, sheet, shore, spots[i][0], spots[i][1], notes[0])) notes.shift();
  for (const [x, y] of spots) {
    if (!sheet.free(x - 20, y - 22, 40, 28)) continue;
    const kind = random.next();
    if (kind > 0.972 && sheet.free(x - 60, y - 60, 120, 90)) {
      parts.push(boat(x, y, random.range(24, 34)));
      sheet.take(x - 40, y - 40, 80, 60);
    } else {
      parts.push(sounding(random, shore(x, y), x, y));
      sheet.take(x - 14, y - 16, 28, 20);
    }
  }
  return parts.join('');
}

function placeNote(parts, sheet, shore, x, y, note) {
  const wide = measure(note, 17);
  if (!sheet.free(x, y - 20, wide + 20, 30) || shore(x + wide, y) < 40) return false;
  sheet.take(x - 10, y - 30, wide + 30, 44);
  parts.push(text(x, y, note, { size: 17, italic: true }));
  return true;
}

function sounding(random, distance, x, y) {
  const fathoms = Math.max(2, Math.round((distance / 15) ** 1.08 * random.range(0.85, 1.15)));
  const quarter = fathoms < 9 && random.chance(0.3) ? random.pick(['½', '¼', '¾']) : '';
  const number = text(x, y, `${fathoms}${quarter}`, { size: 20, anchor: 'middle' });
  if (!random.chance(0.13)) return number;
  return number + text(x, y + 16, random.pick(BOTTOMS), { size: 12, italic: true, anchor: 'middle' });
}

/** Sands and rocks: dotted outlines with crosses. */
export function placeShoals({ random, shore, sheet, width, height }) {
  const spots = scatter(
    random,
    width,
    height,
    2500,
    520,
    (x, y) => shore(x, y) > 110 && shore(x, y) < 230 && sheet.free(x - 90, y - 60, 180, 120),
  );
  return spots
    .map(([x, y], i) => {
      sheet.take(x - 95, y - 60, 190, 120);
      const outline = [];
      for (let k = 0; k < 12; k++) {
        const angle = (k / 12) * 2 * Math.PI;
        outline.push([x + Math.cos(angle) * random.range(58, 84), y + Math.sin(angle) * random.range(28, 46)]);
      }
      const dots = [];
      for (let k = 0; k < 90; k++) {
        const [angle, r] = [random.range(0, 6.3), Math.sqrt(random.next())];
        dots.push(
          `<circle cx="${(x + Math.cos(angle) * r * 62).toFixed(1)}" cy="${(y + Math.sin(angle) * r * 32).toFixed(1)}" r="1.3" fill="#33241a"/>`,
        );
      }
      const edge = `<path d="${smooth(outline, true)}" fill="none" stroke="#33241a" stroke-width="2" stroke-dasharray="0.1 6" stroke-linecap="round"/>`;
      const names = [
        'The Footnotes',
        'Errant Sands',
        'Inkblot Shoal',
        'The Hyphens',
        'Misprint Bank',
        'The Brackets',
        'Dog’s Ear',
        'The Ellipsis',
      ];
      return (
        edge + dots.join('') + text(x, y + 7, names[i % names.length], { size: 20, italic: true, anchor: 'middle' })
      );
    })
    .join('');
}

/** Lighthouses on a few capes. */
export function placeLights({ random, shore, sheet, width, height }) {
  const spots = scatter(random, width, height, 9000, 620, (x, y) => {
    const depth = shore(x, y);
    return depth < -12 && depth > -24 && sheet.free(x - 30, y - 60, 70, 64);
  });
  return spots
    .map(([x, y]) => {
      sheet.take(x - 30, y - 60, 80, 66);
      return lighthouse(x, y, 40);
    })
    .join('');
}
