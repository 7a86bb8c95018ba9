// The words of a drawn page and where they stand, read back from its drawing.
import { measure } from '../drawing/type.mjs';

/**
 * A printed word; its box is in pixels of the drawing, and then of the scan.
 *
 * @typedef {object} Word
 * @property {string} text
 * @property {{ x: number, y: number, width: number, height: number }} box
 *
 * @typedef {object} Line
 * @property {Word[]} words
 * @property {number} size Of the letters, in pixels.
 * @property {string | undefined} language Where it is not that of the page.
 * @property {number} y The base line.
 */

// Of the letters' size: how far they reach above and below the base line.
const ASCENT = 0.76;
const DESCENT = 0.22;

// A letter of this size alone is a drop capital, whose word goes on with the next string.
const DROP_CAPITAL = 90;

const attribute = (tag, name) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1];

const unescaped = (text) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

/** The strings of a drawing, in the order in which they are drawn. */
function stringsIn(svg) {
  return [...svg.matchAll(/<text( [^>]*)>([^<]*)<\/text>/g)].map(([, tag, content]) => {
    const string = unescaped(content);
    const size = Number(attribute(tag, 'font-size'));
    const spacing = Number(attribute(tag, 'letter-spacing') ?? 0);
    const stretch = attribute(tag, 'font-stretch') === undefined ? 1 / 0.9 : 1;
    const widthOf = (part) => measure(part, size) * stretch + spacing * part.length;
    const width = widthOf(string) - spacing;
    const x = Number(attribute(tag, 'x'));
    const start = { start: x, middle: x - width / 2, end: x - width }[attribute(tag, 'text-anchor') ?? 'start'];
    return { string, size, start, widthOf, y: Number(attribute(tag, 'y')), italic: tag.includes('italic'), spacing };
  });
}

/** The words of one string; a drop capital before it begins its first word. */
function wordsOf({ string, size, start, widthOf, y, spacing }, capital) {
  const words = [];
  for (const { 0: text, index } of string.matchAll(/\S+/g)) {
    const x = start + widthOf(string.slice(0, index));
    const width = widthOf(text) - spacing;
    words.push({ text, box: { x, y: y - size * ASCENT, width, height: size * (ASCENT + DESCENT) } });
  }
  const [first] = words;
  if (capital !== undefined && first !== undefined) {
    first.text = capital.string + first.text;
    first.box = { ...first.box, x: capital.start, width: first.box.x + first.box.width - capital.start };
  }
  return words;
}

/**
 * The lines of a drawing from top to bottom.
 *
 * @param {string} svg
 * @returns {Line[]}
 */
export function linesIn(svg) {
  /** @type {Map<number, Line>} */
  const lines = new Map();
  let capital;
  for (const string of stringsIn(svg)) {
    if (string.string.length === 1 && string.size > DROP_CAPITAL) {
      capital = string;
      continue;
    }
    // The names of the plants are in Latin.
    const language = string.italic && string.size === 31 ? 'la' : undefined;
    const key = Math.round(string.y);
    const line = lines.get(key) ?? { words: [], size: string.size, language, y: string.y };
    lines.set(key, line);
    line.words.push(...wordsOf(string, capital));
    capital = undefined;
  }
  for (const line of lines.values()) line.words.sort((a, b) => a.box.x - b.box.x);
  return [...lines.values()].sort((a, b) => a.y - b.y);
}

/**
 * The lines in blocks: a new one begins with another size of letters, and below a wider gap.
 *
 * @param {readonly Line[]} lines
 * @returns {Line[][]}
 */
export function blocksOf(lines) {
  /** @type {Line[][]} */
  const blocks = [];
  let above;
  for (const line of lines) {
    const continues = above !== undefined && line.size === above.size && line.y - above.y < line.size * 1.6;
    if (continues) blocks.at(-1)?.push(line);
    else blocks.push([line]);
    above = line;
  }
  return blocks;
}
