// The compass rose of the sea chart.

import { f, INK, polyline, smooth, text } from '../drawing/svg.mjs';
import { pen, solid } from './signs.mjs';

const PALE = '#fff';

/** The compass rose with its thirty-two winds. */
export function compassRose(x, y, radius) {
  const p = (angle, r) => [x + Math.sin(angle) * r, y - Math.cos(angle) * r];
  const ring = (r, width, fill = 'none') =>
    `<circle cx="${x}" cy="${y}" r="${f(r)}" fill="${fill}" stroke="${INK}" stroke-width="${width}"/>`;
  const parts = [ring(radius * 0.86, 2.4, PALE), ring(radius * 0.81, 1), ring(radius * 0.62, 1)];
  for (let i = 0; i < 128; i++) {
    const angle = (i / 128) * 2 * Math.PI;
    parts.push(pen([p(angle, radius * 0.81), p(angle, radius * (i % 4 === 0 ? 0.77 : 0.79))], i % 4 === 0 ? 1.4 : 0.8));
  }
  const points = (count, offset, long, wide, colors) => {
    for (let i = 0; i < count; i++) {
      const angle = ((i + offset) / count) * 2 * Math.PI;
      const [tip, left, right] = [
        p(angle, long),
        p(angle - Math.PI / (count * wide), long * 0.3),
        p(angle + Math.PI / (count * wide), long * 0.3),
      ];
      parts.push(
        solid(polyline([tip, left, [x, y]], true), colors[0], 1.2),
        solid(polyline([tip, right, [x, y]], true), colors[1], 1.2),
      );
    }
  };
  points(16, 0.5, radius * 0.6, 1.4, [PALE, '#8a9a86']);
  points(8, 0.5, radius * 0.7, 1.1, [PALE, '#c08a3e']);
  points(4, 0.5, radius * 0.86, 1, [PALE, '#3f6480']);
  points(4, 0, radius, 1, [PALE, '#a33c2b']);
  parts.push(ring(radius * 0.13, 1.6, PALE), ring(radius * 0.085, 1, '#c08a3e'), ring(radius * 0.03, 1, INK));
  const winds = ['Tramontane', 'Greco', 'Levant', 'Scirocco', 'Ostro', 'Garbin', 'Ponent', 'Maestro'];
  winds.forEach((name, i) => {
    const angle = (i / 8) * 2 * Math.PI + 0.2;
    const at = p(angle, radius * 0.685);
    parts.push(
      text(at[0], at[1], name, { size: radius * 0.055, italic: true, anchor: 'middle', turn: (angle * 180) / Math.PI }),
    );
  });
  const fleur = [
    p(0, radius * 1.28),
    p(0.05, radius * 1.15),
    p(0.02, radius * 1.04),
    p(-0.02, radius * 1.04),
    p(-0.05, radius * 1.15),
  ];
  const wing = (s) => [
    p(0, radius * 1.06),
    p(s * 0.06, radius * 1.14),
    p(s * 0.13, radius * 1.17),
    p(s * 0.15, radius * 1.09),
    p(s * 0.1, radius * 1.07),
    p(s * 0.05, radius * 1.05),
  ];
  parts.push(
    solid(smooth(wing(1), true), '#3f6480'),
    solid(smooth(wing(-1), true), '#3f6480'),
    solid(smooth(fleur, true), '#3f6480'),
  );
  return parts.join('');
}
