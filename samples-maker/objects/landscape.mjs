// The scene of the turned photograph: a lake at evening, hills behind it, a boathouse, reeds, a signpost.
import { fbm, makeRandom } from '../drawing/random.mjs';
import { f, polyline, smooth } from '../drawing/svg.mjs';

const FAMILY = 'DejaVu Serif, Georgia, serif';
const SHORE = 560;

/** One range of hills, from noise. */
function range(width, base, rise, scale, seed) {
  const points = [];
  for (let x = -10; x <= width + 10; x += 6) points.push([x, base - rise * (fbm(x / scale, seed, 5, seed) - 0.25)]);
  return points;
}

const closed = (points, width, floor) => `${polyline(points)}L${width + 10} ${floor}L-10 ${floor}Z`;

function firs(random, width) {
  const parts = [];
  for (let i = 0; i < 95; i++) {
    const x = random.range(-20, width * 0.48) * random.range(0.5, 1);
    const tall = random.range(38, 92) * (1 - x / width);
    const base = SHORE + 2;
    const tiers = [0, 0.22, 0.44, 0.66].map((t) => {
      const half = tall * (0.08 + t * 0.26);
      const top = base - tall * (1 - t);
      return `M${f(x)} ${f(top)}L${f(x + half)} ${f(top + tall * 0.38)}L${f(x - half)} ${f(top + tall * 0.38)}Z`;
    });
    parts.push(`<path d="${tiers.join('')}" fill="${random.pick(['#23382f', '#1d3029', '#2b4236'])}"/>`);
  }
  return parts.join('');
}

function ripples(random, width, height) {
  const parts = [];
  for (let i = 0; i < 420; i++) {
    const depth = random.next() ** 1.5;
    const y = SHORE + 6 + depth * (height - SHORE - 40);
    const x = random.range(-40, width);
    const long = (14 + depth * 120) * random.range(0.4, 1);
    const glow = Math.abs(x + long / 2 - 800) < 60 + depth * 170;
    const color = glow ? '#ffe0a8' : random.pick(['#d9b7a4', '#5e6f86', '#87879a']);
    parts.push(
      `<path d="M${f(x)} ${f(y)}q${f(long / 2)} ${f(-2 - depth * 3)} ${f(long)} 0q${f(-long / 2)} ${f(2 + depth * 4)} ${f(-long)} 0Z" fill="${color}" opacity="${f(glow ? 0.75 : 0.35)}"/>`,
    );
  }
  return parts.join('');
}

function reeds(random, width, height) {
  const parts = [];
  for (let i = 0; i < 210; i++) {
    const x = random.range(-20, width + 20);
    const crowd = Math.abs(x / width - 0.45) * 2;
    const tall = random.range(30, 90) + crowd ** 2 * 150;
    const lean = random.range(-26, 26);
    const color = random.pick(['#2c2f22', '#3a3c28', '#4a452b', '#24281f']);
    parts.push(
      `<path d="${smooth([
        [x, height + 6],
        [x + lean * 0.3, height - tall * 0.6],
        [x + lean, height - tall],
      ])}" fill="none" stroke="${color}" stroke-width="${f(random.range(2, 5))}" stroke-linecap="round"/>`,
    );
    if (i % 6 === 0)
      parts.push(
        `<ellipse cx="${f(x + lean)}" cy="${f(height - tall)}" rx="5" ry="19" fill="#4d3220" transform="rotate(${f(lean * 0.7)} ${f(x + lean)} ${f(height - tall)})"/>`,
      );
  }
  return parts.join('');
}

const boathouse = `<g><path d="M930 ${SHORE + 4}v-58l62 -40l62 40v58Z" fill="#7c3f33"/><path d="M920 ${SHORE - 52}l72 -48l72 48l-8 8l-64 -42l-64 42Z" fill="#3b2a2a"/>
<path d="M970 ${SHORE + 4}v-40q22 -18 44 0v40Z" fill="#251a1c"/><rect x="938" y="${SHORE - 40}" width="18" height="18" fill="#ffd987"/><rect x="1028" y="${SHORE - 40}" width="18" height="18" fill="#ffd987"/>
<path d="M930 ${SHORE + 6}h124l-10 62l-52 36l-50 -36Z" fill="#5c3b3b" opacity="0.55"/><path d="M846 ${SHORE + 8}h90v7h-90Z" fill="#4a3830"/><path d="M860 ${SHORE + 14}v20M890 ${SHORE + 14}v22M920 ${SHORE + 14}v22" stroke="#3a2c28" stroke-width="5"/></g>`;

