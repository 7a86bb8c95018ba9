// What sails, or swims, on the sea chart.

import { f, INK, polyline, smooth } from '../drawing/svg.mjs';
import { pen, solid } from './signs.mjs';

const PALE = '#fff';

function sail(x, y, w, h, fill) {
  const d = `M${f(x - w)} ${f(y)}Q${f(x)} ${f(y - h * 0.08)} ${f(x + w)} ${f(y)}Q${f(x + w * 1.32)} ${f(y + h * 0.55)} ${f(x + w * 0.94)} ${f(y + h)}Q${f(x)} ${f(y + h * 0.84)} ${f(x - w * 1.04)} ${f(y + h)}Q${f(x - w * 0.66)} ${f(y + h * 0.5)} ${f(x - w)} ${f(y)}Z`;
  const folds = [-0.5, 0, 0.5].map((t) =>
    pen(
      [
        [x + w * t, y + h * 0.1],
        [x + w * (t + 0.12), y + h * 0.5],
        [x + w * t, y + h * 0.82],
      ],
      0.8,
      0.7,
    ),
  );
  return solid(d, fill, 1.4) + folds.join('');
}

/** A three-masted ship under full sail. */
export function ship(x, y, size, flag = '#b4452f') {
  const p = (px, py) => [x + px * size, y + py * size];
  const hull = [
    p(-0.92, -0.3),
    p(-0.95, -0.1),
    p(-0.72, 0.12),
    p(-0.3, 0.2),
    p(0.4, 0.19),
    p(0.76, 0.05),
    p(0.98, -0.2),
    p(0.6, -0.12),
    p(-0.45, -0.08),
  ];
  const parts = [];
  for (const [mx, top] of [
    [-0.58, -1.2],
    [0, -1.65],
    [0.5, -1.3],
  ]) {
    parts.push(pen([p(mx, -0.05), p(mx, top)], 2.2));
    const pennant = [p(mx, top), p(mx + 0.18, top - 0.02), p(mx + 0.34, top + 0.05), p(mx, top + 0.1)];
    parts.push(solid(smooth(pennant, true), flag, 0.9));
    const tall = -top - 0.25;
    parts.push(sail(x + mx * size, y + (top + 0.14) * size, size * 0.17, size * tall * 0.34, PALE));
    parts.push(sail(x + mx * size, y + (top + 0.18 + tall * 0.36) * size, size * 0.25, size * tall * 0.44, PALE));
  }
  parts.push(pen([p(0.9, -0.2), p(1.36, -0.5)], 2), pen([p(1.36, -0.5), p(0.5, -1.25)], 0.8));
  for (const mx of [-0.58, 0])
    parts.push(pen([p(mx, -1.1), p(mx + 0.48, -0.12)], 0.7), pen([p(mx, -1.1), p(mx - 0.3, -0.12)], 0.7));
  parts.push(solid(smooth(hull, true), '#b08a5c', 1.8));
  for (const lift of [0.02, 0.1])
    parts.push(pen([p(-0.84, lift - 0.16), p(-0.2, lift), p(0.5, lift), p(0.86, lift - 0.12)], 1));
  for (let i = 0; i < 8; i++)
    parts.push(
      `<circle cx="${f(x + (-0.6 + i * 0.16) * size)}" cy="${f(y - 0.03 * size)}" r="${f(size * 0.026)}" fill="${INK}"/>`,
    );
  for (let i = 0; i < 5; i++) {
    const start = -1.2 + i * 0.5;
    parts.push(pen([p(start, 0.3), p(start + 0.12, 0.24), p(start + 0.26, 0.31), p(start + 0.4, 0.25)], 1.1));
  }
  return parts.join('');
}

/** A small boat with one sail, for those who zoom in. */
export function boat(x, y, size) {
  const p = (px, py) => [x + px * size, y + py * size];
  return [
    solid(polyline([p(0, -1.1), p(0.62, -0.2), p(0, -0.2)], true), PALE, 1),
    solid(polyline([p(-0.06, -0.95), p(-0.4, -0.2), p(-0.06, -0.2)], true), '#d9b27a', 1),
    solid(smooth([p(-0.6, -0.12), p(0.7, -0.12), p(0.42, 0.14), p(-0.4, 0.14)], true), '#8f6a44', 1),
    pen([p(-0.9, 0.26), p(-0.3, 0.2), p(0.3, 0.27), p(0.9, 0.2)], 0.9),
  ].join('');
}

/** A sea serpent in three loops. */
export function serpent(x, y, size) {
  const p = (px, py) => [x + px * size, y + py * size];
  const parts = [];
  for (const [cx, r] of [
    [-0.9, 0.3],
    [-0.1, 0.42],
    [0.8, 0.36],
  ]) {
    const loop = [p(cx - r, 0), p(cx - r * 0.8, -r * 1.1), p(cx, -r * 1.6), p(cx + r * 0.8, -r * 1.1), p(cx + r, 0)];
    const under = [
      p(cx + r * 0.5, 0),
      p(cx + r * 0.4, -r * 0.7),
      p(cx, -r),
      p(cx - r * 0.4, -r * 0.7),
      p(cx - r * 0.5, 0),
    ];
    parts.push(solid(`${smooth(loop)}L${smooth(under).slice(1)}Z`, '#9fb59a', 1.6));
    for (let i = 1; i < 12; i++) {
      const angle = Math.PI + (i / 12) * Math.PI;
      const out = p(cx + Math.cos(angle) * r * 0.92, Math.sin(angle) * r * 1.52);
      parts.push(
        solid(
          polyline(
            [out, [out[0] + size * 0.03, out[1] - size * 0.07], [out[0] + size * 0.05, out[1] + size * 0.01]],
            true,
          ),
          '#7d9a7c',
          0.8,
        ),
      );
      parts.push(pen([out, p(cx + Math.cos(angle) * r * 0.7, Math.sin(angle) * r * 1.25)], 0.8));
    }
    parts.push(
      pen(
        [p(cx - r * 1.4, 0.04), p(cx - r * 0.5, -0.03), p(cx, 0.05), p(cx + r * 0.5, -0.03), p(cx + r * 1.4, 0.04)],
        1.3,
      ),
    );
  }
  const neck = [
    p(1.32, 0),
    p(1.36, -0.5),
    p(1.58, -0.86),
    p(1.86, -0.8),
    p(2.1, -0.62),
    p(1.84, -0.6),
    p(1.7, -0.52),
    p(1.62, -0.3),
    p(1.64, 0),
  ];
  parts.push(
    solid(smooth(neck, true), '#9fb59a', 1.6),
    `<circle cx="${f(x + 1.72 * size)}" cy="${f(y - 0.74 * size)}" r="${f(size * 0.035)}" fill="${INK}"/>`,
  );
  parts.push(
    pen([p(2.06, -0.62), p(1.9, -0.66), p(1.78, -0.62)], 1.2),
    pen([p(2.1, -0.62), p(2.24, -0.56), p(2.3, -0.62)], 1.2),
  );
  parts.push(
    solid(
      polyline(
        [p(-1.5, 0), p(-1.62, -0.3), p(-1.9, -0.36), p(-1.7, -0.46), p(-1.66, -0.66), p(-1.5, -0.4), p(-1.36, 0)],
        true,
      ),
      '#7d9a7c',
      1.4,
    ),
  );
  return parts.join('');
}
