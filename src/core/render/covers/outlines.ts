/** The outlines of a line of text in Noto Serif, which comes with Lectern. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create, type Font } from 'fontkit';

const scripts = ['latin', 'latin-ext', 'greek', 'greek-ext', 'cyrillic', 'cyrillic-ext', 'vietnamese'];

const packages = createRequire(import.meta.url);

function openFont(script: string): Font {
  const name = `@fontsource/noto-serif/files/noto-serif-${script}-600-normal.woff`;
  const font = create(readFileSync(packages.resolve(name)));
  if ('fonts' in font) throw new TypeError('a collection of fonts');
  return font;
}

/** Pieces of the text, each with a font that has all of its characters. */
function piecesOf(text: string): readonly { readonly font: Font; readonly text: string }[] {
  const fonts = new Map<string, Font>();
  const fontOf = (script: string): Font => {
    const font = fonts.get(script) ?? openFont(script);
    fonts.set(script, font);
    return font;
  };
  const pieces: { font: Font; text: string }[] = [];
  for (const character of text.normalize('NFC')) {
    const has = (font: Font): boolean => font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0);
    const last = pieces.at(-1);
    if (last && has(last.font)) {
      last.text += character;
      continue;
    }
    const script = scripts.find((name) => has(fontOf(name)));
    if (script === undefined) {
      throw new Error(`No font that comes with Lectern has “${character}”: make an SVG or PNG of the watermark.`);
    }
    pieces.push({ font: fontOf(script), text: character });
  }
  return pieces;
}

export interface Outlines {
  /** The commands of an SVG path. */
  readonly path: string;
  readonly width: number;
  readonly height: number;
}

const round = (value: number): number => Math.round(value * 100) / 100;

/** Room around the text, as a fraction of the height. */
const beside = 0.05;

/** Throws where a character is in none of the fonts. */
export function outlineText(text: string, height: number): Outlines {
  let x = beside * height;
  const paths: string[] = [];
  for (const { font, text: piece } of piecesOf(text)) {
    const scale = (height * (1 - 2 * beside)) / (font.ascent - font.descent);
    const baseline = beside * height + font.ascent * scale;
    const { glyphs, positions } = font.layout(piece);
    for (const [index, glyph] of glyphs.entries()) {
      const position = positions[index];
      if (position === undefined) continue;
      const [left, line] = [x + position.xOffset * scale, baseline - position.yOffset * scale];
      paths.push(glyph.path.transform(scale, 0, 0, -scale, round(left), round(line)).toSVG());
      x += position.xAdvance * scale;
    }
  }
  return { path: paths.join(''), width: x + beside * height, height };
}