export function landscape(width, height) {
  const random = makeRandom(77);
  const far = range(width, 480, 190, 260, 3);
  const middle = range(width, 530, 150, 190, 9);
  const near = range(width, 566, 90, 130, 15);
  const mirror = (points, share) => points.map(([x, y]) => [x, SHORE + (SHORE - y) * share]);
  const reflection = (points, color, opacity) =>
    `<path d="${polyline(mirror(points, 0.8))}L${width + 10} ${SHORE}L-10 ${SHORE}Z" fill="${color}" opacity="${opacity}"/>`;
  return `<defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#4f6f9c"/><stop offset="0.5" stop-color="#c5a9a6"/><stop offset="0.85" stop-color="#f6cf98"/><stop offset="1" stop-color="#ffe2ad"/></linearGradient>
<linearGradient id="lake" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#eac69b"/><stop offset="0.35" stop-color="#a9949c"/><stop offset="1" stop-color="#344a66"/></linearGradient>
<radialGradient id="sun" cx="800" cy="410" r="330" gradientUnits="userSpaceOnUse"><stop offset="0" stop-color="#fffbe6"/><stop offset="0.1" stop-color="#fff3c8"/><stop offset="0.13" stop-color="#ffe6a8" stop-opacity="0.7"/><stop offset="1" stop-color="#ffd58a" stop-opacity="0"/></radialGradient></defs>
<rect width="${width}" height="${SHORE}" fill="url(#sky)"/><rect width="${width}" height="${SHORE}" fill="url(#sun)"/>
<path d="${closed(far, width, SHORE)}" fill="#8d8fa6"/><path d="${closed(middle, width, SHORE)}" fill="#66738a"/><path d="${closed(near, width, SHORE)}" fill="#465a60"/>
<rect y="${SHORE}" width="${width}" height="${height - SHORE}" fill="url(#lake)"/>
${reflection(far, '#8d8fa6', 0.5)}${reflection(middle, '#66738a', 0.5)}${reflection(near, '#465a60', 0.55)}
${firs(random, width)}${boathouse}${ripples(random, width, height)}${reeds(random, width, height)}`;
}

/** The board that proves the picture upright: an arrow to the sky and two words. */
landscape.signs = (_width, height) => {
  const grain = [0, 1, 2, 3, 4].map(
    (i) =>
      `<path d="M186 ${496 + i * 32}q90 ${i % 2 ? 9 : -8} 196 ${i % 2 ? -3 : 5}" fill="none" stroke="#9c7f52" stroke-width="1.4" opacity="0.6"/>`,
  );
  return `<path d="M270 ${height}V430h24V${height}Z" fill="#4b3722"/><path d="M286 ${height}V430h8V${height}Z" fill="#2f2216"/>
<rect x="178" y="484" width="216" height="156" rx="5" fill="#241a10" opacity="0.5" transform="translate(6 8)"/><rect x="174" y="480" width="216" height="156" rx="5" fill="#d9bf8c" stroke="#4b3722" stroke-width="4"/>${grain.join('')}
<path d="M282 372l52 66h-34v36h-36v-36h-34Z" fill="#d9bf8c" stroke="#4b3722" stroke-width="4" stroke-linejoin="round"/>
<g font-family="${FAMILY}" text-anchor="middle" fill="#33241a"><text x="282" y="538" font-size="33" font-weight="bold">THIS WAY</text><text x="282" y="594" font-size="54" font-weight="bold">UP</text><text x="282" y="622" font-size="13.5" font-style="italic">(the camera lay on its side)</text></g>
<circle cx="186" cy="492" r="3.4" fill="#4b3722"/><circle cx="378" cy="492" r="3.4" fill="#4b3722"/><circle cx="186" cy="624" r="3.4" fill="#4b3722"/><circle cx="378" cy="624" r="3.4" fill="#4b3722"/>`;
};
