// The relief of a worn coin: a ship between ears of barley, a beaded rim, a legend round the edge.
import sharp from 'sharp';
import { clamp, fbm, smoothstep } from '../drawing/random.mjs';
import { f, smooth } from '../drawing/svg.mjs';

const FAMILY = 'DejaVu Serif, Georgia, serif';
const CENTRE = 440;
const RADIUS = 370;
const LEGEND = 'LECTERN · LUX · LIBRORUM · PORTUS · VELLUM · ';

const p = (points) => points.map(([x, y]) => [CENTRE + x, CENTRE + y]);
const fill = (points) => `<path d="${smooth(p(points), true)}" fill="#fff"/>`;
const line = (points, width) =>
  `<path d="${smooth(p(points))}" fill="none" stroke="#fff" stroke-width="${width}" stroke-linecap="round"/>`;
const groove = (points, width = 4) =>
  `<path d="${smooth(p(points))}" fill="none" stroke="#000" stroke-width="${width}" stroke-linecap="round" opacity="0.75"/>`;

/** Letters set round the rim, each turned by hand a little. */
function legend() {
  const letters = [...LEGEND];
  return letters
    .map((letter, i) => {
      const angle = (i / letters.length) * 360 + Math.sin(i * 7.3) * 1.1;
      return `<text x="${CENTRE}" y="${CENTRE - 277 + f(Math.sin(i * 3.1) * 2) * 1}" font-family="${FAMILY}" font-weight="bold" font-size="45" text-anchor="middle" fill="#fff" transform="rotate(${f(angle)} ${CENTRE} ${CENTRE})">${letter}</text>`;
    })
    .join('');
}

function beads() {
  const parts = [];
  for (let i = 0; i < 84; i++) {
    const angle = (i / 84) * 2 * Math.PI;
    const reach = 340 + Math.sin(i * 5.7) * 1.6;
    parts.push(
      `<circle cx="${f(CENTRE + Math.cos(angle) * reach)}" cy="${f(CENTRE + Math.sin(angle) * reach)}" r="${f(7.6 + Math.sin(i * 2.9))}" fill="#fff"/>`,
    );
  }
  for (let i = 0; i < 120; i++) {
    const angle = (i / 120) * 2 * Math.PI;
    parts.push(
      `<circle cx="${f(CENTRE + Math.cos(angle) * 258)}" cy="${f(CENTRE + Math.sin(angle) * 258)}" r="3.4" fill="#fff"/>`,
    );
  }
  return parts.join('');
}

/** A galley with one square sail, a stern like a swan's neck and a bank of oars. */
function galley() {
  const parts = [];
  for (let i = 0; i < 11; i++)
    parts.push(
      line(
        [
          [-112 + i * 22, 84],
          [-132 + i * 22, 146],
        ],
        7,
      ),
    );
  parts.push(
    fill([
      [-178, 26],
      [-150, 62],
      [-60, 76],
      [70, 76],
      [140, 60],
      [180, 20],
      [164, 78],
      [120, 112],
      [-110, 114],
      [-158, 84],
    ]),
  );
  parts.push(
    groove([
      [-150, 78],
      [-60, 92],
      [70, 92],
      [150, 70],
    ]),
  );
  parts.push(
    line(
      [
        [-160, 62],
        [-196, 20],
        [-196, -40],
        [-170, -66],
        [-148, -48],
      ],
      15,
    ),
  );
  parts.push(
    line(
      [
        [166, 50],
        [196, 6],
        [206, -30],
      ],
      14,
    ),
    line(
      [
        [206, -30],
        [222, -46],
      ],
      9,
    ),
    line(
      [
        [206, -30],
        [190, -48],
      ],
      9,
    ),
  );
  parts.push(
    line(
      [
        [0, 70],
        [0, -196],
      ],
      11,
    ),
    line(
      [
        [-122, -168],
        [122, -168],
      ],
      10,
    ),
  );
  parts.push(
    fill([
      [-112, -162],
      [0, -154],
      [112, -162],
      [128, -90],
      [104, 10],
      [0, 26],
      [-104, 10],
      [-92, -80],
    ]),
  );
  for (const x of [-62, -20, 24, 66])
    parts.push(
      groove(
        [
          [x, -148],
          [x * 1.16 + 8, -80],
          [x * 0.98, 8],
        ],
        5,
      ),
    );
  parts.push(
    groove(
      [
        [-94, -70],
        [10, -58],
        [118, -70],
      ],
      5,
    ),
  );
  parts.push(
    line(
      [
        [-122, -168],
        [-170, -10],
      ],
      4,
    ),
    line(
      [
        [122, -168],
        [184, 4],
      ],
      4,
    ),
    fill([
      [0, -204],
      [44, -214],
      [64, -200],
      [40, -192],
      [0, -186],
    ]),
  );
  for (const [row, count] of [
    [164, 6],
    [188, 4],
    [210, 2],
  ]) {
    for (let i = 0; i < count; i++) {
      const x = (i - (count - 1) / 2) * 58;
      parts.push(
        line(
          [
            [x - 26, row + 5],
            [x - 12, row - 6],
            [x + 4, row + 4],
            [x + 18, row - 5],
            [x + 27, row + 3],
          ],
          6,
        ),
      );
    }
  }
  return parts.join('');
}

async function gray(size, body, blur) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}"><rect width="${size}" height="${size}" fill="#000"/>${body}</svg>`;
  return sharp(Buffer.from(svg)).blur(blur).greyscale().raw().toBuffer();
}

/** The relief (in px) and the coverage of the coin for every pixel. */
export async function coinHeights(size) {
  const body = legend() + beads() + galley();
  const [sharpCut, rounded] = [await gray(size, body, 1.6), await gray(size, body, 5)];
  const relief = new Float32Array(size * size);
  const inside = new Float32Array(size * size);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const i = y * size + x;
      const [dx, dy] = [x - CENTRE, y - CENTRE];
      const angle = Math.atan2(dy, dx);
      const ragged =
        26 * (fbm(Math.cos(angle) * 1.6 + 5, Math.sin(angle) * 1.6 + 5, 4, 12) - 0.5) +
        3 * (fbm(Math.cos(angle) * 16 + 40, Math.sin(angle) * 16 + 40, 2, 13) - 0.5);
      const edge = RADIUS + ragged - Math.hypot(dx, dy);
      inside[i] = clamp(edge + 0.5);
      const worn = 0.6 + 0.5 * smoothstep(0.3, 0.6, fbm(x / 130, y / 130, 3, 17));
      const rim = 7 * smoothstep(0, 10, edge) - 3.4 * smoothstep(12, 30, edge);
      const dish = 3 * fbm(x / 95, y / 95, 3, 19);
      relief[i] = rim + dish + ((sharpCut[i] * 3.2 + rounded[i] * 6.2) / 255) * worn;
    }
  }
  return { relief, inside };
}
