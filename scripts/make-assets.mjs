// Draws the pictures that stand in place of an image that can't be shown: not found, denied, error.
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';

const folder = fileURLToPath(new URL('../assets/', import.meta.url));
mkdirSync(folder, { recursive: true });

/** Each sign is drawn with strokes, so that it needs no font and is clear at 200 pixels. */
const signs = {
  'not-found':
    '<circle cx="140" cy="128" r="46"/><path d="M174 162 L214 202"/><path d="M122 110 L158 146 M158 110 L122 146"/>',
  denied:
    '<rect x="108" y="128" width="104" height="78" rx="8"/><path d="M126 128 V102 a34 34 0 0 1 68 0 V128 M160 158 V178"/>',
  error: '<path d="M160 84 L226 202 H94 Z"/><path d="M160 124 V162 M160 180 V182"/>',
};

for (const [name, strokes] of Object.entries(signs)) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="280" viewBox="0 0 320 280">
<rect width="320" height="280" fill="#f4f0e6"/>
<rect x="9" y="9" width="302" height="262" fill="none" stroke="#cfc6b2" stroke-width="2" stroke-dasharray="10 7"/>
<g fill="none" stroke="#7a3b1d" stroke-width="11" stroke-linecap="round" stroke-linejoin="round">${strokes}</g></svg>`;
  await sharp(Buffer.from(svg)).png({ compressionLevel: 9, palette: true }).toFile(`${folder}${name}.png`);
}
