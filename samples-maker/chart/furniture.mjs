// The furniture of the chart: rhumb lines, frame, scale, cartouche and the plan of the harbour.

import { f, INK, polyline, smooth, text } from '../drawing/svg.mjs';
import { TITLE } from './names.mjs';
import { lighthouse, pen, solid, town, tree } from './signs.mjs';
import { boat, ship } from './vessels.mjs';

/** Lines of bearing: through the rose, and between sixteen points on a circle about it. */
export function rhumbs([x, y], width, height) {
  const reach = width + height;
  const colors = [INK, '#9c2f22', '#3f6a4a', '#9c2f22'];
  const lines = new Map();
  const add = (px, py, wind) => lines.set(`${f(px)} ${f(py)} ${wind % 16}`, [px, py, wind % 16]);
  for (let wind = 0; wind < 16; wind++) add(x, y, wind);
  for (let n = 0; n < 16; n++) {
    const angle = (n / 16) * 2 * Math.PI;
    for (let m = n + 2; m < 16; m += 2) add(x + Math.cos(angle) * 1500, y + Math.sin(angle) * 1500, (n + m) / 2 + 4);
  }
  return [...lines.values()]
    .map(([px, py, wind]) => {
      const [dx, dy] = [Math.cos((wind / 8) * Math.PI) * reach, Math.sin((wind / 8) * Math.PI) * reach];
      return `<path d="M${f(px - dx)} ${f(py - dy)}L${f(px + dx)} ${f(py + dy)}" stroke="${colors[wind % 4]}" stroke-width="1.1" opacity="0.42"/>`;
    })
    .join('');
}

/** The graduated border with degrees and minutes. */
export function frame(width, height, edge) {
  const box = (inset, pen) =>
    `<rect x="${inset}" y="${inset}" width="${width - 2 * inset}" height="${height - 2 * inset}" fill="none" stroke="${INK}" stroke-width="${pen}"/>`;
  const parts = [box(edge, 3), box(edge - 16, 1.4), box(edge - 34, 1.4), box(edge - 88, 5), box(edge - 100, 1.6)];
  const unit = 50;
  const side = (length, tickAt, degree, vertical) => {
    const count = Math.floor((length - 2 * edge) / unit);
    for (let i = 0; i < count; i++) {
      const at = edge + i * unit;
      parts.push(tickAt(at, i));
      if (i % 5 === 2 && i > 1) parts.push(degree(at, vertical));
    }
  };
  const bar = (x, y, w, h) => `<rect x="${x}" y="${y}" width="${w}" height="${h}" fill="${INK}"/>`;
  const far = { x: width - edge, y: height - edge };
  side(
    width,
    (at, i) =>
      (i % 2 === 0 ? bar(at, edge - 34, unit, 18) : '') +
      bar(at, edge - 16, unit / 2, 16) +
      (i % 2 === 0 ? bar(at, far.y + 16, unit, 18) : '') +
      bar(at, far.y, unit / 2, 16),
    (at) =>
      degreeMark(at, edge - 50, Math.round(at / 250) + 8, '°') +
      degreeMark(at, far.y + 74, Math.round(at / 250) + 8, '°'),
    false,
  );
  side(
    height,
    (at, i) =>
      (i % 2 === 0 ? bar(edge - 34, at, 18, unit) : '') +
      bar(edge - 16, at, 16, unit / 2) +
      (i % 2 === 0 ? bar(far.x + 16, at, 18, unit) : '') +
      bar(far.x, at, 16, unit / 2),
    (at) =>
      degreeMark(edge - 61, at + 9, 54 - Math.round(at / 250), '°') +
      degreeMark(far.x + 61, at + 9, 54 - Math.round(at / 250), '°'),
    true,
  );
  return parts.join('');
}

const degreeMark = (x, y, number, sign) => text(x, y, `${number}${sign}`, { size: 27, anchor: 'middle' });

