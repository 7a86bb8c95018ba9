/** Breaks a paragraph into lines and orders their pieces from left to right, whatever scripts it mixes. */
import bidiFactory from 'bidi-js';
import LineBreaker from 'linebreak';
import type { CoverFont, CoverFonts, Weight } from './fonts.ts';

/** Characters of one font and one direction. */
export interface Piece {
  readonly text: string;
  readonly font: CoverFont;
  /** From the left end of the line, in points. */
  readonly x: number;
}

export interface LaidLine {
  /** From left to right. */
  readonly pieces: readonly Piece[];
  /** In points. */
  readonly width: number;
}

export interface LaidParagraph {
  readonly lines: readonly LaidLine[];
  /** Whether the paragraph runs from right to left, so that its lines end at the left. */
  readonly rightToLeft: boolean;
}

export interface LayoutOptions {
  readonly fonts: CoverFonts;
  readonly weight: Weight;
  /** The width of the lines, in points. */
  readonly width: number;
  /** Where there are more lines, the last one ends with an ellipsis. */
  readonly maxLines: number;
  /** The width of a text in one font, in points. */
  readonly measure: (text: string, font: CoverFont) => number;
}

const bidi = bidiFactory();
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

interface Glyphs {
  readonly text: string;
  readonly font: CoverFont;
}

const isMark = (text: string): boolean => /^[\p{M}\u200c\u200d]/u.test(text);

/** The characters that some font has, one font for each; marks stay with their letter where its font has them. */
function withFonts(text: string, { fonts, weight }: LayoutOptions): readonly Glyphs[] {
  const found: Glyphs[] = [];
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? 0;
    const before = found.at(-1)?.font;
    const stays = before?.has(codePoint) && (isMark(character) || character === ' ');
    const font = stays ? before : fonts.fontFor(codePoint, weight);
    if (font !== undefined) found.push({ text: character, font });
  }
  return found;
}

/** Neighbors of one font in one piece; a space ends its piece, since pieces of right-to-left text are ordered one by one. */
function joined(glyphs: readonly Glyphs[], levels: Uint8Array, from: number): (Glyphs & { readonly level: number })[] {
  const pieces: (Glyphs & { readonly level: number })[] = [];
  let at = from;
  for (const { text, font } of glyphs) {
    const level = levels[at] ?? 0;
    const last = pieces.at(-1);
    const mirrored = level % 2 === 1 ? (bidi.getMirroredCharacter(text) ?? text) : text;
    if (last?.font === font && last.level === level && text !== ' ' && !last.text.endsWith(' ')) {
      pieces[pieces.length - 1] = { ...last, text: last.text + mirrored };
    } else pieces.push({ text: mirrored, font, level });
    at += text.length;
  }
  return pieces;
}

/** Reverses runs from the highest level down to the lowest odd one (UAX 9, rule L2). */
function inVisualOrder<T extends { readonly level: number }>(pieces: readonly T[]): readonly T[] {
  const ordered = [...pieces];
  const highest = Math.max(0, ...pieces.map(({ level }) => level));
  for (let level = highest; level > 0; level--) {
    for (let start = 0; start < ordered.length; start++) {
      let end = start;
      while ((ordered[end]?.level ?? -1) >= level) end++;
      if (end > start + 1) ordered.splice(start, end - start, ...ordered.slice(start, end).reverse());
      start = Math.max(start, end);
    }
  }
  return ordered;
}

const widthOf = (glyphs: readonly Glyphs[], { measure }: LayoutOptions): number =>
  joined(glyphs, new Uint8Array(0), 0).reduce((sum, { text, font }) => sum + measure(text, font), 0);

/** The parts of a text that stay on one line; what is too long for a line is parted between its characters. */
function* unbroken(text: string, options: LayoutOptions): Generator<string> {
  const breaker = new LineBreaker(text);
  let from = 0;
  for (let next = breaker.nextBreak(); next !== null; next = breaker.nextBreak()) {
    const part = text.slice(from, next.position);
    from = next.position;
    if (widthOf(withFonts(part.trimEnd(), options), options) <= options.width) yield part;
    else for (const { segment } of graphemes.segment(part)) yield segment;
  }
}

function brokenLines(text: string, options: LayoutOptions): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const part of unbroken(text, options)) {
    const longer = line + part;
    if (line !== '' && widthOf(withFonts(longer.trimEnd(), options), options) > options.width) {
      lines.push(line);
      line = part;
    } else line = longer;
  }
  if (line.trim() !== '') lines.push(line);
  return lines;
}

/** Shortens a line until an ellipsis fits behind it. */
function withEllipsis(line: string, options: LayoutOptions): string {
  const characters = Array.from(line.trimEnd());
  const fits = () => widthOf(withFonts(`${characters.join('')}…`, options), options) <= options.width;
  while (characters.length > 1 && !fits()) characters.pop();
  return `${characters.join('').trimEnd()}…`;
}

function bounded(lines: readonly string[], options: LayoutOptions): readonly string[] {
  if (lines.length <= options.maxLines) return lines;
  const kept = lines.slice(0, options.maxLines);
  return [...kept.slice(0, -1), withEllipsis(kept.at(-1) ?? '', options)];
}

/** Lays out a paragraph. Characters that no font has are left out. */
export function layOut(paragraph: string, options: LayoutOptions): LaidParagraph {
  const clean = paragraph.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  const text = withFonts(clean, options)
    .map((glyphs) => glyphs.text)
    .join('')
    .replace(/ +/g, ' ')
    .trim();
  const rightToLeft = (bidi.getEmbeddingLevels(text, 'auto').paragraphs[0]?.level ?? 0) % 2 === 1;
  const lines = bounded(brokenLines(text, options), options).map((line): LaidLine => {
    const content = line.trimEnd();
    const { levels } = bidi.getEmbeddingLevels(content, rightToLeft ? 'rtl' : 'ltr');
    let x = 0;
    const pieces = inVisualOrder(joined(withFonts(content, options), levels, 0)).map((piece): Piece => {
      const placed = { text: piece.text, font: piece.font, x };
      x += options.measure(piece.text, piece.font);
      return placed;
    });
    return { pieces, width: x };
  });
  return { lines, rightToLeft };
}
