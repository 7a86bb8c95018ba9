// Draws the error pictures in assets/: not found, denied, error.
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';

const folder = fileURLToPath(new URL('../assets/', import.meta.url));
mkdirSync(folder, { recursive: true });

/** The colors of the start page. */
const [paper, page, line, ink, accent] = ['#f6f1e6', '#fffdf8', '#d9cfba', '#25221c', '#7a3b1d'];

/** A page with a folded corner, 120 x 152, and its lines of text. */
const pageOutline = 'M100 52 H190 L220 82 V204 H100 Z';
const fold = 'M190 52 V82 H220';
const writing = 'M118 84 H170 M118 106 H202 M118 128 H202 M118 150 H202 M118 172 H184';

/** Drawn with strokes, so that they need no font and are legible at 200 pixels. */
const drawings = {
  /** The outline of the page, and a magnifying glass with a cross. */
  'not-found': `<path d="${pageOutline}" fill="none" stroke="${ink}" stroke-width="5" stroke-dasharray="11 10" opacity=".5"/>
<circle cx="176" cy="138" r="42" fill="${page}" stroke="${accent}" stroke-width="11"/>
<path d="M207 169 L248 210" stroke="${accent}" stroke-width="15"/>
<path d="M161 123 L191 153 M191 123 L161 153" stroke="${accent}" stroke-width="9"/>`,
  /** The page with a lock. */
  denied: `<path d="${pageOutline}" fill="${page}" stroke="${ink}" stroke-width="5"/><path d="${fold}" fill="${line}" stroke="${ink}" stroke-width="5"/>
<path d="${writing}" stroke="${line}" stroke-width="6"/>
<path d="M162 158 V136 a26 26 0 0 1 52 0 V158" fill="none" stroke="${accent}" stroke-width="11"/>
<rect x="145" y="156" width="86" height="66" rx="8" fill="${accent}"/>
<path d="M188 179 V200" stroke="${page}" stroke-width="9"/>`,
  /** The page, torn. */
  error: `<g transform="rotate(-5 150 110)"><path d="M100 46 H190 L220 76 V112 L196 130 L176 108 L152 134 L130 112 L100 130 Z" fill="${page}" stroke="${ink}" stroke-width="5"/>
<path d="M190 46 V76 H220" fill="${line}" stroke="${ink}" stroke-width="5"/><path d="M118 72 H168 M118 92 H198" stroke="${line}" stroke-width="6"/></g>
<g transform="rotate(5 160 190)"><path d="M100 156 L130 138 L152 160 L176 134 L196 156 L220 138 V224 H100 Z" fill="${page}" stroke="${ink}" stroke-width="5"/>
<path d="M118 184 H202 M118 204 H180" stroke="${line}" stroke-width="6"/></g>
<circle cx="226" cy="196" r="34" fill="${accent}"/><path d="M226 179 V199 M226 212 V213" stroke="${page}" stroke-width="9"/>`,
};

for (const [name, drawing] of Object.entries(drawings)) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="280" viewBox="0 0 320 280">
<rect width="320" height="280" fill="${paper}"/>
<rect x="8" y="8" width="304" height="264" rx="6" fill="none" stroke="${line}" stroke-width="2"/>
<g fill="none" stroke-linecap="round" stroke-linejoin="round">${drawing}</g></svg>`;
  await sharp(Buffer.from(svg)).png({ compressionLevel: 9, palette: true, colours: 64 }).toFile(`${folder}${name}.png`);
}