export function scaleBar(x, y) {
  const unit = 120;
  const parts = [
    `<rect x="${x - 30}" y="${y - 76}" width="${unit * 5 + 90}" height="128" fill="#fff" stroke="${INK}" stroke-width="2"/>`,
  ];
  parts.push(
    `<rect x="${x - 22}" y="${y - 68}" width="${unit * 5 + 74}" height="112" fill="none" stroke="${INK}" stroke-width="1"/>`,
  );
  parts.push(text(x + unit * 2.5, y - 36, 'A Scale of Sea Leagues', { size: 25, italic: true, anchor: 'middle' }));
  for (let i = 0; i < 5; i++) {
    parts.push(`<rect x="${x + i * unit}" y="${y + (i % 2) * 9 - 9}" width="${unit}" height="9" fill="${INK}"/>`);
    parts.push(text(x + i * unit, y + 34, String(i * 5), { size: 21, anchor: 'middle' }));
  }
  for (let i = 1; i < 10; i++)
    parts.push(
      pen(
        [
          [x + i * 12, y - 9],
          [x + i * 12, y + 9],
        ],
        1,
      ),
    );
  parts.push(
    `<rect x="${x}" y="${y - 9}" width="${unit * 5}" height="18" fill="none" stroke="${INK}" stroke-width="1.6"/>`,
    text(x + unit * 5, y + 34, '25', { size: 21, anchor: 'middle' }),
  );
  return parts.join('');
}

/** A scroll at one side of the cartouche. */
function scroll(x, y, size, sense) {
  const points = [];
  for (let i = 0; i <= 40; i++) {
    const t = i / 40;
    const r = size * (1 - t * 0.85);
    points.push([x + sense * Math.cos(t * 11) * r, y + Math.sin(t * 11) * r]);
  }
  return (
    pen(points, 3.2) +
    pen(
      points.map(([px, py]) => [px + 4, py + 4]),
      1,
    )
  );
}

const LABEL = [900, 380];

/** The outline of the title's sheet. */
export function cartoucheSheet(x, y) {
  const [w, h] = LABEL;
  return [
    [x, y + 22],
    [x + w * 0.25, y + 6],
    [x + w * 0.5, y + 16],
    [x + w * 0.75, y + 4],
    [x + w, y + 20],
    [x + w - 14, y + h * 0.5],
    [x + w, y + h - 18],
    [x + w * 0.7, y + h - 4],
    [x + w * 0.3, y + h - 16],
    [x, y + h - 2],
    [x + 12, y + h * 0.5],
  ];
}

export function cartouche(random, x, y) {
  const [w, h] = LABEL;
  const sheet = cartoucheSheet(x, y);
  const inner = sheet.map(([px, py]) => [x + w / 2 + (px - x - w / 2) * 0.968, y + h / 2 + (py - y - h / 2) * 0.935]);
  const middle = x + w / 2;
  const parts = [
    solid(
      smooth(
        sheet.map(([px, py]) => [px + 10, py + 12]),
        true,
      ),
      '#a58a66',
      0.1,
    ),
    solid(smooth(sheet, true), '#fff', 4),
    `<path d="${smooth(inner, true)}" fill="none" stroke="${INK}" stroke-width="1.4"/>`,
    text(middle, y + 82, TITLE.over, { size: 31, anchor: 'middle', spacing: 5 }),
    text(middle, y + 160, TITLE.main, { size: 76, anchor: 'middle', spacing: 9, fill: '#9c2f22' }),
    ...TITLE.lines.map((line, i) => text(middle, y + 212 + i * 37, line, { size: 28, italic: true, anchor: 'middle' })),
    text(middle, y + 338, TITLE.foot, { size: 22, anchor: 'middle', spacing: 3 }),
  ];
  for (const [px, sense] of [
    [x - 4, -1],
    [x + w + 4, 1],
  ])
    parts.push(scroll(px, y + 36, 34, sense), scroll(px, y + h - 34, 34, sense));
  for (let i = 0; i < 7; i++)
    parts.push(
      tree(random, x + 66 + random.range(-14, 14), y + 338 - i * 4, 20),
      tree(random, x + w - 66 + random.range(-14, 14), y + 338 - i * 4, 20),
    );
  return parts.join('');
}

