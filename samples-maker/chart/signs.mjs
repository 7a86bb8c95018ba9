// The engraver's small signs for a sea chart: hills, trees, houses and lights.
import { f, INK, polyline, smooth } from '../drawing/svg.mjs';

export const pen = (points, width = 1.2, opacity = 1) =>
  `<path d="${smooth(points)}" fill="none" stroke="${INK}" stroke-width="${f(width)}" stroke-linecap="round"${opacity === 1 ? '' : ` opacity="${opacity}"`}/>`;
export const solid = (d, fill = INK, width = 1.2) =>
  `<path d="${d}" fill="${fill}" stroke="${INK}" stroke-width="${f(width)}" stroke-linejoin="round"/>`;
const PALE = '#fff';

/** A hill like a molehill, shaded on its eastern side. */
export function hill(random, x, y, size) {
  const top = size * random.range(0.75, 1.05);
  const ridge = [
    [x - size, y],
    [x - size * 0.55, y - top * 0.55],
    [x - size * 0.08, y - top],
    [x + size * 0.3, y - top * 0.72],
    [x + size * 0.62, y - top * 0.38],
    [x + size, y + size * 0.05],
  ];
  const lines = [`<path d="${smooth(ridge)}" fill="${PALE}" stroke="none"/>`, pen(ridge, 1.8)];
  for (let i = 0; i < 9; i++) {
    const t = i / 9;
    const px = x + size * (-0.02 + t * 0.92);
    const py = y - top * (0.97 - t * 0.95);
    const fall = top * (0.62 - t * 0.5) * random.range(0.75, 1.1);
    lines.push(
      pen(
        [
          [px, py],
          [px + size * 0.03, py + fall * 0.5],
          [px + size * 0.12, py + fall],
        ],
        1.1,
      ),
    );
  }
  for (let i = 0; i < 3; i++) {
    const px = x - size * (0.7 - i * 0.2);
    lines.push(
      pen(
        [
          [px, y - top * (0.26 + i * 0.2)],
          [px - size * 0.03, y - top * 0.1],
        ],
        0.9,
      ),
    );
  }
  return lines.join('');
}

export function tree(random, x, y, size) {
  const crown = [];
  for (let i = 0; i < 9; i++) {
    const angle = (i / 9) * 2 * Math.PI;
    const r = size * 0.5 * random.range(0.82, 1.12);
    crown.push([x + Math.cos(angle) * r, y - size * 0.75 + Math.sin(angle) * r * 0.9]);
  }
  const shade = [0, 1, 2].map((i) =>
    pen(
      [
        [x + size * 0.08, y - size * (0.42 + i * 0.16)],
        [x + size * 0.38, y - size * (0.5 + i * 0.16)],
      ],
      0.9,
    ),
  );
  return `${pen(
    [
      [x, y],
      [x, y - size * 0.4],
    ],
    1.6,
  )}${solid(smooth(crown, true), PALE, 1.2)}${shade.join('')}`;
}

function house(x, y, w, h) {
  const roof = polyline(
    [
      [x - w * 0.1, y - h],
      [x + w * 0.5, y - h * 1.7],
      [x + w * 1.1, y - h],
    ],
    true,
  );
  const door = `<rect x="${f(x + w * 0.4)}" y="${f(y - h * 0.5)}" width="${f(w * 0.22)}" height="${f(h * 0.5)}" fill="${INK}"/>`;
  return (
    solid(
      polyline(
        [
          [x, y],
          [x, y - h],
          [x + w, y - h],
          [x + w, y],
        ],
        true,
      ),
      PALE,
      1.1,
    ) +
    solid(roof, '#c98a6a', 1.1) +
    door
  );
}

/** A town: a few houses about a church with a spire and a flag. */
export function town(random, x, y, size) {
  const parts = [];
  for (let i = 0; i < 6; i++)
    parts.push(
      house(
        x + (i - 3) * size * 0.42 + random.range(-3, 3),
        y + random.range(-size * 0.4, 0),
        size * 0.38,
        size * random.range(0.3, 0.42),
      ),
    );
  const spire = polyline(
    [
      [x - size * 0.12, y - size * 0.9],
      [x + size * 0.06, y - size * 1.75],
      [x + size * 0.24, y - size * 0.9],
    ],
    true,
  );
  parts.push(
    solid(
      polyline(
        [
          [x - size * 0.12, y + 3],
          [x - size * 0.12, y - size * 0.9],
          [x + size * 0.24, y - size * 0.9],
          [x + size * 0.24, y + 3],
        ],
        true,
      ),
      PALE,
      1.2,
    ),
  );
  parts.push(
    solid(spire, '#7c93a3', 1.2),
    pen(
      [
        [x + size * 0.06, y - size * 1.75],
        [x + size * 0.06, y - size * 2.1],
      ],
      1.1,
    ),
  );
  parts.push(
    solid(
      polyline(
        [
          [x + size * 0.06, y - size * 2.1],
          [x + size * 0.42, y - size * 2],
          [x + size * 0.06, y - size * 1.9],
        ],
        true,
      ),
      '#b4452f',
      0.8,
    ),
  );
  for (let i = 0; i < 4; i++)
    parts.push(
      house(
        x + (i - 2) * size * 0.46 + random.range(-4, 4),
        y + size * 0.34 + random.range(-3, 3),
        size * 0.36,
        size * 0.32,
      ),
    );
  return parts.join('');
}

export function lighthouse(x, y, size) {
  const tower = polyline(
    [
      [x - size * 0.2, y],
      [x - size * 0.12, y - size],
      [x + size * 0.12, y - size],
      [x + size * 0.2, y],
    ],
    true,
  );
  const rays = [-0.5, -0.15, 0.2].map((a) =>
    pen(
      [
        [x + size * 0.2, y - size * 1.1],
        [x + size * (0.9 - Math.abs(a) * 0.2), y - size * (1.1 - a)],
      ],
      0.9,
    ),
  );
  const bands = [0.3, 0.6].map(
    (t) =>
      `<path d="M${f(x - size * 0.17)} ${f(y - size * t)}h${f(size * 0.34)}" stroke="#b4452f" stroke-width="${f(size * 0.1)}"/>`,
  );
  return `${solid(tower, PALE)}${bands.join('')}${solid(`M${f(x - size * 0.14)} ${f(y - size)}h${f(size * 0.28)}v${f(-size * 0.2)}l${f(-size * 0.14)} ${f(-size * 0.14)}l${f(-size * 0.14)} ${f(size * 0.14)}Z`, '#e2b443')}${rays.join('')}`;
}
