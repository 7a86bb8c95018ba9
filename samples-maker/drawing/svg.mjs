// The little SVG this needs, and its rendering to raw pixels.
import sharp from 'sharp';

export const INK = '#33241a';
const FAMILY = 'DejaVu Serif, Georgia, serif';

export const f = (value) => String(Math.round(value * 10) / 10);
export const at = (p) => `${f(p[0])} ${f(p[1])}`;
export const escapeXml = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

/** A straight-edged path through points. */
export function polyline(points, closed = false) {
  return `M${points.map(at).join('L')}${closed ? 'Z' : ''}`;
}

/** A smooth path (Catmull-Rom) through points. */
export function smooth(points, closed = false) {
  const n = points.length;
  const get = (i) => (closed ? points[(i + n) % n] : points[Math.min(n - 1, Math.max(0, i))]);
  let d = `M${at(points[0])}`;
  const last = closed ? n : n - 1;
  for (let i = 0; i < last; i++) {
    const [a, b, c, e] = [get(i - 1), get(i), get(i + 1), get(i + 2)];
    const p = [b[0] + (c[0] - a[0]) / 6, b[1] + (c[1] - a[1]) / 6];
    const q = [c[0] - (e[0] - b[0]) / 6, c[1] - (e[1] - b[1]) / 6];
    d += `C${at(p)} ${at(q)} ${at(c)}`;
  }
  return closed ? `${d}Z` : d;
}

/** A filled stroke that grows thin: widths at the start and the end. */
export function taper(points, from, to) {
  const left = [];
  const right = [];
  for (let i = 0; i < points.length; i++) {
    const a = points[Math.max(0, i - 1)];
    const b = points[Math.min(points.length - 1, i + 1)];
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
    const half = (from + ((to - from) * i) / (points.length - 1)) / 2;
    const nx = (-(b[1] - a[1]) / length) * half;
    const ny = ((b[0] - a[0]) / length) * half;
    left.push([points[i][0] + nx, points[i][1] + ny]);
    right.push([points[i][0] - nx, points[i][1] - ny]);
  }
  return { left, right, outline: [...left, ...right.reverse()] };
}

/** A line of text; options: size, italic, bold, anchor, spacing, fill, wide, turn. */
export function text(x, y, string, options = {}) {
  const { size = 20, anchor = 'start', fill = INK, turn = 0, opacity = 1 } = options;
  const style = [
    options.italic ? ' font-style="italic"' : '',
    options.bold ? ' font-weight="bold"' : '',
    options.wide ? '' : ' font-stretch="semi-condensed"',
    options.spacing ? ` letter-spacing="${options.spacing}"` : '',
    opacity === 1 ? '' : ` opacity="${opacity}"`,
    turn ? ` transform="rotate(${f(turn)} ${f(x)} ${f(y)})"` : '',
  ].join('');
  return `<text x="${f(x)}" y="${f(y)}" font-family="${FAMILY}" font-size="${f(size)}" text-anchor="${anchor}" fill="${fill}"${style}>${escapeXml(string)}</text>`;
}

export function svgDocument(width, height, body, background = '#fff') {
  const ground = background ? `<rect width="${width}" height="${height}" fill="${background}"/>` : '';
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${ground}${body}</svg>`;
}

/** Renders a drawing on white to raw RGB bytes. */
export async function render(width, height, body, background = '#fff') {
  const source = Buffer.from(svgDocument(width, height, body, background));
  const image = sharp(source, { limitInputPixels: false, unlimited: true });
  return image.flatten({ background: '#fff' }).removeAlpha().raw().toBuffer();
}

/** Renders a drawing with its transparency to raw RGBA bytes. */
export async function renderAlpha(width, height, body) {
  const source = Buffer.from(svgDocument(width, height, body, ''));
  return sharp(source, { unlimited: true }).ensureAlpha().raw().toBuffer();
}