/** Rows of houses along a street of the harbour plan. */
function street(random, x, y, count, turn, name) {
  const step = 27;
  const parts = [text(x + 2, y - 20, name, { size: 14, italic: true })];
  for (let i = 0; i < count; i++) {
    for (const row of [-15, 6]) {
      const w = random.range(step * 0.6, step * 0.92);
      const shade = random.pick(['#c98a6a', '#d6a07c', '#bb7a5c']);
      parts.push(
        `<rect x="${f(x + i * step)}" y="${f(y + row)}" width="${f(w)}" height="${f(random.range(9, 13))}" fill="${shade}" stroke="${INK}" stroke-width="1"/>`,
      );
      parts.push(
        pen(
          [
            [x + i * step, y + row + 5],
            [x + i * step + w, y + row + 5],
          ],
          0.6,
        ),
      );
    }
  }
  return `<g transform="rotate(${turn} ${f(x)} ${f(y)})">${parts.join('')}</g>`;
}

/** "A Plan of the Harbour", in a corner of its own. */
export function inset(random, x, y, w, h) {
  const p = (u, v) => [x + u * w, y + v * h];
  const quay = [
    p(0, 0.62),
    p(0.16, 0.6),
    p(0.24, 0.52),
    p(0.3, 0.72),
    p(0.42, 0.8),
    p(0.55, 0.74),
    p(0.62, 0.56),
    p(0.7, 0.5),
    p(0.84, 0.56),
    p(1, 0.48),
  ];
  const land = `${smooth(quay)}L${x + w} ${y}L${x} ${y}Z`;
  const parts = [
    `<clipPath id="plan"><rect x="${x}" y="${y}" width="${w}" height="${h}"/></clipPath>`,
    `<rect x="${x - 14}" y="${y - 14}" width="${w + 28}" height="${h + 28}" fill="#fff" stroke="${INK}" stroke-width="3"/>`,
  ];
  const inner = [
    `<rect x="${x}" y="${y}" width="${w}" height="${h}" fill="#cfe0dd"/>`,
    `<path d="${land}" fill="#f0e2bd" stroke="${INK}" stroke-width="2.4"/>`,
  ];
  for (const down of [7, 15, 25])
    inner.push(
      pen(
        quay.map(([px, py]) => [px, py + down]),
        1.2 - down * 0.02,
        0.7,
      ),
    );
  for (const [u, v, ...rest] of [
    [0.05, 0.55, 5, -4, ''],
    [0.05, 0.41, 10, -2, 'Long Shelf Street'],
    [0.335, 0.695, 5, 2, 'Fish Steps'],
    [0.31, 0.55, 7, -2, 'Binders’ Row'],
    [0.08, 0.27, 15, -1, 'Paper Lane'],
    [0.67, 0.46, 7, 1, 'Hush Street'],
  ])
    inner.push(street(random, ...p(u, v), ...rest));
  for (let i = 0; i < 22; i++) inner.push(tree(random, ...p(random.range(0.76, 0.97), random.range(0.23, 0.36)), 17));
  const mole = [p(0.3, 0.74), p(0.33, 0.86), p(0.42, 0.92), p(0.5, 0.92)];
  inner.push(
    `<path d="${smooth(mole)}" fill="none" stroke="${INK}" stroke-width="11"/><path d="${smooth(mole)}" fill="none" stroke="#f0e2bd" stroke-width="7"/>`,
    lighthouse(...p(0.51, 0.92), 40),
  );
  inner.push(
    ship(...p(0.76, 0.8), 42),
    boat(...p(0.62, 0.9), 18),
    boat(...p(0.46, 0.87), 14),
    boat(...p(0.16, 0.84), 20),
    town(random, ...p(0.57, 0.41), 22),
  );
  for (const [u, v, word] of [
    [0.12, 0.72, '3'],
    [0.22, 0.9, '5½'],
    [0.6, 0.76, '4'],
    [0.9, 0.7, '7'],
    [0.88, 0.9, '9'],
  ])
    inner.push(text(...p(u, v), word, { size: 16, anchor: 'middle' }));
  inner.push(text(...p(0.8, 0.175), 'The Orchard', { size: 14, italic: true }));
  parts.push(`<g clip-path="url(#plan)">${inner.join('')}</g>`);
  parts.push(`<rect x="${x}" y="${y}" width="${w}" height="${h}" fill="none" stroke="${INK}" stroke-width="1.6"/>`);
  parts.push(
    solid(polyline([p(0.03, 0.03), p(0.7, 0.03), p(0.7, 0.14), p(0.03, 0.14)], true), '#fff', 1.4),
    text(...p(0.365, 0.11), 'The Harbour of PORT VELLUM', { size: 27, anchor: 'middle' }),
  );
  return parts.join('');
}
